//! Exchange classes: tokens that nobody can tell apart, given the events at the table.
//!
//! A token's zone and witnesses determine who sees it now ([`Position::identified_by`]). In addition, each token
//! stores in one word what the table knows from watching: its class. Two tokens of one class may have been exchanged,
//! as far as anybody knows; a token of class [`ALONE`] has been watched all the way. Classes are common knowledge,
//! the same for all seats, and never depend on hidden facts: only moves and shuffles that everybody can follow write
//! them.
//!
//! The model is a table at which everybody watches:
//!
//! 1. **A token starts exchangeable** with all others of its back ([`Back`]). (If it starts in plain view, rule 2
//!    applies.)
//! 2. **A token that leaves plain view is watched**: a token in an open zone or face up that moves to a hidden place
//!    has class [`ALONE`] from then on. Hidden random numbers are the exception: if the script has drawn one in the
//!    same hook, the number may have selected the token, so it joins all other tokens of its back that are not in plain
//!    view.
//! 3. **A hand is secret**: if a token moves from a zone of its owner (`owner`, `secret`) to another hidden place,
//!    other players do not know which token of the zone it was. So all tokens of its back in that zone become one
//!    class. Other hidden zones (`others`, `count`, `nobody`, `face`) are on the table: everybody sees which place a
//!    token leaves and where it goes.
//! 4. **A sort forgets places, not contents**: if a token moves within a hand, all tokens of its back in that zone keep
//!    their classes, but nobody else knows any more which of them lies where ([`mixing`](super::mixing)).
//! 5. **A shuffle forgets the order, not the contents**: the tokens of a pile become a class of their own, without
//!    tokens elsewhere that they could not have been exchanged with.
//!
//! # Splitting a class by a shuffle
//!
//! Let `C` be a class with some tokens inside the pile and some outside. The new class may exclude those outside if
//! every seat knows all of `C` inside, or all of `C` outside: then the seat also knows the other part, because it
//! knows all tokens of `C`. Otherwise the new class includes the whole of `C`.
//!
//! *Exact*: suppose every class with a token in the pile is inside it or can be split. Then before the shuffle a seat
//! knew exactly which tokens the pile has: the classes inside as such, the others by the argument above. A fair
//! shuffle makes all orders equally likely and says nothing about other piles. So after the shuffle a seat knows: any
//! order of these tokens, and elsewhere what it knew before. The classes express exactly this, and the redeal samples
//! it evenly. A discard pile shuffled into a new deck and a player's own deck are examples.
//!
//! *Broader than the truth*, never narrower:
//!
//! - Classes are joined: if a pile is half known, a seat keeps what it sees itself but loses what it could conclude
//!   ("one of these three is in the deck"). So does a seat that knew more than the seat that made the join necessary.
//! - A hidden pile was never shuffled, so its order might follow from the rules (rule 1).
//! - A token leaves a hand unseen (rule 3), or after a random number (rule 2).
//! - A hand of tokens about which statements can be made is sorted: they become one class, as if one had left.
//! - A player was shown a token in a zone with secret looks: the table does not know this, so no class depends on it.
//! - A seat could draw a conclusion from a question, a line or a choice: none of this is tracked.
//!
//! Each back numbers its classes independently. [`ALL`] is the class of rule 1, and of tokens that have become
//! exchangeable with everything. Classes are in the unused bits of an existing word of each token, so they do not
//! enlarge the state.

use std::ops::{DerefMut, Range};

use crate::state::Position;
use crate::state::layout::{Back, Pile, SEEN, word};
use crate::state::position::{EVERYBODY, identified_by_seen};
use motherlode_content::declare::Visibility;

/// The class of a token that is exchangeable with no other: the table knows its identity and place.
pub const ALONE: i32 = 0;
/// The class of tokens that are exchangeable with all others of their back.
pub const ALL: i32 = 1;
/// The lowest bit of a class, above those of face and witnesses.
const SHIFT: u32 = SEEN.count_ones();
/// The bit of a token whose place within its pile is unknown, see [`mixing`](super::mixing).
pub(super) const MIXED: i32 = i32::MIN;
/// The largest class.
const MOST: i32 = i32::MAX >> SHIFT;

