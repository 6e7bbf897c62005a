//! Shared parts of experiments: arguments, progress, cost warnings and number formats.

use std::cell::OnceCell;
use std::io::Write;
use std::ops::RangeInclusive;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use comfy_table::{Cell, ColumnConstraint, Table};
use motherlode::{Game, Setup};
use motherlode_lab::{Estimate, Objective, Series};
use motherlode_play::{Failures, Interval, RolloutCost};

use crate::balance::{bots_help, default_bot, expand_plans};
use crate::fault::Fault;
use crate::number::whole_number;
use crate::paint::{self, percent, right};
use crate::progress::Progress;
use crate::project::GlobalArgs;
use crate::setup::SetupArgs;
use crate::text_table::{EDGE, GAP};

/// Valid numbers of blocks; a single block has no variance.
pub const BLOCKS: RangeInclusive<u64> = 2..=1_000_000_000;

/// The note below the results of games that repeat each other.
pub const REPETITION: &str =
    "note: the games repeat each other exactly, because neither the game nor these bots use chance: they count as one";

/// The note below the results of a run that a sequential test has ended.
pub const ENDED_EARLY: &str =
    "note: the run ended when the test was decided, so its verdict counts, and intervals and marks only roughly";

/// The note below the results of games of which many are the same; there are `few` different ones.
pub fn few_games(few: usize, games: u64) -> String {
    format!("note: only {few} of the {games} games differ, so the results hold for these lines of play")
}

/// The default of `--bots`.
const USUAL: &str = " [default: the game's best bot in effects and report (`best` in balance.toml, else learned, else search:200), else random]";

/// Arguments of every experiment.
#[derive(Debug, Clone, clap::Args)]
pub struct LabArgs {
    /// Id of a game or its folder
    pub game: String,
    #[command(flatten)]
    pub setup: SetupArgs,
    #[arg(help = bots_help("Bots, which rotate through the seats") + USUAL)]
    #[arg(short, long, value_name = "BOT,BOT,...", value_delimiter = ',')]
    pub bots: Vec<String>,
    /// Number of threads; results do not depend on it [default: one per core]
    #[arg(short, long, value_name = "T", value_parser = whole_number(1..=1024_u16))]
    pub threads: Option<u16>,
    /// Whether the bots are the game's best bot; set by `series_by_best`.
    #[arg(skip)]
    pub is_best: OnceCell<bool>,
}

impl LabArgs {
    /// The same, by the best known bot of the game unless the arguments name others.
    pub fn series_by_best(&self, global: &GlobalArgs, game: &Game) -> Result<Series, Fault> {
        let mut own = self.clone();
        let best = default_bot(global, game).map(|(bot, _)| bot);
        if own.bots.is_empty() {
            own.bots = vec![best?];
            self.is_best.get_or_init(|| true);
            return own.series(global, game);
        }
        let series = own.series(global, game)?;
        // A share that names the best bot belongs to the same run as one that leaves it out.
        self.is_best.get_or_init(|| best.is_ok_and(|best| series.bots == [best]));
        Ok(series)
    }

    /// A note for headings if the bots are the default.
    pub fn default_note(&self) -> &'static str {
        if self.is_best.get() == Some(&true) { " (the game's best bot, the default)" } else { "" }
    }

    /// The series of games that these arguments ask for.
    pub fn series(&self, global: &GlobalArgs, game: &Game) -> Result<Series, Fault> {
        let setup = self.setup.setup(game, 1)?;
        let seed = setup.seed;
        let threads = self.threads.map_or(0, usize::from);
        let usual = ["random".to_owned()];
        let bots = if self.bots.is_empty() { &usual } else { self.bots.as_slice() };
        let bots = expand_plans(global, game, bots.iter().map(|bot| bot.trim()))?;
        Ok(Series { threads, halt: Some(&STOP), ..Series::new((game.halted_by(&HALT), setup), bots, seed) })
    }
}

/// The cost of bots; prints a note if a cheaper bot would do.
pub fn cost_of(game: &Game, setup: &Setup, bots: &[String]) -> Option<RolloutCost> {
    with_advice(RolloutCost::of(game, setup, bots))
}

/// Returns a cost; prints a note if a cheaper bot would do.
pub fn with_advice(cost: Option<RolloutCost>) -> Option<RolloutCost> {
    if let Some(advice) = cost.and_then(RolloutCost::advice) {
        eprintln!("note: {advice}");
    }
    cost
}

/// Fails if the run was stopped. Call it after printing the results.
pub fn check_complete(stopped: bool) -> Result<(), Fault> {
    if stopped { Err(Fault::failed("stopped before the end: the results cover only the games played")) } else { Ok(()) }
}

