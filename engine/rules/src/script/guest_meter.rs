//! A meter for VMs other than those of a match: rule tests run in a sandbox of their own, under prices of the same kind. There is one for
//! each thread; `watch_allocations` connects it to a VM.

use std::cell::Cell;

/// Size of an object, in bytes, from which on allocating it is charged.
const LARGE: usize = 1 << 10;
/// Size of an object, in bytes, from which on every step costs more.
const HUGE: usize = 1 << 14;

thread_local! {
    /// Steps that allocations have cost since they were last asked for, and what one step costs now.
    static METER: Cell<(u64, u64)> = const { Cell::new((0, 1)) };
}

/// Forgets all that was counted on this thread.
pub fn reset() {
    METER.set((0, 1));
}

/// What the step that begins costs, with what was allocated before it: more, the larger the largest object is, because a library function
/// goes through it without passing another step.
#[must_use]
pub fn step() -> u64 {
    let (due, price) = METER.get();
    METER.set((0, price));
    due.saturating_add(price)
}

/// Counts an allocation.
pub(super) fn count(old: usize, new: usize) {
    if new < LARGE || new <= old {
        return;
    }
    let (due, price) = METER.get();
    let size = (new >> 10) as u64;
    let dear = if new < HUGE { 1 } else { 1 + size + size * size / 128 };
    METER.set((due.saturating_add((new >> 6) as u64), price.max(dear)));
}

/// What matching a pattern may cost at most, in steps: each repetition may try every place of the text, for every place at which the
/// match may begin.
#[must_use]
pub fn pattern(text: usize, pattern: &[u8]) -> u64 {
    let repeats = pattern.iter().filter(|byte| matches!(byte, b'*' | b'+' | b'-')).count();
    let doubles = pattern.iter().filter(|byte| **byte == b'?').count();
    let special = pattern.windows(2).filter(|two| matches!(two, [b'%', b'b' | b'f'])).count();
    let anywhere = usize::from(pattern.first() != Some(&b'^'));
    let power = u32::try_from(repeats + special + anywhere).unwrap_or(u32::MAX);
    let ways =
        (text as u64 + 1).saturating_pow(power).saturating_mul(1_u64.checked_shl(doubles as u32).unwrap_or(u64::MAX));
    ways.saturating_mul(pattern.len() as u64 + 1) / 64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_cost_what_they_may_take() {
        assert_eq!(pattern(6, b"^(%l+) (%d)$"), 1);
        assert!(pattern(200, b"gold") < 100);
        assert!(pattern(100, b"(%d+) of (%a+)") < 1_000_000);
        assert!(pattern(100, b".-.-.-.-x") > 100_000_000);
        assert_eq!(pattern(10_000, ".-".repeat(100).as_bytes()), u64::MAX / 64);
        assert!(pattern(9, "a?".repeat(90).as_bytes()) > 1 << 50);
    }

    #[test]
    fn large_objects_make_steps_dear() {
        reset();
        count(0, 100);
        assert_eq!(step(), 1);
        count(0, 1_000_000);
        assert!(step() > 20_000 && step() > 5_000);
        reset();
        assert_eq!(step(), 1);
    }
}
