//! `lode train`: learns what positions are worth, by self-play.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use comfy_table::Cell;
use motherlode::Game;
use motherlode::tools::hidden;
use motherlode_play::{Failures, Horizon, Iteration, Limits, Pattern, Targets, Trained, Training, TrainingError};

use crate::fault::Fault;
use crate::lab::{HALT, Steps, sound};
use crate::output::Output;
use crate::paint::right;
use crate::project::GlobalArgs;
use crate::setup::{VariantArgs, describe_for};
use crate::{paint, project};

/// Learn what positions of a game are worth, by self-play, for the bots learned, look:B+learned and search:B+learned
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder
    game: String,
    /// Numbers of players, separated by commas: any of them sit down to a game [default: all that play against each other]
    #[arg(short, long, value_name = "N,N", value_delimiter = ',')]
    players: Vec<u8>,
    #[command(flatten)]
    variant: VariantArgs,
    /// Games of self-play in an iteration; twice as many at random before the first
    #[arg(short, long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// How often a value is fitted to the games so far; the next games are played with the best one
    #[arg(short, long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1000))]
    iterations: u32,
    /// Further iterations, whose games are played by searches with the best value so far: better for searches, but some five times slower
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1000))]
    search_iterations: u32,
    /// How much the result of a game counts, rather than what the value thinks of the positions that follow, from 0 to 1: higher where things pay late
    #[arg(long, value_name = "L", default_value_t = Targets::default().lambda, value_parser = share)]
    lambda: f64,
    /// Of what the value thinks, count only the differences between the seats: for games in which things pay late
    #[arg(long)]
    centred: bool,
    /// Games in which a new value meets the best one so far, and in which searches find out where best to end their playouts
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    matches: u64,
    /// Number of threads; the result does not depend on it [default: one per core]
    #[arg(short, long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Learn a value of its own for each number of players, one after the other; most of all where they are other games with other numbers of players
    #[arg(long)]
    apart: bool,
    /// Choices that nobody takes in its games, named as in `+never=`: for a value that knows how to do without them
    #[arg(long, value_name = "A/B", value_delimiter = '/')]
    never: Vec<String>,
    /// Choices that everybody takes in its games wherever they are offered, named as in `+always=`: for a value that knows what bots seldom try
    #[arg(long, value_name = "A/B", value_delimiter = '/')]
    always: Vec<String>,
    /// Where to write what was learned
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite an existing --out file
    #[arg(long)]
    force: bool,
}

/// Trains and writes the file. Aborted games make the run fail at the end. What was learned up to a stop is written unless it would
/// overwrite a file.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let game = project::game(global, &args.game)?;
    let setup = args.variant.setup(&game, args.players.first().copied(), 1)?;
    if let Some(twice) = args.players.iter().enumerate().find(|(at, one)| args.players[..*at].contains(one)) {
        return Err(Fault::usage(format!("--players names {} twice", twice.1)));
    }
    let output = Output::new(&args.out, args.force)?;
    let threads = args.threads.map_or(0, usize::from);
    let mut training = Training {
        games: args.games,
        iterations: args.iterations,
        search_iterations: args.search_iterations,
        targets: Targets { lambda: args.lambda, is_centred: args.centred },
        matches: args.matches,
        searches: args.matches,
        limits: limits(&game, args)?,
        threads,
        ..Training::new(&game.halted_by(&HALT), setup)
    };
    if !args.players.is_empty() {
        training.players.clone_from(&args.players);
    }
    let kinds: Vec<Vec<u8>> = if args.apart {
        training.players.iter().map(|one| vec![*one]).collect()
    } else {
        vec![training.players.clone()]
    };
    let mut text = String::new();
    let (mut games, mut failures, mut stopped) = (0, Failures::default(), false);
    let mut fault = None;
    for players in kinds {
        let trained = match train(Training { players, ..training.clone() }, out) {
            Ok(trained) => trained,
            // Those before it are not lost.
            Err(error) if !text.is_empty() => {
                fault = Some(error);
                break;
            }
            Err(error) => return Err(error),
        };
        text += &trained.text;
        games += trained.origin.games;
        failures.append(&trained.failures);
        stopped = trained.stopped;
        if stopped {
            break;
        }
    }
    let shown = hidden::path(&args.out);
    let is_part = stopped || fault.is_some();
    if is_part && args.out.exists() {
        return Err(Fault::failed(format!("stopped before the end: `{shown}` is left as it was")));
    }
    output.write_text(&text)?;
    writeln!(out, "wrote {shown} ({} KB); --bots and --seats take it as learned:{shown}", text.len().div_ceil(1000))?;
    sound(&failures, games)?;
    if let Some(fault) = fault {
        return Err(fault);
    }
    if stopped { Err(Fault::failed("stopped before the end: the value is the best one up to there")) } else { Ok(()) }
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "a number from 0 to 1 is expected".to_owned())
}

/// What everybody keeps to; `None`: there is no such thing.
fn limits(game: &Game, args: &Args) -> Result<Option<Arc<Limits>>, Fault> {
    let patterns = |option: &str, names: &[String]| {
        Pattern::all(game, names).map_err(|error| Fault::usage(format!("{option}: {error}")))
    };
    let limits = Limits { never: patterns("--never", &args.never)?, always: patterns("--always", &args.always)? };
    if let Some(both) = Pattern::both(&limits.never, &limits.always) {
        return Err(Fault::usage(format!("--never and --always both name `{both}`")));
    }
    Ok((limits != Limits::default()).then(|| Arc::new(limits)))
}

/// Learns one value.
fn train(training: Training, out: &mut dyn Write) -> Result<Trained, Fault> {
    let games = paint::plural(training.all_games(), "game");
    writeln!(out, "{}, up to {games}", describe_for(&training.game, &training.players, &training.setup))?;
    if training.search_iterations > 0 {
        writeln!(
            out,
            "the last {} are played by searches, which take some five times as long",
            training.games * u64::from(training.search_iterations)
        )?;
    }
    out.flush()?;
    let mut bar = Steps::new(training.all_games(), "games");
    let mut played = 0;
    let trained = training.run(|progress| {
        played = progress.done;
        bar.say(Some(format!("iteration {} of {}", progress.iteration + 1, training.all_iterations())));
        bar.done(progress.done)
    });
    bar.finish();
    let trained = trained.map_err(|error| match error {
        TrainingError::Match(error) => Fault::from(error),
        error => Fault::failed(error.to_string()),
    })?;
    if trained.stopped {
        writeln!(out, "stopped after {played} of {games}")?;
    }
    report(out, &trained.iterations)?;
    let playouts = match trained.horizon {
        Horizon::Turn => "end their playouts at a later turn and look the position up",
        Horizon::End => "play on to the end, and only begin with what it knows",
    };
    writeln!(out, "searches with this value {playouts}")?;
    Ok(trained)
}

fn report(out: &mut dyn Write, iterations: &[Iteration]) -> Result<(), Fault> {
    let mut table = paint::table();
    table.set_header(["iteration", "positions", "loss", "against the best", ""].map(Cell::new));
    let best = iterations.iter().rposition(|iteration| iteration.is_best);
    for (index, iteration) in iterations.iter().enumerate() {
        let lead = if index == 0 { String::new() } else { format!("{:+.3}", iteration.lead) };
        table.add_row([
            right(index + 1),
            right(iteration.rows),
            right(format!("{:.4}", iteration.loss)),
            right(lead),
            Cell::new(if best == Some(index) { "kept" } else { "" }),
        ]);
    }
    writeln!(out, "{table}")?;
    Ok(())
}
