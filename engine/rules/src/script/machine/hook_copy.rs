//! A copy of a hook that waits for an answer.

use crate::script::machine::hook::Hook;

/// A hook that waits for an answer, as plain data. It fits only the machine that made it. It holds addresses, so only that
/// machine may change it.
#[derive(Debug, Clone, Default)]
pub struct HookCopy {
    /// The hook; `None`: no hook waits.
    pub hook: Option<Hook>,
    /// Whether it got a label with values.
    pub unpacks: bool,
    /// Number of the memory that it was copied from.
    pub of: u64,
    /// The registers of its functions.
    pub registers: Vec<i64>,
    /// The tables that it has made.
    pub tables: Vec<u8>,
    /// The list of the players in the game, and the address of its table.
    pub players: (i64, i64),
    /// The payload and the tag of the value that it keeps.
    pub kept: (i64, i64),
    /// Whether it has drawn a hidden number.
    pub drew: bool,
}
