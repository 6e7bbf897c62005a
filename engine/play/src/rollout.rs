//! The rollout bot: flat Monte Carlo search that does not cheat.

use std::cmp::Ordering;

use motherlode::{Decision, Match, MatchError, Outcome};
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::Bot;
use crate::bot::any;

/// Most decisions in one game or one playout; one that is longer counts as aborted.
pub const DECISION_LIMIT: u32 = 100_000;

/// Plays each choice to the end at random, `N` times, and takes the one with the best mean result.
///
/// The `N` playouts of all choices start from the same `N` deals: for each deal, the position is copied into a match of the bot's
/// own, everything that the seat cannot know is dealt again, and every choice is tried on it. Trying all choices on the
/// same deals takes the luck of the deal out of their comparison. The bot's own match is the only one it ever looks into,
/// and that holds nothing the seat does not know; so the bot cannot cheat, even with the true match in its hands.
///
/// **Result of a playout**: 1 for a sole first place, 1/k for a first place shared by k, 0 otherwise; plus at most a thousandth
/// for the margin, the own score less the best of the others', `m / (1 + |m|)`. The margin is too small to outweigh a win in
/// a thousand; it tells apart choices that win equally often, above all when every choice loses or when there is one player.
///
/// A playout that meets a fault in a script, or that passes [`DECISION_LIMIT`], counts for nothing; a choice none of whose playouts
/// came to an end is taken only if no other did either. Of equally good choices the first is taken.
pub struct Rollout {
    name: String,
    playouts: u32,
    generator: Pcg64Mcg,
    /// The bot's own match.
    scratch: Option<Match>,
}

/// Results of one choice, in [`WIN`]s.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Tally {
    total: i64,
    playouts: i64,
}

/// Result of a sole first place. Whole numbers are summed, so that no rounding depends on an order; 720,720 is divided
/// evenly by every number of players up to 16.
const WIN: i64 = 720_720;

/// Most that the margin adds or takes away.
const MARGIN: i64 = WIN / 1000;

impl Rollout {
    /// A bot that plays each choice this many times.
    #[must_use]
    pub fn new(playouts: u32, seed: u64) -> Self {
        Self { name: format!("rollout:{playouts}"), playouts, generator: Pcg64Mcg::seed_from_u64(seed), scratch: None }
    }

    /// The scratch match, fit for positions of `m`: made at the first decision, started again when the setup has changed.
    fn scratch(&mut self, m: &Match) -> Result<&mut Match, MatchError> {
        let fits = |table: &Match| table.game().fingerprint() == m.game().fingerprint();
        let table = match self.scratch.take().filter(fits) {
            Some(mut table) => {
                if table.setup() != m.setup() {
                    table.restart(m.setup())?;
                }
                table
            }
            None => {
                let mut table = Match::new(m.game(), m.setup())?;
                table.set_recording(false);
                table
            }
        };
        Ok(self.scratch.insert(table))
    }
}

impl Bot for Rollout {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError> {
        let count = m.choices().len();
        if count < 2 {
            return Ok(0);
        }
        let playouts = self.playouts;
        let mut generator = self.generator.clone();
        let table = self.scratch(m)?;
        let root = m.snapshot();
        let mut tallies = vec![Tally::default(); count];
        for _ in 0..playouts {
            let deal = generator.next_u64();
            for (index, tally) in tallies.iter_mut().enumerate() {
                // Dealt again from the same seed: a redealt match that stands in the middle of a hook cannot be put back.
                table.restore(&root)?;
                table.redeal(d.seat, &mut Pcg64Mcg::seed_from_u64(deal))?;
                // In a sealed phase the others' answers are forgotten with the deal: this seat need not be the next one.
                if table.answer_as(d.seat, index).is_ok()
                    && let Some(outcome) = finish(table, &mut generator)
                {
                    tally.add(result(&outcome, d.seat));
                }
            }
        }
        self.generator = generator;
        Ok(best(&tallies))
    }

