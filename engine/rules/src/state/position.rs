//! A position: the block of words with its layout. All code that reads or changes tokens and zones uses it.

use std::ops::{Deref, DerefMut, Range};

use crate::state::Layout;
use crate::state::layout::{MAX_PLAYERS, OWN_COLUMNS, Pile, SEEN};
use motherlode_content::declare::Visibility;

/// All players as bits of a word, bit p for player p.
pub const EVERYBODY: i32 = -1;

/// The players who can identify a token in this pile with these [`seen`](Position::seen) bits, as bits.
#[must_use]
pub fn identified_by_seen(Pile { holder, visible, .. }: Pile, seen: i32) -> i32 {
    let shown = seen & !1;
    match visible {
        Visibility::Public => EVERYBODY,
        Visibility::Face if seen & 1 == 1 => EVERYBODY,
        Visibility::Owner | Visibility::Secret if (1..=MAX_PLAYERS as i32).contains(&holder) => shown | 1 << holder,
        Visibility::Others if (1..=MAX_PLAYERS as i32).contains(&holder) => shown | !(1 << holder),
        _ => shown,
    }
}

/// A block of words with its layout, for reading.
#[derive(Debug, Clone, Copy)]
pub struct Position<'a, W = &'a [i32]> {
    /// The layout.
    pub layout: &'a Layout,
    /// The block.
    pub words: W,
}

/// A block of words with its layout, for writing.
pub type PositionMut<'a> = Position<'a, &'a mut [i32]>;

impl<'a, W: Deref<Target = [i32]>> Position<'a, W> {
    /// Combines a block with its layout.
    ///
    /// # Panics
    /// If the length of the block differs from the layout's: they belong to different games.
    #[must_use]
    pub fn new(layout: &'a Layout, words: W) -> Self {
        assert_eq!(layout.words, words.len(), "a block belongs to its layout");
        Self { layout, words }
    }

    /// The words of a pile's tokens in the block, bottom first.
    #[inline]
    pub(crate) fn places(&self, pile: usize) -> Range<usize> {
        let at = self.layout.piles[pile];
        let len = (self.words[at.offset].max(0) as usize).min(at.capacity);
        at.offset + 1..at.offset + 1 + len
    }

    /// Tokens of a pile, bottom first.
    #[must_use]
    #[inline]
    pub fn tokens(&self, pile: usize) -> &[i32] {
        &self.words[self.places(pile)]
    }

    /// Whether a pile has room for one more token.
    #[must_use]
    #[inline]
    pub fn has_room(&self, pile: usize) -> bool {
        self.places(pile).len() < self.layout.piles[pile].capacity
    }

    /// Pile of a token; `None`: in no zone, or the token does not exist.
    #[must_use]
    #[inline]
    pub fn pile_of(&self, token: i32) -> Option<usize> {
        let index = self.index_of(token)?;
        let pile = usize::try_from(self.words[self.layout.token_pile + index] - 1).ok()?;
        (pile < self.layout.piles.len()).then_some(pile)
    }

    /// Face and witnesses of a token: bit 0 is set if it is face up, bit p if player p has seen it. 0 if the token
    /// does not exist.
    #[must_use]
    #[inline]
    pub fn seen(&self, token: i32) -> i32 {
        self.index_of(token).map_or(0, |index| self.words[self.layout.token_seen + index] & SEEN)
    }

    /// The players who can identify this token, as bits: by its zone, by its face (in a zone with faces), or because
    /// they were shown it. A token in no zone has left the game publicly; content that removes a token secretly moves
    /// it to a zone that nobody sees.
    #[must_use]
    pub fn identified_by(&self, token: i32) -> i32 {
        self.pile_of(token).map_or(EVERYBODY, |pile| self.identified_in(self.layout.piles[pile], token))
    }

    /// The players who can identify a token in this pile, as bits.
    #[must_use]
    pub fn identified_in(&self, pile: Pile, token: i32) -> i32 {
        identified_by_seen(pile, self.seen(token))
    }

    /// Value of a counter for a holder: 0 is the game; otherwise a player, token or cell from 1.
    #[must_use]
    pub fn counter(&self, counter: usize, holder: i32) -> Option<i32> {
        Some(self.words[self.layout.counter_word(counter, holder)?])
    }

    /// The tokens of a pile in sets of copies: equal in definition, owner and counters. Tokens ascend in each set, and
    /// the sets ascend by their first token.
    #[must_use]
    pub fn copies(&self, pile: usize) -> Vec<Vec<i32>> {
        let mut tokens = self.tokens(pile).to_vec();
        tokens.sort_unstable();
        let mut sets: Vec<Vec<i32>> = Vec::new();
        for token in tokens {
            match sets.iter_mut().find(|set| self.are_copies(set[0], token)) {
                Some(set) => set.push(token),
                None => sets.push(vec![token]),
            }
        }
        sets
    }

    fn are_copies(&self, one: i32, other: i32) -> bool {
        let [left, right] = [one, other].map(|token| &self.layout.tokens[token as usize - 1]);
        let counters = || self.layout.columns[left.kind].iter().skip(OWN_COLUMNS);
        (left.definition, left.owner) == (right.definition, right.owner)
            && counters().all(|column| self.words[column.of(one)] == self.words[column.of(other)])
    }

    #[inline]
    pub(super) fn index_of(&self, token: i32) -> Option<usize> {
        usize::try_from(token - 1).ok().filter(|&index| index < self.layout.tokens.len())
    }
}

impl<W: DerefMut<Target = [i32]>> Position<'_, W> {
    /// The position, for reading.
    pub fn as_read(&self) -> Position<'_> {
        Position { layout: self.layout, words: &self.words }
    }

    /// Removes a token from its pile, if it is in one.
    pub fn lift(&mut self, token: i32) {
        let Some(pile) = self.pile_of(token) else { return };
        let at = self.layout.piles[pile].offset;
        let len = self.tokens(pile).len();
        // The top is the usual place: search from there.
        if let Some(i) = self.tokens(pile).iter().rposition(|&t| t == token) {
            if i + 1 < len {
                self.words.copy_within(at + 2 + i..=at + len, at + 1 + i);
            }
            self.words[at + len] = 0;
            self.words[at] = len as i32 - 1;
        }
        self.words[self.layout.token_pile + token as usize - 1] = 0;
    }

    /// Puts a token on top of a pile, or beneath it. Returns false and changes nothing if the pile is full.
    pub fn put(&mut self, token: i32, pile: usize, beneath: bool) -> bool {
        self.put_under(token, pile, if beneath { usize::MAX } else { 0 })
    }

    /// Puts a token beneath the `above` top tokens of a pile, at most beneath all. Returns false and changes nothing
    /// if the pile is full.
    pub fn put_under(&mut self, token: i32, pile: usize, above: usize) -> bool {
        let same = self.pile_of(token) == Some(pile);
        if !same && !self.has_room(pile) {
            return false;
        }
        self.lift(token);
        let at = self.layout.piles[pile].offset;
        let len = self.tokens(pile).len();
        let place = at + 1 + len - above.min(len);
        if place <= at + len {
            self.words.copy_within(place..=at + len, place + 1);
        }
        self.words[place] = token;
        self.words[at] = len as i32 + 1;
        self.words[self.layout.token_pile + token as usize - 1] = pile as i32 + 1;
        true
    }

    /// Sets face and witnesses of a token, in the format of [`seen`](Self::seen).
    pub fn set_seen(&mut self, token: i32, bits: i32) {
        let word = &mut self.words[self.layout.token_seen + token as usize - 1];
        *word = *word & !SEEN | bits & SEEN;
    }
}
