//! Snapshots: a match at any decision, as plain data.
//!
//! A coroutine cannot be copied. So a snapshot taken in the middle of a hook holds the state in which the hook began and the
//! answers given since; taking it back runs the hook again. Scripts are deterministic, so it arrives where it was.

use crate::flow::matches::{Frame, Match, Pending};
use crate::flow::{Answer, MatchError};
use crate::script::host::{Hook, PhaseHook};
use crate::transcript::Line;

/// A match at one decision. It fits any match of the same game and setup.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// The state: at the decision, or where the running hook (or sealed phase) began.
    pub(super) words: Vec<i32>,
    pub(super) pending: Pending,
    pub(super) choices: Vec<i32>,
    pub(super) frame: Frame,
    /// Answers of each seat in a sealed phase.
    pub(super) sealed: Vec<Vec<u16>>,
    /// Seats that are done with it, as bits.
    pub(super) done: u32,
    pub(super) history: Vec<Answer>,
    /// The transcript not taken yet, and what of it is sealed; empty without a transcript.
    pub(super) log: [Vec<Line>; 2],
    /// Taken from a redealt match in the middle of a hook: its beginning is not known.
    pub(super) redealt: bool,
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
        out.history.clear();
        out.history.extend_from_slice(&self.answers);
        out.log[0].clone_from(&self.log);
        out.log[1].clone_from(&self.held);
        out.choices.clear();
        if matches!(self.pending, Pending::Offer { .. }) {
            out.choices.extend_from_slice(self.choices());
        }
        out.pending = self.pending;
        out.redealt = self.redealt;
        let words = match self.pending {
            Pending::Hook { .. } => &self.frame.start,
            Pending::Sealed { .. } => &self.sealed.start,
            Pending::Offer { .. } | Pending::Over => self.host.words(),
        };
        out.words.clear();
        out.words.extend_from_slice(words);
        match self.pending {
            Pending::Hook { .. } => out.frame.copy_call(&self.frame),
            Pending::Sealed { .. } => {
                out.done = self.sealed_done();
                out.sealed.resize_with(self.sealed.seats.len(), Vec::new);
                for (to, from) in out.sealed.iter_mut().zip(&self.sealed.seats) {
                    to.clear();
                    to.extend_from_slice(&from.answers);
                }
            }
            Pending::Offer { .. } | Pending::Over => {}
        }
    }

    /// Puts a snapshot of the same game and setup back.
    ///
    /// # Errors
    /// The snapshot belongs to another game, or was taken in the middle of a hook of a redealt match.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), MatchError> {
        if snapshot.words.len() != self.host.words().len() {
            return Err(MatchError::Snapshot("the snapshot belongs to another game".into()));
        }
        if snapshot.redealt && matches!(snapshot.pending, Pending::Hook { .. } | Pending::Sealed { .. }) {
            return Err(MatchError::Snapshot("a redealt match cannot be put back in the middle of a hook".into()));
        }
        self.load(snapshot)?;
        if matches!(snapshot.pending, Pending::Offer { .. }) {
            self.host.set_choices(&snapshot.choices);
        }
        self.answers.clear();
        self.answers.extend_from_slice(&snapshot.history);
        self.log.clone_from(&snapshot.log[0]);
        self.held.clone_from(&snapshot.log[1]);
        self.host.context_mut().log.clear();
        Ok(())
    }

    /// Puts state and pending decision back; for an offer not its choices.
    pub(super) fn load(&mut self, snapshot: &Snapshot) -> Result<(), MatchError> {
        if self.host.is_broken() {
            self.renew_host()?;
        }
        self.redealt = false;
        self.pending = snapshot.pending;
        self.host.words_mut().copy_from_slice(&snapshot.words);
        match snapshot.pending {
            Pending::Offer { .. } | Pending::Over => Ok(()),
            Pending::Hook { .. } => {
                self.frame.copy_call(&snapshot.frame);
                self.frame.start.clear();
                self.frame.start.extend_from_slice(&snapshot.words);
                self.rerun_frame()
            }
            Pending::Sealed { seat, .. } => {
                self.sealed_reopen(&snapshot.words, &snapshot.sealed, snapshot.done)?;
                self.sealed_focus(seat)
            }
        }
    }

    /// Remembers what a failed answer is taken back to.
    pub(super) fn mark_undo(&mut self) {
        self.undo.pending = self.pending;
        self.undo.redealt = self.redealt;
        self.undo.moved = false;
        if let Pending::Sealed { .. } = self.pending {
            self.undo.done = self.sealed_done();
        }
        if let Pending::Offer { .. } = self.pending {
            self.undo.words.clear();
            self.undo.words.extend_from_slice(self.host.words());
        }
    }

    /// Takes back a failed answer of this seat.
    pub(super) fn roll_back(&mut self, seat: u8) -> Result<(), MatchError> {
        if self.host.is_broken() {
            self.renew_host()?;
        }
        self.pending = self.undo.pending;
        self.redealt = self.undo.redealt;
        match self.pending {
            Pending::Over => Ok(()),
            Pending::Offer { seat, .. } => {
                self.host.words_mut().copy_from_slice(&self.undo.words);
                let listed = self.list_offer(seat);
                // An offer that writes has done so already.
                self.host.words_mut().copy_from_slice(&self.undo.words);
                listed
            }
            Pending::Hook { .. } => {
                if self.undo.moved {
                    std::mem::swap(&mut self.frame, &mut self.undo.frame);
                    self.undo.moved = false;
                }
                self.frame.answers.pop();
                self.host.words_mut().copy_from_slice(&self.frame.start);
                self.rerun_frame()
            }
            Pending::Sealed { .. } => {
                if self.undo.moved {
                    std::mem::swap(&mut self.sealed, &mut self.undo.sealed);
                    self.undo.moved = false;
                }
                let start = self.sealed.start.clone();
                let mut answers: Vec<Vec<u16>> = self.sealed.seats.iter().map(|s| s.answers.clone()).collect();
                answers[usize::from(seat)].pop();
                self.sealed_reopen(&start, &answers, self.undo.done)?;
                self.sealed_focus(seat)
            }
        }
    }

    /// Lists the choices of the offer that is pending, again.
    pub(super) fn list_offer(&mut self, seat: u8) -> Result<(), MatchError> {
        let phase = self.phase_index();
        let hook = Hook::Phase(phase, PhaseHook::Offer);
        self.host.clear_choices();
        let args = [i32::from(seat) + 1];
        if let Some(offer) = self.declarations().phases[phase].offer {
            self.host.list_declared(offer, args[0]);
        }
        if let Some(function) = self.host.function(hook)
            && let Err(trap) = self.host.call(function, &args)
        {
            return Err(self.fault(&trap, hook, &args));
        }
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
