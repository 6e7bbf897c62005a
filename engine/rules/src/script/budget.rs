//! The budget of what runs on this thread: safepoints, each at a price that grows with the largest thing a script has made.

use std::cell::Cell;

/// What is raised at every safepoint beyond the budget.
pub(super) const SPENT: &str = "step budget spent";
/// What `fatal` says when a script swallowed a memory error.
pub(super) const EXHAUSTED: &str = "not enough memory";

/// Memory of one object, in bytes, from which on making it is charged.
const LARGE: usize = 1 << 10;
/// Memory of one object, in bytes, from which on every safepoint costs more.
const HUGE: usize = 1 << 14;

thread_local! {
    /// Safepoints left to the hook that is running on this thread.
    static STEPS: Cell<i64> = const { Cell::new(i64::MAX) };
    /// What one safepoint costs: more than 1 once a script has made something large, because one step of it may then take long.
    static PRICE: Cell<i64> = const { Cell::new(1) };
}

/// Gives the code that runs next on this thread so many steps, of which a safepoint costs this many to begin with.
pub(super) fn allow(steps: i64, price: i64) {
    STEPS.set(steps);
    PRICE.set(price);
}

/// Takes steps away for work that passes no safepoint.
pub(super) fn charge(steps: i64) {
    STEPS.set(STEPS.get().saturating_sub(steps));
}

/// Takes away what a safepoint costs; whether there was so much.
pub(super) fn charge_safepoint() -> bool {
    let left = STEPS.get() - PRICE.get();
    STEPS.set(left);
    left >= 0
}

/// Charges for memory: filling or searching something large passes no safepoint, so what lies between two safepoints gets a
/// price that grows with the largest thing there is. That bounds the time of a hook by counts alone.
pub(super) fn charge_memory(old: usize, new: usize) {
    if new < LARGE || new <= old {
        return;
    }
    charge((new >> 6) as i64);
    if new >= HUGE {
        let size = (new >> 10) as i64;
        PRICE.set(PRICE.get().max(1 + size + size * size / 128));
    }
}

/// Gives back the safepoint of the call that is running: a script must not need more steps because somebody listens.
pub(super) fn refund() {
    STEPS.set(STEPS.get().saturating_add(PRICE.get()));
}

/// Steps that are left.
pub(super) fn left() -> i64 {
    STEPS.get()
}

/// Whether more was spent than there was.
pub(super) fn is_spent() -> bool {
    left() < 0
}

/// What one safepoint costs by now.
pub(super) fn price() -> i64 {
    PRICE.get()
}
