//! `lode new`: skeletons of games, mods, kinds, cards, phases and verbs, written where they belong.

mod content;
mod game;
mod kinds;
mod layer;
mod plan;
mod scripts;

use std::io::Write;
use std::path::PathBuf;

use clap::Parser as _;
use motherlode::declare::Declarations;
use motherlode::{Game, Pack};

use self::plan::Plan;
use crate::fault::Fault;
use crate::project::{Place, Project};

/// What stands below the options in `lode new --help`.
const AFTER_HELP: &str = "\
The kinds of a game are words of their own: `lode new event GAME ID` writes an event, if the game has a kind `events`.
With --mod DIR what is new is written to that mod; of several mods to the last one.";

/// Words that no kind is needed for.
const WORDS: [&str; 6] = ["game", "mod", "kind", "card", "phase", "verb"];

/// Arguments of `lode new`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
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
    /// A mod: a folder that changes a game, with an example of each way to do so
    Mod {
        /// Its id, in snake_case
        id: String,
        /// Id of the game that it changes
        #[arg(long, value_name = "GAME")]
        game: String,
        /// Folder to be made [default: mods/ID beside content/]
        #[arg(long)]
        dir: Option<PathBuf>,
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
    /// A card of the kind that has this name
    #[command(external_subcommand)]
    Noun(Vec<String>),
}

/// Arguments behind the name of a kind.
#[derive(Debug, clap::Parser)]
#[command(about = "A card of a kind of the game", max_term_width = 100)]
struct NounArgs {
    /// Id of a game or its folder
    game: String,
    /// Its id, in snake_case
    id: String,
    /// Give it a function for every hook of its kind, in the script of the same name
    #[arg(long)]
    script: bool,
    /// Print what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    place: Place,
}

/// Plans, checks what would come of it, and writes.
pub fn run(args: &Args, place: &Place, out: &mut dyn Write) -> Result<(), Fault> {
    let plan = match &args.what {
        What::Game { id } => {
            let project = Project::find(place)?;
            if let Some(known) = project.ids()?.iter().find(|known| *known == id) {
                return Err(taken("game", known));
            }
            if !place.mods.is_empty() {
                return Err(Fault::usage("a new game is no part of a mod: leave out --mod"));
            }
            let plan = Plan::of_new_game(&project.root, id)?;
            game::plan(plan, id)?
        }
        What::Mod { id, game, dir } => {
            let (project, of) = Project::locate(place, game)?;
            layer::plan(project, &of, id, dir.as_deref())?
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
        What::Noun(words) => return noun(words, args, place, out),
    };
    finish(&plan, args.dry_run, out)
}

/// `lode new event GAME ID` is `lode new card GAME events ID`.
fn noun(words: &[String], args: &Args, place: &Place, out: &mut dyn Write) -> Result<(), Fault> {
    let Some((noun, rest)) = words.split_first() else { return Ok(()) };
    if !rest.iter().any(|word| !word.starts_with('-')) {
        let hint = crate::project::nearest(noun, WORDS).map(|near| format!("; did you mean `{near}`?"));
        let message = "is none of game, mod, kind, card, phase and verb";
        return Err(Fault::usage(format!(
            "`{noun}` {message}{}\nIf it is a kind of a game: `lode new {noun} GAME ID`",
            hint.unwrap_or_default()
        )));
    }
    let named = [format!("lode new {noun}")];
    let own = NounArgs::try_parse_from(named.iter().chain(rest)).unwrap_or_else(|error| error.exit());
    let place = Place {
        root: own.place.root.or_else(|| place.root.clone()),
        mods: [place.mods.clone(), own.place.mods].concat(),
    };
    let (plan, game) = begin(&place, &own.game)?;
    let d = game.declarations();
    if kinds::find(d, noun).is_none() {
        return Err(kinds::unknown(d, noun, &WORDS));
    }
    let plan = content::card(plan, d, noun, &own.id, own.script)?;
    finish(&plan, args.dry_run || own.dry_run, out)
}

fn finish(plan: &Plan, dry_run: bool, out: &mut dyn Write) -> Result<(), Fault> {
    plan.check()?;
    if dry_run { plan.show(out) } else { plan.write(out) }
}

/// The plan for a game that is there and has no faults, or for the last mod over it.
fn begin(place: &Place, name: &str) -> Result<(Plan, Game), Fault> {
    let (project, id) = Project::locate(place, name)?;
    let game = project.load(&id)?;
    let plan = match place.mods.last() {
        Some(folder) if folder.is_dir() => Plan::of_mod(folder, project, &id),
        Some(zip) => {
            let shown = zip.display();
            return Err(Fault::usage(format!(
                "`{shown}` is a zip, to which nothing is added: unpack it and name its folder with --mod"
            )));
        }
        None => {
            let opened = Pack::open(&project.root, &id);
            let pack = opened.map_err(|diagnostics| Fault::Content { game: id.clone(), diagnostics })?;
            Plan::new(&project.root, pack)
        }
    };
    Ok((plan, game))
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
