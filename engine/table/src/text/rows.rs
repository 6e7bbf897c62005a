//! Counters in the terminal.

use std::fmt::Write as _;

use comfy_table::{Attribute, Cell};

use crate::change::RowChange;
use crate::face::Faces;
use crate::paint;
use crate::view::{Row, Value, View};
use motherlode_content::sentence::within;

/// A table with a column per player and a row per counter. One line below lists the counters that are zero for all.
pub fn players(out: &mut String, view: &View, width: usize) {
    let (some, none): (Vec<&Row>, Vec<&Row>) =
        view.rows.iter().partition(|row| row.score || row.values.iter().any(|value| !value.none));
    let mut table = paint::table_in(width);
    table.set_header(header(view));
    for row in &some {
        table.add_row(std::iter::once(Cell::new(&row.label)).chain(row.values.iter().map(|value| cell(value, None))));
    }
    if !some.is_empty() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}", table.trim_fmt());
    }
    if !none.is_empty() {
        let labels: Vec<String> = none.iter().map(|row| within(&row.label)).collect();
        let faint = paint::faint();
        // The escape code stands before the line break: callers trim empty lines at the end.
        let line = paint::hanging("Zero for all:", 2, &labels.join(", "), width);
        let _ = writeln!(out, "{faint}{}{faint:#}", line.trim_end());
    }
}

/// The texts of cards that are values of rows, such as a player's role.
pub fn meanings(out: &mut String, view: &View, faces: &Faces, width: usize) {
    let amounts = view.rows.iter().flat_map(|row| &row.values).flat_map(|value| &value.amounts);
    // Cards on the table already show their text.
    let lie = view.piles.iter().filter(|pile| pile.seat.is_none()).flat_map(|pile| &pile.cards);
    let mut shown: Vec<&str> = lie.filter_map(|card| card.face.as_deref()).collect();
    // For counted cards the name is enough.
    for id in amounts.filter(|amount| amount.number.is_none()).filter_map(|amount| amount.face.as_deref()) {
        if let Some(face) = faces.get(id).filter(|face| !shown.contains(&id) && !face.line().is_empty()) {
            shown.push(id);
            out.push_str(&paint::hanging(&format!("  {}", face.name), 4, &format!("– {}", face.line()), width));
        }
    }
}

/// The changed rows.
pub fn changed(out: &mut String, view: &View, rows: &[RowChange<'_>], width: usize) {
    if rows.is_empty() {
        return;
    }
    let mut table = paint::table_in(width);
    table.set_header(header(view));
    for change in rows {
        let values = change.row.values.iter().zip(&change.before).map(|(value, before)| cell(value, *before));
        table.add_row(std::iter::once(Cell::new(&change.row.label)).chain(values));
    }
    let _ = writeln!(out, "{}", table.trim_fmt());
}

/// The header: an empty cell, then the seats.
fn header(view: &View) -> Vec<Cell> {
    let mut header = vec![Cell::new("")];
    for seat in &view.seats {
        let mut name = seat.name.clone();
        if view.seat == Some(seat.seat) {
            name.push_str(" (you)");
        }
        if !seat.is_in {
            name.push_str(" (out)");
        }
        header.push(paint::cell(name, &seat.colour));
    }
    header
}

/// A value with its change.
fn cell(value: &Value, before: Option<&Value>) -> Cell {
    let text = match before {
        Some(before) if before != value => with_change(value, before),
        _ => return paint::cell(&value.text, &value.colour),
    };
    paint::cell(text, &value.colour).add_attribute(Attribute::Bold)
}

/// Appends the change to a value: `5 (+2)`.
fn with_change(value: &Value, before: &Value) -> String {
    match (&value.amounts[..], &before.amounts[..]) {
        ([now], [then]) => match (now.number, then.number) {
            (Some(new), Some(old)) => format!("{} ({:+})", value.text, i64::from(new) - i64::from(old)),
            _ => value.text.clone(),
        },
        _ => value.text.clone(),
    }
}

/// The rows of the game, one line each.
pub fn shared(out: &mut String, rows: &[Row], width: usize) {
    for row in rows {
        if let Some(value) = row.values.first().filter(|value| !value.none) {
            line(out, &row.label, &value.text, width);
        }
    }
}

/// The changed rows of the game.
pub fn shared_changed(out: &mut String, rows: &[RowChange<'_>], width: usize) {
    for change in rows {
        let (Some(value), before) = (change.row.values.first(), change.before.first().copied().flatten()) else {
            continue;
        };
        let text = before.map_or_else(|| value.text.clone(), |before| with_change(value, before));
        line(out, &change.row.label, &text, width);
    }
}

fn line(out: &mut String, label: &str, text: &str, width: usize) {
    out.push_str(&paint::hanging(&format!("{label}:"), 4, text, width));
}
