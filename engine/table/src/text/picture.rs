//! Boards in the terminal: a picture of symbols with a legend, or a table of named cells.

use std::fmt::Write as _;

use motherlode_content::sentence::within;

use crate::paint::{self, length};
use crate::text::named;
use crate::view::{Board, Cell, Legend, Symbol, View};

/// Symbol of an empty cell.
const EMPTY: &str = "·";

/// Draws a changed board. A board with named cells shows only the changed ones.
pub fn changed(out: &mut String, view: &View, board: &Board, cells: &[&Cell], width: usize) {
    if !board.named {
        return self::board(out, view, board, width);
    }
    let strong = paint::strong();
    let title = title(view, board);
    out.push_str(&paint::hanging(&format!("{strong}{title}{strong:#}:"), 4, &listed(cells.iter().copied()), width));
}

/// Lists named cells with their contents: `Gate – 2 guests; Well – empty`.
fn listed<'c>(cells: impl Iterator<Item = &'c Cell>) -> String {
    let cell = |cell: &Cell| format!("{} – {}", cell.name, contents(cell).unwrap_or_else(|| "empty".to_owned()));
    cells.map(cell).collect::<Vec<_>>().join("; ")
}

/// Lists the cells with this name or these coordinates, with their contents.
pub fn cells(view: &View, name: &str, width: usize) -> String {
    let is = |cell: &&Cell| cell.id.eq_ignore_ascii_case(name) || cell.name.eq_ignore_ascii_case(name);
    let mut out = String::new();
    for board in &view.boards {
        for cell in board.cells.iter().filter(is) {
            let place = if cell.name.is_empty() { &cell.id } else { &cell.name };
            let contents = contents(cell).unwrap_or_else(|| "empty".to_owned());
            out.push_str(&paint::hanging(&format!("{}, {place}:", title(view, board)), 4, &contents, width));
        }
    }
    out
}

/// The contents of a cell in words.
fn contents(cell: &Cell) -> Option<String> {
    let cards = cell.cards.iter().map(|card| card.name.clone());
    let words = cell.words.iter().cloned().chain(cards).collect::<Vec<_>>().join(", ");
    (!words.is_empty()).then_some(words)
}

/// The title of a board, with its owner.
fn title(view: &View, board: &Board) -> String {
    match board.seat {
        Some(seat) if view.seat == Some(seat) => format!("Your {}", within(&board.label)),
        Some(seat) => format!("{}: {}", view.seat_name(seat), board.label),
        None => board.label.clone(),
    }
}

/// Draws a board below its title.
pub fn board(out: &mut String, view: &View, board: &Board, width: usize) {
    let strong = paint::strong();
    let title = title(view, board);
    out.push_str(&paint::hanging(&format!("{strong}{title}{strong:#}"), 4, "", width));
    // A player's board with named cells is long and mostly empty.
    let sparse = board.named && board.seat.is_some();
    if board.is_blank() && sparse {
        out.push_str("  nothing on it yet\n\n");
        return;
    }
    if sparse {
        let used = board.cells.iter().filter(|cell| contents(cell).is_some());
        out.push_str(&paint::hanging(" ", 4, &listed(used), width));
    } else if board.named {
        out.push_str(&named::table(board, width).unwrap_or_else(|| {
            let used = board.cells.iter().filter(|cell| contents(cell).is_some());
            paint::hanging(" ", 4, &listed(used), width)
        }));
        if named::is_short(board) {
            out.push_str(&legend(board, width));
        }
    } else {
        out.push_str(&Picture::new(board).lines());
        out.push_str(&legend(board, width));
    }
    out.push('\n');
}

/// The meanings of the symbols that are drawn, in one line if they fit.
fn legend(board: &Board, width: usize) -> String {
    let drawn = |text: &str| board.cells.iter().flat_map(|cell| &cell.marks).any(|mark| mark.text == text);
    let all = meanings(board, drawn);
    if all.is_empty() { String::new() } else { paint::hanging("    ", 5, &all.join("; "), width) }
}

