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
//! Direction: departure, format, progress, terminal <- report <- fault <- builtin, manifest, output, saved, setup, text_table <- project, rows,
//! shards <- balance <- lab <- perform <- * <- test <- play, show, stdio <- replay, table, watch
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

/// Makes the subcommands of a list, in the order of `lode --help`. The file of each has its help and its arguments, `Args`, and runs it: `run`.
/// `kept`: its runs can be merged; its `Args::kept` yields what `lode merge` sets.
macro_rules! subcommands {
    ($($(#[$attribute:meta])* $name:ident($file:ident) $($kept:ident)? $(=> $run:ident)?;)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($(#[$attribute])* $name($file::Args),)*
        }

        impl Command {
            fn run(&self, global: &project::GlobalArgs, out: &mut dyn std::io::Write) -> Result<(), Fault> {
                match self {
                    $($(#[$attribute])* Self::$name(args) => subcommands!(@run $file $($run)?)(args, global, out),)*
                }
            }

            /// The arguments that `lode merge` sets; `None`: runs of the subcommand cannot be merged.
            fn kept(&mut self) -> Option<(&mut perform::KeepArgs, &mut format::Format)> {
                match self {
                    $($(Self::$name(args) => Some(args.$kept()),)?)*
                    _ => None,
                }
            }
        }
    };
    (@run $file:ident) => { $file::run };
    (@run $file:ident $run:ident) => { $run };
}

subcommands! {
    Games(games);
    Check(check);
    New(new);
    Show(show);
    Schema(schema);
    Reference(reference);
    Rules(rules);
    Play(play);
    #[cfg(feature = "table")]
    Table(table);
    Sim(sim) kept;
    Arena(arena) kept;
    Compare(compare) kept;
    Effects(effects) kept;
    Merge(merge) => run_merged;
    Exploit(exploit);
    Report(page);
    Train(train);
    Replay(replay);
    Test(test);
    Explain(explain);
    Watch(watch);
    Stdio(stdio);
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    quiet_check();
    let mut out = terminal::Terminal::new(anstream::stdout().lock());
    let result = cli.command.run(&cli.global, &mut out);
    let result = result.and_then(|()| Ok(std::io::Write::flush(&mut out)?));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => fault.report(),
    }
}

/// Runs the command whose shares are put together.
fn run_merged(args: &merge::Args, global: &project::GlobalArgs, out: &mut dyn std::io::Write) -> Result<(), Fault> {
    let Cli { global, command } = merged(args, global)?;
    command.run(&global, out)
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
    let (keep, format) = cli.command.kept().ok_or_else(strange)?;
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
