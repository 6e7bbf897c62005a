//! Determinization: deals what a seat cannot know at random again, for a search that must not cheat and for the leak test.

use std::collections::BTreeMap;

use rand::seq::{SliceRandom, index};
use rand::{Rng, RngExt};

use super::sight::Sight;
use crate::state::{Layout, Position};
use motherlode_content::declare::{Counter, Declarations, Redeal, Visibility};

/// How often a uniform split is tried before falling back to one that always fits.
const TRIES: usize = 32;

/// Replaces the position by a random one that the seat cannot tell from it: one of its information set.
///
/// - Tokens that the seat cannot identify swap places with others that have the same back: those of the same kind and owner.
///   Face, witnesses and counters belong to the place and stay there.
/// - Counters hidden from the seat by their own visibility are pooled: the sum of a plain counter is dealt out again
///   within its range, every split as likely as any other; the values of an enumerated one are shuffled. With
///   `redeal = "keep"` they stay.
/// - The generator gets a new state.
///
/// `ahead` is the position that the seat has in front of it, if it is a different one: in a sealed phase, the seat may have drawn or
/// looked at tokens that it could not see when the phase began. Those stay where they are.
///
/// The seat's [`Observation`](super::observe::Observation) is the same before and after.
pub fn redeal(
    declared: &Declarations,
    layout: &Layout,
    words: &mut [i32],
    ahead: Option<&[i32]>,
    seat: u8,
    rng: &mut impl Rng,
) {
    permute_tokens(declared, layout, words, ahead, seat, rng);
    for (counter, decl) in declared.counters.values().enumerate() {
        if decl.redeal == Redeal::Pool && decl.visible != Visibility::Public {
            pool(declared, layout, words, seat, (counter, decl), rng);
        }
    }
    Position::new(layout, words).seed(rng.next_u64());
}

/// The word that holds a hidden token, and the token.
type HiddenToken = (usize, i32);

fn permute_tokens(
    declared: &Declarations,
    layout: &Layout,
    words: &mut [i32],
    ahead: Option<&[i32]>,
    seat: u8,
    rng: &mut impl Rng,
) {
    let sight = Sight { declared, layout, words, seat: Some(seat) };
    let ahead = ahead.map(|words| Sight { declared, layout, words, seat: Some(seat) });
    let mut classes: BTreeMap<(usize, i32), Vec<HiddenToken>> = BTreeMap::new();
    for (pile, place) in layout.piles.iter().enumerate() {
        for (i, &token) in sight.tokens(pile).iter().enumerate() {
            let Some(info) = usize::try_from(token - 1).ok().and_then(|index| layout.tokens.get(index)) else {
                continue;
            };
            if !sight.identifies(token) && !ahead.as_ref().is_some_and(|ahead| ahead.identifies(token)) {
                classes.entry((info.kind, info.owner)).or_default().push((place.offset + 1 + i, token));
            }
        }
    }
    for ((kind, _), spots) in classes {
        let mut dealt: Vec<i32> = spots.iter().map(|&(_, token)| token).collect();
        dealt.shuffle(rng);
        let columns = token_columns(declared, layout, kind);
        let before: Vec<Vec<i32>> =
            spots.iter().map(|&(_, token)| columns.iter().map(|column| words[column(token)]).collect()).collect();
        for ((&(word, _), token), record) in spots.iter().zip(dealt).zip(before) {
            words[word] = token;
            for (column, value) in columns.iter().zip(record) {
                words[column(token)] = value;
            }
        }
    }
}

/// The words of a token of this kind: its pile, its face and witnesses, its counters.
fn token_columns(declared: &Declarations, layout: &Layout, kind: usize) -> Vec<impl Fn(i32) -> usize + use<>> {
    let of_kind = |(_, counter): &(usize, &Counter)| declared.is_of(counter.per, kind);
    let counters = declared.counters.values().enumerate().filter(of_kind);
    let slots = counters.map(|(counter, _)| {
        let slot = &layout.counters[counter];
        (slot.offset, slot.first)
    });
    [(layout.token_pile, 1), (layout.token_seen, 1)]
        .into_iter()
        .chain(slots)
        .map(|(offset, first)| move |token: i32| offset + (token - first) as usize)
        .collect()
}

