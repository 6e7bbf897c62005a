//! Random numbers of a match, drawn exactly as the engine draws them.
//!
//! Each shuffled pile and each hook that draws numbers has a SplitMix64 generator (Steele, Lea, Flood 2014). A mix of
//! the match's seed and the stream's key seeds the generator. A shuffle sorts the cards by a mix of the drawn number and
//! each card's key.

use motherlode::tools::key_of;

/// A random number generator with 64 bits of state.
#[derive(Debug, Clone)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// Generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Draws 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mixed(self.state)
    }

    /// Draws a number from 0 to `n - 1`.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// Draws a number from 1 to `n`, as scripts do.
    pub fn random(&mut self, n: usize) -> usize {
        1 + self.below(n)
    }

    /// Shuffles the cards of a pile, given with their keys. The earlier order of the pile does not matter.
    pub fn shuffle<const N: usize>(&mut self, cards: [(u64, u8); N]) -> [u8; N] {
        let drawn = self.bits();
        let mut ranked = cards.map(|(key, card)| (mixed(drawn ^ key), card));
        ranked.sort_unstable();
        ranked.map(|(_, card)| card)
    }
}

/// Increment of SplitMix64.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

const fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// Stream of this key in a match with this seed.
pub fn stream(seed: u64, key: u64) -> SplitMix64 {
    SplitMix64::new(mixed(mixed(seed.wrapping_add(STEP)) ^ key))
}

/// Key of the shuffles of a pile; holder 0 is the game.
pub fn pile(zone: &str, holder: u64) -> u64 {
    mixed(key_of(&["zone", zone]) ^ holder)
}

/// Key of the draws of a phase's hook `run`.
pub fn run(phase: &str) -> u64 {
    /// Engine's number for the stage `run` of a phase.
    const RUN: u64 = 3;
    let script = key_of(&["script", "", "phases.luau"]) as u32 >> 1;
    // No player is current in `run`.
    mixed(mixed(key_of(&["phase", phase]) ^ (u64::from(script) << 32 | RUN)))
}

/// Key of a card: kind, definition, player whose set it belongs to (0: none), and number of the copy.
pub fn card(kind: &str, id: &str, owner: u64, copy: u64) -> u64 {
    mixed(mixed(key_of(&["token", kind, id]) ^ owner) ^ copy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_the_published_ones() {
        let mut chance = SplitMix64::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| chance.bits()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn numbers_stay_in_range_and_a_shuffle_keeps_all() {
        let mut chance = SplitMix64::new(7);
        assert!((0..1000).all(|_| (1..=6).contains(&chance.random(6))));
        let cards = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        let mut shuffled = chance.shuffle(cards.map(|n| (card("cards", "card", 0, n.into()), n)));
        assert_ne!(shuffled, cards);
        shuffled.sort_unstable();
        assert_eq!(shuffled, cards);
    }
}
