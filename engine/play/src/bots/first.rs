//! The bot that takes the first choice.

use motherlode::{Decision, Match, MatchError};

use super::bot::Bot;
use super::kind::{BotKind, Variant};

pub static KIND: BotKind = BotKind {
    name: "first",
    budget: None,
    alone: Some(Variant { plays: "always takes the first choice", make: |_| Box::new(First) }),
    by_value: None,
};

/// Always takes the first choice, for tests and measurements.
#[derive(Debug, Clone, Copy)]
pub struct First;

impl Bot for First {
    fn name(&self) -> &str {
        "first"
    }

    fn choose(&mut self, _: &Match, _: Decision) -> Result<usize, MatchError> {
        Ok(0)
    }

    fn reseed(&mut self, _: u64) {}
}
