//! The course of a match: all that is kept of one while nobody plays it, and what is written of it to a disk.

use motherlode::tools::StateHash;
use motherlode::{Answer, Setup};
use serde::{Deserialize, Serialize};

/// How a match began and what was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Course {
    /// What it began from.
    pub setup: Setup,
    /// The answers.
    pub answers: Vec<Answer>,
    /// What the table itself has said.
    pub notes: Vec<Note>,
    /// The state after the last answer, if that is known.
    pub state: Option<StateHash>,
}

/// What the table itself has said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// After so many answers.
    pub step: usize,
    /// To this seat alone, from 0.
    pub seat: Option<u8>,
    /// The words.
    pub text: String,
}

/// Something that happened in a match, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Deed {
    /// A seat has answered.
    Answer {
        /// The seat, from 0.
        seat: u8,
        /// Index of the choice.
        index: u16,
        /// The state that this led to.
        state: StateHash,
    },
    /// A seat took back an answer of a simultaneous phase; those of the others stand.
    Out {
        /// The number of answers before.
        step: usize,
        /// The state without it.
        state: StateHash,
    },
    /// Everything after so many answers was taken back.
    Back {
        /// The number of answers before.
        step: usize,
    },
    /// The table itself has said something.
    Note {
        /// To this seat alone, from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
        /// The words.
        text: String,
    },
}

impl Course {
    /// A match that has just begun.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        Self { setup, answers: Vec::new(), notes: Vec::new(), state: None }
    }

    /// Takes over what happened; returns whether it fits.
    #[must_use]
    pub fn take(&mut self, deed: &Deed) -> bool {
        match *deed {
            Deed::Answer { seat, index, state } => {
                self.answers.push(Answer { seat, index });
                self.state = Some(state);
                seat < self.setup.players
            }
            Deed::Back { step } => {
                let fits = step <= self.answers.len();
                self.answers.truncate(step);
                self.notes.retain(|note| note.step <= step);
                self.state = None;
                fits
            }
            Deed::Out { step, state } => {
                let fits = step < self.answers.len();
                if fits {
                    self.answers.remove(step);
                }
                // A note stays behind the answers that were given before it.
                self.notes.iter_mut().filter(|note| note.step > step).for_each(|note| note.step -= 1);
                self.state = Some(state);
                fits
            }
            Deed::Note { seat, ref text } => {
                self.notes.push(Note { step: self.answers.len(), seat, text: text.clone() });
                true
            }
        }
    }
}
