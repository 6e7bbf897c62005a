//! Kernels for the engine's own scripts.

use crate::script::kernels::context::Context;
use crate::script::kernels::kernel::{Answer, KernelResult};
use crate::script::machine::budget::EXHAUSTED;
use crate::state::PositionMut;

/// Steps charged for raising and catching an error.
const CAUGHT: i64 = 2000;

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
