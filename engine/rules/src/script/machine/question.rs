//! A question to a player.

use motherlode_content::declare::MAX_ASKED;

/// Represents `nil` or a missing argument.
pub const NIL: i32 = i32::MIN;

/// A question from a script.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Question {
    /// The asked seat, from 0.
    pub seat: u8,
    /// Index of the prompt.
    pub prompt: usize,
    /// Values shown in its text.
    pub values: Values,
}

/// Whole numbers shown in a question's text, up to [`MAX_ASKED`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Values([i32; MAX_ASKED]);

impl Values {
    /// No values.
    pub const NONE: Self = Self([NIL; MAX_ASKED]);

    /// Sets a value by its index, from 0.
    pub fn set(&mut self, index: usize, value: i32) {
        self.0[index] = value;
    }

    /// The values up to the last one set.
    #[must_use]
    pub fn list(&self) -> &[i32] {
        let given = self.0.iter().rposition(|&value| value != NIL).map_or(0, |last| last + 1);
        &self.0[..given]
    }
}

impl Default for Values {
    fn default() -> Self {
        Self::NONE
    }
}

/// The engine's answer to a question with a single choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForcedAnswer {
    /// The question.
    pub question: Question,
    /// The round.
    pub round: i32,
    /// Index of the phase.
    pub phase: i32,
    /// The raw choice.
    pub choice: i32,
    /// Number of transcript lines before it.
    pub at: usize,
}
