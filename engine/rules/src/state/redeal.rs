//! Determinization: deals what a seat cannot know at random again, for a search that must not cheat and for the leak test.

use std::ops::Range;

use indexmap::IndexMap;
use rand::seq::{SliceRandom, index};
use rand::{Rng, RngExt};
use rand_pcg::Pcg64Mcg;

use super::exchange::ALONE;
use super::sight::Sight;
use crate::state::layout::Column;
use crate::state::{Layout, Position};
use motherlode_content::declare::{Counter, Declarations, Holder, OptionValue, Redeal, Visibility};

/// How often a uniform split is tried before falling back to one that always fits.
const TRIES: usize = 32;

/// Replaces the position by a random one that fits what the seat knows: one of its information set, as far as the engine keeps
/// what a seat knows.
///
/// - Tokens that the seat cannot identify change places within their exchange class ([`exchange`](super::exchange) says what
///   classes are, where they are exact and where they are broader than the truth). Face, witnesses and counters belong to the
///   place and stay there.
/// - Counters hidden from the seat are dealt as they declare: each within its range, or out of a pool whose sum the seat knows.
///   Those that a hook deals are blank afterwards: nothing that follows can read what they were. Only what the
///   content says can be concluded stays.
/// - Whatever is drawn at random from here on is drawn anew: the seed is another, and what was counted of its streams begins at 0. So
///   neither tells what was drawn in secret, and nobody foresees what will be.
///
/// The seat's [`Observation`](super::observe::Observation) is the same before and after. And the result depends on nothing
/// else: from two positions that differ only in what is dealt here, the same `rng` leads to the same position. For that, what
/// is dealt is put in order first.
///
/// `options` are those of the setup: a counter that does not exist in it is not dealt.
pub fn redeal(
    declared: &Declarations,
    layout: &Layout,
    options: &IndexMap<String, OptionValue>,
    words: &mut [i32],
    seat: u8,
    rng: &mut Pcg64Mcg,
    hidden: &mut Hidden,
) {
    if hidden.seat != Some(seat) || hidden.words != words {
        hidden.find(&Sight { declared, layout, words, seat: Some(seat) }, options);
    }
    hidden.permute(words, rng);
    hidden.deal_counters(declared, layout, words, seat, rng);
    Position::new(layout, words).seed(rng.next_u64());
}

/// The words of a counter that the seat cannot see.
pub fn hidden_words(sight: &Sight<'_>, counter: usize) -> Vec<usize> {
    let hidden = sight.holders(counter).filter(|&holder| !sight.sees_counter(counter, holder));
    hidden.filter_map(|holder| sight.layout.counter_word(counter, holder)).collect()
}

/// What makes hidden tokens exchangeable: the same back, and the same exchange class.
type Class = (usize, i32);

/// What a seat does not know in a position. It is kept: a search deals the same position again for every playout, and finding out what is
/// hidden takes several times as long as dealing it.
#[derive(Debug, Default)]
pub struct Hidden {
    seat: Option<u8>,
    /// The position.
    words: Vec<i32>,
    /// The classes in order.
    classes: Vec<Exchange>,
    /// The tokens of the classes, those of each in ascending order.
    tokens: Vec<i32>,
    /// The words of piles where they lie.
    places: Vec<Option<usize>>,
    /// What differs from place to place within a class, and stays with the places: columns, and their values for each place.
    columns: Vec<Column>,
    records: Vec<i32>,
    /// The counters that are dealt, each with its part of `slots`. Which tokens have a hidden one depends on the deal: `None`.
    counters: Vec<(usize, Option<Range<usize>>)>,
    slots: Vec<usize>,
    /// Room for a deal.
    dealt: Vec<i32>,
    values: Vec<i32>,
}

/// The part that a class has in the lists of [`Hidden`].
#[derive(Debug, Clone)]
struct Exchange {
    members: Range<usize>,
    columns: Range<usize>,
    records: Range<usize>,
}

impl Hidden {
    /// The position that was dealt last, as it was before.
    #[must_use]
    pub fn position(&self) -> &[i32] {
        &self.words
    }

    /// Forgets the position: options may have changed.
    pub fn forget(&mut self) {
        self.seat = None;
    }

