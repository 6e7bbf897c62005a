//! A position: the block of words and its layout. Whoever reads or changes tokens or zones does it here.

use std::ops::{Deref, DerefMut, Range};

use crate::state::Layout;
use crate::state::layout::{MAX_PLAYERS, Pile, SEEN};
use motherlode_content::declare::Visibility;

/// Players as bits of a word, bit p for player p: all of them.
pub const EVERYBODY: i32 = -1;

/// The players who can tell which token it is that lies in a pile and of which this has been [seen](Position::seen), as bits.
#[must_use]
pub fn identified_by_seen(Pile { holder, visible, .. }: Pile, seen: i32) -> i32 {
    let shown = seen & !1;
    match visible {
        Visibility::Public => EVERYBODY,
        Visibility::Face if seen & 1 == 1 => EVERYBODY,
        Visibility::Owner | Visibility::Secret if (1..=MAX_PLAYERS as i32).contains(&holder) => shown | 1 << holder,
        _ => shown,
    }
}

/// A block of words with its layout, to read.
#[derive(Debug, Clone, Copy)]
pub struct Position<'a, W = &'a [i32]> {
    /// Where everything lies.
    pub layout: &'a Layout,
    /// The block.
    pub words: W,
}

/// The same, to change.
pub type PositionMut<'a> = Position<'a, &'a mut [i32]>;

impl<'a, W: Deref<Target = [i32]>> Position<'a, W> {
    /// Joins a block with its layout.
    ///
    /// # Panics
    /// If the block has another length than the layout says: the two belong to different games.
    #[must_use]
    pub fn new(layout: &'a Layout, words: W) -> Self {
        assert_eq!(layout.words, words.len(), "a block belongs to its layout");
        Self { layout, words }
    }

    /// Where the tokens of a pile stand in the block, bottom first.
    pub(crate) fn places(&self, pile: usize) -> Range<usize> {
        let at = self.layout.piles[pile];
        let len = (self.words[at.offset].max(0) as usize).min(at.capacity);
        at.offset + 1..at.offset + 1 + len
    }

    /// Tokens of a pile, bottom first.
    #[must_use]
    pub fn tokens(&self, pile: usize) -> &[i32] {
        &self.words[self.places(pile)]
    }

    /// Whether a pile takes one more.
    #[must_use]
    pub fn has_room(&self, pile: usize) -> bool {
        self.places(pile).len() < self.layout.piles[pile].capacity
    }

    /// Pile in which a token lies; `None`: nowhere, or there is no such token.
    #[must_use]
    pub fn pile_of(&self, token: i32) -> Option<usize> {
        let index = self.index_of(token)?;
        let pile = usize::try_from(self.words[self.layout.token_pile + index] - 1).ok()?;
        (pile < self.layout.piles.len()).then_some(pile)
    }

    /// Face and witnesses of a token: bit 0 is face up, bit p is set if player p has seen it. 0 if there is no such token.
    #[must_use]
    pub fn seen(&self, token: i32) -> i32 {
        self.index_of(token).map_or(0, |index| self.words[self.layout.token_seen + index] & SEEN)
    }

    /// The players who can tell which token this is, as bits: by its zone, by its face (in a zone where faces count), or
    /// because they were shown it. A token in no zone has left the game for all to see: content that removes a token unseen
    /// puts it into a zone that nobody sees.
    #[must_use]
    pub fn identified_by(&self, token: i32) -> i32 {
        self.pile_of(token).map_or(EVERYBODY, |pile| self.identified_in(self.layout.piles[pile], token))
    }

    /// The same for a token that lies in this pile.
    #[must_use]
    pub fn identified_in(&self, pile: Pile, token: i32) -> i32 {
        identified_by_seen(pile, self.seen(token))
    }

    /// Value of a counter for a holder: 0 is the game, else a player, token or cell from 1.
    #[must_use]
    pub fn counter(&self, counter: usize, holder: i32) -> Option<i32> {
        Some(self.words[self.layout.counter_word(counter, holder)?])
    }

    pub(super) fn index_of(&self, token: i32) -> Option<usize> {
        usize::try_from(token - 1).ok().filter(|&index| index < self.layout.tokens.len())
    }
}

impl<W: DerefMut<Target = [i32]>> Position<'_, W> {
    /// The same, to read.
    pub fn as_read(&self) -> Position<'_> {
        Position { layout: self.layout, words: &self.words }
    }

    /// Takes a token out of its pile, if it is in one.
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

    /// Puts a token on top of a pile (or beneath it). False, and nothing changed, if the pile is full.
    pub fn put(&mut self, token: i32, pile: usize, beneath: bool) -> bool {
        let same = self.pile_of(token) == Some(pile);
        if !same && !self.has_room(pile) {
            return false;
        }
        self.lift(token);
        let at = self.layout.piles[pile].offset;
        let len = self.tokens(pile).len();
        if beneath {
            self.words.copy_within(at + 1..=at + len, at + 2);
            self.words[at + 1] = token;
        } else {
            self.words[at + 1 + len] = token;
        }
        self.words[at] = len as i32 + 1;
        self.words[self.layout.token_pile + token as usize - 1] = pile as i32 + 1;
        true
    }

    /// Sets face and witnesses of a token, as [`seen`](Self::seen) gives them.
    pub fn set_seen(&mut self, token: i32, bits: i32) {
        let word = &mut self.words[self.layout.token_seen + token as usize - 1];
        *word = *word & !SEEN | bits & SEEN;
    }
}
