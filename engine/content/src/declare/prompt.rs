//! Prompts.

use indexmap::IndexMap;

/// The things for which the integers among the choices of a prompt stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Domain {
    /// Plain numbers.
    #[default]
    Number,
    /// Players.
    Player,
    /// Tokens.
    Token,
    /// Definitions of a kind (by number within the kind, from 1).
    Definition(usize),
    /// Cells of a grid.
    Cell(usize),
}

/// Most values that a question may pass to its text.
pub const MAX_ASKED: usize = 3;

/// A question to a player.
#[derive(Debug, Clone, Default)]
pub struct Prompt {
    /// The question as shown.
    pub text: String,
    /// The things for which integer choices stand.
    pub domain: Domain,
    /// Named choices with their labels.
    pub labels: IndexMap<String, String>,
    /// Whether the engine answers by itself when there is only one choice: so it is unless content says `auto = false`.
    pub auto: bool,
    /// Whether the transcript shows the answer only to the player asked.
    pub secret: bool,
    /// Whether equal copies of a token are offered once.
    pub distinct: bool,
    /// How a choice that is a number is worded, with `{choice}`; empty: by its name alone.
    pub reads: String,
    /// How many values the question shows.
    pub shows: usize,
}
