//! Seeds from seeds.

/// Mixes a seed and a number into a new seed, so that neighbouring numbers give unrelated seeds.
///
/// The function is the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// 2014) applied twice: once to the seed, once to its sum with the number. It is part of what makes a simulation
/// reproducible, so its values never change.
#[must_use]
pub const fn mix(seed: u64, number: u64) -> u64 {
    finish(finish(seed).wrapping_add(number.wrapping_mul(GOLDEN)))
}

/// 2^64 divided by the golden ratio, made odd.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

const fn finish(value: u64) -> u64 {
    let value = value.wrapping_add(GOLDEN);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_gives_its_published_first_values() {
        // State 0 and the state after one step, as in the reference implementation of SplitMix64.
        assert_eq!(finish(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(finish(GOLDEN), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn neighbours_differ() {
        let mut seen: Vec<u64> = (0..1000).map(|i| mix(7, i)).chain((0..1000).map(|i| mix(8, i))).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 2000);
    }
}
