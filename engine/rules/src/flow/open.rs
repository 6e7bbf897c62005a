//! The open calls of a match: the calls, the state in which they began, and the question in focus.

use crate::flow::call::{Args, Call};
use crate::flow::shared_block::{SharedBlock, SpareBlocks};
use crate::script::machine::{ForcedAnswer, Hook, Question, Together, TranscriptLength};
use crate::state::Layout;

/// The number of open calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// None: the match is over.
    #[default]
    Over,
    /// One call.
    Call,
    /// One call for each seat of a simultaneous phase.
    Simultaneous,
}

/// Open calls. They stay unchanged while a step runs, so that a failed step can be rolled back.
#[derive(Debug, Default)]
pub(super) struct OpenCalls {
    pub kind: Kind,
    /// The state in which the calls began; all of them run against it. If the match is over: its last state.
    pub start: SharedBlock,
    /// The calls, followed by unused buffers of earlier calls.
    calls: Vec<OpenCall>,
    /// Seats that have finished the simultaneous phase, as bits.
    done: u32,
    /// The question in focus; the machine holds its choices.
    pub asked: Question,
    /// A unique id if several seats are asked at once, otherwise 0.
    pub number: u64,
    /// The transcript length before the question to several seats; later lines are published after the reveal.
    pub said: TranscriptLength,
    /// Progress before the running step.
    pub mark: PhaseProgress,
    /// Steps taken to find out whom a simultaneous phase passes over.
    pub spent: i64,
}

/// An open call.
#[derive(Debug, Clone, Default)]
pub(super) struct OpenCall {
    pub call: Call,
    /// The seats that its hook asks at once.
    pub together: Together,
    /// Steps that the call of a seat has taken since its beginning, with what leads to its hook.
    pub spent: i64,
    /// Single choices taken for this seat, or for the seats asked at once.
    pub forced: Vec<ForcedAnswer>,
    /// Words that the seat's hook has changed. Before the seat is done: those up to its question, recorded when the
    /// focus moves away.
    pub changes: Vec<(u32, i32)>,
    /// Progress through declared questions.
    pub asking: AskProgress,
    /// The seat's question, recorded with its choices when the focus moves away; `None`: its hook ends without one.
    pub question: Option<Question>,
    pub choices: Vec<i32>,
    /// Set while its hook is suspended at `question` in the seat's coroutine.
    pub suspended: Option<Suspended>,
}

/// A seat's progress through the declared questions of its phase.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AskProgress {
    /// Index of the question.
    pub step: usize,
    /// Number of answers to it.
    pub times: usize,
}

impl AskProgress {
    /// Moves to the next question.
    pub fn next(&mut self) {
        self.step += 1;
        self.times = 0;
    }
}

/// A hook suspended while another seat is in focus.
#[derive(Debug, Clone, Copy)]
pub(super) struct Suspended {
    /// Number of answers it has received.
    pub answers: usize,
    /// Steps it has spent.
    pub spent: i64,
    /// The machine that runs it, by [`Runner::renewals`](crate::flow::runner::Runner::renewals).
    pub machine: u32,
}

impl Suspended {
    /// A hook that waits in a machine after the answers of a call.
    pub fn after(call: &Call, spent: i64, machine: u32) -> Self {
        Self { answers: call.answered(), spent, machine }
    }

    /// Whether the hook of this call still waits in the machine.
    pub fn fits(&self, machine: u32, call: &Call) -> bool {
        self.answers == call.answered() && self.machine == machine
    }
}

/// Progress of a simultaneous phase.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PhaseProgress {
    /// Number of answers of the seat in focus.
    pub answered: usize,
    /// Seats that are done, as bits.
    pub done: u32,
}

impl OpenCalls {
    /// Resets to one call without answers.
    pub fn begin(&mut self, hook: Hook, args: Args) {
        self.kind = Kind::Call;
        if self.calls.is_empty() {
            self.calls.push(OpenCall::default());
        }
        let one = &mut self.calls[0];
        one.call.begin(hook, args);
        one.forced.clear();
    }

    /// Resets to a simultaneous phase without answers.
    pub fn begin_simultaneous(&mut self, seats: u8, number: u64) {
        (self.kind, self.number) = (Kind::Simultaneous, number);
        self.calls.resize_with(usize::from(seats), OpenCall::default);
        for seat in &mut self.calls {
            seat.call.begin(Hook::Setup, Args::NONE);
        }
    }

    /// The open calls.
    pub fn calls(&self) -> &[OpenCall] {
        match self.kind {
            Kind::Over => &[],
            Kind::Call => &self.calls[..1],
            Kind::Simultaneous => &self.calls,
        }
    }

    /// The open calls, mutable.
    pub fn calls_mut(&mut self) -> &mut [OpenCall] {
        match self.kind {
            Kind::Over => &mut [],
            Kind::Call => &mut self.calls[..1],
            Kind::Simultaneous => &mut self.calls,
        }
    }

