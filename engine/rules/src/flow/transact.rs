//! Steps: what makes hooks run. A step is carried out whole or not at all.

use crate::flow::runner::Stop;
use crate::flow::waiting::Waiting;
use crate::flow::{Match, MatchError};
use crate::script::context::Said;

/// What a failed step is taken back to, as far as what the match waits for does not know it.
#[derive(Debug, Default)]
pub(super) struct Undo {
    /// State at an offer, or at the end. Copying it before every other answer would cost more than the answer: a hook and a
    /// simultaneous phase know how they began.
    words: Vec<i32>,
    /// Answers of the hook, or of the seat in focus.
    answers: usize,
    /// Answers of seats that are asked together.
    replies: Vec<(u8, u16)>,
    /// Seat in focus.
    focus: u8,
    /// Seats that were done with the simultaneous phase, as bits.
    done: u32,
}

impl Match {
    /// Carries out a step: `step` runs hooks and, when all went well, sets what the match waits for. If a plainly called hook
    /// asked, it is done again from the beginning.
    ///
    /// # Errors
    /// A hook failed: everything is as it was. If its way back fails, too, because a script is not deterministic, the decision is
    /// left without choices. Or the match must not go on.
    pub(super) fn transact(&mut self, mut step: impl FnMut(&mut Self) -> Result<(), Stop>) -> Result<(), MatchError> {
        self.runner.check_steps()?;
        let before = self.runner.host.spent();
        self.mark();
        self.runner.forget_failure();
        self.runner.host.context_mut().forced.clear();
        let mut decided = false;
        loop {
            self.runner.begin_step();
            let ran = step(self);
            let undecided = self.runner.host.is_undecided();
            let Err(stop) = ran else {
                self.runner.host.take_room();
                let spent = self.runner.host.spent().saturating_sub(before);
                self.runner.steps = self.runner.steps.saturating_add(spent);
                return Ok(());
            };
            self.runner.host.context_mut().unsay(Said::default());
            if let Err(error) = self.roll_back() {
                self.runner.host.clear_choices();
                return Err(error);
            }
            if undecided && !decided {
                decided = true;
                self.runner.forget_failure();
                continue;
            }
            if let Stop::Fault(error) = stop {
                self.runner.host.take_room();
                return Err(error);
            }
        }
    }

    /// Sets what the match waits for.
    pub(super) fn wait_for(&mut self, next: Waiting) {
        self.runner.spare.keep(std::mem::replace(&mut self.waiting, next));
    }

    /// Remembers what a failed step is taken back to.
    fn mark(&mut self) {
        let Self { undo, waiting, runner, .. } = self;
        match waiting {
            Waiting::Over | Waiting::Offer { .. } => {
                runner.game.layout().copy(runner.host.words(), &mut undo.words);
            }
            Waiting::Hook(frame) => {
                undo.focus = frame.asked.seat;
                undo.answers = frame.call.answers.len();
                undo.replies.clear();
                undo.replies.extend_from_slice(&frame.call.replies);
            }
            Waiting::Simultaneous(phase) => {
                undo.focus = phase.asked.seat;
                undo.answers = phase.seats[usize::from(undo.focus)].answers.len();
                undo.done = phase.done();
            }
        }
    }

    /// Takes a failed step back.
    fn roll_back(&mut self) -> Result<(), MatchError> {
        let Self { undo, waiting, runner, .. } = self;
        runner.mend_host()?;
        match waiting {
            Waiting::Over => {
                runner.host.words_mut().copy_from_slice(&undo.words);
                Ok(())
            }
            Waiting::Offer { seat, prompt, .. } => {
                runner.host.words_mut().copy_from_slice(&undo.words);
                let listed = runner.list_again(*seat, *prompt).map(|_| ());
                // A hook that only looks might have written.
                runner.host.words_mut().copy_from_slice(&undo.words);
                listed
            }
            Waiting::Hook(frame) => {
                frame.call.answers.truncate(undo.answers);
                frame.call.replies.clone_from(&undo.replies);
                // All of it: nobody knows what a hook that failed has left there.
                runner.host.words_mut().copy_from_slice(&frame.start);
                runner.rerun(frame)?;
                if frame.is_open(undo.focus) {
                    runner.turn_to(frame, undo.focus);
                }
                Ok(())
            }
            Waiting::Simultaneous(phase) => {
                phase.seats[usize::from(undo.focus)].answers.truncate(undo.answers);
                runner.host.words_mut().copy_from_slice(&phase.start);
                phase.reopen(runner, undo.done)?;
                phase.focus(runner, undo.focus)
            }
        }
    }
}
