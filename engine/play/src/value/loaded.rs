//! Learned values bound to a game.

use std::path::Path;
use std::sync::Arc;

use motherlode::Game;
use motherlode::tools::hidden;
use motherlode_files::{read_regular, reason};

use super::evaluator::Evaluator;
use super::features::Features;
use super::{Horizon, MOST_BYTES, Origin, ValueError, read, split};

/// A learned value bound to a game, or several for different numbers of players.
#[derive(Clone)]
pub struct Value {
    /// At least one.
    parts: Arc<[ValuePart]>,
}

/// The value for some numbers of players.
#[derive(Clone)]
pub(crate) struct ValuePart {
    pub evaluator: Evaluator,
    pub horizon: Horizon,
    origin: Origin,
}

impl ValuePart {
    /// Whether bots play mixed strategies with it.
    pub fn is_mixed(&self) -> bool {
        self.origin.is_mixed
    }
}

impl Value {
    /// Reads a text written by `lode train`.
    ///
    /// # Errors
    /// The text is not a learned value, or belongs to another game.
    pub fn read(game: &Game, text: &str) -> Result<Self, ValueError> {
        let features = Features::new(game);
        let features = Arc::new(features);
        let parts = read(text, &game.declarations().id, &features)?.into_iter().map(|(weights, horizon, origin)| {
            let evaluator = Evaluator::new(features.clone(), Arc::new(weights));
            ValuePart { evaluator, horizon, origin }
        });
        Ok(Self { parts: parts.collect() })
    }

    /// A text, followed by the values of an older text for other numbers of players.
    ///
    /// For a number of players that both have, bots use the newer value, because it comes first.
    ///
    /// # Errors
    /// As [`Self::read`] for either text.
    pub fn join(game: &Game, text: &str, older: &str) -> Result<String, ValueError> {
        let (new, old) = (Self::read(game, text)?, Self::read(game, older)?);
        let has = |players: &u8| new.origins().any(|origin| origin.players.contains(players));
        let parts = old.origins().zip(split(older)?);
        let kept = parts.filter(|(origin, _)| !origin.players.iter().all(has)).map(|(_, part)| part);
        Ok(std::iter::once(text).chain(kept).collect())
    }

    /// Reads a file, or the value that comes with the game; the error is a message.
    pub(crate) fn open(game: &Game, path: Option<&Path>) -> Result<Self, String> {
        let Some(path) = path else {
            let id = &game.declarations().id;
            let text = game.learned().ok_or_else(|| {
                format!("no learned value for `{id}` yet: run `lode train {id} --out content/{id}/learned.value`")
            })?;
            return Self::read(game, text).map_err(|error| format!("content/{id}/learned.value: {error}"));
        };
        Self::open_with_text(game, path).map(|(value, _)| value)
    }

    /// Reads a file written by `lode train`: the value and the text.
    ///
    /// # Errors
    /// A message: the file cannot be read, is not a learned value, or belongs to another game.
    pub fn open_with_text(game: &Game, path: &Path) -> Result<(Self, String), String> {
        let failed = |error: &dyn std::fmt::Display| format!("`{}`: {error}", hidden::path(path));
        let unread = |error: std::io::Error| failed(&format!("cannot be read: {}", reason(&error)));
        let bytes = read_regular(path, MOST_BYTES).map_err(unread)?;
        let text = String::from_utf8(bytes).map_err(|_| failed(&ValueError::Foreign))?;
        let value = Self::read(game, &text).map_err(|error| failed(&error))?;
        Ok((value, text))
    }

    /// The origins of all parts.
    pub fn origins(&self) -> impl Iterator<Item = &Origin> {
        self.parts.iter().map(|part| &part.origin)
    }

    /// The evaluator of the first part.
    pub(crate) fn evaluator(&self) -> &Evaluator {
        &self.parts[0].evaluator
    }

    /// The part for this number of players, or for the nearest one.
    pub(crate) fn part(&self, players: u8) -> &ValuePart {
        let far = |part: &&ValuePart| part.origin.players.iter().map(|of| of.abs_diff(players)).min();
        self.parts.iter().min_by_key(far).unwrap_or(&self.parts[0])
    }
}

/// Selects the part of a value for the current number of players.
#[derive(Clone)]
pub(crate) struct ValueSelector {
    value: Value,
    players: u8,
}

impl ValueSelector {
    pub fn new(value: &Value) -> Self {
        Self { value: value.clone(), players: 0 }
    }

    /// The part for `players`, if the number changed since the last call.
    pub fn switch_to(&mut self, players: u8) -> Option<&ValuePart> {
        let is_other = players != self.players;
        self.players = players;
        is_other.then(|| self.value.part(players))
    }
}
