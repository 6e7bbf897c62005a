//! Differences between two states, for viewers and failing tests.

use std::fmt;

use super::compare::PUBLIC_FLOW;
use super::sight::Sight;
use crate::state::Layout;
use crate::state::layout::{SEEN, word};
use motherlode_content::declare::Holder;

/// One difference between two states of the same game.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Random numbers were drawn.
    Drawn,
    /// A word of the flow (see [`word`]) has another value.
    Flow {
        /// The word.
        word: usize,
        /// Value before.
        from: i32,
        /// Value after.
        to: i32,
    },
    /// A counter has another value.
    Counter {
        /// Index of the counter.
        counter: usize,
        /// Its holder.
        holder: i32,
        /// Value before; `None` if it is hidden from the seat.
        from: Option<i32>,
        /// Value after; `None` if it is hidden from the seat.
        to: Option<i32>,
    },
    /// A token has moved.
    Moved {
        /// The token; `None` if the seat cannot identify it.
        token: Option<i32>,
        /// Its former place.
        from: Spot,
        /// Its new place.
        to: Spot,
    },
    /// The tokens that stayed in a pile are in a different order.
    Order {
        /// Index of the pile.
        pile: usize,
    },
    /// A token was turned.
    Face {
        /// The token; `None` if the seat cannot identify it.
        token: Option<i32>,
        /// Its present place.
        at: Spot,
        /// Whether it is face up now.
        up: bool,
    },
    /// A player has seen a token, or is no longer recorded as having seen it.
    Witness {
        /// The token.
        token: i32,
        /// The player, from 1.
        player: i32,
        /// Whether the player has seen it now.
        seen: bool,
    },
}

/// Place of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spot {
    /// In no zone.
    Nowhere,
    /// In this pile.
    Pile(usize),
    /// In a pile that is hidden from the seat.
    Unseen,
}

/// All differences: flow, counters, then tokens. Ignores exchange classes, which no rule reads.
#[must_use]
pub fn diff(layout: &Layout, before: &[i32], after: &[i32]) -> Vec<Change> {
    let mut changes = Vec::new();
    if layout.chance().any(|at| before[at] != after[at]) {
        changes.push(Change::Drawn);
    }
    for word in word::PLAYERS..word::END {
        let (from, to) = (before[word], after[word]);
        if from != to {
            changes.push(Change::Flow { word, from, to });
        }
    }
    for (counter, slot) in layout.counters.iter().enumerate() {
        for (holder, at) in (slot.first..).zip(slot.offset..slot.offset + slot.len) {
            let (from, to) = (before[at], after[at]);
            if from != to {
                changes.push(Change::Counter { counter, holder, from: Some(from), to: Some(to) });
            }
        }
    }
    let spot = |words: &[i32], token: usize| match usize::try_from(words[layout.token_pile + token] - 1) {
        Ok(pile) => Spot::Pile(pile),
        Err(_) => Spot::Nowhere,
    };
    for token in 0..layout.tokens.len() {
        let (from, to) = (spot(before, token), spot(after, token));
        if from != to {
            changes.push(Change::Moved { token: Some(token as i32 + 1), from, to });
        }
    }
    for pile in 0..layout.piles.len() {
        if stayed(layout, before, after, pile) != stayed(layout, after, before, pile) {
            changes.push(Change::Order { pile });
        }
    }
    for index in 0..layout.tokens.len() {
        let (from, to) = (before[layout.token_seen + index] & SEEN, after[layout.token_seen + index] & SEEN);
        let token = index as i32 + 1;
        if (from ^ to) & 1 == 1 {
            changes.push(Change::Face { token: Some(token), at: spot(after, index), up: to & 1 == 1 });
        }
        for player in (1..32).filter(|player| (from ^ to) >> player & 1 == 1) {
            changes.push(Change::Witness { token, player, seen: to >> player & 1 == 1 });
        }
    }
    changes
}

/// Tokens of a pile in `words` that are also in that pile in `other`, in order.
fn stayed(layout: &Layout, words: &[i32], other: &[i32], pile: usize) -> Vec<i32> {
    let at = layout.piles[pile].offset;
    let len = usize::try_from(words[at]).unwrap_or(0).min(layout.piles[pile].capacity);
    let still = |token: &i32| {
        let index = usize::try_from(token - 1).ok().filter(|&index| index < layout.tokens.len());
        index.is_some_and(|index| usize::try_from(other[layout.token_pile + index] - 1) == Ok(pile))
    };
    words[at + 1..=at + len].iter().copied().filter(still).collect()
}

