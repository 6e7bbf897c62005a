//! The geometry of a grid: names, neighbours, lines and runs, as flat tables computed once.
//!
//! One geometry serves every holder of a grid. A cell is a number from 0 within one holder's grid. Places are
//! numbered row by row from the top, holes included, so that a cell's number never depends on the holes.
//!
//! Every shape is placed on one lattice of half steps, `u` to the right and `v` downwards, in which a direction of
//! lines is a fixed step. So hexagons and shifted rows differ only in names and outlines.

use crate::declare::{Grid, Shape};

/// Maximum places of a grid; reading refuses larger shapes.
pub const MAX_PLACES: usize = 16_384;

/// No cell: beyond the edge of the board or, in the step tables, a hole.
const NONE: u16 = u16::MAX;

/// The fixed geometry of one grid for one holder.
#[derive(Debug, Clone)]
pub struct Geometry {
    shape: Shape,
    places: Vec<Place>,
    directions: Vec<Direction>,
    /// For each place the next cell in every direction, forwards and backwards; [`NONE`] at a hole or the edge.
    steps: Vec<u16>,
    neighbours: Vec<Vec<u16>>,
    cells: Vec<u16>,
}

/// One place: its position and its name.
#[derive(Debug, Clone)]
struct Place {
    name: String,
    column: u16,
    row: u16,
    /// Position on the lattice of half steps.
    u: i32,
    v: i32,
    hole: bool,
}

/// One direction of lines.
#[derive(Debug, Clone)]
struct Direction {
    name: &'static str,
    /// The cells of each line, forwards, without holes.
    lines: Vec<Vec<u16>>,
    /// For each place the index of its line; holes have none.
    line_of: Vec<u16>,
}

impl Geometry {
    /// The geometry of a declared grid. Ignores names of holes that are not places; the reader reports them (with
    /// [`Geometry::of_shape`], which has no holes).
    #[must_use]
    pub fn new(grid: &Grid) -> Self {
        Self::build(grid.shape, &grid.holes)
    }

    /// The geometry of a shape without holes. Empty if the shape has more than [`MAX_PLACES`] places.
    #[must_use]
    pub fn of_shape(shape: Shape) -> Self {
        Self::build(shape, &[])
    }

    fn build(shape: Shape, holes: &[String]) -> Self {
        let mut places = outline(shape);
        for place in &mut places {
            place.hole = holes.contains(&place.name);
        }
        let lattice = Lattice::new(&places);
        let ways = directions(shape);
        let directions = ways.iter().map(|way| Direction::new(way, &places)).collect();
        let steps = steps(ways, &places, &lattice);
        let neighbours = neighbours(shape, &places, &lattice);
        let cells = (0..places.len()).filter(|&cell| !places[cell].hole).map(to_u16).collect();
        Self { shape, places, directions, steps, neighbours, cells }
    }

