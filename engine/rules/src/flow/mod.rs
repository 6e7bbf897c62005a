//! The flow: setup, phases, turns, simultaneous phases, decisions, outcome. It connects content, state and scripts.
//!
//! # How a decision is made
//!
//! 1. `stage.rs` walks through phases and turns. The current stage is in the first words of the state. A plan of each
//!    phase (`plan.rs`), made once for a match, tells what is the same at every step.
//! 2. Choices come from declarations (`offer = { cells = ... }`), from the hook `offer`, or from `ask` and `choose`
//!    in the middle of a hook. `question.rs` lists every offer. A single choice is taken without asking: `publish.rs`
//!    writes it to the transcript, and [`Match::automatic`] reports it.
//! 3. A hook that asks runs as a coroutine. The engine learns which hooks ask, and calls all others as plain
//!    functions.
//! 4. A match waits for its open calls (`open.rs`): one, or one for each seat in a simultaneous phase. A call
//!    (`call.rs`) is data: hook, arguments and answers. The state in which a call began and the call itself lead back
//!    to its question. Restoring a snapshot, rolling back a failed step and redealing all use this.
//! 5. [`Match::answer`] is all or nothing (`step.rs`): the open calls are replaced only if everything succeeds.
//!
//! # Simultaneous phases
//!
//! A phase with declared questions (`asks`) runs no script (`ask.rs`). Otherwise the hooks of all seats first run to
//! their first question (`simultaneous.rs`), so that a seat's view of its turn does not depend on the order of
//! answers. Each hook is then suspended in a coroutine of its seat. The changes of finished seats are merged in seat
//! order after the last answer.
//!
//! A hook may also ask several seats at once (`ask_all`). Their answers are stored by seat until all have answered.
//! [`Match::is_simultaneous`] is true in both cases; transcript lines are held back, and a redeal drops the answers
//! of others.
//!
//! Write tracking avoids comparing whole states: accessors mark the 128 bytes around a counter, and kernels of sealed
//! hooks record tokens and piles. A read-only hook must leave no mark. For a sealed hook, only marked words are
//! compared with the start of the phase.
//!
//! Direction: call, decision, entry, error, plan, shared_block <- scores <- history, open <- forced, runner <-
//! derived, question, refill <- ask <- simultaneous <- copies, stage, deal <- snapshot <- knowledge <- matches <-
//! restore, publish, step <- choice, code, outcome, position, redeal, view <- actions, automatic, editor, explicit,
//! record, refusals

mod actions;
mod ask;
mod automatic;
mod call;
mod choice;
mod code;
mod copies;
mod deal;
mod decision;
mod derived;
mod editor;
mod entry;
mod error;
mod explicit;
mod forced;
mod history;
mod knowledge;
mod matches;
mod open;
mod outcome;
mod plan;
mod position;
mod publish;
mod question;
mod record;
mod redeal;
mod refill;
mod refusals;
mod restore;
mod runner;
mod scores;
mod shared_block;
mod simultaneous;
mod snapshot;
mod stage;
mod step;
#[cfg(test)]
mod tests;
mod view;

pub use actions::{ActionList, Actions};
pub use automatic::AutomaticAnswer;
pub use choice::{Choice, ChoiceItem};
pub use decision::{Answer, Decision};
pub use editor::Editor;
pub use entry::Entry;
pub use error::MatchError;
pub use explicit::{ChanceOutcome, ExplicitChance, OpenStep};
pub use matches::Match;
pub use outcome::{Outcome, sharing};
pub use position::StateRef;
pub use refusals::Refusal;
pub use scores::{ScoreChange, ScoreSource};
pub use snapshot::Snapshot;