/// The class in a word of a token.
fn class_in(word: i32) -> i32 {
    (word & !MIXED) >> SHIFT
}

impl<W: std::ops::Deref<Target = [i32]>> Position<'_, W> {
    /// The exchange class of a token; [`ALONE`] if the token does not exist.
    #[must_use]
    pub fn class(&self, token: i32) -> i32 {
        self.index_of(token).map_or(ALONE, |index| class_in(self.words[self.layout.token_seen + index]))
    }

    /// Index of a token's back.
    pub(super) fn back_of(&self, token: i32) -> usize {
        self.index_of(token).map_or(usize::MAX, |index| self.layout.tokens[index].back)
    }

    /// Whether a token takes part in the match. Tokens of absent players never do.
    pub(super) fn takes_part(&self, token: i32) -> bool {
        self.index_of(token).is_some_and(|index| self.layout.tokens[index].owner <= self.words[word::PLAYERS])
    }

    /// Whether a token is in no zone because it has not come into play yet.
    pub(crate) fn is_unplaced(&self, token: i32) -> bool {
        self.layout.backs.get(self.back_of(token)).is_some_and(|back| back.unplaced) && self.pile_of(token).is_none()
    }

    /// The players in the match, as bits.
    fn table(&self) -> i32 {
        (2 << self.words[word::PLAYERS].clamp(0, 29)) - 2
    }

    /// Whether a token is in plain view, by its zone or its face.
    pub(super) fn is_open(&self, token: i32) -> bool {
        self.pile_of(token).is_some_and(|pile| match self.layout.piles[pile].visible {
            Visibility::Public => true,
            Visibility::Face => self.seen(token) & 1 == 1,
            _ => false,
        })
    }

    /// The players who can identify this token, as far as the table knows, as bits.
    fn known_by(&self, token: i32) -> i32 {
        let Some(pile) = self.pile_of(token) else { return EVERYBODY };
        let place = self.layout.piles[pile];
        identified_by_seen(place, if place.open_looks { self.seen(token) } else { self.seen(token) & 1 })
    }

    /// The tokens of a pile with a back, in the order of their numbers.
    pub(super) fn mates(&self, pile: usize, back: Back) -> Vec<i32> {
        /// Tokens of a pile that are sorted faster than found among all with the back.
        const FEW: usize = 16;
        let tokens = self.tokens(pile);
        if tokens.len() > FEW {
            return back.tokens().filter(|&token| self.pile_of(token) == Some(pile)).collect();
        }
        let mut mates: Vec<i32> = tokens.iter().copied().filter(|token| back.tokens().contains(token)).collect();
        mates.sort_unstable();
        mates
    }

    /// Whether some seat cannot tell the tokens of a class inside a pile from those outside.
    fn reaches_beyond(&self, pile: usize, class: i32, back: Back) -> bool {
        let (mut inside, mut outside, mut any) = (EVERYBODY, EVERYBODY, false);
        for token in back.tokens().filter(|&token| self.class(token) == class && self.takes_part(token)) {
            let by = if self.is_unplaced(token) { 0 } else { self.known_by(token) };
            if self.pile_of(token) == Some(pile) {
                inside &= by;
            } else {
                outside &= by;
                any = true;
            }
        }
        any && !(inside | outside) & self.table() != 0
    }
}

