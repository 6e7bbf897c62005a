//! Simulations: many games on all cores, with results that do not depend on the number of cores.
//!
//! Direction: queue, sheet, statistics <- rows <- failures, table <- decisions, digest, tally <- experiment, report <- self

pub(crate) mod decisions;
pub(crate) mod digest;
pub(crate) mod experiment;
pub(crate) mod failures;
pub(crate) mod queue;
pub(crate) mod report;
pub(crate) mod rows;
pub(crate) mod sheet;
pub(crate) mod statistics;
pub(crate) mod table;
pub(crate) mod tally;

use std::io;
use std::ops::{ControlFlow, Range};
use std::time::Instant;

use motherlode::tools::nearest;
use motherlode::{Decision, Game, Match, Setup};
use motherlode_files::reason;
use serde::{Deserialize, Serialize};

use crate::bots::rollout_cost::RolloutCost;
use crate::bots::spec::{BotError, bot};
use crate::seeds::mix;
use crate::simulation::decisions::{DecisionRow, Decisions};
use crate::simulation::digest::{GameDigest, Repetition};
use crate::simulation::experiment::Experiment;
use crate::simulation::queue::{Work, threads};
use crate::simulation::report::{Collector, Report, Speed};
use crate::simulation::rows::{GameColumns, GameRow};
use crate::simulation::sheet::{Cell, Column};
use crate::simulation::table::{Table, Watch};
use crate::simulation::tally::{AnswerCount, AnswerTally, Answers};

/// Many games of one setup.
#[derive(Clone)]
pub struct Simulation {
    /// The game.
    pub game: Game,
    /// Players and options of every game; its seed is unused, see `seed`.
    pub setup: Setup,
    /// Number of games.
    pub games: u64,
    /// The base seed: game `i` has the seed [`mix`]`(seed, i)`.
    pub seed: u64,
    /// Number of threads; 0 for one per core. Results do not depend on it.
    pub threads: usize,
    /// Bot specs: one for all seats, or one per seat.
    pub bots: Vec<String>,
    /// Prompts whose answers are counted, by name.
    pub answers: Vec<String>,
    /// Whether a row is a decision instead of a game.
    pub decisions: bool,
}

/// The progress of a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Games played.
    pub done: u64,
    /// Games to play.
    pub games: u64,
    /// Aborted games among those played.
    pub aborted: u64,
    /// Answered decisions.
    pub decisions: u64,
}

/// An error that prevents a simulation from starting or continuing. A failing game is no such error: it is recorded
/// as aborted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// A bot spec names no bot.
    #[error(transparent)]
    Bot(#[from] BotError),
    /// The number of bots is neither one nor the number of seats.
    #[error("{given} bots for {players} players: give one for all seats or one per seat")]
    Bots {
        /// Bots given.
        given: usize,
        /// Seats at the table.
        players: u8,
    },
    /// The game has no prompt of this name.
    #[error("unknown prompt `{name}`{}", match nearest {
        Some(name) => format!("; did you mean `{name}`?"),
        None => format!("; the prompts are {known}"),
    })]
    Prompt {
        /// The unknown name.
        name: String,
        /// The nearest known name, if any.
        nearest: Option<String>,
        /// All known names.
        known: String,
    },
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(String),
    /// A row could not be written.
    #[error("cannot write the rows: {}", reason(.0))]
    Rows(#[from] io::Error),
}

impl Simulation {
    /// A thousand games of random bots on all cores, with the setup's own seed.
    #[must_use]
    pub fn new(game: &Game, setup: Setup) -> Self {
        let seed = setup.seed;
        Self {
            game: game.clone(),
            setup,
            games: 1000,
            seed,
            threads: 0,
            bots: vec!["random".to_owned()],
            answers: Vec::new(),
            decisions: false,
        }
    }

    /// Plays all games. Calls `progress` after each.
    ///
    /// # Errors
    /// A bot or a prompt does not exist, or the threads cannot be started.
    pub fn run(&self, progress: impl FnMut(Progress)) -> Result<Report, SimulationError> {
        self.run_into(|_| Ok(()), progress)
    }

