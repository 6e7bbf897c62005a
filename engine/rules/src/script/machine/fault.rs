//! A hook that failed.

use crate::script::machine::verb_place::VerbPlace;

/// A hook that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{file}:{line}: {message} (in {}`{hook}` of `{pack}`{})",
    verb.as_ref().map(|verb| format!("{verb}; in ")).unwrap_or_default(),
    player.map(|p| format!(", player {p}")).unwrap_or_default()
)]
pub struct ScriptFault {
    /// Pack whose script it is.
    pub pack: String,
    /// Script as shown.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Hook: `resolution.run`.
    pub hook: String,
    /// Player for whom it ran, from 1.
    pub player: Option<i32>,
    /// The verb of a definition that was running.
    pub verb: Option<VerbPlace>,
    /// The reason.
    pub message: String,
}
