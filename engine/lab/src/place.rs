//! What a game was worth to a seat.

use motherlode::Outcome;
use motherlode_play::GameRow;

/// Its part of the first place: 1/k if k seats are first, those of a team alike; 0 otherwise. All seats together have 1; in a
/// cooperative game each has 1 if it was won.
#[must_use]
pub fn share(row: &GameRow, seat: usize) -> f64 {
    if let Some(won) = row.won {
        return f64::from(u8::from(won));
    }
    if row.ranks.get(seat) != Some(&1) {
        return 0.0;
    }
    let first = row.ranks.iter().filter(|rank| **rank == 1).count();
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

/// A row that says how a game came out, and nothing else.
#[must_use]
pub fn row(outcome: Outcome) -> GameRow {
    GameRow {
        index: 0,
        seed: 0,
        players: 0,
        rounds: outcome.rounds,
        decisions: 0,
        aborted: None,
        scores: outcome.scores,
        ranks: outcome.ranks,
        teams: outcome.teams,
        won: outcome.won,
        reason: outcome.reason,
        answers: Vec::new(),
    }
}
