//! Takes and restores snapshots.

use crate::flow::call::Call;
use crate::flow::copies::{CallCopies, CallCopy};
use crate::flow::open::{Kind, OpenCalls, Suspended};
use crate::flow::runner::Runner;
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
        out.start.clone_from(&open.start);
        out.choices.clear();
        out.choices.extend_from_slice(self.choices());
        out.calls.resize_with(open.calls().len(), Call::default);
        for (to, from) in out.calls.iter_mut().zip(open.calls()) {
            to.copy(&from.call);
        }
        self.runner.copy_calls(open, &mut out.copies);
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
        let opened = self.opened_natively(snapshot);
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

    /// Opens the calls of a snapshot, by machine code where it can finish them.
    fn opened_natively(&mut self, snapshot: &Snapshot) -> Result<Box<OpenCalls>, MatchError> {
        self.runner.machine.grants_mut().compiled = true;
        self.runner.begin_step();
        let opened = match self.opened(snapshot) {
            Err(MatchError::Repeat) => {
                self.runner.forget_attempt();
                self.opened(snapshot)
            }
            // Garbage from earlier hooks may fill the memory: retry on a fresh machine before reporting an error.
            Err(_) if self.runner.machine.is_undecided() => self.opened(snapshot),
            opened => opened,
        };
        self.runner.machine.grants_mut().compiled = false;
        opened
    }

    /// Lets the calls of a snapshot wait as they did, or repeats them.
    fn opened(&mut self, snapshot: &Snapshot) -> Result<Box<OpenCalls>, MatchError> {
        let runner = &mut self.runner;
        runner.steps = snapshot.steps;
        runner.replace_undecided()?;
        if let Some(open) = runner.put_calls(snapshot) {
            return Ok(open);
        }
        runner.game.layout().copy_over(&snapshot.start, runner.machine.words_mut());
        if snapshot.kind == Kind::Simultaneous {
            let mut open = runner.open_simultaneous();
            for (to, from) in open.calls_mut().iter_mut().zip(&snapshot.calls) {
                to.call.copy(from);
            }
            open.reopen(runner, snapshot.done)?;
            open.focus(runner, snapshot.asked.seat)?;
            return Ok(open);
        }
        let mut open = if runner.is_stale() { runner.over() } else { runner.spare.open_shared(&snapshot.start) };
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

impl Runner {
    /// Lets the calls of a snapshot wait as they did. `None`: they must be repeated.
    fn put_calls(&mut self, snapshot: &Snapshot) -> Option<Box<OpenCalls>> {
        let CallCopies { is_complete, calls, spent, .. } = &snapshot.copies;
        let calls = calls.get(..snapshot.calls.len()).filter(|_| *is_complete)?;
        let is_sealed = snapshot.kind == Kind::Simultaneous;
        for (seat, CallCopy { hook, .. }) in (0..).zip(calls) {
            let can_wait = || !self.logging() && self.machine.grants().fixed.is_none();
            if hook.hook.is_some() && !(can_wait() && self.machine.put_hook(is_sealed.then_some(seat), hook)) {
                return None;
            }
        }
        let mut open = self.spare.open_shared(&snapshot.start);
        self.game.layout().copy_over(&snapshot.start, self.machine.words_mut());
        if is_sealed {
            self.put_seats(&mut open, snapshot, calls);
            self.machine.traces_mut().spent = self.machine.traces().spent.saturating_add(*spent);
        } else {
            let call = snapshot.calls.first()?;
            open.begin(call.hook, call.args);
            open.single_mut()?.call.copy(call);
            let words = self.machine.words_mut();
            calls.first()?.changes.iter().for_each(|&(at, value)| words[at as usize] = value);
            self.remember_asks(call.hook);
            self.machine.traces_mut().spend(call.hook, *spent);
            self.machine.traces_mut().spent_asking = *spent;
        }
        open.asked = snapshot.asked;
        let traces = self.machine.traces_mut();
        (traces.question, traces.asks_together) = (Some(snapshot.asked), false);
        self.machine.set_choices(&snapshot.choices);
        Some(open)
    }

    fn put_seats(&mut self, open: &mut OpenCalls, snapshot: &Snapshot, calls: &[CallCopy]) {
        open.begin_simultaneous(self.setup.players, self.spare.next_number());
        open.begin_anew();
        open.set_all_done(snapshot.done);
        open.spent = snapshot.copies.skipping;
        for ((seat, one), (call, copy)) in (0..).zip(open.calls_mut()).zip(snapshot.calls.iter().zip(calls)) {
            one.call.copy(call);
            one.asking = copy.asking;
            one.changes.clone_from(&copy.changes);
            one.forced.clone_from(&copy.forced);
            one.spent = copy.spent;
            one.question = copy.question;
            one.choices.clone_from(&copy.choices);
            let is_suspended = copy.question.is_some() && seat != snapshot.asked.seat;
            one.suspended = is_suspended.then(|| Suspended::after(call, copy.spent_asking, self.renewals));
        }
        let focus = snapshot.asked.seat;
        self.machine.traces_mut().spent_asking = calls.get(usize::from(focus)).map_or(0, |copy| copy.spent_asking);
        open.redo_changes(self, focus);
    }
}
