//! The step budget of the script that runs on this thread. A safepoint costs more the larger the largest object a script has made.

use std::cell::Cell;

/// What is raised at every safepoint beyond the budget.
pub(super) const SPENT: &str = "step budget spent";
/// What `fatal` says when a script has caught a memory error.
pub(super) const EXHAUSTED: &str = "not enough memory";

/// Size of an object, in bytes, from which on allocating it is charged.
pub(super) const LARGE: usize = 1 << 10;
/// Size of an object, in bytes, from which on every safepoint costs more.
pub(super) const HUGE: usize = 1 << 14;

thread_local! {
    /// Steps left to the hook that is running on this thread.
    static STEPS: Cell<i64> = const { Cell::new(i64::MAX) };
    /// What one safepoint costs, in steps: more than 1 once a script has made a large object, because a single step may then take long.
    static PRICE: Cell<i64> = const { Cell::new(1) };
}

/// Sets the budget of the code that runs next on this thread, and what a safepoint costs at first.
pub(super) fn allow(steps: i64, price: i64) {
    STEPS.set(steps);
    PRICE.set(price);
}

/// Charges for work that passes no safepoint.
pub(super) fn charge(steps: i64) {
    STEPS.set(STEPS.get().saturating_sub(steps));
}

/// Leaves no more than so many safepoints.
pub(super) fn cut(safepoints: i64) {
    STEPS.set(STEPS.get().min(safepoints.saturating_mul(PRICE.get())));
}

/// Charges for a safepoint; returns false if the budget is overdrawn.
pub(super) fn charge_safepoint() -> bool {
    let left = STEPS.get() - PRICE.get();
    STEPS.set(left);
    left >= 0
}

/// Charges for an allocation. Filling or searching a large object passes no safepoint, so each safepoint costs more the larger the
/// largest object is. That bounds the time of a hook by counts alone.
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

/// Gives back the safepoint of the call that is running: a script must not need more steps because somebody reads the transcript.
pub(super) fn refund() {
    STEPS.set(STEPS.get().saturating_add(PRICE.get()));
}

/// Steps left.
pub(super) fn left() -> i64 {
    STEPS.get()
}

/// Whether the budget is overdrawn.
pub(super) fn is_spent() -> bool {
    left() < 0
}

/// What one safepoint costs now, in steps.
pub(super) fn price() -> i64 {
    PRICE.get()
}
