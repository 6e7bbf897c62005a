//! Many matches at once, in arrays of the caller.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use motherlode::{ActionList, Game, Match, MatchError, Setup, Snapshot};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};

use super::desk::with_match;
use super::utility::Utility;
use super::{ActionError, Environment};
use crate::bots::bot::Bot;
use crate::bots::spec::{BotError, bot};
use crate::observation::ShownObservation;
use crate::seeds::mix;

/// Environments of a piece of work: pieces differ in cost, and threads take them one by one.
const PIECE: usize = 64;

/// Actions from which on a mask changes only where it must; a shorter one is cleared.
const LONG: usize = 1024;

/// The matches of a [`Vector`].
#[derive(Debug, Clone)]
pub struct VectorOptions {
    /// Number of environments.
    pub environments: usize,
    /// Match `k` of environment `i` has the seed [`mix`]`(`[`mix`]`(seed, i), k)`.
    pub seed: u64,
    /// Bot specs of the seats that the caller does not play: none, one for all of them, or one for each. The caller
    /// then plays one seat, which changes with every match.
    pub opponents: Vec<String>,
    /// Number of threads. The results do not depend on it.
    pub threads: usize,
    /// Whether the last observation of each match is kept: see [`Vector::final_observation`].
    pub final_observation: bool,
}

/// The arrays that a step writes: one row for each environment.
///
/// Of `observation` and `mask`, a step writes only what has changed since the last call. Pass the same arrays, and write
/// nothing into them; after other arrays, or after [`Vector::reset`], all of their numbers are written.
#[derive(Debug)]
pub struct StepArrays<'a> {
    /// Observations of the deciding seats.
    pub observation: &'a mut [f32],
    /// For each action, whether the deciding seat may choose it.
    pub mask: &'a mut [bool],
    /// The utility of each seat if its match has just ended; otherwise 0.
    pub reward: &'a mut [f32],
    /// Whether a match has just ended; the other arrays then describe the first decision of the next one.
    pub done: &'a mut [bool],
    /// Whether a match has just ended because it reached the maximum number of decisions, without an outcome.
    pub truncated: &'a mut [bool],
    /// The deciding seat, from 0.
    pub seat: &'a mut [i32],
}

/// An error of a [`Vector`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VectorError {
    /// Number of environments or threads that is not possible.
    #[error("{0}")]
    Options(String),
    /// A bot spec names no bot.
    #[error(transparent)]
    Bot(#[from] BotError),
    /// An array has another length.
    #[error("`{array}` has {given} elements: use {wanted}")]
    Length {
        /// The array.
        array: &'static str,
        /// Its length.
        given: usize,
        /// The needed length.
        wanted: usize,
    },
    /// No match has begun.
    #[error("call `reset` before `step`")]
    NotReset,
    /// An action is not legal. No environment has changed.
    #[error("environment {environment}: {error}")]
    Action {
        /// The environment, from 0.
        environment: usize,
        /// The error.
        error: ActionError,
    },
    /// A script failed, in the environment with the lowest number. It waits before the failing answer.
    #[error("environment {environment}: {error}")]
    Match {
        /// The environment, from 0.
        environment: usize,
        /// The error.
        error: MatchError,
    },
}

/// Many matches of one game, which a program plays at once.
///
/// A finished match is followed by the next one.
#[derive(Debug)]
pub struct Vector {
    environment: Arc<Environment>,
    options: VectorOptions,
    /// `None`: the calling thread does all the work.
    pool: Option<ThreadPool>,
    places: Vec<Place>,
    is_ready: bool,
}

/// One environment.
#[derive(Debug, Default, Clone)]
struct Place {
    snapshot: Snapshot,
    /// Seed of this environment.
    seed: u64,
    /// Matches begun.
    matches: u64,
    /// Answers in this match.
    decisions: u32,
    /// The seat of the caller, if bots play the others.
    own: Option<u8>,
    list: ActionList,
    /// The choice of the next step.
    choice: usize,
    /// The choices of this match so far, in order.
    choices: Vec<u16>,
    shown: Shown,
    /// The last observation of the last match that ended, if it is kept.
    last: Vec<f32>,
}

