//! Colours, seat names, plurals and table styles. Every function writes escape codes; the output stream strips
//! them if necessary.

use anstyle::{AnsiColor, Color, Style};
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};
use motherlode::declare::Declarations;

/// Maximum width in columns.
const WIDEST: usize = 1000;
/// Width in columns if neither a terminal nor `COLUMNS` gives one.
const WIDTH: usize = 100;

/// Minimum width in columns. A terminal that reports less does not know its width.
const NARROWEST: usize = 40;

/// The terminal colour for a declared colour name. Unknown names have no colour; the checker reports them.
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

/// The text style for a declared colour name.
#[must_use]
pub fn style(colour: &str) -> Style {
    Style::new().fg_color(ansi(colour).map(Color::Ansi))
}

/// The style for minor text.
#[must_use]
pub fn faint() -> Style {
    Style::new().dimmed()
}

/// The style for headings.
#[must_use]
pub fn strong() -> Style {
    Style::new().bold()
}

/// Name of a seat (from 0), without colour.
#[must_use]
pub fn seat_name(game: &Declarations, seat: u8) -> String {
    match game.seats.get(usize::from(seat)) {
        Some(declared) if !declared.name.is_empty() => declared.name.clone(),
        _ => format!("Player {}", u16::from(seat) + 1),
    }
}

/// Name of a seat (from 0), in its colour.
#[must_use]
pub fn seat(game: &Declarations, seat: u8) -> String {
    let colour = game.seats.get(usize::from(seat)).map_or("", |declared| &declared.colour);
    let style = style(colour).bold();
    format!("{style}{}{style:#}", seat_name(game, seat))
}

/// Number of folders and files of a path that a table names.
const PATH_END: usize = 2;

/// Maximum letters of a bot that a table names in full.
const SHORT_SPEC: usize = 30;

/// A bot for a table, without the first folders of a long path: `learned:…/v2/miner.value`.
#[must_use]
pub fn bot(spec: &str) -> String {
    const FILE: &str = "learned:";
    if spec.chars().count() <= SHORT_SPEC {
        return spec.to_owned();
    }
    let short = |part: &str| {
        let (path, rest) = part.split_at(part.find('+').unwrap_or(part.len()));
        match path.rmatch_indices('/').nth(PATH_END - 1) {
            Some((at, _)) if at > 0 => format!("…{}{rest}", &path[at..]),
            _ => part.to_owned(),
        }
    };
    let (first, files) = spec.split_once(FILE).map_or((spec, None), |(first, files)| (first, Some(files)));
    let files = files.into_iter().flat_map(|files| files.split(FILE));
    files.fold(first.to_owned(), |text, file| text + FILE + &short(file))
}

/// A table without row lines, limited to the width of the terminal.
#[must_use]
pub fn table() -> Table {
    table_in(width())
}

/// A table without row lines, limited to `width` columns.
#[must_use]
pub fn table_in(width: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width.max(NARROWEST)).unwrap_or(u16::MAX));
    table.enforce_styling();
    table
}

/// Width of the terminal in columns.
#[must_use]
pub fn width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let width = Table::new().width().map(usize::from).or(told);
    width.map_or(WIDTH, |width| width.clamp(NARROWEST, WIDEST))
}

/// A table without borders.
#[must_use]
pub fn plain_table() -> Table {
    plain(table())
}

/// Removes the borders of a table.
#[must_use]
pub fn plain(mut table: Table) -> Table {
    table.load_style(presets::NOTHING);
    table
}

/// A table cell in a declared colour.
#[must_use]
pub fn cell(text: impl ToString, colour: &str) -> Cell {
    use comfy_table::Color::{
        Black, Blue, Cyan, DarkBlue, DarkCyan, DarkGreen, DarkGrey, DarkMagenta, DarkRed, DarkYellow, Green, Grey,
        Magenta, Red, White, Yellow,
    };
    let cell = Cell::new(text);
    let Some(colour) = ansi(colour) else { return cell };
    // comfy-table calls the normal colours "dark" and the bright ones by their plain names.
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

/// A right-aligned cell.
#[must_use]
pub fn right(text: impl ToString) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}

/// Formats a share as a percentage with one digit, since more digits would be noise: `0.3 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Breaks a text into lines of at most `width` characters. A longer word gets its own line.
#[must_use]
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if length(line) + 1 + length(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Breaks a text at spaces into lines of at most `width` characters, with a hanging indent. Other spaces stay.
fn broken(text: &str, indent: usize, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_inclusive(' ') {
        let line = lines.last_mut().map_or("", |line| line);
        if length(line) + length(word.trim_end()) > width && !line.trim().is_empty() {
            lines.push(" ".repeat(indent));
        }
        lines.last_mut().into_iter().for_each(|line| line.push_str(word));
    }
    lines
}

/// Appends a text to `begin`, with a hanging indent from the second line on.
#[must_use]
pub fn hanging(begin: &str, indent: usize, text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut before = broken(begin, indent, width.max(NARROWEST));
    let begin = &before.pop().unwrap_or_default();
    for line in before {
        out.extend([line.trim_end(), "\n"]);
    }
    let gap = if text.is_empty() { 0 } else { 1 };
    let room = width.saturating_sub(indent).max(NARROWEST / 2);
    // A filler of the same length reserves the space of `begin` on the first line.
    let filler = "_".repeat((length(begin) + gap).saturating_sub(indent + 1).max(1));
    let lines = wrapped(&format!("{filler} {text}"), room);
    out.push_str(begin);
    for (at, line) in lines.iter().enumerate() {
        let line = if at == 0 { line.strip_prefix(&filler).unwrap_or(line).trim_start() } else { line };
        match at {
            0 if line.is_empty() => {}
            0 => out.extend([" ", line]),
            _ => out.extend(["\n", &" ".repeat(indent), line]),
        }
    }
    out.push('\n');
    out
}

/// The characters of a text without escape codes.
pub fn visible(text: &str) -> impl Iterator<Item = char> {
    let mut inside = false;
    text.chars().filter(move |c| {
        match (*c, inside) {
            ('\u{1b}', _) => inside = true,
            ('m', true) => {
                inside = false;
                return false;
            }
            _ => {}
        }
        !inside
    })
}

/// Length in characters without escape codes. Every character is one column wide.
#[must_use]
pub fn length(text: &str) -> usize {
    visible(text).count()
}

/// Formats a count with its noun: `1 game`, `2 games`.
#[must_use]
pub fn plural(count: impl TryInto<u64>, word: &str) -> String {
    // No count exceeds 64 bits.
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}
