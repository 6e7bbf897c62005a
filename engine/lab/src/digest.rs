//! The digest of a game: equal games have equal digests.

use motherlode::{Decision, Match};
use motherlode_play::{Watch, mix};

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
        self.0 = mix(mix(self.0, decision.seat.into()), m.choice_code(choice));
    }

    fn ended(&mut self, m: &Match) {
        self.0 = mix(self.0, m.position_key());
    }
}
