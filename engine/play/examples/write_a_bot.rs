//! A custom bot, compared with a random one.
//!
//! ```sh
//! cargo run -p motherlode-play --example write_a_bot
//! ```

#[path = "../../rules/examples/noughts/mod.rs"]
mod noughts;

use motherlode::{Decision, Game, Match, MatchError};
use motherlode_play::{Bot, Random, mix};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

/// Takes an immediately winning choice, or else a random one.
///
/// A bot may not use hidden information, so this one tries its choices on a redealt fork.
struct Impatient {
    otherwise: Random,
    seed: u64,
}

impl Bot for Impatient {
    fn name(&self) -> &str {
        "impatient"
    }

    fn choose(&mut self, m: &Match, decision: Decision) -> Result<usize, MatchError> {
        let mut fork = m.fork()?;
        match fork.redeal(decision.seat, &mut Pcg64Mcg::seed_from_u64(self.seed)) {
            Ok(_) => {}
            // In rare cases no determinization is found.
            Err(MatchError::NoDeal { .. }) => return self.otherwise.choose(m, decision),
            Err(error) => return Err(error),
        }
        let root = fork.snapshot();
        for index in 0..m.legal().len() {
            fork.restore(&root)?;
            fork.answer_as(decision.seat, index)?;
            if fork.outcome().is_some_and(|outcome| outcome.scores[usize::from(decision.seat)] > 0) {
                return Ok(index);
            }
        }
        self.otherwise.choose(m, decision)
    }

    fn reseed(&mut self, seed: u64) {
        self.seed = seed;
        self.otherwise.reseed(seed);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wins = tournament(&noughts::game(), 200)?;
    println!("of 200 games the impatient bot wins {}, the random one {}", wins[0], wins[1]);
    Ok(())
}

/// Wins of the impatient bot and of a random one, which begin in turn.
fn tournament(game: &Game, games: u64) -> Result<[u32; 2], Box<dyn std::error::Error>> {
    let mut bots: [Box<dyn Bot>; 2] =
        [Box::new(Impatient { otherwise: Random::new(0), seed: 0 }), Box::new(Random::new(0))];
    let mut wins = [0, 0];
    let mut m = Match::new(game, &game.setup(Some(2), &[], 0)?)?;
    for number in 0..games {
        m.restart(&game.setup(Some(2), &[], number)?)?;
        bots.iter_mut().zip(1..).for_each(|(bot, n)| bot.reseed(mix(number, n)));
        let bot_of = |seat: u8| (u64::from(seat) + number) as usize % 2;
        while let Some(decision) = m.decision() {
            let index = bots[bot_of(decision.seat)].choose(&m, decision)?;
            m.answer(index)?;
        }
        let ranks = m.outcome().map(|outcome| outcome.ranks).unwrap_or_default();
        match ranks[..] {
            [1, 2] => wins[bot_of(0)] += 1,
            [2, 1] => wins[bot_of(1)] += 1,
            _ => {}
        }
    }
    Ok(wins)
}

#[test]
fn immediate_wins_pay() -> Result<(), Box<dyn std::error::Error>> {
    let wins = tournament(&noughts::game(), 60)?;
    assert!(wins[0] > 2 * wins[1], "{wins:?}");
    Ok(())
}
