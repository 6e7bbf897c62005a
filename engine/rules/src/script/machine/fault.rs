//! Faults of hooks.

use crate::script::machine::verb_place::VerbPlace;

/// A failed hook, with the place and the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{file}:{line}: {message} (in {}`{hook}` of `{pack}`{})",
    verb.as_ref().map(|verb| format!("{verb}; in ")).unwrap_or_default(),
    player.map(|p| format!(", player {p}")).unwrap_or_default()
)]
pub struct ScriptFault {
    /// Pack of the script.
    pub pack: String,
    /// Displayed path of the script.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Hook: `resolution.run`.
    pub hook: String,
    /// Player for whom it ran, from 1.
    pub player: Option<i32>,
    /// The definition's verb that was running.
    pub verb: Option<VerbPlace>,
    /// The error message.
    pub message: String,
}
