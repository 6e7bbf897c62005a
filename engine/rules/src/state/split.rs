//! Random splits of a sum or of a set of values.

use rand::seq::{SliceRandom, index};
use rand::{Rng, RngExt};

use motherlode_content::declare::Counter;

/// Attempts at a uniform split before a fallback that always fits.
const TRIES: usize = 32;

/// Redeals the values of all hidden holders. Splits the sum of a plain counter within its range, every split equally
/// likely; permutes the values of an enumerated counter.
pub fn pool(decl: &Counter, values: &mut [i32], rng: &mut impl Rng) {
    let in_range = values.iter().all(|value| (decl.min..=decl.max).contains(value));
    if decl.values.is_empty() && in_range {
        deal_out(values, decl.min, decl.max, rng);
    } else {
        values.sort_unstable();
        values.shuffle(rng);
    }
}

/// Splits the sum of the values at random, each part within `min..=max`.
fn deal_out(values: &mut [i32], min: i32, max: i32, rng: &mut impl Rng) {
    let room = i64::from(max) - i64::from(min);
    let sum: i64 = values.iter().map(|&value| i64::from(value) - i64::from(min)).sum();
    if values.len() < 2 || sum == 0 {
        return;
    }
    let parts = split(sum, &vec![room; values.len()], rng);
    for (value, part) in values.iter_mut().zip(parts) {
        // A part is within 0..=max - min, so the value is within min..=max.
        *value = (i64::from(min) + part) as i32;
    }
}

/// Splits a sum into random parts, each from 0 to its room; the sum must fit. Every split is equally likely if an
/// attempt succeeds.
pub fn split(sum: i64, rooms: &[i64], rng: &mut impl Rng) -> Vec<i64> {
    let fits = |parts: &Vec<i64>| parts.iter().zip(rooms).all(|(part, room)| part <= room);
    let even = (0..TRIES).find_map(|_| split_evenly(rooms.len(), sum, rng).filter(fits));
    even.unwrap_or_else(|| split_one_by_one(sum, rooms, rng))
}

/// Stars and bars: every split is equally likely. `None`: the sum is too large to sample.
fn split_evenly(count: usize, sum: i64, rng: &mut impl Rng) -> Option<Vec<i64>> {
    let length = usize::try_from(sum).ok()?.checked_add(count - 1)?;
    u32::try_from(length).ok()?;
    let mut bars = index::sample(rng, length, count - 1).into_vec();
    bars.sort_unstable();
    bars.push(length);
    let mut from = 0;
    let mut part = |bar: usize| {
        let stars = (bar - from) as i64;
        from = bar + 1;
        stars
    };
    Some(bars.into_iter().map(&mut part).collect())
}

/// Fills the holders in random order, each with a part that leaves the others a sum they can hold.
fn split_one_by_one(sum: i64, rooms: &[i64], rng: &mut impl Rng) -> Vec<i64> {
    let mut order: Vec<usize> = (0..rooms.len()).collect();
    order.shuffle(rng);
    let mut parts = vec![0; rooms.len()];
    let (mut rest, mut others) = (sum, rooms.iter().sum::<i64>());
    for holder in order {
        others -= rooms[holder];
        let least = (rest - others).max(0);
        let most = rest.min(rooms[holder]);
        parts[holder] = if least < most { rng.random_range(least..=most) } else { least };
        rest -= parts[holder];
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    #[test]
    fn splits_are_even_and_always_fit() {
        let rng = &mut Pcg64Mcg::seed_from_u64(1);
        let mut first = [0; 4];
        for _ in 0..4_000 {
            let mut values = [3, 0];
            deal_out(&mut values, 0, 3, rng);
            assert_eq!(values[0] + values[1], 3);
            first[values[0] as usize] += 1;
        }
        assert!(first.iter().all(|&times| (850..1_150).contains(&times)), "{first:?}");
        let mut full = [5; 12];
        deal_out(&mut full, -5, 5, rng);
        assert_eq!(full, [5; 12]);
        let mut tight = [4, 5, 5, 5, 5, 5, 5, 5, 5, 5];
        deal_out(&mut tight, 0, 5, rng);
        assert_eq!(tight.iter().sum::<i32>(), 49);
        assert!(tight.iter().all(|value| (0..=5).contains(value)));
        let mut wide = [i32::MAX, i32::MIN, 0];
        deal_out(&mut wide, i32::MIN, i32::MAX, rng);
        assert_eq!(wide.iter().map(|&value| i64::from(value)).sum::<i64>(), -1);
        deal_out(&mut [], 0, 5, rng);
    }

    #[test]
    fn parts_keep_to_their_rooms() {
        let rng = &mut Pcg64Mcg::seed_from_u64(1);
        for _ in 0..200 {
            let parts = split(7, &[1, 0, 9, 2], rng);
            assert_eq!(parts.iter().sum::<i64>(), 7);
            assert!(parts[0] <= 1 && parts[1] == 0 && parts[3] <= 2, "{parts:?}");
        }
        assert_eq!(split(4, &[1, 3], rng), [1, 3]);
    }
}