    /// Finds out what the seat does not know.
    fn find(&mut self, sight: &Sight<'_>, options: &IndexMap<String, OptionValue>) {
        self.seat = sight.seat;
        self.words.clear();
        self.words.extend_from_slice(sight.words);
        self.find_tokens(sight);
        self.find_counters(sight, options);
    }

    fn find_tokens(&mut self, &Sight { declared, layout, words, seat }: &Sight<'_>) {
        let position = Position { layout, words };
        let sight = Sight { declared, layout, words, seat };
        let class_of = |token: i32| (position.back_of(token), position.class(token));
        // A token that has not come into play yet lies nowhere.
        let mut spots: Vec<(Class, i32, Option<usize>)> = Vec::new();
        for (pile, place) in layout.piles.iter().enumerate() {
            if place.visible == Visibility::Public {
                continue;
            }
            for (i, &token) in sight.tokens(pile).iter().enumerate() {
                let class = class_of(token);
                if class.1 != ALONE && !sight.identifies_in(*place, token) {
                    spots.push((class, token, Some(place.offset + 1 + i)));
                }
            }
        }
        let mut classes: Vec<Class> = spots.iter().map(|(class, ..)| *class).collect();
        classes.sort_unstable();
        classes.dedup();
        for back in layout.backs.iter().filter(|back| back.unplaced) {
            for token in back.tokens().filter(|&token| position.is_unplaced(token) && position.takes_part(token)) {
                if classes.binary_search(&class_of(token)).is_ok() {
                    spots.push((class_of(token), token, None));
                }
            }
        }
        // Stable: the places of a class stay in the order in which they were met.
        spots.sort_by_key(|(class, ..)| *class);
        self.classes.clear();
        self.tokens.clear();
        self.places.clear();
        self.columns.clear();
        self.records.clear();
        for spots in spots.chunk_by(|one, other| one.0 == other.0) {
            let (first, column, record) = (self.tokens.len(), self.columns.len(), self.records.len());
            let kind = layout.tokens[spots[0].1 as usize - 1].kind;
            let differs = |column: &&Column| {
                spots.iter().any(|(_, token, _)| words[column.of(*token)] != words[column.of(spots[0].1)])
            };
            self.columns.extend(layout.columns[kind].iter().filter(differs));
            for (_, token, place) in spots {
                self.tokens.push(*token);
                self.places.push(*place);
                self.records.extend(self.columns[column..].iter().map(|column| words[column.of(*token)]));
            }
            self.tokens[first..].sort_unstable();
            self.classes.push(Exchange {
                members: first..self.tokens.len(),
                columns: column..self.columns.len(),
                records: record..self.records.len(),
            });
        }
    }

    fn find_counters(&mut self, sight: &Sight<'_>, options: &IndexMap<String, OptionValue>) {
        self.counters.clear();
        self.slots.clear();
        let players = u8::try_from(sight.players()).unwrap_or(u8::MAX);
        for (counter, decl) in sight.declared.counters.values().enumerate() {
            let is_dealt = decl.visible != Visibility::Public && decl.dealt() != Redeal::Keep;
            if is_dealt && decl.only.holds(players, options) {
                let first = self.slots.len();
                let is_fixed = !matches!(decl.per, Holder::Token(_));
                if is_fixed {
                    self.slots.extend(hidden_words(sight, counter));
                }
                self.counters.push((counter, is_fixed.then_some(first..self.slots.len())));
            }
        }
    }

    /// Lets tokens change places within their classes.
    fn permute(&mut self, words: &mut [i32], rng: &mut Pcg64Mcg) {
        for Exchange { members, columns, records } in &self.classes {
            self.dealt.clear();
            self.dealt.extend_from_slice(&self.tokens[members.clone()]);
            self.dealt.shuffle(rng);
            for (place, &token) in self.places[members.clone()].iter().zip(&self.dealt) {
                if let Some(place) = *place {
                    words[place] = token;
                }
            }
            let columns = &self.columns[columns.clone()];
            for (record, &token) in self.records[records.clone()].chunks_exact(columns.len().max(1)).zip(&self.dealt) {
                for (column, &value) in columns.iter().zip(record) {
                    words[column.of(token)] = value;
                }
            }
        }
    }