/// The differences that a seat sees. Both sights belong to the same game and seat. A token is named if the seat
/// identifies it before or after.
#[must_use]
pub fn diff_seen(before: &Sight<'_>, after: &Sight<'_>) -> Vec<Change> {
    let all = diff(before.layout, before.words, after.words);
    let Some(seat) = before.seat else { return all };
    let seat = i32::from(seat) + 1;
    let known = |token: Option<i32>| token.filter(|&token| before.identifies(token) || after.identifies(token));
    let place = |sight: &Sight<'_>, spot: Spot| match spot {
        Spot::Pile(pile) if !sight.counts(pile) => Spot::Unseen,
        spot => spot,
    };
    let seen = |change: Change| match change {
        Change::Drawn => None,
        Change::Flow { word, .. } => PUBLIC_FLOW.contains(&word).then_some(change),
        Change::Counter { counter, holder, from, to } => {
            // A change names its token, so counters of tokens known only by place are left out.
            let of_token = matches!(before.declared.counters[counter].per, Holder::Token(_));
            let sees =
                |sight: &Sight<'_>| sight.sees_counter(counter, holder) && (!of_token || sight.identifies(holder));
            let from = from.filter(|_| sees(before));
            let to = to.filter(|_| sees(after));
            (from.is_some() || to.is_some()).then_some(Change::Counter { counter, holder, from, to })
        }
        Change::Moved { token, from, to } => {
            let (from, to) = (place(before, from), place(after, to));
            let shown = from != Spot::Unseen || to != Spot::Unseen;
            shown.then(|| Change::Moved { token: known(token), from, to })
        }
        Change::Order { pile } => {
            let identifies_any = |sight: &Sight<'_>| sight.tokens(pile).iter().any(|&token| sight.identifies(token));
            (after.counts(pile) && identifies_any(after)).then_some(change)
        }
        Change::Face { token, at, up } => {
            let at = place(after, at);
            let sees = matches!(at, Spot::Pile(pile) if after.sees_faces(after.layout.piles[pile]));
            sees.then(|| Change::Face { token: known(token), at, up })
        }
        Change::Witness { player, .. } => (player == seat).then_some(change),
    };
    let mut changes: Vec<Change> = all.into_iter().filter_map(seen).collect();
    // Sorting hides the token numbers: an unnamed token between named ones would reveal its number.
    changes.sort();
    changes
}

impl Change {
    /// The change as text, with names from the declarations. `after` is the later position.
    #[must_use]
    pub fn describe<'a>(&'a self, after: &'a Sight<'a>) -> impl fmt::Display + 'a {
        Described { change: self, sight: after }
    }
}

struct Described<'a> {
    change: &'a Change,
    sight: &'a Sight<'a>,
}

impl fmt::Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self.change {
            Change::Drawn => f.write_str("random numbers were drawn"),
            Change::Flow { word, from, to } => self.flow(f, word, from, to),
            Change::Counter { counter, holder, from, to } => {
                let Some((name, declared)) = self.sight.declared.counters.get_index(counter) else {
                    return write!(f, "counter {counter}");
                };
                write!(f, "{name}")?;
                self.holder(f, declared.per, holder)?;
                write!(f, ": {} -> {}", self.value(counter, from), self.value(counter, to))
            }
            Change::Moved { token, from, to } => {
                write!(f, "{}: {} -> {}", self.token(token), self.spot(from), self.spot(to))
            }
            Change::Order { pile } => write!(f, "{}: reordered", self.spot(Spot::Pile(pile))),
            Change::Face { token, at, up } => {
                let face = if up { "up" } else { "down" };
                write!(f, "{} in {}: turned face {face}", self.token(token), self.spot(at))
            }
            Change::Witness { token, player, seen } => {
                let verb = if seen { "has seen" } else { "has lost sight of" };
                write!(f, "player {player} {verb} {}", self.token(Some(token)))
            }
        }
    }
}

