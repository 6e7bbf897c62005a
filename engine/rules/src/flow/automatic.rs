//! Questions that the engine answered by itself.

use crate::flow::{Choice, Decision, Match};

/// A question with a single choice, which the engine answered by itself (`auto` of a prompt).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Automatic {
    /// The question.
    pub decision: Decision,
    /// Its answer.
    pub choice: Choice,
    /// Tells apart what [`Match::automatic`] says at different times: the same for all that were answered in one step, or while the
    /// same seats were asked together.
    pub step: u64,
}

impl Match {
    /// The questions that the engine answered by itself since the last answer, in the order in which they were asked. While
    /// several seats are asked together: since that began, by seat; so until the next answer after it.
    #[must_use]
    pub fn automatic(&self) -> Vec<Automatic> {
        let number = self.open.simultaneous().map_or(0, |(number, _)| number);
        let open = self.open.forced().flatten().map(|&forced| (forced, number));
        let all = self.automatic.iter().map(|settled| (settled.forced, settled.step)).chain(open);
        let told = all.filter_map(|(forced, step)| {
            let decision = self.forced_decision(&forced);
            let choice = self.choices_in_words(decision.seat, decision.prompt, &[forced.choice]).pop()?;
            Some(Automatic { decision, choice, step })
        });
        told.collect()
    }
}