    /// Plays all games and passes each row to `sink` in index order. Memory does not grow with the number of games.
    ///
    /// # Errors
    /// As [`Self::run`], or the first error of the sink.
    pub fn run_into(
        &self,
        mut sink: impl FnMut(&GameRow) -> io::Result<()>,
        mut progress: impl FnMut(Progress),
    ) -> Result<Report, SimulationError> {
        let mut failed = None;
        let report = self.perform(&mut |sum, piece| {
            if let Err(error) = sink(&piece.row) {
                failed = Some(error);
                return ControlFlow::Break(());
            }
            let all = &sum.collector;
            let (done, aborted, decisions) = (all.games(), all.aborted(), all.decisions());
            progress(Progress { done, games: self.games, aborted, decisions });
            ControlFlow::Continue(())
        })?;
        failed.map_or(Ok(report), |error| Err(SimulationError::Rows(error)))
    }

    /// The bot spec of each seat, checked.
    fn specs(&self) -> Result<Vec<String>, SimulationError> {
        let players = usize::from(self.setup.players);
        for spec in &self.bots {
            bot(spec, &self.game, 0)?;
        }
        match self.bots.as_slice() {
            [spec] => Ok(vec![spec.clone(); players]),
            specs if specs.len() == players => Ok(specs.to_vec()),
            specs => Err(SimulationError::Bots { given: specs.len(), players: self.setup.players }),
        }
    }

    /// The prompts whose answers are counted.
    fn prompts(&self) -> Result<Vec<usize>, SimulationError> {
        let known = &self.game.declarations().prompts;
        let index = |name: &String| {
            known.get_index_of(name).ok_or_else(|| SimulationError::Prompt {
                name: name.clone(),
                nearest: nearest(name, known.keys().map(String::as_str)).map(str::to_owned),
                known: known.keys().cloned().collect::<Vec<_>>().join(", "),
            })
        };
        self.answers.iter().map(index).collect()
    }
}

/// One game of a simulation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamePiece {
    /// The result of the game.
    pub row: GameRow,
    /// Hash of the answers and the final position.
    #[serde(default)]
    digest: u64,
    /// Counts of the selected answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    counts: Vec<AnswerCount>,
    /// The decisions, if recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    decisions: Vec<DecisionRow>,
}

/// The running totals of a simulation.
pub struct GameSum {
    collector: Collector,
    answers: Answers,
    repetition: Repetition,
    start: Instant,
}

/// Observes the games of a simulation.
struct SimulationObserver {
    tally: AnswerTally,
    digest: GameDigest,
    decisions: Option<Decisions>,
}

impl Watch for SimulationObserver {
    fn chosen(&mut self, m: &Match, decision: Decision, choice: usize) {
        self.tally.chosen(m, decision, choice);
        self.digest.chosen(m, decision, choice);
        self.decisions.iter_mut().for_each(|one| one.chosen(m, decision, choice));
    }

    fn accepted(&mut self, m: &Match) {
        self.tally.accepted(m);
        self.decisions.iter_mut().for_each(|one| one.accepted(m));
    }

    fn ended(&mut self, m: &Match) {
        self.digest.ended(m);
    }
}

impl Experiment for Simulation {
    type Piece = GamePiece;
    type Sum = GameSum;
    type Plan = ();
    type Report = Report;
    type Error = SimulationError;

    #[expect(clippy::single_range_in_vec_init, reason = "one stage")]
    fn stages(&self) -> Vec<Range<u64>> {
        vec![0..self.games]
    }

    fn check(&self) -> Result<(), SimulationError> {
        self.specs()?;
        self.prompts().map(drop)
    }

    fn begin(&self) -> GameSum {
        GameSum {
            collector: Collector::new(&self.game, self.setup.players),
            // `check` has validated the prompts.
            answers: Answers::new(self.prompts().unwrap_or_default()),
            repetition: Repetition::default(),
            start: Instant::now(),
        }
    }

    fn plan(&self, _: &GameSum) {}

