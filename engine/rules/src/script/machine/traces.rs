//! Traces of a hook: everything it leaves besides the state block.

use std::ops::Deref;

use crate::script::machine::fact::{Departure, Fact, Note, identified_by};
use crate::script::machine::hook::Hook;
use crate::script::machine::question::{ForcedAnswer, Question};
use crate::script::machine::refusal::RefusedTest;
use crate::script::machine::together::Together;
use crate::state::Position;
use crate::state::hearing::EventArgs;
use crate::transcript::Line;
use motherlode_content::declare::Declarations;

/// Maximum transcript lines, and maximum events, that are kept until they are taken.
const MAX_LINES: usize = 10_000;

/// An event that happened while the transcript was on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmittedEvent {
    /// Index into `events`.
    pub event: usize,
    /// Its arguments in the end; 0 is a missing one.
    pub args: EventArgs,
}

/// A length of a step's transcript.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TranscriptLength {
    /// Lines.
    pub lines: usize,
    /// Forced answers.
    pub forced: usize,
    /// Events.
    pub events: usize,
    /// Facts for the histories.
    pub notes: usize,
}

/// Effects of the hooks that ran, besides the state block and the choices. A machine writes them, the flow reads
/// them.
#[derive(Debug, Default)]
pub struct Traces {
    /// The list that a hook or kernel returned.
    pub list: Vec<i32>,
    /// The question that was just asked.
    pub question: Option<Question>,
    /// Whether it was asked of the seats in [`together`](Self::together).
    pub asks_together: bool,
    /// The seats that a script asks at once.
    pub together: Together,
    /// The transcript length before that question.
    pub said_before: TranscriptLength,
    /// Whether random numbers were drawn or piles shuffled.
    pub used_random: bool,
    /// Transcript lines that have not been taken yet.
    pub log: Vec<Line>,
    /// Questions answered without asking; recorded even if the transcript is off.
    pub forced: Vec<ForcedAnswer>,
    /// Events that have not been taken yet; recorded while the transcript is on.
    pub events: Vec<EmittedEvent>,
    /// Whether the match keeps histories.
    pub watching: bool,
    /// The seat of a simultaneous phase whose hook runs.
    pub seat: Option<u8>,
    /// Facts of the step for the histories.
    pub notes: Vec<Note>,
    /// For each listener, whether an event reached it; empty unless coverage is counted.
    pub reached: Vec<bool>,
    /// Choices refused for the current question; recorded only in `Mode::Reasons`.
    pub refusals: Vec<RefusedTest>,
    /// Steps of all calls.
    pub spent: i64,
    /// Steps of the last started hook before it asked.
    pub spent_asking: i64,
    /// Steps by [hook](Hook::index).
    pub spent_on: Vec<i64>,
    /// A buffer for repeated answers.
    pub given: Vec<u16>,
}

impl Traces {
    /// Records a fact, up to [`MAX_LINES`] of them.
    #[inline]
    pub fn note(&mut self, fact: impl FnOnce() -> Fact) {
        if self.watching && self.notes.len() < MAX_LINES {
            self.notes.push(Note { by: self.seat, fact: fact() });
        }
    }

    /// Whether moves are recorded now. Those of a simultaneous phase are recorded when they become public.
    #[inline]
    #[must_use]
    pub fn watches_moves(&self) -> bool {
        self.watching && self.seat.is_none()
    }

    /// A token that is about to move, if moves are recorded.
    #[inline]
    #[must_use]
    pub fn departure<W: Deref<Target = [i32]>>(
        &self,
        d: &Declarations,
        position: &Position<'_, W>,
        token: i32,
    ) -> Option<Departure> {
        self.watches_moves()
            .then(|| Departure { from: position.pile_of(token), known: identified_by(d, position, token) })
    }

    /// Records the move of a token that has left its pile.
    #[inline]
    pub fn note_move<W: Deref<Target = [i32]>>(
        &mut self,
        d: &Declarations,
        position: &Position<'_, W>,
        token: i32,
        left: Option<Departure>,
    ) {
        if let Some(Departure { from, known }) = left {
            let (to, now) = (position.pile_of(token), identified_by(d, position, token));
            self.note(|| Fact::Move { token, from, to, known: known | now });
        }
    }

    /// Adds a line to the transcript. Lines beyond the maximum are dropped without an error: a match must play the
    /// same with and without a transcript.
    pub fn say(&mut self, line: impl FnOnce() -> Line) {
        if self.log.len() < MAX_LINES {
            let line = line();
            self.note(|| Fact::Line(line.clone()));
            self.log.push(line);
        }
    }

    /// Records a refused choice, up to [`MAX_LINES`] of them.
    pub fn refuse(&mut self, refused: RefusedTest) {
        if self.refusals.len() < MAX_LINES {
            self.refusals.push(refused);
        }
    }

    /// Records an event, up to [`MAX_LINES`] of them.
    pub fn emit(&mut self, event: usize, args: EventArgs) {
        if self.events.len() < MAX_LINES {
            self.events.push(EmittedEvent { event, args });
        }
    }

    /// The length of the transcript so far.
    #[must_use]
    pub fn transcript_len(&self) -> TranscriptLength {
        TranscriptLength {
            lines: self.log.len(),
            forced: self.forced.len(),
            events: self.events.len(),
            notes: self.notes.len(),
        }
    }

    /// Truncates the transcript to an earlier length.
    pub fn truncate_transcript(&mut self, said: TranscriptLength) {
        self.log.truncate(said.lines);
        self.forced.truncate(said.forced);
        self.events.truncate(said.events);
        self.notes.truncate(said.notes);
    }

    /// Records the engine's answer to a question, up to [`MAX_LINES`] of them. `moment`: round and phase.
    pub fn force(&mut self, question: Question, (round, phase): (i32, i32), choice: i32) {
        if self.forced.len() < MAX_LINES {
            let forced = ForcedAnswer { question, round, phase, choice, at: self.log.len() };
            self.note(|| Fact::Forced(forced));
            self.forced.push(forced);
        }
    }

    /// Takes the answers to the question just asked from `rest`, one for each asked seat. Returns false if too few
    /// are left.
    pub fn take_answers(&self, rest: &mut &[u16], given: &mut Vec<u16>) -> bool {
        let count = if self.asks_together { self.together.asked().count() } else { 1 };
        let Some((next, others)) = rest.split_at_checked(count) else { return false };
        given.extend_from_slice(next);
        *rest = others;
        true
    }

    /// Charges the steps of a call to a hook.
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
