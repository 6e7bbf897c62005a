//! The bot that plays at random.

use motherlode::{Decision, Match, MatchError};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

use super::bot::{Bot, random_index};
use super::kind::{BotKind, Variant};

pub static KIND: BotKind = BotKind {
    name: "random",
    budget: None,
    alone: Some(Variant { plays: "picks uniformly at random", make: |parts| Box::new(Random::new(parts.seed)) }),
    by_value: None,
};

/// Picks uniformly at random.
#[derive(Debug, Clone)]
pub struct Random {
    generator: Pcg64Mcg,
}

impl Random {
    /// A random bot with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { generator: Pcg64Mcg::seed_from_u64(seed) }
    }
}

impl Bot for Random {
    fn name(&self) -> &str {
        "random"
    }

    fn choose(&mut self, m: &Match, _: Decision) -> Result<usize, MatchError> {
        Ok(random_index(m.choices().len(), &mut self.generator))
    }

    fn choose_among(&mut self, _: &Match, _: Decision, among: &[usize]) -> Result<usize, MatchError> {
        let nth = random_index(among.len(), &mut self.generator);
        Ok(among.get(nth).copied().unwrap_or(nth))
    }

    fn reseed(&mut self, seed: u64) {
        *self = Self::new(seed);
    }
}
