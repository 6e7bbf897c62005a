//! Counters in observations: numbers, planes of boards, and sums over tokens.

use motherlode::declare::{Counter, Declarations, Domain, Holder, Visibility};
use motherlode::tools::{Layout, changed_words};

use super::numbers::Numbers;
use super::part::{Parts, View, bounds, definition_name, rows};

/// Maximum values of a counter with one number for each value.
const MOST_VALUES: usize = 40;

/// Whether some seat sees the counter.
fn is_shown(counter: &Counter) -> bool {
    !counter.internal && matches!(counter.visible, Visibility::Public | Visibility::Owner)
}

/// The numbers of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Code {
    /// The value itself.
    Plain,
    /// One number for each value.
    Values(usize),
    /// One number for each seat, from the observing one.
    Seat(usize),
    /// Whether the value names anything.
    Thing,
    /// One number for each cell of a board.
    Cell(usize),
}

impl Code {
    fn new(d: &Declarations, layout: &Layout, counter: &Counter) -> Self {
        let values = match counter.means {
            Domain::Player => return Self::Seat(layout.players),
            Domain::Token => return Self::Thing,
            Domain::Cell(grid) if d.grids[grid].per != Holder::Player => {
                let cells = layout.grids[grid].places();
                return if cells <= MOST_VALUES { Self::Cell(cells) } else { Self::Thing };
            }
            Domain::Cell(_) => return Self::Thing,
            Domain::Definition(kind) => d.definitions_of(kind).len() + 1,
            Domain::Number => counter.values.len(),
        };
        if (2..=MOST_VALUES).contains(&values) { Self::Values(values) } else { Self::Plain }
    }

    const fn width(self) -> usize {
        match self {
            Self::Plain | Self::Thing => 1,
            Self::Values(len) | Self::Seat(len) | Self::Cell(len) => len,
        }
    }

    fn bounds(self, d: &Declarations, counter: usize) -> (f32, f32) {
        if self == Self::Plain { bounds(d, counter) } else { (0.0, 1.0) }
    }

    /// Names of its numbers; empty if these have none.
    fn names(self, d: &Declarations, counter: &Counter) -> Vec<String> {
        match (self, counter.means) {
            (Self::Values(_), Domain::Definition(kind)) => {
                let of_kind = d.definitions_of(kind).iter().map(|definition| definition_name(d, definition));
                std::iter::once("none".to_owned()).chain(of_kind).collect()
            }
            (Self::Values(_), _) => counter.values.clone(),
            _ => Vec::new(),
        }
    }

    /// Writes a value from index `at`; consecutive numbers are `stride` apart.
    #[inline(always)]
    fn write(self, value: i32, view: &View<'_>, (at, stride): (usize, usize), out: &mut (impl Numbers + ?Sized)) {
        match self {
            Self::Plain => out.set(at, value as f32),
            Self::Thing => out.set(at, f32::from(u8::from(value != 0))),
            code => {
                if let Some(index) = code.index(value, view) {
                    out.set(at + index * stride, 1.0);
                }
            }
        }
    }

    /// The number of a value that is 1; `None`: it has none, or the only number of the code tells the value.
    #[inline(always)]
    fn index(self, value: i32, view: &View<'_>) -> Option<usize> {
        match self {
            Self::Plain | Self::Thing => None,
            Self::Values(len) => usize::try_from(value).ok().filter(|&index| index < len),
            Self::Cell(len) => usize::try_from(value - 1).ok().filter(|&index| index < len),
            Self::Seat(_) => {
                let seat = usize::try_from(value - 1).ok().filter(|&seat| seat < view.players);
                seat.map(|seat| view.row_of(seat))
            }
        }
    }
}

/// A counter of the game or of players.
#[derive(Debug)]
pub(super) struct CounterPart {
    /// Word of the first holder.
    word: usize,
    is_player: bool,
    visible: Visibility,
    code: Code,
    out: usize,
}

impl CounterPart {
    pub fn new(d: &Declarations, layout: &Layout, index: usize, parts: &mut Parts) -> Option<Self> {
        let (name, counter) = d.counters.get_index(index)?;
        let is_player = counter.per == Holder::Player;
        if !is_shown(counter) || !is_player && (counter.per != Holder::Game || counter.visible != Visibility::Public) {
            return None;
        }
        let code = Code::new(d, layout, counter);
        let (low, high) = code.bounds(d, index);
        // Others never see a counter of its owner.
        let seats = if counter.visible == Visibility::Public { rows(counter.per, layout.players) } else { 1 };
        let shape = if seats > 1 { vec![seats, code.width()] } else { vec![code.width()] };
        let out = parts.add(format!("counter:{name}"), &shape, low.min(0.0), high);
        parts.name_columns(code.names(d, counter));
        Some(Self { word: layout.counters[index].offset, is_player, visible: counter.visible, code, out })
    }

