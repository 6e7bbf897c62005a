//! Rows for the decisions of a game.

use motherlode::{Decision, Match};
use serde::{Deserialize, Serialize};

use crate::simulation::rows::{GameRow, number};
use crate::simulation::sheet::{Cell, Column, Kind};
use crate::simulation::table::Watch;

/// One decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRow {
    /// The round.
    pub round: i32,
    /// The deciding seat, from 0.
    pub seat: u8,
    /// Name of the prompt.
    pub prompt: String,
    /// The question, with its values filled in.
    pub question: String,
    /// Number of choices.
    pub choices: u32,
    /// Index of the answer among the choices, from 0.
    pub choice: u32,
    /// Id of the answer: a label's key, a definition's id, a cell's name, a number.
    pub answer: String,
    /// Display name of the answer.
    pub label: String,
}

/// The columns of decision rows: `game, seed, decision, round, seat, bot, prompt, question, choices, choice, answer,
/// label`. Decisions, seats and choices count from 1.
#[must_use]
pub fn columns() -> Vec<Column> {
    let columns = [
        ("game", Kind::Number),
        ("seed", Kind::Seed),
        ("decision", Kind::Number),
        ("round", Kind::Number),
        ("seat", Kind::Number),
        ("bot", Kind::Text),
        ("prompt", Kind::Text),
        ("question", Kind::Text),
        ("choices", Kind::Number),
        ("choice", Kind::Number),
        ("answer", Kind::Text),
        ("label", Kind::Text),
    ];
    columns.map(|(name, kind)| Column::new(name, kind)).to_vec()
}

/// The rows of a game's decisions.
pub fn values<'r>(
    game: &'r GameRow,
    bots: &'r [String],
    rows: &'r [DecisionRow],
) -> impl Iterator<Item = Vec<Cell>> + 'r {
    (1u64..).zip(rows).map(|(decision, row)| {
        vec![
            number(game.index),
            game.seed.into(),
            number(decision),
            row.round.into(),
            (u32::from(row.seat) + 1).into(),
            bots.get(usize::from(row.seat)).map(String::as_str).into(),
            row.prompt.as_str().into(),
            row.question.as_str().into(),
            row.choices.into(),
            number(u64::from(row.choice) + 1),
            row.answer.as_str().into(),
            row.label.as_str().into(),
        ]
    })
}

/// Records decisions.
#[derive(Debug, Default)]
pub struct Decisions {
    /// The accepted decisions.
    pub found: Vec<DecisionRow>,
    /// The decision that is about to be answered.
    given: Option<DecisionRow>,
}

impl Watch for Decisions {
    fn chosen(&mut self, m: &Match, decision: Decision, choice: usize) {
        let prompts = &m.game().declarations().prompts;
        let prompt = prompts.get_index(decision.prompt_index()).map_or("", |(name, _)| name);
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        self.given = m.choices().get(choice).map(|raw| {
            let told = m.describe(*raw);
            DecisionRow {
                round: m.round(),
                seat: decision.seat,
                prompt: prompt.to_owned(),
                question: decision.text(m.game()),
                choices: count(m.choices().len()),
                choice: count(choice),
                answer: told.id,
                label: told.label,
            }
        });
    }

    fn accepted(&mut self, _: &Match) {
        self.found.extend(self.given.take());
    }
}
