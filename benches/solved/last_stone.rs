//! Nim with one heap: a position is won if the number of stones is no multiple of four.

use motherlode::Match;

use crate::{bot_of, choice_of, load, share};

pub fn measure(kind: &str, games: f64) {
    let game = load("last_stone");
    let heap = game.declarations().counters.get_index_of("heap").expect("the counter of the stones");
    let seeds = (10.0 * games).ceil() as u64;
    for budget in [500, 2000, 10_000] {
        let (mut spoiled, mut positions) = (0, 0);
        for stones in (1..=21).filter(|stones| stones % 4 != 0) {
            for seed in 0..seeds {
                let mut m = Match::new(&game, &game.setup(None, &[], seed).expect("two players")).expect("a match");
                m.edit().set_counter(0, heap, stones).expect("the heap holds these stones");
                m.edit().begin_phase(0, None, None).expect("the phase begins");
                let mut bot = bot_of(kind, budget, &game, seed);
                let taken = m.choices()[choice_of(&mut *bot, &m)];
                positions += 1;
                spoiled += u32::from((stones - taken) % 4 != 0);
            }
        }
        println!("last_stone    {kind}:{budget:<6} spoiled {}", share(spoiled, positions));
    }
}
