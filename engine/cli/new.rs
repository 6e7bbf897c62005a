//! `lode new`: skeletons of games, kinds, cards, phases and verbs, written where they belong.

mod content;
mod game;
mod plan;
mod scripts;

use std::io::Write;

use motherlode::declare::Declarations;
use motherlode::{Game, Pack};

use self::plan::Plan;
use crate::fault::Fault;
use crate::project::{Place, Project};

/// Arguments of `lode new`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
    /// Print what would be written, and write nothing
    #[arg(long, global = true)]
    dry_run: bool,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// A small game that can be played at once, with rules and a test
    Game {
        /// Its id, in snake_case
        id: String,
    },
    /// A deck: its declaration, and a file with a first card
    #[command(visible_alias = "deck")]
    Kind {
        /// Id of a game or its folder
        game: String,
        /// Name of the kind and of its file
        kind: String,
    },
    /// A card (or tile, place, event ...) of a kind of the game
    #[command(visible_alias = "definition")]
    Card {
        /// Id of a game or its folder
        game: String,
        /// Kind: the file the card stands in
        kind: String,
        /// Its id, in snake_case
        id: String,
        /// Give it a function for every hook of its kind, in the script of the same name
        #[arg(long)]
        script: bool,
    },
    /// A phase and its script
    Phase {
        /// Id of a game or its folder
        game: String,
        /// Its id, in snake_case
        id: String,
    },
    /// A verb: an effect that cards name, and its function
    Verb {
        /// Id of a game or its folder
        game: String,
        /// Its id, in snake_case
        id: String,
    },
}

/// Plans, checks what would come of it, and writes.
pub fn run(args: &Args, place: &Place, out: &mut dyn Write) -> Result<(), Fault> {
    let plan = match &args.what {
        What::Game { id } => {
            let project = Project::find(place)?;
            if let Some(known) = project.ids()?.iter().find(|known| *known == id) {
                return Err(taken("game", known));
            }
            let plan = Plan::of_new_game(&project.root, id)?;
            game::plan(plan, id)?
        }
        What::Kind { game, kind } => {
            let (plan, game) = begin(place, game)?;
            content::kind(plan, game.declarations(), kind)?
        }
        What::Card { game, kind, id, script } => {
            let (plan, game) = begin(place, game)?;
            content::card(plan, game.declarations(), kind, id, *script)?
        }
        What::Phase { game, id } => {
            let (plan, game) = begin(place, game)?;
            content::phase(plan, game.declarations(), id)?
        }
        What::Verb { game, id } => {
            let (plan, game) = begin(place, game)?;
            content::verb(plan, game.declarations(), id)?
        }
    };
    plan.check()?;
    if args.dry_run { plan.show(out) } else { plan.write(out) }
}

/// The plan for a game that is there and has no faults.
fn begin(place: &Place, name: &str) -> Result<(Plan, Game), Fault> {
    let (project, id) = Project::locate(place, name)?;
    let content = |diagnostics| Fault::Content { game: id.clone(), diagnostics };
    let pack = Pack::open(&project.root, &id).map_err(content)?;
    let game = Game::load(&pack).map_err(content)?;
    Ok((Plan::new(&project.root, pack), game))
}

fn taken(noun: &str, id: &str) -> Fault {
    Fault::usage(format!("there is a {noun} `{id}` already"))
}

/// Refuses what cannot be an id; what the engine knows besides is found by the check of the plan.
fn check_id(id: &str) -> Result<(), Fault> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if id.starts_with(|c: char| c.is_ascii_lowercase()) && id.chars().all(plain) {
        return Ok(());
    }
    Err(Fault::usage(format!(
        "`{id}` is not in snake_case: lower-case letters, digits and underscores, a letter first"
    )))
}

/// `rock_cutter` as a printed name: `Rock cutter`.
fn label(id: &str) -> String {
    let mut label = id.replace('_', " ");
    if let Some(first) = label.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    label
}

/// A player counter to make examples of.
fn some_counter(d: &Declarations) -> &str {
    let of_player =
        |(_, counter): &(&String, &motherlode::declare::Counter)| counter.per == motherlode::declare::Holder::Player;
    d.counters.iter().find(of_player).map_or("coins", |(name, _)| name.as_str())
}
