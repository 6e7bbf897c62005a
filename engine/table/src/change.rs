//! Differences between two views of one seat.

use motherlode::declare::TranscriptUse;
use motherlode_content::sentence::within;

use crate::view::{Card, Cell, Pile, Row, Value, View};

/// The differences between an earlier and a later view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes<'v> {
    /// Boards with changed cells: the index of the board, and those cells.
    pub boards: Vec<(usize, Vec<&'v Cell>)>,
    /// Changed rows of players.
    pub rows: Vec<RowChange<'v>>,
    /// Changed rows of the game.
    pub shared: Vec<RowChange<'v>>,
    /// Changed piles.
    pub piles: Vec<PileChange<'v>>,
}

/// A row with a changed value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowChange<'v> {
    /// The row now.
    pub row: &'v Row,
    /// The earlier value for each current value; `None`: there was none.
    pub before: Vec<Option<&'v Value>>,
}

/// A pile with changed cards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PileChange<'v> {
    /// The pile now.
    pub pile: &'v Pile,
    /// Earlier number of cards.
    pub before: Option<usize>,
    /// Current number of cards.
    pub count: Option<usize>,
    /// New cards, including unknown ones.
    pub added: Vec<&'v Card>,
    /// Cards that left the pile.
    pub removed: Vec<&'v Card>,
    /// Cards that stayed but changed, in their current state.
    pub turned: Vec<&'v Card>,
}

impl<'v> Changes<'v> {
    /// Compares two views of one seat.
    #[must_use]
    pub fn between(before: &'v View, now: &'v View) -> Self {
        let boards = now.boards.iter().enumerate().filter_map(|(index, board)| {
            let old = before.board(&board.id, board.seat);
            let other = |cell: &&Cell| old.and_then(|old| old.cell(&cell.id)) != Some(*cell);
            let cells: Vec<&Cell> = board.cells.iter().filter(other).collect();
            (!cells.is_empty()).then_some((index, cells))
        });
        Self {
            boards: boards.collect(),
            rows: rows(&before.rows, &now.rows),
            shared: rows(&before.shared, &now.shared),
            piles: piles(before, now),
        }
    }

    /// Whether the views are equal.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty() && self.rows.is_empty() && self.shared.is_empty() && self.piles.is_empty()
    }

    /// Describes changed counters and open cards that others gained, as short sentences grouped by owner:
    /// `Ann: gold +2 (now 5), tools + Drill`. After a step in which the script wrote lines (not `silent`), only the
    /// counters that always appear.
    #[must_use]
    pub fn told(&self, now: &View, silent: bool) -> Vec<String> {
        let mut said: Vec<(String, Vec<String>)> = Vec::new();
        let mut say = |who: String, what: String| match said.iter_mut().find(|(known, _)| *known == who) {
            Some((_, list)) => list.push(what),
            None => said.push((who, vec![what])),
        };
        for seat in &now.seats {
            for change in self.rows.iter().filter(|change| is_told(change.row, silent)) {
                for what in change.told(usize::from(seat.seat)) {
                    say(seat.name.clone(), what);
                }
            }
            let of_seat = |pile: &Pile| silent && pile.seat == Some(seat.seat) && now.seat != Some(seat.seat);
            for change in self.piles.iter().filter(|change| of_seat(change.pile)) {
                for what in change.told() {
                    say(seat.name.clone(), what);
                }
            }
        }
        for change in self.shared.iter().filter(|change| is_told(change.row, silent)) {
            for what in change.told(0) {
                say(String::new(), what);
            }
        }
        let line = |(who, what): (String, Vec<String>)| {
            if who.is_empty() { what.join(", ") } else { format!("{who}: {}", what.join(", ")) }
        };
        said.into_iter().map(line).collect()
    }
}

/// Whether the transcript names changes of a row.
fn is_told(row: &Row, silent: bool) -> bool {
    match row.transcript {
        TranscriptUse::Always => true,
        TranscriptUse::Silent => silent,
        TranscriptUse::Never => false,
    }
}

impl View {
    /// Updates this view by the changes that [`Changes::told`] describes: each item that equals `before`
    /// becomes that of `now`.
    pub fn learn(&mut self, now: &View, before: &View, silent: bool) {
        let learn = |known: &mut Vec<Row>, before: &[Row], now: &[Row]| {
            for row in known.iter_mut().filter(|row| is_told(row, silent)) {
                let same = |other: &&Row| other.id == row.id && other.label == row.label;
                if before.iter().find(same) == Some(row)
                    && let Some(new) = now.iter().find(same)
                {
                    row.clone_from(new);
                }
            }
        };
        learn(&mut self.rows, &before.rows, &now.rows);
        learn(&mut self.shared, &before.shared, &now.shared);
        let own = self.seat;
        for pile in self.piles.iter_mut().filter(|pile| silent && pile.seat.is_some() && pile.seat != own) {
            let same = |other: &&Pile| other.id == pile.id && other.seat == pile.seat;
            if before.piles.iter().find(same) == Some(pile)
                && let Some(new) = now.piles.iter().find(same)
            {
                pile.clone_from(new);
            }
        }
    }
}

