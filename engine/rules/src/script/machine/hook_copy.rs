//! A copy of a hook that waits for an answer.

use crate::script::machine::hook::Hook;

/// A hook that waits for an answer, as plain data. It fits only the machine that made it. Addresses are in it, so nothing but
/// that machine reads or writes the rest.
#[derive(Debug, Clone, Default)]
pub struct HookCopy {
    /// The hook; `None`: no hook waits.
    pub hook: Option<Hook>,
    /// Whether it got a label with values.
    pub(in crate::script) unpacks: bool,
    /// Number of the memory that it was copied from.
    pub(in crate::script) of: u64,
    /// The registers of its functions.
    pub(in crate::script) registers: Vec<i64>,
    /// The tables that it has made.
    pub(in crate::script) tables: Vec<u8>,
    /// The list of the players in the game, and the address of its table.
    pub(in crate::script) players: (i64, i64),
    /// Whether it has drawn a hidden number.
    pub(in crate::script) drew: bool,
}
