//! Keys: hashes of names, and the random numbers of a [stream](super::stream).

use xxhash_rust::xxh3::Xxh3;

/// Number of counts shared by all purposes.
pub const PURPOSES: usize = 16;

/// The increment of SplitMix64.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A key for a list of names.
#[must_use]
pub fn key_of(names: &[&str]) -> u64 {
    let mut hasher = Xxh3::new();
    for name in names {
        hasher.update(name.as_bytes());
        // No name contains a 0 byte, so different lists never give the same bytes.
        hasher.update(&[0]);
    }
    hasher.digest()
}

/// A key for a member of a keyed item: a seat, a copy.
#[must_use]
pub fn member(key: u64, number: u64) -> u64 {
    mixed(key ^ number)
}

/// A number of a stream; the first one has number 0.
#[must_use]
pub fn bits(seed: u64, key: u64, number: u32) -> u64 {
    splitmix(mixed(mixed(seed.wrapping_add(STEP)) ^ key), u64::from(number))
}

/// The sort key of a token in a shuffled pile, ascending from the bottom.
#[must_use]
pub fn rank(shuffle: u64, token: u64) -> u64 {
    mixed(shuffle ^ token)
}

/// A number of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014) after this
/// state; the first one has number 0.
#[must_use]
pub const fn splitmix(state: u64, number: u64) -> u64 {
    mixed(state.wrapping_add(STEP.wrapping_mul(number.wrapping_add(1))))
}

/// The mix of SplitMix64 (variant 13 of Stafford 2011). A bijection, so different keys stay different.
const fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_published_ones() {
        let numbers = [0, 1, 2].map(|number| splitmix(1_234_567, number));
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn names_do_not_run_together() {
        assert_ne!(key_of(&["zone", "deck"]), key_of(&["zonedeck"]));
        assert_ne!(key_of(&["a", "bc"]), key_of(&["ab", "c"]));
    }
}
