//! The plan bot: takes the first offered choice of a list of patterns.

use motherlode::{Decision, Match, MatchError};

use crate::bots::bot::{Bot, all_choices};
use crate::bots::form::BotForm;
use crate::bots::pattern::{Pattern, View};

/// The form of a plan spec.
pub(crate) fn form() -> BotForm {
    let plays = "takes `A` if offered, else `B`, else plays like the base (default `random`)";
    BotForm::new("plan:A/B+base=BOT", plays, "as the base")
}

/// Takes the choice named by the first step that matches; the base bot decides among several matches, or if no step
/// matches.
pub(crate) struct PlanBot {
    pub name: String,
    pub steps: Vec<Pattern>,
    pub base: Box<dyn Bot>,
}

impl Bot for PlanBot {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError> {
        self.choose_among(m, d, &all_choices(m))
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
