//! The flow: setup, phases, turns, simultaneous phases, decisions, outcome. It ties content, state and scripts together.
//!
//! Direction: call, decision, error <- open <- runner <- question <- ask <- simultaneous <- stage, deal <- matches, snapshot, told, step <-
//! choice, code, outcome, position, view <- automatic, editor
//! Circle: matches, snapshot, told, step: the methods of `Match`, one subject a file; the fields of a match are their types.

mod ask;
mod automatic;
mod call;
mod choice;
mod code;
mod deal;
mod decision;
mod editor;
mod error;
mod matches;
mod open;
mod outcome;
mod position;
mod question;
mod runner;
mod simultaneous;
mod snapshot;
mod stage;
mod step;
mod told;
mod view;

pub use automatic::Automatic;
pub use choice::{Choice, Chosen};
pub use decision::{Answer, Decision};
pub use editor::Editor;
pub use error::MatchError;
pub use matches::Match;
pub use outcome::{Outcome, sharing};
pub use position::StateRef;
pub use snapshot::Snapshot;
