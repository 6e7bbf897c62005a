//! Counts the answers to chosen prompts.

use std::collections::BTreeMap;

use motherlode::{Choice, Decision, Game, Match};
use serde::{Deserialize, Serialize};

use crate::simulation::table::Watch;

/// Answers to one prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PromptReport {
    /// Name of the prompt.
    pub prompt: String,
    /// How often it was answered, including aborted games; what answered itself, because there was one choice, is not counted.
    pub count: u64,
    /// The answers, most frequent first.
    pub answers: Vec<AnswerReport>,
}

/// How often one answer was given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerReport {
    /// Id of the choice: a label's key, a definition's id, a cell's name, a number.
    pub answer: String,
    /// What it is called.
    pub label: String,
    /// How often.
    pub count: u64,
    /// Share of the prompt's answers, from 0 to 1.
    pub share: f64,
}

/// Counts the answers of one game after the other.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    prompts: Vec<usize>,
    /// By place in `prompts` and raw choice: the choice in words, made when it first occurs, and how often.
    counts: BTreeMap<(usize, i32), (Choice, u64)>,
    /// The answer about to be given, if it is to be counted.
    seen: Option<(usize, i32)>,
}

impl Watch for Tally {
    fn chosen(&mut self, m: &Match, decision: Decision, choice: usize) {
        self.seen = self.see(m, decision, choice);
    }

    fn accepted(&mut self, _: &Match) {
        if let Some((_, count)) = self.seen.take().and_then(|seen| self.counts.get_mut(&seen)) {
            *count += 1;
        }
    }
}

impl Tally {
    pub(crate) fn new(prompts: &[usize]) -> Self {
        Self { prompts: prompts.to_vec(), counts: BTreeMap::new(), seen: None }
    }

    fn see(&mut self, m: &Match, decision: Decision, choice: usize) -> Option<(usize, i32)> {
        let at = self.prompts.iter().position(|&prompt| prompt == decision.prompt_index())?;
        let raw = *m.choices().get(choice)?;
        self.counts.entry((at, raw)).or_insert_with(|| (m.describe(raw), 0));
        Some((at, raw))
    }

    /// What was answered since this was asked last.
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

/// How often one thing was answered in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerCount {
    /// Which of the prompts that are counted.
    prompt: usize,
    /// Id of the choice.
    answer: String,
    /// What it is called.
    label: String,
    /// How often.
    count: u64,
}

impl AnswerCount {
    /// Whether a count that somebody else has written can be of a game in which so many prompts are counted.
    pub(crate) fn is_possible(&self, prompts: usize, decisions: u32) -> bool {
        self.prompt < prompts && self.count <= u64::from(decisions)
    }
}

/// The answers of many games.
#[derive(Debug)]
pub struct Answers {
    prompts: Vec<usize>,
    found: Vec<BTreeMap<(String, String), u64>>,
}

impl Answers {
    pub(crate) fn new(prompts: Vec<usize>) -> Self {
        Self { found: vec![BTreeMap::new(); prompts.len()], prompts }
    }

    /// Adds those of a game. Tokens of one definition are one answer.
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
    // Stable: equally frequent ones stay in the order of their ids.
    answers.sort_by_key(|answer| std::cmp::Reverse(answer.count));
    PromptReport { prompt, count: total, answers }
}
