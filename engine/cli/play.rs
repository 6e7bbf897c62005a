//! `lode play`: plays a match in the terminal.
//!
//! Direction: self, pick, transcript <- session <- person

mod person;
mod pick;
mod session;
mod transcript;

use std::io::Write;
use std::path::{Path, PathBuf};

use motherlode::tools::hidden;
use motherlode::{Game, Match, Replay, ReplayError};

use crate::balance::expand_seats;
use crate::divergence::Divergence;
use crate::fault::Fault;
use crate::output::Output;
use crate::paint;
use crate::project::{self, GlobalArgs, Project};
use crate::seats::Seats;
use crate::setup::{SetupArgs, describe, fresh_seed};

/// Text below the options in `lode play --help`.
const AFTER_HELP: &str = "\
A running match keeps the rules it began with, even if you edit the game. `lode table` follows edits.
--resume replays the saved answers under the current rules. If the match would differ, --resume fails and leaves the file unchanged.";

/// Play a match in the terminal, or watch bots play
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Id of a game or its folder; optional with --resume
    #[arg(required_unless_present = "resume")]
    game: Option<String>,
    #[command(flatten)]
    setup: SetupArgs,
    /// Player of each seat: human, or a bot as for --bots of `lode sim`; missing seats are random [default: human; with --resume
    /// the players of the saved match]
    #[arg(long, value_name = "SEAT,SEAT,...")]
    seats: Option<String>,
    /// Save the match to this file after each answer
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Continue the match in this file, and save it there unless --save names another file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "seed", "options"])]
    resume: Option<PathBuf>,
    /// Overwrite an existing --save file
    #[arg(long, requires = "save")]
    force: bool,
}

/// Plays a match.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    if let Some(file) = &args.save
        && file.exists()
        && !args.force
        && args.resume.as_ref() != Some(file)
    {
        return Err(Fault::usage(format!(
            "`{}` exists: overwrite it with --force, or continue it with --resume",
            hidden::path(file)
        )));
    }
    if let Some(file) = &args.save {
        Output::new(file, true)?;
    }
    let (game, replay) = start(args, global)?;
    let setup = match &replay {
        Some(replay) => replay.setup.clone(),
        None => args.setup.setup(&game, fresh_seed())?,
    };
    let kept = replay.as_ref().map(|replay| replay.seats.join(",")).filter(|seats| !seats.is_empty());
    let seats = args.seats.clone().or(kept).unwrap_or_else(|| "human".to_owned());
    let seats = Seats::new(&expand_seats(global, &game, &seats)?, "human", &game, &setup)?;
    let played = Match::with_transcript(&game, &setup)?;
    let file = args.save.clone().or_else(|| args.resume.clone());
    writeln!(out, "{}", describe(&game, &setup))?;
    if replay.is_none() {
        let faint = paint::faint();
        for line in paint::wrapped(&game.declarations().text, paint::width()) {
            writeln!(out, "{faint}{line}{faint:#}")?;
        }
    }
    let mut session = session::Session::new(&game, played, seats, file);
    if let Some(replay) = &replay {
        session.catch_up(replay)?;
        let changed = replay.fingerprint != game.fingerprint();
        let about = if changed { "; the content has changed, but the match so far is the same" } else { "" };
        writeln!(out, "resumed after {}{about}", paint::plural(replay.answers.len(), "answer"))?;
        writeln!(out, "players: {}", session.seats().names().join(", "))?;
    }
    let stdin = std::io::stdin();
    let mut input = stdin.lock();
    session.play(&mut input, out)
}

/// The game, and the match to resume.
fn start(args: &Args, global: &GlobalArgs) -> Result<(Game, Option<Replay>), Fault> {
    let Some(file) = &args.resume else {
        return Ok((project::game(global, args.game.as_deref().unwrap_or_default())?, None));
    };
    let replay = load(file)?;
    let game = match &args.game {
        Some(name) => project::game(global, name)?,
        None => Project::find(global)?.load_named(&replay.game)?,
    };
    if game.declarations().id != replay.game {
        let (shown, other) = (hidden::path(file), &game.declarations().id);
        return Err(Fault::usage(format!(
            "`{shown}` is a match of `{}`, not of `{other}`: leave out the game",
            replay.game
        )));
    }
    replay.verify(&game).map_err(|error| {
        let why = Divergence::of(&error, &replay, &game).map_or_else(
            || error.to_string(),
            |found| format!("{}; {}", found.sentence(), advice(&found, "resume", args.game.as_deref(), (file, global))),
        );
        Fault::failed(format!("`{}` cannot be resumed: {why}", hidden::path(file)))
    })?;
    Ok((game, Some(replay)))
}

/// Advice for a match that diverges: revert the edit to reach the goal, or view the part before the divergence.
pub fn advice(divergence: &Divergence, goal: &str, game: Option<&str>, (file, global): (&Path, &GlobalArgs)) -> String {
    let back = format!("revert the edit to {goal} it");
    if divergence.answers == 0 || !cfg!(feature = "table") {
        return back;
    }
    let game = game.map_or_else(String::new, |game| format!(" {game}"));
    let (shown, more) = (hidden::path(file), global.as_flags());
    format!("{back}, or view the part before with `lode table{game} --replay {shown}{more}`")
}

/// Reads a recorded match.
pub fn load(file: &Path) -> Result<Replay, Fault> {
    if !file.is_file() {
        let shown = hidden::path(file);
        return Err(Fault::usage(match file.exists() {
            true => format!("cannot read `{shown}`: it is not a regular file"),
            false => format!("there is no file `{shown}`"),
        }));
    }
    Replay::load(file).map_err(|error| {
        let shown = hidden::path(file);
        let ReplayError::Malformed(why) = &error else { return Fault::failed(format!("`{shown}`: {error}")) };
        let is_sheet = file.extension().is_some_and(|ending| ending == "xlsx" || ending == "csv");
        let (why, advice) = match is_sheet {
            true => (String::new(), "; import cards with `lode cards import GAME FILE`"),
            false => (format!(" ({why})"), ""),
        };
        let fix = "name a file that `lode play GAME --save FILE` or `lode report` wrote";
        Fault::failed(format!("`{shown}` is not a recorded match{why}: {fix}{advice}"))
    })
}