    /// Number of places of a shape, including holes, without building it.
    #[must_use]
    pub fn places_of(shape: Shape) -> u64 {
        match shape {
            Shape::Square { columns, rows } | Shape::Offset { columns, rows } => u64::from(columns) * u64::from(rows),
            Shape::Hex { side: 0 } => 0,
            Shape::Hex { side } => 3 * u64::from(side) * (u64::from(side) - 1) + 1,
        }
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Number of places, including holes; cells are numbered `0..places`.
    #[must_use]
    pub fn places(&self) -> usize {
        self.places.len()
    }

    /// The cells in order, without the holes.
    #[must_use]
    pub fn cells(&self) -> &[u16] {
        &self.cells
    }

    /// Length of the widest row in cells, and number of rows.
    #[must_use]
    pub fn extent(&self) -> (u16, u16) {
        match self.shape {
            _ if self.places.is_empty() => (0, 0),
            Shape::Square { columns, rows } | Shape::Offset { columns, rows } => (columns, rows),
            Shape::Hex { side } => (2 * side - 1, 2 * side - 1),
        }
    }

    /// Whether the place is a hole or beyond the grid.
    #[must_use]
    pub fn is_hole(&self, cell: usize) -> bool {
        self.places.get(cell).is_none_or(|place| place.hole)
    }

    /// Name of a place: `a1` is column a, row 1 (square, offset) or row a, first cell (hex). Empty beyond the grid.
    #[must_use]
    pub fn name(&self, cell: usize) -> &str {
        self.places.get(cell).map_or("", |place| &place.name)
    }

    /// The place with this name, even if it is a hole.
    #[must_use]
    pub fn cell_named(&self, name: &str) -> Option<usize> {
        let digits = name.find(|c: char| c.is_ascii_digit())?;
        let letter = letters_value(&name[..digits])?;
        let number = name[digits..].parse::<u16>().ok()?;
        let cell = self.cell_at(i32::from(letter), i32::from(number))?;
        (self.places[cell].name == name).then_some(cell)
    }

    /// The place whose name has this letter (as a number from 1) and this number: column and row on square and offset
    /// grids, row and position on hex grids. `None` beyond the edge; holes are found.
    #[must_use]
    pub fn cell_at(&self, letter: i32, number: i32) -> Option<usize> {
        match self.shape {
            Shape::Hex { .. } => self.at(number, letter),
            Shape::Square { .. } | Shape::Offset { .. } => self.at(letter, number),
        }
    }

    /// The place at this column (hex: position in the row) and row, both from 1. Holes are found.
    #[must_use]
    pub fn at(&self, column: i32, row: i32) -> Option<usize> {
        let (columns, rows) = self.extent();
        if column < 1 || row < 1 || row > i32::from(rows) {
            return None;
        }
        let (column, row) = (usize::try_from(column).ok()?, usize::try_from(row).ok()?);
        match self.shape {
            Shape::Square { .. } | Shape::Offset { .. } => {
                let columns = usize::from(columns);
                (column <= columns).then(|| (row - 1) * columns + column - 1)
            }
            Shape::Hex { side } => {
                let side = usize::from(side);
                let before: usize = (1..row).map(|above| hex_row_length(side, above)).sum();
                (column <= hex_row_length(side, row)).then(|| before + column - 1)
            }
        }
    }

    /// Column from 1; on a hex grid the position in the row. 0 beyond the grid.
    #[must_use]
    pub fn x(&self, cell: usize) -> u16 {
        self.places.get(cell).map_or(0, |place| place.column)
    }

    /// Row from 1, row 1 on top. 0 beyond the grid.
    #[must_use]
    pub fn y(&self, cell: usize) -> u16 {
        self.places.get(cell).map_or(0, |place| place.row)
    }

    /// Distance of the cell from the left edge of the drawing, in half cells.
    #[must_use]
    pub fn half_steps(&self, cell: usize) -> u16 {
        let scale = if matches!(self.shape, Shape::Square { .. }) { 2 } else { 1 };
        self.places.get(cell).map_or(0, |place| u16::try_from(place.u * scale).unwrap_or(0))
    }

    /// Cells that share an edge, by number (above, left, right, below), without holes: up to 4 on a square grid, 6 on
    /// others. Empty for a hole or a number beyond the grid.
    #[must_use]
    pub fn neighbours(&self, cell: usize) -> &[u16] {
        self.neighbours.get(cell).map_or(&[], Vec::as_slice)
    }

    /// Names of the directions of lines: `column row rising falling` (square), `a b c` (hex: along the rows, from
    /// upper left to lower right, from lower left to upper right) or `row rising falling` (offset).
    pub fn directions(&self) -> impl ExactSizeIterator<Item = &'static str> + '_ {
        self.directions.iter().map(|direction| direction.name)
    }

    /// Index of a direction by name.
    #[must_use]
    pub fn direction_named(&self, name: &str) -> Option<usize> {
        self.directions.iter().position(|direction| direction.name == name)
    }

    /// All lines of one direction, in order across the board, each with its cells forwards (rightwards; columns
    /// downwards). Holes are skipped and do not interrupt a line; lines without cells are omitted.
    #[must_use]
    pub fn lines(&self, direction: usize) -> &[Vec<u16>] {
        self.directions.get(direction).map_or(&[], |direction| &direction.lines)
    }

    /// Index of the cell's line in this direction (into [`Geometry::lines`]).
    #[must_use]
    pub fn line_of(&self, direction: usize, cell: usize) -> Option<usize> {
        let line = *self.directions.get(direction)?.line_of.get(cell)?;
        (line != NONE).then_some(usize::from(line))
    }

    /// The next cell in a direction; `None` at the edge and before a hole.
    #[must_use]
    pub fn step(&self, direction: usize, cell: usize, forwards: bool) -> Option<usize> {
        let ways = self.directions.len() * 2;
        let way = if direction < self.directions.len() { direction * 2 + usize::from(!forwards) } else { return None };
        let next = *self.steps.get(cell.checked_mul(ways)?.checked_add(way)?)?;
        (next != NONE).then_some(usize::from(next))
    }

    /// The cells after a cell in a direction (index into [`ways`]), nearest first, up to the edge or a hole.
    pub fn ray(&self, cell: usize, way: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(cell), move |&at| self.step(way / 2, at, way.is_multiple_of(2))).skip(1)
    }

