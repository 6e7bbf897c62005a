//! Traces of a hook.

use crate::script::machine::hook::Hook;
use crate::script::machine::question::{ForcedAnswer, Question};
use crate::script::machine::together::Together;
use crate::transcript::Line;

/// Most lines of the transcript that are kept until somebody takes them.
const MAX_LINES: usize = 10_000;

/// A length of the transcript of a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Said {
    /// Lines.
    pub lines: usize,
    /// ForcedAnswer answers.
    pub forced: usize,
}

/// Traces of the hooks that ran, beside the state block and the choices. A machine writes them, the flow reads them.
#[derive(Debug, Default)]
pub struct Traces {
    /// The list that a hook or kernel returned.
    pub list: Vec<i32>,
    /// The question that was just asked.
    pub question: Option<Question>,
    /// Whether it was asked of [`together`](Self::together).
    pub asks_together: bool,
    /// The seats that a script asks at once.
    pub together: Together,
    /// The length of the transcript before it asked them.
    pub said_before: Said,
    /// Random numbers were drawn, or piles shuffled.
    pub used_random: bool,
    /// Lines of the transcript that nobody has taken yet.
    pub log: Vec<Line>,
    /// Questions that were answered without asking, whether anybody reads the transcript or not.
    pub forced: Vec<ForcedAnswer>,
    /// Steps that all calls have spent.
    pub spent: i64,
    /// Steps of the hook that was started last, before it asked.
    pub spent_asking: i64,
    /// Steps by [hook](Hook::index).
    pub spent_on: Vec<i64>,
    /// A buffer for answers that are given again.
    pub given: Vec<u16>,
}

impl Traces {
    /// Adds a line to the transcript. Too many of them are no error: a match must go the same way whether or not anybody reads.
    pub fn say(&mut self, line: impl FnOnce() -> Line) {
        if self.log.len() < MAX_LINES {
            let line = line();
            self.log.push(line);
        }
    }

    /// The length of the transcript so far.
    #[must_use]
    pub fn said(&self) -> Said {
        Said { lines: self.log.len(), forced: self.forced.len() }
    }

    /// Shortens the transcript to an earlier length.
    pub fn unsay(&mut self, said: Said) {
        self.log.truncate(said.lines);
        self.forced.truncate(said.forced);
    }

    /// Notes the engine's answer to a question; beyond [`MAX_LINES`] nobody would read the note. `moment`: round and phase.
    pub fn force(&mut self, question: Question, (round, phase): (i32, i32), choice: i32) {
        if self.forced.len() < MAX_LINES {
            self.forced.push(ForcedAnswer { question, round, phase, choice, at: self.log.len() });
        }
    }

    /// Takes the answers to the question just asked from a list of answers, one for each seat that is asked; false: the list ends.
    pub fn take_answers(&self, rest: &mut &[u16], given: &mut Vec<u16>) -> bool {
        let count = if self.asks_together { self.together.asked().count() } else { 1 };
        let Some((next, others)) = rest.split_at_checked(count) else { return false };
        given.extend_from_slice(next);
        *rest = others;
        true
    }

    /// Charges a hook for the steps of a call.
    #[inline]
    pub fn spend(&mut self, hook: Hook, steps: i64) {
        self.spent = self.spent.saturating_add(steps);
        let at = hook.index();
        if self.spent_on.len() <= at {
            self.spent_on.resize(at + 1, 0);
        }
        self.spent_on[at] = self.spent_on[at].saturating_add(steps);
    }
}
