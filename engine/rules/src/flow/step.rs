//! Steps: the unit of change of a match. A step succeeds as a whole or changes nothing.

use crate::flow::open::{Kind, OpenCalls, PhaseProgress};
use crate::flow::runner::Stop;
use crate::flow::{Match, MatchError};
use crate::script::machine::{Machine, TranscriptLength};

impl Match {
    /// Runs a step: `step` runs hooks and, on success, sets what the match waits for. If a plainly called hook asks,
    /// the step starts again.
    ///
    /// # Errors
    /// A hook failed: everything is rolled back. If the rollback fails, too, because a script is not deterministic,
    /// the decision is left without choices. Or the match must not continue.
    pub(super) fn transact(&mut self, mut step: impl FnMut(&mut Self) -> Result<(), Stop>) -> Result<(), MatchError> {
        self.runner.check_steps()?;
        let before = self.runner.machine.traces().spent;
        self.open.mark();
        self.runner.forget_failure();
        self.runner.machine.traces_mut().forced.clear();
        self.runner.machine.grants_mut().compiled = true;
        let done = self.try_steps(before, &mut step);
        self.runner.machine.grants_mut().compiled = false;
        done
    }

    /// Runs a step until it succeeds or fails for good.
    fn try_steps(
        &mut self,
        before: i64,
        step: &mut impl FnMut(&mut Self) -> Result<(), Stop>,
    ) -> Result<(), MatchError> {
        let mut decided = false;
        loop {
            self.runner.begin_step();
            if self.runner.logging() {
                self.begin_scores();
            }
            let ran = step(self);
            let undecided = self.runner.machine.is_undecided();
            let Err(stop) = ran else {
                self.runner.machine.take_room();
                let spent = self.runner.machine.traces().spent.saturating_sub(before);
                self.runner.steps = self.runner.steps.saturating_add(spent);
                return Ok(());
            };
            self.runner.machine.traces_mut().truncate_transcript(TranscriptLength::default());
            self.runner.scores.changes.clear();
            // Luau repeats the hooks before this step.
            let compiled = std::mem::take(&mut self.runner.machine.grants_mut().compiled);
            let rolled_back = self.roll_back();
            self.runner.machine.grants_mut().compiled = compiled;
            if let Err(error) = rolled_back {
                self.runner.machine.set_choices(&[]);
                return Err(error);
            }
            if matches!(stop, Stop::Again) {
                self.runner.forget_attempt();
            }
            if undecided && !decided {
                decided = true;
                self.runner.forget_failure();
                continue;
            }
            if let Stop::Fault(error) = stop {
                self.runner.machine.take_room();
                return Err(error);
            }
        }
    }

    /// Replaces the open calls.
    pub(super) fn wait_for(&mut self, next: Box<OpenCalls>) {
        self.runner.spare.keep(std::mem::replace(&mut self.open, next));
    }

    /// Rolls back a failed step.
    fn roll_back(&mut self) -> Result<(), MatchError> {
        let Self { open, runner, .. } = self;
        runner.replace_undecided()?;
        // Copy all words: a failed hook may have written any of them.
        runner.machine.words_mut().copy_from_slice(&open.start);
        match open.kind {
            Kind::Over => Ok(()),
            Kind::Call if open.is_offer() => {
                let listed = runner.list_again(open.asked.seat, open.asked.prompt).map(|_| ());
                // A read-only hook might have written.
                runner.machine.words_mut().copy_from_slice(&open.start);
                listed
            }
            Kind::Call => runner.rerun(open),
            Kind::Simultaneous => {
                let (focus, PhaseProgress { answered, done }) = (open.asked.seat, open.mark);
                open.seat_mut(focus).call.take_back(answered);
                open.reopen(runner, done)?;
                open.focus(runner, focus)
            }
        }
    }
}

impl OpenCalls {
    /// Records the progress to roll back to.
    fn mark(&mut self) {
        let answered = self.calls().get(usize::from(self.asked.seat)).map_or(0, |one| one.call.answered());
        self.mark = PhaseProgress { answered, done: self.done() };
    }
}
