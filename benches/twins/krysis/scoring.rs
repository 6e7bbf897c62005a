//! VP of relics at home (C-73), from a table of all collections.

use std::sync::LazyLock;

use super::cards::{COPIES, KINDS};

/// VP of a set of one, two ... equal relics (D-5).
const EQUAL: [u8; COPIES] = [1, 4, 9, 16];
const DIFFERENT: [u8; KINDS] = [1, 4, 9, 16, 25, 36];

/// Base of a collection's number, whose `KINDS` digits are the numbers of relics of each kind.
const BASE: usize = COPIES + 1;
const COLLECTIONS: usize = BASE.pow(KINDS as u32);
const PLACES: [usize; KINDS] = {
    let mut places = [1; KINDS];
    let mut kind = 1;
    while kind < KINDS {
        places[kind] = places[kind - 1] * BASE;
        kind += 1;
    }
    places
};

/// VP of the best grouping of each collection.
static BEST: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut best = vec![0; COLLECTIONS];
    for collection in 1..COLLECTIONS {
        best[collection] = best_of(collection, &best);
    }
    best
});

/// Best VP of a collection: for each set that it contains, the set plus the known best of the rest.
fn best_of(collection: usize, best: &[u8]) -> u8 {
    let there = PLACES.map(|place| collection / place % BASE);
    let equal = (0..KINDS).flat_map(|kind| {
        let sets = EQUAL.iter().zip(1..=there[kind]);
        sets.map(move |(points, size)| points + best[collection - size * PLACES[kind]])
    });
    let different = (1_u32..1 << KINDS).filter_map(|set| {
        let mut kinds = (0..KINDS).filter(|kind| set >> kind & 1 == 1);
        let all_there = kinds.clone().all(|kind| there[kind] > 0);
        let rest = |kinds: &mut dyn Iterator<Item = usize>| collection - kinds.map(|kind| PLACES[kind]).sum::<usize>();
        all_there.then(|| DIFFERENT[set.count_ones() as usize - 1] + best[rest(&mut kinds)])
    });
    equal.chain(different).max().unwrap_or(0)
}

/// VP of these relics.
pub fn relic_points(relics: &[u8]) -> u16 {
    u16::from(BEST[relics.iter().map(|&relic| PLACES[usize::from(relic)]).sum::<usize>()])
}
