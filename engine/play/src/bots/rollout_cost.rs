//! The cost of rollouts per decision, to warn before a long run.

use std::fmt;

use motherlode::{Game, Match, Setup};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::random_index;
use crate::bots::spec::BotSpec;

/// Maximum decisions of the sampled game.
const DECISIONS: usize = 1000;

/// Above this many choices, `advice` recommends a bot with a budget per decision.
const MANY: usize = 1000;

/// The cost of a bot with a budget per choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RolloutCost {
    playouts: u32,
    /// Choices of the widest decision in one random game.
    choices: usize,
}

impl RolloutCost {
    /// The cost of the bot with the most playouts per choice; `None` if no bot has such a budget.
    #[must_use]
    pub fn of(game: &Game, setup: &Setup, bots: &[String]) -> Option<Self> {
        let playouts = bots.iter().filter_map(|bot| bot.parse::<BotSpec>().ok()?.playouts_per_choice()).max()?;
        Some(Self { playouts, choices: widest(game, setup) })
    }

    /// Recommends another bot if the game has too many choices for this one.
    #[must_use]
    pub fn advice(self) -> Option<String> {
        (self.choices > MANY).then(|| format!("{self}: `flat:B` plays B games per decision, however many choices"))
    }
}

impl fmt::Display for RolloutCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { playouts, choices } = self;
        write!(f, "rollout:{playouts} plays {playouts} games per choice, with up to {choices} choices")
    }
}

fn widest(game: &Game, setup: &Setup) -> usize {
    let Ok(mut m) = Match::new(game, setup) else { return 0 };
    let mut generator = Pcg64Mcg::seed_from_u64(setup.seed);
    let mut widest = 0;
    for _ in 0..DECISIONS {
        let count = m.choices().len();
        widest = widest.max(count);
        if count == 0 || m.answer(random_index(count, &mut generator)).is_err() {
            break;
        }
    }
    widest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn cost_counts_choices_and_advises_above_the_threshold() {
        let game = samples::noughts();
        let setup = game.setup(None, &[], 1).unwrap();
        let of = |bots: &[&str]| {
            RolloutCost::of(&game, &setup, &bots.iter().map(|bot| (*bot).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(of(&["random", "flat:9", "plan:b2+base=search:4"]), None);
        let cost = of(&["rollout:3", "plan:b2+base=rollout:40+never=a1"]).unwrap();
        assert_eq!(cost.to_string(), "rollout:40 plays 40 games per choice, with up to 9 choices");
        assert_eq!(cost.advice(), None);
        let wide = RolloutCost { choices: 1001, ..cost };
        assert!(wide.advice().unwrap().contains("up to 1001 choices: `flat:B` plays B games per decision"));
        assert_eq!(RolloutCost { choices: 1000, ..cost }.advice(), None);
    }
}
