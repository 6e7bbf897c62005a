//! Why a match refuses or fails. Whatever is refused leaves the match as it was.

use crate::script::ScriptFault;

/// Why a match refused or failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// There is nothing to answer: the match is over.
    #[error("there is no decision to answer: the match is over")]
    NoDecision,
    /// There is no such choice.
    #[error("there is no choice {index}: the decision has {count} choices, 0 to {}", count.saturating_sub(1))]
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
    /// A limit of the engine was reached.
    #[error("{0}")]
    Limit(String),
    /// The match used up its steps.
    #[error("{0}")]
    Steps(String),
    /// Whoever plays the match has halted it.
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
    /// The snapshot cannot be taken back.
    #[error("{0}")]
    Snapshot(String),
}

impl From<ScriptFault> for MatchError {
    fn from(fault: ScriptFault) -> Self {
        Self::Script(Box::new(fault))
    }
}
