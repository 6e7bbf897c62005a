//! Suspended hooks that a machine has set aside, so that it can run others.

use std::sync::{Arc, Mutex, PoisonError};

use crate::script::machine::hook::Hook;

/// The numbers of the dropped hooks of one machine, which it reuses.
#[derive(Debug, Default)]
pub struct DroppedHooks(Mutex<Vec<u32>>);

impl DroppedHooks {
    /// Takes all numbers.
    pub fn take(&self) -> Vec<u32> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A suspended hook that its machine has set aside. Only that machine can take it up. Any thread can drop it.
#[derive(Debug)]
pub struct SuspendedHook {
    /// Its number in the machine; `None`: taken up.
    number: Option<u32>,
    machine: Arc<DroppedHooks>,
    /// The hook.
    pub hook: Hook,
    /// Steps that it has spent.
    pub spent: i64,
    /// Whether it has drawn a hidden random number.
    pub drew: bool,
}

impl SuspendedHook {
    /// A hook with a number in the machine that has this list.
    #[must_use]
    pub fn new(number: u32, machine: &Arc<DroppedHooks>) -> Self {
        Self { number: Some(number), machine: Arc::clone(machine), hook: Hook::Setup, spent: 0, drew: false }
    }

    /// Its number, if it belongs to the machine with this list. The caller then owns the number.
    pub fn take_number(&mut self, machine: &Arc<DroppedHooks>) -> Option<u32> {
        if Arc::ptr_eq(machine, &self.machine) { self.number.take() } else { None }
    }
}

impl Drop for SuspendedHook {
    fn drop(&mut self) {
        if let Some(number) = self.number.take() {
            self.machine.0.lock().unwrap_or_else(PoisonError::into_inner).push(number);
        }
    }
}
