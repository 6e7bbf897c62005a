//! Permissions of a hook.

use crate::script::machine::chance::Chance;
use crate::script::machine::fixed::FixedChance;
use crate::script::machine::guard::Guard;
use crate::script::machine::limits::Limits;

/// Permissions of the hook that runs. The flow sets them, a machine reads them.
#[derive(Debug, Default)]
pub struct Grants {
    /// What it may change.
    pub guard: Guard,
    /// Its seat in a simultaneous phase: there it draws no random numbers and asks nobody else.
    pub seat: Option<u8>,
    /// It must not ask, not even a question that answers itself.
    pub silent: bool,
    /// What chance gives it, with a record of what fell; `None`: chance falls as it falls, and nobody looks.
    pub chance: Option<Box<Chance>>,
    /// The next results of chance, if a test has fixed them.
    pub fixed: Option<FixedChance>,
    /// Its budgets.
    pub limits: Limits,
}