/// Fails if the sequential test of `--until` has no verdict after all blocks. Call it after printing the results.
pub fn check_decided(is_decided: bool) -> Result<(), Fault> {
    let undecided = || Fault::Undecided("no verdict after all blocks: raise --blocks".to_owned());
    if is_decided { Ok(()) } else { Err(undecided()) }
}

/// Fails if games were aborted, which means that a script is broken. Call it after printing the results.
pub fn check_failures(failures: &Failures, games: u64) -> Result<(), Fault> {
    failures.told(games).map_or(Ok(()), |told| Err(Fault::failed(told)))
}

/// Fails if forks of games were aborted. Call it after printing the results.
pub fn check_fork_failures(failed: &Failures) -> Result<(), Fault> {
    match failed.aborted {
        0 => Ok(()),
        forks => Err(Fault::failed(format!("{} failed, {}", paint::plural(forks, "fork"), failed.first()))),
    }
}

/// The progress of an experiment. Ctrl-C or SIGTERM stops it after the running games; a second one ends the program.
pub struct LabProgress {
    progress: Progress,
    cost: Option<RolloutCost>,
}

const STOPS: &str = "(Ctrl-C: stop here)";

/// Signals within this time count as one: programs that end others may send two at once.
const SAME_REQUEST: Duration = Duration::from_secs(1);

/// Whether the user wants the run to stop.
pub static STOP: AtomicBool = AtomicBool::new(false);
/// Set [`GRACE`] after [`STOP`]: games that still run then are dropped.
pub static HALT: AtomicBool = AtomicBool::new(false);
/// Time that running games have to end.
const GRACE: Duration = Duration::from_secs(1);

impl LabProgress {
    /// Progress through `all` games or blocks.
    pub fn new(all: u64, unit: &'static str) -> Self {
        Self::with_cost(all, unit, None)
    }

    /// Progress through `all` games or blocks by bots of this cost.
    pub fn with_cost(all: u64, unit: &'static str, cost: Option<RolloutCost>) -> Self {
        static HANDLER: Once = Once::new();
        HANDLER.call_once(|| {
            // If the handler cannot be set, Ctrl-C ends the program as usual.
            let mut first = None;
            let _ = ctrlc::set_handler(move || {
                if !STOP.swap(true, Ordering::SeqCst) {
                    // A game that is about to end still counts.
                    thread::spawn(|| {
                        thread::sleep(GRACE);
                        HALT.store(true, Ordering::SeqCst);
                    });
                }
                if first.get_or_insert_with(Instant::now).elapsed() > SAME_REQUEST {
                    std::process::exit(130);
                }
            });
        });
        let mut progress = Progress::new(all, unit);
        if let Some(cost) = cost {
            progress.end_lines_with(&cost.to_string());
        }
        let lab = Self { progress, cost };
        lab.set_remark(None);
        lab
    }

    /// Sets the counts of units at which stages of different speed end.
    pub fn set_stages(&mut self, ends: Vec<u64>) {
        self.progress.set_stages(ends);
    }

    /// Sets the time of a unit of the next stage, in units of this one; `None`: the estimate covers this stage only.
    pub fn set_next_stage_cost(&mut self, cost: Option<f64>) {
        self.progress.set_next_stage_cost(cost);
    }

    /// Marks the time estimate as an upper bound.
    pub fn may_end_early(&mut self) {
        self.progress.may_end_early();
    }

    /// Sets a remark beside the progress bar.
    pub fn set_remark(&self, remark: Option<String>) {
        let remarks: Vec<String> = remark.into_iter().chain(self.cost.map(|cost| cost.to_string())).collect();
        self.progress.set_message([&remarks.join(", "), STOPS].join(" "));
    }

    /// Starts after games that need no playing.
    pub fn start_at(&mut self, done: u64) {
        self.progress.start_at(done);
    }

    /// Reports completed games or blocks; returns whether to continue.
    pub fn done(&mut self, done: u64) -> bool {
        self.progress.done(done);
        !STOP.load(Ordering::SeqCst)
    }

    /// Like [`done`](Self::done), with the ends of all stages, which may change. The last one is the total.
    pub fn done_in(&mut self, done: u64, ends: &[u64]) -> bool {
        self.progress.set_all(ends.last().copied().unwrap_or(done));
        self.progress.set_stages(ends.to_vec());
        self.done(done)
    }

    /// Like [`done`](Self::done), with a new total.
    pub fn done_of(&mut self, done: u64, all: u64) -> bool {
        self.progress.set_all(all);
        self.done(done)
    }

    /// Removes the progress bar.
    pub fn finish(self) {
        self.progress.finish();
    }
}

