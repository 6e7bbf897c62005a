//! Known tables as arrays that machine code reads.

use std::collections::HashMap;

use crate::script::native::known::{Access, Constants, Known};
use crate::script::native::ty::{Set, Ty, as_int, tag};

/// The tag of a missing field that ends the machine code.
pub const MISSING: i64 = 255;
/// Words of all arrays from which on sorted fields take the place of arrays with gaps: 16 MiB.
const MOST_WORDS: usize = 2 << 20;
/// Most rows of an array by table.
const MOST_ROWS: usize = 100_000;
/// Most places of an array for each field.
const MOST_GAPS: i64 = 64;

/// Values by consecutive keys, each as payload and tag; after the last, the value of all other keys.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// The address of the first value.
    pub address: i64,
    /// The first key.
    pub first: i64,
    /// The number of keys.
    pub span: i64,
    /// Whether some key of the span is missing.
    pub has_gaps: bool,
}

/// The keys by which a set of tables is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum By {
    /// Whole numbers.
    Number,
    /// Texts.
    Text,
}

impl By {
    fn tag(self) -> u8 {
        match self {
            Self::Number => tag::INT,
            Self::Text => tag::TEXT,
        }
    }
}

/// The arrays of a game.
#[derive(Debug, Default)]
pub struct Data {
    /// The arrays; machine code has their addresses.
    pub lists: Vec<Box<[i64]>>,
    /// Their words in all.
    words: usize,
    columns: HashMap<(u32, By), Option<Column>>,
    by_table: HashMap<(Set, (u8, u64)), Column>,
    sets: HashMap<(Set, u8), Column>,
    items: HashMap<u32, Column>,
    rows: HashMap<(u32, By), Column>,
}

/// The payload and the tag of a known value.
#[must_use]
pub fn parts(value: Known) -> (i64, i64) {
    let (payload, tag) = match value {
        Known::Nil => (0, tag::NIL),
        Known::Boolean(false) => (0, tag::FALSE),
        Known::Boolean(true) => (0, tag::TRUE),
        Known::Number(n) => match as_int(n) {
            Some(n) => (n, tag::INT),
            None => (n.to_bits().cast_signed(), tag::NUMBER),
        },
        Known::Text(text) => (i64::from(text), tag::TEXT),
        Known::Table(table) => (i64::from(table), tag::TABLE),
        Known::Function(function) => (i64::from(function), tag::FUNCTION),
        Known::Buffer(_) | Known::Other => (0, tag::OTHER),
    };
    (payload, i64::from(tag))
}

impl Data {
    /// Keeps an array and returns its address.
    pub fn keep(&mut self, list: Vec<i64>) -> i64 {
        self.words += list.len();
        let list = list.into_boxed_slice();
        let address = list.as_ptr() as i64;
        self.lists.push(list);
        address
    }

    /// The fields of a table by whole number or by text; `None`: too far apart.
    pub fn column(&mut self, constants: &Constants, table: u32, by: By) -> Option<Column> {
        if let Some(known) = self.columns.get(&(table, by)) {
            return *known;
        }
        let fields = constants.table(table).fields.values().filter_map(|(key, value)| {
            let (key, own) = parts(*key);
            (own == i64::from(by.tag())).then_some((key, *value))
        });
        let fields: Vec<(i64, Known)> = fields.collect();
        let column = self.spread(&fields, constants.table(table).access);
        self.columns.insert((table, by), column);
        column
    }

    fn spread(&mut self, fields: &[(i64, Known)], access: Access) -> Option<Column> {
        let first = fields.iter().map(|(key, _)| *key).min().unwrap_or(0);
        let span = fields.iter().map(|(key, _)| *key).max().map_or(0, |last| last - first + 1);
        if span > (fields.len() as i64 + 1) * MOST_GAPS || self.words > MOST_WORDS {
            return None;
        }
        let missing = if access == Access::Plain { 0 } else { MISSING };
        let mut list = [0, missing].repeat(span as usize + 1);
        for (key, value) in fields {
            let at = (key - first) as usize * 2;
            (list[at], list[at + 1]) = parts(*value);
        }
        let has_gaps = fields.len() as i64 != span;
        Some(Column { address: self.keep(list), first, span, has_gaps })
    }

