//! The `lode` command: games in TOML and Luau, checked, played, simulated and replayed.
//!
//! One file a subcommand; this file parses the arguments and maps what went wrong to the exit code. Every subcommand
//! writes its result to the stream it is given, so that colour is decided in one place and a closed pipe is no panic.
#![forbid(unsafe_code)]

mod board;
mod check;
mod explain;
mod fault;
mod games;
mod new;
mod paint;
mod play;
mod project;
mod reference;
mod render;
mod replay;
mod report;
mod rules;
mod schema;
mod seats;
mod setup;
mod show;
mod sim;
mod stdio;
mod test;
mod watch;

use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

/// What stands below the options in `lode --help`.
const AFTER_HELP: &str = "\
GAME is the id of a game (see `lode games`) or a path to its folder, such as content/<id>.
Games are looked for in the folder given with --root, else in the current folder or the nearest one
above it that has content/ and scripts/, else in the folder the program was built from.
Mods are active only if they are named with --mod; their order is computed from what they say of one another.

Exit codes: 0 done, 1 the content or a match failed, 2 wrong usage.";

#[derive(Debug, Parser)]
#[command(name = "lode", version, about = "Plays, checks and simulates games written in TOML and Luau", after_help = AFTER_HELP, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    place: project::Place,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the games with their numbers of players and options
    Games(games::Args),
    /// Check the content of a game, or of all games
    Check(check::Args),
    /// Write the skeleton of a game, mod, kind, card, phase or verb
    New(new::Args),
    /// Show the decks of a game, or one card in full
    Show(show::Args),
    /// Make JSON Schemas and Luau types, so that editors complete and check the content
    Schema(schema::Args),
    /// Print every declaration, call, verb and method of tests, as content/REFERENCE.md has them
    Reference(reference::Args),
    /// Print the numbered rules of a game
    Rules(rules::Args),
    /// Play in the terminal, or watch bots play
    Play(play::Args),
    /// Play many games with bots and summarise them
    Sim(sim::Args),
    /// Show, verify or step into a recorded match
    Replay(replay::Args),
    /// Run the rule tests of a game, or of all games
    Test(test::Args),
    /// Tell where a value comes from: the file and line of every layer that sets it
    Explain(explain::Args),
    /// Check, test and play again whenever a file of a game is saved
    Watch(watch::Args),
    /// Be a seat from another program: a line protocol in JSON
    #[command(long_about = stdio::HELP)]
    Stdio(stdio::Args),
}

/// How a result is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let place = &cli.place;
    let mut out = anstream::stdout().lock();
    let done = match &cli.command {
        Command::Games(args) => games::run(args, place, &mut out),
        Command::Check(args) => check::run(args, place, &mut out),
        Command::New(args) => new::run(args, place, &mut out),
        Command::Show(args) => show::run(args, place, &mut out),
        Command::Schema(args) => schema::run(args, place, &mut out),
        Command::Reference(args) => reference::run(args, &mut out),
        Command::Rules(args) => rules::run(args, place, &mut out),
        Command::Play(args) => play::run(args, place, &mut out),
        Command::Sim(args) => sim::run(args, place, &mut out),
        Command::Replay(args) => replay::run(args, place, &mut out),
        Command::Test(args) => test::run(args, place, &mut out),
        Command::Watch(args) => watch::run(args, place, &mut out),
        Command::Explain(args) => explain::run(args, place, &mut out),
        Command::Stdio(args) => stdio::run(args, place, &mut out),
    };
    let done = done.and_then(|()| Ok(std::io::Write::flush(&mut out)?));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => fault.tell(),
    }
}
