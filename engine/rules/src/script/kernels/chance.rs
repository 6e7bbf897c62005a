//! Kernels for random numbers.

use crate::script::kernels::context::Context;
use crate::script::kernels::kernel::{Answer, KernelResult, all_tokens, pile, player, shown};
use crate::script::machine::fact::Fact;
use crate::script::machine::{NIL, fixed};
use crate::state::PositionMut;
use crate::state::position::EVERYBODY;

pub fn random(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    draw_number(context, position, a, "random", EVERYBODY)
}

/// `random_hidden(n, script, player)`: a number that only this player sees, or nobody.
pub fn random_hidden(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let seen_by = if a[2] == NIL { 0 } else { 1 << player(position, a[2])? };
    context.drew = true;
    draw_number(context, position, a, "random_hidden", seen_by)
}

fn draw_number(
    context: &mut Context,
    position: &mut PositionMut<'_>,
    a: &[i32],
    accessor: &str,
    seen_by: i32,
) -> KernelResult {
    use_chance(context, accessor)?;
    let n = u32::try_from(a[0]).ok().filter(|&n| n > 0);
    let n = n.ok_or_else(|| format!("{accessor}({}): expected a number from 1", shown(a[0])))?;
    let fallen = fixed::random(context.grants.fixed.as_mut(), position, n, a[1])?;
    let chance = context.grants.chance.as_mut();
    let drawn = chance.map(|chance| chance.draw(n, fallen.cast_unsigned(), seen_by).cast_signed());
    Ok(Answer::Number(drawn.unwrap_or(fallen)))
}

pub fn shuffle(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    use_chance(context, "shuffle")?;
    let pile = pile(position, a[0])?;
    context.budget.charge(all_tokens(position) + position.tokens(pile).len() as i64 * 4);
    fixed::shuffle(context.grants.fixed.as_mut(), position, pile)?;
    context.traces.note(|| Fact::Shuffle { pile, with: None });
    if let Some(chance) = &mut context.grants.chance {
        chance.shuffle(position, pile);
    }
    Ok(Answer::Nothing)
}

pub fn use_chance(context: &mut Context, accessor: &str) -> Result<(), String> {
    context.grants.guard.writes(accessor)?;
    if context.grants.seat.is_some() {
        return Err("a hook of a sealed phase cannot draw random numbers".into());
    }
    context.traces.used_random = true;
    Ok(())
}
