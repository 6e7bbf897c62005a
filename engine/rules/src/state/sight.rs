//! Sight: the facts that a seat may know, from the declared visibility alone. Observation, redeal and diff all use
//! it, so they cannot disagree.

use std::fmt::Write as _;

use crate::state::layout::{MAX_PLAYERS, Pile, SEEN, word};
use crate::state::position::{EVERYBODY, identified_by_seen};
use crate::state::{Layout, Position};
use motherlode_content::declare::{Declarations, Holder, Visibility};

/// One position as one seat sees it.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'a> {
    /// The game's declarations.
    pub declared: &'a Declarations,
    /// The layout of the block.
    pub layout: &'a Layout,
    /// The block.
    pub words: &'a [i32],
    /// The seat from 0; `None` sees everything.
    pub seat: Option<u8>,
}

/// A token as a seat sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenSight {
    /// Identified: the token's number.
    Token(i32),
    /// Known only by its place.
    Place {
        /// Index of the pile.
        pile: usize,
        /// From 0 at the bottom.
        place: usize,
    },
    /// Neither its identity nor its place is visible.
    Hidden,
}

impl<'a> Sight<'a> {
    /// The same position seen from another seat.
    #[must_use]
    pub fn of(self, seat: Option<u8>) -> Self {
        Self { seat, ..self }
    }

    /// The seat's number as a holder, from 1.
    fn player(&self) -> Option<i32> {
        self.seat.map(|seat| i32::from(seat) + 1)
    }

    /// Seats at the table.
    #[must_use]
    pub fn players(&self) -> i32 {
        self.words[word::PLAYERS].clamp(0, self.layout.players as i32)
    }

