//! `lode train`: learns what positions are worth, by self-play.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use comfy_table::{Cell, CellAlignment};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use motherlode::tools::Draft;
use motherlode_play::{Iteration, Training, TrainingError};

use crate::fault::Fault;
use crate::project::GlobalArgs;
use crate::setup::{SetupArgs, describe};
use crate::{paint, project};

/// Arguments of `lode train`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder
    game: String,
    #[command(flatten)]
    setup: SetupArgs,
    /// Games of self-play in an iteration; twice as many at random before the first
    #[arg(short, long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// How often a value is fitted to the games so far; the next games are played with the best one
    #[arg(short, long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    iterations: u32,
    /// Games in which a new value meets the best one so far
    #[arg(long, value_name = "N", default_value_t = 90, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    matches: u64,
    /// Number of threads; the result does not depend on it [default: one per core]
    #[arg(short, long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Where to write what was learned
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite an existing --out file
    #[arg(long)]
    force: bool,
}

/// Trains and writes the file.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let game = project::game(global, &args.game)?;
    let setup = args.setup.setup(&game, 1)?;
    refuse(&args.out, args.force)?;
    let threads = args.threads.map_or(0, usize::from);
    let training = Training {
        games: args.games,
        iterations: args.iterations,
        matches: args.matches,
        threads,
        ..Training::new(&game, setup)
    };
    writeln!(out, "{}, {}", describe(&game, &training.setup), paint::plural(training.all_games(), "game"))?;
    out.flush()?;
    let bar = progress_bar(training.all_games());
    let trained = training.run(|progress| {
        bar.set_position(progress.done);
        bar.set_message(format!("iteration {} of {}", progress.iteration + 1, args.iterations));
    });
    bar.finish_and_clear();
    let trained = trained.map_err(|error| match error {
        TrainingError::Match(error) => Fault::from(error),
        error => Fault::failed(error.to_string()),
    })?;
    let shown = args.out.display();
    let wrong = |error: std::io::Error| Fault::failed(format!("cannot write `{shown}`: {error}"));
    let mut file = Draft::begin(&args.out).map_err(wrong)?;
    file.write_all(trained.text.as_bytes()).map_err(wrong)?;
    file.keep(args.force).map_err(wrong)?;
    report(out, &trained.iterations)?;
    writeln!(
        out,
        "wrote {shown} ({} KB); --bots and --seats take it as learned:{shown}",
        trained.text.len().div_ceil(1000)
    )?;
    Ok(())
}

/// Finds before the first game what would keep the file from being written after the last.
fn refuse(file: &Path, force: bool) -> Result<(), Fault> {
    let shown = file.display();
    if file.exists() && !force {
        return Err(Fault::usage(format!("`{shown}` exists; --force overwrites it")));
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(Fault::usage(format!("cannot write `{shown}`: there is no folder `{}`", folder.display())));
    }
    tempfile::tempfile_in(folder).map_err(|error| Fault::usage(format!("cannot write `{shown}`: {error}")))?;
    Ok(())
}

/// A progress bar on a terminal, nothing elsewhere.
fn progress_bar(games: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
    let template = "{wide_bar} {human_pos}/{human_len} games, {eta} left, {msg}";
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn report(out: &mut dyn Write, iterations: &[Iteration]) -> Result<(), Fault> {
    let mut table = paint::table();
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    table.set_header(["iteration", "positions", "loss", "against the best", ""].map(Cell::new));
    let best = iterations.iter().rposition(|iteration| iteration.is_best);
    for (index, iteration) in iterations.iter().enumerate() {
        let lead = if index == 0 { String::new() } else { format!("{:+.3}", iteration.lead) };
        table.add_row([
            right((index + 1).to_string()),
            right(iteration.rows.to_string()),
            right(format!("{:.4}", iteration.loss)),
            right(lead),
            Cell::new(if best == Some(index) { "kept" } else { "" }),
        ]);
    }
    writeln!(out, "{table}")?;
    Ok(())
}