    /// The call of a seat of a simultaneous phase.
    #[inline]
    pub fn seat(&self, seat: u8) -> &OpenCall {
        &self.calls[usize::from(seat)]
    }

    /// The call of a seat of a simultaneous phase, mutable.
    #[inline]
    pub fn seat_mut(&mut self, seat: u8) -> &mut OpenCall {
        &mut self.calls[usize::from(seat)]
    }

    /// The only open call; `None`: the match is over or in a simultaneous phase.
    #[inline]
    pub fn single(&self) -> Option<&OpenCall> {
        self.calls.first().filter(|_| self.kind == Kind::Call)
    }

    /// The only open call, mutable.
    #[inline]
    pub fn single_mut(&mut self) -> Option<&mut OpenCall> {
        self.calls.first_mut().filter(|_| self.kind == Kind::Call)
    }

    /// Whether the only open call waits for the answer to an offer.
    #[inline]
    pub fn is_offer(&self) -> bool {
        self.single().is_some_and(|one| one.call.is_offer())
    }

    /// The question in focus; `None`: the match is over.
    #[inline]
    pub fn asked(&self) -> Option<Question> {
        (self.kind != Kind::Over).then_some(self.asked)
    }

    /// The id of the current simultaneous questions and the transcript length before them; `None`: the match is not
    /// simultaneous.
    #[inline]
    pub fn simultaneous(&self) -> Option<(u64, TranscriptLength)> {
        (self.number != 0).then_some((self.number, self.said))
    }

    /// Single choices taken for the seats that are asked at once, one slice for each call.
    pub fn forced(&self) -> impl Iterator<Item = &[ForcedAnswer]> {
        let calls = if self.number == 0 { &[] } else { self.calls() };
        calls.iter().map(|one| one.forced.as_slice()).filter(|forced| !forced.is_empty())
    }

    /// Seats that a hook asks at once and that have not answered.
    pub fn unanswered(&self) -> impl Iterator<Item = u8> {
        let one = self.single().filter(|_| self.number != 0);
        one.into_iter()
            .flat_map(|one| one.together.asked().filter(|seat| one.call.replies.iter().all(|(other, _)| other != seat)))
    }

    /// Whether a seat that is asked with others has not answered yet.
    pub fn is_open(&self, seat: u8) -> bool {
        match self.kind {
            Kind::Simultaneous => usize::from(seat) < self.calls.len() && self.done >> seat & 1 == 0,
            _ => self.unanswered().any(|open| open == seat),
        }
    }

    /// Seats that have finished the simultaneous phase, as bits.
    #[inline]
    pub fn done(&self) -> u32 {
        if self.kind == Kind::Simultaneous { self.done } else { 0 }
    }

    /// Sets the seats that have finished the simultaneous phase, as bits.
    pub fn set_all_done(&mut self, seats: u32) {
        self.done = seats & ((1 << self.calls.len()) - 1);
    }

    /// Sets whether a seat has finished the simultaneous phase.
    #[inline]
    pub fn set_done(&mut self, seat: u8, is_done: bool) {
        self.done = self.done & !(1 << seat) | u32::from(is_done) << seat;
    }

    /// The first seat that has not finished the simultaneous phase.
    #[inline]
    pub fn first_open(&self) -> Option<u8> {
        let seat = (!self.done).trailing_zeros();
        ((seat as usize) < self.calls.len()).then_some(seat as u8)
    }
}

/// Buffers of closed calls, reused so that an answer allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Spare {
    /// Three at most: the open one, its successor, and one to roll back to.
    #[expect(clippy::vec_box, reason = "open calls are handed over in their box")]
    opens: Vec<Box<OpenCalls>>,
    pub blocks: SpareBlocks,
    /// The choices of an offer that is redealt.
    pub choices: Vec<i32>,
    /// The last id given out.
    number: u64,
}

impl Spare {
    /// Keeps buffers.
    pub fn keep(&mut self, old: Box<OpenCalls>) {
        if self.opens.len() < 3 {
            self.opens.push(old);
        }
    }

    /// A new unique id.
    pub fn next_number(&mut self) -> u64 {
        self.number += 1;
        self.number
    }

    /// An empty set of calls that begins in this state.
    pub fn open(&mut self, layout: &Layout, start: &[i32]) -> Box<OpenCalls> {
        let mut open = self.open_later();
        self.blocks.write(layout, start, &mut open.start);
        open
    }

    /// An empty set of calls that begins in a shared state.
    pub fn open_shared(&mut self, start: &SharedBlock) -> Box<OpenCalls> {
        let mut open = self.open_later();
        self.blocks.share(start, &mut open.start);
        open
    }

    /// An empty set of calls, without the state in which it begins.
    pub fn open_later(&mut self) -> Box<OpenCalls> {
        let mut open = self.opens.pop().unwrap_or_default();
        (open.kind, open.number, open.said) = (Kind::Over, 0, TranscriptLength::default());
        open
    }
}
