//! Takes and restores snapshots.

use crate::flow::call::Call;
use crate::flow::open::{Kind, OpenCalls};
use crate::flow::runner::Runner;
use crate::flow::snapshot::SeatProgress;
use crate::flow::{Match, MatchError, Snapshot};
use crate::script::machine::Machine;
use crate::setup::Setup;

impl Match {
    /// A snapshot of the match.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let mut out = Snapshot::default();
        self.snapshot_into(&mut out);
        out
    }

    /// Writes a snapshot into an existing one, without allocating.
    pub fn snapshot_into(&self, out: &mut Snapshot) {
        out.of = self.runner.identity;
        out.steps = self.runner.steps;
        out.history.clear();
        out.history.extend_from_slice(&self.answers);
        out.log[0].clone_from(&self.log);
        out.log[1].clone_from(&self.held);
        out.entries.clone_from(&self.history);
        let open = &self.open;
        (out.kind, out.asked, out.done) = (open.kind, open.asked, open.done());
        out.start.clear();
        out.start.extend_from_slice(&open.start);
        out.choices.clear();
        let is_declared = open.kind == Kind::Simultaneous && self.runner.repeats_nothing();
        if open.is_offer() || is_declared {
            out.choices.extend_from_slice(self.choices());
        }
        out.asks.resize_with(if is_declared { open.calls().len() } else { 0 }, SeatProgress::default);
        for (to, from) in out.asks.iter_mut().zip(open.calls()) {
            to.asking = from.asking;
            to.changes.clone_from(&from.changes);
            to.forced.clone_from(&from.forced);
        }
        out.calls.resize_with(open.calls().len(), Call::default);
        for (to, from) in out.calls.iter_mut().zip(open.calls()) {
            to.copy(&from.call);
        }
    }

    /// Restores a snapshot of the same game and setup.
    ///
    /// # Errors
    /// The snapshot belongs to another game, number of players or set of options: nothing has changed. Or a script
    /// that succeeded before now fails: the match is over.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), MatchError> {
        if snapshot.of != self.runner.identity {
            return Err(MatchError::OtherMatch);
        }
        let opened = match self.opened(snapshot) {
            // Garbage from earlier hooks may fill the memory: retry on a fresh machine before reporting an error.
            Err(_) if self.runner.machine.is_undecided() => self.opened(snapshot),
            opened => opened,
        };
        let open = match opened {
            Ok(open) => open,
            Err(error) => {
                let over = self.runner.over();
                self.wait_for(over);
                return Err(error);
            }
        };
        self.wait_for(open);
        self.answers.clear();
        self.answers.extend_from_slice(&snapshot.history);
        self.automatic.clear();
        self.log.clone_from(&snapshot.log[0]);
        self.held.clone_from(&snapshot.log[1]);
        let traces = self.runner.machine.traces_mut();
        self.history = if traces.watching { snapshot.entries.clone() } else { None };
        traces.log.clear();
        traces.notes.clear();
        traces.events.clear();
        self.events.clear();
        self.runner.scores.changes.clear();
        Ok(())
    }

    /// Repeats the calls of a snapshot.
    fn opened(&mut self, snapshot: &Snapshot) -> Result<Box<OpenCalls>, MatchError> {
        let runner = &mut self.runner;
        runner.steps = snapshot.steps;
        runner.replace_undecided()?;
        runner.game.layout().copy_over(&snapshot.start, runner.machine.words_mut());
        if snapshot.kind == Kind::Simultaneous {
            let mut open = runner.open_simultaneous();
            for (to, from) in open.calls_mut().iter_mut().zip(&snapshot.calls) {
                to.call.copy(from);
            }
            if !snapshot.asks.is_empty() {
                open.resume_asks(runner, snapshot);
                return Ok(open);
            }
            open.reopen(runner, snapshot.done)?;
            open.focus(runner, snapshot.asked.seat)?;
            return Ok(open);
        }
        let mut open = runner.over();
        if let Some(call) = snapshot.calls.first() {
            open.begin(call.hook, call.args);
            open.asked = snapshot.asked;
            if let Some(one) = open.single_mut() {
                one.call.copy(call);
            }
            if call.is_offer() {
                runner.machine.set_choices(&snapshot.choices);
            } else {
                runner.rerun(&mut open)?;
            }
        }
        Ok(open)
    }

    /// Continues another match of the same game from its snapshot; keeps the machine.
    ///
    /// # Errors
    /// The setup does not fit the game, or as [`Match::restore`].
    pub fn resume(&mut self, setup: &Setup, snapshot: &Snapshot) -> Result<(), MatchError> {
        self.runner.set_up(setup)?;
        self.restore(snapshot)
    }

    /// An independent match at the same decision.
    ///
    /// # Errors
    /// A new machine could not be created, or the snapshot could not be restored.
    pub fn fork(&self) -> Result<Self, MatchError> {
        let mut fork = Self::idle(self.game(), self.setup())?;
        fork.restore(&self.snapshot())?;
        Ok(fork)
    }
}

impl OpenCalls {
    /// Resumes declared questions where a snapshot left them, without repeating the answers.
    fn resume_asks(&mut self, runner: &mut Runner, snapshot: &Snapshot) {
        for ((seat, from), one) in snapshot.asks.iter().enumerate().zip(self.calls_mut()) {
            one.done = snapshot.done >> seat & 1 != 0;
            one.asking = from.asking;
            one.changes.clone_from(&from.changes);
            one.forced.clone_from(&from.forced);
        }
        self.asked = snapshot.asked;
        let words = runner.machine.words_mut();
        for &(at, value) in &self.seat(snapshot.asked.seat).changes {
            words[at as usize] = value;
        }
        runner.machine.forget_written();
        runner.machine.set_choices(&snapshot.choices);
    }
}
