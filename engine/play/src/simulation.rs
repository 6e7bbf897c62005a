//! Many games on all cores, with results that do not depend on the number of cores.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use motherlode::tools::nearest;
use motherlode::{Game, Setup};

use crate::queue::{Work, threads};
use crate::report::{Collector, Report, Speed};
use crate::rows::GameRow;
use crate::seeds::mix;
use crate::spec::{BotError, bot};
use crate::table::Table;
use crate::tally::Tally;

/// Many games of one setup.
#[derive(Clone)]
pub struct Simulation {
    /// The game.
    pub game: Game,
    /// Players and options of every game; its seed is not used, see `seed`.
    pub setup: Setup,
    /// Number of games.
    pub games: u64,
    /// The seed from which those of the games are mixed: game `i` has the seed [`mix`]`(seed, i)`.
    pub seed: u64,
    /// Number of threads; 0 for one per core. Results do not depend on it.
    pub threads: usize,
    /// Bot specs: one for all seats, or one for each.
    pub bots: Vec<String>,
    /// Prompts whose answers are counted, by name.
    pub answers: Vec<String>,
}

/// How far a simulation has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Games played.
    pub done: u64,
    /// Games to play.
    pub games: u64,
    /// Games aborted among those played.
    pub aborted: u64,
    /// Decisions answered.
    pub decisions: u64,
}

/// Why a simulation could not start or continue. A game that fails is not a reason: it is recorded as aborted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// A bot spec does not name a bot.
    #[error(transparent)]
    Bot(#[from] BotError),
    /// The number of bots is neither one nor that of the seats.
    #[error("{given} bots for {players} players: give one for all seats or one for each")]
    Bots {
        /// Bots given.
        given: usize,
        /// Seats at the table.
        players: u8,
    },
    /// The game has no prompt of this name.
    #[error("there is no prompt `{name}`{}", nearest.as_ref().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default())]
    Prompt {
        /// What was asked for.
        name: String,
        /// The nearest name, if one is near.
        nearest: Option<String>,
    },
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(String),
    /// A row could not be written.
    #[error("cannot write the rows: {0}")]
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
        }
    }

    /// Plays all games. Calls `progress` from time to time, and at the end.
    ///
    /// # Errors
    /// When a bot or a prompt does not exist or the threads cannot be started.
    pub fn run(&self, progress: impl FnMut(Progress)) -> Result<Report, SimulationError> {
        self.run_into(|_| Ok(()), progress)
    }

    /// Plays all games, and passes each row to `sink` in the order of the index. Memory does not grow with the number of games.
    ///
    /// # Errors
    /// Those of [`Self::run`], and the first error of the sink.
    pub fn run_into(
        &self,
        mut sink: impl FnMut(&GameRow) -> io::Result<()>,
        mut progress: impl FnMut(Progress),
    ) -> Result<Report, SimulationError> {
        let specs = self.specs()?;
        let prompts = self.prompts()?;
        let threads = threads(self.threads);
        let start = Instant::now();
        let mut collector = Collector::new(&self.game, self.setup.players);
        let tally = Mutex::new(Tally::new(&prompts));
        let locked = || tally.lock().unwrap_or_else(PoisonError::into_inner);
        let done = Work::small(0..self.games, threads).run(
            || {
                // Bots are made here because neither they nor matches can be sent to another thread. The specs have been checked.
                let bots = specs.iter().map(|spec| bot(spec, &self.game, 0)).collect::<Result<Vec<_>, _>>().ok()?;
                Some((Table::new(&self.game, &self.setup), bots, locked().empty()))
            },
            |(table, bots, tally), index| table.play(index, mix(self.seed, index), bots, tally),
            |(_, _, tally)| locked().merge(tally),
            |rows| {
                for row in &rows {
                    collector.add(row);
                    sink(row)?;
                }
                progress(Progress {
                    done: collector.games(),
                    games: self.games,
                    aborted: collector.aborted(),
                    decisions: collector.decisions(),
                });
                Ok::<(), io::Error>(())
            },
        );
        done.map_err(|error| SimulationError::Threads(error.to_string()))??;
        let seconds = start.elapsed().as_secs_f64();
        let (games, decisions) = (collector.games(), collector.decisions());
        let mut report = collector.report(&self.game, Setup { seed: self.seed, ..self.setup.clone() }, &specs);
        report.answers = tally.into_inner().unwrap_or_else(PoisonError::into_inner).report(&self.game);
        report.speed = Some(speed(threads, seconds, games, decisions));
        Ok(report)
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
            })
        };
        self.answers.iter().map(index).collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "no simulation has 2^53 decisions")]
fn speed(threads: usize, seconds: f64, games: u64, decisions: u64) -> Speed {
    let rate = |number: u64| if seconds > 0.0 { number as f64 / seconds } else { 0.0 };
    Speed { threads, seconds, games_per_second: rate(games), decisions_per_second: rate(decisions) }
}
