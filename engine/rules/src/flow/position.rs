//! The position of a match: reading it and hashing it.

use std::borrow::Cow;

use xxhash_rust::xxh3::Xxh3;

use crate::flow::Match;
use crate::flow::simultaneous::Progress;
use crate::flow::waiting::{Call, Waiting};
use crate::state::Position;
use crate::state::layout::word;

/// The state of a match, to read.
#[derive(Debug, Clone, Copy)]
pub struct StateRef<'a> {
    words: &'a [i32],
    /// How far the seats of a simultaneous phase are.
    seats: &'a [Progress],
    /// Of a hook that waits: what it knows and has not written yet.
    hook: Option<&'a Call>,
}

impl<'a> StateRef<'a> {
    /// The block of words. In a simultaneous phase: the position before any seat's hidden answers.
    #[must_use]
    pub fn words(&self) -> &'a [i32] {
        self.words
    }

    /// The block as bytes, little-endian.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }

    /// Hash of the state (XXH3, 64 bits); in a simultaneous phase and while a hook waits also of the answers given so far.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hasher = Xxh3::new();
        // Word by word takes twenty times as long.
        let mut bytes = [0; 256];
        for words in self.words.chunks(bytes.len() / 4) {
            bytes.chunks_exact_mut(4).zip(words).for_each(|(to, word)| to.copy_from_slice(&word.to_le_bytes()));
            hasher.update(&bytes[..4 * words.len()]);
        }
        if let Some(Call { args, answers, replies, .. }) = self.hook {
            args.list().iter().for_each(|arg| hasher.update(&arg.to_le_bytes()));
            answers.iter().for_each(|answer| hasher.update(&answer.to_le_bytes()));
            for (seat, answer) in replies {
                hasher.update(&[*seat]);
                hasher.update(&answer.to_le_bytes());
            }
        }
        for (seat, progress) in self.seats.iter().enumerate() {
            for &answer in &progress.answers {
                hasher.update(&[seat as u8]);
                hasher.update(&answer.to_le_bytes());
            }
        }
        hasher.digest()
    }
}

impl Match {
    /// The state.
    #[must_use]
    pub fn state(&self) -> StateRef<'_> {
        let words = self.runner.host.words();
        match &self.waiting {
            Waiting::Simultaneous(phase) => StateRef { words: &phase.start, seats: &phase.seats, hook: None },
            Waiting::Hook(frame) => StateRef { words, seats: &[], hook: Some(&frame.call) },
            Waiting::Offer { .. } | Waiting::Over => StateRef { words, seats: &[], hook: None },
        }
    }

    fn position(&self) -> Position<'_> {
        Position { layout: self.game().layout(), words: self.state().words() }
    }

    /// Number of the round, from 1; 0 in setup.
    #[must_use]
    pub fn round(&self) -> i32 {
        self.runner.word(word::ROUND)
    }

    /// Name of the phase.
    #[must_use]
    pub fn phase(&self) -> &str {
        self.game().declarations().phases.get_index(self.runner.phase_index()).map_or("", |(name, _)| name.as_str())
    }

    /// The words as a seat knows them, for [`Sight`](crate::tools::Sight) and [`diff_seen`](crate::tools::diff_seen): in a
    /// simultaneous phase the common position with the seat's own changes. What it may see of them the sight says.
    #[must_use]
    pub fn words_for(&self, seat: Option<u8>) -> Vec<i32> {
        self.words_of(seat).into_owned()
    }

    /// The same; copied only if the seat's own changes have to be put in.
    pub(super) fn words_of(&self, seat: Option<u8>) -> Cow<'_, [i32]> {
        let words = self.state().words();
        let (Waiting::Simultaneous(phase), Some(seat)) = (&self.waiting, seat) else { return words.into() };
        if seat == phase.asked.seat {
            return self.runner.host.words().into();
        }
        let mut words = words.to_vec();
        if let Some(progress) = phase.seats.get(usize::from(seat)) {
            for &(at, value) in &progress.changes {
                words[at as usize] = value;
            }
        }
        words.into()
    }

    /// Value of a counter: holder 0 is the game, else a player, token or cell from 1.
    #[must_use]
    pub fn counter(&self, holder: i32, counter: usize) -> Option<i32> {
        self.position().counter(counter, holder)
    }

    /// Tokens of a zone, bottom first.
    #[must_use]
    pub fn zone(&self, zone: usize, holder: i32) -> Option<Vec<i32>> {
        let pile = self.game().layout().pile(zone, holder)?;
        Some(self.position().tokens(pile).to_vec())
    }
}
