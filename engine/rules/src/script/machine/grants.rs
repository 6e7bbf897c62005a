//! Permissions of a hook.

use crate::script::machine::chance::Chance;
use crate::script::machine::fixed::FixedChance;
use crate::script::machine::guard::Guard;
use crate::script::machine::limits::Limits;

/// Permissions of the hook that runs. The flow sets them, a machine reads them.
#[derive(Debug, Default)]
pub struct Grants {
    /// The parts of the state that it may change.
    pub guard: Guard,
    /// Its seat in a simultaneous phase: there it draws no random numbers and asks nobody else.
    pub seat: Option<u8>,
    /// Whether it must not ask, not even a question that answers itself.
    pub silent: bool,
    /// The results of chance that are given, and a record of all; `None`: nothing is given, and nobody looks.
    pub chance: Option<Box<Chance>>,
    /// The next results of chance, if a test has fixed them.
    pub fixed: Option<FixedChance>,
    /// Its budgets.
    pub limits: Limits,
}
