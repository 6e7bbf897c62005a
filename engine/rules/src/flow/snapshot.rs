//! Snapshots: a match at any decision, as plain data.
//!
//! A snapshot holds the state in which the open calls began and the answers so far. Restoring it repeats the calls. Scripts
//! are deterministic, so the match arrives at the same decision. After a redeal in the middle of a hook, the state is the
//! redealt one; see `flow/knowledge.rs`. A hook that waits in machine code is copied, too, and not repeated in the machine
//! that made the copy (`flow/copies.rs`).

use crate::flow::Answer;
use crate::flow::call::Call;
use crate::flow::copies::CallCopies;
use crate::flow::forced::GroupedAnswer;
use crate::flow::history::History;
use crate::flow::open::Kind;
use crate::flow::shared_block::SharedBlock;
use crate::script::machine::Question;
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
    pub(super) start: SharedBlock,
    pub(super) kind: Kind,
    pub(super) calls: Vec<Call>,
    /// The question in focus.
    pub(super) asked: Question,
    /// Choices of the question in focus.
    pub(super) choices: Vec<i32>,
    /// The open calls as they wait.
    pub(super) copies: CallCopies,
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

/// The first decision of a setup that draws no random numbers, shared by all seeds. Random play of such a game takes
/// up to a quarter longer without it.
#[derive(Debug)]
pub(super) struct Opening {
    pub snapshot: Snapshot,
    pub automatic: Vec<GroupedAnswer>,
}
