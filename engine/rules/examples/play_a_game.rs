//! Plays a match at random and prints every decision.
//!
//! ```sh
//! cargo run -p motherlode --example play_a_game
//! ```

mod noughts;

use motherlode::{Match, MatchError, Outcome};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = noughts::game();
    let setup = game.setup(Some(2), &[], 1)?;
    let mut m = Match::new(&game, &setup)?;
    m.set_logging(true);
    let outcome = play(&mut m, &mut StdRng::seed_from_u64(setup.seed))?;
    println!("{} rounds, ranks {:?}: {}", outcome.rounds, outcome.ranks, outcome.reason);
    Ok(())
}

/// Answers every decision at random. Prints each decision with its choices first.
fn play(m: &mut Match, rng: &mut StdRng) -> Result<Outcome, MatchError> {
    while let Some(decision) = m.decision() {
        let legal = m.legal();
        let names: Vec<&str> = legal.iter().map(|choice| choice.label.as_str()).collect();
        println!("seat {}: {} {}", decision.seat, decision.text(m.game()), names.join(" "));
        m.answer(rng.random_range(0..legal.len()))?;
        for line in m.take_log() {
            println!("    {}", line.text());
        }
    }
    m.outcome().ok_or(MatchError::NoDecision)
}

#[test]
fn somebody_wins_or_nobody_does() -> Result<(), Box<dyn std::error::Error>> {
    let game = noughts::game();
    for seed in 0..20 {
        let mut m = Match::new(&game, &game.setup(Some(2), &[], seed)?)?;
        let outcome = play(&mut m, &mut StdRng::seed_from_u64(seed))?;
        assert!(m.is_over() && [vec![1, 2], vec![2, 1], vec![1, 1]].contains(&outcome.ranks), "{outcome:?}");
        assert!((5..=9).contains(&m.answers().len()));
    }
    Ok(())
}
