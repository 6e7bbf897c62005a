//! What a table asks the program around it, for a designer.

use motherlode::{Game, Match};
use serde_json::Value;

/// What the program around the tables can tell designers. All tables of a server share it.
pub trait Workshop: Send + Sync {
    /// Whether rules that are saved come into force while matches are open.
    fn renews(&self) -> bool;
    /// Where something of the content is set, and the rules that stand beside it, as a JSON value; `None`: nothing sets it.
    fn explain(&self, game: &Game, path: &str) -> Option<Value>;
    /// The position as a rule test.
    ///
    /// # Errors
    /// Why there is none, in words.
    fn position(&self, played: &Match) -> Result<String, String>;
    /// Begins to try the choices of a seat, for the table of this number, whose earlier trial ends. Returns the number of the trial.
    fn estimate(&self, of: u32, played: &Match, seat: u8) -> u64;
    /// What has come of trials since it was last asked.
    fn estimated(&self) -> Vec<Trial>;
}

/// What has come of a trial so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// Number of the table.
    pub of: u32,
    /// Number of the trial.
    pub number: u64,
    /// The choices, in their order.
    pub choices: Vec<Estimated>,
}

/// What a choice has come to in random games.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Estimated {
    /// Share of the games that were won, from 0 to 1.
    pub wins: f64,
    /// Mean score of the seat.
    pub score: f64,
    /// Number of games.
    pub games: u32,
}

/// Choices are being tried for a designer.
#[derive(Debug, Clone, Copy)]
pub struct Trying {
    /// Number of the connection.
    pub client: u64,
    /// Number of the trial.
    pub number: u64,
    /// The number of all answers then.
    pub steps: usize,
    /// The number of answers before the question.
    pub step: usize,
}
