//! Prompts.

use indexmap::IndexMap;

/// The objects that the integer choices of a prompt number.
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

/// Maximum values in the text of a question.
pub const MAX_ASKED: usize = 3;

/// A question to a player.
#[derive(Debug, Clone, Default)]
pub struct Prompt {
    /// Displayed text.
    pub text: String,
    /// The objects that integer choices number.
    pub domain: Domain,
    /// Named choices with their labels.
    pub labels: IndexMap<String, String>,
    /// Whether the engine takes a single choice without asking; true unless content says `auto = false`.
    pub auto: bool,
    /// Whether the transcript shows the answer only to the player asked.
    pub secret: bool,
    /// Whether equal tokens are offered once.
    pub distinct: bool,
    /// The text of a choice, with `{choice}`; empty: its name alone.
    pub reads: String,
    /// Number of values shown in the text.
    pub shows: usize,
}
