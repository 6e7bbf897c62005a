//! Plain tables on the terminal.

use comfy_table::{CellAlignment, Table, presets};

/// A table with a title; the first column is text, the others are figures.
pub struct Figures {
    title: String,
    table: Table,
}

impl Figures {
    pub fn new(title: impl Into<String>, header: &[&str]) -> Self {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN).set_header(header);
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        Self { title: title.into(), table }
    }

    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.table.add_row(cells);
    }

    pub fn print(&self) {
        println!("\n{}\n\n{}", self.title, self.table);
    }
}

/// Says whether a figure meets its target.
pub fn verdict(met: bool) -> String {
    if met { "met" } else { "missed" }.to_owned()
}

/// Formats `1234567` as `1,234,567`.
pub fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats a time in a suitable unit.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.0} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.2} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
