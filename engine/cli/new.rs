//! `lode new`: writes the skeleton of a game, mod, kind, card, phase or verb.
//!
//! Direction: self <- kinds, scripts <- plan <- content, new_game <- new_mod

mod content;
mod kinds;
mod new_game;
mod new_mod;
mod plan;
mod scripts;

use std::io::Write;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser as _};
use motherlode::Game;
use motherlode::declare::Declarations;
use motherlode::tools::{NameUse, hidden, is_device, nearest, reserved};

use self::plan::Plan;
use crate::arguments;
use crate::fault::Fault;
use crate::project::{GlobalArgs, Project, folder_for_new_game};

/// Text below the options in `lode new --help`.
const AFTER_HELP: &str = "\
The name of a kind also works: `lode new event GAME ID` writes an event if the game has a kind `events`.
With --mod DIR, the skeleton goes to that mod; with several mods, to the last one.";

/// The nouns that work for every game.
const NOUNS: [&str; 6] = ["game", "mod", "kind", "card", "phase", "verb"];

/// Create a game, mod, kind, card, phase or verb from a skeleton
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(subcommand)]
    item: NewItem,
    /// Print the changes without writing them
    #[arg(long, global = true)]
    dry_run: bool,
}

/// The item to create.
#[derive(Debug, clap::Subcommand)]
enum NewItem {
    /// Create a small game that is ready to play, with rules and tests
    Game {
        /// Id of the new item, in snake_case
        id: String,
    },
    /// Create a mod, a folder that changes a game, with examples
    Mod {
        /// Id of the new item, in snake_case
        id: String,
        /// Id of the game to change
        #[arg(long, value_name = "GAME")]
        game: String,
        /// Folder to create [default: mods/ID beside content/]
        #[arg(long)]
        dir: Option<PathBuf>,
    },
    /// Create a kind, or deck: its declaration, and a file with a first card
    #[command(visible_alias = "deck")]
    Kind {
        /// Id of a game or its folder
        game: String,
        /// Name of the kind and of its file, in snake_case
        kind: String,
    },
    /// Create a card, tile, place, event or the like of one of the game's kinds
    #[command(visible_alias = "definition")]
    Card {
        /// Id of a game or its folder
        game: String,
        /// Kind of the card, such as events
        kind: String,
        /// Id of the new item, in snake_case
        id: String,
        /// Add a function for each hook of the kind to the kind's script
        #[arg(long)]
        script: bool,
    },
    /// Create a phase and its script
    Phase {
        /// Id of a game or its folder
        game: String,
        /// Id of the new item, in snake_case
        id: String,
    },
    /// Create a verb, an effect that cards can name, and its function
    Verb {
        /// Id of a game or its folder
        game: String,
        /// Id of the new item, in snake_case
        id: String,
    },
    /// Create a card of the kind with this name
    #[command(external_subcommand)]
    OfKind(Vec<String>),
}

/// The arguments of `lode new KIND`.
#[derive(Debug, clap::Parser)]
#[command(about = "Create a card of this kind", max_term_width = 100)]
struct KindItemArgs {
    /// Id of a game or its folder
    game: String,
    /// Id of the new item, in snake_case
    id: String,
    /// Add a function for each hook of the kind to the kind's script
    #[arg(long)]
    script: bool,
    /// Print the changes without writing them
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    global: GlobalArgs,
}

/// Plans the files, checks the result, and writes them.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    // Report an invalid name before any other error.
    match &args.item {
        NewItem::Game { id } => check_id("game", id)?,
        NewItem::Mod { id, .. } => check_id("mod", id)?,
        NewItem::Kind { kind, .. } => check_id("kind", kind)?,
        NewItem::Card { id, .. } => check_id("card", id)?,
        NewItem::Phase { id, .. } => check_id("phase", id)?,
        NewItem::Verb { id, .. } => check_id("verb", id)?,
        NewItem::OfKind(_) => {}
    }
    let plan = match &args.item {
        NewItem::Game { id } => {
            if !global.mods.is_empty() {
                return Err(Fault::usage("`lode new game` does not take --mod: leave it out"));
            }
            let folder = folder_for_new_game(global)?;
            if folder.join("content").join(id).join("game.toml").exists() {
                return Err(taken("game", id));
            }
            new_game::plan(Plan::of_new_game(&folder, id), id)?
        }
        NewItem::Mod { id, game, dir } => {
            let (project, of) = Project::locate(global, game)?;
            new_mod::plan(project, &of, id, dir.as_deref())?
        }
        NewItem::Kind { game, kind } => {
            let (plan, game) = begin(global, game)?;
            content::kind(plan, game.declarations(), kind)?
        }
        NewItem::Card { game, kind, id, script } => {
            let (plan, game) = begin(global, game)?;
            let plan = content::card(plan, game.declarations(), kind, id, *script)?;
            return finish_card(&plan, kind, id, args.dry_run, out);
        }
        NewItem::Phase { game, id } => {
            let (plan, game) = begin(global, game)?;
            content::phase(plan, game.declarations(), id)?
        }
        NewItem::Verb { game, id } => {
            let (plan, game) = begin(global, game)?;
            content::verb(plan, game.declarations(), id)?
        }
        NewItem::OfKind(words) => return run_for_kind(words, args, global, out),
    };
    finish(&plan, args.dry_run, out)
}

