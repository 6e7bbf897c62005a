//! The command `lode`: checks, plays, simulates and replays games written in TOML and Luau.
//!
//! This file parses the arguments, runs the subcommand and turns a failure into an exit code. A subcommand writes its result to the
//! stream it is given, so that colour is decided in one place and a closed pipe does not panic.
//!
//! Each subcommand is a file of its name, with a folder beside it if it has parts. What several of them share:
//!
//! - `project`, `builtin`: where the games are; `setup`, `seats`: the arguments of those that play;
//! - `fault`: why a subcommand ended early, and its exit code; `report`: diagnostics and failed tests;
//! - `terminal`: the stream behind all of them. What a seat sees is drawn by `motherlode-table`, whose `paint` has colours, tables and plurals;
//! - `lab`: the arguments and figures of experiments; `progress`, `output`: how far a long run has come, and the file that it writes;
//!   `saved`: notices that files are saved;
//! - `perform`: plays an experiment at once, in a folder (`shards`, `manifest`) or in shares, and writes its `rows`;
//! - `balance`: plans and expectations of the games.
//!
//! Direction: departure, format, progress, terminal <- report <- fault <- builtin, manifest, output, reference, saved, setup, text_table <- project, rows,
//! shards <- balance <- lab <- perform <- arena, check, compare, effects, explain, exploit, expect, games, merge, new, page, rules,
//! schema, seats, sim, train <- test <- play, show, stdio <- replay, table, watch
#![forbid(unsafe_code)]

mod balance;
mod builtin;
mod departure;
mod fault;
mod format;
mod lab;
mod manifest;
mod output;
mod perform;
mod progress;
mod project;
mod report;
mod rows;
mod saved;
mod seats;
mod setup;
mod shards;
mod terminal;
mod text_table;

mod arena;
mod check;
mod compare;
mod effects;
mod expect;
mod explain;
mod exploit;
mod games;
mod merge;
mod new;
mod page;
mod play;
mod reference;
mod replay;
mod rules;
mod schema;
mod show;
mod sim;
mod stdio;
#[cfg(feature = "table")]
mod table;
mod test;
mod train;
mod watch;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use motherlode::tools::hidden;
use motherlode_table::paint;

use self::fault::Fault;

/// Printed below the options in `lode --help`.
const AFTER_HELP: &str = "\
GAME is the id of a game (see `lode games`) or a path to its folder, such as content/<id>.
Games are read from the folder given with --root, else from the current folder or the nearest one above it
that has content/ and scripts/. If there is none, the games built into the program are used;
`lode games --export DIR` writes them to a folder.
Mods are active only if named with --mod; they are ordered by what they require and load after.

Exit codes: 0 success, 1 the content or a match failed, 2 wrong usage.";

#[derive(Debug, Parser)]
#[command(name = "lode", version, about = "Plays, checks and simulates games written in TOML and Luau", after_help = AFTER_HELP, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    global: project::GlobalArgs,
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
    /// Make JSON Schemas and Luau types, with which editors complete and check the content
    Schema(schema::Args),
    /// Print every key, hook, call, verb and method of rule tests: the text of content/REFERENCE.md
    Reference(reference::Args),
    /// Print the numbered rules of a game
    Rules(rules::Args),
    /// Play in the terminal, or watch bots play
    Play(play::Args),
    /// Play in the browser: opens a table on this machine and prints the link to it
    #[cfg(feature = "table")]
    Table(table::Args),
    /// Let bots play many games, and summarise the results
    Sim(sim::Args),
    /// Let bots play against each other, and say which is better and what it costs
    Arena(arena::Args),
    /// Say what an edit or a mod changes: both versions played with the same seeds and bots
    Compare(compare::Args),
    /// Say what each card, action and role is worth, and which are dead, dominated or a must
    Effects(effects::Args),
    /// Put together the shares of a run that were played with --shard, or print a run that was kept, again
    Merge(merge::Args),
    /// Search simple plans ("prefer this, then that") that beat a bot
    Exploit(exploit::Args),
    /// Write a report of a game's balance: one file of HTML
    ///
    /// Each of the bots plays alone in all seats, from the weakest to the best; then all play together. The page judges by the last one.
    Report(page::Args),
    /// Learn what positions of a game are worth, by self-play, for the bots learned, look:B+learned and search:B+learned
    Train(train::Args),
    /// Show a recorded match, verify it, or show the position after a step
    Replay(replay::Args),
    /// Run the rule tests of a game, or of all games
    Test(test::Args),
    /// Show where a value comes from: the file and line in each layer that sets it
    Explain(explain::Args),
    /// Check, test and replay a game whenever one of its files is saved
    Watch(watch::Args),
    /// Play from another program: a line protocol in JSON
    #[command(long_about = stdio::HELP)]
    Stdio(stdio::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    quiet_check();
    let mut out = terminal::Terminal::new(anstream::stdout().lock());
    let result = run(&cli, &mut out);
    let result = result.and_then(|()| Ok(std::io::Write::flush(&mut out)?));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => fault.report(),
    }
}

