//! Kernels that list choices and the seats of a question.

use crate::script::kernels::cells::cells_of;
use crate::script::kernels::context::Context;
use crate::script::kernels::kernel::{Answer, KernelResult, pile, player, shown};
use crate::script::machine::NIL;
use crate::script::machine::choices::{MAX_CHOICES, list_cells, too_many};
use crate::state::sight::Sight;
use crate::state::{Position, PositionMut};

pub fn choice_cells(
    context: &mut Context,
    position: &mut PositionMut<'_>,
    choices: &mut [i32],
    a: &[i32],
) -> KernelResult {
    let (grid, base) = cells_of(context, position, a[0], a[2])?;
    let before = choices[0].max(0);
    let shift = base - position.layout.counters[a[0] as usize].offset;
    context.budget.charge(position.layout.grids[grid].cells().len() as i64 / 4);
    if !list_cells(position, choices, grid, base, shift, a[1]) {
        return Err(too_many());
    }
    Ok(Answer::Number(choices[0] - before))
}

pub fn choice_zone(
    context: &mut Context,
    position: &mut PositionMut<'_>,
    choices: &mut [i32],
    a: &[i32],
) -> KernelResult {
    let tokens = position.tokens(pile(position, a[0])?);
    let n = choices[0].max(0) as usize;
    if n + tokens.len() > MAX_CHOICES {
        return Err(too_many());
    }
    context.budget.charge(tokens.len() as i64 / 16);
    choices[n + 1..=n + tokens.len()].copy_from_slice(tokens);
    choices[0] = (n + tokens.len()) as i32;
    Ok(Answer::Number(tokens.len() as i32))
}

/// `choice_numbers(from, to)`
pub fn choice_numbers(context: &mut Context, _: &mut PositionMut<'_>, choices: &mut [i32], a: &[i32]) -> KernelResult {
    let (from, to) = (a[0], a[1]);
    if let Some(wrong) = a[..2].iter().find(|&&n| n == NIL) {
        return Err(format!("choice_numbers: expected two whole numbers, not {}", shown(*wrong)));
    }
    if from < 0 {
        return Err(format!("choice_numbers({from}, {to}): a choice is a whole number from 0"));
    }
    let n = choices[0].max(0) as usize;
    let count = (i64::from(to) - i64::from(from) + 1).max(0);
    let fits = usize::try_from(count).ok().filter(|count| n + count <= MAX_CHOICES);
    let Some(count) = fits else { return Err(too_many()) };
    context.budget.charge(count as i64 / 16);
    for (place, number) in choices[n + 1..=n + count].iter_mut().zip(from..) {
        *place = number;
    }
    choices[0] = (n + count) as i32;
    Ok(Answer::Number(count as i32))
}

/// `nobody()`: begins a question to several players.
pub fn nobody(context: &mut Context, _: &mut PositionMut<'_>, _: &mut [i32], _: &[i32]) -> KernelResult {
    context.traces.together.clear();
    Ok(Answer::Nothing)
}

/// `also(player, prompt)`: adds this player to the question, with the listed choices.
pub fn also(context: &mut Context, position: &mut PositionMut<'_>, choices: &mut [i32], a: &[i32]) -> KernelResult {
    let player = player(position, a[0]).map_err(|error| format!("cannot ask: {error}"))?;
    let prompt = usize::try_from(a[1]).unwrap_or(usize::MAX);
    let Position { layout, words } = position.as_read();
    let sight = Sight { declared: &context.declarations, layout, words, seat: Some(player as u8 - 1) };
    context.choosable.prepare(&sight, prompt, choices, &context.budget)?;
    let n = choices[0].clamp(0, MAX_CHOICES as i32) as usize;
    context.budget.charge(n as i64 / 16);
    if n > 0 && !context.traces.together.add(player as u8 - 1, &choices[1..=n]) {
        return Err(format!("player {player} is asked twice"));
    }
    choices[0] = 0;
    Ok(Answer::Nothing)
}
