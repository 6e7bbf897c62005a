//! Tables with a text per row, at most as wide as the terminal and without columns too narrow for a word.

use std::io::Write;

use comfy_table::{Cell, CellAlignment, ColumnConstraint, Table, Width};

use crate::fault::Fault;
use crate::paint;

/// Minimum width of a text.
const MIN_TEXT: usize = 28;
/// Number of columns that always stay: the id and the name of a card.
const FIXED_COLUMNS: usize = 2;
/// Width of the gap between two columns.
pub const GAP: usize = 3;
/// Width of the outer border.
pub const EDGE: usize = 1;
/// Minimum width of a table with texts below its rows.
const MIN_WIDTH_BELOW: usize = 80;
/// Width of the borders and spaces around a text below a row.
const INDENT: usize = 6;

/// A column of numbers or words.
pub struct Column {
    pub title: String,
    /// Whether its cells are numbers.
    pub numbers: bool,
    pub cells: Vec<String>,
}

/// A table of cards, plans and the like, one per row.
pub struct TextTable {
    pub columns: Vec<Column>,
    /// Header of the texts.
    pub title: &'static str,
    /// The text of each row, wrapped between words only.
    pub texts: Vec<String>,
}

impl Column {
    fn width(&self) -> usize {
        self.cells.iter().chain([&self.title]).map(|cell| cell.chars().count()).max().unwrap_or(0)
    }
}

impl TextTable {
    /// Draws the table. If it does not fit, moves the texts below the rows, then the widest columns.
    pub fn draw(mut self, out: &mut dyn Write) -> Result<(), Fault> {
        let width = paint::width();
        if self.texts.iter().all(String::is_empty) {
            self.texts.clear();
        }
        let words = self.texts.iter().flat_map(|text| text.split_whitespace());
        let text = words.map(|word| word.chars().count()).max().unwrap_or(0).max(MIN_TEXT);
        let beside = !self.texts.is_empty() && self.width() + GAP + text <= width;
        let mut below: Vec<Column> = Vec::new();
        while self.width() > width && self.columns.len() > FIXED_COLUMNS {
            let widest = (FIXED_COLUMNS..self.columns.len()).max_by_key(|at| {
                let column = &self.columns[*at];
                (!column.numbers, column.width(), self.columns.len() - at)
            });
            let Some(at) = widest else { break };
            below.push(self.columns.remove(at));
        }
        // Text below the rows needs space, too.
        let room = if beside || self.texts.is_empty() && below.is_empty() {
            0
        } else {
            MIN_WIDTH_BELOW.max(text + INDENT).min(width)
        };
        let pad = room.saturating_sub(self.width() + GAP);
        let more = beside.then_some(self.title).or((pad > 0).then_some(""));
        let mut table = paint::table();
        table.set_header(self.columns.iter().map(|column| column.title.as_str()).chain(more));
        for row in 0..self.columns.first().map_or(0, |column| column.cells.len()) {
            let mut cells: Vec<Cell> = self.columns.iter().map(|column| column.cell(row)).collect();
            cells.extend(beside.then(|| Cell::new(&self.texts[row])));
            table.add_row(cells);
        }
        self.fix_widths(&mut table, if beside { text } else { pad });
        let drawn = table.trim_fmt();
        if beside || (self.texts.is_empty() && below.is_empty()) {
            writeln!(out, "{drawn}")?;
            return Ok(());
        }
        self.interleave(out, &drawn, &below)
    }

    fn width(&self) -> usize {
        self.columns.iter().map(|column| column.width() + GAP).sum::<usize>() + EDGE
    }

    /// Lets only the text wrap.
    fn fix_widths(&self, table: &mut Table, last: usize) {
        let last = u16::try_from(last).unwrap_or(u16::MAX);
        for at in 0..self.columns.len() {
            if let Some(column) = table.column_mut(at) {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
        if let Some(column) = table.column_mut(self.columns.len()) {
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(last)));
        }
    }

    /// Prints the drawn table, whose rows are one line each, with the moved parts below each row.
    fn interleave(&self, out: &mut dyn Write, drawn: &str, below: &[Column]) -> Result<(), Fault> {
        let faint = paint::faint();
        let (lines, rows): (Vec<&str>, usize) = (drawn.lines().collect(), self.columns[0].cells.len());
        let head = lines.len().saturating_sub(rows + 1);
        let inner = lines.first().map_or(0, |line| line.chars().count()).saturating_sub(INDENT);
        for (at, line) in lines.iter().enumerate() {
            writeln!(out, "{line}")?;
            let Some(row) = at.checked_sub(head).filter(|row| *row < rows) else { continue };
            let parts = below.iter().filter(|column| !column.cells[row].is_empty());
            let parts = parts.map(|column| format!("{} {}.", column.title, column.cells[row]));
            let text = parts.chain(self.texts.get(row).cloned()).collect::<Vec<_>>().join(" ");
            for part in paint::wrapped(&text, inner).iter().flat_map(|line| cut(line, inner)) {
                writeln!(
                    out,
                    "│   {faint}{part}{faint:#}{} │",
                    " ".repeat(inner.saturating_sub(part.chars().count()))
                )?;
            }
        }
        Ok(())
    }
}

/// Cuts a line with a word that is too long, if possible behind a `/`, `+` or `,` of a bot's spec.
fn cut(line: &str, width: usize) -> Vec<String> {
    let signs: Vec<char> = line.chars().collect();
    let (mut rest, mut parts) = (signs.as_slice(), Vec::new());
    while rest.len() > width.max(1) {
        let end = rest[..width.max(1)].iter().rposition(|sign| ['/', '+', ','].contains(sign));
        let (part, after) = rest.split_at(end.map_or(width.max(1), |end| end + 1));
        parts.push(part.iter().collect());
        rest = after;
    }
    parts.push(rest.iter().collect());
    parts
}

impl Column {
    fn cell(&self, row: usize) -> Cell {
        let cell = Cell::new(&self.cells[row]);
        if self.numbers { cell.set_alignment(CellAlignment::Right) } else { cell }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_with_long_plans_fits() {
        let column =
            |title: &str, cell: &str| Column { title: title.to_owned(), numbers: true, cells: vec![cell.to_owned()] };
        let plan = format!("plan:{}+base=search:16+learned", ["card:buildings.observatory_of_the_north"; 5].join("/"));
        let columns =
            vec![column("win share", "100.0 %"), column("95 % interval", "95.0 to 100.0 %"), column("games", "120")];
        let mut drawn = Vec::new();
        TextTable { columns, title: "plan", texts: vec![plan.clone()] }.draw(&mut drawn).unwrap();
        let drawn = String::from_utf8(drawn).unwrap();
        assert!(drawn.lines().all(|line| paint::length(line) <= 100), "{drawn}");
        let plain = drawn.replace("\u{1b}[2m", "").replace("\u{1b}[0m", "");
        let signs =
            |text: &str| text.chars().filter(|sign| !sign.is_whitespace() && *sign != '\u{2502}').collect::<String>();
        assert!(signs(&plain).contains(&plan), "the whole plan is shown:\n{drawn}");
        assert_eq!(cut("aaa/bbb", 5), ["aaa/", "bbb"]);
        assert_eq!(cut("aaaaaaa", 5), ["aaaaa", "aa"]);
    }
}
