//! What a match waits for, and the buffers that this needs.

use crate::flow::simultaneous::Simultaneous;
use crate::script::chance::Given;
use crate::script::context::{Asked, Forced, Said, Values};
use crate::script::host::Hook;
use crate::script::together::Together;
use crate::state::Layout;

/// What a match waits for. While an answer is carried out it stays as it was: there a failed step finds its way back.
#[derive(Debug, Default)]
pub(super) enum Waiting {
    /// Nothing: the match is over.
    #[default]
    Over,
    /// One of the choices that `offer` listed.
    Offer { seat: u8, prompt: usize, values: Values },
    /// An answer for a hook that runs as a coroutine.
    Hook(Box<Frame>),
    /// Answers of several seats.
    Simultaneous(Box<Simultaneous>),
}

impl Waiting {
    /// The question to answer next.
    pub fn asked(&self) -> Option<Asked> {
        match self {
            Self::Over => None,
            Self::Offer { seat, prompt, values } => Some(Asked { seat: *seat, prompt: *prompt, values: *values }),
            Self::Hook(frame) => Some(frame.asked),
            Self::Simultaneous(phase) => Some(phase.asked),
        }
    }

    /// Several seats answer before anything is told: a number of its own, and how much the step that led there had said before.
    pub fn simultaneous(&self) -> Option<(u64, Said)> {
        match self {
            Self::Simultaneous(phase) => Some((phase.number, phase.said)),
            Self::Hook(frame) if frame.is_together() => Some((frame.number, frame.said)),
            Self::Over | Self::Offer { .. } | Self::Hook(_) => None,
        }
    }

    /// Questions of these seats that answered themselves, in parts.
    pub fn forced(&self) -> impl Iterator<Item = &[Forced]> {
        let (seats, together) = match self {
            Self::Simultaneous(phase) => (phase.seats.as_slice(), &[][..]),
            Self::Hook(frame) if frame.is_together() => (&[][..], frame.forced.as_slice()),
            Self::Over | Self::Offer { .. } | Self::Hook(_) => (&[][..], &[][..]),
        };
        let of_seats = seats.iter().map(|seat| seat.forced.as_slice());
        of_seats.chain(std::iter::once(together)).filter(|forced| !forced.is_empty())
    }
}

/// A hook that waits.
#[derive(Debug)]
pub(super) struct Frame {
    pub call: Call,
    /// State in which the hook began.
    pub start: Vec<i32>,
    pub asked: Asked,
    /// The seats that are asked at once.
    pub together: Together,
    /// A number of this question to several seats; 0: one seat is asked.
    pub number: u64,
    /// How much the step that led to it had said before.
    pub said: Said,
    /// Seats of these whose single choice was taken.
    pub forced: Vec<Forced>,
}

impl Frame {
    /// Whether several seats are asked.
    pub fn is_together(&self) -> bool {
        self.number != 0
    }

    /// Whether a seat is asked with others and has not answered.
    pub fn is_open(&self, seat: u8) -> bool {
        self.open().any(|open| open == seat)
    }

    /// The seats that are asked together and have not answered.
    pub fn open(&self) -> impl Iterator<Item = u8> {
        let replies = &self.call.replies;
        let asked = self.is_together().then(|| self.together.asked());
        asked.into_iter().flatten().filter(|seat| replies.iter().all(|(other, _)| other != seat))
    }

    /// What a seat is asked that has not answered yet, with its choices.
    pub fn question(&self, seat: u8) -> Option<(Asked, &[i32])> {
        self.is_open(seat).then(|| (Asked { seat, ..self.asked }, self.together.choices_of(seat)))
    }
}

/// A hook call that can be made again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    pub hook: Hook,
    pub args: Args,
    pub answers: Vec<u16>,
    /// Answers to the question that several seats are asked now, by seat; they are among the `answers` once all have answered.
    pub replies: Vec<(u8, u16)>,
    /// What falls otherwise than the seed has it: the match was redealt in the middle of the hook.
    pub given: Given,
}

impl Default for Call {
    fn default() -> Self {
        Self { hook: Hook::Setup, args: Args::NONE, answers: Vec::new(), replies: Vec::new(), given: Given::default() }
    }
}

impl Call {
    /// Becomes another call; the buffer is kept.
    pub fn copy(&mut self, from: &Self) {
        self.hook = from.hook;
        self.args = from.args;
        self.answers.clear();
        self.answers.extend_from_slice(&from.answers);
        self.replies.clear();
        self.replies.extend_from_slice(&from.replies);
        self.given.copy(&from.given);
    }

    /// Notes the answer of one of several seats.
    pub fn give(&mut self, seat: u8, index: usize) {
        let at = self.replies.partition_point(|(other, _)| *other < seat);
        self.replies.insert(at, (seat, index as u16));
    }
}

/// Up to two arguments of a hook.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Args {
    values: [i32; 2],
    len: usize,
}

impl Args {
    pub const NONE: Self = Self { values: [0; 2], len: 0 };

    pub fn player(player: i32) -> Self {
        Self { values: [player, 0], len: 1 }
    }

    pub fn act(player: i32, choice: i32) -> Self {
        Self { values: [player, choice], len: 2 }
    }

    pub fn list(&self) -> &[i32] {
        &self.values[..self.len]
    }
}

/// Buffers of what the match no longer waits for, to be used again: an answer allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Spare {
    frame: Option<Box<Frame>>,
    /// One that waits is given up only after the next has begun: there are two.
    #[expect(clippy::vec_box, reason = "what the match waits for is handed over in its box")]
    phases: Vec<Box<Simultaneous>>,
    /// The choices of an offer that is dealt again.
    pub choices: Vec<i32>,
    /// The last of the numbers that tell steps and simultaneous phases apart.
    number: u64,
}

impl Spare {
    /// Keeps the buffers of what the match waited for.
    pub fn keep(&mut self, old: Waiting) {
        match old {
            Waiting::Over | Waiting::Offer { .. } => {}
            Waiting::Hook(frame) => self.frame = Some(frame),
            Waiting::Simultaneous(phase) if self.phases.len() < 2 => self.phases.push(phase),
            Waiting::Simultaneous(_) => {}
        }
    }

    /// A number that was not there before.
    pub fn next_number(&mut self) -> u64 {
        self.number += 1;
        self.number
    }

    /// A frame for a hook that begins in this state.
    pub fn frame(&mut self, layout: &Layout, start: &[i32]) -> Box<Frame> {
        let mut frame = self.frame.take().unwrap_or_else(|| {
            let asked = Asked { seat: 0, prompt: 0, values: Values::NONE };
            Box::new(Frame {
                call: Call::default(),
                start: Vec::new(),
                asked,
                together: Together::default(),
                number: 0,
                said: Said::default(),
                forced: Vec::new(),
            })
        });
        frame.call.answers.clear();
        frame.call.replies.clear();
        frame.call.given = Given::default();
        frame.number = 0;
        layout.copy(start, &mut frame.start);
        frame
    }

    /// A simultaneous phase that begins in this state, with a number of its own.
    pub fn phase(&mut self, layout: &Layout, start: &[i32], seats: u8) -> Box<Simultaneous> {
        let mut phase = self.phases.pop().unwrap_or_default();
        phase.open(layout, start, seats, self.next_number());
        phase
    }
}