/// `0.031`, or `< 0.001`.
pub fn likelihood(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// `31.2 to 35.9 %`, with as many decimals as tell the bounds apart.
pub fn percents(interval: Interval) -> String {
    let digits = interval.digits(100.0, 1);
    format!("{:.digits$} to {:.digits$} %", interval.low * 100.0, interval.high * 100.0)
}

/// `+1.0 to +7.3`, times `scale`, or `all 30 equal`.
pub fn signed_range(estimate: Estimate, scale: f64, digits: usize) -> String {
    let Interval { low, high } = estimate.interval;
    estimate.agreement().unwrap_or_else(|| format!("{:+.digits$} to {:+.digits$}", low * scale, high * scale))
}

/// `11.9 to 12.8`, or `all 30 equal`.
fn range(estimate: Estimate) -> String {
    let Interval { low, high } = estimate.interval;
    estimate.agreement().unwrap_or_else(|| format!("{low:.1} to {high:.1}"))
}

/// Minimum width of a column of names.
const MIN_NAME: usize = 8;

/// Draws a table. If it is too wide, wraps the names in the first column and keeps each figure on one line.
pub fn draw(out: &mut dyn Write, table: Table) -> Result<(), Fault> {
    draw_names(out, table, 1)
}

/// Draws a table whose first columns are names. If it is too wide, wraps the names and keeps each figure on one line.
pub fn draw_names(out: &mut dyn Write, mut table: Table, names: usize) -> Result<(), Fault> {
    let widths = table.column_max_content_widths();
    let figures: usize = widths.iter().skip(names).map(|width| usize::from(*width) + GAP).sum();
    // A figure is broken only if the table is too wide without any names.
    if figures + EDGE + names * (MIN_NAME + GAP) <= paint::width() {
        for column in table.column_iter_mut().skip(names) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    Ok(writeln!(out, "{table}")?)
}

/// A share and its interval in two cells.
pub fn share_cells(estimate: Option<Estimate>) -> [Cell; 2] {
    match estimate {
        Some(estimate) => {
            let interval = estimate.agreement().unwrap_or_else(|| percents(estimate.interval));
            [right(percent(estimate.value)), right(interval)]
        }
        None => [right("-"), right("")],
    }
}

/// The quantity by which a game is judged and its interval in two cells.
pub fn judged_cells(objective: Objective, estimate: Option<Estimate>) -> [Cell; 2] {
    match estimate {
        Some(estimate) if !objective.is_share() => [right(format!("{:.1}", estimate.value)), right(range(estimate))],
        estimate => share_cells(estimate),
    }
}

/// A number and its interval in one cell.
pub fn number_cell(estimate: Option<Estimate>) -> Cell {
    right(estimate.map_or_else(|| "-".to_owned(), number))
}

/// A difference of shares in percentage points, or of points: `+4.2 (+1.0 to +7.3)`.
pub fn difference(objective: Objective, estimate: Estimate) -> String {
    let by = if objective.is_share() { 100.0 } else { 1.0 };
    format!("{:+.1} ({})", estimate.value * by, signed_range(estimate, by, 1))
}

/// `12.3 (11.9 to 12.8)`, or `12.0 (all 30 equal)`.
pub fn number(estimate: Estimate) -> String {
    format!("{:.1} ({})", estimate.value, range(estimate))
}

/// The setup for another version of the game, with its options resolved there.
pub fn setup_of(args: &SetupArgs, game: &Game, like: &Setup) -> Result<Setup, Fault> {
    let players = args.players.or(Some(like.players));
    game.setup(players, &args.variant.options, like.seed).map_err(|error| Fault::usage(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_wrap_and_figures_stay_on_one_line() {
        let mut table = paint::table();
        let (name, figure) = ("corporation: The Deep Shaft and Colliery Trust", "-129.90 to -115.09");
        table.set_header(["role", "quantity", "base", "changed", "difference", "95 % interval", "p", ""]);
        let figures = ["win share", "-127.70", "-104.84", "+122.86", figure, "< 0.001", "differs"].map(right);
        table.add_row(std::iter::once(Cell::new(name)).chain(figures));
        let mut drawn = Vec::new();
        draw(&mut drawn, table).unwrap();
        let drawn = String::from_utf8(drawn).unwrap();
        assert!(drawn.lines().all(|line| line.chars().count() <= 100) && drawn.contains(figure), "{drawn}");
        let shown: String =
            drawn.lines().map(|line| line.chars().skip(1).take(MIN_NAME + 4).collect::<String>()).collect();
        assert!(name.split(' ').all(|word| shown.contains(&word[..word.len().min(5)])), "{drawn}");
    }
}
