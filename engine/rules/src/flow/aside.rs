//! Sets a match aside at a decision, and takes it up again without repeating its hooks.
//!
//! Many matches can share one machine in this way: each keeps its open calls, its state if a hook is suspended, and the
//! coroutines of its hooks. If the machine is another one or was replaced, the calls are repeated, as for a snapshot.

use crate::flow::history::History;
use crate::flow::open::{Kind, OpenCalls};
use crate::flow::{Answer, Match, MatchError};
use crate::script::machine::{Machine, Question, SuspendedHook};
use crate::transcript::Line;

/// A match that was set aside at a decision. Any match of the same game, number of players and options can take it up,
/// once. Reusing one allocates nothing.
#[derive(Debug, Default)]
pub struct MatchAside {
    /// Hash of its game and setup; 0: nothing was set aside.
    of: u64,
    open: Box<OpenCalls>,
    /// The state, unless it is the one in which the open call began.
    words: Vec<i32>,
    choices: Vec<i32>,
    /// The suspended hooks, by seat.
    hooks: Vec<(Option<u8>, SuspendedHook)>,
    /// Whether no suspended hook is missing.
    is_whole: bool,
    answers: Vec<Answer>,
    steps: i64,
    log: [Vec<Line>; 2],
    history: Option<Box<History>>,
}

impl MatchAside {
    /// The answers so far, if they were recorded.
    #[must_use]
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }
}

impl Match {
    /// Sets the match aside. Afterwards it is over, and can take up another one or restart.
    pub fn set_aside(&mut self, into: &mut MatchAside) {
        into.of = self.runner.identity;
        into.steps = self.runner.steps;
        into.choices.clear();
        into.choices.extend_from_slice(self.choices());
        into.hooks.clear();
        into.is_whole = true;
        let Self { runner, open, .. } = self;
        if open.kind == Kind::Simultaneous && !runner.has_asks() {
            open.note(runner, open.asked.seat);
        }
        if open.keeps_words() {
            runner.game.layout().copy(runner.machine.words(), &mut into.words);
        }
        for seat in open.suspended_hooks(runner.has_asks()) {
            match runner.machine.set_aside(seat) {
                Some(hook) => into.hooks.push((seat, hook)),
                None => into.is_whole = false,
            }
        }
        into.open.kind = Kind::Over;
        if into.open.start.len() != open.start.len() {
            into.open.start.clone_from(&open.start);
        }
        self.exchange(into);
    }

    /// Takes up a match that was set aside.
    ///
    /// # Errors
    /// It was taken up before, or belongs to another game, number of players or set of options: nothing has changed. Or
    /// a script that succeeded before now fails: the match is over.
    pub fn take_up(&mut self, from: &mut MatchAside) -> Result<(), MatchError> {
        if from.of != self.runner.identity {
            return Err(MatchError::OtherMatch);
        }
        from.of = 0;
        self.runner.replace_undecided()?;
        self.runner.steps = from.steps;
        self.exchange(from);
        self.automatic.clear();
        self.events.clear();
        let traces = self.runner.machine.traces_mut();
        traces.log.clear();
        traces.notes.clear();
        traces.events.clear();
        self.runner.scores.changes.clear();
        let mut is_whole = from.is_whole;
        for (seat, hook) in from.hooks.drain(..) {
            is_whole &= self.runner.machine.take_up(seat, hook);
        }
        if is_whole {
            self.stand_at(from);
            return Ok(());
        }
        self.repeat_calls().inspect_err(|_| {
            let over = self.runner.over();
            self.wait_for(over);
        })
    }

    /// Exchanges everything but the state, the choices and the hooks.
    fn exchange(&mut self, other: &mut MatchAside) {
        std::mem::swap(&mut self.open, &mut other.open);
        std::mem::swap(&mut self.answers, &mut other.answers);
        std::mem::swap(&mut self.log, &mut other.log[0]);
        std::mem::swap(&mut self.held, &mut other.log[1]);
        std::mem::swap(&mut self.history, &mut other.history);
    }

    /// Writes the state and the choices of the open calls, whose hooks were taken up.
    fn stand_at(&mut self, from: &MatchAside) {
        let Self { runner, open, .. } = self;
        let words = if open.keeps_words() { &from.words } else { &open.start };
        runner.game.layout().copy_over(words, runner.machine.words_mut());
        runner.machine.set_choices(&from.choices);
        let is_together = open.number != 0;
        if is_together {
            open.number = runner.spare.next_number();
        }
        match open.kind {
            Kind::Over => {}
            Kind::Call => {
                let traces = runner.machine.traces_mut();
                traces.asks_together = is_together;
                if let Some(one) = open.single().filter(|_| is_together) {
                    traces.together.copy(&one.together);
                }
            }
            Kind::Simultaneous => {
                runner.machine.traces_mut().asks_together = false;
                runner.machine.forget_written();
                let Question { seat, .. } = open.asked;
                if !runner.has_asks() {
                    let mut changed = open.seat(seat).changes.iter().map(|&(at, _)| at as usize);
                    runner.machine.mark_written(&mut changed);
                }
                for one in open.calls_mut() {
                    if let Some(suspended) = &mut one.suspended {
                        suspended.machine = runner.renewals;
                    }
                }
            }
        }
    }

    /// Repeats the open calls.
    fn repeat_calls(&mut self) -> Result<(), MatchError> {
        let Self { runner, open, .. } = self;
        runner.machine.words_mut().copy_from_slice(&open.start);
        if open.kind != Kind::Simultaneous {
            return runner.rerun(open);
        }
        let (focus, done) = (open.asked.seat, open.done());
        open.reopen(runner, done)?;
        open.focus(runner, focus)
    }
}

impl OpenCalls {
    /// Whether the state differs from the one in which the calls began.
    fn keeps_words(&self) -> bool {
        self.kind != Kind::Over && !self.is_offer()
    }

    /// The seats with a suspended hook; `None`: a hook without a seat.
    fn suspended_hooks(&self, has_asks: bool) -> impl Iterator<Item = Option<u8>> + use<'_> {
        let single = (self.kind == Kind::Call && !self.is_offer()).then_some(None);
        let seats = if self.kind == Kind::Simultaneous && !has_asks { self.calls() } else { &[] };
        let seats = (0..).zip(seats).filter(|(seat, one)| {
            !one.call.is_offer() && !one.done && (*seat == self.asked.seat || one.suspended.is_some())
        });
        single.into_iter().chain(seats.map(|(seat, _)| Some(seat)))
    }
}
