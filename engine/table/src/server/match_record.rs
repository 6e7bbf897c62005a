//! The record of a match: the setup, the answers and the notes, as kept in memory and in the journal.

use motherlode::tools::StateHash;
use motherlode::{Answer, Setup};
use serde::{Deserialize, Serialize};

/// The setup of a match with its answers and notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchRecord {
    /// The setup.
    pub setup: Setup,
    /// The answers, in order.
    pub answers: Vec<Answer>,
    /// Notes of the table in the transcript.
    pub notes: Vec<Note>,
    /// Hash of the state after the last answer, if known.
    pub state: Option<StateHash>,
}

/// A transcript line by the table itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Number of answers before the note.
    pub step: usize,
    /// The only seat that sees it, from 0; `None`: everybody.
    pub seat: Option<u8>,
    /// The text.
    pub text: String,
}

/// An event of a match, as written to the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum JournalEvent {
    /// A seat answered.
    Answer {
        /// The seat, from 0.
        seat: u8,
        /// Index of the choice.
        index: u16,
        /// Hash of the resulting state.
        state: StateHash,
    },
    /// A seat undid its answer in a simultaneous phase; later answers of other seats stay.
    Out {
        /// Number of answers before it.
        step: usize,
        /// Hash of the state without it.
        state: StateHash,
    },
    /// The match went back to an earlier position.
    Back {
        /// Number of answers that remain.
        step: usize,
    },
    /// The match began again, with the next seed.
    Rematch {},
    /// The table added a note.
    Note {
        /// The only seat that sees it, from 0; `None`: everybody.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
        /// The text.
        text: String,
    },
}

impl MatchRecord {
    /// The record of a new match.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        Self { setup, answers: Vec::new(), notes: Vec::new(), state: None }
    }

    /// Applies an event; returns whether it was valid.
    #[must_use]
    pub fn apply(&mut self, event: &JournalEvent) -> bool {
        match *event {
            JournalEvent::Answer { seat, index, state } => {
                self.answers.push(Answer { seat, index });
                self.state = Some(state);
                seat < self.setup.players
            }
            JournalEvent::Back { step } => {
                let fits = step <= self.answers.len();
                self.answers.truncate(step);
                self.notes.retain(|note| note.step <= step);
                self.state = None;
                fits
            }
            JournalEvent::Out { step, state } => {
                let fits = step < self.answers.len();
                if fits {
                    self.answers.remove(step);
                }
                // A note keeps its place relative to the remaining answers.
                self.notes.iter_mut().filter(|note| note.step > step).for_each(|note| note.step -= 1);
                self.state = Some(state);
                fits
            }
            JournalEvent::Rematch {} => {
                let setup = Setup { seed: self.setup.seed.wrapping_add(1), ..self.setup.clone() };
                *self = Self::new(setup);
                true
            }
            JournalEvent::Note { seat, ref text } => {
                self.notes.push(Note { step: self.answers.len(), seat, text: text.clone() });
                true
            }
        }
    }
}
