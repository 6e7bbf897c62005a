//! Blocks of games by bots, on all cores, in order.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cpu_time::ThreadTime;
use motherlode::{Decision, Game, Match, MatchError, Setup};
use motherlode_play::{Bot, BotError, Experiment, GameRow, RolloutCost, Table, Watch, Work, threads};
use serde::{Deserialize, Serialize};

use crate::blocks::Blocks;
use crate::role::{Numbers, Roles};

/// Blocks of one game, or of two versions of it that are played side by side with the same seeds, seatings and bots.
#[derive(Clone)]
pub struct Series {
    /// The game and its setup, whose seed is not used.
    pub game: (Game, Setup),
    /// Another version of it.
    pub other: Option<(Game, Setup)>,
    /// Bot specs.
    pub bots: Vec<String>,
    /// Seed of the experiment.
    pub seed: u64,
    /// Number of threads; 0 for one per core. Results do not depend on it.
    pub threads: usize,
    /// Once this is set, whatever plays ends with the games at hand, and what is not a whole block is given up.
    pub halt: Option<&'static AtomicBool>,
}

/// The games of a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// Its number.
    pub index: u64,
    /// Its games, by version.
    pub games: Vec<Vec<Sitting>>,
    /// What each bot has spent on them. This is measured, so it differs from run to run.
    pub spent: Vec<Spent>,
}

impl Block {
    /// Its games with their versions and seatings, from 0.
    pub fn all(&self) -> impl Iterator<Item = (usize, usize, &Sitting)> {
        self.games
            .iter()
            .enumerate()
            .flat_map(|(version, games)| games.iter().enumerate().map(move |(turn, game)| (version, turn, game)))
    }
}

/// One game of a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sitting {
    /// The bot of each seat (indices into the bots of the series).
    pub bots: Vec<usize>,
    /// What each seat was (indices of definitions), by place that may say so; in the numbers of the game of the series, not of the other
    /// version.
    pub roles: Vec<Vec<Option<usize>>>,
    /// How it went.
    #[serde(flatten)]
    pub row: GameRow,
}

/// Why an experiment could not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// A bot spec does not name a bot.
    #[error(transparent)]
    Bot(#[from] BotError),
    /// No bots, or too many.
    #[error("give 1 to {MOST_BOTS} bots, not {0}")]
    Bots(usize),
    /// A spec without a number cannot be doubled.
    #[error("`{0}` has no budgets to double: a ladder is `rollout:2..32`, the smaller budget first and 1 at least")]
    Ladder(String),
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(String),
}

/// Most bots of a series: games of a block.
pub const MOST_BOTS: usize = 64;

/// Processor time that a bot took, and for how many decisions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Time of the thread that chose.
    pub time: Duration,
    /// Decisions.
    pub decisions: u64,
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, more: Self) {
        self.time += more.time;
        self.decisions += more.decisions;
    }
}

/// What a bot cannot spend on the games of a block: so sums of what others have written stay small.
const MOST_SPENT: Spent = Spent { time: Duration::from_secs(1 << 32), decisions: 1 << 32 };

/// The bot of a spec, for the games of this series.
fn make_bot(spec: &str, game: &Game) -> Result<Box<dyn Bot>, BotError> {
    motherlode_play::bot(spec, game, 0)
}

