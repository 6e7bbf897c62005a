//! The choice buffer: word 0 is the number of choices, the choices follow, and the last word tells scripts whether anybody reads the
//! transcript.

use crate::state::PositionMut;
use motherlode_content::declare::Offer;

/// Most choices one decision can have.
pub const MAX_CHOICES: usize = 4095;
/// Word of the buffer that tells scripts whether the transcript is wanted.
pub(super) const LOGGING_WORD: usize = MAX_CHOICES + 1;
/// Length of the buffer, in words.
pub(super) const BUFFER_WORDS: usize = MAX_CHOICES + 2;

/// What a script is told whose choices do not fit.
pub(super) fn too_many() -> String {
    format!("more than {MAX_CHOICES} choices")
}

/// Lists the cells with a value; returns false if they do not all fit. `base` is the first cell's word, `shift` the number of cells
/// before it.
pub(super) fn list_cells(
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
    if fits {
        // Written at every cell, kept if it matches: nothing to guess for the branch predictor.
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

/// Lists the choices that a phase declares for a player; those that do not fit are left out.
pub(super) fn list_declared(position: &PositionMut<'_>, choices: &mut [i32], offer: Offer, player: i32) {
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
