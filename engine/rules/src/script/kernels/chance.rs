//! Kernels for random numbers.

use crate::script::kernels::context::Context;
use crate::script::kernels::kernel::{Answer, KernelResult, all_tokens, pile, shown};
use crate::script::machine::fact::Fact;
use crate::script::machine::fixed;
use crate::state::PositionMut;

pub fn random(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    use_chance(context, "random")?;
    match u32::try_from(a[0]) {
        Ok(n) if n > 0 => {
            context.drew = true;
            let fallen = fixed::random(context.grants.fixed.as_ref(), position, n, a[1])?;
            let drawn =
                context.grants.chance.as_mut().map(|chance| chance.draw(n, fallen.cast_unsigned()).cast_signed());
            Ok(Answer::Number(drawn.unwrap_or(fallen)))
        }
        _ => Err(format!("random({}): expected a number from 1", shown(a[0]))),
    }
}

pub fn shuffle(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    use_chance(context, "shuffle")?;
    let pile = pile(position, a[0])?;
    context.budget.charge(all_tokens(position) + position.tokens(pile).len() as i64 * 4);
    fixed::shuffle(context.grants.fixed.as_ref(), position, pile)?;
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
