//! The unit of every experiment: one seed, played once in every cyclic seating of the bots. In a cooperative game, in
//! which a table has one result, each bot has a table of its own.
//!
//! Games of a block share the deal, so they are not independent: intervals are computed over blocks, never over
//! games. Every bot sits once in every seat of a block. Advantages of seats therefore cancel out, and n equal
//! bots win 1/n each.

use motherlode_play::mix;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

/// Derives the seed of the seating order from the seed of a block. Small numbers, from 1, seed the bots.
const ORDER: u64 = 0x6f72_6465_7221;

/// The blocks of an experiment: block `i` has the seed [`mix`]`(seed, i)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks {
    /// Seed of the experiment.
    pub seed: u64,
    /// Number of bots, from 1.
    pub bots: usize,
    /// Number of seats.
    pub seats: usize,
    /// Whether each bot sits in all seats of a table.
    pub is_apart: bool,
}

impl Blocks {
    /// Number of games in a block.
    #[must_use]
    pub fn games(&self) -> usize {
        self.bots.max(1)
    }

    /// Seed of every game in a block.
    #[must_use]
    pub fn seed(&self, block: u64) -> u64 {
        mix(self.seed, block)
    }

    /// Index of the bot in each seat, for every game of a block.
    ///
    /// The order around the table is shuffled for each block, so that a bot has changing neighbours. With fewer
    /// bots than seats the order repeats; with more, the last bots of the order sit out.
    #[must_use]
    pub fn seatings(&self, block: u64) -> Vec<Vec<usize>> {
        if self.is_apart {
            return (0..self.games()).map(|bot| vec![bot; self.seats]).collect();
        }
        let mut order: Vec<usize> = (0..self.games()).collect();
        let mut generator = Pcg64Mcg::seed_from_u64(mix(self.seed(block), ORDER));
        for last in (1..order.len()).rev() {
            // No table has 2^32 bots.
            let at = generator.random_range(0..=u32::try_from(last).unwrap_or(u32::MAX)) as usize;
            order.swap(last, at);
        }
        let seating = |turn: usize| (0..self.seats).map(|seat| order[(seat + turn) % order.len()]).collect();
        (0..self.games()).map(seating).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bot_sits_once_in_every_seat_of_a_block() {
        for (bots, seats) in [(1, 3), (2, 3), (3, 3), (5, 3), (3, 1)] {
            let blocks = Blocks { seed: 4, bots, seats, is_apart: false };
            for block in 0..20 {
                let seatings = blocks.seatings(block);
                assert_eq!(seatings.len(), bots);
                for seat in 0..seats {
                    let mut sat: Vec<usize> = seatings.iter().map(|seating| seating[seat]).collect();
                    sat.sort_unstable();
                    assert_eq!(sat, (0..bots).collect::<Vec<_>>(), "{bots} bots, {seats} seats");
                }
            }
        }
    }

    #[test]
    fn neighbours_change_from_block_to_block() {
        let blocks = Blocks { seed: 4, bots: 3, seats: 3, is_apart: false };
        let behind_first = |block: u64| {
            let seating = &blocks.seatings(block)[0];
            let at = seating.iter().position(|bot| *bot == 0).unwrap();
            seating[(at + 1) % 3]
        };
        let ones = (0..400).filter(|block| behind_first(*block) == 1).count();
        assert!((160..240).contains(&ones), "{ones}");
    }
}
