//! Estimates of every choice of a decision, for people.

use motherlode::declare::Goal;
use motherlode::{Decision, Match, MatchError, Snapshot};
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::bots::playout::{MOST_ENDLESS, Playout, play_out};
use crate::bots::reuse::{determinize, scratch_match};
use crate::reward::{reward, utility_in_points};

/// Results of one choice in random games to the end.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Estimate {
    /// Games that ended.
    pub games: u32,
    /// Sum of the seat's [utilities](crate::utility_in_points()): first places, scores or margins.
    pub utility: f64,
    /// Sum of the positions of these utilities in their range, each from 0 to 1.
    pub level: f64,
    /// Sum of the seat's scores, in points.
    pub score: f64,
}

/// Estimates every choice by random games, as long as `more` returns true.
///
/// `more` is called with the results so far, before each round of one game per choice. All choices are tried on the
/// same determinizations, as in [`Rollout`](crate::Rollout), so two matches that look the same to the seat get the
/// same estimates.
///
/// # Errors
/// The rules fail, or the position cannot be redealt.
pub fn estimate(
    m: &Match,
    decision: Decision,
    seed: u64,
    more: &mut dyn FnMut(&[Estimate]) -> bool,
) -> Result<Vec<Estimate>, MatchError> {
    let mut all = vec![Estimate::default(); m.legal_of(decision.seat)?.len()];
    let declared = &m.game().declarations().outcome;
    let mut generator = Pcg64Mcg::seed_from_u64(seed);
    let mut scratch = None;
    let own = scratch_match(&mut scratch, m)?;
    let (root, mut sample) = (m.snapshot(), Snapshot::default());
    let (mut failed, seat) = (0, usize::from(decision.seat));
    while more(&all) && failed < MOST_ENDLESS {
        if !determinize(own, &root, decision, generator.next_u64())? {
            failed += 1;
            continue;
        }
        own.snapshot_into(&mut sample);
        for (index, estimate) in all.iter_mut().enumerate() {
            own.restore(&sample)?;
            if own.answer_as(decision.seat, index).is_err() {
                continue;
            }
            match play_out(own, &mut generator) {
                Playout::Ended(outcome) => {
                    estimate.games += 1;
                    let score = outcome.scores.get(seat).copied().map_or(0.0, f64::from);
                    estimate.score += score / f64::from(outcome.unit.max(1));
                    let utility = utility_in_points(declared, &outcome, decision.seat);
                    estimate.utility += utility;
                    let is_rank = declared.goal == Goal::Rank;
                    estimate.level += if is_rank { utility } else { reward(declared, &outcome, decision.seat) };
                }
                Playout::Endless | Playout::Failed | Playout::Costly => failed += 1,
            }
        }
    }
    Ok(all)
}