    fn play(
        &self,
        (): &(),
        range: Range<u64>,
        sink: &mut dyn FnMut(GamePiece) -> ControlFlow<()>,
    ) -> Result<(), SimulationError> {
        let specs = self.specs()?;
        let prompts = self.prompts()?;
        // Slow bots take long per game. Large chunks would delay progress and lose more games on a stop.
        let is_quick = specs.iter().all(|spec| ["random", "first"].contains(&spec.as_ref()));
        let work = if is_quick { Work::small } else { Work::large };
        let done = work(range, threads(self.threads)).run(
            || {
                // Create bots in the thread, because neither bots nor matches can be sent to another. The specs have
                // been checked.
                let bots = specs.iter().map(|spec| bot(spec, &self.game, 0)).collect::<Result<Vec<_>, _>>().ok()?;
                let decisions = self.decisions.then(Decisions::default);
                let (tally, digest) = (AnswerTally::new(&prompts), GameDigest::default());
                let observer = SimulationObserver { tally, digest, decisions };
                Some((Table::new(&self.game, &self.setup), bots, observer))
            },
            |(table, bots, observer), index| {
                observer.digest.begin();
                let row = table.play(index, mix(self.seed, index), bots, observer);
                let digest = observer.digest.value();
                let decisions = observer.decisions.as_mut().map(|one| std::mem::take(&mut one.found));
                let counts = observer.tally.take();
                (!table.is_cut()).then(|| GamePiece { row, digest, counts, decisions: decisions.unwrap_or_default() })
            },
            |_| {},
            |pieces| {
                // A halted game ends the run; the results cover the games before it.
                let ends = |piece: Option<GamePiece>| piece.is_none_or(|piece| sink(piece).is_break());
                if pieces.into_iter().any(ends) { Err(()) } else { Ok(()) }
            },
        );
        // An error of the sink means that it wants to stop.
        let _ended_early = done.map_err(|error| SimulationError::Threads(error.to_string()))?;
        Ok(())
    }

    fn is_possible(&self, piece: &GamePiece) -> bool {
        let GamePiece { row, digest: _, counts, decisions } = piece;
        let is_given = |count: &AnswerCount| count.is_possible(self.answers.len(), row.decisions);
        let of_seat = |decision: &DecisionRow| decision.seat < self.setup.players;
        row.is_possible(self.setup.players)
            && counts.iter().all(is_given)
            && decisions.len() as u64 <= u64::from(row.decisions)
            && decisions.iter().all(of_seat)
    }

    fn add(&self, sum: &mut GameSum, piece: &GamePiece) -> ControlFlow<()> {
        sum.collector.add(&piece.row);
        sum.answers.add(&piece.counts);
        if piece.row.aborted.is_none() {
            sum.repetition.add(&[], piece.digest);
        }
        ControlFlow::Continue(())
    }

    fn report(&self, sum: GameSum, _: bool) -> Result<Report, SimulationError> {
        let GameSum { collector, answers, repetition, start } = sum;
        let speed = self.speed(start.elapsed().as_secs_f64(), &collector);
        let setup = Setup { seed: self.seed, ..self.setup.clone() };
        let mut report = collector.report(&self.game, setup, &self.specs()?);
        let (is_repetition, few_games) = (repetition.is_found(), repetition.few());
        // Games that count as one flag no seat.
        report.seats.iter_mut().for_each(|seat| seat.uneven &= !is_repetition);
        Ok(Report { answers: answers.report(&self.game), is_repetition, few_games, speed: Some(speed), ..report })
    }

    fn alike(&self, one: &GamePiece, other: &GamePiece) -> bool {
        one == other
    }

    fn cost(&self) -> Option<RolloutCost> {
        RolloutCost::of(&self.game, &self.setup, &self.bots)
    }

    fn remark(&self, sum: &GameSum) -> Option<String> {
        let aborted = sum.collector.aborted();
        (aborted > 0).then(|| format!("{aborted} aborted"))
    }

    fn columns(&self) -> Vec<Column> {
        if self.decisions { decisions::columns() } else { GameColumns::of(&self.game, self.setup.players).columns() }
    }

    fn rows(&self, piece: &GamePiece) -> Vec<Vec<Cell>> {
        if self.decisions {
            let specs = self.specs().unwrap_or_default();
            decisions::values(&piece.row, &specs, &piece.decisions).collect()
        } else {
            vec![GameColumns::of(&self.game, self.setup.players).values(&piece.row)]
        }
    }
}

impl Simulation {
    #[expect(clippy::cast_precision_loss, reason = "no simulation has 2^53 decisions")]
    fn speed(&self, seconds: f64, all: &Collector) -> Speed {
        let rate = |number: u64| if seconds > 0.0 { number as f64 / seconds } else { 0.0 };
        Speed {
            threads: threads(self.threads),
            seconds,
            games_per_second: rate(all.games()),
            decisions_per_second: rate(all.decisions()),
        }
    }
}
