//! The choice buffer: word 0 is the number of choices, then come the choices; the last word tells scripts whether the
//! transcript is on.

use crate::script::machine::budget::Budget;
use crate::state::PositionMut;
use crate::state::compare::same_token_counters;
use crate::state::sight::Sight;
use motherlode_content::declare::Offer;

/// Maximum choices of one decision.
pub const MAX_CHOICES: usize = 4095;
/// Word of the buffer that tells scripts whether the transcript is on.
pub const LOGGING_WORD: usize = MAX_CHOICES + 1;
/// Length of the buffer, in words.
pub const BUFFER_WORDS: usize = MAX_CHOICES + 2;

/// The error of a script that lists too many choices.
pub fn too_many() -> String {
    format!("more than {MAX_CHOICES} choices")
}

/// Lists the cells with a value; returns false if they do not all fit. `base` is the first cell's word, `shift` the
/// number of cells before it.
pub fn list_cells(
    position: &PositionMut<'_>,
    choices: &mut [i32],
    grid: usize,
    base: usize,
    shift: usize,
    equals: i32,
) -> bool {
    let geometry = &position.layout.grids[grid];
    let (values, cells) = (&position.words[base..base + geometry.places()], geometry.cells());
    let mut n = choices[0].max(0) as usize;
    let first = shift as i32 + 1;
    let free = &mut choices[1..=MAX_CHOICES];
    let fits = n + cells.len() < MAX_CHOICES;
    if fits && cells.len() == values.len() {
        // Every cell is written, and kept if it matches: this avoids a branch.
        for (cell, &value) in (first..).zip(values) {
            free[n] = cell;
            n += usize::from(value == equals);
        }
    } else if fits {
        for &cell in cells {
            free[n] = first + i32::from(cell);
            n += usize::from(values[usize::from(cell)] == equals);
        }
    } else {
        for &cell in cells.iter().filter(|&&cell| values[usize::from(cell)] == equals) {
            if n == MAX_CHOICES {
                return false;
            }
            free[n] = first + i32::from(cell);
            n += 1;
        }
    }
    choices[0] = n as i32;
    true
}

/// Removes tokens that look equal to an earlier one to the asked seat. Compares only facts that this seat sees;
/// otherwise the offer would reveal which hidden tokens are equal.
pub fn distinct(sight: &Sight<'_>, choices: &mut [i32], budget: &Budget) {
    let listed = (choices[0].max(0) as usize).min(MAX_CHOICES);
    let mut kept = 0;
    for i in 1..=listed {
        let token = choices[i];
        budget.charge(1 + kept as i64 / 4);
        if !choices[1..=kept].iter().any(|&other| is_copy(sight, token, other)) {
            kept += 1;
            choices[kept] = token;
        }
    }
    choices[0] = kept as i32;
}

/// Whether two tokens look equal to a seat: the same definition and set, in the same zone, with the same face and
/// counters. A token that the seat cannot identify equals no other, because their places differ.
fn is_copy(sight: &Sight<'_>, a: i32, b: i32) -> bool {
    let tokens = &sight.layout.tokens;
    let info = |token: i32| usize::try_from(token).ok().and_then(|token| tokens.get(token.checked_sub(1)?));
    let (Some(one), Some(other)) = (info(a), info(b)) else { return a == b };
    a == b
        || (one.definition, one.owner) == (other.definition, other.owner)
            && sight.pile_of(a) == sight.pile_of(b)
            && sight.identifies(a)
            && sight.identifies(b)
            && sight.known_seen(a) & 1 == sight.known_seen(b) & 1
            && same_token_counters(sight, a, b)
}

/// Lists the choices that a phase declares for a player; drops those that do not fit.
pub fn list_declared(position: &PositionMut<'_>, choices: &mut [i32], offer: Offer, player: i32) {
    let mut n = choices[0].max(0) as usize;
    match offer {
        Offer::Cells { counter, equals } => {
            let slot = &position.layout.counters[counter];
            let Some(grid) = slot.grid else { return };
            let shift = if slot.len == slot.places { 0 } else { (player.max(1) as usize - 1) * slot.places };
            let base = slot.offset + shift;
            list_cells(position, choices, grid, base, shift, equals);
            return;
        }
        Offer::Zone(zone) => {
            if let Some(pile) = position.layout.pile(zone, player).or_else(|| position.layout.pile(zone, 0)) {
                let tokens = position.tokens(pile);
                let len = tokens.len().min(MAX_CHOICES - n);
                choices[n + 1..=n + len].copy_from_slice(&tokens[..len]);
                n += len;
            }
        }
    }
    choices[0] = n as i32;
}
