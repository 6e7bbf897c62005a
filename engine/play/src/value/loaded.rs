//! A value from a file, ready for a game.

use std::path::Path;
use std::sync::Arc;

use motherlode::Game;
use motherlode::tools::hidden;
use motherlode_files::read_regular;

use super::evaluator::Evaluator;
use super::features::Features;
use super::{Horizon, MOST_BYTES, Origin, ValueError, read};

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
        let failed = |error: &dyn std::fmt::Display| format!("`{}`: {error}", hidden::path(path));
        let unread = |error: std::io::Error| failed(&format!("cannot be read: {error}"));
        let bytes = read_regular(path, MOST_BYTES).map_err(unread)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| failed(&ValueError::Foreign))?;
        Self::read(game, text).map_err(|error| failed(&error))
    }

    /// How its parts came to be.
    pub fn origins(&self) -> impl Iterator<Item = &Origin> {
        self.parts.iter().map(|part| &part.origin)
    }

    /// The evaluator of the first part.
    pub(crate) fn evaluator(&self) -> &Evaluator {
        &self.parts[0].evaluator
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
