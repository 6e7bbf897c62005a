//! Counts of the answers to selected prompts.

use std::collections::BTreeMap;

use motherlode::{Choice, Decision, Game, Match};
use serde::{Deserialize, Serialize};

use crate::simulation::table::Watch;

/// Answers to one prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PromptReport {
    /// Name of the prompt.
    pub prompt: String,
    /// Number of answers, including those of aborted games. Single choices, which the engine takes without asking, do
    /// not count.
    pub count: u64,
    /// The answers, most frequent first.
    pub answers: Vec<AnswerReport>,
}

/// The count of one answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerReport {
    /// Id of the choice: a label's key, a definition's id, a cell's name, a number.
    pub answer: String,
    /// Display name of the choice.
    pub label: String,
    /// Number of times it was given.
    pub count: u64,
    /// Share of the prompt's answers, from 0 to 1.
    pub share: f64,
}

/// Counts the answers of games, one after the other.
#[derive(Debug, Default)]
pub(crate) struct AnswerTally {
    prompts: Vec<usize>,
    /// By index into `prompts` and raw choice: its description, made on first use, and its count.
    counts: BTreeMap<(usize, i32), (Choice, u64)>,
    /// The answer that is about to be given, if it counts.
    seen: Option<(usize, i32)>,
}

impl Watch for AnswerTally {
    fn chosen(&mut self, m: &Match, decision: Decision, choice: usize) {
        self.seen = self.see(m, decision, choice);
    }

    fn accepted(&mut self, _: &Match) {
        if let Some((_, count)) = self.seen.take().and_then(|seen| self.counts.get_mut(&seen)) {
            *count += 1;
        }
    }
}

impl AnswerTally {
    pub(crate) fn new(prompts: &[usize]) -> Self {
        Self { prompts: prompts.to_vec(), counts: BTreeMap::new(), seen: None }
    }

    fn see(&mut self, m: &Match, decision: Decision, choice: usize) -> Option<(usize, i32)> {
        let at = self.prompts.iter().position(|&prompt| prompt == decision.prompt_index())?;
        let raw = *m.choices().get(choice)?;
        self.counts.entry((at, raw)).or_insert_with(|| (m.describe(raw), 0));
        Some((at, raw))
    }

    /// The counts since the last call.
    pub(crate) fn take(&mut self) -> Vec<AnswerCount> {
        let given = self.counts.iter_mut().filter(|(_, (_, count))| *count > 0);
        given
            .map(|((at, _), (Choice { id, label, .. }, count))| AnswerCount {
                prompt: *at,
                answer: id.clone(),
                label: label.clone(),
                count: std::mem::take(count),
            })
            .collect()
    }
}

/// The count of one answer in one game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerCount {
    /// Index of the counted prompt.
    prompt: usize,
    /// Id of the choice.
    answer: String,
    /// Display name of the choice.
    label: String,
    /// Number of times it was given.
    count: u64,
}

impl AnswerCount {
    /// Whether a count from a foreign file is consistent with a game with this many counted prompts and decisions.
    pub(crate) fn is_possible(&self, prompts: usize, decisions: u32) -> bool {
        self.prompt < prompts && self.count <= u64::from(decisions)
    }
}

/// Answer counts of many games.
#[derive(Debug)]
pub struct Answers {
    prompts: Vec<usize>,
    found: Vec<BTreeMap<(String, String), u64>>,
}

impl Answers {
    pub(crate) fn new(prompts: Vec<usize>) -> Self {
        Self { found: vec![BTreeMap::new(); prompts.len()], prompts }
    }

    /// Adds the counts of a game. Tokens of one definition count as one answer.
    pub(crate) fn add(&mut self, counts: &[AnswerCount]) {
        for AnswerCount { prompt, answer, label, count } in counts {
            if let Some(found) = self.found.get_mut(*prompt) {
                *found.entry((answer.clone(), label.clone())).or_insert(0) += count;
            }
        }
    }

    pub(crate) fn report(self, game: &Game) -> Vec<PromptReport> {
        let name =
            |prompt: usize| game.declarations().prompts.get_index(prompt).map_or("", |(name, _)| name).to_owned();
        self.prompts.into_iter().zip(self.found).map(|(prompt, found)| prompt_report(name(prompt), found)).collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "no simulation has 2^53 decisions")]
fn prompt_report(prompt: String, found: BTreeMap<(String, String), u64>) -> PromptReport {
    let total: u64 = found.values().sum();
    let mut answers: Vec<AnswerReport> = found
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|((answer, label), count)| AnswerReport { answer, label, count, share: count as f64 / total as f64 })
        .collect();
    // The sort is stable, so equal counts stay in the order of their ids.
    answers.sort_by_key(|answer| std::cmp::Reverse(answer.count));
    PromptReport { prompt, count: total, answers }
}
