//! Everything that a match waits for: the calls that are open, the state in which they began, and the question in focus.

use crate::flow::call::{Args, Call};
use crate::script::machine::{ForcedAnswer, Hook, Question, Said, Together};
use crate::state::Layout;

/// How many calls are open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// None: the match is over.
    #[default]
    Over,
    /// One.
    Call,
    /// One for each seat of a simultaneous phase.
    Simultaneous,
}

/// Open calls. While an answer is carried out they stay as they were: there a failed step finds its way back.
#[derive(Debug, Default)]
pub(super) struct Open {
    pub kind: Kind,
    /// The state in which the calls began: all of them run against it. Of a match that is over, its last state.
    pub start: Vec<i32>,
    /// The calls, and behind them buffers of earlier ones.
    calls: Vec<OpenCall>,
    /// The question in focus; its choices are listed in the machine.
    pub asked: Question,
    /// A unique number if several seats are asked at once, else 0.
    pub number: u64,
    /// The transcript's length when the step that led here began to ask them: the rest is told after the reveal.
    pub said: Said,
    /// Progress before the step that is carried out.
    pub mark: Mark,
}

/// An open call.
#[derive(Debug, Clone, Default)]
pub(super) struct OpenCall {
    pub call: Call,
    /// The seats that its hook asks at once.
    pub together: Together,
    /// Single choices that were taken: of the seat, or of those that are asked at once.
    pub forced: Vec<ForcedAnswer>,
    /// The seat is done with the simultaneous phase.
    pub done: bool,
    /// Words that the seat's hook changed: all once it is done; before that those up to its question, noted when another seat
    /// takes the focus.
    pub changes: Vec<(u32, i32)>,
    /// Progress through declared questions.
    pub asking: Asking,
    /// The seat's question, noted with its choices when another seat takes the focus; `None`: its hook ends without one.
    pub question: Option<Question>,
    pub choices: Vec<i32>,
    /// Its hook waits at `question` in the coroutine of the seat.
    pub suspended: Option<Suspended>,
}

/// A seat's progress through the declared questions of its phase.
#[derive(Debug, Clone, Default)]
pub(super) struct Asking {
    /// The question.
    pub step: usize,
    /// How often it was answered.
    pub times: usize,
}

impl Asking {
    /// Goes on to the next question.
    pub fn next(&mut self) {
        self.step += 1;
        self.times = 0;
    }
}

/// A hook that is suspended while another seat is in focus.
#[derive(Debug, Clone, Copy)]
pub(super) struct Suspended {
    /// Number of answers it was given.
    pub answers: usize,
    /// Steps it has spent.
    pub spent: i64,
    /// The machine in which it waits, by [`Runner::renewals`](crate::flow::runner::Runner::renewals).
    pub machine: u32,
}

/// Progress of a simultaneous phase.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mark {
    /// Answers of the seat in focus.
    pub answered: usize,
    /// Seats that are done, as bits.
    pub done: u32,
}

impl Open {
    /// Becomes one call without answers.
    pub fn begin(&mut self, hook: Hook, args: Args) {
        self.kind = Kind::Call;
        if self.calls.is_empty() {
            self.calls.push(OpenCall::default());
        }
        let one = &mut self.calls[0];
        one.call.begin(hook, args);
        one.forced.clear();
    }

    /// Becomes a simultaneous phase in which nobody has answered.
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

    /// The open calls, for changes.
    pub fn calls_mut(&mut self) -> &mut [OpenCall] {
        match self.kind {
            Kind::Over => &mut [],
            Kind::Call => &mut self.calls[..1],
            Kind::Simultaneous => &mut self.calls,
        }
    }

    /// The call of a seat of a simultaneous phase.
    pub fn seat(&self, seat: u8) -> &OpenCall {
        &self.calls[usize::from(seat)]
    }

    /// The call of a seat of a simultaneous phase, for changes.
    pub fn seat_mut(&mut self, seat: u8) -> &mut OpenCall {
        &mut self.calls[usize::from(seat)]
    }

    /// The only open call; `None`: the match is over, or in a simultaneous phase.
    pub fn single(&self) -> Option<&OpenCall> {
        self.calls.first().filter(|_| self.kind == Kind::Call)
    }

    /// The only open call, for changes.
    pub fn single_mut(&mut self) -> Option<&mut OpenCall> {
        self.calls.first_mut().filter(|_| self.kind == Kind::Call)
    }

    /// Whether it is one call that waits for the answer to an offer.
    pub fn is_offer(&self) -> bool {
        self.single().is_some_and(|one| one.call.is_offer())
    }

    /// The question in focus; `None`: the match is over.
    pub fn asked(&self) -> Option<Question> {
        (self.kind != Kind::Over).then_some(self.asked)
    }

    /// Whether several seats answer before anything is told: the unique number of their questions, and where the transcript ended before.
    pub fn simultaneous(&self) -> Option<(u64, Said)> {
        (self.number != 0).then_some((self.number, self.said))
    }

    /// Single choices of the seats that are asked at once, in parts.
    pub fn forced(&self) -> impl Iterator<Item = &[ForcedAnswer]> {
        let calls = if self.number == 0 { &[] } else { self.calls() };
        calls.iter().map(|one| one.forced.as_slice()).filter(|forced| !forced.is_empty())
    }

    /// Seats that are asked at once by a hook and have not answered.
    pub fn unanswered(&self) -> impl Iterator<Item = u8> {
        let one = self.single().filter(|_| self.number != 0);
        one.into_iter()
            .flat_map(|one| one.together.asked().filter(|seat| one.call.replies.iter().all(|(other, _)| other != seat)))
    }

    /// Whether a seat that is asked with others has still to answer.
    pub fn is_open(&self, seat: u8) -> bool {
        match self.kind {
            Kind::Simultaneous => self.calls.get(usize::from(seat)).is_some_and(|one| !one.done),
            _ => self.unanswered().any(|open| open == seat),
        }
    }

    /// Seats that are done with the simultaneous phase, as bits.
    pub fn done(&self) -> u32 {
        self.calls().iter().enumerate().map(|(seat, one)| u32::from(one.done) << seat).sum()
    }
}

/// Buffers of calls that are no longer open, to be used again: an answer allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Spare {
    /// One is open and another gets ready; a third waits to be taken back.
    #[expect(clippy::vec_box, reason = "open calls are handed over in their box")]
    opens: Vec<Box<Open>>,
    /// The choices of an offer that is dealt again.
    pub choices: Vec<i32>,
    /// The last unique number.
    number: u64,
}

impl Spare {
    /// Keeps buffers.
    pub fn keep(&mut self, old: Box<Open>) {
        if self.opens.len() < 3 {
            self.opens.push(old);
        }
    }

    /// A number that was not there before.
    pub fn next_number(&mut self) -> u64 {
        self.number += 1;
        self.number
    }

    /// Nothing open yet, from this state on.
    pub fn open(&mut self, layout: &Layout, start: &[i32]) -> Box<Open> {
        let mut open = self.opens.pop().unwrap_or_default();
        layout.copy(start, &mut open.start);
        (open.kind, open.number, open.said) = (Kind::Over, 0, Said::default());
        open
    }
}
