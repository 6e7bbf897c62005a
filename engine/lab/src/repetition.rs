//! Games that repeat each other, because neither the game nor the bots use chance.

use std::collections::BTreeMap;

use crate::series::SeatedGame;

/// Finds out whether all games with the same seating are the same game: then more games say no more.
#[derive(Debug, Default)]
pub struct Repetition {
    /// The digest of the games of each seating.
    digests: BTreeMap<Vec<usize>, u64>,
    games: usize,
    differs: bool,
}

impl Repetition {
    /// Adds all games that were not aborted.
    pub fn add_all(&mut self, games: &[SeatedGame]) {
        for game in games.iter().filter(|game| game.row.aborted.is_none()) {
            self.add(&game.bots, game.digest);
        }
    }

    /// Adds a game with this seating and digest.
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
