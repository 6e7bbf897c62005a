//! Features of a shared board from one seat's side: who holds each cell, and the lines that only one side holds.
//!
//! Most rules about boards read runs of cells: four in a line wins, a wall of two blocks. A count of cells per value
//! does not see them.

use motherlode::declare::{Counter, Declarations, Domain, Holder, Visibility};
use motherlode::tools::{Geometry, Layout, TokenInfo};

/// Maximum cells of a board with features per cell.
pub(crate) const MOST_CELLS: usize = 128;
/// Lengths of the counted windows on a line.
const SHORTEST: usize = 2;
const LONGEST: usize = 5;
/// A cell held by another seat, beside 1 for a cell of one's own. Sums over a window keep both counts apart.
const OTHER: u16 = 1 << 8;

/// Features of one counter of a shared board.
#[derive(Debug)]
pub(super) struct BoardFeatures {
    name: String,
    /// Word of the first cell.
    offset: usize,
    len: usize,
    holder: CellHolder,
    /// Runs of cells without an edge or a hole in between, in every direction.
    lines: Vec<Vec<u16>>,
    /// Cells in the longest window.
    longest: usize,
    /// Index of the first feature.
    pub out: usize,
}

/// How a cell's value names its holder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CellHolder {
    /// The value is the number of a player.
    Player,
    /// The value is the number of a token, which belongs to a player.
    Token,
    /// The value names no holder, but two seats may see it from different sides: one feature for each value but 0.
    Side(usize),
}

impl CellHolder {
    fn of(d: &Declarations, counter: &Counter) -> Option<Self> {
        let players = usize::from(d.players.max);
        match counter.means {
            Domain::Player => Some(Self::Player),
            Domain::Token => Some(Self::Token),
            // Besides "none", one value for each player.
            Domain::Number if players > 1 && counter.values.len() == players + 1 => Some(Self::Player),
            Domain::Number if players == 2 => {
                Some(Self::Side(counter.values.len())).filter(|_| counter.values.len() > 1)
            }
            _ => None,
        }
    }

    /// Features of each cell.
    fn width(self) -> usize {
        match self {
            Self::Player | Self::Token => 1,
            Self::Side(values) => values - 1,
        }
    }
}

/// The features of all shared boards, without their indices.
pub(super) fn boards(d: &Declarations, layout: &Layout) -> Vec<BoardFeatures> {
    let of = |((name, counter), slot): ((&String, &Counter), &motherlode::tools::CounterSlot)| {
        let Holder::Cell(grid) = counter.per else { return None };
        let is_shared = d.grids[grid].per != Holder::Player && counter.visible == Visibility::Public;
        if counter.internal || !is_shared || slot.len > MOST_CELLS {
            return None;
        }
        let holder = CellHolder::of(d, counter)?;
        let lines = if matches!(holder, CellHolder::Side(_)) { Vec::new() } else { lines(&layout.grids[grid]) };
        let longest = lines.iter().map(Vec::len).max().unwrap_or(0).min(LONGEST);
        Some(BoardFeatures { name: name.clone(), offset: slot.offset, len: slot.len, holder, lines, longest, out: 0 })
    };
    d.counters.iter().zip(&layout.counters).filter_map(of).collect()
}

/// The runs of at least [`SHORTEST`] cells in every direction.
pub(crate) fn lines(geometry: &Geometry) -> Vec<Vec<u16>> {
    let mut lines = Vec::new();
    for direction in 0..geometry.directions().len() {
        let is_first = |cell: &&u16| geometry.step(direction, usize::from(**cell), false).is_none();
        for &first in geometry.cells().iter().filter(is_first) {
            let next = |&cell: &u16| geometry.step(direction, usize::from(cell), true).map(|cell| cell as u16);
            let line: Vec<u16> = std::iter::successors(Some(first), next).collect();
            if line.len() >= SHORTEST {
                lines.push(line);
            }
        }
    }
    lines
}

/// Features of windows of all lengths up to `longest`, for one side: one for each number of held cells.
const fn windows(longest: usize) -> usize {
    (longest * (longest + 1) / 2).saturating_sub(1)
}

