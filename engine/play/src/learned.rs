//! The bot that plays by a learned value, one step ahead.

use std::path::Path;
use std::sync::Arc;

use motherlode::{Decision, Game, Match, MatchError, Snapshot};
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::bot::{Bot, all, any};
use crate::features::Features;
use crate::playout::DECISION_LIMIT;
use crate::reuse::own_match;
use crate::reward::reward;
use crate::value::{Input, MOST_BYTES, Origin, ValueError, Weights, read};

/// Positions that are looked up for a decision, if there are fewer choices than that.
const POSITIONS: usize = 24;
/// Most deals of which a decision is the mean.
const DEALS: usize = 4;

/// Looks positions up.
#[derive(Clone)]
pub(crate) struct Evaluator {
    features: Arc<Features>,
    weights: Arc<Weights>,
    seen: Vec<f32>,
    input: Input,
}

impl Evaluator {
    pub fn new(features: Arc<Features>, weights: Arc<Weights>) -> Self {
        Self { features, weights, seen: Vec::new(), input: Input::default() }
    }

    /// What a position is worth to a seat; if the match is over, what its result is.
    pub fn value(&mut self, m: &Match, seat: u8) -> f64 {
        if let Some(outcome) = m.outcome() {
            return reward(&m.game().declarations().outcome, &outcome, seat);
        }
        self.features.fill(m, seat, &mut self.seen);
        self.weights.enter(&self.seen, &mut self.input);
        f64::from(self.weights.value(&self.input))
    }

    /// What these features are worth.
    pub fn of(&mut self, seen: &[f32]) -> f64 {
        self.weights.enter(seen, &mut self.input);
        f64::from(self.weights.value(&self.input))
    }
}

/// A value from a file, ready for a game.
pub struct Value {
    evaluator: Evaluator,
    origin: Origin,
}

impl Value {
    /// Reads the text that `lode train` has written.
    ///
    /// # Errors
    /// The text is no value, or none of this game.
    pub fn read(game: &Game, text: &str) -> Result<Self, ValueError> {
        let features = Features::new(game);
        let (weights, origin) = read(text, &game.declarations().id, &features)?;
        Ok(Self { evaluator: Evaluator::new(Arc::new(features), Arc::new(weights)), origin })
    }

    /// Reads a file; the error is a message.
    pub(crate) fn open(game: &Game, path: &Path) -> Result<Self, String> {
        let size = std::fs::metadata(path).map_err(|error| format!("cannot be read: {error}"))?.len();
        if size > MOST_BYTES {
            return Err(ValueError::Foreign.to_string());
        }
        let bytes = std::fs::read(path).map_err(|error| format!("cannot be read: {error}"))?;
        let text = std::str::from_utf8(&bytes).map_err(|_| ValueError::Foreign.to_string())?;
        Self::read(game, text).map_err(|error| error.to_string())
    }

    /// How it came to be.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    pub(crate) fn evaluator(&self) -> Evaluator {
        self.evaluator.clone()
    }
}

/// Takes the choice after which the position is worth most, by a value that was learned: `learned:FILE`.
///
/// The position after a choice is looked up as soon as all questions that are asked at once are answered; the others answer at random. It
/// is the mean over a few determinizations (see [`Bot`]), the fewer the more choices there are. Features are read from these alone, and of
/// them only what the seat sees.
pub struct Learned {
    name: String,
    evaluator: Evaluator,
    generator: Pcg64Mcg,
    most_deals: usize,
    /// Also the questions in the middle of hooks are dealt again: that takes long.
    is_fair: bool,
    scratch: Option<Match>,
    root: Snapshot,
    sample: Snapshot,
}

impl Learned {
    /// A bot that plays by this value.
    #[must_use]
    pub fn new(name: String, value: &Value, seed: u64) -> Self {
        Self { name, most_deals: DEALS, is_fair: true, ..Self::for_training(value.evaluator()) }.seeded(seed)
    }

    /// Chooses by another value.
    pub(crate) fn choose_with(
        &mut self,
        evaluator: &mut Evaluator,
        m: &Match,
        d: Decision,
    ) -> Result<usize, MatchError> {
        std::mem::swap(&mut self.evaluator, evaluator);
        let chosen = self.choose(m, d);
        std::mem::swap(&mut self.evaluator, evaluator);
        chosen
    }

    /// A bot for self-play: one deal for a decision, and none in the middle of a hook. What it so learns of hidden things it cannot use
    /// later: only what came of the games is kept, and what its seats saw.
    pub(crate) fn for_training(evaluator: Evaluator) -> Self {
        Self {
            name: String::new(),
            evaluator,
            generator: Pcg64Mcg::seed_from_u64(0),
            most_deals: 1,
            is_fair: false,
            scratch: None,
            root: Snapshot::default(),
            sample: Snapshot::default(),
        }
    }

    fn seeded(mut self, seed: u64) -> Self {
        self.reseed(seed);
        self
    }

    /// What follows in the bot's own match from the answer that was just given; `None`: a script failed, or there was no end to the questions.
    fn look(own: &mut Match, seat: u8, evaluator: &mut Evaluator, generator: &mut Pcg64Mcg) -> Option<f64> {
        for _ in 0..DECISION_LIMIT {
            if !own.is_simultaneous() {
                return Some(evaluator.value(own, seat));
            }
            own.answer(any(own.choices().len(), generator)).ok()?;
        }
        None
    }
}

impl Bot for Learned {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError> {
        self.choose_among(m, d, &all(m))
    }

    fn choose_among(&mut self, m: &Match, d: Decision, among: &[usize]) -> Result<usize, MatchError> {
        let count = among.len();
        if count < 2 {
            return Ok(among.first().copied().unwrap_or(0));
        }
        let Self { evaluator, generator, most_deals, is_fair, scratch, root, sample, .. } = self;
        m.snapshot_into(root);
        let own = own_match(scratch, m)?;
        let mut totals = vec![(0.0, 0u32); count];
        for _ in 0..(POSITIONS / count).clamp(1, *most_deals) {
            own.restore(root)?;
            if *is_fair || !m.is_mid_hook() {
                match own.redeal(d.seat, &mut Pcg64Mcg::seed_from_u64(generator.next_u64())) {
                    Ok(_) => {}
                    Err(MatchError::NoDeal { .. }) => continue,
                    Err(error) => return Err(error),
                }
            }
            own.snapshot_into(sample);
            // The others answer alike after every choice.
            let luck = generator.next_u64();
            for (&choice, (total, looked)) in among.iter().zip(&mut totals) {
                own.restore(sample)?;
                if own.answer_as(d.seat, choice).is_err() {
                    continue;
                }
                if let Some(value) = Self::look(own, d.seat, evaluator, &mut Pcg64Mcg::seed_from_u64(luck)) {
                    *total += value;
                    *looked += 1;
                }
            }
        }
        let mean =
            |&(total, looked): &(f64, u32)| if looked == 0 { f64::NEG_INFINITY } else { total / f64::from(looked) };
        let best = (0..count).reduce(|one, other| if mean(&totals[other]) > mean(&totals[one]) { other } else { one });
        match best.filter(|&best| totals[best].1 > 0) {
            Some(best) => Ok(among[best]),
            None => Ok(among[any(count, generator)]),
        }
    }

    fn reseed(&mut self, seed: u64) {
        self.generator = Pcg64Mcg::seed_from_u64(seed);
    }
}
