//! Evaluates positions by a learned value.

use std::sync::Arc;

use motherlode::{Game, Match};

use crate::reward::reward;
use crate::value::features::Features;
use crate::value::{Input, Weights};

/// Evaluates positions by a learned value.
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

    /// The value of a position for a seat, or the reward if the match is over.
    pub fn value(&mut self, m: &Match, seat: u8) -> f64 {
        if let Some(outcome) = m.outcome() {
            return reward(&m.game().declarations().outcome, &outcome, seat);
        }
        self.features.fill(m, seat, &mut self.seen);
        self.weights.scale_into(&self.seen, &mut self.input);
        f64::from(self.weights.value(&self.input))
    }

    /// The game of the value.
    pub fn game(&self) -> &Game {
        self.features.game()
    }

    /// The value of a list of features.
    pub fn of(&mut self, seen: &[f32]) -> f64 {
        self.weights.scale_into(seen, &mut self.input);
        f64::from(self.weights.value(&self.input))
    }
}
