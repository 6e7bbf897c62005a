//! Kernels that the engine's own scripts call for themselves.

use crate::script::kernels::context::Context;
use crate::script::kernels::kernel::{Answer, KernelResult};
use crate::script::machine::budget::EXHAUSTED;
use crate::state::PositionMut;

/// Steps of raising an error and catching it.
const CAUGHT: i64 = 2000;

/// `staying(key)`: the players still in the game, by seats at the table and bits of the seats that have left.
pub fn staying(context: &mut Context, _: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    /// Safepoints that making a list takes, in the prelude.
    const MAKING: usize = 4;
    let (seats, left) = (a[0] >> 16, a[0] & 0xffff);
    context.traces.list.clear();
    context.traces.list.extend((1..=seats.min(16)).filter(|player| left & 1 << (player - 1) == 0));
    // A VM makes each list once: the hook that happens to need it first must not pay for it.
    (0..MAKING).for_each(|_| context.budget.refund());
    Ok(Answer::List)
}

/// `may_write(place)`: whether the hook may write at this byte of the state; only the careful VM asks.
pub fn may_write(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.grants.guard.word(&context.declarations, position.layout, usize::try_from(a[0]).unwrap_or(0) / 4)?;
    Ok(Answer::Nothing)
}

/// A script has caught an error: raising it took as long as so many steps.
pub fn caught(context: &mut Context, _: &mut PositionMut<'_>, _: &mut [i32], _: &[i32]) -> KernelResult {
    context.budget.charge(CAUGHT);
    Ok(Answer::Nothing)
}

/// A script has caught a memory error: the VM must not continue.
pub fn exhausted(context: &mut Context, _: &mut PositionMut<'_>, _: &mut [i32], _: &[i32]) -> KernelResult {
    context.fatal = Some(EXHAUSTED.into());
    context.budget.charge(i64::MAX);
    Err(EXHAUSTED.into())
}
