//! Copies of open calls: a restore in the machine that made them repeats nothing.

use crate::flow::open::{AskProgress, Kind, OpenCalls};
use crate::flow::runner::Runner;
use crate::script::machine::{ForcedAnswer, HookCopy, Machine, Question};
use crate::state::words::changed_words;

/// The open calls as they wait for answers.
#[derive(Debug, Clone, Default)]
pub(super) struct CallCopies {
    /// Whether they are copied. Otherwise, a restore repeats the calls.
    pub is_complete: bool,
    /// The calls, followed by unused buffers.
    pub calls: Vec<CallCopy>,
    /// Steps that the calls have taken: a restore charges them, whether or not it repeats the calls.
    pub spent: i64,
    /// Steps of them that find out whom a simultaneous phase passes over.
    pub skipping: i64,
}

/// An open call as it waits for an answer.
#[derive(Debug, Clone, Default)]
pub(super) struct CallCopy {
    pub hook: HookCopy,
    /// Steps that its hook has taken.
    pub spent_asking: i64,
    /// Steps that its call has taken.
    pub spent: i64,
    pub asking: AskProgress,
    pub changes: Vec<(u32, i32)>,
    pub forced: Vec<ForcedAnswer>,
    pub question: Option<Question>,
    pub choices: Vec<i32>,
}

impl Runner {
    /// Copies the open calls, if they can be copied.
    pub fn copy_calls(&self, open: &OpenCalls, into: &mut CallCopies) {
        into.is_complete = match open.kind {
            Kind::Over => false,
            Kind::Call => !open.is_offer() && self.copy_call(open, into),
            Kind::Simultaneous => self.copy_seats(open, into),
        };
    }

    fn copy_call(&self, open: &OpenCalls, into: &mut CallCopies) -> bool {
        if into.calls.is_empty() {
            into.calls.push(CallCopy::default());
        }
        let is_copied = open.number == 0 && self.machine.copy_hook(None, &mut into.calls[0].hook);
        if is_copied {
            let changes = &mut into.calls[0].changes;
            changes.clear();
            changed_words(&open.start, self.machine.words(), 0..open.start.len(), |at, value| {
                changes.push((at, value))
            });
            into.spent = self.machine.traces().spent_asking;
        }
        is_copied
    }

    fn copy_seats(&self, open: &OpenCalls, into: &mut CallCopies) -> bool {
        let calls = open.calls();
        if into.calls.len() < calls.len() {
            into.calls.resize_with(calls.len(), CallCopy::default);
        }
        (into.spent, into.skipping) = (open.spent, open.spent);
        let is_declared = self.plan().has_asks();
        for ((seat, one), copy) in (0..).zip(calls).zip(&mut into.calls) {
            let is_in_focus = seat == open.asked.seat;
            copy.hook.hook = None;
            copy.asking = one.asking;
            copy.forced.clone_from(&one.forced);
            copy.spent = one.spent;
            into.spent = into.spent.saturating_add(one.spent);
            let is_done = open.done() >> seat & 1 != 0;
            if is_declared || is_done || !is_in_focus {
                copy.changes.clone_from(&one.changes);
                copy.question = one.question.filter(|_| !is_done);
                copy.choices.clone_from(&one.choices);
                copy.spent_asking = one.suspended.map_or(0, |suspended| suspended.spent);
            } else {
                open.written(self, &mut copy.changes);
                copy.question = Some(open.asked);
                copy.choices.clear();
                copy.choices.extend_from_slice(self.machine.choices());
                copy.spent_asking = if one.call.is_offer() { 0 } else { self.machine.traces().spent_asking };
                into.spent = into.spent.saturating_add(copy.spent_asking);
            }
            if is_declared || copy.question.is_none() {
                continue;
            }
            let is_waiting =
                is_in_focus || one.suspended.is_some_and(|suspended| suspended.fits(self.renewals, &one.call));
            if !is_waiting || !(one.call.is_offer() || self.machine.copy_hook(Some(seat), &mut copy.hook)) {
                return false;
            }
        }
        true
    }
}