    pub fn write(&self, view: &View<'_>, out: &mut (impl Numbers + ?Sized)) {
        if !self.is_player {
            self.code.write(view.sight.words[self.word], view, (self.out, 1), out);
            return;
        }
        if self.code == Code::Plain && self.visible == Visibility::Public {
            // Most counters are plain. The rows begin with the observing seat.
            let words = &view.sight.words[self.word..self.word + view.players];
            let (before, from) = words.split_at(view.me);
            out.set_all(self.out, from);
            out.set_all(self.out + from.len(), before);
            return;
        }
        let width = self.code.width();
        for seat in 0..view.players {
            let row = view.row_of(seat);
            if view.sees(self.visible, row) {
                self.code.write(view.sight.words[self.word + seat], view, (self.out + row * width, 1), out);
            }
        }
    }
}

/// A word of a board without a cell.
const NO_CELL: u32 = u32::MAX;

/// A counter of cells: planes of rows and columns.
#[derive(Debug)]
pub(super) struct BoardPart {
    /// Word of the first cell.
    word: usize,
    /// Places of one board.
    places: usize,
    is_player: bool,
    visible: Visibility,
    code: Code,
    /// For each cell its word after the first, and its index in a plane.
    cells: Vec<(u32, u32)>,
    /// For each word of one board the index in a plane; [`NO_CELL`] if there is no cell.
    places_of_words: Vec<u32>,
    /// Numbers of a plane.
    plane: usize,
    out: usize,
}

impl BoardPart {
    pub fn new(d: &Declarations, layout: &Layout, index: usize, parts: &mut Parts) -> Option<Self> {
        let (name, counter) = d.counters.get_index(index)?;
        let Holder::Cell(grid) = counter.per else { return None };
        let is_player = d.grids[grid].per == Holder::Player;
        if !is_shown(counter) || !is_player && counter.visible != Visibility::Public {
            return None;
        }
        let geometry = &layout.grids[grid];
        let (columns, lines) = (usize::from(geometry.extent().0), usize::from(geometry.extent().1));
        let place = |&cell: &u16| {
            let (x, y) = (u32::from(geometry.x(cell.into())), u32::from(geometry.y(cell.into())));
            (u32::from(cell), (y - 1) * columns as u32 + x - 1)
        };
        let code = match Code::new(d, layout, counter) {
            // A plane for each cell of a board would be too much.
            Code::Cell(_) => Code::Thing,
            code => code,
        };
        let (low, high) = code.bounds(d, index);
        let mut shape = vec![code.width(), lines, columns];
        if is_player && counter.visible == Visibility::Public {
            shape.insert(0, layout.players);
        }
        let out = parts.add(format!("board:{name}"), &shape, low.min(0.0), high);
        let cells: Vec<(u32, u32)> = geometry.cells().iter().map(place).collect();
        let mut places_of_words = vec![NO_CELL; geometry.places()];
        cells.iter().for_each(|&(cell, place)| places_of_words[cell as usize] = place);
        Some(Self {
            word: layout.counters[index].offset,
            places: geometry.places(),
            is_player,
            visible: counter.visible,
            code,
            cells,
            places_of_words,
            plane: columns * lines,
            out,
        })
    }

    pub fn write(&self, view: &View<'_>, out: &mut (impl Numbers + ?Sized)) {
        let boards = if self.is_player { view.players } else { 1 };
        for seat in 0..boards {
            let row = if self.is_player { view.row_of(seat) } else { 0 };
            if !view.sees(self.visible, row) {
                continue;
            }
            let words = &view.sight.words[self.word + seat * self.places..][..self.places];
            let first = self.out + row * self.code.width() * self.plane;
            let cells = self.cells.iter().map(|&(cell, place)| (words[cell as usize], first + place as usize));
            // Most cells of such a board have 0, as the row has.
            match self.code {
                Code::Plain => cells.filter(|cell| cell.0 != 0).for_each(|(value, at)| out.set(at, value as f32)),
                Code::Thing => cells.filter(|cell| cell.0 != 0).for_each(|(_, at)| out.set(at, 1.0)),
                code => cells.for_each(|(value, at)| code.write(value, view, (at, self.plane), out)),
            }
        }
    }

