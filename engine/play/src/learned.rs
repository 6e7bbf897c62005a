//! The bot that plays by a learned value, one step ahead.

use std::path::Path;
use std::sync::Arc;

use motherlode::{Decision, Game, Match, MatchError, Snapshot};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

use crate::bot::{Bot, all, any};
use crate::evaluator::Evaluator;
use crate::features::Features;
use crate::look::{Effort, Look};
use crate::reuse::own_match;
use crate::value::{Horizon, MOST_BYTES, Origin, ValueError, read};

/// For games.
pub(crate) const EFFORT: Effort = Effort { deals: 4, positions: 32, following: 48, is_fair: true };
/// For self-play: one deal for a decision, and none in the middle of a hook, where it takes long. What it so learns of hidden things it cannot use
/// later: only what came of the games is kept, and what its seats saw.
const IN_TRAINING: Effort = Effort { deals: 1, positions: 1, following: 20, is_fair: false };

/// A value from a file, ready for a game; or several, learned for other numbers of players.
#[derive(Clone)]
pub struct Value {
    /// One at least.
    parts: Arc<[Part]>,
}

/// What was learned for some numbers of players.
#[derive(Clone)]
pub(crate) struct Part {
    pub evaluator: Evaluator,
    pub horizon: Horizon,
    origin: Origin,
}

impl Value {
    /// Reads the text that `lode train` has written.
    ///
    /// # Errors
    /// The text is no value, or none of this game.
    pub fn read(game: &Game, text: &str) -> Result<Self, ValueError> {
        let features = Features::new(game);
        let features = Arc::new(features);
        let parts = read(text, &game.declarations().id, &features)?.into_iter().map(|(weights, horizon, origin)| {
            let evaluator = Evaluator::new(features.clone(), Arc::new(weights));
            Part { evaluator, horizon, origin }
        });
        Ok(Self { parts: parts.collect() })
    }

    /// Reads a file, or what comes with the game; the error is a message.
    pub(crate) fn open(game: &Game, path: Option<&Path>) -> Result<Self, String> {
        let Some(path) = path else {
            let id = &game.declarations().id;
            let text = game.learned().ok_or_else(|| {
                format!("nothing is learned of `{id}` yet; `lode train {id} --out content/{id}/learned.value` does")
            })?;
            return Self::read(game, text).map_err(|error| format!("content/{id}/learned.value: {error}"));
        };
        let failed = |error: &dyn std::fmt::Display| format!("`{}`: {error}", path.display());
        let unread = |error: std::io::Error| failed(&format!("cannot be read: {error}"));
        if std::fs::metadata(path).map_err(unread)?.len() > MOST_BYTES {
            return Err(failed(&ValueError::Foreign));
        }
        let bytes = std::fs::read(path).map_err(unread)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| failed(&ValueError::Foreign))?;
        Self::read(game, text).map_err(|error| failed(&error))
    }

    /// How its parts came to be.
    pub fn origins(&self) -> impl Iterator<Item = &Origin> {
        self.parts.iter().map(|part| &part.origin)
    }

    /// What was learned for so many players, or for the nearest number.
    pub(crate) fn part(&self, players: u8) -> &Part {
        let far = |part: &&Part| part.origin.players.iter().map(|of| of.abs_diff(players)).min();
        self.parts.iter().min_by_key(far).unwrap_or(&self.parts[0])
    }
}

/// The part of a value that fits the match that is played.
#[derive(Clone)]
pub(crate) struct Fitting {
    value: Value,
    players: u8,
}

impl Fitting {
    pub fn new(value: &Value) -> Self {
        Self { value: value.clone(), players: 0 }
    }

    /// Another part, if the number of players is another than before.
    pub fn other(&mut self, players: u8) -> Option<&Part> {
        let is_other = players != self.players;
        self.players = players;
        is_other.then(|| self.value.part(players))
    }
}

/// Takes the choice after which the position is worth most, by a value that was learned: `learned`, `learned:FILE`.
///
/// The position after a choice is looked up as soon as no question that follows from it is open: to its own it finds the best answers, to what
/// others are asked at the same time they answer at random. It is the mean over a few determinizations (see [`Bot`]), the fewer the more choices there are. Features are read from these
/// alone, and of them only what the seat sees.
pub struct Learned {
    name: String,
    look: Look,
    effort: Effort,
    generator: Pcg64Mcg,
    scratch: Option<Match>,
    root: Snapshot,
    /// None in training.
    fitting: Option<Fitting>,
}

impl Learned {
    /// A bot that plays by this value.
    #[must_use]
    pub fn new(name: String, value: &Value, seed: u64) -> Self {
        Self {
            name,
            effort: EFFORT,
            generator: Pcg64Mcg::seed_from_u64(seed),
            fitting: Some(Fitting::new(value)),
            ..Self::for_training(value.parts[0].evaluator.clone())
        }
    }

    /// Chooses by another value.
    pub(crate) fn choose_with(
        &mut self,
        evaluator: &mut Evaluator,
        m: &Match,
        d: Decision,
    ) -> Result<usize, MatchError> {
        std::mem::swap(&mut self.look.evaluator, evaluator);
        let chosen = self.choose(m, d);
        std::mem::swap(&mut self.look.evaluator, evaluator);
        chosen
    }

    /// A bot for self-play.
    pub(crate) fn for_training(evaluator: Evaluator) -> Self {
        Self {
            name: String::new(),
            look: Look::new(evaluator),
            effort: IN_TRAINING,
            generator: Pcg64Mcg::seed_from_u64(0),
            scratch: None,
            root: Snapshot::default(),
            fitting: None,
        }
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
        if let Some(part) = self.fitting.as_mut().and_then(|fitting| fitting.other(m.setup().players)) {
            self.look.evaluator = part.evaluator.clone();
        }
        let Self { look, effort, generator, scratch, root, .. } = self;
        let effort = Effort { is_fair: effort.is_fair || !m.is_mid_hook(), ..effort.at(m) };
        m.snapshot_into(root);
        let own = own_match(scratch, m)?;
        let found = look.survey(own, root, d, among, effort, generator)?;
        let best = (0..count).reduce(|one, other| if found[other].mean() > found[one].mean() { other } else { one });
        match best.filter(|&best| found[best].count > 0) {
            Some(best) => Ok(among[best]),
            None => Ok(among[any(count, generator)]),
        }
    }

    fn reseed(&mut self, seed: u64) {
        self.generator = Pcg64Mcg::seed_from_u64(seed);
    }
}