    fn reseed(&mut self, seed: u64) {
        self.generator = Pcg64Mcg::seed_from_u64(seed);
    }
}

impl Tally {
    fn add(&mut self, result: i64) {
        self.total += result;
        self.playouts += 1;
    }

    /// Compares the means; no playouts at all is worst.
    fn compare(&self, other: &Self) -> Ordering {
        match (self.playouts, other.playouts) {
            (0, 0) => Ordering::Equal,
            (0, _) => Ordering::Less,
            (_, 0) => Ordering::Greater,
            _ => (i128::from(self.total) * i128::from(other.playouts))
                .cmp(&(i128::from(other.total) * i128::from(self.playouts))),
        }
    }
}

/// The first of the best.
fn best(tallies: &[Tally]) -> usize {
    let mut best = 0;
    for (index, tally) in tallies.iter().enumerate().skip(1) {
        if tally.compare(&tallies[best]) == Ordering::Greater {
            best = index;
        }
    }
    best
}

/// Plays at random to the end; `None` for an aborted playout.
fn finish(table: &mut Match, generator: &mut Pcg64Mcg) -> Option<Outcome> {
    for _ in 0..DECISION_LIMIT {
        let count = table.choices().len();
        if count == 0 {
            return table.outcome();
        }
        table.answer(any(count, generator)).ok()?;
    }
    None
}

/// What an outcome is worth to a seat, in [`WIN`]s.
fn result(outcome: &Outcome, seat: u8) -> i64 {
    let seat = usize::from(seat);
    let first = |rank: &u8| *rank == 1;
    let place = if outcome.ranks.get(seat).is_some_and(first) {
        let sharing = outcome.ranks.iter().filter(|rank| first(rank)).count();
        WIN / i64::try_from(sharing).unwrap_or(1).max(1)
    } else {
        0
    };
    let own = outcome.scores.get(seat).copied().map_or(0, i64::from);
    let others =
        outcome.scores.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, score)| i64::from(*score)).max();
    let margin = own - others.unwrap_or(0);
    place + MARGIN * margin / (1 + margin.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(ranks: &[u8], scores: &[i32]) -> Outcome {
        Outcome { scores: scores.to_vec(), ranks: ranks.to_vec(), reason: String::new(), rounds: 1 }
    }

    #[test]
    fn a_shared_first_place_is_worth_its_share() {
        assert_eq!(result(&outcome(&[1, 2], &[0, 0]), 0), WIN);
        assert_eq!(result(&outcome(&[1, 2], &[0, 0]), 1), 0);
        assert_eq!(result(&outcome(&[1, 1, 3], &[0, 0, 0]), 1), WIN / 2);
        assert_eq!(result(&outcome(&[1, 1, 1], &[0, 0, 0]), 1), WIN / 3);
    }

    #[test]
    fn the_margin_never_outweighs_a_place() {
        let narrow = result(&outcome(&[1, 2], &[0, i32::MAX]), 0);
        let shared = result(&outcome(&[1, 1], &[i32::MAX, i32::MIN]), 0);
        assert!(narrow > shared);
        assert!(result(&outcome(&[2, 1], &[5, 6]), 0) > result(&outcome(&[2, 1], &[5, 9]), 0));
        assert!(result(&outcome(&[1], &[9]), 0) > result(&outcome(&[1], &[8]), 0));
    }

    #[test]
    fn means_are_compared_and_the_first_best_is_taken() {
        let tally = |total, playouts| Tally { total, playouts };
        assert_eq!(best(&[tally(1, 2), tally(2, 4), tally(3, 5), tally(6, 10)]), 2);
        assert_eq!(best(&[tally(0, 0), tally(-5, 1), tally(0, 0)]), 1);
        assert_eq!(best(&[tally(0, 0), tally(0, 0)]), 0);
    }
}
