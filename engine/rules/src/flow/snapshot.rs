//! Snapshots: a match at any decision, as plain data.
//!
//! A coroutine cannot be copied. So a snapshot holds the state in which the open calls began and the answers so far.
//! Restoring it repeats the calls. Scripts are deterministic, so the match arrives at the same decision. After a
//! redeal in the middle of a hook, the state is the redealt one; see `flow/knowledge.rs`.

use crate::flow::Answer;
use crate::flow::call::Call;
use crate::flow::forced::GroupedAnswer;
use crate::flow::history::History;
use crate::flow::open::{AskProgress, Kind};
use crate::script::machine::{ForcedAnswer, Question};
use crate::transcript::Line;

/// A match at one decision. It fits any match of the same game, number of players and options. Overwriting a snapshot
/// allocates nothing.
///
/// `examples/search_a_tree.rs` uses snapshots.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// Hash of its game and setup.
    pub(super) of: u64,
    /// The state in which the open calls began.
    pub(super) start: Vec<i32>,
    pub(super) kind: Kind,
    pub(super) calls: Vec<Call>,
    /// The question in focus.
    pub(super) asked: Question,
    /// Choices of the question in focus, if it is an offer or a declared question.
    pub(super) choices: Vec<i32>,
    /// Progress of the seats of a simultaneous phase with declared questions, whose answers are not repeated.
    pub(super) asks: Vec<SeatProgress>,
    /// Seats that have finished the simultaneous phase, as bits.
    pub(super) done: u32,
    pub(super) history: Vec<Answer>,
    /// Steps of the match so far.
    pub(super) steps: i64,
    /// Transcript lines not taken yet, and lines held until the reveal; empty without a transcript.
    pub(super) log: [Vec<Line>; 2],
    /// The histories of the seats, if they are recorded.
    pub(super) entries: Option<Box<History>>,
}

/// A seat's progress through the declared questions of a simultaneous phase.
#[derive(Debug, Clone, Default)]
pub(super) struct SeatProgress {
    pub asking: AskProgress,
    pub changes: Vec<(u32, i32)>,
    pub forced: Vec<ForcedAnswer>,
}

/// The first decision of a setup that draws no random numbers, shared by all seeds. Random play of such a game takes
/// up to a quarter longer without it.
#[derive(Debug)]
pub(super) struct Opening {
    pub snapshot: Snapshot,
    pub automatic: Vec<GroupedAnswer>,
}
