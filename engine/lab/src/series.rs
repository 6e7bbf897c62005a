//! Plays blocks of games by bots, on several threads, and yields them in order.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cpu_time::ThreadTime;
use motherlode::{Decision, Game, Match, MatchError, Setup};
use motherlode_play::{
    Bot, BotError, Experiment, GameDigest, GameRow, Random, Repetition, RolloutCost, Table, Watch, Work, mix, threads,
};
use serde::{Deserialize, Serialize};

use crate::blocks::Blocks;
use crate::changed_items::{ChangedItem, changed_items};
use crate::item::Item;
use crate::item_use::{ItemUse, ItemUseCounter};
use crate::role::{BaseIndices, Roles};

/// Blocks of one game, or of several versions that are played side by side with the same seeds, seatings and bots.
#[derive(Clone)]
pub struct Series {
    /// The game and its setup. The seed of the setup is unused.
    pub game: (Game, Setup),
    /// Changed versions of the game, with their setups.
    pub others: Vec<(Game, Setup)>,
    /// Number of random answers at the start of each game, equal in all games of a block.
    pub opening: u32,
    /// Bot specs.
    pub bots: Vec<String>,
    /// Seed of the experiment.
    pub seed: u64,
    /// Number of threads; 0 means one per core. Results do not depend on it.
    pub threads: usize,
    /// Ends the series once set. Incomplete blocks are dropped.
    pub halt: Option<&'static AtomicBool>,
}

/// The games of a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// Index of the block.
    pub index: u64,
    /// Games by version and seating.
    pub games: Vec<Vec<SeatedGame>>,
    /// Processor time of each bot. A measurement: it differs from run to run.
    pub spent: Vec<TimeSpent>,
}

impl Block {
    /// Iterates over the games, each with its version and seating, from 0.
    pub fn all(&self) -> impl Iterator<Item = (usize, usize, &SeatedGame)> {
        self.games
            .iter()
            .enumerate()
            .flat_map(|(version, games)| games.iter().enumerate().map(move |(turn, game)| (version, turn, game)))
    }
}

/// One game of a block.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SeatedGame {
    /// The bot of each seat (index into the bots of the series).
    pub bots: Vec<usize>,
    /// The role of each seat (index of a definition in the base), by source.
    pub roles: Vec<Vec<Option<usize>>>,
    /// The uses of each item that differs between the versions; empty with one version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ItemUse>,
    /// Hash of the answers and the final position; 0 if the experiment does not need it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub digest: u64,
    /// The recorded game.
    #[serde(flatten)]
    pub row: GameRow,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl SeatedGame {
    /// Returns scores, ranks, rounds and number of decisions.
    pub(crate) fn result(&self) -> (&[i32], &[u8], i32, u32) {
        (&self.row.scores, &self.row.ranks, self.row.rounds, self.row.decisions)
    }

    /// Adds the game to those that may repeat each other, unless it was aborted.
    pub(crate) fn add_to(&self, repetition: &mut Repetition) {
        if self.row.aborted.is_none() {
            repetition.add(&self.bots, self.digest);
        }
    }
}

/// Error of an experiment that cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// A bot spec is invalid.
    #[error(transparent)]
    Bot(#[from] BotError),
    /// There are no bots, or more than `MOST_BOTS`.
    #[error("give 1 to {MOST_BOTS} bots, not {0}")]
    Bots(usize),
    /// A spec without a range of budgets, for a ladder.
    #[error("`{0}` is not a ladder: write a range of budgets from 1 up, the smaller first, such as `rollout:2..32`")]
    Ladder(String),
    /// An opening that leaves no answer to the bots.
    #[error(
        "an opening of {opening} answers leaves none to the bots: of {SHORT_GAMES} random games, the longest has {longest}"
    )]
    Opening {
        /// Number of random answers.
        opening: u32,
        /// Number of answers in the longest of some random games.
        longest: u32,
    },
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(String),
}

/// Maximum number of bots in a series, and so of games in a block.
pub const MOST_BOTS: usize = 64;

/// Number of random games that show whether an opening is longer than a game.
const SHORT_GAMES: u64 = 8;

/// Processor time of a bot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeSpent {
    /// Processor time of the thread that decided.
    pub time: Duration,
    /// Number of decisions.
    pub decisions: u64,
}

impl std::ops::AddAssign for TimeSpent {
    fn add_assign(&mut self, more: Self) {
        self.time += more.time;
        self.decisions += more.decisions;
    }
}

/// Exclusive upper bound of the time and decisions of a bot in a block, so that sums over untrusted shards
/// cannot overflow.
const MOST_SPENT: TimeSpent = TimeSpent { time: Duration::from_secs(1 << 32), decisions: 1 << 32 };

