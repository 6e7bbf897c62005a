//! Derivation of seeds.

use motherlode::tools::splitmix;

/// Mixes a seed and a number into a new seed; neighbouring numbers give unrelated seeds.
///
/// The result is element `number` of the SplitMix64 sequence whose state is the first output for `seed`. Simulations
/// are reproducible through it, so its values never change.
#[must_use]
pub const fn mix(seed: u64, number: u64) -> u64 {
    splitmix(splitmix(seed, 0), number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_gives_its_published_first_values() {
        // From state 0, as in the reference implementation of SplitMix64.
        assert_eq!(splitmix(0, 0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(splitmix(0, 1), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn neighbours_differ() {
        let mut seen: Vec<u64> = (0..1000).map(|i| mix(7, i)).chain((0..1000).map(|i| mix(8, i))).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 2000);
    }
}
