//! The reward of an outcome for a seat, for searches and training.

use motherlode::Outcome;
use motherlode::declare::OutcomeDecl;

/// Weight of the lead, relative to 1 for the place.
const LEAD: f64 = 0.9;
/// The fraction of both scores' sum that makes half of the maximum lead.
const HALF: f64 = 0.2;
/// The score of a game without rivals that earns half of the maximum.
const SCORE: f64 = 50.0;

/// The reward from 0 to 1: 1 for a sole first place with an unlimited lead, 0 for an unlimited deficit.
///
/// About half of the reward is the first place, shared among all who are first. The other half is the lead over the
/// best rival, relative to both scores, so that it needs no scale. A few playouts cannot separate choices with
/// similar chances of winning; the lead separates them sooner. In cooperative and solo games the score replaces the
/// lead.
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

/// A seat's share of the first place: 1/k if k seats are first, else 0.
///
/// Team members share alike. The shares of all seats add up to 1, except in a cooperative game: there each seat has 1
/// after a win.
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

/// The scores of all seats that play against `seat`.
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
    fn in_cooperative_games_the_score_replaces_the_lead() {
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
