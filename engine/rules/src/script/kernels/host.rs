//! Kernels for the engine's own scripts.

use crate::script::kernels::context::Context;
use crate::script::kernels::kernel::{Answer, KernelResult};
use crate::script::machine::budget::EXHAUSTED;
use crate::state::PositionMut;

/// Steps charged for raising and catching an error.
const CAUGHT: i64 = 2000;

/// `staying(key)`: the players still in the game, by the number of seats and the bits of the seats that have left.
pub fn staying(context: &mut Context, _: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    /// Safepoints that the prelude passes to build a list.
    const MAKING: usize = 4;
    let (seats, left) = (a[0] >> 16, a[0] & 0xffff);
    context.traces.list.clear();
    context.traces.list.extend((1..=seats.min(16)).filter(|player| left & 1 << (player - 1) == 0));
    // A VM builds each list once: refund the hook that needs it first.
    (0..MAKING).for_each(|_| context.budget.refund());
    Ok(Answer::List)
}

/// `may_write(place)`: whether the hook may write at this byte of the state; called only in the careful VM.
pub fn may_write(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.grants.guard.word(&context.declarations, position.layout, usize::try_from(a[0]).unwrap_or(0) / 4)?;
    Ok(Answer::Nothing)
}

/// `caught()`: a script has caught an error; charges the steps for raising it.
pub fn caught(context: &mut Context, _: &mut PositionMut<'_>, _: &mut [i32], _: &[i32]) -> KernelResult {
    context.budget.charge(CAUGHT);
    Ok(Answer::Nothing)
}

/// `exhausted()`: a script has caught a memory error; stops the VM.
pub fn exhausted(context: &mut Context, _: &mut PositionMut<'_>, _: &mut [i32], _: &[i32]) -> KernelResult {
    context.fatal = Some(EXHAUSTED.into());
    context.budget.charge(i64::MAX);
    Err(EXHAUSTED.into())
}
