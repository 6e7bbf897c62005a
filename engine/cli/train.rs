//! `lode train`: learns the value of positions by self-play.
//!
//! Direction: league, schedule, verdict <- self

mod league;
mod schedule;
mod verdict;

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use comfy_table::Cell;
use motherlode::Game;
use motherlode::tools::hidden;
use motherlode_lab::{IterationSummary, League, TrainingSummary, ValueVerdict, VerdictRow};
use motherlode_play::{
    Failures, Horizon, Iteration, Limits, LocalPlayers, Pattern, Targets, Training, TrainingError, TrainingResult,
    Value,
};

use self::schedule::Schedule;
use crate::fault::Fault;
use crate::format::{self, Format};
use crate::lab::{HALT, LabProgress, STOP, check_failures};
use crate::number::whole_number;
use crate::output::Output;
use crate::paint::right;
use crate::project::GlobalArgs;
use crate::setup::{VariantArgs, describe_for};
use crate::{paint, project};

/// Learn a value function by self-play, for bots with +learned
///
/// The bots learned, look:B+learned and search:B+learned use the value.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder
    game: String,
    /// Numbers of players to train with, separated by commas [default: all competitive ones]
    #[arg(short, long, value_name = "N,N", value_delimiter = ',')]
    players: Vec<u8>,
    #[command(flatten)]
    variant: VariantArgs,
    /// Games of self-play per iteration; twice as many random games precede the first
    #[arg(short, long, value_name = "N", default_value_t = 300, value_parser = whole_number(1..=1_000_000_u64))]
    games: u64,
    /// Number of iterations; each fits a value to the games so far, and the best value plays the next games
    #[arg(short, long, value_name = "N", default_value_t = 6, value_parser = whole_number(1..=1000_u32))]
    iterations: u32,
    /// Extra iterations whose games are played by searches with the best value: better for search bots, about 5 times slower
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole_number(0..=1000_u32))]
    search_iterations: u32,
    /// Extra rounds of two iterations each: plans that beat the value join its games, until no plan beats it
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole_number(0..=20_u32))]
    league: u32,
    /// Play mixed strategies in simultaneous phases, in training and with the value; for games whose best choice depends on rivals' choices
    #[arg(long)]
    mixed: bool,
    /// Weight of the final result against the values of later positions, from 0 to 1; raise it if actions pay off late
    #[arg(long, value_name = "L", default_value_t = Targets::default().lambda, value_parser = share)]
    lambda: f64,
    /// Train on differences of value between the seats only; for games in which actions pay off late
    #[arg(long)]
    centred: bool,
    /// Games between a new value and the best one so far; between horizons of searches; and of the verdict, per rival (against search:100, about a quarter)
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = whole_number(1..=1_000_000_u64))]
    matches: u64,
    /// Number of threads; results do not depend on it [default: one per core]
    #[arg(short, long, value_name = "T", value_parser = whole_number(1..=1024_u16))]
    threads: Option<u16>,
    /// Learn a separate value for each number of players, one after the other; for games that change with that number
    #[arg(long)]
    apart: bool,
    /// Choices that no bot takes during training, named as in +never=
    #[arg(long, value_name = "A/B", value_delimiter = '/')]
    never: Vec<String>,
    /// Choices that every bot takes during training whenever they are legal, named as in +always=
    #[arg(long, value_name = "A/B", value_delimiter = '/')]
    always: Vec<String>,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite an existing --out file
    #[arg(long)]
    force: bool,
    /// Keep the values of an existing --out file for other numbers of players
    #[arg(long, conflicts_with = "force")]
    add: bool,
    /// Write the value even if it is not better than random play
    #[arg(long)]
    keep_bad: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Trains and writes the file; fails at the end if games were aborted. A stopped run writes the best value so far, unless that would
