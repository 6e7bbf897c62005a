//! What a game was worth to one seat against another.

use motherlode_play::GameRow;

/// What one seat won against another: 1, or 1/2 if both have the same rank.
#[must_use]
pub fn against(row: &GameRow, seat: usize, other: usize) -> f64 {
    match (row.ranks.get(seat), row.ranks.get(other)) {
        (Some(own), Some(rank)) if own < rank => 1.0,
        (Some(own), Some(rank)) if own == rank => 0.5,
        _ => 0.0,
    }
}