/// Builds the bot of a spec. A series reseeds it before every game.
fn make_bot(spec: &str, game: &Game) -> Result<Box<dyn Bot>, BotError> {
    motherlode_play::bot(spec, game, 0)
}

/// Checks the number of bots and builds each of them.
pub(crate) fn check(bots: &[String], game: &Game) -> Result<(), LabError> {
    if bots.is_empty() || bots.len() > MOST_BOTS {
        return Err(LabError::Bots(bots.len()));
    }
    for spec in bots {
        make_bot(spec, game)?;
    }
    Ok(())
}

impl Series {
    /// A series of one game, on one thread and without an opening.
    #[must_use]
    pub fn new(game: (Game, Setup), bots: Vec<String>, seed: u64) -> Self {
        Self { game, others: Vec::new(), opening: 0, bots, seed, threads: 1, halt: None }
    }

    /// Estimates the cost of the bots.
    pub(crate) fn cost(&self) -> Option<RolloutCost> {
        RolloutCost::of(&self.game.0, &self.game.1, &self.bots)
    }

    /// Whether a block from an untrusted shard is valid as one of the first `blocks` blocks.
    pub(crate) fn is_possible(&self, block: &Block, blocks: u64) -> bool {
        let is_spent = |spent: &TimeSpent| spent.time < MOST_SPENT.time && spent.decisions < MOST_SPENT.decisions;
        block.index < blocks
            && block.games.len() == self.versions().count()
            && block.games.iter().all(|games| games.len() <= self.blocks().games())
            && block.games.iter().flatten().all(|seated_game| self.is_possible_game(seated_game))
            && block.spent.len() == self.bots.len()
            && block.spent.iter().all(is_spent)
    }

    /// Whether a game from an untrusted shard is valid.
    pub(crate) fn is_possible_game(&self, seated_game: &SeatedGame) -> bool {
        let (game, Setup { players, .. }) = &self.game;
        let definitions = game.declarations().definitions.len();
        let of_all = |length: usize| length == usize::from(*players);
        let is_role = |role: &Option<usize>| role.is_none_or(|role| role < definitions);
        of_all(seated_game.bots.len())
            && seated_game.bots.iter().all(|bot| *bot < self.bots.len())
            && seated_game.roles.len() <= Roles::of(game, *players).names().len()
            && seated_game.roles.iter().all(|seats| of_all(seats.len()) && seats.iter().all(is_role))
            && seated_game.items.iter().all(|one| one.chosen <= one.offered)
            && seated_game.row.is_possible(*players)
    }

    /// Returns seeds and seatings.
    #[must_use]
    pub fn blocks(&self) -> Blocks {
        let (game, setup) = &self.game;
        let is_apart = game.declarations().outcome.shared;
        Blocks { seed: self.seed, bots: self.bots.len(), seats: usize::from(setup.players), is_apart }
    }

    /// Iterates over the versions: base, then changed ones.
    pub fn versions(&self) -> impl Iterator<Item = &(Game, Setup)> {
        std::iter::once(&self.game).chain(&self.others)
    }

    /// Returns the items that differ between the versions.
    #[must_use]
    pub fn changed_items(&self) -> Vec<ChangedItem> {
        changed_items(&self.versions().map(|(game, _)| game).collect::<Vec<_>>())
    }

    /// Checks the bots in every version.
    ///
    /// # Errors
    /// A bot spec is invalid, or the number of bots is out of range.
    pub fn check(&self) -> Result<(), LabError> {
        self.versions().try_for_each(|(game, _)| check(&self.bots, game))
    }

    /// Checks that the opening leaves answers to the bots.
    ///
    /// # Errors
    /// It is as long as some random games, or longer.
    pub fn check_opening(&self) -> Result<(), LabError> {
        let (opening, (game, setup)) = (self.opening, &self.game);
        if opening == 0 {
            return Ok(());
        }
        let (mut table, mut bots) = (Table::new(game, setup), vec![Random::new(0); setup.players.into()]);
        let length = |number| table.play(0, mix(self.seed, number), &mut bots, &mut ()).decisions;
        let longest = (0..SHORT_GAMES).map(length).max().unwrap_or(0);
        if opening < longest { Ok(()) } else { Err(LabError::Opening { opening, longest }) }
    }

    /// Whether the series was asked to end.
    #[must_use]
    pub fn is_halted(&self) -> bool {
        self.halt.is_some_and(|halt| halt.load(Ordering::Relaxed))
    }

