//! Many games on all cores, with results that do not depend on the number of cores.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use motherlode::tools::nearest;
use motherlode::{Game, Match, Setup};

use crate::bot::Bot;
use crate::playout::DECISION_LIMIT;
use crate::report::{Collector, Report, Speed};
use crate::reuse::restarted;
use crate::rows::GameRow;
use crate::seeds::mix;
use crate::spec::{BotError, bot};
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

/// Most games that a thread takes at a time.
const MOST_IN_CHUNK: u64 = 64;

/// How many chunks per thread may be handed out ahead of the slowest one. This bounds the memory.
const CHUNKS_AHEAD: u64 = 8;

/// Stack of a thread. Deeply nested scripts end in an error on 8 MiB and in a crash on less than one.
const STACK: usize = 8 << 20;

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
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK)
            .build()
            .map_err(|error| SimulationError::Threads(error.to_string()))?;
        let start = Instant::now();
        let queue = Queue::new(self.games, threads);
        let mut collector = Collector::new(&self.game, self.setup.players);
        let tally = Mutex::new(Tally::new(&prompts));
        pool.in_place_scope(|scope| {
            let _stop = StopOnDrop(&queue);
            for _ in 0..threads {
                scope.spawn(|_| self.work(&specs, &queue, &tally));
            }
            while let Some(rows) = queue.take() {
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
            }
            Ok::<(), io::Error>(())
        })?;
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

    /// What each thread does: plays chunks of games until there are none left or the simulation is stopped.
    fn work(&self, specs: &[String], queue: &Queue, tally: &Mutex<Tally>) {
        let _leave = LeaveOnDrop(queue);
        // Bots are made here because neither they nor matches can be sent to another thread. The specs have been checked.
        let Ok(bots) = specs.iter().map(|spec| bot(spec, &self.game, 0)).collect::<Result<Vec<_>, _>>() else { return };
        let locked = || tally.lock().unwrap_or_else(PoisonError::into_inner);
        let own = locked().empty();
        let mut player = Player { simulation: self, setup: self.setup.clone(), bots, earlier: None, tally: own };
        while let Some(chunk) = queue.next() {
            let rows = queue.games_of(chunk).map(|index| player.play(index)).collect();
            queue.put(chunk, rows);
        }
        locked().merge(player.tally);
    }
}

#[expect(clippy::cast_precision_loss, reason = "no simulation has 2^53 decisions")]
fn speed(threads: usize, seconds: f64, games: u64, decisions: u64) -> Speed {
    let rate = |number: u64| if seconds > 0.0 { number as f64 / seconds } else { 0.0 };
    Speed { threads, seconds, games_per_second: rate(games), decisions_per_second: rate(decisions) }
}

/// What belongs to one thread.
struct Player<'s> {
    simulation: &'s Simulation,
    setup: Setup,
    bots: Vec<Box<dyn Bot>>,
    /// The match of the previous game.
    earlier: Option<Match>,
    tally: Tally,
}

impl Player<'_> {
    fn play(&mut self, index: u64) -> GameRow {
        let seed = mix(self.simulation.seed, index);
        self.setup.seed = seed;
        for (bot, number) in self.bots.iter_mut().zip(1..) {
            bot.reseed(mix(seed, number));
        }
        let mut row = GameRow {
            index,
            seed,
            players: self.setup.players,
            rounds: 0,
            decisions: 0,
            aborted: None,
            scores: Vec::new(),
            ranks: Vec::new(),
            teams: Vec::new(),
            won: None,
            reason: String::new(),
            answers: Vec::new(),
        };
        match restarted(self.earlier.take(), &self.simulation.game, &self.setup) {
            Err(error) => row.aborted = Some(error.to_string()),
            Ok(mut m) => {
                row.aborted = self.play_out(&mut m, &mut row.decisions).err();
                row.rounds = m.round();
                match (&row.aborted, m.outcome()) {
                    (None, Some(outcome)) => {
                        row.rounds = outcome.rounds;
                        row.scores = outcome.scores;
                        row.ranks = outcome.ranks;
                        row.teams = outcome.teams;
                        row.won = outcome.won;
                        row.reason = outcome.reason;
                    }
                    (None, None) => row.aborted = Some("the match is over but has no outcome".to_owned()),
                    (Some(_), _) => {}
                }
                if row.aborted.is_some() {
                    row.answers = m.answers().to_vec();
                }
                self.earlier = Some(m);
            }
        }
        row
    }

    fn play_out(&mut self, m: &mut Match, decisions: &mut u32) -> Result<(), String> {
        while let Some(decision) = m.decision() {
            if *decisions == DECISION_LIMIT {
                return Err(format!("more than {DECISION_LIMIT} decisions"));
            }
            let bot = self
                .bots
                .get_mut(usize::from(decision.seat))
                .ok_or_else(|| format!("seat {} has no bot", decision.seat))?;
            let choice = bot.choose(m, decision).map_err(|error| error.to_string())?;
            // Looked up before the answer, counted only once it is accepted.
            let seen = self.tally.see(m, decision, choice);
            m.answer(choice).map_err(|error| error.to_string())?;
            self.tally.count(seen);
            *decisions += 1;
        }
        Ok(())
    }
}

