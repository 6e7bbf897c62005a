//! The generator of a match: SplitMix64 (Steele, Lea, Flood 2014), drawn from exactly as the engine draws.

/// A generator with 64 bits of state.
#[derive(Debug, Clone)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `n - 1`.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// A number from 1 to `n`, as scripts draw it.
    pub fn random(&mut self, n: usize) -> usize {
        1 + self.below(n)
    }

    /// Shuffles from the last item down (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (2..=list.len()).rev() {
            let j = self.random(i);
            list.swap(i - 1, j - 1);
        }
    }
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
        let mut list = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        chance.shuffle(&mut list);
        assert_ne!(list, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        list.sort_unstable();
        assert_eq!(list, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
}
