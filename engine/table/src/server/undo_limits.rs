//! Limits of undo requests, so that nobody delays bots or bothers others forever.

use std::collections::BTreeSet;
use std::time::Duration;

use super::message::Refusal;

/// Maximum undos per seat and position.
const MAX_PER_POSITION: usize = 8;

/// Undo requests since a person last advanced the match beyond every earlier position.
#[derive(Debug, Default)]
pub struct UndoLimits {
    /// Highest number of answers after an answer of a person.
    furthest: usize,
    /// Seats whose request failed.
    refused: BTreeSet<u8>,
    /// Undos and requests: the seat, and the step it returned to.
    positions: Vec<(u8, usize)>,
    /// Total delay of bots by requests.
    held: Duration,
}

impl UndoLimits {
    /// Forgets all requests if a person's answer advances the match beyond every earlier position.
    pub fn answer(&mut self, answers: usize) {
        if answers > self.furthest {
            *self = Self { furthest: answers, ..Self::default() };
        }
    }

    /// Counts an undo of a seat to a position.
    ///
    /// # Errors
    /// Too many undos to this position.
    pub fn count(&mut self, seat: u8, step: usize) -> Result<(), Refusal> {
        if self.positions.iter().filter(|&&position| position == (seat, step)).count() >= MAX_PER_POSITION {
            return Err(Refusal::TooOften);
        }
        self.positions.push((seat, step));
        Ok(())
    }

    /// Begins a request; returns its maximum duration.
    ///
    /// # Errors
    /// A request of the seat has failed, requests took too long, or there were too many.
    pub fn begin(&mut self, seat: u8, step: usize, patience: Duration) -> Result<Duration, Refusal> {
        if self.refused.contains(&seat) {
            return Err(Refusal::RefusedAlready);
        }
        let left = patience.saturating_sub(self.held);
        if left.is_zero() {
            return Err(Refusal::TooOften);
        }
        self.count(seat, step)?;
        Ok(left)
    }

    /// Notes that a request of a seat failed.
    pub fn refuse(&mut self, seat: u8) {
        self.refused.insert(seat);
    }

    /// Adds a request's delay of bots.
    pub fn hold(&mut self, took: Duration) {
        self.held += took;
    }
}
