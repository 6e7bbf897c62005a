//! A value of the lines of a board, which a search learns from its own playouts.
//!
//! Random playouts misjudge positions whose result depends on who must fill the last cells. So the playouts follow a
//! value that they improve themselves (Silver, Sutton and Müller, "Temporal-difference search in computer Go", 2012).
//! The value is a sum of weights, one for each pattern of each window of four cells on a line, through a sigmoid.

use std::collections::BTreeSet;

use motherlode::declare::{Counter, Declarations, Domain, Goal, Holder, Visibility};
use motherlode::{Game, Match};

use crate::value::board::{MOST_CELLS, lines};

/// Cells of a window; shorter lines are one window.
const LENGTH: usize = 4;
/// Maximum values of a cell.
const MOST_VALUES: usize = 4;
/// Seats whose results sum to one, so that one value serves both.
const SEATS: usize = 2;
/// One cell of so many must be filled: on an almost empty board, patterns predict too little.
const FILLED: usize = 4;
/// Step size (AdaGrad: Duchi, Hazan and Singer, 2011).
const RATE: f32 = 0.03;
/// Initial sum of squared gradients of each weight.
const FIRST_SQUARE: f32 = 1e-3;

/// The chance of the first seat in a game for two on a shared board.
#[derive(Default)]
pub(crate) struct LineValue {
    game: Option<Game>,
    windows: Vec<Window>,
    /// The words of all cells of the windows.
    cells: BTreeSet<u32>,
    /// For each seat to move, the weight of each pattern, then that of the bias.
    weights: Vec<f32>,
    /// The sums of squared gradients.
    squares: Vec<f32>,
    /// The patterns of the noted positions, and the end of each position in this list.
    patterns: Vec<u32>,
    ends: Vec<usize>,
}

/// Some cells in a line.
struct Window {
    /// The words of the cells.
    words: Vec<u32>,
    /// Values of a cell.
    values: u32,
    /// Index of its first pattern.
    first: u32,
}

impl LineValue {
    /// Forgets what was learned, before a decision of this match. Returns whether the position has lines to learn.
    pub fn begin_decision(&mut self, m: &Match) -> bool {
        let outcome = &m.game().declarations().outcome;
        if usize::from(m.setup().players) != SEATS || outcome.goal != Goal::Rank || outcome.shared {
            return false;
        }
        if self.game.as_ref().is_none_or(|game| game.fingerprint() != m.game().fingerprint()) {
            let first = Match::new(m.game(), m.setup());
            self.windows = first.map_or_else(|_| Vec::new(), |first| windows(m.game(), first.state().words()));
            self.cells = self.windows.iter().flat_map(|window| window.words.iter().copied()).collect();
            self.game = Some(m.game().clone());
        }
        let len = SEATS * self.patterns_of_seat();
        self.weights.clear();
        self.weights.resize(len, 0.0);
        self.squares.clear();
        self.squares.resize(len, FIRST_SQUARE);
        !self.windows.is_empty() && is_filled(self.cells.iter().copied(), m.state().words())
    }

    /// Forgets the noted positions, before a playout.
    pub fn begin_playout(&mut self) {
        self.patterns.clear();
        self.ends.clear();
    }

    /// Notes a position of the playout.
    pub fn note(&mut self, m: &Match) {
        let mut patterns = std::mem::take(&mut self.patterns);
        self.each_pattern(m, |pattern| patterns.push(pattern));
        self.patterns = patterns;
        self.ends.push(self.patterns.len());
    }

    /// The value of a position for a seat.
    pub fn value(&self, m: &Match, seat: u8) -> f32 {
        let mut sum = 0.0;
        self.each_pattern(m, |pattern| sum += self.weights[pattern as usize]);
        if seat == 0 { sigmoid(sum) } else { 1.0 - sigmoid(sum) }
    }

    /// Learns the result of the playout for the first seat at all noted positions.
    pub fn learn(&mut self, result: f64) {
        let mut end = self.patterns.len();
        for start in self.ends.iter().rev().skip(1).copied().chain([0]) {
            let patterns = &self.patterns[start..end];
            let error = result as f32 - sigmoid(patterns.iter().map(|&pattern| self.weights[pattern as usize]).sum());
            for &pattern in patterns {
                let square = &mut self.squares[pattern as usize];
                *square += error * error;
                self.weights[pattern as usize] += RATE * error / square.sqrt();
            }
            end = start;
        }
    }