/// overwrite a file.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let game = project::game(global, &args.game)?;
    let setup = args.variant.setup(&game, args.players.first().copied(), 1)?;
    if let Some(twice) = args.players.iter().enumerate().find(|(at, one)| args.players[..*at].contains(one)) {
        return Err(Fault::usage(format!("--players names {} twice: name each number once", twice.1)));
    }
    let output = Output::new(&args.out, args.force || args.add)?;
    let older = if args.add { older(&game, &args.out)? } else { None };
    let threads = args.threads.map_or(0, usize::from);
    let mut training = Training {
        games: args.games,
        iterations: args.iterations,
        search_iterations: args.search_iterations,
        league: args.league,
        is_mixed: args.mixed,
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
    if args.league > 0 && (training.players.iter().all(|players| *players < 2) || game.declarations().outcome.shared) {
        return Err(Fault::usage("--league needs a competitive game for at least two players: leave it out"));
    }
    let groups: Vec<Vec<u8>> = if args.apart {
        training.players.iter().map(|one| vec![*one]).collect()
    } else {
        vec![training.players.clone()]
    };
    let mut hidden_text = io::sink();
    let told: &mut dyn Write = if args.format == Format::Json { &mut hidden_text } else { &mut *out };
    let trained = train_groups(&training, groups, told)?;
    let shown = hidden::path(&args.out);
    let is_part = trained.stopped || trained.fault.is_some();
    let verdict = ValueVerdict {
        game: &training.game,
        setup: &training.setup,
        players: ValueVerdict::ends(&training.players),
        games: args.matches,
        threads,
        halt: &STOP,
    };
    // A stopped training has no verdict: its user waits for the end.
    let (rows, mut failures) =
        if is_part { (Vec::new(), Failures::default()) } else { judge(&verdict, &trained.text, &args.out)? };
    let stopped = trained.stopped || STOP.load(Ordering::SeqCst);
    if (is_part || stopped) && args.out.exists() {
        return Err(unchanged(&shown));
    }
    verdict::print(told, &rows)?;
    let faults = rows.iter().filter(|row| row.is_fault());
    let bad = faults.map(|row| paint::plural(row.players, "player")).collect::<Vec<_>>().join(" and ");
    let is_written = bad.is_empty() || args.keep_bad;
    if is_written {
        let text = with_older(&game, &trained.text, older)?;
        output.write_text(&text)?;
        let size = text.len().div_ceil(1000);
        writeln!(told, "wrote {shown} ({size} KB); use it with --bots or --seats as learned:{shown}")?;
        tell_parts(told, &game, &text)?;
    }
    if args.format == Format::Json {
        format::json(out, &summary(&trained, &rows, is_written, stopped))?;
    }
    failures.append(&trained.failures);
    check_failures(&failures, trained.games + rows.iter().map(|row| row.games).sum::<u64>())?;
    if let Some(fault) = trained.fault {
        return Err(fault);
    }
    if !is_written {
        return Err(Fault::failed(format!(
            "the value is not better than random play with {bad}, so `{shown}` is not written: use more --games \
             or --iterations, or more --matches for a narrower interval, or write it anyway with --keep-bad"
        )));
    }
    if stopped { Err(Fault::failed(STOPPED)) } else { Ok(()) }
}

const STOPPED: &str = "stopped before the end: the file has the best value so far, without a verdict";

fn unchanged(shown: &impl std::fmt::Display) -> Fault {
    Fault::failed(format!(
        "stopped before the end: `{shown}` is unchanged, and what was learned is lost; with another --out file, a \
         stopped training keeps its best value"
    ))
}

/// Names the values of a file that has several.
fn tell_parts(out: &mut dyn Write, game: &Game, text: &str) -> Result<(), Fault> {
    let value = Value::read(game, text).map_err(|error| Fault::failed(error.to_string()))?;
    let numbers = |players: &[u8]| players.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
    let parts: Vec<String> = value.origins().map(|origin| numbers(&origin.players)).collect();
    if parts.len() > 1 {
        writeln!(out, "it has values for {} players; the first with a number counts", parts.join(" players, for "))?;
    }
    Ok(())
}

/// Values for all numbers of players.
struct Trained {
    text: String,
    games: u64,
    failures: Failures,
    iterations: Vec<Vec<Iteration>>,
    stopped: bool,
    /// The error that ended the training after the first value.
    fault: Option<Fault>,
}

/// Learns a value for each group of numbers of players.
fn train_groups(training: &Training, groups: Vec<Vec<u8>>, out: &mut dyn Write) -> Result<Trained, Fault> {
    let mut all = Trained {
        text: String::new(),
        games: 0,
        failures: Failures::default(),
        iterations: Vec::new(),
        stopped: false,
        fault: None,
    };
    for players in groups {
        let trained = match train(Training { players, ..training.clone() }, out) {
            Ok(trained) => trained,
            // Keep the values learned before.
            Err(error) if !all.text.is_empty() => {
                all.fault = Some(error);
                break;
            }
            Err(error) => return Err(error),
        };
        all.text += &trained.text;
        all.games += trained.origin.games;
        all.failures.append(&trained.failures);
        all.iterations.push(trained.iterations);
        all.stopped = trained.stopped;
        if all.stopped {
            break;
        }
    }
    Ok(all)
}

