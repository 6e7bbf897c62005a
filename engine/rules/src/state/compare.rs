//! What tells two positions apart for one seat.

use super::sight::Sight;
use super::watched::{OPEN_FLOW, Supplies, watched};
use crate::state::layout::{Column, flag, word};
use motherlode_content::declare::{Domain, Holder};

/// Words of the flow whose changes a seat is told.
pub const PUBLIC_FLOW: [usize; 5] = [word::ROUND, word::PHASE, word::PASSED, word::OUT, word::REASON];

/// Columns that every token has: its pile, and its face and witnesses.
const OWN_COLUMNS: usize = 2;

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
    // A value that names a token means another place once the token has moved.
    let same_counter_words = layout.naming.is_empty() && own.words[counters.clone()] == other.words[counters];
    let others = !same_flow(own, other) || !(same_counter_words || same_counters(own, other));
    let mut found = Differences { tokens: Vec::new(), others };
    // Then two piles that hold the same tokens are the same.
    let same_columns = same_counter_words && own.words[seen.clone()] == other.words[seen.clone()];
    for pile in 0..layout.piles.len() {
        if same_columns && own.tokens(pile) == other.tokens(pile) {
            continue;
        }
        if own.counts(pile) {
            compare_pile(own, other, pile, same_columns, &mut found);
        } else {
            found.others |= !same_known(own, other, pile);
        }
    }
    let same_places =
        own.words[layout.token_pile..layout.token_seen] == other.words[layout.token_pile..layout.token_seen];
    if !(same_places && same_columns) {
        found.others |= !same_nowhere(own, other);
    }
    let is_same_so_far = found.are_none();
    found.others |= is_same_so_far && watched(own) != watched(other);
    found
}

fn same_flow(own: &Sight<'_>, other: &Sight<'_>) -> bool {
    let ends = |sight: &Sight<'_>| sight.words[word::FLAGS] & flag::END_AFTER_ROUND;
    OPEN_FLOW.iter().all(|&at| own.words[at] == other.words[at])
        && own.words[word::ORDER..word::END] == other.words[word::ORDER..word::END]
        && ends(own) == ends(other)
}

/// Whether a seat knows the same tokens in a pile whose tokens it cannot count.
fn same_known(own: &Sight<'_>, other: &Sight<'_>, pile: usize) -> bool {
    let known = |sight: &Sight<'_>| {
        let tokens = sight.tokens(pile).iter().copied().filter(|&token| sight.identifies(token));
        let mut tokens: Vec<i32> = tokens.collect();
        tokens.sort_unstable();
        tokens
    };
    let tokens = known(own);
    tokens == known(other) && tokens.iter().all(|&token| same_token_counters(own, other, token, token, true))
}

/// Whether the same tokens lie in no zone, as far as a seat can tell, with the same counters.
fn same_nowhere(own: &Sight<'_>, other: &Sight<'_>) -> bool {
    let layout = own.layout;
    let supplies = [own, other].map(Supplies::new);
    layout.backs.iter().all(|back| {
        let count = |sight: &Sight<'_>| back.tokens().filter(|&token| sight.pile_of(token).is_none()).count();
        if back.unplaced && count(own) != count(other) {
            return false;
        }
        back.tokens().all(|token| match (own.pile_of(token), other.pile_of(token)) {
            (None, None) => {
                let mixes = supplies[0].mix(own, token);
                mixes == supplies[1].mix(other, token) && (mixes || same_token_counters(own, other, token, token, true))
            }
            (Some(_), Some(_)) => true,
            (None, Some(_)) => back.unplaced && supplies[0].mix(own, token),
            (Some(_), None) => back.unplaced && supplies[1].mix(other, token),
        })
    })
}

/// Whether a seat sees the same counters of a token in its own position as of another token in the other.
/// `known`: the seat identifies both.
fn same_token_counters(own: &Sight<'_>, other: &Sight<'_>, token: i32, instead: i32, known: bool) -> bool {
    let kind = own.layout.tokens[token as usize - 1].kind;
    let mut columns = own.layout.columns[kind].iter().skip(OWN_COLUMNS);
    // Of one token the seat sees as much in both; of others it sees no more than their public counters.
    if own.layout.naming.is_empty()
        && (token == instead || !known)
        && columns.all(|column| own.words[column.of(token)] == other.words[column.of(instead)])
    {
        return true;
    }
    let counters = own.declared.counters.values().enumerate();
    let of_kind =
        counters.filter(|(_, decl)| matches!(decl.per, Holder::Token(_)) && own.declared.is_of(decl.per, kind));
    of_kind.map(|(counter, _)| counter).all(|counter| {
        let sees = own.sees_counter(counter, token);
        let values = || (own.counter(counter, token), other.counter(counter, instead));
        sees == other.sees_counter(counter, instead) && (!sees || same_value(own, other, counter, values()))
    })
}

/// Whether a value that a seat sees means the same in both positions. A token that the seat cannot identify is its place.
fn same_value(own: &Sight<'_>, other: &Sight<'_>, counter: usize, (here, there): (Option<i32>, Option<i32>)) -> bool {
    if own.declared.counters[counter].means != Domain::Token {
        return here == there;
    }
    match (here, there) {
        (Some(0), Some(0)) | (None, None) => true,
        (Some(0) | None, _) | (_, Some(0) | None) => false,
        (Some(here), Some(there)) => own.shown(here) == other.shown(there),
    }
}

/// Counters of tokens are compared with the tokens. Who sees any other does not change: where all values are the same, nobody sees a
/// difference.
fn same_counters(own: &Sight<'_>, other: &Sight<'_>) -> bool {
    own.declared.counters.values().zip(&own.layout.counters).enumerate().all(|(counter, (declared, slot))| {
        let words = slot.offset..slot.offset + slot.len;
        matches!(declared.per, Holder::Token(_))
            || declared.means != Domain::Token && own.words[words.clone()] == other.words[words]
            || own.holders(counter).all(|holder| same_counter(own, other, counter, holder))
    })
}

fn same_counter(own: &Sight<'_>, other: &Sight<'_>, counter: usize, holder: i32) -> bool {
    let sees = own.sees_counter(counter, holder);
    let values = || (own.counter(counter, holder), other.counter(counter, holder));
    sees == other.sees_counter(counter, holder) && (!sees || same_value(own, other, counter, values()))
}

/// `same_columns`: no token differs in itself.
fn compare_pile(own: &Sight<'_>, other: &Sight<'_>, pile: usize, same_columns: bool, found: &mut Differences) {
    let (here, there, place) = (own.tokens(pile), other.tokens(pile), own.layout.piles[pile]);
    found.others |= here.len() != there.len();
    for (&token, &instead) in here.iter().zip(there) {
        let columns = || &own.layout.columns[own.layout.tokens[token as usize - 1].kind];
        let is_same = |column: &Column| own.words[column.of(token)] == other.words[column.of(token)];
        let is_plain = same_columns || own.layout.naming.is_empty() && columns().iter().all(is_same);
        if token == instead && is_plain {
            continue;
        }
        let known = own.identifies_in(place, token);
        found.others |=
            known != other.identifies_in(place, instead) || own.known_seen(token) != other.known_seen(instead);
        if known && token != instead {
            found.tokens.push((instead, token));
        } else {
            let back = |token: i32| own.layout.tokens[token as usize - 1].back;
            found.others |= back(token) != back(instead) || !same_token_counters(own, other, token, instead, known);
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
