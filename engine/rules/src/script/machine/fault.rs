//! Faults of hooks.

use crate::script::machine::verb_place::VerbPlace;

/// A failed hook, with the place and the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{file}:{line}: {message} ({}`{hook}` of `{pack}`{})",
    self.way(),
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
    /// File and line of the script that called the failing function of `lib.luau`.
    pub caller: Option<(String, u32)>,
    /// The definition's verb that was running.
    pub verb: Option<VerbPlace>,
    /// The error message.
    pub message: String,
}

impl ScriptFault {
    /// The way from the fault to its hook, before the hook's name: `called at scripts/demo/cards.luau:4; in `.
    #[must_use]
    pub fn way(&self) -> String {
        let caller = self.caller.as_ref().map(|(file, line)| format!("called at {file}:{line}; ")).unwrap_or_default();
        let verb = self.verb.as_ref().map(|verb| format!("in {verb}; ")).unwrap_or_default();
        format!("{caller}{verb}in ")
    }
}
