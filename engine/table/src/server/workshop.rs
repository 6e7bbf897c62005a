//! What a table asks the program around it, for a designer.

use motherlode::{Game, Match};
use serde_json::Value;

/// What the program around a table can tell a designer.
pub trait Workshop {
    /// Where something of the content is set, and the rules that stand beside it, as a JSON value; `None`: nothing sets it.
    fn explain(&mut self, game: &Game, path: &str) -> Option<Value>;
    /// The position as a rule test.
    ///
    /// # Errors
    /// Why there is none, in words.
    fn position(&mut self, played: &Match) -> Result<String, String>;
    /// Begins to try the choices of a seat; what was tried before is forgotten.
    fn estimate(&mut self, played: &Match, seat: u8);
    /// What has come of that since it was last asked.
    fn estimated(&mut self) -> Option<Vec<Estimated>>;
}

/// What a choice has come to in random games.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Estimated {
    /// Share of the games that were won, from 0 to 1.
    pub wins: f64,
    /// Mean score of the seat.
    pub score: f64,
    /// Number of games.
    pub games: u32,
}
