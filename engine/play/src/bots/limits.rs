//! Limits on a bot's choices: `+never=` and `+always=`.

use std::sync::Arc;

use motherlode::{Decision, Match, MatchError};

use crate::bots::bot::Bot;
use crate::bots::form::BotForm;
use crate::bots::pattern::{Pattern, View};

/// The form of a spec with limits.
pub(crate) fn form() -> BotForm {
    let plays = "any of these bots; never takes `A` or `B`, takes `C` whenever offered; a search assumes this of its own later moves";
    BotForm::new("BOT+never=A/B+always=C", plays, "as the bot")
}

/// Forbidden and compulsory choices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Limits {
    /// Never chosen, unless nothing else is left.
    pub never: Vec<Pattern>,
    /// Chosen whenever offered.
    pub always: Vec<Pattern>,
}

impl Limits {
    /// The choices of `among` that the limits leave; all of `among` if they would leave none.
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

/// A bot that obeys limits.
pub(crate) struct LimitedBot {
    pub name: String,
    pub bot: Box<dyn Bot>,
    pub limits: Arc<Limits>,
}

impl Bot for LimitedBot {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError> {
        self.choose_among(m, d, &crate::bots::bot::all_choices(m))
    }

    fn choose_among(&mut self, m: &Match, d: Decision, among: &[usize]) -> Result<usize, MatchError> {
        self.bot.choose_among(m, d, &self.limits.allowed(m, d, among))
    }

    fn reseed(&mut self, seed: u64) {
        self.bot.reseed(seed);
    }
}