/// The contents of the rows of an environment.
#[derive(Debug, Default, Clone)]
struct Shown {
    /// Addresses of its observation and mask; 0: none.
    rows: (usize, usize),
    observation: ShownObservation,
    /// The legal actions in a long mask.
    mask: Vec<u32>,
}

/// The match of one environment of a [`Vector`], as plain data: for [`Vector::resume`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceRecord {
    /// Seed of the environment.
    seed: u64,
    /// Matches begun.
    matches: u64,
    /// The choices of the last match.
    choices: Vec<u16>,
}

/// One environment with its rows.
struct Row<'a> {
    place: &'a mut Place,
    observation: &'a mut [f32],
    mask: &'a mut [bool],
    reward: &'a mut [f32],
    done: &'a mut bool,
    truncated: &'a mut bool,
    seat: &'a mut i32,
}

impl Row<'_> {
    /// Tells of no end.
    fn clear(&mut self) {
        self.reward.fill(0.0);
        (*self.done, *self.truncated) = (false, false);
    }
}

/// The constant parts of the work of all threads.
#[derive(Clone, Copy)]
struct Work<'a> {
    environment: &'a Environment,
    options: &'a VectorOptions,
}

impl Vector {
    /// Prepares environments; [`reset`](Self::reset) begins their matches.
    ///
    /// # Errors
    /// No environment, too many threads, or an unknown bot.
    pub fn new(environment: Arc<Environment>, options: VectorOptions) -> Result<Self, VectorError> {
        let players = usize::from(environment.setup.players);
        if options.environments == 0 {
            return Err(VectorError::Options("`num_envs` is 0: use 1 or more".to_owned()));
        }
        if environment.actions.is_empty() {
            return Err(VectorError::Options("the game asks nothing: it has no action".to_owned()));
        }
        let given = options.opponents.len();
        if given > 1 && given + 1 != players {
            let message = format!("{given} opponents for {players} players: give one for all, or {}", players - 1);
            return Err(VectorError::Options(message));
        }
        for spec in &options.opponents {
            bot(spec, &environment.game, 0)?;
        }
        let pool = match options.threads {
            0 | 1 => None,
            threads => {
                let pool = ThreadPoolBuilder::new().num_threads(threads).build();
                Some(pool.map_err(|error| VectorError::Options(format!("cannot start {threads} threads: {error}")))?)
            }
        };
        let places = vec![Place::default(); options.environments];
        // The estimate needs matches, and a step has one in use.
        let _ = environment.max_length();
        Ok(Self { environment, options, pool, places, is_ready: false })
    }

    /// The environment.
    #[must_use]
    pub fn environment(&self) -> &Arc<Environment> {
        &self.environment
    }

    /// The options, with the seed of the last reset.
    #[must_use]
    pub fn options(&self) -> &VectorOptions {
        &self.options
    }

    /// The last observation of the last match that ended in an environment, of the seat that answered last for the
    /// caller; empty if none has ended, or if observations are not kept.
    #[must_use]
    pub fn final_observation(&self, environment: usize) -> &[f32] {
        self.places.get(environment).map_or(&[], |place| &place.last)
    }

    /// Number of environments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no environment. There always is one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Begins the first match of every environment; `seed` replaces the seed of the options.
    ///
    /// # Errors
    /// An array has another length, or a script fails.
    pub fn reset(&mut self, seed: Option<u64>, arrays: StepArrays<'_>) -> Result<(), VectorError> {
        self.check(&arrays)?;
        self.options.seed = seed.unwrap_or(self.options.seed);
        for (place, number) in self.places.iter_mut().zip(0..) {
            *place = Place { seed: mix(self.options.seed, number), ..std::mem::take(place) };
            (place.matches, place.decisions) = (0, 0);
        }
        self.is_ready = false;
        self.run(arrays, |work, m, row| {
            row.clear();
            work.begin(m, row.place)?;
            work.finish(m, row)
        })?;
        self.is_ready = true;
        Ok(())
    }

    /// The matches of all environments, to [`resume`](Self::resume) them elsewhere; `None` before the first reset.
    #[must_use]
    pub fn record(&self) -> Option<Vec<PlaceRecord>> {
        let record = |place: &Place| {
            let Place { seed, matches, choices, .. } = place;
            PlaceRecord { seed: *seed, matches: *matches, choices: choices.clone() }
        };
        self.is_ready.then(|| self.places.iter().map(record).collect())
    }