/// Runs a subcommand.
fn run(cli: &Cli, out: &mut dyn std::io::Write) -> Result<(), Fault> {
    let global = &cli.global;
    match &cli.command {
        Command::Games(args) => games::run(args, global, out),
        Command::Check(args) => check::run(args, global, out),
        Command::New(args) => new::run(args, global, out),
        Command::Show(args) => show::run(args, global, out),
        Command::Schema(args) => schema::run(args, global, out),
        Command::Reference(args) => reference::run(args, out),
        Command::Rules(args) => rules::run(args, global, out),
        Command::Play(args) => play::run(args, global, out),
        #[cfg(feature = "table")]
        Command::Table(args) => table::run(args, global, out),
        Command::Sim(args) => sim::run(args, global, out),
        Command::Arena(args) => arena::run(args, global, out),
        Command::Compare(args) => compare::run(args, global, out),
        Command::Effects(args) => effects::run(args, global, out),
        Command::Exploit(args) => exploit::run(args, global, out),
        Command::Merge(args) => run(&merged(args, global)?, out),
        Command::Report(args) => page::run(args, global, out),
        Command::Train(args) => train::run(args, global, out),
        Command::Replay(args) => replay::run(args, global, out),
        Command::Test(args) => test::run(args, global, out),
        Command::Watch(args) => watch::run(args, global, out),
        Command::Explain(args) => explain::run(args, global, out),
        Command::Stdio(args) => stdio::run(args, global, out),
    }
}

/// The command whose shares are put together, with what is said about them.
fn merged(args: &merge::Args, global: &project::GlobalArgs) -> Result<Cli, Fault> {
    let merge = args.open()?;
    let words = std::iter::once("lode").chain(merge.manifest.arguments.iter().map(String::as_str));
    let strange = || Fault::failed(format!("`{}` is of no command that can be merged", hidden::path(&merge.folder)));
    let mut cli = Cli::try_parse_from(words).map_err(|_| strange())?;
    let project::GlobalArgs { root, mods } = global;
    cli.global.root = root.clone().or(cli.global.root);
    if !mods.is_empty() {
        cli.global.mods.clone_from(mods);
    }
    let (keep, format) = match &mut cli.command {
        Command::Sim(own) => (&mut own.keep, &mut own.format),
        Command::Arena(own) => (&mut own.keep, &mut own.format),
        Command::Compare(own) => {
            // Whoever merges has not asked for it.
            own.save = None;
            (&mut own.keep, &mut own.format)
        }
        Command::Effects(own) => (&mut own.keep, &mut own.format),
        _ => return Err(strange()),
    };
    *format = args.format;
    *keep = perform::KeepArgs::merging(merge);
    Ok(cli)
}

/// Keeps what panics in the check of scripts from being printed: it is reported as a fault of the script.
fn quiet_check() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name() != Some(motherlode_check::THREAD) {
            report(panic);
        }
    }));
}
