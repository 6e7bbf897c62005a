//! Compares two positions as one seat sees them.

use std::ops::Range;
use std::sync::OnceLock;

use super::sight::Sight;
use super::watched::{OPEN_FLOW, Supplies, WatchedClass, watched};
use crate::state::layout::{Column, OWN_COLUMNS, flag, word};
use motherlode_content::declare::{Domain, Holder};

/// Words of the flow whose changes are public.
pub const PUBLIC_FLOW: [usize; 5] = [word::ROUND, word::PHASE, word::PASSED, word::OUT, word::REASON];

/// The differences that a seat sees between its own position and another one.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// For each place where the seat sees different tokens: the token of the other position, and its own.
    pub tokens: Vec<(i32, i32)>,
    /// The same for places with a token that the seat does not identify, if only the statements about it differ.
    pub told: Vec<(i32, i32)>,
    /// Whether there are other differences.
    pub others: bool,
}

impl Differences {
    /// Whether the seat sees the same: an equal [`Observation`](super::observe::Observation), with the same
    /// identified tokens.
    #[must_use]
    pub fn are_none(&self) -> bool {
        self.tokens.is_empty() && self.told.is_empty() && !self.others
    }
}

/// Facts about a seat's own position, for many comparisons with it.
#[derive(Debug, Default)]
pub struct OwnFacts {
    names_hidden: OnceLock<bool>,
    supplies: OnceLock<Supplies>,
    watched: OnceLock<Vec<WatchedClass>>,
}

/// Compares a seat's view of its own position with its view of another. Both positions belong to the same game and
/// seat. `facts`: of its own position; empty before the first comparison.
#[must_use]
pub fn compare(own: &Sight<'_>, facts: &OwnFacts, other: &Sight<'_>) -> Differences {
    let is_plain = !*facts.names_hidden.get_or_init(|| names_hidden(own)) && !names_hidden(other);
    Comparison { own, other, is_plain }.differences(facts)
}

/// Whether a seat sees equal counters on two tokens of one kind, both of which it identifies.
#[must_use]
pub fn same_token_counters(sight: &Sight<'_>, one: i32, other: i32) -> bool {
    Comparison { own: sight, other: sight, is_plain: false }.same_token_counters(one, other, true)
}

/// Whether the value of a counter names a token that the seat cannot identify.
fn names_hidden(sight: &Sight<'_>) -> bool {
    let mut named = sight.layout.naming.iter().flat_map(|words| &sight.words[words.clone()]);
    named.any(|&token| token != 0 && !sight.identifies(token))
}

/// Two positions as one seat sees them.
struct Comparison<'a> {
    own: &'a Sight<'a>,
    other: &'a Sight<'a>,
    /// Whether no value names a hidden token, so that equal values mean the same.
    is_plain: bool,
}

