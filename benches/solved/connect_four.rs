//! Connect Four after ply 14, where a solver knows the result of each choice.

use std::collections::HashMap;
use std::time::Instant;

use motherlode::Match;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::{bot_of, choice_of, load, share};

/// Plies before the measured decision.
const PLIES: usize = 14;

pub fn measure(kind: &str, games: f64) {
    let game = load("connect_four");
    let mut positions = Vec::new();
    let mut solver = Solver::default();
    let wanted = (200.0 * games) as usize;
    for seed in 0.. {
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

/// A position: the discs of the player on turn and all discs, seven bits for each column.
#[derive(Clone, Copy, Default)]
struct Board {
    own: u64,
    all: u64,
}

impl Board {
    fn landing(self, column: usize) -> u64 {
        (self.all + (1 << (column * 7))) & (0x3f << (column * 7))
    }

    fn after(self, column: usize) -> Self {
        Self { own: self.own ^ self.all, all: self.all | self.landing(column) }
    }

    fn wins(self, column: usize) -> bool {
        let discs = self.own | self.landing(column);
        [1, 6, 7, 8].into_iter().any(|step| {
            let pairs = discs & (discs >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
    }
}

/// Alpha-beta search for won, drawn or lost.
#[derive(Default)]
struct Solver {
    /// Bounds of the results of positions.
    known: HashMap<(u64, u64), (i8, i8)>,
}

impl Solver {
    /// The result for the player who drops a disc: 1 won, 0 drawn, -1 lost.
    fn result_after(&mut self, board: Board, column: usize) -> i32 {
        if board.wins(column) {
            return 1;
        }
        -i32::from(self.solve(board.after(column), -1, 1))
    }

    fn solve(&mut self, board: Board, mut alpha: i8, mut beta: i8) -> i8 {
        const ORDER: [usize; 7] = [3, 2, 4, 1, 5, 0, 6];
        let open = || ORDER.into_iter().filter(|column| board.landing(*column) != 0);
        if open().next().is_none() {
            return 0;
        }
        if open().any(|column| board.wins(column)) {
            return 1;
        }
        let key = (board.own, board.all);
        if let Some(&(least, most)) = self.known.get(&key) {
            (alpha, beta) = (alpha.max(least), beta.min(most));
            if alpha >= beta {
                return alpha;
            }
        }
        let (begin, mut best) = (alpha, -1);
        for column in open() {
            best = best.max(-self.solve(board.after(column), -beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        let (least, most) = if best <= begin {
            (-1, best)
        } else if best >= beta {
            (best, 1)
        } else {
            (best, best)
        };
        let known = self.known.entry(key).or_insert((-1, 1));
        *known = (known.0.max(least), known.1.min(most));
        best
    }
}
