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

/// The whole numbers that a choice, or a value of a label, may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChoiceSet {
    /// The objects that they number.
    pub domain: Domain,
    /// Smallest and largest of plain numbers; `None`: not declared.
    pub range: Option<(i32, i32)>,
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
    /// Smallest and largest choice that is a plain number; `None`: not declared.
    pub range: Option<(i32, i32)>,
    /// Named choices with their labels.
    pub labels: IndexMap<String, String>,
    /// The values of labels that have some, by label.
    pub values: IndexMap<String, Vec<ChoiceSet>>,
    /// Whether the engine takes a single choice without asking; true unless content says `auto = false`.
    pub auto: bool,
    /// Whether the transcript shows the answer only to the player asked.
    pub secret: bool,
    /// Whether a person may mark several choices and give them at once. The first value of the question is the number
    /// of choices still to make.
    pub several: bool,
    /// Transcript text that says why a cell is no choice (index into `texts`).
    pub none: Option<usize>,
    /// Whether equal tokens are offered once.
    pub distinct: bool,
    /// The text of a choice, with `{choice}`; empty: its name alone.
    pub reads: String,
    /// Number of values shown in the text.
    pub shows: usize,
}
