//! Kernels for grids.

use crate::script::kernels::context::Context;
use crate::script::kernels::kernel::{Answer, KernelResult, shown, value};
use crate::state::PositionMut;
use motherlode_content::declare::Holder;

/// `longest(counter, cell)`. Cell numbers continue across the players' copies of a grid.
pub fn longest(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let (grid, base) = cells_of(context, position, a[0], 1)?;
    let slot = &position.layout.counters[a[0] as usize];
    let index = match usize::try_from(a[1]) {
        Ok(cell) if (1..=slot.len).contains(&cell) => cell - 1,
        _ => return Err(format!("no cell {}", shown(a[1]))),
    };
    let cell = if slot.len == slot.places { index } else { index % slot.places };
    let values = &position.words[base + index - cell..base + index - cell + slot.places];
    Ok(Answer::Number(position.layout.grids[grid].longest(cell, |c| values[c]).cast_signed()))
}

/// `ray(grid, cell, way)`
pub fn ray(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let (grid, cell, before) = place_in(context, position, a[0], a[1])?;
    let way = usize::try_from(a[2]).map_err(|_| "no such way".to_owned())?;
    context.traces.list.clear();
    context.traces.list.extend(position.layout.grids[grid].ray(cell, way).map(|cell| before + cell as i32 + 1));
    context.budget.charge(context.traces.list.len() as i64);
    Ok(Answer::List)
}

/// `around(grid, cell, which)`: 1 for cells that share only a corner, 2 for cells that share a corner or an edge.
pub fn around(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let (grid, cell, before) = place_in(context, position, a[0], a[1])?;
    let geometry = &position.layout.grids[grid];
    let number = |cell: usize| before + cell as i32 + 1;
    context.traces.list.clear();
    context.traces.list.extend(geometry.diagonals(cell).map(number));
    if a[2] == 2 {
        context.traces.list.extend(geometry.neighbours(cell).iter().map(|&cell| number(usize::from(cell))));
        context.traces.list.sort_unstable();
    }
    Ok(Answer::List)
}

pub fn count_cells(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let (grid, base) = cells_of(context, position, a[0], a[2])?;
    value(a[1])?;
    let cells = position.layout.grids[grid].cells();
    context.budget.charge(cells.len() as i64 / 4);
    Ok(Answer::Number(cells.iter().filter(|&&c| position.words[base + usize::from(c)] == a[1]).count() as i32))
}

/// Grid of a cell counter, and its first word for a player (ignored if the grid belongs to the game).
pub fn cells_of(
    context: &Context,
    position: &PositionMut<'_>,
    counter: i32,
    player: i32,
) -> Result<(usize, usize), String> {
    let slot = usize::try_from(counter).ok().and_then(|counter| position.layout.counters.get(counter));
    let Some((slot, grid)) = slot.and_then(|slot| Some((slot, slot.grid?))) else {
        let name =
            context.declarations.counters.get_index(counter.max(0) as usize).map_or("", |(name, _)| name.as_str());
        return Err(format!("counter `{name}` does not belong to cells"));
    };
    if slot.len == slot.places {
        return Ok((grid, slot.offset));
    }
    if !(1..=position.layout.players as i32).contains(&player) {
        return Err(format!("no player {}: this grid belongs to players", shown(player)));
    }
    Ok((grid, slot.offset + (player as usize - 1) * slot.places))
}

/// A grid, the index of a cell in it, and the number of cells in earlier copies of the grid.
fn place_in(
    context: &Context,
    position: &PositionMut<'_>,
    grid: i32,
    cell: i32,
) -> Result<(usize, usize, i32), String> {
    let d = &context.declarations;
    let at = usize::try_from(grid).ok().and_then(|grid| Some((grid, position.layout.grids.get(grid)?)));
    let Some((grid, geometry)) = at else { return Err("no such grid".into()) };
    let copies = if d.grids[grid].per == Holder::Player { position.layout.players } else { 1 };
    let places = geometry.places();
    match usize::try_from(cell) {
        Ok(number) if (1..=places * copies).contains(&number) && !geometry.is_hole((number - 1) % places) => {
            let index = (number - 1) % places;
            Ok((grid, index, cell - 1 - index as i32))
        }
        _ => Err(format!("grid `{}` has no cell {}", d.grids.keys()[grid], shown(cell))),
    }
}