fn pool(
    declared: &Declarations,
    layout: &Layout,
    words: &mut [i32],
    seat: u8,
    (counter, decl): (usize, &Counter),
    rng: &mut impl Rng,
) {
    let sight = Sight { declared, layout, words, seat: Some(seat) };
    let hidden = sight.holders(counter).into_iter().filter(|&holder| !sight.sees_counter(counter, holder));
    let slots: Vec<usize> = hidden.filter_map(|holder| layout.counter_word(counter, holder)).collect();
    let mut values: Vec<i32> = slots.iter().map(|&slot| words[slot]).collect();
    let in_range = values.iter().all(|value| (decl.min..=decl.max).contains(value));
    if decl.values.is_empty() && in_range {
        deal_out(&mut values, decl.min, decl.max, rng);
    } else {
        values.shuffle(rng);
    }
    for (slot, value) in slots.into_iter().zip(values) {
        words[slot] = value;
    }
}

/// Splits the sum of the values at random, each part within `min..=max`.
fn deal_out(values: &mut [i32], min: i32, max: i32, rng: &mut impl Rng) {
    let room = i64::from(max) - i64::from(min);
    let sum: i64 = values.iter().map(|&value| i64::from(value) - i64::from(min)).sum();
    if values.len() < 2 || sum == 0 {
        return;
    }
    let parts = (0..TRIES)
        .find_map(|_| {
            Some(split_evenly(values.len(), sum, rng)?).filter(|parts| parts.iter().all(|&part| part <= room))
        })
        .unwrap_or_else(|| split_one_by_one(values.len(), sum, room, rng));
    for (value, part) in values.iter_mut().zip(parts) {
        // A part is within 0..=max - min, so the value is within min..=max.
        *value = (i64::from(min) + part) as i32;
    }
}

/// Stars and bars: every way to split the sum is equally likely. `None` for sums beyond what fits a sample.
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

