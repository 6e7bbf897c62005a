//! The command `lode`: checks, plays, simulates and replays games written in TOML and Luau.
//!
//! This file parses the arguments, runs the subcommand and turns a failure into an exit code. Each subcommand writes to the stream it
//! is given, so that one place decides about colour and a closed pipe does not panic.
//!
//! Each subcommand has a file of its name (`lode report`: `page`), and a folder beside it if it has parts. Shared modules:
//!
//! - `project`, `builtin`: find the games; `setup`, `seats`: arguments of the subcommands that play;
//! - `arguments`: messages for wrong arguments; `number`: parser of whole numbers;
//! - `fault`: errors and their exit codes; `report`: prints diagnostics and failed tests;
//! - `terminal`: the output stream; `unread`: one whose reader may leave;
//! - `motherlode-table` draws what a seat sees; its `paint` has colours, tables and plurals;
//! - `lab`: arguments and number formats of experiments; `progress`: progress of long runs; `output`: output files; `saved`: watches files;
//! - `perform`: plays an experiment at once, in a folder (`shards`, `manifest`) or in shares, and writes its `rows`;
//! - `balance`: plans and expectations of the games.
//!
//! Direction: arguments, divergence, format, number, progress, terminal, unread <- report <- fault <- builtin, manifest, output, saved, setup,
//! text_table <- project, rows, shards <- balance, revision <- lab <- perform <- * <- test <- cards, play, stdio <- explain <- show <- replay, table,
//! watch
#![allow(rustdoc::invalid_html_tags, reason = "help texts are plain text")]
#![forbid(unsafe_code)]

mod actions;
mod arguments;
mod balance;
mod builtin;
mod divergence;
mod fault;
mod format;
mod lab;
mod manifest;
mod number;
mod output;
mod perform;
mod progress;
mod project;
mod report;
mod revision;
mod rows;
mod saved;
mod seats;
mod setup;
mod shards;
mod terminal;
mod text_table;
mod unread;

mod arena;
mod bots;
mod cards;
mod check;
mod compare;
mod effects;
mod expect;
mod explain;
mod exploit;
mod games;
mod lsp;
mod merge;
mod new;
mod page;
mod play;
mod print;
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

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use motherlode::tools::hidden;
use motherlode_table::paint;

use self::fault::Fault;

/// Text below the options in `lode --help`.
const AFTER_HELP: &str = "\
`lode COMMAND --help` explains a command.
GAME is the id of a game (see `lode games`) or the path of its folder, such as content/<id>.
lode reads the games from the folder given with --root. Without --root it uses the nearest folder with content/ and scripts/,
from the current folder upwards. If there is none, it uses the games built into the program;
`lode games --export DIR` writes those to a folder.
A mod is active only if --mod names it. Its `requires` and `load_after` set the order in which mods load.

Exit codes: 0 success, 1 the content or a match failed, 2 wrong usage, 3 undecided: --balance or --until needs more games.";

#[derive(Debug, Parser)]
#[command(name = "lode", bin_name = "lode", version, about = "Plays, checks and simulates games written in TOML and Luau", after_help = AFTER_HELP, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    global: project::GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

