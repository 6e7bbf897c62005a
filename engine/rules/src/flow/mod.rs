//! The flow: setup, phases, turns, sealed phases, decisions, outcome. It ties content, state and scripts together.

mod ask;
mod choice;
mod decision;
mod error;
mod matches;
mod offered;
mod outcome;
mod position;
mod sealed;
mod setup;
mod snapshot;
mod stage;
mod view;

pub use choice::{Choice, Chosen};
pub use decision::{Answer, Decision};
pub use error::MatchError;
pub use matches::Match;
pub use outcome::Outcome;
pub use position::StateRef;
pub use setup::{Setup, SetupError, shown};
pub use snapshot::Snapshot;
