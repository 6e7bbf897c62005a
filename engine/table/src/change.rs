//! What differs between two views of one seat.

use motherlode_content::sentence::within;

use crate::view::{Card, Cell, Pile, Row, Value, View};

/// What has changed since an earlier view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes<'v> {
    /// Boards on which something is other: their numbers, and the cells that are.
    pub boards: Vec<(usize, Vec<&'v Cell>)>,
    /// Rows of players with another value.
    pub rows: Vec<RowChange<'v>>,
    /// Rows of the game with another value.
    pub shared: Vec<RowChange<'v>>,
    /// Piles with other cards.
    pub piles: Vec<PileChange<'v>>,
}

/// A row with another value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowChange<'v> {
    /// The row as it is now.
    pub row: &'v Row,
    /// The values before, one for each of those now; `None`: there was none.
    pub before: Vec<Option<&'v Value>>,
}

/// A pile with other cards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PileChange<'v> {
    /// The pile as it is now.
    pub pile: &'v Pile,
    /// How many cards there were.
    pub before: Option<usize>,
    /// How many cards there are now.
    pub count: Option<usize>,
    /// Cards that are new, as far as the seat knows them.
    pub added: Vec<&'v Card>,
    /// Cards that are gone.
    pub removed: Vec<&'v Card>,
    /// Cards that are still here and of which something is other, as they are now.
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

    /// Whether nothing has changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty() && self.rows.is_empty() && self.shared.is_empty() && self.piles.is_empty()
    }

    /// The changes of counters, and open cards that came to others, as short sentences by the name of who has them:
    /// `Ann: gold +2 (now 5), tools + Drill`.
    #[must_use]
    pub fn told(&self, now: &View) -> Vec<String> {
        let mut said: Vec<(String, Vec<String>)> = Vec::new();
        let mut say = |who: String, what: String| match said.iter_mut().find(|(known, _)| *known == who) {
            Some((_, list)) => list.push(what),
            None => said.push((who, vec![what])),
        };
        for seat in &now.seats {
            for change in &self.rows {
                for what in change.told(usize::from(seat.seat)) {
                    say(seat.name.clone(), what);
                }
            }
            for change in
                self.piles.iter().filter(|change| change.pile.seat == Some(seat.seat) && now.seat != Some(seat.seat))
            {
                for what in change.told() {
                    say(seat.name.clone(), what);
                }
            }
        }
        for change in &self.shared {
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

impl View {
    /// Takes over what [`Changes::told`] says since an earlier view: what was as it was then, is now as it is now.
    pub fn learn(&mut self, now: &View, before: &View) {
        let learn = |known: &mut Vec<Row>, before: &[Row], now: &[Row]| {
            for row in known {
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
        for pile in self.piles.iter_mut().filter(|pile| pile.seat.is_some() && pile.seat != own) {
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
    /// What has changed for one holder.
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
    /// Open cards that came, and those of which something is other: `mine + Drill`, `mine: Well (collapse)`.
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
        // A row that was not there and says nothing is no news.
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
    // A pile that is shown only while there is something in it.
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

/// Takes out of both lists what is the same card with another detail; returns it as it is now.
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

/// The cards of one list that another does not have, counting copies.
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
