//! Ranges of values, with players counted from the deciding seat.

use crate::game::Game;
use crate::text;
use motherlode_content::declare::{ChoiceSet, Domain, Holder};

/// The deciding seat, from 0, and the number of seats.
#[derive(Debug, Clone, Copy)]
pub struct Seats {
    pub seat: usize,
    pub players: usize,
}

impl Seats {
    /// The number of seats from the deciding seat to another one, from 0.
    pub fn to(self, seat: usize) -> usize {
        (seat + self.players - self.seat) % self.players.max(1)
    }
}

/// The numbers of a set.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    of: ChoiceSet,
    least: usize,
    pub len: usize,
    /// Places of one board, if each player has one; otherwise 0.
    board: usize,
}

impl Range {
    /// The numbers of a set in every setup; `None`: the set has no bounds.
    pub fn new(game: &Game, of: ChoiceSet) -> Option<Self> {
        let d = game.declarations();
        let players = usize::from(d.players.max);
        let mut board = 0;
        let (least, len) = match (of.domain, of.range) {
            (Domain::Number, range) => {
                let (first, last) = range?;
                (usize::try_from(first).ok()?, usize::try_from(last.checked_sub(first)?).ok()? + 1)
            }
            (Domain::Player, _) => (1, players),
            (Domain::Token, _) => (1, game.layout().tokens.len()),
            (Domain::Definition(kind), _) => (1, d.kinds[kind].len),
            (Domain::Cell(grid), _) => {
                let places = game.layout().grids[grid].places();
                let is_own = d.grids[grid].per == Holder::Player;
                board = if is_own { places } else { 0 };
                (1, if is_own { places * players } else { places })
            }
        };
        Some(Self { of, least, len, board })
    }

    /// The place of a number in the set.
    pub fn place(&self, value: i32, seats: Seats) -> Option<usize> {
        let place = usize::try_from(value).ok()?.checked_sub(self.least).filter(|place| *place < self.len)?;
        Some(match (self.of.domain, self.board) {
            (Domain::Player, _) => seats.to(place),
            (_, 0) => place,
            (_, board) => seats.to(place / board) * board + place % board,
        })
    }

    /// The word before the name of a value.
    pub fn noun(&self) -> &'static str {
        match self.of.domain {
            Domain::Number | Domain::Token => "number",
            Domain::Player => "player",
            Domain::Definition(_) => "definition",
            Domain::Cell(_) => "cell",
        }
    }

    /// The name of a place.
    pub fn name(&self, game: &Game, place: usize) -> String {
        let id = |place: usize| {
            let value = i32::try_from(self.least + place).unwrap_or(i32::MAX);
            text::domain_id(game.declarations(), game.layout(), self.of.domain, value)
        };
        match (self.of.domain, self.board) {
            (Domain::Player, _) => format!("+{place}"),
            (_, 1..) if place >= self.board => format!("{}+{}", id(place % self.board), place / self.board),
            _ => id(place),
        }
    }
}
