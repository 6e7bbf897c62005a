//! The observations in the decisions of a session.

use motherlode::Match;
use motherlode_play::ObservationSpace;
use serde_json::{Value, json};

/// The form of observations in decisions.
pub enum Observer {
    /// By names.
    Json,
    /// As a list of numbers.
    Tensor(Box<ObservationSpace>),
    /// None.
    Nothing,
}

impl Observer {
    /// The parts of the list of numbers, for the start of a match.
    pub fn parts(&self) -> Option<Value> {
        let Self::Tensor(space) = self else { return None };
        // JSON has no infinity.
        let bound = |bound: f32| if bound.is_finite() { number(bound) } else { Value::Null };
        let parts = space.parts().iter().map(|part| {
            let (low, high) = (bound(part.low), bound(part.high));
            json!({ "name": part.name, "shape": part.shape, "offset": part.offset, "low": low, "high": high })
        });
        Some(parts.collect())
    }

    /// The observation of a seat: its key in the decision, and its value.
    pub fn observe(&self, m: &Match, seat: u8) -> Option<(&'static str, Value)> {
        match self {
            Self::Json => Some(("observation", json!(m.observe(Some(seat))))),
            Self::Tensor(space) => {
                let mut numbers = vec![0.0; space.len()];
                space.write(m, seat, &mut numbers);
                Some(("tensor", numbers.into_iter().map(number).collect()))
            }
            Self::Nothing => None,
        }
    }
}

/// A number of a tensor; nearly all are whole.
fn number(value: f32) -> Value {
    if value.fract() == 0.0 { (value as i64).into() } else { value.into() }
}