/// Declares the subcommands, in the groups and the order of `lode --help`. The module of each has its arguments, `Args`, and its `run`.
/// `keep_args` marks a subcommand whose runs `lode merge` can merge.
macro_rules! subcommands {
    ($($heading:literal { $($(#[$attribute:meta])* $name:ident($file:ident) $($keep_args:ident)? $(=> $run:ident)?;)* })*) => {
        /// The headings of `lode --help`, each with its subcommands.
        const GROUPS: &[(&str, &[&str])] = &[$(($heading, &[$(stringify!($name)),*])),*];

        #[derive(Debug, Subcommand)]
        enum Command {
            $($($(#[$attribute])* $name($file::Args),)*)*
        }

        impl Command {
            fn run(&self, global: &project::GlobalArgs, out: &mut dyn std::io::Write) -> Result<(), Fault> {
                match self {
                    $($($(#[$attribute])* Self::$name(args) => subcommands!(@run $file $($run)?)(args, global, out),)*)*
                }
            }

            /// The arguments that `lode merge` sets; `None` if runs of the subcommand cannot be merged.
            fn keep_args(&mut self) -> Option<(&mut perform::KeepArgs, &mut format::Format)> {
                match self {
                    $($($(Self::$name(args) => Some(args.$keep_args()),)?)*)*
                    _ => None,
                }
            }
        }
    };
    (@run $file:ident) => { $file::run };
    (@run $file:ident $run:ident) => { $run };
}

subcommands! {
    "Design" {
        New(new);
        Check(check);
        Test(test);
        Watch(watch);
        Show(show);
        Cards(cards);
        Print(print);
        Explain(explain);
        Rules(rules);
    }
    "Play" {
        Play(play);
        #[cfg(feature = "table")]
        Table(table);
        Replay(replay);
    }
    "Measure" {
        Sim(sim) keep_args;
        Arena(arena) keep_args;
        Compare(compare) keep_args;
        Effects(effects) keep_args;
        Exploit(exploit);
        Report(page);
        Train(train);
        Merge(merge) => run_merge;
    }
    "Tools" {
        Games(games);
        Bots(bots);
        Actions(actions);
        Schema(schema);
        Lsp(lsp);
        Reference(reference);
        Stdio(stdio);
    }
}

fn main() -> ExitCode {
    let mut command = grouped_command();
    let matches = command.try_get_matches_from_mut(std::env::args_os());
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => match arguments::explain(&mut command, &error) {
            Some(message) => return Fault::usage(message).report(),
            None => error.exit(),
        },
    };
    silence_script_check_panics();
    // Not locked: the language server writes from a thread of its own.
    let mut out = terminal::Terminal::new(anstream::stdout());
    let result = cli.command.run(&cli.global, &mut out);
    let result = result.and_then(|()| Ok(std::io::Write::flush(&mut out)?));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => fault.report(),
    }
}

/// The command line of `lode`, with its subcommands in [`GROUPS`]: clap itself lists them under one heading.
fn grouped_command() -> clap::Command {
    let command = arguments::accept_negative_numbers(Cli::command());
    let (header, literal) = (*command.get_styles().get_header(), *command.get_styles().get_literal());
    let mut groups = String::new();
    for (heading, names) in GROUPS {
        groups += &format!("{header}{heading}:{header:#}\n");
        for subcommand in names.iter().filter_map(|name| command.find_subcommand(name.to_lowercase())) {
            let about = subcommand.get_about().map(ToString::to_string).unwrap_or_default();
            groups += &format!("  {literal}{:<9}{literal:#}  {about}\n", subcommand.get_name());
        }
        groups.push('\n');
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{header}Options:{header:#}\n{{options}}{{after-help}}"
    ))
}

/// Reports on a run that was played in shares: runs the command that played it, with the folder of the shares.
fn run_merge(args: &merge::Args, global: &project::GlobalArgs, out: &mut dyn std::io::Write) -> Result<(), Fault> {
    let Cli { global, command } = merge_command(args, global)?;
    command.run(&global, out)
}

/// The command that played the shares, set to merge them.
fn merge_command(args: &merge::Args, global: &project::GlobalArgs) -> Result<Cli, Fault> {
    let merge = args.open()?;
    let words = std::iter::once("lode").chain(merge.manifest.arguments.iter().map(String::as_str));
    let strange = || {
        Fault::failed(format!("`{}` was not written by a command that supports merging", hidden::path(&merge.folder)))
    };
    let mut cli = Cli::try_parse_from(words).map_err(|_| strange())?;
    let project::GlobalArgs { root, mods, no_native } = global;
    cli.global.root = root.clone().or(cli.global.root);
    if !mods.is_empty() {
        cli.global.mods.clone_from(mods);
    }
    cli.global.no_native |= no_native;
    let (keep, format) = cli.command.keep_args().ok_or_else(strange)?;
    *format = args.format;
    *keep = perform::KeepArgs::merging(merge);
    Ok(cli)
}

/// Suppresses the panic messages of the script check, which reports a panic as an error of the script.
fn silence_script_check_panics() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name() != Some(motherlode_check::THREAD) {
            report(panic);
        }
    }));
}
