//! What positions are worth by a value that was learned.

use std::sync::Arc;

use motherlode::{Game, Match};

use crate::reward::reward;
use crate::value::features::Features;
use crate::value::{Input, Weights};

/// Looks positions up.
#[derive(Clone)]
pub(crate) struct Evaluator {
    features: Arc<Features>,
    weights: Arc<Weights>,
    seen: Vec<f32>,
    input: Input,
}

impl Evaluator {
    pub fn new(features: Arc<Features>, weights: Arc<Weights>) -> Self {
        Self { features, weights, seen: Vec::new(), input: Input::default() }
    }

    /// What a position is worth to a seat; if the match is over, what its result is.
    pub fn value(&mut self, m: &Match, seat: u8) -> f64 {
        if let Some(outcome) = m.outcome() {
            return reward(&m.game().declarations().outcome, &outcome, seat);
        }
        self.features.fill(m, seat, &mut self.seen);
        self.weights.enter(&self.seen, &mut self.input);
        f64::from(self.weights.value(&self.input))
    }

    /// The game of which it was learned.
    pub fn game(&self) -> &Game {
        self.features.game()
    }

    /// What these features are worth.
    pub fn of(&mut self, seen: &[f32]) -> f64 {
        self.weights.enter(seen, &mut self.input);
        f64::from(self.weights.value(&self.input))
    }
}
