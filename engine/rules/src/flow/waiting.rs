//! What a match waits for, and the buffers that this needs.

use crate::flow::simultaneous::Simultaneous;
use crate::script::host::Hook;
use crate::script::kernel::{Asked, Values};

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
}

/// A hook that waits.
#[derive(Debug)]
pub(super) struct Frame {
    pub call: Call,
    /// State in which the hook began.
    pub start: Vec<i32>,
    pub asked: Asked,
    /// The state was redealt since: how the hook would have begun in it is not known.
    pub redealt: bool,
}

/// A hook call that can be made again.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub hook: Hook,
    pub args: Args,
    pub answers: Vec<u16>,
}

impl Default for Call {
    fn default() -> Self {
        Self { hook: Hook::Setup, args: Args::NONE, answers: Vec::new() }
    }
}

impl Call {
    /// Becomes another call; the buffer is kept.
    pub fn copy(&mut self, from: &Self) {
        self.hook = from.hook;
        self.args = from.args;
        self.answers.clear();
        self.answers.extend_from_slice(&from.answers);
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
    phase: Option<Box<Simultaneous>>,
    /// How many simultaneous phases were begun or taken up.
    phases: u64,
}

impl Spare {
    /// Keeps the buffers of what the match waited for.
    pub fn keep(&mut self, old: Waiting) {
        match old {
            Waiting::Over | Waiting::Offer { .. } => {}
            Waiting::Hook(frame) => self.frame = Some(frame),
            Waiting::Simultaneous(phase) => self.phase = Some(phase),
        }
    }

    /// A frame for a hook that begins in this state.
    pub fn frame(&mut self, start: &[i32]) -> Box<Frame> {
        let mut frame = self.frame.take().unwrap_or_else(|| {
            let asked = Asked { seat: 0, prompt: 0, values: Values::NONE };
            Box::new(Frame { call: Call::default(), start: Vec::new(), asked, redealt: false })
        });
        frame.call.answers.clear();
        frame.start.clear();
        frame.start.extend_from_slice(start);
        frame.redealt = false;
        frame
    }

    /// A simultaneous phase that begins in this state, with a number of its own.
    pub fn phase(&mut self, start: &[i32], seats: u8) -> Box<Simultaneous> {
        let mut phase = self.phase.take().unwrap_or_default();
        self.phases += 1;
        phase.open(start, seats, self.phases);
        phase
    }
}
