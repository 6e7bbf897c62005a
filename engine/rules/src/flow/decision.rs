//! Questions and answers.

use serde::{Deserialize, Serialize};

use crate::flow::Match;
use crate::script::kernel::Values;
use crate::text::{self, TextArg};
use motherlode_content::declare::Domain;

/// Who must choose, and what for. The choices are [`Match::choices`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Seat, from 0.
    pub seat: u8,
    /// Index into the declared prompts.
    pub prompt: usize,
    /// Index into the declared phases.
    pub phase: usize,
    /// What the prompt's text shows.
    pub values: Values,
}

/// One choice in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// Stable id: a label's key, a card's id, a cell's name, a player's number from 1, a number.
    pub id: String,
    /// Shown text.
    pub label: String,
    /// The token chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<i32>,
    /// The cell chosen, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<i32>,
}

/// One answer: which choice of which seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Seat, from 0.
    pub seat: u8,
    /// Index of the choice.
    pub index: u16,
}

impl Match {
    /// A raw choice in words, in the prompt of [`Match::decision`].
    #[must_use]
    pub fn describe(&self, raw: i32) -> Choice {
        self.describe_in(self.decision().map_or(0, |d| d.prompt), raw)
    }

    pub(super) fn describe_in(&self, prompt: usize, raw: i32) -> Choice {
        let d = self.game().declarations();
        let Some((_, prompt)) = d.prompts.get_index(prompt) else {
            return Choice { id: raw.to_string(), label: raw.to_string(), token: None, cell: None };
        };
        if raw < 0 {
            let key = self.game().labels().get(raw.unsigned_abs() as usize - 1).cloned().unwrap_or_default();
            let label = prompt.labels.get(&key).unwrap_or(&key).clone();
            return Choice { id: key, label, token: None, cell: None };
        }
        let layout = self.game().layout();
        Choice {
            id: text::domain_id(d, layout, prompt.domain, raw),
            label: text::domain_label(d, layout, prompt.domain, raw),
            token: (prompt.domain == Domain::Token).then_some(raw),
            cell: matches!(prompt.domain, Domain::Cell(_)).then_some(raw),
        }
    }

    /// The question of a decision as shown.
    #[must_use]
    pub fn prompt_text(&self, decision: &Decision) -> String {
        let d = self.game().declarations();
        let Some((name, prompt)) = d.prompts.get_index(decision.prompt) else { return String::new() };
        let text = if prompt.text.is_empty() { name } else { &prompt.text };
        let text = text.replace("{player}", &text::player_name(d, i32::from(decision.seat) + 1));
        let values: Vec<TextArg> =
            decision.values.list().iter().map(|&value| TextArg::Number(f64::from(value))).collect();
        if values.is_empty() { text } else { text::fill(d, self.game().layout(), &text, &values) }
    }
}
