//! A call of a hook as data: what it takes to make it again.

use crate::script::machine::chance::Given;
use crate::script::machine::{Hook, PhaseHook};

/// A hook call that can be made again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    pub hook: Hook,
    pub args: Args,
    /// Answer to the offer that leads to the hook `act`. The engine lists that question; `None`: it waits, or had a single choice.
    pub offered: Option<u16>,
    /// Answers to the questions of the hook.
    pub answers: Vec<u16>,
    /// Answers to the question that several seats are asked now, by seat; they join the `answers` once all have answered.
    pub replies: Vec<(u8, u16)>,
    /// Results of chance that override the seed: the match was redealt in the middle of the hook.
    pub given: Given,
}

impl Default for Call {
    fn default() -> Self {
        let (answers, replies, given) = (Vec::new(), Vec::new(), Given::default());
        Self { hook: Hook::Setup, args: Args::NONE, offered: None, answers, replies, given }
    }
}

impl Call {
    /// Becomes a call without answers; the buffers are kept.
    pub fn begin(&mut self, hook: Hook, args: Args) {
        (self.hook, self.args, self.offered) = (hook, args, None);
        self.answers.clear();
        self.replies.clear();
        self.given = Given::default();
    }

    /// Becomes another call; the buffers are kept.
    pub fn copy(&mut self, from: &Self) {
        (self.hook, self.args, self.offered) = (from.hook, from.args, from.offered);
        self.answers.clone_from(&from.answers);
        self.replies.clone_from(&from.replies);
        self.given.copy(&from.given);
    }

    /// Whether it waits for the answer to an offer: its hook has not begun.
    pub fn is_offer(&self) -> bool {
        matches!(self.hook, Hook::Phase(_, PhaseHook::Act)) && self.args.len == 1
    }

    /// Number of answers so far, that to the offer included.
    pub fn answered(&self) -> usize {
        usize::from(self.offered.is_some()) + self.answers.len()
    }

    /// Forgets all answers but the first.
    pub fn take_back(&mut self, kept: usize) {
        self.answers.truncate(kept.saturating_sub(usize::from(self.offered.is_some())));
        self.offered = self.offered.filter(|_| kept > 0);
    }

    /// Notes the answer of one of several seats.
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

    pub fn act(player: i32, choice: i32) -> Self {
        Self { values: [player, choice], len: 2 }
    }

    pub fn list(&self) -> &[i32] {
        &self.values[..self.len]
    }
}