/// Fills one holder after the other, in random order, each with a part that leaves the others a sum they can hold.
fn split_one_by_one(count: usize, sum: i64, room: i64, rng: &mut impl Rng) -> Vec<i64> {
    let mut order: Vec<usize> = (0..count).collect();
    order.shuffle(rng);
    let mut parts = vec![0; count];
    let mut rest = sum;
    for (given, holder) in order.into_iter().enumerate() {
        let others = (count - given - 1) as i64;
        let least = (rest - others * room).max(0);
        let most = rest.min(room);
        parts[holder] = if least < most { rng.random_range(least..=most) } else { least };
        rest -= parts[holder];
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::fixture::Table;
    use crate::state::layout::word;
    use crate::state::observe::Observation;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    fn redealt(table: &Table, seat: u8, seed: u64) -> Table {
        let mut table = table.clone();
        redeal(&table.declared, &table.layout, &mut table.words, None, seat, &mut StdRng::seed_from_u64(seed));
        table
    }

    fn observe(table: &Table, seat: u8) -> Observation {
        Observation::new(&table.sight(Some(seat)), &table.options, None)
    }

    #[test]
    fn hidden_cards_are_dealt_again() {
        let mut table = Table::new(3);
        table.put("jack", "hand", 2);
        table.put("king", "hand", 1);
        let jack_at = |seed| {
            let dealt = redealt(&table, 0, seed);
            dealt.sight(None).pile_of(dealt.first("jack")).unwrap()
        };
        let deck = table.layout.pile(0, 0).unwrap();
        let places: Vec<usize> = (0..50).map(jack_at).collect();
        let in_deck = places.iter().filter(|&&pile| pile == deck).count();
        assert!((30..50).contains(&in_deck), "four of five hidden cards lie in the deck: {in_deck}");
        for seed in 0..20 {
            let after = redealt(&table, 0, seed);
            assert_eq!(after.sight(None).pile_of(table.first("king")), table.sight(None).pile_of(table.first("king")));
            assert_eq!(redealt(&table, 0, seed).words, after.words, "the same generator deals the same");
        }
    }

    #[test]
    fn backs_differ() {
        let mut table = Table::new(3);
        for player in 1..=3 {
            table.move_to(table.figure(player), "hand", player);
        }
        for seed in 0..20 {
            let after = redealt(&table, 0, seed);
            for player in 1..=3 {
                let figure = table.figure(player);
                assert_eq!(after.sight(None).pile_of(figure), table.sight(None).pile_of(figure));
            }
        }
    }

    #[test]
    fn known_cards_stay() {
        let mut table = Table::new(2);
        for id in ["ace", "king", "jack"] {
            table.put(id, "hand", 2);
        }
        table.see("ace", 1 << 1);
        table.see("king", 1 << 2);
        let ace = table.first("ace");
        for seed in 0..20 {
            let after = redealt(&table, 0, seed);
            let hand = after.sight(None).pile_of(ace).unwrap();
            assert_eq!(after.sight(None).tokens(hand)[0], ace);
            let second = after.sight(None).tokens(hand)[1];
            assert_eq!(after.sight(None).seen(second), 1 << 2, "who has seen a place stays as it was");
        }
    }

    #[test]
    fn hidden_sums_are_split_again() {
        let mut table = Table::new(4);
        for (player, debt) in [(1, 7), (2, 20), (3, 1), (4, 0)] {
            table.set("debt", player, debt);
            table.set("plan", player, player);
        }
        table.set("omen", 0, 5);
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..50 {
            let after = redealt(&table, 0, seed);
            let debts: Vec<i32> = (1..=4).map(|player| after.get("debt", player)).collect();
            assert_eq!(debts[0], 7);
            assert_eq!(debts[1..].iter().sum::<i32>(), 21);
            assert!(debts.iter().all(|debt| (0..=20).contains(debt)));
            assert_eq!((1..=4).map(|player| after.get("plan", player)).collect::<Vec<_>>(), [1, 2, 3, 4]);
            assert_eq!(after.get("omen", 0), 5);
            seen.insert(debts);
        }
        assert!(seen.len() > 30);
    }

    #[test]
    fn only_seats_at_the_table_take_part() {
        let mut table = Table::new(2);
        table.set("debt", 2, 9);
        for seed in 0..10 {
            let after = redealt(&table, 0, seed);
            assert_eq!((after.get("debt", 2), after.get("debt", 3), after.get("debt", 4)), (9, 0, 0));
        }
    }

    #[test]
    fn named_values_are_shuffled() {
        let mut table = Table::new(2);
        table.set("trap", table.cell("board", "a1"), 1);
        table.set("trap", table.cell("board", "c2"), 2);
        let traps = |table: &Table| {
            let mut traps: Vec<i32> =
                ["a1", "c1", "a2", "b2", "c2"].map(|cell| table.get("trap", table.cell("board", cell))).to_vec();
            traps.sort_unstable();
            traps
        };
        let moved = (0..20).filter(|&seed| redealt(&table, 1, seed).get("trap", 1) != 1).count();
        assert!(moved > 5);
        for seed in 0..20 {
            assert_eq!(traps(&redealt(&table, 1, seed)), [0, 0, 0, 1, 2]);
            assert_eq!(redealt(&table, 1, seed).get("trap", table.cell("board", "b1")), 0, "a hole stays empty");
        }
    }

    #[test]
    fn the_generator_is_new() {
        let table = Table::new(2);
        let after = redealt(&table, 0, 1);
        assert_ne!(after.words[word::RNG_LOW], table.words[word::RNG_LOW]);
    }

    #[test]
    fn splits_are_even_and_always_fit() {
        let rng = &mut StdRng::seed_from_u64(1);
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

    proptest! {
        #[test]
        fn nothing_leaks(position in any::<u64>(), deal in any::<u64>(), seat in 0_u8..4) {
            let table = Table::random(position);
            let after = redealt(&table, seat, deal);
            after.assert_sound();
            prop_assert_eq!(observe(&table, seat), observe(&after, seat));
            for (index, counter) in table.declared.counters.values().enumerate() {
                let sum = |table: &Table| -> i64 {
                    table.sight(None).holders(index).into_iter()
                        .map(|holder| i64::from(table.sight(None).counter(index, holder).unwrap())).sum()
                };
                prop_assert_eq!(sum(&table), sum(&after));
                for holder in after.sight(None).holders(index) {
                    let value = after.sight(None).counter(index, holder).unwrap();
                    prop_assert!((counter.min..=counter.max).contains(&value));
                }
            }
        }
    }
}
