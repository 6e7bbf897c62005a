//! The flow: setup, phases, turns, simultaneous phases, decisions, outcome. It ties content, state and scripts together.

mod ask;
mod choice;
mod decision;
mod editor;
mod error;
mod matches;
mod offered;
mod outcome;
mod position;
mod runner;
mod setup;
mod simultaneous;
mod snapshot;
mod stage;
mod transact;
mod view;
mod waiting;

pub use choice::{Choice, Chosen};
pub use decision::{Answer, Decision};
pub use editor::Editor;
pub use error::MatchError;
pub use matches::Match;
pub use outcome::Outcome;
pub use position::StateRef;
pub use setup::{Setup, SetupError, shown};
pub use snapshot::Snapshot;