/// Whether there are such bots for a game, and not too many.
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
    /// What its bots cost.
    pub(crate) fn cost(&self) -> Option<RolloutCost> {
        RolloutCost::of(&self.game.0, &self.game.1, &self.bots)
    }

    /// Whether a block that somebody else has written can be one of the first so many.
    pub(crate) fn is_possible(&self, block: &Block, blocks: u64) -> bool {
        let is_spent = |spent: &Spent| spent.time < MOST_SPENT.time && spent.decisions < MOST_SPENT.decisions;
        block.index < blocks
            && block.games.len() == self.versions().count()
            && block.games.iter().all(|games| games.len() <= self.blocks().games())
            && block.games.iter().flatten().all(|sitting| self.is_possible_sitting(sitting))
            && block.spent.len() == self.bots.len()
            && block.spent.iter().all(is_spent)
    }

    /// Whether a game that somebody else has written can be one of these.
    pub(crate) fn is_possible_sitting(&self, sitting: &Sitting) -> bool {
        let (game, Setup { players, .. }) = &self.game;
        let definitions = game.declarations().definitions.len();
        let of_all = |length: usize| length == usize::from(*players);
        let is_role = |role: &Option<usize>| role.is_none_or(|role| role < definitions);
        of_all(sitting.bots.len())
            && sitting.bots.iter().all(|bot| *bot < self.bots.len())
            && sitting.roles.len() <= Roles::of(game, *players).names().len()
            && sitting.roles.iter().all(|seats| of_all(seats.len()) && seats.iter().all(is_role))
            && sitting.row.is_possible(*players)
    }

    /// Its blocks.
    #[must_use]
    pub fn blocks(&self) -> Blocks {
        Blocks { seed: self.seed, bots: self.bots.len(), seats: usize::from(self.game.1.players) }
    }

    /// The versions of the game.
    pub fn versions(&self) -> impl Iterator<Item = &(Game, Setup)> {
        std::iter::once(&self.game).chain(&self.other)
    }

    /// Whether there are such bots, and not too many.
    ///
    /// # Errors
    /// There are not.
    pub fn check(&self) -> Result<(), LabError> {
        self.versions().try_for_each(|(game, _)| check(&self.bots, game))
    }

    /// Whether somebody wants it to end.
    #[must_use]
    pub fn is_halted(&self) -> bool {
        self.halt.is_some_and(|halt| halt.load(Ordering::Relaxed))
    }

    /// Plays a range of blocks; `sink` gets them in order until it breaks off, or the series is halted.
    ///
    /// # Errors
    /// When a bot does not exist or the threads cannot be started.
    pub fn play(&self, range: Range<u64>, sink: &mut dyn FnMut(Block) -> ControlFlow<()>) -> Result<(), LabError> {
        self.check()?;
        let blocks = self.blocks();
        let done = Work::large(range, threads(self.threads)).run(
            || Some(Room::new(self)),
            |room, index| room.block(&blocks, index),
            |_| {},
            |done| {
                if done.into_iter().all(|block| block.is_some_and(|block| sink(block).is_continue())) {
                    Ok(())
                } else {
                    Err(())
                }
            },
        );
        // An error of the sink is its wish to end.
        let _ended_early = done.map_err(|error| LabError::Threads(error.to_string()))?;
        Ok(())
    }

    /// Plays blocks, each game watched by what belongs to the thread; `sink` gets what was made of the games of each block, in order,
    /// and says whether to go on. It ends early, too, if the series is halted; a block of which nothing is made of a game is given up.
    ///
    /// # Errors
    /// The threads could not be started.
    pub fn each<W: Watch, T: Send>(
        &self,
        range: Range<u64>,
        new: impl Fn() -> W + Sync,
        begin: impl Fn(&mut W, Vec<String>) + Sync,
        end: impl Fn(&mut W, Sitting) -> Option<T> + Sync,
        mut sink: impl FnMut(Vec<T>) -> bool,
    ) -> Result<(), LabError> {
        let (game, setup) = &self.game;
        let blocks = self.blocks();
        let done = Work::large(range, threads(self.threads)).run(
            || Some((Table::new(game, setup), Pool::new(game), new())),
            |(table, pool, watch), index| {
                let mut found = Vec::new();
                for seating in blocks.seatings(index) {
                    if self.is_halted() {
                        return None;
                    }
                    let specs: Vec<String> = seating.iter().map(|bot| self.bots[*bot].clone()).collect();
                    // The specs have been checked.
                    let Ok(mut bots) = pool.take(specs.iter().map(String::as_str)) else { continue };
                    begin(watch, specs);
                    let row: GameRow = table.play(0, blocks.seed(index), &mut bots, watch);
                    pool.give(bots);
                    if table.is_cut() {
                        return None;
                    }
                    found.push(end(watch, Sitting { bots: seating, roles: Vec::new(), row })?);
                }
                Some(found)
            },
            |_| {},
            |done| if done.into_iter().all(|games| games.is_some_and(&mut sink)) { Ok(()) } else { Err(()) },
        );
        // An error of the sink is its wish to end.
        let _ended_early = done.map_err(|error| LabError::Threads(error.to_string()))?;
        Ok(())
    }

    /// Plays one game of a version again, watched: of which block, in which seating.
    ///
    /// # Errors
    /// When a bot does not exist.
    pub fn again(
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
        let mut table = Table::new(&game, setup);
        let mut bots = Vec::new();
        for bot in seating {
            bots.push(make_bot(&self.bots[*bot], &game)?);
        }
        table.play(0, blocks.seed(block), &mut bots, watch);
        Ok(table.last().map(|m| (m.setup().clone(), m.answers().to_vec())))
    }
}