    fn patterns_of_seat(&self) -> usize {
        self.windows.last().map_or(0, |last| last.first as usize + last.patterns()) + 1
    }

    /// Calls `of` with every pattern that is not empty, and with the bias.
    fn each_pattern(&self, m: &Match, mut of: impl FnMut(u32)) {
        let words = m.state().words();
        let len = self.patterns_of_seat() as u32;
        let from = m.decision().map_or(0, |decision| u32::from(decision.seat) * len);
        for window in &self.windows {
            let value =
                |&word: &u32| u32::try_from(words[word as usize]).map_or(0, |value| value.min(window.values - 1));
            let pattern = window.words.iter().fold(0, |pattern, word| pattern * window.values + value(word));
            if pattern != 0 {
                of(from + window.first + pattern);
            }
        }
        of(from + len - 1);
    }
}

impl Window {
    fn patterns(&self) -> usize {
        (self.values as usize).pow(self.words.len() as u32)
    }
}

/// The windows of all shared boards that players fill: in the first position, they are almost empty.
fn windows(game: &Game, begin: &[i32]) -> Vec<Window> {
    let (d, layout) = (game.declarations(), game.layout());
    let mut all = Vec::new();
    let mut first = 0;
    for (counter, slot) in d.counters.values().zip(&layout.counters) {
        let (Holder::Cell(grid), Some(values)) = (counter.per, values(d, counter)) else { continue };
        let is_shared = d.grids[grid].per != Holder::Player && counter.visible == Visibility::Public;
        let cells = layout.grids[grid].cells().iter().map(|&cell| slot.offset as u32 + u32::from(cell));
        if !is_shared || counter.internal || slot.len > MOST_CELLS || is_filled(cells, begin) {
            continue;
        }
        for line in lines(&layout.grids[grid]) {
            for cells in line.windows(LENGTH.min(line.len())) {
                let words = cells.iter().map(|&cell| slot.offset as u32 + u32::from(cell)).collect();
                let window = Window { words, values, first };
                first += window.patterns() as u32;
                all.push(window);
            }
        }
    }
    all
}

/// Whether enough of the cells with these words are filled.
fn is_filled(cells: impl Iterator<Item = u32>, words: &[i32]) -> bool {
    let (mut all, mut filled) = (0, 0);
    for cell in cells {
        all += 1;
        filled += usize::from(words[cell as usize] != 0);
    }
    filled * FILLED >= all
}

/// The values of a cell, if they are few.
fn values(d: &Declarations, counter: &Counter) -> Option<u32> {
    let values = match counter.means {
        Domain::Player => usize::from(d.players.max) + 1,
        Domain::Number => counter.values.len(),
        _ => 0,
    };
    (2..=MOST_VALUES).contains(&values).then_some(values as u32)
}

fn sigmoid(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::noughts;

    /// Noughts after some cells, given by their choices.
    fn after(game: &Game, choices: &[usize]) -> Match {
        let mut m = Match::new(game, &game.setup(None, &[], 1).unwrap()).unwrap();
        choices.iter().for_each(|&choice| m.answer(choice).unwrap());
        m
    }

    #[test]
    fn a_learned_result_spreads_to_positions_with_the_same_lines() {
        let game = noughts();
        let mut lines = LineValue::default();
        let (learned, like) = (after(&game, &[0, 7, 0]), after(&game, &[0, 6, 0]));
        assert!(lines.begin_decision(&learned));
        for _ in 0..20 {
            lines.begin_playout();
            lines.note(&learned);
            lines.learn(1.0);
        }
        let [sure, likely] = [&learned, &like].map(|m| lines.value(m, 0));
        assert!(0.5 < likely && likely < sure, "{likely} {sure}");
        assert!((sure + lines.value(&learned, 1) - 1.0).abs() < 1e-6, "one seat's chance is the other's risk");
        lines.begin_decision(&learned);
        assert_eq!(lines.value(&learned, 0), 0.5, "another decision begins without results");
    }

    #[test]
    fn every_noted_position_learns_the_result() {
        let game = noughts();
        let mut lines = LineValue::default();
        let positions = [after(&game, &[]), after(&game, &[0]), after(&game, &[0, 3])];
        lines.begin_decision(&positions[0]);
        lines.begin_playout();
        positions.iter().for_each(|m| lines.note(m));
        lines.learn(0.0);
        for m in &positions {
            assert!(lines.value(m, 0) < 0.5);
        }
    }
}
