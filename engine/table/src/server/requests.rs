//! Limits of requests to take an answer back: nobody holds up bots or bothers others for ever.

use std::collections::BTreeSet;
use std::time::Duration;

use super::message::Refusal;

/// Times a seat may take back its answer in one position.
const MOST: usize = 8;

/// Requests since a person last took the match further than ever before.
#[derive(Debug, Default)]
pub struct Requests {
    /// The most answers there were after one of a person.
    furthest: usize,
    /// Seats whose request came to nothing.
    refused: BTreeSet<u8>,
    /// Who has gone back, or asked to go back, to which position.
    positions: Vec<(u8, usize)>,
    /// How long requests have held up bots.
    held: Duration,
}

impl Requests {
    /// Forgets all requests if an answer of a person takes the match further than ever before.
    pub fn answer(&mut self, answers: usize) {
        if answers > self.furthest {
            *self = Self { furthest: answers, ..Self::default() };
        }
    }

    /// Counts one more return of a seat to a position.
    ///
    /// # Errors
    /// There were too many.
    pub fn count(&mut self, seat: u8, step: usize) -> Result<(), Refusal> {
        if self.positions.iter().filter(|&&position| position == (seat, step)).count() >= MOST {
            return Err(Refusal::TooOften);
        }
        self.positions.push((seat, step));
        Ok(())
    }

    /// Begins a request; returns how long it may last.
    ///
    /// # Errors
    /// The seat was refused already, or requests have taken too long or were too many.
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

    /// A request of a seat has come to nothing.
    pub fn refuse(&mut self, seat: u8) {
        self.refused.insert(seat);
    }

    /// A request has held up bots for so long.
    pub fn hold(&mut self, took: Duration) {
        self.held += took;
    }
}
