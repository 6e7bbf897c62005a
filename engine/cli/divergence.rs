//! The step at which a recorded match leaves its course, because the rules have changed since.

use motherlode::{Game, Replay, ReplayError};

use crate::paint;

/// The first step of a recorded match that the new rules play another way.
pub struct Departure {
    /// Number of answers before it.
    pub answers: usize,
    /// The step in words, with the name of the seat.
    place: String,
}

impl Departure {
    /// `None` if the match failed for another reason than changed rules.
    pub fn of(error: &ReplayError, replay: &Replay, game: &Game) -> Option<Self> {
        let (answers, place) = match error {
            ReplayError::Refused { step, seat, changed: true, .. }
            | ReplayError::Differs { step, seat: Some(seat), changed: true, .. } => {
                let name = paint::seat_name(game.declarations(), *seat);
                (step.saturating_sub(1), format!("from answer {step} ({name}) on"))
            }
            ReplayError::Differs { changed: true, .. } => (0, "from its start on".to_owned()),
            ReplayError::Outcome { changed: true, .. } => (replay.answers.len(), "at its end".to_owned()),
            _ => return None,
        };
        Some(Self { answers, place })
    }

    /// The reason as a sentence without its end.
    pub fn sentence(&self) -> String {
        format!("the rules have changed since, and {} the match goes another way", self.place)
    }
}
