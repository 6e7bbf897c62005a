//! What all experiments share: their arguments, how far they have come, and how figures are written.

use std::io::Write;
use std::ops::RangeInclusive;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use comfy_table::{Cell, ColumnConstraint, Table};
use motherlode::{Game, Setup};
use motherlode_lab::{Estimate, Series};
use motherlode_play::{Failures, Interval, RolloutCost};

use crate::balance::{bots_help, named};
use crate::fault::Fault;
use crate::paint::{self, percent, right};
use crate::progress::Progress;
use crate::project::GlobalArgs;
use crate::setup::SetupArgs;
use crate::text_table::GAP;

/// Numbers of blocks that an experiment takes: of one alone nothing can be said.
pub const BLOCKS: RangeInclusive<u64> = 2..=1_000_000_000;

/// Arguments of every experiment.
#[derive(Debug, Clone, clap::Args)]
pub struct LabArgs {
    /// Id of a game or its folder
    pub game: String,
    #[command(flatten)]
    pub setup: SetupArgs,
    #[arg(help = bots_help("Bots, which take turns in the seats"))]
    #[arg(short, long, value_name = "BOT,BOT,...", value_delimiter = ',', default_value = "random")]
    pub bots: Vec<String>,
    /// Number of threads; the results do not depend on it [default: one per core]
    #[arg(short, long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

impl LabArgs {
    /// Games of this one with these bots.
    pub fn series(&self, global: &GlobalArgs, game: &Game) -> Result<Series, Fault> {
        let setup = self.setup.setup(game, 1)?;
        let seed = setup.seed;
        let threads = self.threads.map_or(0, usize::from);
        let bots = named(global, game, self.bots.iter().map(|bot| bot.trim()))?;
        Ok(Series { game: (game.halted_by(&HALT), setup), other: None, bots, seed, threads, halt: Some(&STOP) })
    }
}

/// What these bots cost; where another bot would do, this is said at once.
pub fn cost_of(game: &Game, setup: &Setup, bots: &[String]) -> Option<RolloutCost> {
    advised(RolloutCost::of(game, setup, bots))
}

/// The same of a cost that is known.
pub fn advised(cost: Option<RolloutCost>) -> Option<RolloutCost> {
    if let Some(advice) = cost.and_then(RolloutCost::advice) {
        eprintln!("note: {advice}");
    }
    cost
}

/// What was found up to here has been printed, but not everything that was asked for was played.
pub fn ended(stopped: bool) -> Result<(), Fault> {
    if stopped {
        Err(Fault::failed("stopped before the end: the figures are those of what was played"))
    } else {
        Ok(())
    }
}

/// What was found up to here has been printed, but games were aborted, which means that a script has to be mended.
pub fn sound(failures: &Failures, games: u64) -> Result<(), Fault> {
    failures.told(games).map_or(Ok(()), |told| Err(Fault::failed(told)))
}

/// The same of forks of games.
pub fn sound_forks(failed: &Failures) -> Result<(), Fault> {
    match failed.aborted {
        0 => Ok(()),
        forks => Err(Fault::failed(format!("{} failed, {}", paint::plural(forks, "fork"), failed.first()))),
    }
}

/// How far an experiment has come. Ctrl-C, or a request to terminate, ends it after the games at hand; a second one ends the program.
pub struct Steps {
    progress: Progress,
    cost: Option<RolloutCost>,
}

const STOPS: &str = "(Ctrl-C: stop here)";

/// What comes within this time is the same request: programs that end others may ask twice at once.
const SAME: Duration = Duration::from_secs(1);

/// Set once somebody wants it to end.
pub static STOP: AtomicBool = AtomicBool::new(false);
/// Set a little later: games that have not ended by then are left out.
pub static HALT: AtomicBool = AtomicBool::new(false);
/// How much later.
const NEAR: Duration = Duration::from_secs(1);

impl Steps {
    /// Of so many games or blocks.
    pub fn new(all: u64, unit: &'static str) -> Self {
        Self::costing(all, unit, None)
    }

    /// The same by bots of this cost.
    pub fn costing(all: u64, unit: &'static str, cost: Option<RolloutCost>) -> Self {
        static HANDLER: Once = Once::new();
        HANDLER.call_once(|| {
            // Without a handler Ctrl-C ends the program as ever.
            let mut first = None;
            let _ = ctrlc::set_handler(move || {
                if !STOP.swap(true, Ordering::SeqCst) {
                    // A game that is near its end still counts.
                    thread::spawn(|| {
                        thread::sleep(NEAR);
                        HALT.store(true, Ordering::SeqCst);
                    });
                }
                if first.get_or_insert_with(Instant::now).elapsed() > SAME {
                    std::process::exit(130);
                }
            });
        });
        let mut progress = Progress::new(all, unit);
        if let Some(cost) = cost {
            progress.end_lines_with(&cost.to_string());
        }
        let steps = Self { progress, cost };
        steps.say(None);
        steps
    }

    /// What is worth knowing meanwhile.
    pub fn say(&self, remark: Option<String>) {
        let remarks: Vec<String> = remark.into_iter().chain(self.cost.map(|cost| cost.to_string())).collect();
        self.progress.say([&remarks.join(", "), STOPS].join(" "));
    }

    /// So many need not be played.
    pub fn begin_at(&mut self, done: u64) {
        self.progress.begin_at(done);
    }

    /// So many are done. Whether to go on.
    pub fn done(&mut self, done: u64) -> bool {
        self.progress.done(done);
        !STOP.load(Ordering::SeqCst)
    }

    /// The same where it turns out how many there are.
    pub fn done_of(&mut self, done: u64, all: u64) -> bool {
        self.progress.set_all(all);
        self.done(done)
    }

    /// All is done.
    pub fn finish(self) {
        self.progress.finish();
    }
}

/// `0.031`, or `< 0.001`.
pub fn likelihood(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// `31.2 to 35.9 %`.
pub fn percents(interval: Interval) -> String {
    format!("{:.1} to {:.1} %", interval.low * 100.0, interval.high * 100.0)
}

/// Least width that is left of the names in a table.
const LEAST_NAME: usize = 16;

/// Draws a table whose figures stay in one line each: where it is too wide, the names in its first column are broken, as long as something is left
/// of them.
pub fn draw(out: &mut dyn Write, mut table: Table) -> Result<(), Fault> {
    let widths = table.column_max_content_widths();
    let figures: usize = widths.iter().skip(1).map(|width| usize::from(*width) + GAP).sum();
    if figures + GAP + LEAST_NAME <= paint::width() {
        for column in table.column_iter_mut().skip(1) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    Ok(writeln!(out, "{table}")?)
}

/// A share and its interval in two cells.
pub fn share_cells(estimate: Option<Estimate>) -> [Cell; 2] {
    match estimate {
        Some(Estimate { value, interval, .. }) => [right(percent(value)), right(percents(interval))],
        None => [right("-"), right("")],
    }
}

/// A number and its interval in one cell.
pub fn number_cell(estimate: Option<Estimate>) -> Cell {
    right(estimate.map_or_else(|| "-".to_owned(), number))
}

/// `12.3 (11.9 to 12.8)`.
pub fn number(Estimate { value, interval, .. }: Estimate) -> String {
    format!("{value:.1} ({:.1} to {:.1})", interval.low, interval.high)
}

/// The setup with its options resolved for another version of the game.
pub fn setup_of(args: &SetupArgs, game: &Game, like: &Setup) -> Result<Setup, Fault> {
    let players = args.players.or(Some(like.players));
    game.setup(players, &args.variant.options, like.seed).map_err(|error| Fault::usage(error.to_string()))
}
