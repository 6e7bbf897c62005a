//! The choices that a verb declares.

use indexmap::IndexMap;

/// The choices of a verb, made in order whenever it acts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Picks {
    /// The choices by name; `run` receives them in this order.
    pub list: IndexMap<String, Pick>,
    /// How often the verb acts.
    pub times: Times,
    /// Label of the first prompt with which the player stops early; `None`: never.
    pub done: Option<String>,
    /// Times before the player may stop.
    pub least: i32,
}

/// How often a verb acts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Times {
    /// Once.
    #[default]
    Once,
    /// A fixed number of times.
    Number(i32),
    /// As often as this argument of the verb says.
    Argument(String),
}

/// One choice of a verb.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pick {
    /// The prompt (index into `prompts`).
    pub prompt: usize,
    /// Candidates that are whole numbers; `None`: only labels.
    pub source: Option<PickSource>,
    /// Candidates that are labels of the prompt, after the numbers.
    pub labels: Vec<String>,
    /// How often the same choice may be made while the verb repeats; `None`: without limit.
    pub same: Option<i32>,
    /// Values in the text of the prompt.
    pub shows: Vec<ShownValue>,
    /// Text (index into `texts`) that says why nothing can be chosen.
    pub none: Option<usize>,
}

/// The things that a choice numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PickSource {
    /// The tokens of a zone (index into `zones`): of the player's, if it belongs to players.
    Zone(usize),
    /// The cells of a grid (index into `grids`): of the player's, if it belongs to players.
    Cells(usize),
    /// The players still in the game; `true`: without the one who chooses.
    Players(bool),
    /// The definitions of a kind (index into `kinds`).
    Kind(usize),
    /// The tokens that pass a filter (index into `filters`).
    Filter(usize),
    /// Candidates that the function of the choice lists.
    Script,
    /// Whole numbers.
    Numbers {
        /// The smallest.
        from: i32,
        /// The largest.
        upto: Upto,
    },
}

/// The largest number that can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Upto {
    /// This number.
    Number(i32),
    /// The value of a player counter (index into `counters`).
    Counter(usize),
}

/// A value in the text of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShownValue {
    /// The time, from 1, while the verb repeats.
    Time,
    /// An argument of the verb.
    Argument(String),
    /// An earlier choice (by place).
    Pick(usize),
    /// A counter of the player (index into `counters`).
    Counter(usize),
}
