//! Snapshots: a match at any decision, as plain data.
//!
//! A coroutine cannot be copied. So a snapshot taken in the middle of a hook holds the state in which the hook began and the
//! answers given since; taking it back runs the hook again. Scripts are deterministic, so it arrives where it was. Of a match that was
//! redealt in the middle of a hook it is the new deal of that state, see `flow/deal.rs`.

use crate::flow::waiting::{Call, Waiting};
use crate::flow::{Answer, Match, MatchError};
use crate::script::context::Values;
use crate::transcript::Line;

/// A match at one decision. It fits any match of the same game and setup.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// The game and setup that it fits.
    of: u64,
    /// The state: at the decision, or where the running hook (or simultaneous phase) began.
    pub(super) words: Vec<i32>,
    pending: Pending,
    /// Of an offer.
    choices: Vec<i32>,
    /// Of a hook.
    call: Call,
    /// Answers of each seat in a simultaneous phase.
    given: Vec<Vec<u16>>,
    history: Vec<Answer>,
    /// Steps that the match had taken.
    steps: i64,
    /// The transcript not taken yet, and what of it is held until the reveal; empty without a transcript.
    log: [Vec<Line>; 2],
}

/// What the match waited for. The other fields are buffers: whoever takes snapshots in a loop allocates nothing.
#[derive(Debug, Clone, Copy, Default)]
enum Pending {
    #[default]
    Over,
    Offer {
        seat: u8,
        prompt: usize,
        values: Values,
    },
    Hook {
        focus: u8,
    },
    Simultaneous {
        focus: u8,
        /// Seats that are done, as bits.
        done: u32,
    },
}

impl Match {
    /// The match as it is now.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let mut out = Snapshot::default();
        self.snapshot_into(&mut out);
        out
    }

    /// The same into an existing snapshot, without allocating.
    pub fn snapshot_into(&self, out: &mut Snapshot) {
        out.of = self.runner.identity;
        out.steps = self.runner.steps;
        out.history.clear();
        out.history.extend_from_slice(&self.answers);
        out.log[0].clone_from(&self.log);
        out.log[1].clone_from(&self.held);
        let words = match &self.waiting {
            Waiting::Over => {
                out.pending = Pending::Over;
                self.runner.host.words()
            }
            &Waiting::Offer { seat, prompt, values } => {
                out.pending = Pending::Offer { seat, prompt, values };
                out.choices.clear();
                out.choices.extend_from_slice(self.choices());
                self.runner.host.words()
            }
            Waiting::Hook(frame) => {
                out.pending = Pending::Hook { focus: frame.asked.seat };
                out.call.copy(&frame.call);
                &frame.start
            }
            Waiting::Simultaneous(phase) => {
                out.pending = Pending::Simultaneous { focus: phase.asked.seat, done: phase.done() };
                out.given.resize_with(phase.seats.len(), Vec::new);
                for (to, from) in out.given.iter_mut().zip(&phase.seats) {
                    to.clear();
                    to.extend_from_slice(&from.answers);
                }
                &phase.start
            }
        };
        out.words.clear();
        out.words.extend_from_slice(words);
    }

    /// Puts a snapshot of the same game and setup back.
    ///
    /// # Errors
    /// The snapshot belongs to another game, number of players or choice of options: nothing has changed. Or a script failed that had run before: the match is over.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), MatchError> {
        if snapshot.of != self.runner.identity {
            return Err(MatchError::Snapshot("the snapshot belongs to another game or setup".into()));
        }
        let done = self.put_back(snapshot);
        // What hooks have left behind may leave no room for those that run again: a fresh host decides.
        if done.is_err() && self.runner.host.is_undecided() { self.put_back(snapshot) } else { done }
    }

    fn put_back(&mut self, snapshot: &Snapshot) -> Result<(), MatchError> {
        self.wait_for(Waiting::Over);
        let runner = &mut self.runner;
        runner.steps = snapshot.steps;
        runner.mend_host()?;
        runner.game.layout().copy_over(&snapshot.words, runner.host.words_mut());
        let waiting = match snapshot.pending {
            Pending::Over => Waiting::Over,
            Pending::Offer { seat, prompt, values } => {
                runner.host.set_choices(&snapshot.choices);
                Waiting::Offer { seat, prompt, values }
            }
            Pending::Hook { focus } => {
                let mut frame = runner.spare.frame(runner.game.layout(), &snapshot.words);
                frame.call.copy(&snapshot.call);
                runner.rerun(&mut frame)?;
                if frame.is_open(focus) {
                    runner.turn_to(&mut frame, focus);
                }
                Waiting::Hook(frame)
            }
            Pending::Simultaneous { focus, done } => {
                let mut phase = runner.spare.phase(runner.game.layout(), &snapshot.words, runner.setup.players);
                for (to, from) in phase.seats.iter_mut().zip(&snapshot.given) {
                    to.answers.extend_from_slice(from);
                }
                phase.reopen(runner, done)?;
                phase.focus(runner, focus)?;
                Waiting::Simultaneous(phase)
            }
        };
        self.waiting = waiting;
        self.answers.clear();
        self.answers.extend_from_slice(&snapshot.history);
        self.automatic.clear();
        self.log.clone_from(&snapshot.log[0]);
        self.held.clone_from(&snapshot.log[1]);
        self.runner.host.context_mut().log.clear();
        Ok(())
    }

    /// A match of its own at the same decision.
    ///
    /// # Errors
    /// No new script host could be made, or the snapshot cannot be put back.
    pub fn fork(&self) -> Result<Self, MatchError> {
        let mut fork = Self::idle(self.game(), self.setup())?;
        fork.restore(&self.snapshot())?;
        Ok(fork)
    }
}
