//! The result of one seat against another.

use std::cmp::Ordering;

use motherlode_play::GameRow;

/// Returns the result of `seat` against `other`: 1 if it ranks above, 1/2 if both have the same rank, else 0.
#[must_use]
pub fn share_against(row: &GameRow, seat: usize, other: usize) -> f64 {
    match (row.ranks.get(seat), row.ranks.get(other)) {
        (Some(own), Some(rank)) if own < rank => 1.0,
        (Some(own), Some(rank)) if own == rank => 0.5,
        _ => 0.0,
    }
}

/// Returns the result of `seat` against `other` by scores: 1 if it has more, 1/2 if both have the same, else 0.
#[must_use]
pub fn score_against(row: &GameRow, seat: usize, other: usize) -> f64 {
    match row.scores.get(seat).cmp(&row.scores.get(other)) {
        Ordering::Greater => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Less => 0.0,
    }
}