/// Plays the matches of a new value; `out` is the file that it would replace.
fn judge(verdict: &ValueVerdict, text: &str, out: &Path) -> Result<(Vec<VerdictRow>, Failures), Fault> {
    let old = std::fs::read_to_string(out).ok();
    let ends = verdict.stages(old.as_deref());
    let mut bar = LabProgress::new(ends.last().copied().unwrap_or(0), "blocks");
    bar.set_stages(ends);
    let judged = verdict.play(text, old.as_deref(), |done| bar.done(done));
    bar.finish();
    judged.map_err(|error| Fault::failed(error.to_string()))
}

/// The training as data.
fn summary<'r>(trained: &Trained, verdict: &'r [VerdictRow], is_written: bool, stopped: bool) -> TrainingSummary<'r> {
    let of_value = |value: &Vec<Iteration>| value.iter().map(IterationSummary::from).collect();
    TrainingSummary {
        games: trained.games,
        iterations: trained.iterations.iter().map(of_value).collect(),
        verdict,
        written: is_written,
        stopped,
    }
}

/// The text of the file to which a value is added; `None` if there is none yet.
fn older(game: &Game, file: &Path) -> Result<Option<String>, Fault> {
    if !file.exists() {
        return Ok(None);
    }
    Value::open_with_text(game, file).map(|(_, text)| Some(text)).map_err(Fault::usage)
}

/// A value with those of an older text for other numbers of players.
fn with_older(game: &Game, text: &str, older: Option<String>) -> Result<String, Fault> {
    let joined = older.map_or_else(|| Ok(text.to_owned()), |older| Value::join(game, text, &older));
    joined.map_err(|error| Fault::failed(error.to_string()))
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "use a number from 0 to 1".to_owned())
}

/// The limits on all bots; `None` if there are none.
fn limits(game: &Game, args: &Args) -> Result<Option<Arc<Limits>>, Fault> {
    let patterns = |option: &str, names: &[String]| {
        Pattern::all(game, names).map_err(|error| Fault::usage(format!("{option}: {error}")))
    };
    let limits = Limits { never: patterns("--never", &args.never)?, always: patterns("--always", &args.always)? };
    if let Some(both) = Pattern::both(&limits.never, &limits.always) {
        return Err(Fault::usage(format!("--never and --always both name `{both}`: remove it from one of them")));
    }
    Ok((limits != Limits::default()).then(|| Arc::new(limits)))
}

/// Learns one value.
fn train(training: Training, out: &mut dyn Write) -> Result<TrainingResult, Fault> {
    let games = paint::plural(training.all_games(), "game");
    writeln!(out, "{}, up to {games}", describe_for(&training.game, &training.players, &training.setup))?;
    if training.search_iterations > 0 {
        writeln!(
            out,
            "searches play the last {} games, about 5 times slower",
            training.games * u64::from(training.search_iterations)
        )?;
    }
    out.flush()?;
    let mut league = League::new(&training, &STOP)?;
    let schedule = RefCell::new(Schedule::new(&training, league.most_games()));
    let mut played = 0;
    let trained = training.run_against(
        |progress| {
            played = progress.done;
            schedule.borrow_mut().train(progress, training.all_iterations())
        },
        |text| league.find(text, |done, ends| schedule.borrow_mut().search(done, ends)),
        &mut LocalPlayers,
    );
    schedule.into_inner().finish();
    let trained = trained.map_err(|error| match error {
        TrainingError::Match(error) => Fault::from(error),
        error => Fault::failed(error.to_string()),
    })?;
    if trained.stopped {
        writeln!(out, "stopped after {played} of {games}")?;
    }
    report(out, &trained.iterations)?;
    league::print(out, &league)?;
    let playouts = match trained.horizon {
        Horizon::Turn => "end their playouts at a later turn and evaluate the position",
        Horizon::End => "play to the end and use the value only at their start",
    };
    writeln!(out, "searches with this value {playouts}")?;
    Ok(trained)
}

fn report(out: &mut dyn Write, iterations: &[Iteration]) -> Result<(), Fault> {
    let mut table = paint::table();
    table.set_header(["iteration", "positions", "loss", "against best", ""].map(Cell::new));
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