    /// The cells that share only a corner with the cell, by number; square grids only.
    pub fn diagonals(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        // Above left, above right, below left, below right.
        const WAYS: [(usize, bool); 4] = [(3, false), (2, true), (2, false), (3, true)];
        let square = matches!(self.shape, Shape::Square { .. });
        let step = move |&(direction, forwards): &(usize, bool)| self.step(direction, cell, forwards);
        WAYS.iter().filter(move |_| square).filter_map(step)
    }

    /// Length of the longest straight run through `cell` of cells with its value, at least 1; 0 for a hole. Unlike a
    /// line, a run ends at a hole: pieces with a gap between them are not in a row.
    #[inline]
    pub fn longest(&self, cell: usize, value: impl Fn(usize) -> i32) -> u32 {
        if self.is_hole(cell) {
            return 0;
        }
        let here = value(cell);
        let ways = self.directions.len() * 2;
        let run = |way: usize| {
            let (mut length, mut at) = (0, usize::from(self.steps[cell * ways + way]));
            // Terminates: every step moves on in one direction of a finite board.
            while at != usize::from(NONE) && value(at) == here {
                length += 1;
                at = usize::from(self.steps[at * ways + way]);
            }
            length
        };
        (0..ways).step_by(2).map(|way| 1 + run(way) + run(way + 1)).max().unwrap_or(1)
    }
}

impl Direction {
    fn new(way: &Way, places: &[Place]) -> Self {
        let (du, dv) = way.step;
        let mut keyed: Vec<(i32, i32, usize)> = places
            .iter()
            .enumerate()
            .filter(|(_, place)| !place.hole)
            .map(|(cell, place)| (place.u * way.across.0 + place.v * way.across.1, place.u * du + place.v * dv, cell))
            .collect();
        keyed.sort_unstable();
        let mut lines: Vec<Vec<u16>> = Vec::new();
        let mut line_of = vec![NONE; places.len()];
        let mut last = None;
        for (key, _, cell) in keyed {
            if last.replace(key) != Some(key) {
                lines.push(Vec::new());
            }
            line_of[cell] = to_u16(lines.len() - 1);
            if let Some(line) = lines.last_mut() {
                line.push(to_u16(cell));
            }
        }
        Self { name: way.name, lines, line_of }
    }
}

/// For each place the next cell in every direction, forwards and backwards.
fn steps(ways: &[Way], places: &[Place], lattice: &Lattice) -> Vec<u16> {
    let step = |place: &Place, way: &Way, sign: i32| {
        let (du, dv) = way.step;
        match lattice.get(place.u + sign * du, place.v + sign * dv) {
            Some(cell) if !place.hole && !places[cell].hole => to_u16(cell),
            _ => NONE,
        }
    };
    places.iter().flat_map(|p| ways.iter().flat_map(move |way| [step(p, way, 1), step(p, way, -1)])).collect()
}

/// The place at each point of the lattice of half steps.
struct Lattice {
    width: i32,
    height: i32,
    table: Vec<u16>,
}

impl Lattice {
    fn new(places: &[Place]) -> Self {
        let width = places.iter().map(|place| place.u + 1).max().unwrap_or(0);
        let height = places.iter().map(|place| place.v + 1).max().unwrap_or(0);
        let mut lattice = Self { width, height, table: vec![NONE; usize::try_from(width * height).unwrap_or(0)] };
        for (cell, place) in places.iter().enumerate() {
            if let Some(slot) = lattice.slot(place.u, place.v) {
                lattice.table[slot] = to_u16(cell);
            }
        }
        lattice
    }

    fn slot(&self, u: i32, v: i32) -> Option<usize> {
        if u < 0 || v < 0 || u >= self.width || v >= self.height {
            return None;
        }
        usize::try_from(v * self.width + u).ok()
    }

    fn get(&self, u: i32, v: i32) -> Option<usize> {
        self.slot(u, v).map(|slot| self.table[slot]).filter(|&cell| cell != NONE).map(usize::from)
    }
}

/// A direction on the lattice: the step to the next cell, and a measure that is constant along a line and grows
/// across lines.
struct Way {
    name: &'static str,
    step: (i32, i32),
    across: (i32, i32),
}

const fn way(name: &'static str, step: (i32, i32), across: (i32, i32)) -> Way {
    Way { name, step, across }
}