impl Comparison<'_> {
    fn differences(&self, facts: &OwnFacts) -> Differences {
        let Self { own, other, .. } = *self;
        let layout = own.layout;
        let same = |words: Range<usize>| own.words[words.clone()] == other.words[words];
        let same_counter_words = self.is_plain && same(layout.counter_words.clone());
        let others = !self.same_flow() || !(same_counter_words || self.same_counters());
        let mut found = Differences { others, ..Differences::default() };
        // Piles with the same tokens then look the same.
        let same_columns = same_counter_words && same(layout.token_seen..layout.counter_words.start);
        for pile in 0..layout.piles.len() {
            if same_columns && own.tokens(pile) == other.tokens(pile) {
                continue;
            }
            if own.counts(pile) {
                self.compare_pile(pile, same_columns, &mut found);
            } else {
                found.others |= !self.same_known(pile);
            }
        }
        if !(same_columns && same(layout.token_pile..layout.token_seen)) {
            found.others |= !self.same_nowhere(facts);
        }
        let is_same_so_far = found.are_none();
        found.others |= is_same_so_far && *facts.watched.get_or_init(|| watched(own)) != watched(other);
        found
    }

    fn same_flow(&self) -> bool {
        let Self { own, other, .. } = *self;
        let ends = |sight: &Sight<'_>| sight.words[word::FLAGS] & flag::END_AFTER_ROUND;
        OPEN_FLOW.iter().all(|&at| own.words[at] == other.words[at])
            && own.words[word::ORDER..word::END] == other.words[word::ORDER..word::END]
            && ends(own) == ends(other)
    }

    /// Compares all counters except those of tokens. Their visibility is constant, so equal values look equal to
    /// every seat.
    fn same_counters(&self) -> bool {
        let Self { own, other, is_plain } = *self;
        own.declared.counters.values().zip(&own.layout.counters).enumerate().all(|(counter, (declared, slot))| {
            let words = slot.offset..slot.offset + slot.len;
            matches!(declared.per, Holder::Token(_))
                || (is_plain || declared.means != Domain::Token) && own.words[words.clone()] == other.words[words]
                || own.holders(counter).all(|holder| self.same_counter(counter, holder, holder))
        })
    }

    /// Whether a seat sees equal values of a counter: of `holder` in its own position, and of `instead` in the other.
    fn same_counter(&self, counter: usize, holder: i32, instead: i32) -> bool {
        let Self { own, other, is_plain } = *self;
        let sees = own.sees_counter(counter, holder);
        if !sees || !other.sees_counter(counter, instead) {
            return sees == other.sees_counter(counter, instead);
        }
        let (here, there) = (own.counter(counter, holder), other.counter(counter, instead));
        match (here, there) {
            // A token that the seat cannot identify is represented by its place.
            (Some(here @ 1..), Some(there @ 1..))
                if !is_plain && own.declared.counters[counter].means == Domain::Token =>
            {
                own.shown(here) == other.shown(there)
            }
            _ => here == there,
        }
    }

    /// Whether a seat knows the same tokens in a pile that it cannot count.
    fn same_known(&self, pile: usize) -> bool {
        let tokens = self.own.identified(pile);
        tokens == self.other.identified(pile)
            && tokens.iter().all(|&token| self.same_token_counters(token, token, true))
    }

    /// Whether the tokens in no zone, and their counters, look the same to a seat.
    fn same_nowhere(&self, facts: &OwnFacts) -> bool {
        let Self { own, other, .. } = *self;
        let supplies = [facts.supplies.get_or_init(|| Supplies::new(own)), &Supplies::new(other)];
        own.layout.backs.iter().all(|back| {
            let count = |sight: &Sight<'_>| back.tokens().filter(|&token| sight.pile_of(token).is_none()).count();
            if back.unplaced && count(own) != count(other) {
                return false;
            }
            back.tokens().all(|token| match (own.pile_of(token), other.pile_of(token)) {
                (None, None) => {
                    let mixes = supplies[0].mix(own, token);
                    mixes == supplies[1].mix(other, token) && (mixes || self.same_token_counters(token, token, true))
                }
                (Some(_), Some(_)) => true,
                (None, Some(_)) => back.unplaced && supplies[0].mix(own, token),
                (Some(_), None) => back.unplaced && supplies[1].mix(other, token),
            })
        })
    }

    /// Whether a seat sees equal counters on `token` in its own position and on `instead` in the other. `known`: it
    /// identifies both.
    fn same_token_counters(&self, token: i32, instead: i32, known: bool) -> bool {
        let own = self.own;
        let kind = own.layout.tokens[token as usize - 1].kind;
        // A seat sees the same counters of one token in both positions, and only public counters of a token that it
        // cannot identify.
        if self.is_plain && (token == instead || !known) && self.same_columns(token, instead, OWN_COLUMNS) {
            return true;
        }
        let counters = own.declared.counters.values().enumerate();
        let mut of_kind =
            counters.filter(|(_, decl)| matches!(decl.per, Holder::Token(_)) && own.declared.is_of(decl.per, kind));
        of_kind.all(|(counter, _)| self.same_counter(counter, token, instead))
    }

    /// Whether a seat sees equal counters on two tokens, apart from statements.
    fn same_but_told(&self, token: i32, instead: i32) -> bool {
        let own = self.own;
        let kind = own.layout.tokens[token as usize - 1].kind;
        let counters = own.declared.counters.values().enumerate().filter(|(_, decl)| decl.tells.is_none());
        let mut of_kind =
            counters.filter(|(_, decl)| matches!(decl.per, Holder::Token(_)) && own.declared.is_of(decl.per, kind));
        of_kind.all(|(counter, _)| self.same_counter(counter, token, instead))
    }

    /// Whether two tokens have equal columns, except the first `but`.
    fn same_columns(&self, token: i32, instead: i32, but: usize) -> bool {
        let columns = &self.own.layout.columns[self.own.layout.tokens[token as usize - 1].kind];
        let same = |column: &Column| self.own.words[column.of(token)] == self.other.words[column.of(instead)];
        columns.iter().skip(but).all(same)
    }

    /// `same_columns`: all tokens have equal columns.
    fn compare_pile(&self, pile: usize, same_columns: bool, found: &mut Differences) {
        let Self { own, other, is_plain } = *self;
        let (here, there, place) = (own.tokens(pile), other.tokens(pile), own.layout.piles[pile]);
        found.others |= here.len() != there.len();
        let bits = own.known_bits(pile);
        for (&token, &instead) in here.iter().zip(there) {
            if token == instead && (same_columns || is_plain && self.same_columns(token, token, 0)) {
                continue;
            }
            let (seen, other_seen) = (own.seen(token), other.seen(instead));
            let known = own.identifies_seen(place, seen);
            found.others |= known != other.identifies_seen(place, other_seen) || (seen ^ other_seen) & bits != 0;
            if known && token != instead {
                found.tokens.push((instead, token));
            } else {
                let back = |token: i32| own.layout.tokens[token as usize - 1].back;
                let is_other = back(token) != back(instead) || !self.same_token_counters(token, instead, known);
                if is_other && !known && back(token) == back(instead) && self.same_but_told(token, instead) {
                    found.told.push((instead, token));
                } else {
                    found.others |= is_other;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::fixture::Table;
    use crate::state::observe::Observation;
    use proptest::prelude::*;

    fn observe(table: &Table, seat: u8) -> Observation {
        Observation::new(&table.sight(Some(seat)), &table.options, None)
    }

    fn differences(own: &Table, other: &Table, seat: u8) -> Differences {
        compare(&own.sight(Some(seat)), &OwnFacts::default(), &other.sight(Some(seat)))
    }

    #[test]
    fn tokens_in_each_others_places_are_named() {
        let mut own = Table::new(2);
        let mut other = own.clone();
        own.put("ace", "hand", 1);
        own.put("king", "row", 0);
        other.put("jack", "hand", 1);
        other.put("king", "row", 0);
        let ace_for_jack =
            Differences { tokens: vec![(own.first("jack"), own.first("ace"))], ..Differences::default() };
        assert_eq!(differences(&own, &other, 0), ace_for_jack);
        assert!(differences(&own, &other, 1).are_none(), "player 2 sees neither hand nor deck");
        other.set("gold", 2, 1);
        assert!(differences(&own, &other, 1).others);
    }

    proptest! {
        #[test]
        fn no_difference_means_the_same_observation(a in any::<u64>(), b in any::<u64>(), seat in 0_u8..4) {
            let (own, mut other) = (Table::random(a), Table::random(b));
            prop_assert!(differences(&own, &own, seat).are_none());
            let same = observe(&own, seat) == observe(&other, seat);
            prop_assert!(!differences(&own, &other, seat).are_none() || same);
            // Changes one word, which is rarely visible.
            other = own.clone();
            let at = own.layout.counters[b as usize % own.layout.counters.len()].offset;
            other.words[at] = 1 - other.words[at].clamp(0, 1);
            let same = observe(&own, seat) == observe(&other, seat);
            prop_assert_eq!(differences(&own, &other, seat).are_none(), same);
        }
    }
}