/// Signs that every table uses.
const SIGNS: [(&str, &str); 3] = [(EMPTY, "an empty cell"), ("–", "nothing"), ("?", "hidden from you")];

/// Writes the meanings of all symbols of all boards, drawn or not, and of the signs in the text of the table. A board
/// that every player has is written once.
pub fn key(out: &mut String, view: &View, drawn: &str, width: usize) {
    let strong = paint::strong();
    for (at, board) in view.boards.iter().enumerate() {
        let all = meanings(board, |_| true);
        if !all.is_empty() && view.boards[..at].iter().all(|other| other.id != board.id) {
            let label = format!("{strong}{}{strong:#}:", board.label);
            out.push_str(&paint::hanging(&label, 4, &all.join("; "), width));
        }
    }
    let drawn: String = paint::visible(drawn).collect();
    let alone = |sign: &str| drawn.split([' ', '\n']).any(|word| word.trim_end_matches([',', ';']) == sign);
    let signs = SIGNS.iter().filter(|(sign, _)| alone(sign)).map(|(sign, means)| format!("{sign} {means}"));
    let signs: Vec<String> = signs.collect();
    if !signs.is_empty() {
        out.push_str(&paint::hanging(&format!("{strong}Signs{strong:#}:"), 4, &signs.join("; "), width));
    }
}

/// The meanings of the symbols that a test accepts, a text for each counter; numbers, if any is drawn.
fn meanings(board: &Board, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let drawn_by = |layer: usize| {
        board.cells.iter().filter_map(move |cell| cell.marks.get(layer)).any(|mark| !mark.text.trim().is_empty())
    };
    let one = |(layer, legend): (usize, &Legend)| {
        let symbols = legend.symbols.iter().filter(|symbol| is_wanted(&symbol.text));
        let symbols: Vec<String> = merged(symbols)
            .into_iter()
            .map(|(texts, colour, means)| {
                let style = paint::style(colour);
                format!("{style}{}{style:#} {means}", texts.join(", "))
            })
            .collect();
        match (legend.symbols.is_empty(), symbols.is_empty()) {
            (true, _) if !drawn_by(layer) => String::new(),
            (true, _) => format!("number: {}", legend.label.to_lowercase()),
            (false, true) => String::new(),
            (false, false) => symbols.join(", "),
        }
    };
    board.legend.iter().enumerate().map(one).filter(|text| !text.is_empty()).collect()
}

/// Merges symbols that differ only in the number that they and their meanings end with: `W2 white 2` and `W5 white 5`
/// become `W2, W5 white`. Returns the symbols, the colour and the meaning.
fn merged<'s>(symbols: impl Iterator<Item = &'s Symbol>) -> Vec<(Vec<&'s str>, &'s str, &'s str)> {
    let mut groups: Vec<(Vec<&str>, &str, &str)> = Vec::new();
    for symbol in symbols {
        let stem = symbol.means.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = &symbol.means[stem.len()..];
        let stem = stem.trim_end();
        let letters = symbol.text.trim().strip_suffix(number).unwrap_or_default();
        let ends = !number.is_empty() && !stem.is_empty() && !letters.is_empty();
        let same = |of: &&mut (Vec<&str>, &str, &str)| ends && of.1 == symbol.colour && of.2 == stem;
        match groups.iter_mut().find(same) {
            Some((texts, ..)) => texts.push(&symbol.text),
            None => groups.push((vec![&symbol.text], &symbol.colour, if ends { stem } else { &symbol.means })),
        }
    }
    groups
}

/// A picture of the used part of a board, with a margin.
struct Picture<'b> {
    board: &'b Board,
    widths: Vec<usize>,
    /// First and last drawn column, in half cells.
    from: u16,
    to: u16,
}

