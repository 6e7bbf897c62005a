//! Tic-tac-toe against a player who never loses and mixes all moves that keep the result.

use motherlode::Match;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::{bot_of, choice_of, load, share};

/// The cells: 0 free, 1 or 2 the mark of a player.
type Board = [i32; 9];

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

pub fn measure(kind: &str, games: f64) {
    let game = load("tictactoe");
    let count = (200.0 * games) as u64;
    for budget in [100, 200, 500, 1000, 10_000] {
        for own in [0, 1] {
            let (mut lost, mut won) = (0, 0);
            for seed in 0..count {
                let mut bot = bot_of(kind, budget, &game, seed);
                let mut generator = Pcg64Mcg::seed_from_u64(seed);
                let mut m = Match::new(&game, &game.setup(None, &[], seed).expect("two players")).expect("a match");
                while let Some(decision) = m.decision() {
                    let index = if decision.seat == own {
                        choice_of(&mut *bot, &m)
                    } else {
                        perfect_choice(&m, &mut generator)
                    };
                    m.answer(index).expect("a legal answer");
                }
                let scores = m.outcome().expect("the match is over").scores;
                lost += u32::from(scores[usize::from(1 - own)] > 0);
                won += u32::from(scores[usize::from(own)] > 0);
            }
            let seat = if own == 0 { "first" } else { "second" };
            println!("tictactoe     {kind}:{budget:<6} {seat:<6} lost {}, won {won}", share(lost, count as u32));
        }
    }
}

/// A random choice among those with the best result.
fn perfect_choice(m: &Match, generator: &mut Pcg64Mcg) -> usize {
    let mark = m.game().declarations().counters.get_index_of("mark").expect("the counter of the marks");
    let board: Board = std::array::from_fn(|cell| m.counter(cell as i32 + 1, mark).unwrap_or_default());
    let player = i32::from(m.decision().expect("a decision").seat) + 1;
    let results: Vec<i32> = m.choices().iter().map(|cell| result_after(board, *cell as usize - 1, player)).collect();
    let best = results.iter().copied().max().unwrap_or_default();
    let kept: Vec<usize> = (0..results.len()).filter(|at| results[*at] == best).collect();
    kept[generator.random_range(0..kept.len())]
}

/// The result for the player who marks the cell: 1 won, 0 drawn, -1 lost.
fn result_after(mut board: Board, cell: usize, player: i32) -> i32 {
    board[cell] = player;
    if LINES.iter().any(|line| line.iter().all(|at| board[*at] == player)) {
        return 1;
    }
    let free = (0..9).filter(|at| board[*at] == 0);
    free.map(|at| -result_after(board, at, 3 - player)).min().unwrap_or(0)
}
