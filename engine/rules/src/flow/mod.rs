//! The flow: setup, phases, turns, simultaneous phases, decisions, outcome. It connects content, state and scripts.
//!
//! Direction: call, decision, error <- open <- forced, runner <- question <- ask <- simultaneous <- stage, deal, snapshot <-
//! knowledge <- matches <- restore, publish, step <- choice, code, outcome, position, redeal, view <- automatic, editor

mod ask;
mod automatic;
mod call;
mod choice;
mod code;
mod deal;
mod decision;
mod editor;
mod error;
mod forced;
mod knowledge;
mod matches;
mod open;
mod outcome;
mod position;
mod publish;
mod question;
mod redeal;
mod restore;
mod runner;
mod simultaneous;
mod snapshot;
mod stage;
mod step;
#[cfg(test)]
mod tests;
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