impl<'b> Picture<'b> {
    fn new(board: &'b Board) -> Self {
        let width = |layer: usize| {
            let texts = board.cells.iter().filter_map(move |cell| cell.marks.get(layer));
            texts.map(|mark| length(&mark.text)).max().unwrap_or(0)
        };
        let used = || {
            let cells = board.cells.iter().filter(|cell| cell.marks.iter().any(|mark| !mark.text.trim().is_empty()));
            cells.map(|cell| cell.half)
        };
        let all = || board.cells.iter().map(|cell| cell.half);
        let (first, last) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
        // Cut a wide, nearly empty board at both sides.
        let (from, to) = if last - first > MAX_WIDTH {
            (used().min().unwrap_or(first), used().max().unwrap_or(last))
        } else {
            (first, last)
        };
        Self {
            board,
            widths: (0..board.layers.len()).map(width).collect(),
            from: from.saturating_sub(2).max(first),
            to: to.saturating_add(2).min(last),
        }
    }

    /// Width of a cell in characters.
    fn width(&self) -> usize {
        let apart = self.board.layers.iter().filter(|layer| layer.words).count();
        (self.widths.iter().sum::<usize>() + apart).max(1)
    }

    fn lines(&self) -> String {
        let (width, hex) = (self.width(), self.board.hex);
        // Half a cell must be a whole number of characters.
        let half = (width + 2) / 2;
        let mut text = String::new();
        if !hex {
            self.header(&mut text, half);
        }
        let faint = paint::faint();
        let rows = self.board.cells.iter().map(|cell| cell.row).max().unwrap_or(0);
        for row in 1..=rows {
            let cells: Vec<&Cell> = self.board.row(row).filter(|cell| self.shows(cell)).collect();
            let label = self.board.row(row).next().map_or("", |cell| part(cell, hex));
            let _ = write!(text, "  {faint}{label:>2}{faint:#}  ");
            let mut at = 0;
            for cell in &cells {
                let x = usize::from(cell.half - self.from) * half;
                let _ = write!(text, "{:1$}", "", x.saturating_sub(at));
                at = x.max(at) + width;
                text.push_str(&self.cell(cell));
            }
            if hex {
                let last = self.board.row(row).last().map_or("", |cell| part(cell, false));
                let _ = write!(text, "  {faint}{last}{faint:#}");
            }
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        text
    }

    fn shows(&self, cell: &Cell) -> bool {
        (self.from..=self.to).contains(&cell.half)
    }

    /// Writes the column letters.
    fn header(&self, text: &mut String, half: usize) {
        let mut line = String::from("      ");
        let mut at = 0;
        for cell in self.board.row(1).filter(|cell| self.shows(cell)) {
            let letters = part(cell, true);
            let x = usize::from(cell.half - self.from) * half;
            let _ = write!(line, "{:1$}{letters}", "", x.saturating_sub(at));
            at = x.max(at) + letters.len();
        }
        let faint = paint::faint();
        let _ = writeln!(text, "{faint}{}{faint:#}", line.trim_end());
    }

    fn cell(&self, cell: &Cell) -> String {
        let faint = paint::faint();
        if cell.marks.iter().all(|mark| mark.text.trim().is_empty()) {
            return format!("{faint}{EMPTY}{faint:#}{:1$}", "", self.width() - 1);
        }
        let mut text = String::new();
        for ((mark, layer), width) in cell.marks.iter().zip(&self.board.layers).zip(&self.widths) {
            if layer.words {
                text.push(' ');
            }
            let style = paint::style(&mark.colour);
            let _ = write!(text, "{style}{}{style:#}{:2$}", mark.text, "", width - length(&mark.text));
        }
        text
    }
}

/// Maximum width of a board in half cells; a wider board is cut to its used part.
const MAX_WIDTH: u16 = 24;

/// The letters or the digits of a cell's coordinates.
fn part(cell: &Cell, letters: bool) -> &str {
    let (before, after) = cell.id.split_at(cell.id.find(|c: char| c.is_ascii_digit()).unwrap_or(cell.id.len()));
    if letters { before } else { after }
}
