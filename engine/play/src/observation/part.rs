//! Parts of observations, and a seat's view of a position.

use motherlode::declare::{Declarations, Definition, Holder, Visibility};
use motherlode::tools::Sight;

/// One part of an observation.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Its name, after the content: `counter:gold`, `zone:hand`.
    pub name: String,
    /// Its shape, row by row. A first dimension of seats begins with the observing seat.
    pub shape: Vec<usize>,
    /// The smallest number.
    pub low: f32,
    /// The largest number.
    pub high: f32,
    /// Index of its first number in the observation.
    pub offset: usize,
    /// Names of the columns, the last dimension; empty if they have none.
    pub columns: Vec<String>,
}

impl Part {
    /// Number of numbers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether the part has no number.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A list of parts that grows.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub list: Vec<Part>,
    pub len: usize,
}

impl Parts {
    /// Adds a part; returns the index of its first number.
    pub fn add(&mut self, name: String, shape: &[usize], low: f32, high: f32) -> usize {
        let part = Part { name, shape: shape.to_vec(), low, high, offset: self.len, columns: Vec::new() };
        self.len += part.len();
        self.list.push(part);
        self.list.last().map_or(0, |part| part.offset)
    }

    /// Names the columns of the last part.
    pub fn name_columns(&mut self, names: impl IntoIterator<Item = String>) {
        if let Some(part) = self.list.last_mut() {
            part.columns.extend(names);
        }
    }
}

/// A position as one seat sees it.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub sight: Sight<'a>,
    /// The seat.
    pub me: usize,
    /// Seats at the table.
    pub players: usize,
}

impl View<'_> {
    /// The row of a seat: the number of seats from the observing one to it.
    pub fn row_of(&self, seat: usize) -> usize {
        let seat = seat + self.players - self.me;
        if seat < self.players { seat } else { seat - self.players }
    }

    /// The seat of a row.
    pub fn seat_of(&self, row: usize) -> usize {
        let seat = row + self.me;
        if seat < self.players { seat } else { seat - self.players }
    }

    /// Whether a value is visible in a row, counted from the observing seat.
    pub fn sees(&self, visible: Visibility, row: usize) -> bool {
        match visible {
            Visibility::Public => true,
            Visibility::Owner => row == 0,
            _ => false,
        }
    }
}

/// The name of a definition as in the names of actions: `cards.s4`.
pub(super) fn definition_name(d: &Declarations, definition: &Definition) -> String {
    format!("{}.{}", d.kinds.keys()[definition.kind], definition.id)
}

/// The largest and the smallest value of a counter in steps.
pub(super) fn bounds(d: &Declarations, counter: usize) -> (f32, f32) {
    let counter = &d.counters[counter];
    (counter.min as f32, counter.max as f32)
}

/// The number of seats that have a holder of their own.
pub(super) fn rows(per: Holder, players: usize) -> usize {
    if per == Holder::Player { players } else { 1 }
}