    /// Continues recorded matches of the same game, opponents and number of environments. Writes all arrays but the
    /// rewards and ends of the last step.
    ///
    /// # Errors
    /// An array or the record has another length, or the choices do not fit the game: `reset` is needed then.
    pub fn resume(&mut self, record: Vec<PlaceRecord>, arrays: StepArrays<'_>) -> Result<(), VectorError> {
        self.check(&arrays)?;
        check_length("record", record.len(), self.len())?;
        self.is_ready = false;
        for (place, PlaceRecord { seed, matches, choices }) in self.places.iter_mut().zip(record) {
            *place = Place { seed, matches, choices, ..Place::default() };
        }
        self.run(arrays, |work, m, row| {
            work.play_again(m, row.place)?;
            work.finish(m, row)
        })?;
        self.is_ready = true;
        Ok(())
    }

    /// Answers the decision of every environment.
    ///
    /// # Errors
    /// An action is not legal or an array has another length: nothing has changed. Or a script fails.
    pub fn step(&mut self, actions: &[i64], arrays: StepArrays<'_>) -> Result<(), VectorError> {
        if !self.is_ready {
            return Err(VectorError::NotReset);
        }
        self.check(&arrays)?;
        check_length("actions", actions.len(), self.len())?;
        for (environment, (place, &action)) in self.places.iter_mut().zip(actions).enumerate() {
            let choice = self.environment.choice(action, &place.list.actions);
            place.choice = choice.map_err(|error| VectorError::Action { environment, error })?;
        }
        self.run(arrays, |work, m, row| work.step(m, row))
    }

    fn check(&self, arrays: &StepArrays<'_>) -> Result<(), VectorError> {
        let (len, environment) = (self.len(), &self.environment);
        check_length("observation", arrays.observation.len(), len * environment.observations.len())?;
        check_length("mask", arrays.mask.len(), len * environment.actions.len())?;
        check_length("reward", arrays.reward.len(), len * usize::from(environment.setup.players))?;
        check_length("done", arrays.done.len(), len)?;
        check_length("truncated", arrays.truncated.len(), len)?;
        check_length("seat", arrays.seat.len(), len)
    }

    /// Runs `each` for every environment. If some fail, the others are done nonetheless.
    fn run(
        &mut self,
        arrays: StepArrays<'_>,
        each: impl Fn(Work<'_>, &mut Match, &mut Row<'_>) -> Result<(), MatchError> + Sync,
    ) -> Result<(), VectorError> {
        let environment = &*self.environment;
        let work = Work { environment, options: &self.options };
        let (width, actions) = (environment.observations.len(), environment.actions.len());
        let players = usize::from(environment.setup.players);
        let pieces = self.places.chunks_mut(PIECE).zip(arrays.observation.chunks_mut(PIECE * width));
        let pieces = pieces.zip(arrays.mask.chunks_mut(PIECE * actions)).zip(arrays.reward.chunks_mut(PIECE * players));
        let flags = arrays.done.chunks_mut(PIECE).zip(arrays.truncated.chunks_mut(PIECE));
        let pieces = pieces.zip(flags).zip(arrays.seat.chunks_mut(PIECE)).enumerate();
        let pieces = pieces.map(|(number, (((((places, observation), mask), reward), (done, truncated)), seat))| {
            (number * PIECE, places, StepArrays { observation, mask, reward, done, truncated, seat })
        });
        let run = |(first, places, arrays): (usize, &mut [Place], StepArrays<'_>)| {
            let rows = places.iter_mut().zip(arrays.observation.chunks_mut(width));
            let rows = rows.zip(arrays.mask.chunks_mut(actions)).zip(arrays.reward.chunks_mut(players));
            let rows = rows.zip(arrays.done.iter_mut().zip(arrays.truncated)).zip(arrays.seat);
            let rows = rows.map(|(((((place, observation), mask), reward), (done, truncated)), seat)| Row {
                place,
                observation,
                mask,
                reward,
                done,
                truncated,
                seat,
            });
            work.run(first, rows, &each)
        };
        match &self.pool {
            None => pieces.map(run).fold(Ok(()), Result::and),
            Some(pool) => {
                let pieces: Vec<_> = pieces.collect();
                let done: Vec<_> = pool.install(|| pieces.into_par_iter().map(run).collect());
                done.into_iter().fold(Ok(()), Result::and)
            }
        }
    }
}