impl<W: DerefMut<Target = [i32]>> Position<'_, W> {
    /// Sets the exchange class of a token.
    pub(super) fn set_class(&mut self, token: i32, class: i32) {
        if let Some(index) = self.index_of(token) {
            let word = &mut self.words[self.layout.token_seen + index];
            *word = *word & (SEEN | MIXED) | class << SHIFT;
        }
    }

    /// Makes all tokens with these backs exchangeable, as at the start.
    pub fn forget(&mut self, backs: Range<usize>) {
        for back in &self.layout.backs[backs] {
            for token in back.tokens() {
                self.set_class(token, ALL);
                self.set_mixed(token, false);
            }
        }
    }

    /// Moves a token in play to the top of a pile, or beneath it. `chance`: a random number was drawn earlier in the
    /// same hook. Returns false and changes nothing if the pile is full.
    pub fn carry(&mut self, token: i32, pile: usize, beneath: bool, chance: bool) -> bool {
        self.carry_under(token, pile, if beneath { usize::MAX } else { 0 }, chance)
    }

    /// Moves a token in play beneath the `above` top tokens of a pile, at most beneath all. Everybody sees the place.
    pub fn carry_under(&mut self, token: i32, pile: usize, above: usize, chance: bool) -> bool {
        if !self.has_room(pile) && self.pile_of(token) != Some(pile) {
            return false;
        }
        let from = self.pile_of(token);
        if self.layout.piles[pile].visible != Visibility::Public {
            self.leave(token, pile, chance);
        }
        if from != Some(pile) {
            self.unmix(token);
        }
        self.put_under(token, pile, above)
    }

    /// Updates the class of a token that is about to move to a hidden place.
    fn leave(&mut self, token: i32, to: usize, chance: bool) {
        let Some(from) = self.pile_of(token) else { return };
        if self.layout.piles[to].visible == Visibility::Face && self.seen(token) & 1 == 1 {
            return;
        }
        if self.is_open(token) {
            self.set_class(token, if chance { ALL } else { ALONE });
            return;
        }
        let is_unseen = chance
            || matches!(self.layout.piles[from].visible, Visibility::Owner | Visibility::Secret)
            || self.is_mixed(token);
        if from == to && is_unseen && !self.layout.can_be_told(token) {
            return self.mix_places(from, self.back_of(token));
        }
        self.remember(token, from);
        if is_unseen {
            let mates = self.mates(from, self.layout.backs[self.back_of(token)]);
            self.blend(token, &mates);
        }
    }

    /// Makes the players who see a token of another player's hand (`others`) its witnesses, because it leaves.
    fn remember(&mut self, token: i32, from: usize) {
        let Pile { holder, visible, .. } = self.layout.piles[from];
        if visible == Visibility::Others {
            self.set_seen(token, self.seen(token) | self.table() & !(1 << holder));
        }
    }

    /// Sets face and witnesses of a token in play, in the format of [`seen`](Self::seen).
    pub fn turn(&mut self, token: i32, bits: i32) {
        let was_open = self.is_open(token);
        self.set_seen(token, bits);
        if was_open != self.is_open(token) {
            self.unmix(token);
        }
        if was_open && !self.is_open(token) {
            self.set_class(token, ALONE);
        }
    }

    /// Makes one class of a token and those of its [`mates`](Self::mates) that are not in plain view.
    pub(super) fn blend(&mut self, token: i32, mates: &[i32]) {
        let back = self.layout.backs[self.back_of(token)];
        let mut all = self.class(token);
        let mut several = false;
        for &other in mates {
            if other != token && !self.is_open(other) {
                several = true;
                all = self.join(all, other, back);
                self.set_mixed(other, false);
            }
        }
        // If no other token could have moved instead, a watched token stays watched.
        if several {
            self.set_class(token, all);
            self.set_mixed(token, false);
        }
    }

    /// Joins a token's class to another class; returns the joined class. [`ALONE`] is never joined.
    fn join(&mut self, class: i32, token: i32, back: Back) -> i32 {
        let other = self.class(token);
        match (class, other) {
            _ if class == other && class != ALONE => class,
            (ALONE, ALONE) => {
                let fresh = self.fresh_class(back, |position, token| position.class(token));
                self.set_class(token, fresh);
                fresh
            }
            (ALONE, _) => other,
            (_, ALONE) => {
                self.set_class(token, class);
                class
            }
            _ => {
                // The class `ALL` absorbs the other.
                let (kept, lost) = if other == ALL { (other, class) } else { (class, other) };
                for token in back.tokens() {
                    if self.class(token) == lost {
                        self.set_class(token, kept);
                    }
                }
                kept
            }
        }
    }

    /// The lowest unused class above [`ALL`]. One always exists when at least two tokens are about to get it, because
    /// the others have at most as many classes as tokens. If there are more tokens than classes: [`ALL`].
    fn fresh_class(&self, back: Back, class_of: impl Fn(&Self, i32) -> i32) -> i32 {
        let is_free = |class: &i32| back.tokens().all(|token| class_of(self, token) != *class);
        (ALL + 1..=MOST.min(back.len as i32)).find(is_free).unwrap_or(ALL)
    }

    /// Shuffles a pile. Everybody loses track of its order.
    pub fn shuffle(&mut self, pile: usize) {
        for at in self.places(pile) {
            let back = self.back_of(self.words[at]);
            let start = self.places(pile).start;
            if self.words[start..at].iter().all(|&token| self.back_of(token) != back) {
                self.mix(pile, back);
            }
        }
        self.reorder(pile);
        for at in self.places(pile) {
            let token = self.words[at];
            self.set_seen(token, 0);
            self.end_statements(token);
        }
    }

    /// Sets the class that a shuffle gives to the pile's tokens with this back.
    fn mix(&mut self, pile: usize, back: usize) {
        let Some(&back) = self.layout.backs.get(back) else { return };
        let (mut all, mut count, mut last) = (ALONE, 0, ALONE);
        for at in self.places(pile) {
            let token = self.words[at];
            if !back.tokens().contains(&token) {
                continue;
            }
            count += 1;
            let class = self.class(token);
            // Most piles have only one class: examine it once.
            if class != ALONE && class != last && class != all && self.reaches_beyond(pile, class, back) {
                all = self.join(all, token, back);
            }
            last = class;
        }
        if all == ALONE && count > 1 {
            all = self.fresh_class(back, |position, token| {
                if position.pile_of(token) == Some(pile) { ALONE } else { position.class(token) }
            });
        }
        for at in self.places(pile) {
            let token = self.words[at];
            if back.tokens().contains(&token) {
                self.set_class(token, all);
                self.set_mixed(token, false);
            }
        }
    }

    /// The top token, after shuffling `reserve` into an empty pile. The token stays there.
    pub fn draw(&mut self, from: usize, reserve: Option<usize>) -> Option<i32> {
        if self.tokens(from).is_empty()
            && let Some(reserve) = reserve.filter(|&reserve| !self.tokens(reserve).is_empty())
        {
            while let Some(&token) = self.tokens(reserve).last() {
                if !self.carry(token, from, false, false) {
                    break;
                }
            }
            self.shuffle(from);
        }
        self.tokens(from).last().copied()
    }

    /// Updates the classes after a simultaneous phase, whose moves become public together. `before` is the position
    /// in which it began, and `changed` are the words that have changed since. Nobody watches moves during the phase, so
    /// rule 3 applies to every zone. If several tokens left plain view, nobody knows which went where.
    pub fn update_classes(&mut self, before: &[i32], changed: impl Iterator<Item = usize>) {
        let (layout, before) = (self.layout, Position { layout: self.layout, words: before });
        let (mut tokens, mut piles): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        for at in changed {
            let is_of = |first: &usize| (*first..first + layout.tokens.len()).contains(&at);
            // Most words follow another of the same token or pile.
            if let Some(first) = [layout.token_pile, layout.token_seen].iter().find(|first| is_of(first)) {
                if tokens.last() != Some(&(at - first)) {
                    tokens.push(at - first);
                }
            } else if piles.last().is_none_or(|&pile| !layout.piles[pile].has_word(at)) {
                piles.extend(layout.pile_of_word(at));
            }
        }
        for list in [&mut tokens, &mut piles] {
            list.sort_unstable();
            list.dedup();
        }
        for token in tokens {
            self.update_class(&before, token as i32 + 1);
        }
        for pile in piles {
            self.note_sort(&before, pile);
        }
    }

    /// Updates the class of one changed token, as [`update_classes`](Self::update_classes).
    fn update_class(&mut self, before: &Position<'_>, token: i32) {
        if self.is_open(token) {
            return;
        }
        let was_open = before.is_open(token);
        let from = before.pile_of(token);
        if from == self.pile_of(token) {
            if was_open {
                self.set_class(token, ALONE);
                self.unmix(token);
            }
            return;
        }
        self.set_mixed(token, false);
        let Some(origin) = from else { return };
        if !was_open {
            self.remember(token, origin);
        }
        let back = self.layout.backs[self.back_of(token)];
        let mut mates = before.mates(origin, back);
        if was_open {
            let went = |other: i32| self.pile_of(other) != from && before.is_open(other) && !self.is_open(other);
            let several = mates.into_iter().filter(|&other| went(other)).nth(1).is_some();
            self.set_class(token, if several { ALL } else { ALONE });
        } else {
            mates.retain(|&other| !before.is_open(other));
            self.blend(token, &mates);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::PositionMut;
    use crate::state::fixture::{Table, carry, differing, pile};
    use std::collections::BTreeSet;

    fn shuffle(table: &mut Table, zone: &str, holder: i32) {
        let at = pile(table, zone, holder);
        PositionMut::new(&table.layout, &mut table.words).shuffle(at);
    }

    /// The cards (tokens 1 to 6) by class; each token of class `ALONE` by itself.
    fn classes(table: &Table) -> BTreeSet<Vec<i32>> {
        let position = Position { layout: &table.layout, words: &*table.words };
        let with = |token: i32| match position.class(token) {
            ALONE => vec![token],
            class => (1..=6).filter(|&other| position.class(other) == class).collect(),
        };
        (1..=6).map(with).collect()
    }

    fn sets<const N: usize>(sets: [&[i32]; N]) -> BTreeSet<Vec<i32>> {
        sets.map(<[i32]>::to_vec).into()
    }

    #[test]
    fn known_decks_stay_apart() {
        let mut table = Table::new(2);
        for token in 1..=6 {
            carry(&mut table, token, "row", 0);
        }
        for (token, player) in [(1, 1), (4, 1), (6, 1), (2, 2), (3, 2), (5, 2)] {
            carry(&mut table, token, "vault", player);
        }
        assert_eq!(classes(&table), sets([&[1], &[2], &[3], &[4], &[5], &[6]]), "everybody watched");
        shuffle(&mut table, "vault", 1);
        shuffle(&mut table, "vault", 2);
        assert_eq!(classes(&table), sets([&[1, 4, 6], &[2, 3, 5]]));
        // A drawn card still belongs to its deck; a card that was shown and put away is known.
        carry(&mut table, 4, "hand", 1);
        carry(&mut table, 2, "row", 0);
        carry(&mut table, 2, "deck", 0);
        assert_eq!(classes(&table), sets([&[1, 4, 6], &[2], &[3, 5]]));
        shuffle(&mut table, "vault", 1);
        assert_eq!(classes(&table), sets([&[1, 4, 6], &[2], &[3, 5]]), "the one in hand may be any of the three");
    }

    #[test]
    fn a_new_deck_contains_the_discarded_cards() {
        let mut table = Table::new(2);
        shuffle(&mut table, "deck", 0);
        let cards = table.sight(None).tokens(pile(&table, "deck", 0)).to_vec();
        for &token in &cards[4..] {
            carry(&mut table, token, "hand", 1);
        }
        for &token in &cards[..4] {
            carry(&mut table, token, "row", 0);
        }
        let (deck, row) = (pile(&table, "deck", 0), pile(&table, "row", 0));
        PositionMut::new(&table.layout, &mut table.words).draw(deck, Some(row)).unwrap();
        let sorted = |tokens: &[i32]| {
            let mut tokens = tokens.to_vec();
            tokens.sort_unstable();
            tokens
        };
        assert_eq!(classes(&table), BTreeSet::from([sorted(&cards[..4]), sorted(&cards[4..])]));
    }

    #[test]
    fn a_shuffle_joins_classes_that_some_seat_cannot_distinguish() {
        let mut table = Table::new(3);
        carry(&mut table, 1, "hand", 1);
        carry(&mut table, 2, "row", 0);
        carry(&mut table, 2, "vault", 2);
        carry(&mut table, 3, "vault", 2);
        // Players 1 and 3 do not know token 3, but know the other one.
        shuffle(&mut table, "vault", 2);
        assert_eq!(classes(&table), sets([&[1, 2, 3, 4, 5, 6]]));
        let shown = |open_looks: bool| {
            let mut table = Table::new(2);
            table.layout.piles.iter_mut().for_each(|pile| pile.open_looks = open_looks);
            for token in [1, 4] {
                carry(&mut table, token, "hand", 1);
                PositionMut::new(&table.layout, &mut table.words).set_seen(token, 0b110);
            }
            shuffle(&mut table, "hand", 1);
            classes(&table)
        };
        assert_eq!(shown(true), sets([&[1, 4], &[2, 3, 5, 6]]), "both players had seen all of the hand");
        assert_eq!(shown(false), sets([&[1, 2, 3, 4, 5, 6]]), "nobody knows that");
    }

    #[test]
    fn nobody_knows_which_card_left_a_hand() {
        let mut table = Table::new(2);
        for token in [1, 4] {
            carry(&mut table, token, "row", 0);
            carry(&mut table, token, "hand", 1);
        }
        carry(&mut table, 2, "hand", 1);
        carry(&mut table, 4, "row", 0);
        carry(&mut table, 4, "hand", 1);
        assert_eq!(classes(&table), sets([&[1], &[4], &[2, 3, 5, 6]]));
        carry(&mut table, 4, "table", 0);
        assert_eq!(classes(&table), sets([&[1, 2, 3, 4, 5, 6]]));
        let mut table = Table::new(2);
        carry(&mut table, 1, "row", 0);
        carry(&mut table, 1, "hand", 1);
        carry(&mut table, 1, "pit", 0);
        assert_eq!(classes(&table), sets([&[1], &[2, 3, 4, 5, 6]]), "it was the only one in hand");
    }

    #[test]
    fn chance_is_not_watched() {
        let mut table = Table::new(2);
        carry(&mut table, 1, "row", 0);
        let hand = pile(&table, "hand", 2);
        PositionMut::new(&table.layout, &mut table.words).carry(1, hand, false, true);
        assert_eq!(classes(&table), sets([&[1, 2, 3, 4, 5, 6]]));
    }

    #[test]
    fn a_token_turned_down_is_known() {
        let mut table = Table::new(2);
        carry(&mut table, 3, "table", 0);
        PositionMut::new(&table.layout, &mut table.words).turn(3, 1);
        assert_eq!(classes(&table).len(), 1);
        PositionMut::new(&table.layout, &mut table.words).turn(3, 0);
        assert_eq!(classes(&table), sets([&[1, 2, 4, 5, 6], &[3]]));
    }

    #[test]
    fn mates_are_in_the_order_of_their_numbers() {
        let mut table = Table::new(2);
        for token in [4, 1, 3] {
            carry(&mut table, token, "hand", 1);
        }
        let hand = pile(&table, "hand", 1);
        let position = Position::new(&table.layout, table.words.as_slice());
        let back = table.layout.backs[position.back_of(1)];
        assert_eq!(position.mates(hand, back), vec![1, 3, 4]);
    }

    #[test]
    fn simultaneous_moves_are_not_watched() {
        let mut table = Table::new(2);
        for token in [1, 2, 4] {
            carry(&mut table, token, "row", 0);
            carry(&mut table, token, "hand", 1);
        }
        for token in [5, 6] {
            carry(&mut table, token, "row", 0);
        }
        let before = table.words.clone();
        let put = |table: &mut Table, token, zone, holder| {
            let to = pile(table, zone, holder);
            assert!(PositionMut::new(&table.layout, &mut table.words).put(token, to, false));
        };
        put(&mut table, 4, "vault", 1);
        let mut one = table.clone();
        let changed = differing(&before, &one.words);
        PositionMut::new(&one.layout, &mut one.words).update_classes(&before, changed.into_iter());
        assert_eq!(classes(&one), sets([&[1, 2, 4], &[3, 5, 6]]), "one of three left the hand");
        put(&mut table, 5, "vault", 1);
        put(&mut table, 6, "vault", 1);
        let changed = differing(&before, &table.words);
        PositionMut::new(&table.layout, &mut table.words).update_classes(&before, changed.into_iter());
        assert_eq!(classes(&table), sets([&[1, 2, 4], &[3, 5, 6]]), "nobody knows which of the two lies beneath");
    }
}
