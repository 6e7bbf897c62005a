//! Finds the step at which a recorded match diverges because the rules have changed.

use motherlode::{Game, Replay, ReplayError};

use crate::paint;

/// The first step at which a recorded match diverges under the new rules.
pub struct Divergence {
    /// Number of answers before the step.
    pub answers: usize,
    /// Text for the step: `from answer 12 (Red) on`.
    place: String,
}

impl Divergence {
    /// The divergence behind an error; `None` if the rules have not changed.
    pub fn of(error: &ReplayError, replay: &Replay, game: &Game) -> Option<Self> {
        let (answers, place) = match error {
            ReplayError::Refused { step, seat, changed: true, .. }
            | ReplayError::Differs { step, seat: Some(seat), changed: true, .. } => {
                let name = paint::seat_name(game.declarations(), *seat);
                (step.saturating_sub(1), format!("from answer {step} ({name}) on"))
            }
            ReplayError::Differs { changed: true, .. } => (0, "from the start on".to_owned()),
            ReplayError::Outcome { changed: true, .. } => (replay.answers.len(), "at the end".to_owned()),
            _ => return None,
        };
        Some(Self { answers, place })
    }

    /// A clause for error messages.
    pub fn sentence(&self) -> String {
        format!("the rules have changed, and the match differs {}", self.place)
    }
}