    /// The field of each table of a set.
    pub fn by_table(&mut self, constants: &Constants, set: &Set, tables: &[u32], key: Known) -> Column {
        let memo = (set.clone(), key.bits());
        if let Some(known) = self.by_table.get(&memo) {
            return *known;
        }
        let (first, last) = (tables[0], tables[tables.len() - 1]);
        let mut list = [0, MISSING].repeat((last - first) as usize + 2);
        let mut has_gaps = false;
        for table in tables {
            let at = (table - first) as usize * 2;
            match constants.field(*table, key) {
                Some(value) => (list[at], list[at + 1]) = parts(value),
                None if constants.table(*table).access == Access::Plain => list[at + 1] = 0,
                None => has_gaps = true,
            }
        }
        let span = i64::from(last - first) + 1;
        let column = Column { address: self.keep(list), first: i64::from(first), span, has_gaps };
        self.by_table.insert(memo, column);
        column
    }

    /// The fields of a table, sorted: key, payload and tag of each.
    pub fn rows(&mut self, constants: &Constants, table: u32, by: By) -> Column {
        if let Some(known) = self.rows.get(&(table, by)) {
            return *known;
        }
        let fields = constants.table(table).fields.values().filter_map(|(key, value)| {
            let (key, own) = parts(*key);
            let (payload, of) = parts(*value);
            (own == i64::from(by.tag())).then_some([key, payload, of])
        });
        let mut rows: Vec<[i64; 3]> = fields.collect();
        rows.sort_unstable();
        let span = rows.len() as i64;
        let column = Column { address: self.keep(rows.concat()), first: 0, span, has_gaps: true };
        self.rows.insert((table, by), column);
        column
    }

    /// The sorted fields of each table of a set: address and number.
    pub fn rows_of(&mut self, constants: &Constants, set: &Set, tables: &[u32], by: By) -> Option<Column> {
        self.each_of(set, tables, 3 + by as u8, |data, table| {
            let column = data.rows(constants, table, by);
            Some([column.address, column.span, 0])
        })
    }

    /// The columns of each table of a set: address, first key and span; `None`: keys of one are too far apart.
    pub fn columns_of(&mut self, constants: &Constants, set: &Set, tables: &[u32], by: By) -> Option<Column> {
        self.each_of(set, tables, by as u8, |data, table| {
            let column = data.column(constants, table, by)?;
            Some([column.address, column.first, column.span])
        })
    }

    /// The items of each table of a set: address, number, and the length of the table.
    pub fn items_of(&mut self, constants: &Constants, set: &Set, tables: &[u32]) -> Option<Column> {
        self.each_of(set, tables, 2, |data, table| {
            let column = data.items(constants, table);
            Some([column.address, column.span, constants.table(table).length as i64])
        })
    }

    fn each_of(
        &mut self,
        set: &Set,
        tables: &[u32],
        kind: u8,
        of: impl Fn(&mut Self, u32) -> Option<[i64; 3]>,
    ) -> Option<Column> {
        let memo = (set.clone(), kind);
        if let Some(known) = self.sets.get(&memo) {
            return Some(*known);
        }
        let (first, last) = (tables[0], tables[tables.len() - 1]);
        let rows = (last - first) as usize + 1;
        if rows > MOST_ROWS {
            return None;
        }
        let mut list = vec![0; 4 * rows];
        for table in tables {
            let at = 4 * (table - first) as usize;
            list[at..at + 3].copy_from_slice(&of(self, *table)?);
        }
        let column = Column {
            address: self.keep(list),
            first: i64::from(first),
            span: i64::from(last - first) + 1,
            has_gaps: false,
        };
        self.sets.insert(memo, column);
        Some(column)
    }

    /// The fields of a table in the order of iteration: payload and tag of the key, then of the value.
    pub fn items(&mut self, constants: &Constants, table: u32) -> Column {
        if let Some(known) = self.items.get(&table) {
            return *known;
        }
        let fields = constants.table(table).fields.values();
        let list: Vec<i64> = fields
            .flat_map(|(key, value)| {
                let (key, value) = (parts(*key), parts(*value));
                [key.0, key.1, value.0, value.1]
            })
            .collect();
        let span = list.len() as i64 / 4;
        let column = Column { address: self.keep(list), first: 0, span, has_gaps: false };
        self.items.insert(table, column);
        column
    }
}

/// The payload and the tag of a type with one value.
#[must_use]
pub fn only_parts(ty: &Ty) -> Option<(i64, i64)> {
    ty.only().map(parts)
}
