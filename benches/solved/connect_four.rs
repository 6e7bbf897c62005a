//! Connect Four after ply 14, where a solver knows the result of each choice.

use std::time::Instant;

use motherlode::Match;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::{bot_of, choice_of, load, share};

/// Plies before the measured decision.
const PLIES: usize = 14;

/// Plays positions from random games of the seeds from `first`.
pub fn measure(kind: &str, games: f64, first: u64) {
    let game = load("connect_four");
    let mut positions = Vec::new();
    let mut solver = Solver::default();
    let wanted = (500.0 * games) as usize;
    for seed in first.. {
        if positions.len() == wanted {
            break;
        }
        let mut generator = Pcg64Mcg::seed_from_u64(seed);
        let mut m = Match::new(&game, &game.setup(None, &[], seed).expect("two players")).expect("a match");
        let mut board = Board::default();
        for _ in 0..PLIES {
            if m.is_over() {
                break;
            }
            let index = generator.random_range(0..m.choices().len());
            board = board.after(m.choices()[index] as usize - 1);
            m.answer(index).expect("a legal answer");
        }
        if m.is_over() {
            continue;
        }
        let results: Vec<i32> =
            m.choices().iter().map(|column| solver.result_after(board, *column as usize - 1)).collect();
        if results.iter().min() != results.iter().max() {
            positions.push((m, results));
        }
    }
    for budget in [1000, 10_000] {
        let (mut spoiled, begin) = (0, Instant::now());
        for (seed, (m, results)) in (0..).zip(&positions) {
            let chosen = choice_of(&mut *bot_of(kind, budget, &game, seed), m);
            spoiled += u32::from(Some(&results[chosen]) != results.iter().max());
        }
        let spent = begin.elapsed().as_secs_f64() * 1000.0 / positions.len() as f64;
        println!(
            "connect_four  {kind}:{budget:<6} spoiled {}, {spent:.0} ms a decision",
            share(spoiled, positions.len() as u32)
        );
    }
    let (mut centre, count) = (0, (60.0 * games) as u64);
    for seed in 0..count {
        let m = Match::new(&game, &game.setup(None, &[], seed).expect("two players")).expect("a match");
        let chosen = choice_of(&mut *bot_of(kind, 10_000, &game, seed), &m);
        centre += u32::from(m.choices()[chosen] == 4);
    }
    println!("connect_four  {kind}:10000  opens in the centre {}", share(centre, count as u32));
}

/// The bottom cell of each column, in seven bits for each column.
const BOTTOM: u64 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42;
const COLUMN: u64 = 0x3f;
const CELLS: u64 = BOTTOM * COLUMN;

/// A position: the discs of the player on turn and all discs.
#[derive(Clone, Copy, Default)]
struct Board {
    own: u64,
    all: u64,
}

impl Board {
    /// The cells where a disc can land.
    fn landings(self) -> u64 {
        (self.all + BOTTOM) & CELLS
    }

    fn drop(self, cell: u64) -> Self {
        Self { own: self.own ^ self.all, all: self.all | cell }
    }

    fn after(self, column: usize) -> Self {
        self.drop(self.landings() & (COLUMN << (7 * column)))
    }

    /// The free cells that complete four in a line of these discs.
    fn gaps(self, discs: u64) -> u64 {
        let up = (discs << 1) & (discs << 2) & (discs << 3);
        let gaps = [6, 7, 8].into_iter().fold(up, |gaps, step| {
            let (right, left) = ((discs << step) & (discs << (2 * step)), (discs >> step) & (discs >> (2 * step)));
            let ends = right & (discs << (3 * step)) | left & (discs >> (3 * step));
            gaps | ends | right & (discs >> step) | left & (discs << step)
        });
        gaps & CELLS & !self.all
    }

    /// Whether the player on turn wins at once.
    fn wins(self) -> bool {
        self.gaps(self.own) & self.landings() != 0
    }
}

/// Alpha-beta search for won, drawn or lost, as in Pons, "Solving Connect 4: how to build a perfect AI" (2015).
struct Solver {
    /// Positions with the bounds of their results.
    known: Vec<(u64, i8, i8)>,
}

impl Default for Solver {
    fn default() -> Self {
        Self { known: vec![(0, -1, 1); 1 << 23] }
    }
}

impl Solver {
    /// The result for the player who drops a disc: 1 won, 0 drawn, -1 lost.
    fn result_after(&mut self, board: Board, column: usize) -> i32 {
        let cell = board.landings() & (COLUMN << (7 * column));
        if board.gaps(board.own) & cell != 0 {
            return 1;
        }
        let next = board.drop(cell);
        -i32::from(if next.wins() { 1 } else { self.solve(next, -1, 1) })
    }

    /// The result for the player on turn, who cannot win at once.
    fn solve(&mut self, board: Board, mut alpha: i8, mut beta: i8) -> i8 {
        const ORDER: [usize; 7] = [3, 2, 4, 1, 5, 0, 6];
        let landings = board.landings();
        if landings == 0 {
            return 0;
        }
        let threats = board.gaps(board.own ^ board.all);
        let forced = landings & threats;
        // No disc may land below a cell where the other player wins.
        let safe = if forced == 0 { landings } else { forced } & !(threats >> 1);
        if forced.count_ones() > 1 || safe == 0 {
            return -1;
        }
        let key = board.own + board.all + BOTTOM;
        let slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 41) as usize;
        let (_, mut least, mut most) = Some(self.known[slot]).filter(|known| known.0 == key).unwrap_or((key, -1, 1));
        (alpha, beta) = (alpha.max(least), beta.min(most));
        if alpha >= beta {
            return alpha;
        }
        let mut cells: Vec<u64> = ORDER.iter().map(|column| safe & (COLUMN << (7 * column))).collect();
        cells.retain(|cell| *cell != 0);
        cells.sort_by_key(|cell| std::cmp::Reverse(board.gaps(board.own | cell).count_ones()));
        let (begin, mut best) = (alpha, -1);
        for cell in cells {
            best = best.max(-self.solve(board.drop(cell), -beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        if best <= begin {
            most = best;
        } else {
            least = best;
            most = if best >= beta { most } else { best };
        }
        self.known[slot] = (key, least, most);
        best
    }
}
