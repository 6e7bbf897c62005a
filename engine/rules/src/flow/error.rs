//! Why a match refuses or fails. Whatever is refused leaves the match as it was.

use crate::script::machine::ScriptFault;

/// Why a match refused or failed. In every case but [`Unstable`](Self::Unstable) it is as it was before the call.
///
/// | kind | what a caller can do |
/// | --- | --- |
/// | [`NoDecision`](Self::NoDecision) | stop: [`Match::is_over`](crate::Match::is_over) |
/// | [`BadChoice`](Self::BadChoice) | give an index below [`Match::choices`](crate::Match::choices)`.len()` |
/// | [`NotPending`](Self::NotPending) | answer for a seat of [`Match::pending`](crate::Match::pending) |
/// | [`Script`](Self::Script), [`Memory`](Self::Memory), [`Endless`](Self::Endless), [`Unstable`](Self::Unstable) | tell the author of the content; another choice may work |
/// | [`Steps`](Self::Steps) | end the match, or raise [`Limits::match_steps`](crate::Limits::match_steps) |
/// | [`Halted`](Self::Halted) | drop the match |
/// | [`Setup`](Self::Setup), [`Position`](Self::Position) | correct the argument |
/// | [`NoDeal`](Self::NoDeal) | do without a redeal, or try again after the next answer |
/// | [`OtherMatch`](Self::OtherMatch) | restore the snapshot in a match of its game and setup |
/// | [`Host`](Self::Host) | free memory and try again |
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// There is nothing to answer: the match is over.
    #[error("there is no decision to answer: the match is over")]
    NoDecision,
    /// There is no such choice.
    #[error(
        "there is no choice {index}: the decision has {}",
        count.checked_sub(1).map_or_else(|| "none, since the position was edited".to_owned(), |last| format!("{count} choices, 0 to {last}"))
    )]
    BadChoice {
        /// Index that was given.
        index: usize,
        /// Number of choices.
        count: usize,
    },
    /// This seat has nothing to decide now.
    #[error("player {} has nothing to decide now", u16::from(*seat) + 1)]
    NotPending {
        /// The seat, from 0.
        seat: u8,
    },
    /// A script failed.
    #[error(transparent)]
    Script(Box<ScriptFault>),
    /// A script ran out of memory.
    #[error("a script ran out of memory")]
    Memory,
    /// The game goes on without a decision, or without an end.
    #[error("{0}")]
    Endless(String),
    /// A script did not do the same again. The match is then over, or its decision has no choices.
    #[error("a hook did not ask the same again: its script is not deterministic")]
    Unstable,
    /// No machine could be made.
    #[error("no machine could be made: {0}")]
    Host(String),
    /// The match used up its steps.
    #[error("{0}")]
    Steps(String),
    /// The match was halted by its player.
    #[error("the match was halted")]
    Halted,
    /// The setup does not fit the game.
    #[error("{0}")]
    Setup(String),
    /// A name or number does not fit the game.
    #[error("{0}")]
    Position(String),
    /// A redeal found no deal that fits what the seat has seen of the hook that waits.
    #[error("no deal fits what the player has seen since the hook began ({tries} were tried)")]
    NoDeal {
        /// Deals that were tried.
        tries: usize,
    },
    /// The snapshot is of another game, number of players or choice of options.
    #[error("the snapshot belongs to another game or setup")]
    OtherMatch,
}

impl From<ScriptFault> for MatchError {
    fn from(fault: ScriptFault) -> Self {
        Self::Script(Box::new(fault))
    }
}
