//! The flow: setup, phases, turns, simultaneous phases, decisions, outcome. It ties content, state and scripts together.
//!
//! Direction: decision, error <- ask, runner, simultaneous, waiting <- question <- deal, offered <- stage <- matches, snapshot, told,
//! transact <- choice, code, outcome, position, view <- automatic, editor
//! Circle: ask, runner, simultaneous, waiting: a step of the runner ends in what the match waits for, and a simultaneous
//! phase, which is one of these, runs its hooks with the runner.
//! Circle: matches, snapshot, told, transact: the methods of `Match`, one subject a file; the fields of a match are their types.

mod ask;
mod automatic;
mod choice;
mod code;
mod deal;
mod decision;
mod editor;
mod error;
mod matches;
mod offered;
mod outcome;
mod position;
mod question;
mod runner;
mod simultaneous;
mod snapshot;
mod stage;
mod told;
mod transact;
mod view;
mod waiting;

pub use automatic::Automatic;
pub use choice::{Choice, Chosen};
pub use decision::{Answer, Decision};
pub use editor::Editor;
pub use error::MatchError;
pub use matches::Match;
pub use outcome::{Outcome, sharing};
pub use position::StateRef;
pub use snapshot::Snapshot;