    /// Plays a range of blocks. `sink` gets them in order. Play ends when `sink` breaks or the series is halted.
    ///
    /// # Errors
    /// A bot spec is invalid, or the threads cannot be started.
    pub fn play(&self, range: Range<u64>, sink: &mut dyn FnMut(Block) -> ControlFlow<()>) -> Result<(), LabError> {
        self.check()?;
        let blocks = self.blocks();
        let done = Work::large(range, threads(self.threads)).run(
            || Some(Worker::new(self)),
            |worker, index| worker.block(&blocks, index),
            |_| {},
            |done| {
                if done.into_iter().all(|block| block.is_some_and(|block| sink(block).is_continue())) {
                    Ok(())
                } else {
                    Err(())
                }
            },
        );
        // The sink returns an error to end early.
        let _ended_early = done.map_err(|error| LabError::Threads(error.to_string()))?;
        Ok(())
    }

    /// Plays blocks of the base with an observer for each thread. `begin` gets the bot specs before each game,
    /// `end` turns the game into a result. `sink` gets the results of each block, in order, and returns whether
    /// to continue.
    ///
    /// Play also ends when the series is halted. A block is dropped if `end` returns `None` for any of its
    /// games.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub fn each<W: Watch, T: Send>(
        &self,
        range: Range<u64>,
        new: impl Fn() -> W + Sync,
        begin: impl Fn(&mut W, Vec<String>) + Sync,
        end: impl Fn(&mut W, SeatedGame) -> Option<T> + Sync,
        mut sink: impl FnMut(Vec<T>) -> bool,
    ) -> Result<(), LabError> {
        let (game, setup) = &self.game;
        let blocks = self.blocks();
        let done = Work::large(range, threads(self.threads)).run(
            || Some((Table::new(game, setup).with_opening(self.opening), Pool::new(game), new())),
            |(table, pool, watch), index| {
                let mut found = Vec::new();
                for seating in blocks.seatings(index) {
                    if self.is_halted() {
                        return None;
                    }
                    let specs: Vec<String> = seating.iter().map(|bot| self.bots[*bot].clone()).collect();
                    // The specs were checked before.
                    let Ok(mut bots) = pool.take(specs.iter().map(String::as_str)) else { continue };
                    begin(watch, specs);
                    let row: GameRow = table.play(0, blocks.seed(index), &mut bots, watch);
                    pool.give(bots);
                    if table.is_cut() {
                        return None;
                    }
                    found.push(end(watch, SeatedGame { bots: seating, row, ..SeatedGame::default() })?);
                }
                Some(found)
            },
            |_| {},
            |done| if done.into_iter().all(|games| games.is_some_and(&mut sink)) { Ok(()) } else { Err(()) },
        );
        // The sink returns an error to end early.
        let _ended_early = done.map_err(|error| LabError::Threads(error.to_string()))?;
        Ok(())
    }

    /// Plays one game again with an observer: the given version, block and seating. Returns its setup and
    /// answers; `None` if there is no such game.
    ///
    /// # Errors
    /// A bot spec is invalid.
    pub fn replay(
        &self,
        version: usize,
        block: u64,
        turn: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<(Setup, Vec<motherlode::Answer>)>, LabError> {
        let blocks = self.blocks();
        let seatings = blocks.seatings(block);
        let (Some((game, setup)), Some(seating)) = (self.versions().nth(version), seatings.get(turn)) else {
            return Ok(None);
        };
        let game = game.unhalted();
        let mut table = Table::new(&game, setup).with_opening(self.opening);
        let mut bots = Vec::new();
        for bot in seating {
            bots.push(make_bot(&self.bots[*bot], &game)?);
        }
        table.play(0, blocks.seed(block), &mut bots, watch);
        Ok(table.last().map(|m| (m.setup().clone(), m.answers().to_vec())))
    }
}

/// Runs an experiment. `progress` gets the number of finished pieces and returns whether to continue.
pub fn run_experiment<E: Experiment>(
    experiment: &E,
    mut progress: impl FnMut(u64) -> bool,
) -> Result<E::Report, E::Error> {
    let mut done = 0;
    experiment.perform(&mut |_, _| {
        done += 1;
        if progress(done) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })
}

/// The tables and bots of one thread.
struct Worker<'s> {
    series: &'s Series,
    tables: Vec<(Table, VersionObserver, BaseIndices, Pool)>,
}

