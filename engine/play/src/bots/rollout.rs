//! The rollout bot: flat Monte Carlo search over determinizations.

use std::cmp::Ordering;

use motherlode::declare::{Goal, OutcomeDecl};
use motherlode::{Decision, Match, MatchError, Outcome, Snapshot};
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::{Bot, all_choices, random_index};
use crate::bots::kind::{BotKind, Budget, Variant};
use crate::bots::playout::{MOST_ENDLESS, Playout, play_out};
use crate::bots::reuse::{determinize, scratch_match};
use crate::reward::{points, rivals};

pub static KIND: BotKind = BotKind {
    name: "rollout",
    budget: Some(Budget { letter: 'N', of: "playouts", per: "choice", usual: 50 }),
    alone: Some(Variant {
        plays: "plays `N` random games from each choice; with more than a thousand choices, `flat:B` is cheaper",
        make: |parts| Box::new(Rollout::new(parts.count, parts.seed)),
    }),
    by_value: None,
};

/// Takes the choice with the best mean result of `N` random playouts to the end of the game.
///
/// All choices are tried on the same `N` determinizations (see [`Bot`]), so that the luck of the deal does not decide
/// between them. For each, the bot copies the position into its own match and redeals everything that the seat cannot
/// know ([`Match::redeal`]). The bot's choice depends on nothing else, so it chooses the same in all matches that its
/// seat cannot tell apart, although it receives the true match.
///
/// **Result of a playout**: 1 for a sole first place, 1/k for a first place shared by k seats, 0 otherwise; plus at
/// most a thousandth for the margin `m` between the seat's score and the best of the others, `m / (1 + |m|)`. The
/// margin never outweighs one win in a thousand. It decides between choices that win equally often, above all if
/// every choice loses or there is one player.
///
/// Team members share a place and compare their team's score with the other teams'. In a cooperative game the result
/// is 1 if the players won, plus at most a thousandth for the score `s`, `s / (1000 + |s|)`. A score that grows
/// towards the goal guides the bot while wins are rare.
///
/// If the game declares the goal `score` or `margin`, the result of a playout is the score or the margin alone.
///
/// **Playouts that do not count**: those in which a script fails or that exceed
/// [`DECISION_LIMIT`](crate::DECISION_LIMIT), and determinizations that cannot be found ([`MatchError::NoDeal`]). A
/// choice without a finished playout is taken only if no choice has one. After [`MOST_ENDLESS`] endless playouts in a
/// game, or without any determinization, the bot chooses at random. Ties are broken at random.
pub struct Rollout {
    name: String,
    playouts: u32,
    generator: Pcg64Mcg,
    /// The bot's own match.
    scratch: Option<Match>,
    /// A buffer for determinizations.
    sample: Snapshot,
    /// Playouts of the current game that did not end.
    endless: u32,
}

/// Results of one choice, in the units of [`result`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct ChoiceTally {
    total: i64,
    playouts: i64,
}

/// Result of a sole first place.
///
/// Results are integers, so that sums do not depend on the order. 720,720 is divisible by every number of players up
/// to 16; the factor of a million keeps small differences between large margins.
const WIN: i64 = 720_720_000_000;

/// Maximum effect of the margin, in either direction.
const MARGIN: i64 = WIN / 1000;

/// The score of a cooperative game that earns half of [`MARGIN`].
const SCORE: i64 = 1000;

impl Rollout {
    /// A bot with this many playouts per choice.
    #[must_use]
    pub fn new(playouts: u32, seed: u64) -> Self {
        let generator = Pcg64Mcg::seed_from_u64(seed);
        let (name, sample) = (format!("rollout:{playouts}"), Snapshot::default());
        Self { name, playouts, generator, scratch: None, sample, endless: 0 }
    }
}

impl Bot for Rollout {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError> {
        self.choose_among(m, d, &all_choices(m))
    }

    fn choose_among(&mut self, m: &Match, d: Decision, among: &[usize]) -> Result<usize, MatchError> {
        let count = among.len();
        if count < 2 {
            return Ok(among.first().copied().unwrap_or(0));
        }
        let playouts = if self.endless < MOST_ENDLESS { self.playouts } else { 0 };
        let (earlier, mut endless) = (self.endless, 0);
        let mut generator = self.generator.clone();
        let mut sample = std::mem::take(&mut self.sample);
        let own = scratch_match(&mut self.scratch, m)?;
        let root = m.snapshot();
        let mut tallies = vec![ChoiceTally::default(); count];
        let mut dealt = 0;
        'search: for _ in 0..playouts {
            if m.game().is_halted() {
                return Err(MatchError::Halted);
            }
            if !determinize(own, &root, d, generator.next_u64())? {
                continue;
            }
            dealt += 1;
            own.snapshot_into(&mut sample);
            for (&index, tally) in among.iter().zip(&mut tallies) {
                own.restore(&sample)?;
                // The redeal drops other seats' answers in a simultaneous phase, so this seat need not be next.
                if own.answer_as(d.seat, index).is_err() {
                    continue;
                }
                match play_out(own, &mut generator) {
                    Playout::Ended(outcome) => {
                        tally.add(result(&m.game().declarations().outcome, &outcome, d.seat));
                    }
                    Playout::Endless => endless += 1,
                    Playout::Costly => endless += MOST_ENDLESS,
                    Playout::Failed => {}
                }
                if earlier + endless >= MOST_ENDLESS {
                    break 'search;
                }
            }
        }
        let chosen = if dealt > 0 { best(&tallies, &mut generator) } else { random_index(count, &mut generator) };
        self.sample = sample;
        self.endless += endless;
        self.generator = generator;
        Ok(among[chosen])
    }

    fn reseed(&mut self, seed: u64) {
        self.generator = Pcg64Mcg::seed_from_u64(seed);
        self.endless = 0;
    }
}