impl Work<'_> {
    fn run<'a>(
        self,
        first: usize,
        rows: impl Iterator<Item = Row<'a>>,
        each: &impl Fn(Self, &mut Match, &mut Row<'_>) -> Result<(), MatchError>,
    ) -> Result<(), VectorError> {
        let Environment { game, setup, .. } = self.environment;
        let mut failed = None;
        let done = with_match(game, setup, false, |m, at| {
            *at = 0;
            m.set_recording(false);
            for (mut row, environment) in rows.zip(first..) {
                if let Err(error) = each(self, m, &mut row) {
                    failed = failed.take().or(Some(VectorError::Match { environment, error }));
                }
            }
            Ok::<(), MatchError>(())
        });
        done.map_err(|error| VectorError::Match { environment: first, error })?;
        failed.map_or(Ok(()), Err)
    }

    fn step(self, m: &mut Match, row: &mut Row<'_>) -> Result<(), MatchError> {
        row.clear();
        let Place { matches, decisions, own, ref choices, .. } = *row.place;
        let count = choices.len();
        if let Err(error) = self.advance(m, row) {
            // The environment waits where it was.
            row.clear();
            let place = &mut *row.place;
            (place.matches, place.decisions, place.own) = (matches, decisions, own);
            place.choices.truncate(count);
            m.restore(&place.snapshot)?;
            self.environment.list(m, &mut place.list)?;
            return Err(error);
        }
        m.snapshot_into(&mut row.place.snapshot);
        self.show(m, row);
        Ok(())
    }

    /// Answers a decision and plays on to the next one.
    fn advance(self, m: &mut Match, row: &mut Row<'_>) -> Result<(), MatchError> {
        let place = &mut *row.place;
        m.restore(&place.snapshot)?;
        let seat = m.decision().map_or(0, |decision| decision.seat);
        place.answer(m, place.choice)?;
        self.play_others(m, place)?;
        if !m.is_over() && !self.is_cut(place) {
            return self.environment.list(m, &mut place.list);
        }
        (*row.done, *row.truncated) = (true, !m.is_over());
        for (seat, reward) in (0..).zip(row.reward.iter_mut()) {
            *reward = Utility::of(m, seat) as f32;
        }
        if self.options.final_observation {
            place.last.resize(self.environment.observations.len(), 0.0);
            self.environment.observations.write(m, seat, &mut place.last);
        }
        let choices = std::mem::take(&mut place.choices);
        let begun = self.begin(m, place).and_then(|()| self.environment.list(m, &mut place.list));
        if begun.is_err() {
            place.choices = choices;
        }
        begun
    }

    /// Ends the beginning of a match: lists its actions, and takes and shows its position.
    fn finish(self, m: &mut Match, row: &mut Row<'_>) -> Result<(), MatchError> {
        self.environment.list(m, &mut row.place.list)?;
        m.snapshot_into(&mut row.place.snapshot);
        row.place.shown.rows = (0, 0);
        self.show(m, row);
        Ok(())
    }

    fn is_cut(self, place: &Place) -> bool {
        place.decisions as usize >= self.environment.max_length()
    }

    /// Begins the next match. A match without a decision of the caller is skipped.
    fn begin(self, m: &mut Match, place: &mut Place) -> Result<(), MatchError> {
        /// Maximum matches in a row that are skipped.
        const MOST: usize = 1000;
        for _ in 0..MOST {
            place.matches += 1;
            self.restart(m, place)?;
            place.choices.clear();
            place.decisions = 0;
            self.play_others(m, place)?;
            if !m.is_over() {
                return Ok(());
            }
        }
        Err(MatchError::Position(format!("{MOST} matches in a row have ended before a decision of the program")))
    }

    /// Sets the match to the beginning of the last one of an environment.
    fn restart(self, m: &mut Match, place: &mut Place) -> Result<(), MatchError> {
        let (last, players) = (place.matches.wrapping_sub(1), u64::from(self.environment.setup.players));
        place.own = None;
        if !self.options.opponents.is_empty() {
            place.own = u8::try_from(place.seed.wrapping_add(last) % players).ok();
        }
        m.restart(&Setup { seed: mix(place.seed, last), ..self.environment.setup.clone() })
    }

    /// Repeats the choices of a record.
    fn play_again(self, m: &mut Match, place: &mut Place) -> Result<(), MatchError> {
        self.restart(m, place)?;
        for choice in std::mem::take(&mut place.choices) {
            place.answer(m, choice.into())?;
        }
        match m.decision() {
            Some(decision) if place.own.is_none_or(|own| own == decision.seat) => Ok(()),
            _ => Err(MatchError::Position("the record leads to no decision of the program".to_owned())),
        }
    }

    /// Lets the bots answer until it is the caller's turn.
    fn play_others(self, m: &mut Match, place: &mut Place) -> Result<(), MatchError> {
        let Some(own) = place.own else { return Ok(()) };
        while let Some(decision) = m.decision().filter(|decision| decision.seat != own) {
            let players = self.environment.setup.players;
            let number = usize::from((decision.seat + players - own) % players) - 1;
            let opponents = &self.options.opponents;
            let spec = opponents.get(number).or(opponents.first()).map_or("", String::as_str);
            let seed = mix(mix(place.seed, place.matches), u64::from(place.decisions));
            let choice = with_bot(spec, &self.environment.game, seed, |bot| bot.choose(m, decision))?;
            place.answer(m, choice)?;
            if self.is_cut(place) {
                break;
            }
        }
        Ok(())
    }

    /// Writes the rows of an environment.
    fn show(self, m: &Match, row: &mut Row<'_>) {
        let Place { list, shown: Shown { rows, observation, mask }, .. } = &mut *row.place;
        let here = (row.observation.as_ptr().addr(), row.mask.as_ptr().addr());
        if *rows != here {
            *rows = here;
            observation.forget();
            mask.clear();
            row.mask.fill(false);
        }
        if row.mask.len() < LONG {
            row.mask.fill(false);
        } else {
            mask.drain(..).for_each(|action| row.mask[action as usize] = false);
            mask.extend(list.actions.iter().flatten());
        }
        for &action in list.actions.iter().flatten() {
            row.mask[action as usize] = true;
        }
        let seat = m.decision().map_or(0, |decision| decision.seat);
        *row.seat = seat.into();
        self.environment.observations.update(m, seat, observation, row.observation);
    }
}

