//! The bot that plays by a plan: what it prefers, first things first.

use motherlode::{Decision, Match, MatchError};

use crate::bots::bot::{Bot, all};
use crate::bots::form::BotForm;
use crate::bots::pattern::{Pattern, View};

/// The form of its spec.
pub(crate) fn form() -> BotForm {
    let plays = "takes `A` wherever it is offered, else `B`, else what the base (default `random`) would";
    BotForm::new("plan:A/B+base=BOT", plays, "that of the base")
}

/// Takes what the first of its steps names that is offered; of several such choices, and where no step names any, another bot decides.
pub(crate) struct Plan {
    pub name: String,
    pub steps: Vec<Pattern>,
    pub base: Box<dyn Bot>,
}

impl Bot for Plan {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError> {
        self.choose_among(m, d, &all(m))
    }

    fn choose_among(&mut self, m: &Match, d: Decision, among: &[usize]) -> Result<usize, MatchError> {
        let view = View::new(m, d, &self.steps);
        let mut found = Vec::new();
        for step in &self.steps {
            step.select(&view, among, &mut found);
            match found.as_slice() {
                [] => {}
                [only] => return Ok(*only),
                several => return self.base.choose_among(m, d, several),
            }
        }
        self.base.choose_among(m, d, among)
    }

    fn reseed(&mut self, seed: u64) {
        self.base.reseed(seed);
    }
}
