//! Questions that the engine answered by itself.

use crate::flow::{Choice, Decision, Match};

/// A question with a single choice, which the engine answered itself (`auto` of a prompt).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutomaticAnswer {
    /// The question.
    pub decision: Decision,
    /// Its answer.
    pub choice: Choice,
    /// Groups the entries of [`Match::automatic`]: equal for all questions answered in one step or in one
    /// simultaneous phase.
    pub step: u64,
}

impl Match {
    /// The questions that the engine answered itself since the last answer, in the order asked. During a simultaneous
    /// phase: since the phase began, by seat; they remain until the first answer after it.
    #[must_use]
    pub fn automatic(&self) -> Vec<AutomaticAnswer> {
        let number = self.open.simultaneous().map_or(0, |(number, _)| number);
        let open = self.open.forced().flatten().map(|&forced| (forced, number));
        let all = self.automatic.iter().map(|one| (one.forced, one.step)).chain(open);
        let answers = all.filter_map(|(forced, step)| {
            let decision = self.forced_decision(&forced);
            let choice = self.choices_in_words(decision.seat, decision.prompt, &[forced.choice]).pop()?;
            Some(AutomaticAnswer { decision, choice, step })
        });
        answers.collect()
    }
}
