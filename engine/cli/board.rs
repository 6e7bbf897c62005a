//! A grid drawn as a board, from the declared symbols and colours of the counters it shows.

use std::fmt::Write as _;

use anstyle::Style;
use motherlode::Game;
use motherlode::declare::{Counter, Declarations, Domain, Holder, MEMBER, Shape};
use motherlode::tools::Geometry;
use serde_json::{Map, Value};

use crate::paint;

/// Drawn where a cell shows nothing.
const EMPTY: &str = "·";

/// A picture of one grid, and whether anything is on it.
#[derive(Debug)]
pub struct Board {
    /// The lines, each with a line break.
    pub picture: String,
    /// Whether no cell shows anything.
    pub blank: bool,
}

/// Draws a grid from what a seat sees of its cells.
pub fn draw(game: &Game, grid: usize, cells: &Map<String, Value>) -> Board {
    let declared = game.declarations();
    let (Some(shape), Some(places)) = (declared.grids.get_index(grid), game.layout().grids.get(grid)) else {
        return Board { picture: String::new(), blank: true };
    };
    let pens = pens(declared, grid, &shape.1.show);
    let drawn: Vec<Option<Vec<Mark>>> = (0..places.places())
        .map(|cell| (!places.is_hole(cell)).then(|| marks(declared, &pens, cells.get(places.name(cell)))))
        .collect();
    let widths: Vec<usize> = (0..pens.len())
        .map(|pen| drawn.iter().flatten().map(|marks| length(&marks[pen].text)).max().unwrap_or(0))
        .collect();
    let blank = drawn.iter().flatten().flatten().all(|mark| mark.text.trim().is_empty());
    let picture = Picture { places, pens: &pens, drawn: &drawn, widths: &widths }.lines();
    Board { picture, blank }
}

/// A counter of the cells to draw.
struct Pen<'a> {
    name: &'a str,
    counter: &'a Counter,
    /// Whether a space precedes it: words would run together without one.
    apart: bool,
}

fn pens<'a>(declared: &'a Declarations, grid: usize, show: &[usize]) -> Vec<Pen<'a>> {
    let of_grid: Vec<usize> = match show {
        [] => {
            let shown = |counter: &Counter| counter.per == Holder::Cell(grid) && !counter.internal;
            (0..declared.counters.len()).filter(|&index| shown(&declared.counters[index])).collect()
        }
        _ => show.to_vec(),
    };
    let counters = of_grid.into_iter().filter_map(|index| declared.counters.get_index(index));
    let pen = |(place, (name, counter)): (usize, (&'a String, &'a Counter))| {
        let words = !counter.values.is_empty() || counter.means != Domain::Number;
        let apart = place > 0 && counter.symbols.is_empty() && words;
        Pen { name, counter, apart }
    };
    counters.enumerate().map(pen).collect()
}

/// What one counter of one cell looks like.
struct Mark {
    text: String,
    style: Style,
}

fn marks(declared: &Declarations, pens: &[Pen<'_>], cell: Option<&Value>) -> Vec<Mark> {
    let mark = |pen: &Pen<'_>| {
        let counter = pen.counter;
        let value = cell.and_then(|cell| match pen.name.split_once(MEMBER) {
            Some((family, id)) => cell.get(family)?.get(id),
            None => cell.get(pen.name),
        });
        let (number, name) = match value {
            // It means no cell, no token or no player.
            Some(Value::String(name)) if counter.means != Domain::Number && name == "none" => (None, String::new()),
            Some(Value::String(name)) => (counter.values.iter().position(|value| value == name), name.clone()),
            Some(Value::Object(player)) => {
                let seat = player.get("seat").and_then(Value::as_u64).and_then(|seat| u8::try_from(seat).ok());
                let number = seat.map_or(0, |seat| usize::from(seat) + 1);
                (Some(number), seat.map(|seat| paint::seat_name(declared, seat)).unwrap_or_default())
            }
            Some(Value::Number(number)) => {
                let text = if number.as_i64() == Some(0) { String::new() } else { number.to_string() };
                (number.as_u64().and_then(|number| usize::try_from(number).ok()), text)
            }
            // Hidden from this seat.
            _ => (None, "?".to_string()),
        };
        let text = number.and_then(|number| counter.symbols.get(number)).map_or(name, Clone::clone);
        let colour = number.and_then(|number| counter.colours.get(number)).map_or("", String::as_str);
        Mark { text, style: paint::style(colour) }
    };
    pens.iter().map(mark).collect()
}