impl ChoiceTally {
    fn add(&mut self, result: i64) {
        self.total += result;
        self.playouts += 1;
    }

    /// Compares the means; a tally without playouts is worst.
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

/// The index of the best tally; ties are broken at random.
fn best(tallies: &[ChoiceTally], generator: &mut Pcg64Mcg) -> usize {
    let (mut best, mut equals) = (0, 1);
    for (index, tally) in tallies.iter().enumerate().skip(1) {
        match tally.compare(&tallies[best]) {
            Ordering::Greater => (best, equals) = (index, 1),
            Ordering::Equal => {
                equals += 1;
                if random_index(equals, generator) == 0 {
                    best = index;
                }
            }
            Ordering::Less => {}
        }
    }
    best
}

/// The result of an outcome for a seat, in units of [`WIN`]; a score or a margin in its own units.
fn result(declared: &OutcomeDecl, outcome: &Outcome, seat: u8) -> i64 {
    let seat = usize::from(seat);
    if declared.goal != Goal::Rank {
        return points(declared, outcome, seat);
    }
    let own = outcome.scores.get(seat).copied().map_or(0, i64::from);
    if let Some(won) = outcome.won {
        let place = if won { WIN } else { 0 };
        return place + MARGIN * own / (SCORE + own.abs());
    }
    let first = outcome.ranks.get(seat) == Some(&1);
    let sharing = i64::try_from(outcome.sharing()).unwrap_or(1).max(1);
    let sign = if declared.least_score() { -1 } else { 1 };
    let best = rivals(outcome, seat).map(|score| sign * i64::from(score)).max();
    let margin = sign * own - best.unwrap_or(0);
    let place = if first { WIN / sharing } else { 0 };
    place + MARGIN * margin / (1 + margin.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use motherlode::declare::RankKey;

    fn outcome(ranks: &[u8], scores: &[i32]) -> Outcome {
        let (scores, ranks) = (scores.to_vec(), ranks.to_vec());
        Outcome { scores, unit: 0, ranks, reason: String::new(), rounds: 1, teams: Vec::new(), won: None }
    }

    fn result(outcome: &Outcome, seat: u8) -> i64 {
        super::result(&OutcomeDecl::default(), outcome, seat)
    }

    #[test]
    fn less_is_better_where_the_game_says_so() {
        let declared = OutcomeDecl { rank: vec![RankKey { counter: 0, least: true }], ..OutcomeDecl::default() };
        let of = |scores: [i32; 2]| super::result(&declared, &outcome(&[2, 1], &scores), 0);
        assert!(of([5, 3]) > of([9, 3]) && of([5, 3]) < 0);
    }

    #[test]
    fn a_team_wins_together() {
        let team = |ranks, scores| Outcome { teams: vec![1, 2, 1, 2], ..outcome(ranks, scores) };
        let won = team(&[1, 2, 1, 2], &[9, 4, 9, 4]);
        assert_eq!(result(&won, 0), result(&won, 2));
        assert!(result(&won, 0) > WIN && result(&won, 1) < 0);
        assert_eq!(result(&team(&[1, 1, 1, 1], &[9, 9, 9, 9]), 3), WIN / 2);
    }

    #[test]
    fn all_win_or_lose_together_and_climb_the_score() {
        let of = |won: bool, score: i32| {
            let rank = if won { 1 } else { 2 };
            result(&Outcome { won: Some(won), ..outcome(&[rank; 3], &[score; 3]) }, 1)
        };
        assert!(of(true, 0) > of(false, 1_000_000));
        assert!(of(false, 100_001) > of(false, 100_000) && of(false, 1) > of(false, 0) && of(false, 0) > of(false, -1));
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
    fn means_are_compared_and_any_of_the_best_is_taken() {
        let tally = |total, playouts| ChoiceTally { total, playouts };
        let mut generator = Pcg64Mcg::seed_from_u64(3);
        let mut shares = |tallies: &[ChoiceTally]| {
            let mut taken = vec![0; tallies.len()];
            (0..3000).for_each(|_| taken[best(tallies, &mut generator)] += 1);
            taken
        };
        assert_eq!(shares(&[tally(-5, 1), tally(0, 0)]), [3000, 0]);
        let equals = shares(&[tally(1, 2), tally(3, 5), tally(2, 4), tally(6, 10), tally(9, 15)]);
        assert_eq!((equals[0], equals[2]), (0, 0));
        assert!(equals.iter().all(|&taken| taken == 0 || (900..1100).contains(&taken)), "{equals:?}");
    }
}
