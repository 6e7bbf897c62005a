//! Boards with named cells in the terminal: each name with its contents below, in columns of one width.

use anstyle::Style;

use crate::paint::{self, length};
use crate::view::{Board, Cell};

/// Symbol of an empty cell.
const EMPTY: &str = "·";

/// Whether the contents of all cells are symbols and at most one number, which a legend explains.
pub fn is_short(board: &Board) -> bool {
    let numbers = board.legend.iter().filter(|legend| legend.symbols.is_empty()).count();
    !board.layers.is_empty() && board.layers.iter().all(|layer| layer.short) && numbers <= 1
}

/// Draws the cells row by row: in boxes, without them if that is too wide; `None`: the names are too long for both.
pub fn table(board: &Board, width: usize) -> Option<String> {
    let columns = || board.cells.iter().map(column);
    let (first, last) = (columns().min()?, columns().max()?);
    let rows: Vec<Vec<Option<CellText>>> = (1..=board.cells.iter().map(|cell| cell.row).max()?)
        .map(|row| {
            let at = |column_of: u16| board.row(row).find(|cell| column(cell) == column_of);
            (first..=last).map(|column| at(column).map(|cell| CellText::new(board, cell))).collect()
        })
        .collect();
    let texts = || rows.iter().flatten().flatten().flat_map(|cell| [&cell.name, &cell.contents]);
    let longest = texts().map(|text| length(text)).max().unwrap_or(0).max(1);
    let longest_word = texts().flat_map(|text| text.split_whitespace()).map(length).max().unwrap_or(0);
    let count = usize::from(last - first) + 1;
    // A box takes a border and two spaces.
    let room = (width.saturating_sub(1) / count).saturating_sub(3);
    if room >= longest_word.max(1) {
        Some(boxes(&rows, count, longest.min(room)))
    } else {
        (count * (longest + 1) < width).then(|| plain(&rows, longest))
    }
}

/// The column of a cell. A row of hexagons may be shifted by half a cell.
fn column(cell: &Cell) -> u16 {
    cell.half / 2
}

/// The texts of a cell.
struct CellText {
    name: String,
    contents: String,
    /// Style of the contents: the first declared colour.
    style: Style,
}

impl CellText {
    fn new(board: &Board, cell: &Cell) -> Self {
        let short = is_short(board);
        let marks: String = cell.marks.iter().map(|mark| mark.text.trim()).collect();
        let coloured = cell.marks.iter().find(|mark| short && !mark.colour.is_empty());
        let words = if short { vec![marks] } else { cell.words.clone() };
        let all = words.into_iter().filter(|text| !text.is_empty());
        let contents: Vec<String> = all.chain(cell.cards.iter().map(|card| card.name.clone())).collect();
        let style = coloured.map_or_else(Style::new, |mark| paint::style(&mark.colour));
        Self { name: cell.name.clone(), contents: contents.join(", "), style }
    }

    /// The lines within a width.
    fn lines(&self, width: usize) -> Vec<String> {
        let style = self.style;
        let contents = paint::wrapped(&self.contents, width);
        let contents = contents.into_iter().map(|line| format!("{style}{line}{style:#}"));
        paint::wrapped(&self.name, width).into_iter().chain(contents).collect()
    }
}

/// Cells in boxes. A hole is an empty box.
fn boxes(rows: &[Vec<Option<CellText>>], count: usize, width: usize) -> String {
    let border =
        |ends: [&str; 3]| format!("{}{}{}\n", ends[0], vec!["─".repeat(width + 2); count].join(ends[1]), ends[2]);
    let mut out = border(["┌", "┬", "┐"]);
    for row in rows {
        let cells: Vec<Vec<String>> =
            row.iter().map(|cell| cell.as_ref().map(|cell| cell.lines(width)).unwrap_or_default()).collect();
        for line in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
            let text = |cell: &Vec<String>| format!(" {} ", padded(cell.get(line).map_or("", String::as_str), width));
            out.push_str(&format!("│{}│\n", cells.iter().map(text).collect::<Vec<_>>().join("┆")));
        }
    }
    out + &border(["└", "┴", "┘"])
}

/// Cells without borders, names above contents. A hole is a gap.
fn plain(rows: &[Vec<Option<CellText>>], width: usize) -> String {
    let faint = paint::faint();
    let line = |row: &[Option<CellText>], text: &dyn Fn(&CellText) -> String| {
        let cell =
            |cell: &Option<CellText>| format!(" {}", padded(&cell.as_ref().map(text).unwrap_or_default(), width));
        format!("{}\n", row.iter().map(cell).collect::<String>().trim_end())
    };
    let contents = |cell: &CellText| match cell.contents.is_empty() {
        true => format!("{faint}{EMPTY}{faint:#}"),
        false => format!("{0}{1}{0:#}", cell.style, cell.contents),
    };
    let row = |row: &Vec<Option<CellText>>| {
        line(row, &|cell| format!("{faint}{}{faint:#}", cell.name)) + &line(row, &contents)
    };
    rows.iter().map(row).collect()
}

/// Fills a text with spaces.
fn padded(text: &str, width: usize) -> String {
    format!("{text}{:1$}", "", width.saturating_sub(length(text)))
}