/// The ways out of a cell, by name: two for each direction of lines, forwards first.
#[must_use]
pub fn ways(shape: Shape) -> Vec<&'static str> {
    let name = |(du, dv): (i32, i32)| match (du.signum(), dv.signum()) {
        (0, 1) => "down",
        (0, _) => "up",
        (1, 0) => "right",
        (_, 0) => "left",
        (1, 1) => "down_right",
        (1, _) => "up_right",
        (_, 1) => "down_left",
        _ => "up_left",
    };
    directions(shape).iter().flat_map(|way| [name(way.step), name((-way.step.0, -way.step.1))]).collect()
}

/// The directions of a shape. Forwards is rightwards, and downwards for columns.
const fn directions(shape: Shape) -> &'static [Way] {
    match shape {
        Shape::Square { .. } => {
            const {
                &[
                    way("column", (0, 1), (1, 0)),
                    way("row", (1, 0), (0, 1)),
                    way("rising", (1, -1), (1, 1)),
                    way("falling", (1, 1), (1, -1)),
                ]
            }
        }
        Shape::Hex { .. } => {
            const { &[way("a", (2, 0), (0, 1)), way("b", (1, 1), (1, -1)), way("c", (1, -1), (1, 1))] }
        }
        Shape::Offset { .. } => {
            const { &[way("row", (2, 0), (0, 1)), way("rising", (1, -1), (1, 1)), way("falling", (1, 1), (1, -1))] }
        }
    }
}

/// All places of a shape, row by row.
fn outline(shape: Shape) -> Vec<Place> {
    if Geometry::places_of(shape) > MAX_PLACES as u64 {
        return Vec::new();
    }
    let place = |column: u16, row: u16, u: i32| {
        let (letter, number) = if matches!(shape, Shape::Hex { .. }) { (row, column) } else { (column, row) };
        Place { name: format!("{}{number}", letters(letter)), column, row, u, v: i32::from(row) - 1, hole: false }
    };
    let mut places = Vec::new();
    match shape {
        Shape::Square { columns, rows } => {
            for row in 1..=rows {
                places.extend((1..=columns).map(|column| place(column, row, i32::from(column) - 1)));
            }
        }
        Shape::Offset { columns, rows } => {
            for row in 1..=rows {
                // Odd rows are shifted half a cell to the right: above cell x of an odd row are x and x + 1 of the
                // even row, above cell x of an even row are x - 1 and x of the odd row.
                let shift = i32::from(row % 2);
                places.extend((1..=columns).map(|column| place(column, row, 2 * (i32::from(column) - 1) + shift)));
            }
        }
        Shape::Hex { side: 0 } => {}
        Shape::Hex { side } => {
            for row in 1..2 * side {
                let shift = i32::from(side.abs_diff(row));
                let length = to_u16(hex_row_length(usize::from(side), usize::from(row)));
                places.extend((1..=length).map(|column| place(column, row, 2 * (i32::from(column) - 1) + shift)));
            }
        }
    }
    places
}

/// Number of cells in a row (from 1) of a hexagon.
const fn hex_row_length(side: usize, row: usize) -> usize {
    2 * side - 1 - side.abs_diff(row)
}

fn neighbours(shape: Shape, places: &[Place], lattice: &Lattice) -> Vec<Vec<u16>> {
    let steps: &[(i32, i32)] = match shape {
        Shape::Square { .. } => &[(0, -1), (-1, 0), (1, 0), (0, 1)],
        Shape::Hex { .. } | Shape::Offset { .. } => &[(-1, -1), (1, -1), (-2, 0), (2, 0), (-1, 1), (1, 1)],
    };
    let around = |place: &Place| {
        if place.hole {
            return Vec::new();
        }
        let beside = steps.iter().filter_map(|&(du, dv)| lattice.get(place.u + du, place.v + dv));
        beside.filter(|&cell| !places[cell].hole).map(to_u16).collect()
    };
    places.iter().map(around).collect()
}

/// A number from 1 as letters: a to z, aa, ab ...
fn letters(number: u16) -> String {
    let mut rest = u32::from(number);
    let mut reversed = Vec::new();
    while rest > 0 {
        rest -= 1;
        reversed.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
    }
    reversed.iter().rev().collect()
}

/// The number of these letters; `None`: not in this notation.
fn letters_value(text: &str) -> Option<u16> {
    if text.is_empty() {
        return None;
    }
    text.bytes().try_fold(0_u16, |value, byte| {
        byte.is_ascii_lowercase().then_some(())?;
        value.checked_mul(26)?.checked_add(u16::from(byte - b'a') + 1)
    })
}

/// Cells, lines and lengths are below [`MAX_PLACES`]; anything larger becomes [`NONE`].
fn to_u16(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(NONE)
}

#[cfg(test)]
mod tests;
