//! Deals tokens to places so that everything that was told about them holds.

use std::ops::Range;

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_pcg::Pcg64Mcg;

/// Independent attempts before a deal that always fits is used.
const TRIES: usize = 64;
/// Random exchanges for each place after such a deal.
const EXCHANGES: usize = 32;

/// A place about whose token something has been told.
#[derive(Debug, Clone)]
pub struct ToldPlace {
    /// Index of the place in its class.
    pub at: usize,
    /// The tokens that fit, as a range of a list.
    pub fitting: Range<usize>,
}

/// Deals the tokens of a class to its places: afterwards `dealt` has the token of each place. `told` are the places
/// with statements, those with the fewest fitting tokens first.
///
/// Each of these places draws one of its tokens. If no token is drawn twice, every deal that fits is equally likely,
/// because each has the same chance. After too many attempts, a deal found by augmenting paths is mixed by exchanges.
/// If no deal fits, the statements contradict each other, and all deals count.
pub fn deal_told(told: &[ToldPlace], fitting: &[i32], dealt: &mut [i32], rng: &mut Pcg64Mcg) {
    dealt.shuffle(rng);
    if told.is_empty() {
        return;
    }
    let fits = |place: &ToldPlace| &fitting[place.fitting.clone()];
    let mut drawn: Vec<i32> = Vec::with_capacity(told.len());
    for _ in 0..TRIES {
        drawn.clear();
        for place in told {
            match fits(place).choose(rng) {
                Some(token) if !drawn.contains(token) => drawn.push(*token),
                _ => break,
            }
        }
        if drawn.len() == told.len() {
            return put(told, &drawn, dealt);
        }
    }
    if let Some(matched) = matched(told, fitting, rng) {
        put(told, &matched, dealt);
        mix(told, fitting, dealt, rng);
    }
}

/// Exchanges tokens until those drawn are at their places.
fn put(told: &[ToldPlace], drawn: &[i32], dealt: &mut [i32]) {
    for (place, token) in told.iter().zip(drawn) {
        if let Some(from) = dealt.iter().position(|other| other == token) {
            dealt.swap(place.at, from);
        }
    }
}

/// A token for each place, by augmenting paths in a random order.
fn matched(told: &[ToldPlace], fitting: &[i32], rng: &mut Pcg64Mcg) -> Option<Vec<i32>> {
    let lists = told.iter().map(|place| {
        let mut tokens = fitting[place.fitting.clone()].to_vec();
        tokens.shuffle(rng);
        tokens
    });
    let lists: Vec<Vec<i32>> = lists.collect();
    let mut given: Vec<Option<i32>> = vec![None; told.len()];
    for place in 0..told.len() {
        if !augment(&lists, &mut given, place, &mut Vec::new()) {
            return None;
        }
    }
    given.into_iter().collect()
}

/// Gives a place a token; another place may have to take another one.
fn augment(lists: &[Vec<i32>], given: &mut [Option<i32>], place: usize, tried: &mut Vec<i32>) -> bool {
    for &token in &lists[place] {
        if tried.contains(&token) {
            continue;
        }
        tried.push(token);
        let holder = given.iter().position(|other| *other == Some(token));
        if holder.is_none_or(|holder| augment(lists, given, holder, tried)) {
            given[place] = Some(token);
            return true;
        }
    }
    false
}

/// Exchanges tokens of random places where both fit. All deals have the same chance in the long run.
fn mix(told: &[ToldPlace], fitting: &[i32], dealt: &mut [i32], rng: &mut Pcg64Mcg) {
    let of = |at: usize| told.iter().find(|place| place.at == at);
    let fits = |at: usize, token: i32| of(at).is_none_or(|place| fitting[place.fitting.clone()].contains(&token));
    for _ in 0..EXCHANGES * told.len() {
        let one = told[rng.random_range(0..told.len())].at;
        let other = rng.random_range(0..dealt.len());
        if fits(one, dealt[other]) && fits(other, dealt[one]) {
            dealt.swap(one, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use std::collections::BTreeMap;

    /// Deals tokens 1 to `count` many times; each place with statements lists its tokens.
    fn deals(count: i32, lists: &[(usize, &[i32])]) -> BTreeMap<Vec<i32>, usize> {
        let mut fitting = Vec::new();
        let mut told: Vec<ToldPlace> = Vec::new();
        for (at, tokens) in lists {
            told.push(ToldPlace { at: *at, fitting: fitting.len()..fitting.len() + tokens.len() });
            fitting.extend_from_slice(tokens);
        }
        let rng = &mut Pcg64Mcg::seed_from_u64(7);
        let mut all = BTreeMap::new();
        for _ in 0..6000 {
            let mut dealt: Vec<i32> = (1..=count).collect();
            deal_told(&told, &fitting, &mut dealt, rng);
            *all.entry(dealt).or_default() += 1;
        }
        all
    }

    #[test]
    fn every_deal_that_fits_is_equally_likely() {
        let all = deals(4, &[(1, &[2, 3]), (3, &[1, 2, 3])]);
        assert_eq!(all.len(), 8);
        assert!(all.keys().all(|dealt| [2, 3].contains(&dealt[1]) && dealt[3] != 4));
        assert!(all.values().all(|&times| (600..900).contains(&times)), "{all:?}");
    }

    #[test]
    fn tight_statements_are_met() {
        let all: Vec<i32> = (1..=8).collect();
        let lists: Vec<(usize, Vec<i32>)> = (0..8).map(|at| (at, all[..=at].to_vec())).collect();
        let lists: Vec<(usize, &[i32])> = lists.iter().map(|(at, tokens)| (*at, tokens.as_slice())).collect();
        assert_eq!(deals(8, &lists).into_keys().collect::<Vec<_>>(), std::slice::from_ref(&all));
        let any: Vec<(usize, &[i32])> = (0..8).map(|at| (at, all.as_slice())).collect();
        let found = deals(8, &any);
        assert!(found.len() > 5000, "{}", found.len());
    }

    #[test]
    fn a_contradiction_leaves_all_deals() {
        assert_eq!(deals(3, &[(0, &[1]), (1, &[1])]).len(), 6);
    }
}
