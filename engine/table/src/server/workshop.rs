//! Designer tools that the program around the tables provides.

use motherlode::{Game, Match};
use serde_json::Value;

use super::editor::{CardDraft, CardForm, CheckedCard};

/// Work of the card editor.
pub type EditorWork = Box<dyn FnOnce() + Send>;

/// The designer tools of the program, shared by all tables of a server.
pub trait DesignerTools: Send + Sync {
    /// Whether saved rules take effect in open matches.
    fn renews(&self) -> bool;
    /// The sources of a value in the content and the rules it cites, as JSON; `None`: nothing sets it.
    fn explain(&self, game: &Game, path: &str) -> Option<Value>;
    /// Exports the position as a rule test.
    ///
    /// # Errors
    /// Why the position cannot be exported, in words.
    fn position(&self, played: &Match) -> Result<String, String>;
    /// Runs work of the card editor on a thread of its own, in the order of the calls: reading and checking a game takes a while.
    fn edit(&self, work: EditorWork);
    /// The form of a card (`tools.drill`).
    ///
    /// # Errors
    /// Why the card cannot be edited, in words.
    fn card_form(&self, card: &str) -> Result<CardForm, String>;
    /// Checks an edited card. With `save`, writes its file if the check finds no error.
    ///
    /// # Errors
    /// Why the card cannot be edited or written, in words.
    fn edit_card(&self, draft: &CardDraft, save: bool) -> Result<CheckedCard, String>;
    /// Takes back the last save that was not taken back yet: its file gets its earlier text. Returns the card whose form was saved.
    ///
    /// # Errors
    /// Nothing is left to take back, or the file has changed since, in words.
    fn take_back(&self) -> Result<String, String>;
    /// Starts to estimate the choices of a seat and ends the table's earlier run. Returns the number of the run.
    fn estimate(&self, of: u32, played: &Match, seat: u8) -> u64;
    /// New results since the last call.
    fn estimated(&self) -> Vec<EstimateUpdate>;
}

/// The latest results of an estimate run.
#[derive(Debug, Clone, PartialEq)]
pub struct EstimateUpdate {
    /// Number of the table.
    pub of: u32,
    /// Number of the run.
    pub number: u64,
    /// Estimates of the choices, in their order.
    pub choices: Vec<ChoiceEstimate>,
}

/// The estimate of a choice from random games.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ChoiceEstimate"))]
pub struct ChoiceEstimate {
    /// Position of the seat's mean utility in its range, from 0 to 1.
    pub level: f64,
    /// Share of won games, from 0 to 1, if the goal of the game is the rank.
    pub share: Option<f64>,
    /// Mean margin, in points, if it is the goal.
    pub margin: Option<f64>,
    /// Mean score of the seat, in points.
    pub score: f64,
    /// Number of games.
    pub games: u32,
}

/// An estimate run for a designer.
#[derive(Debug, Clone, Copy)]
pub struct EstimateRun {
    /// Number of the connection.
    pub client: u64,
    /// Number of the run.
    pub number: u64,
    /// Number of answers in the match at the start of the run.
    pub steps: usize,
    /// Number of answers before the question.
    pub step: usize,
}