impl Place {
    /// Answers the decision of its match.
    fn answer(&mut self, m: &mut Match, choice: usize) -> Result<(), MatchError> {
        m.answer(choice)?;
        self.decisions += 1;
        // The engine counts choices by 16 bits as well.
        self.choices.push(choice as u16);
        Ok(())
    }
}

thread_local! {
    /// The bots of this thread, by game and spec.
    static BOTS: RefCell<BTreeMap<(String, String), Box<dyn Bot>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Runs `work` with this thread's bot of a spec, after giving it a seed.
///
/// # Errors
/// The spec names no bot, or as `work`.
pub fn with_bot<R>(
    spec: &str,
    game: &Game,
    seed: u64,
    work: impl FnOnce(&mut dyn Bot) -> Result<R, MatchError>,
) -> Result<R, MatchError> {
    let key = (game.fingerprint().to_owned(), spec.to_owned());
    let kept = BOTS.with_borrow_mut(|bots| bots.remove(&key));
    let mut bot = match kept {
        Some(bot) => bot,
        None => bot(spec, game, seed).map_err(|error| MatchError::Position(error.to_string()))?,
    };
    bot.reseed(seed);
    let done = work(&mut *bot);
    // A bot whose choice failed or was halted may be in the middle of a search.
    if done.is_ok() {
        BOTS.with_borrow_mut(|bots| bots.insert(key, bot));
    }
    done
}

fn check_length(array: &'static str, given: usize, wanted: usize) -> Result<(), VectorError> {
    if given == wanted { Ok(()) } else { Err(VectorError::Length { array, given, wanted }) }
}
