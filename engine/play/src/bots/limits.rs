//! What a bot never does, or always does where it can.

use std::sync::Arc;

use motherlode::{Decision, Match, MatchError};

use crate::bots::bot::Bot;
use crate::bots::form::BotForm;
use crate::bots::pattern::{Pattern, View};

/// The form of a spec with limits.
pub(crate) fn form() -> BotForm {
    let plays = "any of these bots, but never takes `A` or `B`, and takes `C` wherever it can; a search expects so of itself, too";
    BotForm::new("BOT+never=A/B+always=C", plays, "that of the bot")
}

/// Choices that are forbidden, and choices that exclude all others.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Limits {
    /// Forbidden.
    pub never: Vec<Pattern>,
    /// Where one of them is offered, nothing else is chosen.
    pub always: Vec<Pattern>,
}

impl Limits {
    /// Those of the choices `among` that are left; all of them where none would be left.
    #[must_use]
    pub fn allowed(&self, m: &Match, d: Decision, among: &[usize]) -> Vec<usize> {
        if among.len() < 2 {
            return among.to_vec();
        }
        let view = View::new(m, d, self.never.iter().chain(&self.always));
        let any_of = |patterns: &[Pattern], among: &[usize]| {
            let mut found = Vec::new();
            patterns.iter().for_each(|pattern| pattern.select(&view, among, &mut found));
            found
        };
        let forbidden = any_of(&self.never, among);
        let mut left: Vec<usize> = among.iter().copied().filter(|choice| !forbidden.contains(choice)).collect();
        if left.is_empty() {
            left = among.to_vec();
        }
        let mut must = any_of(&self.always, &left);
        must.sort_unstable();
        must.dedup();
        if must.is_empty() { left } else { must }
    }
}

/// A bot that keeps to limits.
pub(crate) struct Limited {
    pub name: String,
    pub bot: Box<dyn Bot>,
    pub limits: Arc<Limits>,
}

impl Bot for Limited {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError> {
        self.choose_among(m, d, &crate::bots::bot::all(m))
    }

    fn choose_among(&mut self, m: &Match, d: Decision, among: &[usize]) -> Result<usize, MatchError> {
        self.bot.choose_among(m, d, &self.limits.allowed(m, d, among))
    }

    fn reseed(&mut self, seed: u64) {
        self.bot.reseed(seed);
    }
}
