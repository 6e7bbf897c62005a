//! Snapshots: a match at any decision, as plain data.
//!
//! A coroutine cannot be copied. So a snapshot holds the state in which the open calls began and their answers so far; taking it
//! back makes the calls again. Scripts are deterministic, so it arrives where it was. Of a match that was
//! redealt in the middle of a hook it is the new deal of that state, see `flow/knowledge.rs`.

use crate::flow::Answer;
use crate::flow::call::Call;
use crate::flow::forced::Settled;
use crate::flow::open::Kind;
use crate::script::machine::Question;
use crate::transcript::Line;

/// A match at one decision. It fits any match of the same game, number of players and options. A snapshot that is taken again and again
/// allocates nothing.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// The game and setup that it fits.
    pub(super) of: u64,
    /// The state in which the open calls began.
    pub(super) start: Vec<i32>,
    pub(super) kind: Kind,
    pub(super) calls: Vec<Call>,
    /// The question in focus.
    pub(super) asked: Question,
    /// Its choices, of an offer.
    pub(super) choices: Vec<i32>,
    /// Seats that are done with a simultaneous phase, as bits.
    pub(super) done: u32,
    pub(super) history: Vec<Answer>,
    /// Steps that the match had taken.
    pub(super) steps: i64,
    /// The transcript not taken yet, and what of it is held until the reveal; empty without a transcript.
    pub(super) log: [Vec<Line>; 2],
}

/// The first decision of a setup that draws no random numbers: the same for every seed. Without it, random play of such a game takes up to
/// a quarter longer.
#[derive(Debug)]
pub(super) struct Opening {
    pub snapshot: Snapshot,
    pub automatic: Vec<Settled>,
}
