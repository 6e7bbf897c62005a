//! Kernels that end phases and the game, and eliminate players.

use crate::script::kernels::context::Context;
use crate::script::kernels::kernel::{Answer, KernelResult, player};
use crate::state::PositionMut;
use crate::state::layout::{flag, reason, word};

/// Steps left to a hook after it has ended the game, so that it can return.
const STEPS_AFTER_END: i64 = 100;

pub fn eliminate(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.grants.guard.steers("eliminate")?;
    let player = player(position, a[0])?;
    position.words[word::OUT] |= 1 << (player - 1);
    Ok(Answer::Nothing)
}

pub fn pass(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.grants.guard.steers("pass")?;
    let player = player(position, a[0])?;
    position.words[word::PASSED] |= 1 << (player - 1);
    Ok(Answer::Nothing)
}

/// `flag(bits, text)`: a script's request, and the number of the text that explains it (from 1; 0: none).
pub fn raise_flag(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.grants.guard.steers(match a[0] {
        flag::END_PHASE => "end_phase",
        flag::END_GAME => "end_game",
        _ => "end_after_round",
    })?;
    if a[1] > 0 && position.words[word::REASON] == reason::NONE {
        position.words[word::REASON] = reason::TEXT + a[1] - 1;
    }
    position.words[word::FLAGS] |= a[0] & (flag::END_PHASE | flag::END_GAME | flag::END_AFTER_ROUND);
    // A hook that caught the "cannot ask" error with `pcall` runs again in a coroutine, and ends the game then.
    if a[0] & flag::END_GAME != 0 && !context.ended && !context.needs_coroutine {
        // The hook continues for a few steps, and its effects are discarded. Leaving it by an error would unwind the
        // stack, which takes longer than most hooks: a sixth of a short game.
        context.ended = true;
        context.budget.charge(position.words.len() as i64 / 16);
        context.end_state.clear();
        context.end_state.extend_from_slice(position.words);
        context.end_said = context.traces.transcript_len();
        context.budget.cut(STEPS_AFTER_END);
    }
    Ok(Answer::Nothing)
}
