//! Questions and answers.

use serde::{Deserialize, Serialize};

use crate::game::Game;
use crate::script::machine::Values;
use crate::text::{self, TextArg};

/// A question to a seat. Its choices are [`Match::legal`](crate::Match::legal).
///
/// A decision is small, can be stored and compared, and resolves its names through the game. The [front page](crate)
/// has an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The seat that is asked, from 0.
    pub seat: u8,
    pub(super) prompt: usize,
    pub(super) phase: usize,
    /// Values shown in the prompt's text.
    pub(super) values: Values,
}

impl Decision {
    /// Name of the prompt, as declared in `prompts.toml`.
    #[must_use]
    pub fn prompt<'g>(&self, game: &'g Game) -> &'g str {
        game.declarations().prompts.get_index(self.prompt).map_or("", |(name, _)| name)
    }

    /// Name of the phase in which the seat is asked, as declared in `phases.toml`.
    #[must_use]
    pub fn phase<'g>(&self, game: &'g Game) -> &'g str {
        game.declarations().phases.get_index(self.phase).map_or("", |(name, _)| name)
    }

    /// The question as people read it, with its names filled in.
    #[must_use]
    pub fn text(&self, game: &Game) -> String {
        let d = game.declarations();
        let Some((name, prompt)) = d.prompts.get_index(self.prompt) else { return String::new() };
        let text = if prompt.text.is_empty() { name } else { &prompt.text };
        let text = text.replace("{player}", &text::player_name(d, i32::from(self.seat) + 1));
        let values: Vec<TextArg> = self.values.list().iter().map(|&value| TextArg::Number(f64::from(value))).collect();
        if values.is_empty() { text } else { text::fill(d, game.layout(), &text, &values) }
    }

    /// Values shown in place of `{1}` to `{3}` in the prompt's text.
    #[must_use]
    pub fn values(&self) -> Vec<i32> {
        self.values.list().to_vec()
    }

    /// Index of the prompt into [`Declarations::prompts`](crate::declare::Declarations::prompts).
    #[must_use]
    pub fn prompt_index(&self) -> usize {
        self.prompt
    }

    /// Index of the phase into [`Declarations::phases`](crate::declare::Declarations::phases).
    #[must_use]
    pub fn phase_index(&self) -> usize {
        self.phase
    }
}

/// One answer: a seat and the index of its choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Seat, from 0.
    pub seat: u8,
    /// Index of the choice among [`Match::legal`](crate::Match::legal).
    pub index: u16,
}