impl BoardFeatures {
    /// The names of the features, in order.
    pub fn names(&self) -> Vec<String> {
        let Self { name, holder, .. } = self;
        let width = holder.width();
        let mut names: Vec<String> = (0..self.len * width)
            .map(|at| match holder {
                CellHolder::Side(_) => format!("{name}.{}.side={}", at / width, at % width + 1),
                _ => format!("{name}.{at}.side"),
            })
            .collect();
        if !self.lines.is_empty() {
            for turn in ["to move", "waiting"] {
                for side in ["own", "others"] {
                    for length in SHORTEST..=self.longest {
                        names.extend((1..=length).map(|held| format!("{name}.{side} {turn}={held} of {length}")));
                    }
                }
            }
        }
        names
    }

    /// Writes the features for a seat, which is to move or waits.
    pub fn fill(&self, words: &[i32], tokens: &[TokenInfo], me: usize, is_to_move: bool, out: &mut [f32]) {
        let (words, out) = (&words[self.offset..self.offset + self.len], &mut out[self.out..]);
        let me = me as i32 + 1;
        let owner = |value: i32| match self.holder {
            CellHolder::Token => tokens.get(value.wrapping_sub(1) as usize).map_or(0, |token| token.owner),
            _ => value,
        };
        if let CellHolder::Side(values) = self.holder {
            let sign = if me == 1 { 1.0 } else { -1.0 };
            for (cell, &value) in words.iter().enumerate() {
                if let Some(place) = usize::try_from(value.wrapping_sub(1)).ok().filter(|&place| place < values - 1) {
                    out[cell * (values - 1) + place] = sign;
                }
            }
            return;
        }
        let mut sides = [0u16; MOST_CELLS];
        for (cell, &value) in words.iter().enumerate().filter(|(_, value)| **value != 0) {
            (sides[cell], out[cell]) = match owner(value) {
                // A token of nobody blocks both sides.
                0 => (OTHER + 1, 0.0),
                of if of == me => (1, 1.0),
                _ => (OTHER, -1.0),
            };
        }
        if self.lines.is_empty() {
            return;
        }
        let side = windows(self.longest);
        let from = self.len + if is_to_move { 0 } else { 2 * side };
        for line in &self.lines {
            self.count(line, &sides, &mut out[from..from + 2 * side]);
        }
    }

    /// Counts the windows of a line that one side holds alone.
    fn count(&self, line: &[u16], sides: &[u16; MOST_CELLS], out: &mut [f32]) {
        let mut sums = [0u16; MOST_CELLS + 1];
        for (at, &cell) in line.iter().enumerate() {
            sums[at + 1] = sums[at] + sides[usize::from(cell)];
        }
        if sums[line.len()] == 0 {
            return;
        }
        let side = out.len() / 2;
        for length in SHORTEST..=self.longest.min(line.len()) {
            let before = windows(length - 1);
            for at in 0..=line.len() - length {
                let held = sums[at + length] - sums[at];
                let (own, others) = (usize::from(held % OTHER), usize::from(held / OTHER));
                match (own, others) {
                    (0, 0) => {}
                    (_, 0) => out[before + own - 1] += 1.0,
                    (0, _) => out[side + before + others - 1] += 1.0,
                    _ => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_one_side_count_for_that_side() {
        let board = BoardFeatures {
            name: "mark".to_owned(),
            offset: 0,
            len: 4,
            holder: CellHolder::Player,
            lines: vec![vec![0, 1, 2, 3]],
            longest: 4,
            out: 0,
        };
        let names = board.names();
        let counts = |cells: [i32; 4], me: usize, is_to_move: bool| {
            let mut out = vec![0.0; names.len()];
            board.fill(&cells, &[], me, is_to_move, &mut out);
            let counts = names.iter().zip(out).skip(4).filter(|(_, count)| *count != 0.0);
            counts.map(|(name, count)| format!("{name} x{count}")).collect::<Vec<_>>()
        };
        assert_eq!(
            counts([1, 1, 0, 0], 0, true),
            [
                "own to move=1 of 2 x1",
                "own to move=2 of 2 x1",
                "own to move=1 of 3 x1",
                "own to move=2 of 3 x1",
                "own to move=2 of 4 x1"
            ]
            .map(|name| format!("mark.{name}"))
        );
        assert_eq!(
            counts([1, 0, 2, 0], 1, false),
            ["mark.own waiting=1 of 2 x2", "mark.own waiting=1 of 3 x1", "mark.others waiting=1 of 2 x1",]
        );
        assert!(counts([0; 4], 0, true).is_empty());
    }
}