    /// The words of all its boards.
    pub fn words<'a>(&self, view: &View<'a>) -> &'a [i32] {
        let boards = if self.is_player { view.players } else { 1 };
        &view.sight.words[self.word..][..boards * self.places]
    }

    /// Writes the cells that differ from the observation of seat `me` with the words `old`, which `out` shows.
    pub fn update(&self, (me, old): (usize, &[i32]), view: &View<'_>, out: &mut [f32]) {
        let before = View { sight: view.sight, me, players: view.players };
        let words = self.words(view);
        if !self.is_player && matches!(self.code, Code::Seat(_)) && me != view.me {
            out[self.out..][..self.code.width() * self.plane].fill(0.0);
            return self.write(view, out);
        }
        let boards = if self.is_player { view.players } else { 1 };
        for row in (0..boards).filter(|&row| view.sees(self.visible, row)) {
            let first = self.out + row * self.code.width() * self.plane;
            if self.is_player && matches!(self.code, Code::Seat(_)) && me != view.me {
                let board = &words[view.seat_of(row) * self.places..][..self.places];
                out[first..][..self.code.width() * self.plane].fill(0.0);
                for &(cell, place) in &self.cells {
                    self.code.write(board[cell as usize], view, (first + place as usize, self.plane), out);
                }
                continue;
            }
            // The board of the row may have been that of another seat: most of their cells are equal, too.
            let [from, to] = if self.is_player { [before.seat_of(row), view.seat_of(row)] } else { [0, 0] };
            let (from, to) = (&old[from * self.places..][..self.places], &words[to * self.places..][..self.places]);
            changed_words(from, to, 0..self.places, |cell, value| {
                let place = self.places_of_words[cell as usize];
                if place != NO_CELL {
                    let at = first + place as usize;
                    if let Some(index) = self.code.index(from[cell as usize], &before) {
                        out[at + index * self.plane] = 0.0;
                    }
                    self.code.write(value, view, (at, self.plane), out);
                }
            });
        }
    }
}

/// A counter of tokens: its sum for each definition.
#[derive(Debug)]
pub(super) struct TokenPart {
    counter: usize,
    /// Word and number of the first token, and the number of tokens.
    word: usize,
    first: i32,
    len: usize,
    /// Whether the value names a thing, so that its number has no meaning.
    is_thing: bool,
    /// For each definition its column; [`NONE`] without the counter.
    columns: Vec<u16>,
    out: usize,
}

/// No column.
const NONE: u16 = u16::MAX;

impl TokenPart {
    pub fn new(d: &Declarations, layout: &Layout, index: usize, parts: &mut Parts) -> Option<Self> {
        let (name, counter) = d.counters.get_index(index)?;
        if !matches!(counter.per, Holder::Token(_)) || !is_shown(counter) {
            return None;
        }
        let mut columns = vec![NONE; d.definitions.len()];
        let mut width = 0;
        let mut names = Vec::new();
        for (column, definition) in columns.iter_mut().zip(&d.definitions) {
            if d.is_of(counter.per, definition.kind) {
                *column = width;
                width += 1;
                names.push(definition_name(d, definition));
            }
        }
        let slot = &layout.counters[index];
        let out = parts.add(format!("tokens:{name}"), &[width.into()], f32::NEG_INFINITY, f32::INFINITY);
        parts.name_columns(names);
        let is_thing = !matches!(counter.means, Domain::Number);
        Some(Self { counter: index, word: slot.offset, first: slot.first, len: slot.len, is_thing, columns, out })
    }

    pub fn write(&self, view: &View<'_>, out: &mut (impl Numbers + ?Sized)) {
        let sight = &view.sight;
        let words = &sight.words[self.word..self.word + self.len];
        for (token, &value) in (self.first..).zip(words).filter(|(_, value)| **value != 0) {
            let Some(info) = sight.layout.tokens.get((token - 1) as usize) else { continue };
            let column = self.columns.get(info.definition).copied().unwrap_or(NONE);
            // A public counter of a hidden token must not tell its definition.
            if column == NONE
                || sight.pile_of(token).is_none()
                || !sight.identifies(token)
                || !sight.sees_counter(self.counter, token)
            {
                continue;
            }
            out.add(self.out + usize::from(column), if self.is_thing { 1.0 } else { value as f32 });
        }
    }
}