impl<'s> Worker<'s> {
    fn new(series: &'s Series) -> Self {
        let (base, setup) = &series.game;
        let base_roles = Roles::of(base, setup.players);
        let changed = series.changed_items();
        let table = |(version, (game, setup)): (usize, &(Game, Setup))| {
            let roles = Roles::of(game, setup.players);
            let indices = BaseIndices::of((base, &base_roles), (game, &roles));
            let items: Vec<Option<Item>> = changed.iter().map(|item| item.versions[version]).collect();
            let observers =
                VersionObserver { roles, uses: ItemUseCounter::new(game, &items), digest: GameDigest::default() };
            let table = Table::new(game, setup).with_opening(series.opening);
            (table, observers, indices, Pool::new(game))
        };
        let tables = series.versions().enumerate().map(table).collect();
        Self { series, tables }
    }

    /// Plays a block; `None` if the series was halted.
    fn block(&mut self, blocks: &Blocks, index: u64) -> Option<Block> {
        let seatings = blocks.seatings(index);
        let mut games = vec![Vec::new(); self.tables.len()];
        let mut spent = vec![TimeSpent::default(); self.series.bots.len()];
        for (turn, seating) in (0u64..).zip(seatings) {
            let number = index * blocks.games() as u64 + turn;
            for ((table, observers, indices, pool), games) in self.tables.iter_mut().zip(&mut games) {
                if self.series.is_halted() {
                    return None;
                }
                // The specs were checked before.
                let Ok(mut bots) = pool.take(seating.iter().map(|bot| self.series.bots[*bot].as_str())) else {
                    continue;
                };
                observers.begin();
                let row = table.play(number, blocks.seed(index), &mut bots, observers);
                if table.is_cut() {
                    return None;
                }
                for (bot, own) in seating.iter().zip(&bots) {
                    spent[*bot] += own.spent;
                }
                pool.give(bots);
                games.push(SeatedGame {
                    bots: seating.clone(),
                    roles: indices.translate(observers.roles.take()),
                    items: observers.uses.uses(),
                    digest: observers.digest.value(),
                    row,
                });
            }
        }
        Some(Block { index, games, spent })
    }
}

/// Observes a game of one version.
struct VersionObserver {
    roles: Roles,
    uses: ItemUseCounter,
    digest: GameDigest,
}

impl VersionObserver {
    fn begin(&mut self) {
        self.roles.begin();
        self.uses.begin();
        self.digest.begin();
    }
}

impl Watch for VersionObserver {
    fn chosen(&mut self, m: &Match, decision: Decision, choice: usize) {
        self.roles.chosen(m, decision, choice);
        self.uses.chosen(m, decision, choice);
        self.digest.chosen(m, decision, choice);
    }

    fn accepted(&mut self, m: &Match) {
        self.uses.accepted(m);
    }

    fn ended(&mut self, m: &Match) {
        self.roles.ended(m);
        self.digest.ended(m);
    }
}

/// Bots for reuse: building a bot may take longer than a game.
pub struct Pool {
    game: Game,
    free: BTreeMap<String, Vec<TimedBot>>,
}

impl Pool {
    /// Creates an empty pool for a game.
    pub fn new(game: &Game) -> Self {
        Self { game: game.clone(), free: BTreeMap::new() }
    }

    /// Takes a bot for each spec, and builds missing ones.
    pub fn take<'s>(&mut self, specs: impl IntoIterator<Item = &'s str>) -> Result<Vec<TimedBot>, BotError> {
        let one = |spec: &str| match self.free.get_mut(spec).and_then(Vec::pop) {
            Some(bot) => Ok(bot),
            None => {
                Ok(TimedBot { spec: spec.to_owned(), bot: make_bot(spec, &self.game)?, spent: TimeSpent::default() })
            }
        };
        specs.into_iter().map(one).collect()
    }

    /// Returns bots to the pool.
    pub fn give(&mut self, bots: Vec<TimedBot>) {
        for mut bot in bots {
            bot.spent = TimeSpent::default();
            self.free.entry(bot.spec.clone()).or_default().push(bot);
        }
    }
}

/// A bot with a clock.
pub struct TimedBot {
    spec: String,
    bot: Box<dyn Bot>,
    spent: TimeSpent,
}

impl TimedBot {
    fn timed(&mut self, choose: impl FnOnce(&mut dyn Bot) -> Result<usize, MatchError>) -> Result<usize, MatchError> {
        let start = ThreadTime::now();
        let chosen = choose(&mut *self.bot);
        self.spent.time += start.elapsed();
        self.spent.decisions += 1;
        chosen
    }
}

impl Bot for TimedBot {
    fn name(&self) -> &str {
        self.bot.name()
    }

    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError> {
        self.timed(|bot| bot.choose(m, d))
    }

    fn choose_among(&mut self, m: &Match, d: Decision, among: &[usize]) -> Result<usize, MatchError> {
        self.timed(|bot| bot.choose_among(m, d, among))
    }

    fn reseed(&mut self, seed: u64) {
        self.bot.reseed(seed);
    }
}