impl Described<'_> {
    fn flow(&self, f: &mut fmt::Formatter<'_>, at: usize, from: i32, to: i32) -> fmt::Result {
        let phase = |index: i32| {
            let index = usize::try_from(index).ok();
            let entry = index.and_then(|index| self.sight.declared.phases.get_index(index));
            entry.map_or("none", |(id, _)| id.as_str())
        };
        let name = match at {
            word::PHASE => return write!(f, "phase: {} -> {}", phase(from), phase(to)),
            word::PASSED => return self.seats(f, "passed", from, to),
            word::OUT => return self.seats(f, "out of the game", from, to),
            word::PLAYERS => "players",
            word::ROUND => "round",
            word::STAGE => "stage",
            word::TIMES => "times",
            word::TURN => "turn",
            word::ORDER_LEN => "length of the turn order",
            word::FLAGS => "requests",
            word::REASON => "end",
            word::SECTION => "part of the game",
            word::IDLE => "idle turns",
            word::BEGIN => "player to begin",
            _ if (word::ORDER..word::END).contains(&at) => {
                return write!(f, "turn order, place {}: player {from} -> player {to}", at - word::ORDER + 1);
            }
            _ => return write!(f, "flow word {at}: {from} -> {to}"),
        };
        write!(f, "{name}: {from} -> {to}")
    }

    fn seats(&self, f: &mut fmt::Formatter<'_>, what: &str, from: i32, to: i32) -> fmt::Result {
        let mut first = true;
        for seat in (0..32).filter(|seat| (from ^ to) >> seat & 1 == 1) {
            let not = if to >> seat & 1 == 1 { "" } else { "not " };
            write!(f, "{}player {}: {not}{what}", if first { "" } else { ", " }, seat + 1)?;
            first = false;
        }
        Ok(())
    }

    fn holder(&self, f: &mut fmt::Formatter<'_>, per: Holder, holder: i32) -> fmt::Result {
        match per {
            Holder::Game => Ok(()),
            Holder::Player => write!(f, " of player {holder}"),
            Holder::Token(_) => write!(f, " of {}", self.token(Some(holder))),
            Holder::Cell(grid) => {
                let geometry = &self.sight.layout.grids[grid];
                let index = usize::try_from(holder - 1).unwrap_or(0);
                let places = geometry.places().max(1);
                write!(f, " of {}", geometry.name(index % places))?;
                if self.sight.declared.grids[grid].per == Holder::Player {
                    write!(f, " of player {}", index / places + 1)?;
                }
                Ok(())
            }
        }
    }

    fn value(&self, counter: usize, value: Option<i32>) -> String {
        let Some(value) = value else { return "?".to_owned() };
        let declared = self.sight.declared.counters.get_index(counter);
        let name = declared.and_then(|(_, declared)| declared.values.get(usize::try_from(value).ok()?));
        name.cloned().unwrap_or_else(|| value.to_string())
    }

    fn token(&self, token: Option<i32>) -> String {
        let Some(token) = token else { return "a token".to_owned() };
        let info = usize::try_from(token - 1).ok().and_then(|index| self.sight.layout.tokens.get(index));
        let definition = info.and_then(|info| self.sight.declared.definitions.get(info.definition));
        definition.map_or_else(|| format!("token {token}"), |definition| format!("{} (token {token})", definition.id))
    }

    fn spot(&self, spot: Spot) -> String {
        let pile = match spot {
            Spot::Nowhere => return "nowhere".to_owned(),
            Spot::Unseen => return "somewhere".to_owned(),
            Spot::Pile(pile) => pile,
        };
        let Some(pile) = self.sight.layout.piles.get(pile) else { return format!("pile {pile}") };
        let name = self.sight.declared.zones.get_index(pile.zone).map_or("", |(name, _)| name.as_str());
        if pile.holder == 0 { name.to_owned() } else { format!("{name} of player {}", pile.holder) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::fixture::Table;
    use proptest::prelude::*;

    fn described(before: &Table, after: &Table, seat: Option<u8>) -> Vec<String> {
        let sight = after.sight(seat);
        diff_seen(&before.sight(seat), &sight).iter().map(|change| change.describe(&sight).to_string()).collect()
    }

    #[test]
    fn equal_states_do_not_differ() {
        let table = Table::new(3);
        assert_eq!(diff(&table.layout, &table.words, &table.words), []);
    }

    #[test]
    fn changes_in_words() {
        let before = Table::new(3);
        let mut after = before.clone();
        after.words[word::ROUND] = 2;
        after.words[word::PHASE] = 1;
        after.words[word::OUT] = 0b100;
        after.set("gold", 2, 5);
        after.set("ore", after.cell("board", "b2"), 1);
        after.put("ace", "hand", 2);
        let expected = [
            "round: 0 -> 2",
            "phase: morning -> evening",
            "player 3: out of the game",
            "gold of player 2: 0 -> 5",
            "ore of b2: none -> gold",
        ];
        assert_eq!(described(&before, &after, None)[..5], expected);
        assert_eq!(described(&before, &after, None)[5], "ace (token 1): deck -> hand of player 2");
        assert_eq!(described(&before, &after, Some(1)), described(&before, &after, None));
        assert_eq!(described(&before, &after, Some(0))[5], "a token: deck -> hand of player 2");
        assert_eq!(described(&after, &before, Some(0))[3], "gold of player 2: 5 -> 0");
    }

    #[test]
    fn a_seat_gets_the_changes_that_it_sees() {
        let before = Table::new(3);
        let mut after = before.clone();
        after.words[word::SEED_LOW] = 7;
        after.set("debt", 2, 4);
        after.put("king", "vault", 2);
        assert_eq!(
            described(&before, &after, Some(1)),
            ["debt of player 2: 0 -> 4", "king (token 4): deck -> vault of player 2"]
        );
        assert_eq!(described(&before, &after, Some(0)), ["a token: deck -> somewhere"]);
        assert_eq!(described(&before, &after, None)[0], "random numbers were drawn");
        let mut hidden = after.clone();
        hidden.move_to(4, "pit", 0);
        assert_eq!(described(&after, &hidden, Some(0)), [] as [&str; 0]);
        assert_eq!(described(&after, &hidden, Some(1)), ["king (token 4): vault of player 2 -> somewhere"]);
        let mut open = hidden.clone();
        open.move_to(4, "row", 0);
        assert_eq!(described(&hidden, &open, Some(0)), ["king (token 4): somewhere -> row"]);
    }

    #[test]
    fn faces_witnesses_and_order() {
        let mut before = Table::new(2);
        before.put("ace", "table", 0);
        before.put("king", "table", 0);
        let mut after = before.clone();
        after.see("ace", 1);
        after.see("king", 1 << 2);
        assert_eq!(
            described(&before, &after, None),
            ["ace (token 1) in table: turned face up", "player 2 has seen king (token 4)"]
        );
        assert_eq!(described(&before, &after, Some(0)), ["ace (token 1) in table: turned face up"]);
        let mut shuffled = after.clone();
        shuffled.move_to(1, "row", 0);
        shuffled.move_to(1, "table", 0);
        assert_eq!(described(&after, &shuffled, None), ["table: reordered"]);
    }

    #[test]
    fn the_order_of_hidden_moves_reveals_nothing() {
        let before = Table::new(3);
        let (mut one, mut other) = (before.clone(), before.clone());
        one.put("ace", "hand", 2);
        one.put("king", "hand", 3);
        other.put("king", "hand", 2);
        other.put("ace", "hand", 3);
        assert_eq!(described(&before, &one, Some(0)), described(&before, &other, Some(0)));
    }

    proptest! {
        #[test]
        fn empty_only_for_equal_states(a in any::<u64>(), b in any::<u64>()) {
            let (before, after) = (Table::random(a), Table::random(b));
            let changes = diff(&before.layout, &before.words, &after.words);
            prop_assert_eq!(changes.is_empty(), before.words == after.words);
            for seat in [None, Some(0), Some(1)] {
                let sight = after.sight(seat);
                for change in diff_seen(&before.sight(seat), &sight) {
                    prop_assert!(!change.describe(&sight).to_string().is_empty());
                }
            }
        }

        #[test]
        fn one_changed_word_is_reported(seed in any::<u64>(), at in any::<prop::sample::Index>()) {
            let before = Table::random(seed);
            let mut after = before.clone();
            // Piles and the places of tokens change together only.
            let words: Vec<usize> = (0..word::END)
                .chain(before.layout.token_seen..before.layout.token_seen + before.layout.tokens.len())
                .chain(before.layout.counters.iter().flat_map(|slot| slot.offset..slot.offset + slot.len))
                .collect();
            after.words[words[at.index(words.len())]] ^= 1;
            prop_assert_eq!(diff(&before.layout, &before.words, &after.words).len(), 1);
        }
    }
}