    /// Deals counters, after the tokens.
    fn deal_counters(
        &mut self,
        declared: &Declarations,
        layout: &Layout,
        words: &mut [i32],
        seat: u8,
        rng: &mut Pcg64Mcg,
    ) {
        for (counter, slots) in &self.counters {
            let decl = &declared.counters[*counter];
            let of_tokens =
                slots.is_none().then(|| hidden_words(&Sight { declared, layout, words, seat: Some(seat) }, *counter));
            let slots =
                slots.clone().map_or_else(|| of_tokens.as_deref().unwrap_or_default(), |slots| &self.slots[slots]);
            let values = &mut self.values;
            values.clear();
            values.extend(slots.iter().map(|&slot| words[slot]));
            match decl.dealt() {
                Redeal::Range => values.fill_with(|| rng.random_range(decl.min..=decl.max)),
                Redeal::Hook => values.fill(0.clamp(decl.min, decl.max)),
                Redeal::Pool => pool(decl, values, rng),
                Redeal::Keep => {}
            }
            for (&slot, &value) in slots.iter().zip(values.iter()) {
                words[slot] = value;
            }
        }
    }
}

/// Whether two tokens may change places for all that the seat knows.
#[must_use]
pub fn exchangeable(sight: &Sight<'_>, one: i32, other: i32) -> bool {
    let position = Position { layout: sight.layout, words: sight.words };
    let hidden = |token: i32| {
        let unplaced = position.is_unplaced(token) && position.takes_part(token);
        unplaced || !sight.identifies(token) && position.pile_of(token).is_some()
    };
    let class_of = |token: i32| (position.back_of(token), position.class(token));
    class_of(one).1 != ALONE && class_of(one) == class_of(other) && hidden(one) && hidden(other)
}

/// Lets two tokens of one kind change places.
pub fn swap(layout: &Layout, words: &mut [i32], one: i32, other: i32) {
    let position = Position { layout, words: &*words };
    let place = |token: i32| {
        let pile = position.pile_of(token)?;
        position.places(pile).find(|&at| words[at] == token)
    };
    let (here, there) = (place(one), place(other));
    if let Some(here) = here {
        words[here] = other;
    }
    if let Some(there) = there {
        words[there] = one;
    }
    for column in &layout.columns[layout.tokens[one as usize - 1].kind] {
        words.swap(column.of(one), column.of(other));
    }
}

/// Deals the values of all hidden holders out again: the sum of a plain counter within its range, every split as likely as any
/// other; the values of an enumerated one in any order.
fn pool(decl: &Counter, values: &mut [i32], rng: &mut Pcg64Mcg) {
    let in_range = values.iter().all(|value| (decl.min..=decl.max).contains(value));
    if decl.values.is_empty() && in_range {
        deal_out(values, decl.min, decl.max, rng);
    } else {
        values.sort_unstable();
        values.shuffle(rng);
    }
}

