//! Measures how a game plays for its seats: blowouts, waiting, kingmaking and the number of decisions.

use motherlode::{Game, Match};
use motherlode_play::{GameRow, Interval, mix};
use serde::{Deserialize, Serialize};

use crate::ratio::{Estimate, Ratio, SHARE_BOUNDS};
use crate::trajectory::{WinTrajectory, has_leader};

/// Minimum lead of a blowout, as a share of the larger score.
pub const BLOWOUT: f64 = 0.25;

/// Minimum win share of a seat that can still win where another makes a king.
pub const CONTENDER: f64 = 0.25;

/// Derives the seeds of resamples from the seed of the series.
const QUALITY: u64 = 0x7175_616c_6974;

/// How a game plays for its seats. Means over games.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayQuality {
    /// Share of games whose first place leads the next place by at least `BLOWOUT` of the larger score.
    pub blowouts: Option<Estimate>,
    /// Share of a game's decisions after the winner is certain: from there on, the winner wins every playout.
    pub settled: Option<Estimate>,
    /// Share of a game's decisions after a loser has no chance: from there on, this seat wins no playout.
    pub hopeless: Option<Estimate>,
    /// Share of a game's decisions after the last one of the seat that stops first.
    pub idle: Option<Estimate>,
    /// Share of positions in which the seat that decides wins no playout and two other seats each win `CONTENDER`.
    pub kingmaking: Option<Estimate>,
    /// The same share for the positions in which each seat decides, by seat.
    #[serde(default)]
    pub kingmakers: Vec<Option<Estimate>>,
    /// Number of decisions of one seat in a game.
    pub decisions: Option<Estimate>,
}

/// The games so far. Each game is a block.
#[derive(Debug, Clone, Default)]
pub struct QualitySum {
    blowouts: Ratio,
    settled: Ratio,
    hopeless: Ratio,
    idle: Ratio,
    /// By seat.
    kingmakers: Vec<Ratio>,
    kingmaking: Ratio,
    decisions: Ratio,
}

impl QualitySum {
    /// Adds a game that ended. `idle` comes from [`idle_share`].
    pub fn add(&mut self, game: &Game, row: &GameRow, idle: Option<f64>, trajectory: Option<&WinTrajectory>) {
        let mean = |ratio: &mut Ratio, value: Option<f64>| {
            ratio.push(value.unwrap_or_default(), f64::from(u8::from(value.is_some())));
        };
        let lead = has_leader(game, row.players).then(|| relative_lead(row)).flatten();
        mean(&mut self.blowouts, lead.map(|lead| f64::from(u8::from(lead >= BLOWOUT))));
        mean(&mut self.idle, idle.filter(|_| row.players > 1));
        mean(&mut self.decisions, Some(f64::from(row.decisions) / f64::from(row.players.max(1))));
        let Some(trajectory) = trajectory else { return };
        mean(&mut self.settled, trajectory.settled().map(|at| 1.0 - at));
        let (rest, losers) = trajectory.hopeless();
        self.hopeless.push(rest, losers);
        self.kingmakers.resize(usize::from(row.players), Ratio::default());
        let (mut found, mut all) = (0.0, 0.0);
        for (seat, own) in (0..row.players).zip(&mut self.kingmakers) {
            let (kingmaking, positions) = trajectory.kingmaking(seat, CONTENDER);
            own.push(kingmaking, positions);
            (found, all) = (found + kingmaking, all + positions);
        }
        self.kingmaking.push(found, all);
    }

    /// Returns the means with their intervals.
    #[must_use]
    pub fn report(&self, seed: u64) -> PlayQuality {
        let of = |number: u64, ratio: &Ratio, bounds: Option<Interval>| {
            ratio.estimate(mix(mix(seed, QUALITY), number), bounds)
        };
        PlayQuality {
            blowouts: of(0, &self.blowouts, Some(SHARE_BOUNDS)),
            settled: of(1, &self.settled, Some(SHARE_BOUNDS)),
            hopeless: of(2, &self.hopeless, Some(SHARE_BOUNDS)),
            idle: of(3, &self.idle, Some(SHARE_BOUNDS)),
            kingmaking: of(4, &self.kingmaking, Some(SHARE_BOUNDS)),
            kingmakers: (6..)
                .zip(&self.kingmakers)
                .map(|(number, seat)| of(number, seat, Some(SHARE_BOUNDS)))
                .collect(),
            decisions: of(5, &self.decisions, None),
        }
    }
}

/// Returns the lead of the first place over the next place, divided by the larger score; `None` if all seats tie or
/// both scores are 0.
fn relative_lead(row: &GameRow) -> Option<f64> {
    let first = row.ranks.iter().min()?;
    let next = row.ranks.iter().filter(|rank| *rank > first).min();
    let score = |rank: &u8| row.ranks.iter().position(|own| own == rank).and_then(|seat| row.scores.get(seat));
    let Some(next) = next else { return Some(0.0) };
    let (first, next) = (f64::from(*score(first)?), f64::from(*score(next)?));
    let larger = first.abs().max(next.abs());
    (larger > 0.0).then(|| ((first - next).abs() / larger).min(1.0))
}

/// Returns the share of a game's decisions after the last one of the seat that stops first; `None` without decisions.
#[must_use]
pub fn idle_share(m: &Match) -> Option<f64> {
    let answers = m.answers();
    let after = |seat: u8| answers.iter().rev().take_while(|answer| answer.seat != seat).count();
    let longest = (0..m.setup().players).map(after).max()?;
    #[expect(clippy::cast_precision_loss, reason = "no game has 2^53 answers")]
    let share = longest as f64 / answers.len() as f64;
    (!answers.is_empty()).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(scores: [i32; 3], ranks: [u8; 3]) -> GameRow {
        GameRow { players: 3, scores: scores.to_vec(), ranks: ranks.to_vec(), ..GameRow::default() }
    }

    #[test]
    fn a_lead_is_a_share_of_the_larger_score() {
        assert_eq!(relative_lead(&row([30, 40, 20], [2, 1, 3])), Some(0.25));
        assert_eq!(relative_lead(&row([30, 40, 40], [1, 2, 2])), Some(0.25), "the lowest score wins");
        assert_eq!(relative_lead(&row([10, -10, -10], [1, 2, 2])), Some(1.0), "at most 1");
        assert_eq!(relative_lead(&row([5, 5, 5], [1, 1, 1])), Some(0.0));
        assert_eq!(relative_lead(&row([0, 0, 0], [1, 2, 2])), None, "a game without scores");
    }
}
