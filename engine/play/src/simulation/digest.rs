//! The digest of a game: equal games have equal digests. Games repeat each other if neither the game nor the bots use
//! chance.

use std::collections::{BTreeMap, BTreeSet};

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

/// Finds out how many of the games differ, for each seating: equal games say no more than one.
#[derive(Debug, Default)]
pub struct Repetition {
    /// The digests of the different games of each seating.
    digests: BTreeMap<Vec<usize>, BTreeSet<u64>>,
    different: usize,
    games: usize,
}

impl Repetition {
    /// Maximum number of different games that are told apart. More are not few.
    const MOST: usize = 1000;

    /// Adds a complete game with this seating (indices of bots) and digest.
    pub fn add(&mut self, bots: &[usize], digest: u64) {
        self.games += 1;
        if self.different < Self::MOST {
            self.different += usize::from(self.digests.entry(bots.to_vec()).or_default().insert(digest));
        }
    }

    /// Whether at least one seating was played twice, and none was ever played differently.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.different < Self::MOST && self.different == self.digests.len() && self.games > self.different
    }

    /// The number of different games, if it is at most a quarter of the games: then the bots know few lines of play.
    #[must_use]
    pub fn few(&self) -> Option<usize> {
        let is_few = self.different < Self::MOST && self.different <= self.games / 4;
        (is_few && !self.is_found()).then_some(self.different)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_repeat_are_told_from_few_games() {
        let of = |games: &[(usize, u64)]| {
            let mut repetition = Repetition::default();
            games.iter().for_each(|&(bot, digest)| repetition.add(&[bot], digest));
            (repetition.is_found(), repetition.few())
        };
        assert_eq!(of(&[(0, 1), (1, 1)]), (false, None));
        assert_eq!(of(&[(0, 1), (1, 2), (0, 1)]), (true, None));
        assert_eq!(of(&[(0, 1), (0, 2), (0, 1), (0, 1)]), (false, None));
        assert_eq!(of(&[(0, 1), (0, 2), (0, 1), (0, 1), (0, 2), (0, 1), (0, 1), (0, 1)]), (false, Some(2)));
        let many: Vec<_> = (0..8000).map(|number| (0, number % 1000)).collect();
        assert_eq!(of(&many), (false, None));
    }
}
