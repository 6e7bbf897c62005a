//! What tells two positions apart for one seat.

use super::sight::Sight;
use crate::state::layout::{Column, word};
use motherlode_content::declare::{Holder, Visibility};

/// Words of the flow that everybody at the table knows.
pub const PUBLIC_FLOW: [usize; 5] = [word::ROUND, word::PHASE, word::PASSED, word::OUT, word::REASON];

/// What a seat sees otherwise in another position than in its own.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Where the seat sees a token that is not the one in the same place of the other position: that one, and this.
    pub tokens: Vec<(i32, i32)>,
    /// There is more than that.
    pub others: bool,
}

impl Differences {
    /// Whether the seat sees the same: its [`Observation`](super::observe::Observation) is the same, and so is every token that
    /// it identifies.
    #[must_use]
    pub fn are_none(&self) -> bool {
        self.tokens.is_empty() && !self.others
    }
}

/// Compares what a seat sees in its own position with what it would see in another. Both are of the same game and seat.
#[must_use]
pub fn compare(own: &Sight<'_>, other: &Sight<'_>) -> Differences {
    let layout = own.layout;
    let (counters, seen) = (layout.counter_words.clone(), layout.token_seen..layout.counter_words.start);
    let same_counter_words = own.words[counters.clone()] == other.words[counters];
    let others = !same_flow(own, other) || !(same_counter_words || same_counters(own, other));
    let mut found = Differences { tokens: Vec::new(), others };
    // Then two piles that hold the same tokens are the same.
    let same_columns = same_counter_words && own.words[seen.clone()] == other.words[seen];
    for (pile, place) in layout.piles.iter().enumerate() {
        if own.counts(pile) && !(same_columns && own.tokens(pile) == other.tokens(pile)) {
            let faces = place.visible == Visibility::Face;
            compare_pile(own, other, pile, (faces, same_columns), &mut found);
        }
    }
    found
}

fn same_flow(own: &Sight<'_>, other: &Sight<'_>) -> bool {
    PUBLIC_FLOW.iter().all(|&at| own.words[at] == other.words[at])
}

/// Counters of tokens are compared with the tokens. Who sees any other does not change: where all values are the same, nobody sees a
/// difference.
fn same_counters(own: &Sight<'_>, other: &Sight<'_>) -> bool {
    own.declared.counters.values().zip(&own.layout.counters).enumerate().all(|(counter, (declared, slot))| {
        let words = slot.offset..slot.offset + slot.len;
        matches!(declared.per, Holder::Token(_))
            || own.words[words.clone()] == other.words[words]
            || own.holders(counter).all(|holder| same_counter(own, other, counter, holder))
    })
}

fn same_counter(own: &Sight<'_>, other: &Sight<'_>, counter: usize, holder: i32) -> bool {
    let sees = own.sees_counter(counter, holder);
    sees == other.sees_counter(counter, holder)
        && (!sees || own.counter(counter, holder) == other.counter(counter, holder))
}

/// `faces`: which side of its tokens is up counts; `same_columns`: no token differs in itself.
fn compare_pile(
    own: &Sight<'_>,
    other: &Sight<'_>,
    pile: usize,
    (faces, same_columns): (bool, bool),
    found: &mut Differences,
) {
    let (here, there, place) = (own.tokens(pile), other.tokens(pile), own.layout.piles[pile]);
    found.others |= here.len() != there.len();
    for (&token, &instead) in here.iter().zip(there) {
        let columns = || &own.layout.columns[own.layout.tokens[token as usize - 1].kind];
        let is_same = |column: &Column| own.words[column.of(token)] == other.words[column.of(token)];
        if token == instead && (same_columns || columns().iter().all(is_same)) {
            continue;
        }
        let (seen, seen_there) = (own.seen(token), other.seen(instead));
        let known = own.identifies_seen(place, seen);
        if seen != seen_there {
            found.others |= known != other.identifies_seen(place, seen_there);
            found.others |= faces && (seen ^ seen_there) & 1 == 1;
        }
        if known && token != instead {
            found.tokens.push((instead, token));
        } else if known {
            let kind = own.layout.tokens[token as usize - 1].kind;
            let counters = own.declared.counters.values().enumerate();
            let of_kind = counters.filter(|(_, counter)| counter.per == Holder::Token(kind));
            found.others |=
                !of_kind.map(|(counter, _)| counter).all(|counter| same_counter(own, other, counter, token));
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
        compare(&own.sight(Some(seat)), &other.sight(Some(seat)))
    }

    #[test]
    fn tokens_in_each_others_places_are_named() {
        let mut own = Table::new(2);
        let mut other = own.clone();
        own.put("ace", "hand", 1);
        own.put("king", "row", 0);
        other.put("jack", "hand", 1);
        other.put("king", "row", 0);
        let ace_for_jack = Differences { tokens: vec![(own.first("jack"), own.first("ace"))], others: false };
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
            // One word of another position: rarely visible.
            other = own.clone();
            let at = own.layout.counters[b as usize % own.layout.counters.len()].offset;
            other.words[at] = 1 - other.words[at].clamp(0, 1);
            let same = observe(&own, seat) == observe(&other, seat);
            prop_assert_eq!(differences(&own, &other, seat).are_none(), same);
        }
    }
}
