//! Connect Four: seven columns of six, four in a line win, a full board is a draw.
//!
//! The board is an array, the list of legal moves is reused, and only lines through the last disc are tested.

use super::{SplitMix64, Twin, ranks_by, square_cell};

const COLUMNS: usize = 7;
const ROWS: usize = 6;
const LINE: usize = 4;

/// A game of Connect Four.
#[derive(Debug, Clone)]
pub struct ConnectFour {
    /// 0 for a free cell, 1 or 2 for a disc of that player; row by row from the bottom.
    board: [u8; COLUMNS * ROWS],
    height: [u8; COLUMNS],
    moves: Vec<u32>,
    player: u8,
    winner: u8,
}

impl ConnectFour {
    /// Game with an empty board. The game has no chance; the seed is a parameter because other twins need one.
    pub fn new(_seed: u64) -> Self {
        let mut game = Self {
            board: [0; COLUMNS * ROWS],
            height: [0; COLUMNS],
            moves: Vec::with_capacity(COLUMNS),
            player: 1,
            winner: 0,
        };
        game.list_moves();
        game
    }

    /// Empties the board.
    fn begin(&mut self) {
        self.board = [0; COLUMNS * ROWS];
        self.height = [0; COLUMNS];
        self.player = 1;
        self.winner = 0;
        self.list_moves();
    }

    #[inline]
    fn list_moves(&mut self) {
        self.moves.clear();
        for (column, &height) in self.height.iter().enumerate() {
            if usize::from(height) < ROWS {
                self.moves.push(column as u32);
            }
        }
    }

    /// Drops a disc, and then every disc that has a single column left: a single choice is not asked.
    #[inline]
    fn drop_disc(&mut self, column: usize) {
        self.drop_one(column);
        while let [only] = self.moves[..] {
            self.drop_one(only as usize);
        }
    }

    #[inline]
    fn drop_one(&mut self, column: usize) {
        let row = usize::from(self.height[column]);
        self.board[row * COLUMNS + column] = self.player;
        self.height[column] += 1;
        if self.wins(column, row) {
            self.winner = self.player;
            self.moves.clear();
        } else {
            self.player = 3 - self.player;
            self.list_moves();
        }
    }

    /// Whether the last disc is part of a line of four.
    #[inline]
    fn wins(&self, column: usize, row: usize) -> bool {
        [(1, 0), (0, 1), (1, 1), (1, -1)]
            .into_iter()
            .any(|(dx, dy)| 1 + self.run(column, row, dx, dy) + self.run(column, row, -dx, -dy) >= LINE)
    }

    /// Number of the player's discs from this cell (not counted) in one direction.
    #[inline]
    fn run(&self, column: usize, row: usize, dx: isize, dy: isize) -> usize {
        let (mut x, mut y) = (column as isize + dx, row as isize + dy);
        let mut length = 0;
        while (0..COLUMNS as isize).contains(&x)
            && (0..ROWS as isize).contains(&y)
            && self.board[y as usize * COLUMNS + x as usize] == self.player
        {
            length += 1;
            x += dx;
            y += dy;
        }
        length
    }
}

impl Twin for ConnectFour {
    fn reset(&mut self, _seed: u64) {
        self.begin();
    }

    fn count(&self) -> usize {
        self.moves.len()
    }

    fn choices(&self, out: &mut Vec<u32>) {
        out.clone_from(&self.moves);
    }

    fn apply(&mut self, index: usize) {
        self.drop_disc(self.moves[index] as usize);
    }

    fn over(&self) -> bool {
        self.moves.is_empty()
    }

    /// Choices of the pack are the cells of its grid of columns: `a1` to `g1`.
    fn label(&self, index: usize) -> String {
        square_cell(self.moves[index] as usize, 0)
    }

    fn seat(&self) -> u8 {
        self.player - 1
    }

    fn ranks(&self) -> Vec<u8> {
        ranks_by(&self.scores())
    }

    fn scores(&self) -> Vec<i32> {
        vec![i32::from(self.winner == 1), i32::from(self.winner == 2)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{answer, labels};
    use super::*;

    fn played(columns: &str) -> ConnectFour {
        let mut game = ConnectFour::new(0);
        for column in columns.chars() {
            answer(&mut game, &format!("{column}1"));
        }
        game
    }

    #[test]
    fn four_in_a_line_win_in_every_direction() {
        for (columns, winner) in
            [("aabbccd", 1), ("abababa", 1), ("abbccdcddad", 1), ("gffeededdad", 1), ("gaabbccd", 2)]
        {
            let game = played(columns);
            assert!(game.over(), "{columns}");
            assert_eq!(game.winner, winner, "{columns}");
            assert_eq!(game.ranks(), if winner == 1 { [1, 2] } else { [2, 1] });
            assert_eq!(game.scores(), if winner == 1 { [1, 0] } else { [0, 1] });
        }
    }

    #[test]
    fn a_line_does_not_run_around_the_edge() {
        let game = played("eafagag");
        assert!(!game.over());
    }

    #[test]
    fn a_full_column_is_not_offered_and_a_full_board_is_a_draw() {
        let game = played("aaaaaa");
        assert_eq!(labels(&game), ["b1", "c1", "d1", "e1", "f1", "g1"]);
        let game = played("abababbababacdcdcddcdcdcefefeffefefe");
        assert!(game.over());
        assert_eq!((game.ranks(), game.scores()), (vec![1, 1], vec![0, 0]));
    }

    #[test]
    fn a_playout_ends() {
        let mut game = ConnectFour::new(0);
        let mut chance = SplitMix64::new(1);
        for _ in 0..100 {
            game.reset(0);
            let decisions = game.playout(&mut chance);
            assert!((7..=42).contains(&decisions) && game.over());
        }
    }
}
