//! What an outcome is worth to a seat, for searches and for values that are learned.

use motherlode::Outcome;
use motherlode::declare::OutcomeDecl;

/// What the lead counts beside the place, which counts 1.
const LEAD: f64 = 0.9;
/// The part of both scores that makes half of the greatest lead.
const HALF: f64 = 0.2;
/// The score of a game without rivals that is half of the best.
const SCORE: f64 = 50.0;

/// From 0 to 1: a sole first place with a lead beyond all measure is 1, a last place as far behind is 0.
///
/// Half of it is the first place, shared among those who are first. The other half is the lead over the best of the others,
/// in proportion to both scores, so that it needs no scale. Few playouts tell a choice that wins a little more often from one that wins a
/// little less often; the lead tells sooner. In a cooperative game and for one player alone, the score takes its place.
#[must_use]
pub fn reward(declared: &OutcomeDecl, outcome: &Outcome, seat: u8) -> f64 {
    let seat = usize::from(seat);
    let own = outcome.scores.get(seat).copied().map_or(0.0, f64::from);
    let sign = if declared.least_score() { -1.0 } else { 1.0 };
    let best = rivals(outcome, seat).map(|score| sign * f64::from(score)).reduce(f64::max);
    let best = best.filter(|_| outcome.won.is_none());
    let lead = match best {
        Some(best) => {
            let lead = sign * own - best;
            lead / (lead.abs() + HALF * (own.abs() + best.abs()) + 1.0)
        }
        None => sign * own / (own.abs() + SCORE),
    };
    (first_place(outcome.won, &outcome.ranks, seat) + LEAD * (1.0 + lead) / 2.0) / (1.0 + LEAD)
}

/// The share of the first place that a seat has: 1/k if k seats are first, those of a team alike; 0 otherwise. All seats together have 1; in a
/// cooperative game each has 1 if it was won.
#[must_use]
pub fn first_place(won: Option<bool>, ranks: &[u8], seat: usize) -> f64 {
    if let Some(won) = won {
        return f64::from(u8::from(won));
    }
    if ranks.get(seat) != Some(&1) {
        return 0.0;
    }
    let first = ranks.iter().filter(|rank| **rank == 1).count();
    1.0 / f64::from(u8::try_from(first).unwrap_or(u8::MAX))
}

/// The scores of those who play against a seat.
pub(crate) fn rivals(outcome: &Outcome, seat: usize) -> impl Iterator<Item = i32> {
    let team = outcome.teams.get(seat);
    let plays_against = move |other: usize| other != seat && outcome.teams.get(other).is_none_or(|of| Some(of) != team);
    outcome.scores.iter().enumerate().filter(move |(other, _)| plays_against(*other)).map(|(_, &score)| score)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ranks: &[u8], scores: &[i32], seat: u8) -> f64 {
        let (scores, ranks) = (scores.to_vec(), ranks.to_vec());
        let outcome = Outcome { scores, ranks, reason: String::new(), rounds: 1, teams: Vec::new(), won: None };
        reward(&OutcomeDecl::default(), &outcome, seat)
    }

    #[test]
    fn a_place_counts_more_than_any_lead() {
        assert!(of(&[1, 2], &[1, 0], 0) > of(&[2, 1], &[99, 100], 0));
        assert!(of(&[1, 1], &[9, 9], 0) > of(&[2, 1], &[9, 10], 0));
        assert!(of(&[1, 2], &[9, 9], 0) > of(&[1, 1], &[9, 9], 0));
    }

    #[test]
    fn a_greater_lead_is_better_and_all_lie_between_0_and_1() {
        assert!(of(&[1, 2], &[9, 3], 0) > of(&[1, 2], &[9, 8], 0));
        assert!(of(&[2, 1], &[8, 9], 0) > of(&[2, 1], &[3, 9], 0));
        assert!(of(&[1], &[60], 0) > of(&[1], &[50], 0));
        for scores in [[i32::MIN, i32::MAX], [i32::MAX, i32::MIN], [0, 0], [-5, -9]] {
            assert!((0.0..=1.0).contains(&of(&[1, 2], &scores, 0)) && (0.0..=1.0).contains(&of(&[2, 1], &scores, 0)));
        }
    }

    #[test]
    fn together_the_score_counts_whatever_the_place() {
        let of = |won: bool, score: i32| {
            let outcome = Outcome {
                won: Some(won),
                scores: vec![score; 2],
                ranks: vec![if won { 1 } else { 2 }; 2],
                reason: String::new(),
                rounds: 1,
                teams: Vec::new(),
            };
            reward(&OutcomeDecl::default(), &outcome, 1)
        };
        assert!(of(true, 0) > of(false, 1_000_000) && of(false, 8) > of(false, 7));
    }
}