/// Runs `lode new event GAME ID` as `lode new card GAME events ID`.
fn run_for_kind(words: &[String], args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let Some((noun, rest)) = words.split_first() else { return Ok(()) };
    let named = format!("lode new {noun}");
    let own = match KindItemArgs::try_parse_from(std::iter::once(&named).chain(rest)) {
        Ok(own) => own,
        Err(error) => return Err(wrong_kind_arguments(noun, rest, &error)),
    };
    check_id("card", &own.id)?;
    let global = GlobalArgs {
        root: own.global.root.or_else(|| global.root.clone()),
        mods: [global.mods.clone(), own.global.mods].concat(),
        no_native: global.no_native || own.global.no_native,
    };
    let (plan, game) = begin(&global, &own.game)?;
    let d = game.declarations();
    if kinds::find(d, noun).is_none() {
        return Err(kinds::unknown(d, noun, &NOUNS));
    }
    let plan = content::card(plan, d, noun, &own.id, own.script)?;
    finish_card(&plan, noun, &own.id, args.dry_run || own.dry_run, out)
}

/// The error for wrong arguments of `lode new NOUN`. If there are too few or too many, the noun may be misspelt.
fn wrong_kind_arguments(noun: &str, rest: &[String], error: &clap::Error) -> Fault {
    let is_wrong_count = matches!(error.kind(), ErrorKind::MissingRequiredArgument | ErrorKind::UnknownArgument);
    let near = nearest(noun, NOUNS);
    if is_wrong_count && (near.is_some() || rest.iter().all(|word| word.starts_with('-'))) {
        let noun = hidden::name(noun);
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return Fault::usage(format!(
            "`{noun}` is not one of {}{hint}\nfor a card of a kind, use `lode new {noun} GAME ID`",
            NOUNS.join(", ")
        ));
    }
    let mut command = KindItemArgs::command().bin_name(format!("lode new {noun}"));
    arguments::explain(&mut command, error).map_or_else(|| error.exit(), Fault::usage)
}

fn finish(plan: &Plan, dry_run: bool, out: &mut dyn Write) -> Result<(), Fault> {
    plan.check()?;
    if dry_run { plan.show(out) } else { plan.write(out) }
}

/// Writes a new card and prints where it starts.
fn finish_card(plan: &Plan, kind: &str, id: &str, dry_run: bool, out: &mut dyn Write) -> Result<(), Fault> {
    let game = plan.check()?;
    if dry_run {
        return plan.show(out);
    }
    plan.write(out)?;
    content::start_note(game.declarations(), kind, id).map_or(Ok(()), |line| Ok(writeln!(out, "{line}")?))
}

/// Starts a plan for an existing game without errors, or for the last mod over it.
fn begin(global: &GlobalArgs, name: &str) -> Result<(Plan, Game), Fault> {
    let (project, id) = Project::locate(global, name)?;
    if global.mods.is_empty() {
        project.folder("new")?;
    }
    let game = project.load(&id)?;
    let plan = match global.mods.last() {
        Some(folder) if folder.is_dir() => Plan::of_mod(folder, project, &id),
        Some(zip) => {
            let shown = hidden::path(zip);
            return Err(Fault::usage(format!(
                "cannot edit the zip `{shown}`: unpack it and give its folder with --mod"
            )));
        }
        None => {
            let pack = project.pack(&id)?;
            Plan::new(project.folder("new")?, pack)
        }
    };
    Ok((plan, game))
}

/// The error for an id that exists.
fn taken(noun: &str, id: &str) -> Fault {
    Fault::usage(format!("there is already a {noun} `{id}`: choose another id"))
}

/// Rejects an invalid or reserved name.
fn check_id(noun: &str, id: &str) -> Result<(), Fault> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !id.starts_with(|c: char| c.is_ascii_lowercase()) || !id.chars().all(plain) {
        return Err(Fault::usage(format!(
            "`{id}` is not in snake_case: use lower-case letters, digits and underscores, with a letter first"
        )));
    }
    let used_as = match noun {
        "game" | "mod" => NameUse::Folder,
        "kind" => NameUse::Type,
        _ => NameUse::Plain,
    };
    let device = || (used_as != NameUse::Plain && is_device(id)).then(|| "names a device on Windows".to_owned());
    match reserved(id, used_as).or_else(device) {
        None => Ok(()),
        Some(why) => {
            Err(Fault::usage(format!("a {noun} cannot have the name `{id}`, which {why}: choose another name")))
        }
    }
}

/// `rock_cutter` as a printed name: `Rock cutter`.
fn label(id: &str) -> String {
    let mut label = id.replace('_', " ");
    if let Some(first) = label.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    label
}

/// A counter of players, for examples.
fn some_counter(d: &Declarations) -> &str {
    let of_player =
        |(_, counter): &(&String, &motherlode::declare::Counter)| counter.per == motherlode::declare::Holder::Player;
    d.counters.iter().find(of_player).map_or("coins", |(name, _)| name.as_str())
}
