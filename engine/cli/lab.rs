//! What all experiments share: their arguments, how far they have come, and how figures are written.

use std::io::IsTerminal;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use comfy_table::{Cell, CellAlignment};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use motherlode::{Game, Setup};
use motherlode_lab::{Estimate, LabError, Series};
use motherlode_play::Interval;

use crate::fault::Fault;
use crate::setup::SetupArgs;

/// Arguments of every experiment.
#[derive(Debug, Clone, clap::Args)]
pub struct LabArgs {
    /// Id of a game or its folder
    pub game: String,
    #[command(flatten)]
    pub setup: SetupArgs,
    /// Bots, which take turns in the seats: random, first, rollout:N, flat:B, search:B, learned, search:B+learned, learned:FILE
    #[arg(short, long, value_name = "BOT,BOT,...", value_delimiter = ',', default_value = "random")]
    pub bots: Vec<String>,
    /// Number of threads; the results do not depend on it [default: one per core]
    #[arg(short, long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

impl LabArgs {
    /// Games of this one with these bots.
    pub fn series(&self, game: &Game) -> Result<Series, Fault> {
        let setup = self.setup.setup(game, 1)?;
        let seed = setup.seed;
        let threads = self.threads.map_or(0, usize::from);
        let bots = self.bots.iter().map(|bot| bot.trim().to_owned()).collect();
        Ok(Series { game: (game.clone(), setup), other: None, bots, seed, threads })
    }
}

/// Wrong usage or a failure.
pub fn fault(error: LabError) -> Fault {
    match error {
        LabError::Bot(_) | LabError::Bots(_) | LabError::Ladder(_) => Fault::usage(error.to_string()),
        _ => Fault::failed(error.to_string()),
    }
}

/// What was found up to here has been printed, but not everything that was asked for was played.
pub fn ended(stopped: bool) -> Result<(), Fault> {
    if stopped {
        Err(Fault::failed("stopped before the end: the figures are those of the blocks played"))
    } else {
        Ok(())
    }
}

/// How far an experiment has come, told on the error stream: a bar on a terminal, elsewhere a line after ten seconds, twenty,
/// forty ... Ctrl-C ends the experiment after the blocks at hand; a second one ends the program.
pub struct Steps {
    bar: ProgressBar,
    all: u64,
    start: Instant,
    /// When the next line is due; `None` on a terminal.
    due: Option<Duration>,
}

static STOP: AtomicBool = AtomicBool::new(false);

impl Steps {
    /// Of so many blocks.
    pub fn new(all: u64) -> Self {
        static HANDLER: Once = Once::new();
        HANDLER.call_once(|| {
            // Without a handler Ctrl-C ends the program as ever.
            let _ = ctrlc::set_handler(|| {
                if STOP.swap(true, Ordering::SeqCst) {
                    std::process::exit(130);
                }
            });
        });
        let terminal = std::io::stderr().is_terminal();
        let bar = if terminal {
            let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr());
            let template =
                "{wide_bar} {human_pos}/{human_len} blocks, {elapsed} so far, {eta} left (Ctrl-C: stop here)";
            bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        } else {
            ProgressBar::hidden()
        };
        Self { bar, all, start: Instant::now(), due: (!terminal).then_some(Duration::from_secs(10)) }
    }

    /// So many are done. Whether to go on.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub fn done(&mut self, done: u64) -> bool {
        self.bar.set_position(done);
        let passed = self.start.elapsed();
        if let Some(due) = self.due.filter(|due| passed >= *due && done < self.all) {
            let left = passed.as_secs_f64() * (self.all - done.min(self.all)) as f64 / done.max(1) as f64;
            let passed = passed.as_secs();
            eprintln!(
                "note: not on a terminal, so a line now and then: {done} of {} blocks after {passed} s, about {left:.0} s left",
                self.all
            );
            self.due = Some(due * 2);
        }
        !STOP.load(Ordering::SeqCst)
    }

    /// All is done.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// `0.3 %` more digits would be noise.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// `31.2 to 35.9 %`.
pub fn percents(interval: Interval) -> String {
    format!("{:.1} to {:.1} %", interval.low * 100.0, interval.high * 100.0)
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

/// A cell that ends at the right.
pub fn right(text: impl ToString) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}

/// The setup with its options resolved for another version of the game.
pub fn setup_of(args: &SetupArgs, game: &Game, like: &Setup) -> Result<Setup, Fault> {
    let players = args.players.or(Some(like.players));
    game.setup(players, &args.options, like.seed).map_err(|error| Fault::usage(error.to_string()))
}
