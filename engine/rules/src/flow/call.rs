//! A hook call as data, so that it can be repeated.

use crate::script::machine::chance::ChanceOverrides;
use crate::script::machine::{Hook, PhaseHook};

/// A repeatable hook call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    pub hook: Hook,
    pub args: Args,
    /// Answer to the offer that leads to the hook `act`; `None`: no answer yet, or a single choice. The engine lists
    /// this question.
    pub offered: Option<u16>,
    /// Answers to the questions of the hook.
    pub answers: Vec<u16>,
    /// Answers to the current question to several seats, by seat. They join `answers` once all seats have answered.
    pub replies: Vec<(u8, u16)>,
    /// Results of chance that override the seed, set by a redeal in the middle of the hook.
    pub given: ChanceOverrides,
}

impl Default for Call {
    fn default() -> Self {
        let (answers, replies, given) = (Vec::new(), Vec::new(), ChanceOverrides::default());
        Self { hook: Hook::Setup, args: Args::NONE, offered: None, answers, replies, given }
    }
}

impl Call {
    /// Resets to a call without answers; keeps the buffers.
    #[inline]
    pub fn begin(&mut self, hook: Hook, args: Args) {
        (self.hook, self.args, self.offered) = (hook, args, None);
        self.answers.clear();
        self.replies.clear();
        self.given.clear();
    }

    /// Copies another call; keeps the buffers.
    pub fn copy(&mut self, from: &Self) {
        (self.hook, self.args, self.offered) = (from.hook, from.args, from.offered);
        self.answers.clone_from(&from.answers);
        self.replies.clone_from(&from.replies);
        self.given.copy(&from.given);
    }

    /// Whether the call waits for the answer to an offer. Its hook has not begun yet.
    pub fn is_offer(&self) -> bool {
        matches!(self.hook, Hook::Phase(_, PhaseHook::Act)) && self.args.len == 1
    }

    /// Number of answers so far, including the one to the offer.
    pub fn answered(&self) -> usize {
        usize::from(self.offered.is_some()) + self.answers.len()
    }

    /// Keeps only the first `kept` answers.
    pub fn take_back(&mut self, kept: usize) {
        self.answers.truncate(kept.saturating_sub(usize::from(self.offered.is_some())));
        self.offered = self.offered.filter(|_| kept > 0);
    }

    /// Records the answer of one of several seats.
    pub fn reply(&mut self, seat: u8, index: u16) {
        let at = self.replies.partition_point(|(other, _)| *other < seat);
        self.replies.insert(at, (seat, index));
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

    pub fn token(token: i32) -> Self {
        Self { values: [token, 0], len: 1 }
    }

    pub fn act(player: i32, choice: i32) -> Self {
        Self { values: [player, choice], len: 2 }
    }

    pub fn list(&self) -> &[i32] {
        &self.values[..self.len]
    }
}