/// Hands out chunks of games to threads, and returns their rows in order.
struct Queue {
    games: u64,
    chunk: u64,
    ahead: u64,
    state: Mutex<QueueState>,
    changed: Condvar,
}

struct QueueState {
    /// Next chunk to hand out.
    next: u64,
    /// Next chunk whose rows are taken.
    taken: u64,
    /// Rows of chunks that wait for an earlier one.
    waiting: BTreeMap<u64, Vec<GameRow>>,
    /// Threads at work.
    working: usize,
    /// No more chunks are handed out.
    stopped: bool,
}

impl Queue {
    fn new(games: u64, threads: usize) -> Self {
        let workers = u64::try_from(threads).unwrap_or(1).max(1);
        Self {
            games,
            // Small enough for all threads to end at about the same time, large enough for the queue to cost nothing.
            chunk: (games / (workers * 16)).clamp(1, MOST_IN_CHUNK),
            ahead: workers * CHUNKS_AHEAD,
            state: Mutex::new(QueueState {
                next: 0,
                taken: 0,
                waiting: BTreeMap::new(),
                working: threads,
                stopped: false,
            }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        // The state is whole after every statement: a thread that panicked holding the lock has not broken it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'q>(&self, state: MutexGuard<'q, QueueState>) -> MutexGuard<'q, QueueState> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn chunks(&self) -> u64 {
        self.games.div_ceil(self.chunk)
    }

    fn games_of(&self, chunk: u64) -> std::ops::Range<u64> {
        chunk * self.chunk..((chunk + 1) * self.chunk).min(self.games)
    }

    /// For threads: the next chunk to play. Waits while too many rows have not been taken; the thread with the earliest chunk never does.
    fn next(&self) -> Option<u64> {
        let mut state = self.state();
        loop {
            if state.stopped || state.next >= self.chunks() {
                return None;
            }
            if state.next < state.taken + self.ahead {
                state.next += 1;
                return Some(state.next - 1);
            }
            state = self.wait(state);
        }
    }

    fn put(&self, chunk: u64, rows: Vec<GameRow>) {
        self.state().waiting.insert(chunk, rows);
        self.changed.notify_all();
    }

    /// For the collector: the rows of the next chunk; `None` when all have been taken, or when no thread is left to play it.
    fn take(&self) -> Option<Vec<GameRow>> {
        let mut state = self.state();
        loop {
            let taken = state.taken;
            if let Some(rows) = state.waiting.remove(&taken) {
                state.taken += 1;
                self.changed.notify_all();
                return Some(rows);
            }
            if taken >= self.chunks() || state.working == 0 {
                return None;
            }
            state = self.wait(state);
        }
    }
}

/// Signs a thread off even if it panics: the collector must not wait for it.
struct LeaveOnDrop<'q>(&'q Queue);

impl Drop for LeaveOnDrop<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.working = state.working.saturating_sub(1);
        // The chunk of a thread that panicked never comes, so playing later ones is pointless.
        state.stopped |= std::thread::panicking();
        drop(state);
        self.0.changed.notify_all();
    }
}

/// Stops the threads when the collector ends, even early.
struct StopOnDrop<'q>(&'q Queue);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.state().stopped = true;
        self.0.changed.notify_all();
    }
}
