//! What a game was worth to a seat.

use motherlode_play::GameRow;

/// Its part of the first place: 1/k if k seats are first, those of a team alike; 0 otherwise. All seats together have 1; in a
/// cooperative game each has 1 if it was won.
#[must_use]
pub fn share(won: Option<bool>, ranks: &[u8], seat: usize) -> f64 {
    if let Some(won) = won {
        return f64::from(u8::from(won));
    }
    if ranks.get(seat) != Some(&1) {
        return 0.0;
    }
    let first = ranks.iter().filter(|rank| **rank == 1).count();
    1.0 / f64::from(u8::try_from(first).unwrap_or(u8::MAX))
}

/// What one seat won against another: 1, or 1/2 if both have the same rank.
#[must_use]
pub fn against(row: &GameRow, seat: usize, other: usize) -> f64 {
    match (row.ranks.get(seat), row.ranks.get(other)) {
        (Some(own), Some(rank)) if own < rank => 1.0,
        (Some(own), Some(rank)) if own == rank => 0.5,
        _ => 0.0,
    }
}
