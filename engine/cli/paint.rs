//! Colours, seat names, plurals and the look of tables. Escape codes are always written; the output stream removes them
//! where they are not wanted.

use anstyle::{AnsiColor, Color, Style};
use comfy_table::{Cell, ContentArrangement, Table, presets};
use motherlode::declare::Declarations;

/// Width assumed where there is no terminal to ask.
const WIDTH: u16 = 100;

/// A terminal that claims to be narrower than this does not know its width.
const NARROWEST: u16 = 40;

/// The terminal colour of a declared colour name; unknown names have no colour (the checker reports them).
fn ansi(colour: &str) -> Option<AnsiColor> {
    Some(match colour {
        "black" => AnsiColor::Black,
        "red" => AnsiColor::Red,
        "green" => AnsiColor::Green,
        "yellow" => AnsiColor::Yellow,
        "blue" => AnsiColor::Blue,
        "magenta" => AnsiColor::Magenta,
        "cyan" => AnsiColor::Cyan,
        "white" => AnsiColor::White,
        "bright_black" => AnsiColor::BrightBlack,
        "bright_red" => AnsiColor::BrightRed,
        "bright_green" => AnsiColor::BrightGreen,
        "bright_yellow" => AnsiColor::BrightYellow,
        "bright_blue" => AnsiColor::BrightBlue,
        "bright_magenta" => AnsiColor::BrightMagenta,
        "bright_cyan" => AnsiColor::BrightCyan,
        "bright_white" => AnsiColor::BrightWhite,
        _ => return None,
    })
}

/// The style of a declared colour name.
pub fn style(colour: &str) -> Style {
    Style::new().fg_color(ansi(colour).map(Color::Ansi))
}

/// For what matters little.
pub fn faint() -> Style {
    Style::new().dimmed()
}

/// For headings.
pub fn strong() -> Style {
    Style::new().bold()
}

/// Name of a seat (from 0) without colour.
pub fn seat_name(game: &Declarations, seat: u8) -> String {
    match game.seats.get(usize::from(seat)) {
        Some(declared) if !declared.name.is_empty() => declared.name.clone(),
        _ => format!("Player {}", u16::from(seat) + 1),
    }
}

/// Name of a seat in its colour.
pub fn seat(game: &Declarations, seat: u8) -> String {
    let colour = game.seats.get(usize::from(seat)).map_or("", |declared| &declared.colour);
    let style = style(colour).bold();
    format!("{style}{}{style:#}", seat_name(game, seat))
}

/// A table without lines between its rows, as wide as the terminal at most.
pub fn table() -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    if table.width().is_none_or(|width| width < NARROWEST) {
        table.set_width(WIDTH);
    }
    table.enforce_styling();
    table
}

/// Columns of the terminal.
pub fn width() -> usize {
    usize::from(table().width().unwrap_or(WIDTH))
}

/// A table without borders.
pub fn plain_table() -> Table {
    let mut table = table();
    table.load_style(presets::NOTHING);
    table
}

/// A table cell in a declared colour.
pub fn cell(text: impl ToString, colour: &str) -> Cell {
    use comfy_table::Color::{
        Black, Blue, Cyan, DarkBlue, DarkCyan, DarkGreen, DarkGrey, DarkMagenta, DarkRed, DarkYellow, Green, Grey,
        Magenta, Red, White, Yellow,
    };
    let cell = Cell::new(text);
    let Some(colour) = ansi(colour) else { return cell };
    // The table crate calls the plain colours dark ones.
    cell.fg(match colour {
        AnsiColor::Black => Black,
        AnsiColor::Red => DarkRed,
        AnsiColor::Green => DarkGreen,
        AnsiColor::Yellow => DarkYellow,
        AnsiColor::Blue => DarkBlue,
        AnsiColor::Magenta => DarkMagenta,
        AnsiColor::Cyan => DarkCyan,
        AnsiColor::White => Grey,
        AnsiColor::BrightBlack => DarkGrey,
        AnsiColor::BrightRed => Red,
        AnsiColor::BrightGreen => Green,
        AnsiColor::BrightYellow => Yellow,
        AnsiColor::BrightBlue => Blue,
        AnsiColor::BrightMagenta => Magenta,
        AnsiColor::BrightCyan => Cyan,
        AnsiColor::BrightWhite => White,
    })
}

/// Texts in as many columns as fit, filled downwards.
pub fn columns(texts: &[String]) -> String {
    let width = width();
    let widest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0) + 3;
    // A few choices read best as a list.
    let across = if texts.len() <= 8 { 1 } else { (width / widest).max(1) };
    let down = texts.len().div_ceil(across);
    let mut lines = String::new();
    for row in 0..down {
        let mut line = String::from(" ");
        for text in texts.iter().skip(row).step_by(down.max(1)) {
            line.push_str(&format!(" {text:<widest$}"));
        }
        lines.push_str(line.trim_end());
        lines.push('\n');
    }
    lines
}

/// A text broken into lines of at most `width` characters; a longer word gets a line of its own.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// `1 game`, `2 games`.
pub fn plural(count: impl TryInto<u64>, word: &str) -> String {
    // No count is larger than 64 bits.
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}
