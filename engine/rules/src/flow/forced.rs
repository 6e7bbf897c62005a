//! Single choices that the engine took, and their grouping by step.

use crate::flow::open::OpenCalls;
use crate::script::machine::ForcedAnswer;

/// A forced answer with the id of its group: a step, or a simultaneous phase.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupedAnswer {
    pub forced: ForcedAnswer,
    pub step: u64,
}

/// Forced answers of a simultaneous phase, revealed once the last seat has answered.
#[derive(Debug, Default)]
pub(super) struct RevealedAnswers {
    pub forced: Vec<ForcedAnswer>,
    /// Number of the step's forced answers that also belong to these seats.
    pub noted: usize,
}

impl RevealedAnswers {
    /// Collects the forced answers of all seats.
    pub fn all(&mut self, open: &OpenCalls, noted: usize) {
        self.forced.clear();
        for forced in open.forced() {
            self.forced.extend_from_slice(forced);
        }
        self.noted = noted;
    }
}
