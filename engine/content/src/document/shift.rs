//! Moves separately parsed parts to their places in the whole document.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A table with all its spans moved.
pub fn shift_table<'t>(table: DeTable<'t>, place: &impl Fn(usize) -> usize) -> DeTable<'t> {
    table.into_iter().map(|(key, value)| (shift(key, place, |key| key), shift_value(value, place))).collect()
}

fn shift_value<'t>(value: Spanned<DeValue<'t>>, place: &impl Fn(usize) -> usize) -> Spanned<DeValue<'t>> {
    shift(value, place, |value| match value {
        DeValue::Table(table) => DeValue::Table(shift_table(table, place)),
        DeValue::Array(array) => DeValue::Array(array.into_iter().map(|value| shift_value(value, place)).collect()),
        plain => plain,
    })
}

fn shift<T>(spanned: Spanned<T>, place: impl Fn(usize) -> usize, inside: impl FnOnce(T) -> T) -> Spanned<T> {
    let span = spanned.span();
    Spanned::new(place(span.start)..place(span.end), inside(spanned.into_inner()))
}
