//! The digest of a game: equal games have equal digests. Games repeat each other if neither the game nor the bots use
//! chance.

use std::collections::BTreeMap;

use motherlode::{Decision, Match};

use crate::seeds::mix;
use crate::simulation::table::Watch;

/// Hashes the answers of a game and its last position.
#[derive(Debug, Default)]
pub struct GameDigest(u64);

impl GameDigest {
    /// Forgets the game before.
    pub fn begin(&mut self) {
        self.0 = 0;
    }

    /// Returns the digest of the game so far.
    #[must_use]
    pub fn value(&self) -> u64 {
        self.0
    }
}

impl Watch for GameDigest {
    fn chosen(&mut self, m: &Match, decision: Decision, choice: usize) {
        // Of games without chance, tokens have the same numbers.
        let raw = m.choices().get(choice).copied().unwrap_or_default();
        self.0 = mix(self.0, u64::from(decision.seat) << 32 | u64::from(raw.cast_unsigned()));
    }

    fn ended(&mut self, m: &Match) {
        self.0 = mix(self.0, m.position_key());
    }
}

/// Finds out whether all games with the same seating are the same game: then more games say no more.
#[derive(Debug, Default)]
pub struct Repetition {
    /// The digest of the games of each seating.
    digests: BTreeMap<Vec<usize>, u64>,
    games: usize,
    differs: bool,
}

impl Repetition {
    /// Adds a complete game with this seating (indices of bots) and digest.
    pub fn add(&mut self, bots: &[usize], digest: u64) {
        self.games += 1;
        match self.digests.get(bots) {
            Some(known) => self.differs |= *known != digest,
            None => drop(self.digests.insert(bots.to_vec(), digest)),
        }
    }

    /// Whether at least one seating was played twice, and none was ever played differently.
    #[must_use]
    pub fn is_found(&self) -> bool {
        !self.differs && self.games > self.digests.len()
    }
}