/// Splits the sum of the values at random, each part within `min..=max`.
fn deal_out(values: &mut [i32], min: i32, max: i32, rng: &mut Pcg64Mcg) {
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
fn split_evenly(count: usize, sum: i64, rng: &mut Pcg64Mcg) -> Option<Vec<i64>> {
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
fn split_one_by_one(count: usize, sum: i64, room: i64, rng: &mut Pcg64Mcg) -> Vec<i64> {
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
    use crate::state::PositionMut;
    use crate::state::fixture::Table;
    use crate::state::layout::word;
    use crate::state::observe::Observation;
    use proptest::prelude::*;
    use rand::SeedableRng;

    fn redealt(table: &Table, seat: u8, seed: u64) -> Table {
        let mut table = table.clone();
        let rng = &mut Pcg64Mcg::seed_from_u64(seed);
        redeal(&table.declared, &table.layout, &table.options, &mut table.words, seat, rng, &mut Hidden::default());
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
            seen.insert(debts);
        }
        assert!(seen.len() > 30);
    }

    #[test]
    fn a_counter_without_a_pool_is_dealt_within_its_range() {
        let mut table = Table::new(2);
        table.set("omen", 0, 5);
        let mut fallen = [0; 10];
        (0..2_000).for_each(|seed| fallen[redealt(&table, 0, seed).get("omen", 0) as usize] += 1);
        assert!(fallen.iter().all(|&times| (140..260).contains(&times)), "{fallen:?}");
        table.declared.counters["omen"].only.players = vec![3];
        assert_eq!(redealt(&table, 0, 1).get("omen", 0), 5, "it does not exist with two players");
        table.declared.counters["omen"].only.players.clear();
        table.declared.counters["omen"].redeal = Some(Redeal::Hook);
        assert_eq!(redealt(&table, 0, 1).get("omen", 0), 0, "what a hook deals is blank");
    }

    #[test]
    fn tokens_change_places_within_their_class() {
        let mut table = Table::new(2);
        for (token, class) in [(1, 2), (4, 2), (2, 3), (5, 3), (3, ALONE), (6, ALONE)] {
            PositionMut::new(&table.layout, &mut table.words).set_class(token, class);
        }
        let deck = table.layout.pile(0, 0).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..40 {
            let after = redealt(&table, 0, seed);
            let dealt = after.sight(None).tokens(deck).to_vec();
            assert_eq!((dealt[2], dealt[5]), (3, 6));
            assert!([1, 4].contains(&dealt[0]) && [2, 5].contains(&dealt[1]), "{dealt:?}");
            seen.insert(dealt);
        }
        assert_eq!(seen.len(), 4);
    }

    #[test]
    fn tokens_not_yet_in_play_may_be_the_hidden_ones() {
        let mut table = Table::new(2);
        table.layout.backs[0].unplaced = true;
        for token in 1..=6 {
            PositionMut::new(&table.layout, &mut table.words).lift(token);
        }
        table.move_to(6, "pit", 0);
        let pit = table.layout.pile(4, 0).unwrap();
        let dealt: std::collections::BTreeSet<i32> =
            (0..60).map(|seed| redealt(&table, 0, seed).sight(None).tokens(pit)[0]).collect();
        assert_eq!(dealt.len(), 6);
        redealt(&table, 0, 1).assert_sound();
        table.layout.backs[0].unplaced = false;
        assert_eq!(redealt(&table, 0, 1).sight(None).tokens(pit)[0], 6, "the others have left the game");
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
    fn chance_begins_anew() {
        let mut table = Table::new(2);
        let (deck, position) =
            (table.layout.pile(0, 0).unwrap(), &mut PositionMut::new(&table.layout, &mut table.words));
        position.shuffle(deck);
        position.random(6, 0);
        assert_eq!(position.draws(), 2);
        let after = redealt(&table, 0, 1);
        assert_ne!(after.words[word::SEED_LOW], table.words[word::SEED_LOW]);
        assert_eq!(Position::new(&after.layout, &*after.words).draws(), 0, "not even how much was drawn can be told");
    }

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

    proptest! {
        #[test]
        fn nothing_leaks(position in any::<u64>(), deal in any::<u64>(), seat in 0_u8..4) {
            let table = Table::random(position);
            let after = redealt(&table, seat, deal);
            after.assert_sound();
            prop_assert_eq!(observe(&table, seat), observe(&after, seat));
            for (index, counter) in table.declared.counters.values().enumerate() {
                let sum = |table: &Table| -> i64 {
                    table.sight(None).holders(index)
                        .map(|holder| i64::from(table.sight(None).counter(index, holder).unwrap())).sum()
                };
                let kept = matches!(counter.dealt(), Redeal::Pool | Redeal::Keep);
                prop_assert!(!kept || sum(&table) == sum(&after));
                for holder in after.sight(None).holders(index) {
                    let value = after.sight(None).counter(index, holder).unwrap();
                    prop_assert!((counter.min..=counter.max).contains(&value));
                }
            }
        }

        #[test]
        fn the_same_deal_from_whatever_the_seat_cannot_tell_apart(
            position in any::<u64>(), one in any::<u64>(), other in any::<u64>(), seat in 0_u8..4,
        ) {
            let table = Table::random(position);
            let elsewhere = redealt(&table, seat, one);
            prop_assert_eq!(redealt(&elsewhere, seat, other).words, redealt(&table, seat, other).words);
        }
    }
}
