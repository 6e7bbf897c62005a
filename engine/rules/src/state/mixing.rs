//! Places within a pile that a sort has made unknown.
//!
//! A player may sort a hand: the others see that cards move, and not which. They still know everything about the
//! contents: a card that went into the hand in plain view is in it. So a sort changes no exchange class; it marks all
//! tokens of the back in the pile as mixed. The mark says: the mixed tokens of a back in a pile may lie at one
//! another's places, as far as anybody knows who cannot identify them. The marks are common knowledge, as the classes
//! are.
//!
//! *Exact*: the moves of a sort are chosen by the hidden cards, and say nothing about which cards the pile has. A seat
//! that identifies a token sees where it moves, so the token is not mixed for that seat. The order after a sort may
//! say something (the lowest card lies first); as with other choices of scripts, nobody concludes anything from it.
//!
//! A token that leaves the pile, or is turned up, is mixed no more.

use std::ops::{Deref, DerefMut};

use crate::state::Position;
use crate::state::exchange::{ALONE, MIXED};
use motherlode_content::declare::Visibility;

impl<W: Deref<Target = [i32]>> Position<'_, W> {
    /// Whether a token may lie at the place of any other mixed token of its back in its pile.
    #[must_use]
    pub fn is_mixed(&self, token: i32) -> bool {
        self.index_of(token).is_some_and(|index| self.words[self.layout.token_seen + index] & MIXED != 0)
    }
}

impl<W: DerefMut<Target = [i32]>> Position<'_, W> {
    /// Sets or clears the mark of a token.
    pub(super) fn set_mixed(&mut self, token: i32, is_mixed: bool) {
        if let Some(index) = self.index_of(token) {
            let word = &mut self.words[self.layout.token_seen + index];
            *word = if is_mixed { *word | MIXED } else { *word & !MIXED };
        }
    }

    /// Marks the hidden tokens of a back in a pile as mixed.
    pub(super) fn mix_places(&mut self, pile: usize, back: usize) {
        for at in self.places(pile) {
            let token = self.words[at];
            if self.back_of(token) == back && !self.is_open(token) {
                self.set_mixed(token, true);
            }
        }
        self.drop_idle_marks(pile, back);
    }

    /// Clears the mark of a token that leaves its place in plain view.
    pub fn unmix(&mut self, token: i32) {
        if self.is_mixed(token) {
            self.set_mixed(token, false);
            if let Some(pile) = self.pile_of(token) {
                self.drop_idle_marks(pile, self.back_of(token));
            }
        }
    }

    /// Clears marks that say nothing: of a single token, and of tokens that share an exchange class.
    fn drop_idle_marks(&mut self, pile: usize, back: usize) {
        let position = self.as_read();
        let is_marked = |token: &&i32| position.back_of(**token) == back && position.is_mixed(**token);
        let mut classes = position.tokens(pile).iter().filter(is_marked).map(|&token| position.class(token));
        let Some(first) = classes.next() else { return };
        let mut others = classes.peekable();
        if others.peek().is_some() && (first == ALONE || others.any(|class| class != first)) {
            return;
        }
        for at in self.places(pile) {
            let token = self.words[at];
            if self.back_of(token) == back {
                self.set_mixed(token, false);
            }
        }
    }

    /// Marks the tokens of a changed pile if they have changed their order in a simultaneous phase.
    pub(super) fn note_sort(&mut self, before: &Position<'_>, pile: usize) {
        if self.layout.piles[pile].visible == Visibility::Public {
            return;
        }
        let stays = |token: &&i32| self.pile_of(**token) == Some(pile) && before.pile_of(**token) == Some(pile);
        let is_sorted = !self.tokens(pile).iter().filter(stays).eq(before.tokens(pile).iter().filter(stays));
        for at in self.places(pile).filter(|_| is_sorted) {
            let token = self.words[at];
            if self.layout.can_be_told(token) {
                let mates = self.mates(pile, self.layout.backs[self.back_of(token)]);
                self.blend(token, &mates);
            } else if !self.is_mixed(token) {
                self.mix_places(pile, self.back_of(token));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::PositionMut;
    use crate::state::exchange::ALL;
    use crate::state::fixture::{Table, carry, differing, pile};

    /// The marked tokens, and the classes of the first three.
    fn marks(table: &Table) -> (Vec<i32>, [i32; 3]) {
        let position = Position::new(&table.layout, &*table.words);
        ((1..=6).filter(|&token| position.is_mixed(token)).collect(), [1, 2, 3].map(|token| position.class(token)))
    }

    /// A hand of a card that all saw, and of two others, sorted.
    fn sorted() -> Table {
        let mut table = Table::new(2);
        carry(&mut table, 1, "row", 0);
        carry(&mut table, 1, "hand", 1);
        carry(&mut table, 2, "hand", 1);
        carry(&mut table, 3, "hand", 1);
        assert_eq!(marks(&table), (vec![], [ALONE, ALL, ALL]));
        carry(&mut table, 2, "hand", 1);
        table
    }

    #[test]
    fn a_sort_keeps_the_contents_of_a_hand() {
        assert_eq!(marks(&sorted()), (vec![1, 2, 3], [ALONE, ALL, ALL]));
        let mut table = Table::new(2);
        carry(&mut table, 2, "hand", 1);
        carry(&mut table, 3, "hand", 1);
        carry(&mut table, 2, "hand", 1);
        assert_eq!(marks(&table).0, Vec::<i32>::new(), "these cards are exchangeable anyway");
    }

    #[test]
    fn a_mark_ends_where_a_token_is_seen_or_leaves() {
        let mut table = sorted();
        carry(&mut table, 2, "row", 0);
        assert_eq!(marks(&table), (vec![1, 3], [ALONE, ALL, ALL]), "one is revealed");
        carry(&mut table, 1, "row", 0);
        assert_eq!(marks(&table).0, Vec::<i32>::new(), "a single card is where it is");
        let mut table = sorted();
        carry(&mut table, 3, "deck", 0);
        assert_eq!(marks(&table), (vec![], [ALL, ALL, ALL]), "any of the hand may have left unseen");
        let mut table = sorted();
        let hand = pile(&table, "hand", 1);
        PositionMut::new(&table.layout, &mut table.words).shuffle(hand);
        assert_eq!(marks(&table).0, Vec::<i32>::new(), "a shuffle makes a class of the pile");
    }

    #[test]
    fn a_sort_in_a_simultaneous_phase_is_noted() {
        let mut table = sorted();
        carry(&mut table, 3, "row", 0);
        carry(&mut table, 2, "row", 0);
        carry(&mut table, 4, "hand", 1);
        assert_eq!(marks(&table).0, Vec::<i32>::new());
        let before = table.words.clone();
        let hand = pile(&table, "hand", 1);
        let mut position = PositionMut::new(&table.layout, &mut table.words);
        assert!(position.put(1, hand, false));
        let changed = differing(&before, position.words);
        position.update_classes(&before, changed.into_iter());
        assert_eq!(marks(&table).0, vec![1, 4]);
    }
}
