//! Errors of a match. A refused call leaves the match unchanged.

use crate::script::machine::ScriptFault;

/// Why a match refused a call or failed. The match is unchanged, except after [`Unstable`](Self::Unstable).
///
/// | kind | what a caller can do |
/// | --- | --- |
/// | [`NoDecision`](Self::NoDecision) | stop: [`Match::is_over`](crate::Match::is_over) |
/// | [`BadChoice`](Self::BadChoice) | give an index below [`Match::choices`](crate::Match::choices)`.len()` |
/// | [`NotPending`](Self::NotPending) | answer for a seat of [`Match::pending`](crate::Match::pending) |
/// | [`OpenDraw`](Self::OpenDraw), [`NoDraw`](Self::NoDraw) | ask [`ExplicitChance::is_open`](crate::ExplicitChance::is_open) |
/// | [`BadOutcome`](Self::BadOutcome) | give an id of [`ExplicitChance::outcomes`](crate::ExplicitChance::outcomes) |
/// | [`Script`](Self::Script), [`Memory`](Self::Memory), [`Endless`](Self::Endless) | tell the author of the content; another choice may work |
/// | [`Unstable`](Self::Unstable), [`Scores`](Self::Scores) | the same |
/// | [`Steps`](Self::Steps) | end the match, or raise [`Limits::match_steps`](crate::Limits::match_steps) |
/// | [`Halted`](Self::Halted) | drop the match |
/// | [`Setup`](Self::Setup), [`Position`](Self::Position) | correct the argument |
/// | [`NoDeal`](Self::NoDeal) | continue without a redeal, or try again after the next answer |
/// | [`OtherMatch`](Self::OtherMatch) | restore the snapshot in a match of its game and setup |
/// | [`Host`](Self::Host) | free memory and try again |
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// The match is over: there is no question to answer.
    #[error("there is no decision to answer: the match is over")]
    NoDecision,
    /// The choice does not exist.
    #[error(
        "there is no choice {index}: the decision has {}",
        count.checked_sub(1).map_or_else(|| "none, since the position was edited".to_owned(), |last| format!("{count} choices, 0 to {last}"))
    )]
    BadChoice {
        /// The given index.
        index: usize,
        /// Number of choices.
        count: usize,
    },
    /// The seat has no pending decision.
    #[error("player {} has nothing to decide now", u16::from(*seat) + 1)]
    NotPending {
        /// The seat, from 0.
        seat: u8,
    },
    /// Chance comes first: a draw waits for its result.
    #[error("a draw waits for its result: choose one of its outcomes first")]
    OpenDraw,
    /// No draw waits for a result.
    #[error("no draw waits for a result")]
    NoDraw,
    /// The open draw has no such outcome.
    #[error("the open draw has no outcome {outcome}")]
    BadOutcome {
        /// The given id.
        outcome: u32,
    },
    /// A script failed.
    #[error(transparent)]
    Script(Box<ScriptFault>),
    /// A script ran out of memory.
    #[error("a script ran out of memory")]
    Memory,
    /// The game continues without a decision or without an end.
    #[error("{message}")]
    Endless {
        /// The message.
        message: String,
        /// The phase without an end (index into `phases`); `None`: the rounds have no end.
        phase: Option<usize>,
    },
    /// A script behaved differently when it was repeated. The match is now over, or its decision has no choices.
    #[error("a repeated hook asked something else: its script is not deterministic")]
    Unstable,
    /// The step must run again without machine code. No function returns this.
    #[doc(hidden)]
    #[error("the step runs again")]
    Repeat,
    /// The machine could not be created.
    #[error("cannot create a machine for scripts: {0}")]
    Host(String),
    /// The scores at the end are not as declared in `outcome`.
    #[error("{0}")]
    Scores(String),
    /// The match has used up its steps.
    #[error("{0}")]
    Steps(String),
    /// The match was halted from outside.
    #[error("the match was halted")]
    Halted,
    /// The setup does not fit the game.
    #[error("{0}")]
    Setup(String),
    /// A name or number does not fit the game.
    #[error("{0}")]
    Position(String),
    /// Redealing found no deal that fits what the seat has seen of the suspended hook.
    #[error("no deal fits what the player has seen since the hook began ({tries} were tried)")]
    NoDeal {
        /// Number of deals tried.
        tries: usize,
    },
    /// The snapshot belongs to another game, number of players or set of options.
    #[error("the snapshot belongs to another game or setup")]
    OtherMatch,
}

impl From<ScriptFault> for MatchError {
    fn from(fault: ScriptFault) -> Self {
        Self::Script(Box::new(fault))
    }
}
