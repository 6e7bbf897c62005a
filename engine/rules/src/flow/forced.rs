//! Single choices that the engine took, and when they are told.

use crate::flow::open::Open;
use crate::script::machine::ForcedAnswer;

/// A question that answered itself, with what tells groups of them apart: the step, or the simultaneous questions, they belong to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settled {
    pub forced: ForcedAnswer,
    pub step: u64,
}

/// Questions of the seats that were asked together, when the last of them has answered.
#[derive(Debug, Default)]
pub(super) struct Revealed {
    pub forced: Vec<ForcedAnswer>,
    /// How many of those that the step has noted belong to these seats, too.
    pub noted: usize,
}

impl Revealed {
    /// Takes over what the seats were not asked.
    pub fn all(&mut self, open: &Open, noted: usize) {
        self.forced.clear();
        for forced in open.forced() {
            self.forced.extend_from_slice(forced);
        }
        self.noted = noted;
    }
}