    /// The position itself.
    pub(super) fn position(&self) -> Position<'a> {
        Position { layout: self.layout, words: self.words }
    }

    /// The pile of a token; `None`: in no zone.
    #[must_use]
    pub fn pile_of(&self, token: i32) -> Option<usize> {
        self.position().pile_of(token)
    }

    /// Tokens of a pile, bottom first.
    #[must_use]
    #[inline]
    pub fn tokens(&self, pile: usize) -> &'a [i32] {
        &self.words[self.position().places(pile)]
    }

    /// Face and witnesses of a token.
    #[must_use]
    pub fn seen(&self, token: i32) -> i32 {
        self.position().seen(token)
    }

    /// Whether the seat sees the number of tokens in a pile.
    #[must_use]
    pub fn counts(&self, pile: usize) -> bool {
        let Some(player) = self.player() else { return true };
        let Pile { visible, holder, .. } = self.layout.piles[pile];
        match visible {
            Visibility::Secret => holder == player,
            Visibility::Nobody => false,
            _ => true,
        }
    }

    /// Whether the seat can identify a token: by its zone, by its face, or because it was shown.
    #[must_use]
    pub fn identifies(&self, token: i32) -> bool {
        self.is_among(self.position().identified_by(token))
    }

    /// Whether the seat can identify a token in this pile.
    #[must_use]
    pub fn identifies_in(&self, pile: Pile, token: i32) -> bool {
        self.is_among(self.position().identified_in(pile, token))
    }

    /// Whether the seat can identify a token in this pile with these [`seen`](Self::seen) bits.
    #[must_use]
    pub fn identifies_seen(&self, pile: Pile, seen: i32) -> bool {
        self.is_among(identified_by_seen(pile, seen))
    }

    /// The tokens of a pile that the seat identifies, in ascending order, which hides their order in the pile.
    #[must_use]
    pub fn identified(&self, pile: usize) -> Vec<i32> {
        let tokens = self.tokens(pile).iter().copied();
        let mut identified: Vec<i32> = tokens.filter(|&token| self.identifies(token)).collect();
        identified.sort_unstable();
        identified
    }

    /// Whether the seat is among these players (bits).
    fn is_among(&self, by: i32) -> bool {
        let Some(player) = self.player() else { return true };
        by == EVERYBODY || player <= MAX_PLAYERS as i32 && by >> player & 1 == 1
    }

    /// Whether the seat sees the faces of the tokens in a pile.
    #[must_use]
    pub fn sees_faces(&self, pile: Pile) -> bool {
        let Some(player) = self.player() else { return true };
        match pile.visible {
            Visibility::Public | Visibility::Face => true,
            Visibility::Owner | Visibility::Secret => pile.holder == player,
            Visibility::Others => pile.holder != player,
            Visibility::Count | Visibility::Nobody => false,
        }
    }

    /// The face and witness bits of a token that the seat knows: its own bit, in zones with open looks those of the
    /// others, and the face if it sees faces. None for a token in no zone.
    #[must_use]
    pub fn known_seen(&self, token: i32) -> i32 {
        if self.seat.is_none() {
            return self.seen(token);
        }
        self.pile_of(token).map_or(0, |pile| self.seen(token) & self.known_bits(pile))
    }

    /// The [`known_seen`](Self::known_seen) bits of the tokens of a pile.
    #[must_use]
    pub fn known_bits(&self, pile: usize) -> i32 {
        let Some(player) = self.player() else { return SEEN };
        let place = self.layout.piles[pile];
        let own = if player <= MAX_PLAYERS as i32 { 1 << player } else { 0 };
        let witnesses = if place.open_looks && self.counts(pile) { SEEN & !1 } else { own };
        witnesses | i32::from(self.sees_faces(place))
    }

    /// A token that is offered or named to the seat, as the seat sees it.
    #[must_use]
    pub fn shown(&self, token: i32) -> TokenSight {
        if self.identifies(token) {
            return TokenSight::Token(token);
        }
        let pile = self.pile_of(token).filter(|&pile| self.counts(pile));
        let place = pile.and_then(|pile| Some((pile, self.tokens(pile).iter().position(|&other| other == token)?)));
        place.map_or(TokenSight::Hidden, |(pile, place)| TokenSight::Place { pile, place })
    }

    /// Names a place: `hand.2#3` is the third from the bottom in the hand of player 2. Without an index: the pile,
    /// `hand.2`.
    #[must_use]
    pub fn place_name(&self, pile: usize, index: Option<usize>) -> String {
        let Pile { zone, holder, .. } = self.layout.piles[pile];
        let mut name = self.declared.zones.keys()[zone].clone();
        // Writing to a string cannot fail.
        if holder != 0 {
            let _ = write!(name, ".{holder}");
        }
        if let Some(index) = index {
            let _ = write!(name, "#{}", index + 1);
        }
        name
    }

    /// Whether the seat sees a holder's counter. It sees a public counter of a token at its place, if it can count
    /// the zone; otherwise it must identify the token. A token's owner is the player whose set it belongs to, or else
    /// the player whose zone holds it. A cell's owner is the player whose copy of the grid contains it.
    #[must_use]
    pub fn sees_counter(&self, counter: usize, holder: i32) -> bool {
        let Some(player) = self.player() else { return true };
        let Some((_, declared)) = self.declared.counters.get_index(counter) else { return false };
        if matches!(declared.per, Holder::Token(_)) && !self.identifies(holder) {
            return declared.visible == Visibility::Public
                && self.pile_of(holder).is_some_and(|pile| self.counts(pile));
        }
        match declared.visible {
            Visibility::Public => true,
            Visibility::Owner => self.owner(declared.per, holder) == Some(player),
            _ => false,
        }
    }

    /// Value of a counter; `None`: no such holder.
    #[must_use]
    pub fn counter(&self, counter: usize, holder: i32) -> Option<i32> {
        self.position().counter(counter, holder)
    }

    /// Holders of a counter in this match: seats, existing cells, tokens in a zone.
    pub fn holders(&self, counter: usize) -> impl Iterator<Item = i32> + use<'a> {
        let sight = *self;
        let per = sight.declared.counters.get_index(counter).map(|(_, declared)| declared.per);
        let plain = match per {
            Some(Holder::Game) => 0..1,
            Some(Holder::Player) => 1..sight.players() + 1,
            Some(Holder::Token(_)) => {
                let slot = &sight.layout.counters[counter];
                slot.first..slot.first + slot.len as i32
            }
            _ => 0..0,
        };
        let grid = if let Some(Holder::Cell(grid)) = per { Some(grid) } else { None };
        let cells = grid.into_iter().flat_map(move |grid| {
            let copies = if sight.declared.grids[grid].per == Holder::Player { sight.players() } else { 1 };
            (0..copies).flat_map(move |copy| sight.cells(grid, copy)).map(|(holder, _)| holder)
        });
        let of_token = matches!(per, Some(Holder::Token(_)));
        plain.filter(move |&holder| !of_token || sight.pile_of(holder).is_some()).chain(cells)
    }

    /// Cells of one copy (from 0) of a grid, without holes: number as a holder, and number in the geometry.
    pub fn cells(&self, grid: usize, copy: i32) -> impl Iterator<Item = (i32, usize)> + use<'a> {
        let geometry = &self.layout.grids[grid];
        let first = copy * geometry.places() as i32 + 1;
        geometry.cells().iter().map(move |&cell| (first + i32::from(cell), usize::from(cell)))
    }

    fn owner(&self, per: Holder, holder: i32) -> Option<i32> {
        match per {
            Holder::Game => None,
            Holder::Player => Some(holder),
            Holder::Token(_) => {
                let owner = self.layout.tokens.get(usize::try_from(holder - 1).ok()?)?.owner;
                if owner != 0 { Some(owner) } else { self.pile_of(holder).map(|pile| self.layout.piles[pile].holder) }
            }
            Holder::Cell(grid) if self.declared.grids[grid].per == Holder::Player => {
                let places = self.layout.grids[grid].places().max(1) as i32;
                Some((holder - 1) / places + 1)
            }
            Holder::Cell(_) => None,
        }
    }
}