struct Picture<'a> {
    places: &'a Geometry,
    pens: &'a [Pen<'a>],
    drawn: &'a [Option<Vec<Mark>>],
    widths: &'a [usize],
}

impl Picture<'_> {
    fn lines(&self) -> String {
        let apart = self.pens.iter().filter(|pen| pen.apart).count();
        let width = (self.widths.iter().sum::<usize>() + apart).max(1);
        // Half a cell must be a whole number of characters.
        let half = (width + 2) / 2;
        let rows = usize::from(self.places.extent().1);
        let hex = matches!(self.places.shape(), Shape::Hex { .. });
        let mut text = String::new();
        if !hex {
            text.push_str(&self.header(half));
        }
        let faint = paint::faint();
        for row in 1..=rows {
            let cells: Vec<usize> =
                (0..self.places.places()).filter(|&cell| usize::from(self.places.y(cell)) == row).collect();
            let label = cells.first().map_or("", |&cell| self.label(cell, hex));
            // Writing to a string does not fail.
            let _ = write!(text, "  {faint}{label:>2}{faint:#}  ");
            let mut at = 0;
            for &cell in &cells {
                let x = usize::from(self.places.half_steps(cell)) * half;
                let _ = write!(text, "{:1$}", "", x.saturating_sub(at));
                at = x.max(at) + width;
                text.push_str(&self.cell(cell, width));
            }
            if hex {
                let _ = write!(text, "  {faint}{}{faint:#}", cells.len());
            }
            trim(&mut text);
            text.push('\n');
        }
        text
    }

    /// The column letters.
    fn header(&self, half: usize) -> String {
        let (columns, _) = self.places.extent();
        let mut line = String::from("      ");
        let mut at = 0;
        for cell in 0..usize::from(columns) {
            let letters = self.label(cell, true);
            let x = usize::from(self.places.half_steps(cell)) * half;
            let _ = write!(line, "{:1$}{letters}", "", x.saturating_sub(at));
            at = x.max(at) + letters.len();
        }
        let faint = paint::faint();
        format!("{faint}{}{faint:#}\n", line.trim_end())
    }

    /// The letters or the number of a cell's name.
    fn label(&self, cell: usize, letters: bool) -> &str {
        let name = self.places.name(cell);
        let (before, after) = name.split_at(name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len()));
        if letters { before } else { after }
    }

    fn cell(&self, cell: usize, width: usize) -> String {
        let Some(marks) = self.drawn.get(cell).and_then(Option::as_ref) else { return " ".repeat(width) };
        if marks.iter().all(|mark| mark.text.trim().is_empty()) {
            let faint = paint::faint();
            return format!("{faint}{EMPTY}{faint:#}{:1$}", "", width - 1);
        }
        let mut text = String::new();
        for ((mark, pen), width) in marks.iter().zip(self.pens).zip(self.widths) {
            if pen.apart {
                text.push(' ');
            }
            let style = mark.style;
            let _ = write!(text, "{style}{}{style:#}{:2$}", mark.text, "", width - length(&mark.text));
        }
        text
    }
}

/// Width in characters: the symbols of boards are one column each.
fn length(text: &str) -> usize {
    text.chars().count()
}

fn trim(text: &mut String) {
    text.truncate(text.trim_end_matches(' ').len());
}