/// Plays all of an experiment. `progress` gets the number of pieces done, and says whether to go on.
pub fn counted<E: Experiment>(experiment: &E, mut progress: impl FnMut(u64) -> bool) -> Result<E::Report, E::Error> {
    let mut done = 0;
    experiment.perform(&mut |_, _| {
        done += 1;
        if progress(done) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })
}

/// Where one thread plays.
struct Room<'s> {
    series: &'s Series,
    tables: Vec<(Table, Roles, Numbers, Pool)>,
}

impl<'s> Room<'s> {
    fn new(series: &'s Series) -> Self {
        let (base, setup) = &series.game;
        let base_roles = Roles::of(base, setup.players);
        let table = |(game, setup): &(Game, Setup)| {
            let roles = Roles::of(game, setup.players);
            let numbers = Numbers::of((base, &base_roles), (game, &roles));
            (Table::new(game, setup), roles, numbers, Pool::new(game))
        };
        let tables = series.versions().map(table).collect();
        Self { series, tables }
    }

    /// `None`: the series was halted.
    fn block(&mut self, blocks: &Blocks, index: u64) -> Option<Block> {
        let seatings = blocks.seatings(index);
        let mut games = vec![Vec::new(); self.tables.len()];
        let mut spent = vec![Spent::default(); self.series.bots.len()];
        for (turn, seating) in (0u64..).zip(seatings) {
            let number = index * blocks.games() as u64 + turn;
            for ((table, roles, numbers, pool), games) in self.tables.iter_mut().zip(&mut games) {
                if self.series.is_halted() {
                    return None;
                }
                // The specs have been checked.
                let Ok(mut bots) = pool.take(seating.iter().map(|bot| self.series.bots[*bot].as_str())) else {
                    continue;
                };
                roles.begin();
                let row = table.play(number, blocks.seed(index), &mut bots, roles);
                if table.is_cut() {
                    return None;
                }
                for (bot, own) in seating.iter().zip(&bots) {
                    spent[*bot] += own.spent;
                }
                pool.give(bots);
                games.push(Sitting { bots: seating.clone(), roles: numbers.translate(roles.take()), row });
            }
        }
        Some(Block { index, games, spent })
    }
}

/// Bots that are used again: making one may take longer than most games.
pub struct Pool {
    game: Game,
    free: BTreeMap<String, Vec<Timed>>,
}

impl Pool {
    /// Bots for games of this one.
    pub fn new(game: &Game) -> Self {
        Self { game: game.clone(), free: BTreeMap::new() }
    }

    /// A bot for each spec.
    pub fn take<'s>(&mut self, specs: impl IntoIterator<Item = &'s str>) -> Result<Vec<Timed>, BotError> {
        let one = |spec: &str| match self.free.get_mut(spec).and_then(Vec::pop) {
            Some(bot) => Ok(bot),
            None => Ok(Timed { spec: spec.to_owned(), bot: make_bot(spec, &self.game)?, spent: Spent::default() }),
        };
        specs.into_iter().map(one).collect()
    }

    /// Takes them back.
    pub fn give(&mut self, bots: Vec<Timed>) {
        for mut bot in bots {
            bot.spent = Spent::default();
            self.free.entry(bot.spec.clone()).or_default().push(bot);
        }
    }
}

/// A bot whose time is taken.
pub struct Timed {
    spec: String,
    bot: Box<dyn Bot>,
    spent: Spent,
}

impl Bot for Timed {
    fn name(&self) -> &str {
        self.bot.name()
    }

    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError> {
        let start = ThreadTime::now();
        let chosen = self.bot.choose(m, d);
        self.spent.time += start.elapsed();
        self.spent.decisions += 1;
        chosen
    }

    fn reseed(&mut self, seed: u64) {
        self.bot.reseed(seed);
    }
}
