//! Permissions of a hook.

use crate::script::machine::chance::Chance;
use crate::script::machine::fixed::FixedChance;
use crate::script::machine::guard::Guard;
use crate::script::machine::limits::Limits;

/// Permissions of the running hook. The flow sets them, a machine reads them.
#[derive(Debug, Default)]
pub struct Grants {
    /// The parts of the state that the hook may change.
    pub guard: Guard,
    /// The hook's seat in a simultaneous phase. Such a hook draws no random numbers and asks no other seat.
    pub seat: Option<u8>,
    /// Whether the hook must not ask, not even a question with a single choice.
    pub silent: bool,
    /// Overrides and a record of chance; `None`: no overrides, nothing recorded.
    pub chance: Option<Box<Chance>>,
    /// Results of chance that a test has fixed.
    pub fixed: Option<FixedChance>,
    /// Whether hooks that write may run as machine code: the caller can restore the state.
    pub compiled: bool,
    /// Its budgets.
    pub limits: Limits,
}