impl RowChange<'_> {
    /// Describes the change for one holder.
    fn told(&self, holder: usize) -> Vec<String> {
        let (Some(now), Some(Some(before))) = (self.row.values.get(holder), self.before.get(holder)) else {
            return Vec::new();
        };
        let alone = now.amounts.len() == 1;
        let mut told = Vec::new();
        for (new, old) in now.amounts.iter().zip(&before.amounts).filter(|(new, old)| new != old) {
            let label =
                if alone { within(&self.row.label) } else { format!("{} {}", within(&self.row.label), new.label) };
            told.push(match (new.number, old.number) {
                (Some(new), Some(old)) => format!("{label} {:+} (now {new})", i64::from(new) - i64::from(old)),
                _ => format!("{label}: {}", new.text),
            });
        }
        told
    }
}

impl PileChange<'_> {
    /// Describes open cards that arrived or changed: `mine + Drill`, `mine: Well (collapse)`.
    fn told(&self) -> Vec<String> {
        let label = within(&self.pile.label);
        let open = self.added.iter().filter(|card| card.face.is_some());
        let turned = self.turned.iter().filter(|card| card.face.is_some());
        let came = open.map(|card| format!("{label} + {}", card.name));
        came.chain(turned.map(|card| format!("{label}: {}{}", card.name, card.told()))).collect()
    }
}

fn rows<'v>(before: &'v [Row], now: &'v [Row]) -> Vec<RowChange<'v>> {
    let changed = now.iter().filter_map(|row| {
        let old = before.iter().find(|old| old.id == row.id && old.label == row.label);
        if old.is_some_and(|old| old.values == row.values) {
            return None;
        }
        let value = |at: usize| old.and_then(|old| old.values.get(at));
        let before: Vec<Option<&Value>> = (0..row.values.len()).map(value).collect();
        // A new row without any value is no news.
        let news = old.is_some() || row.values.iter().any(|value| !value.none);
        news.then_some(RowChange { row, before })
    });
    changed.collect()
}

fn piles<'v>(before: &'v View, now: &'v View) -> Vec<PileChange<'v>> {
    let same = |one: &Pile, other: &Pile| one.id == other.id && one.seat == other.seat;
    let changed = now.piles.iter().filter_map(|pile| {
        let old = before.piles.iter().find(|old| same(old, pile));
        if old.is_some_and(|old| old == pile) {
            return None;
        }
        let cards: &[Card] = old.map_or(&[], |old| &old.cards);
        let (mut added, mut removed) = (without(&pile.cards, cards), without(cards, &pile.cards));
        let turned = turned(&mut added, &mut removed);
        let before = old.map_or(Some(0), |old| old.count);
        let change = PileChange { pile, before, count: pile.count, added, removed, turned };
        let quiet = change.added.is_empty()
            && change.removed.is_empty()
            && change.turned.is_empty()
            && change.before == pile.count;
        (!quiet).then_some(change)
    });
    let gone = before.piles.iter().filter(|old| !now.piles.iter().any(|pile| same(old, pile)));
    // A pile may be shown only while it has cards.
    let gone = gone.filter(|old| !old.cards.is_empty()).map(|old| PileChange {
        pile: old,
        before: old.count,
        count: Some(0),
        added: Vec::new(),
        removed: old.cards.iter().collect(),
        turned: Vec::new(),
    });
    changed.chain(gone).collect()
}

/// Removes cards with changed details from both lists, and returns their current state.
fn turned<'v>(added: &mut Vec<&'v Card>, removed: &mut Vec<&'v Card>) -> Vec<&'v Card> {
    let mut turned = Vec::new();
    added.retain(|new| {
        let old = removed.iter().position(|old| old.face.is_some() && old.face == new.face);
        let Some(at) = old else { return true };
        removed.remove(at);
        turned.push(*new);
        false
    });
    turned
}

/// The cards of one list that are missing from another, counting copies.
fn without<'v>(cards: &'v [Card], others: &[Card]) -> Vec<&'v Card> {
    let mut left: Vec<&Card> = others.iter().collect();
    let taken = |card: &&'v Card| match left.iter().position(|other| other == card) {
        Some(at) => {
            left.swap_remove(at);
            false
        }
        None => true,
    };
    cards.iter().filter(taken).collect()
}
