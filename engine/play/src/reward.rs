//! The reward of an outcome for a seat, for searches and training; the declared utility behind it.

use motherlode::declare::{Goal, OutcomeDecl};
use motherlode::{ByName, CounterView, Match, Outcome};

/// Weight of the lead, relative to 1 for the place.
const LEAD: f64 = 0.9;
/// The fraction of both scores' sum that makes half of the maximum lead.
const HALF: f64 = 0.2;
/// The score of a game without rivals that earns half of the maximum.
const SCORE: f64 = 50.0;

/// The reward from 0 to 1, for the declared goal.
///
/// **Goal `score` or `margin`**: the utility, linear in the declared range, so that means of rewards order risks as
/// means of scores do.
///
/// **Goal `rank`**: 1 for a sole first place with an unlimited lead, 0 for an unlimited deficit. About half of the
/// reward is the first place, shared among all who are first. The other half is the lead over the best rival, relative
/// to both scores, so that it needs no scale. A few playouts cannot separate choices with similar chances of winning;
/// the lead separates them sooner. In cooperative and solo games the score replaces the lead.
#[must_use]
pub fn reward(declared: &OutcomeDecl, outcome: &Outcome, seat: u8) -> f64 {
    let seat = usize::from(seat);
    if declared.goal != Goal::Rank {
        return in_range(declared, points(declared, outcome, seat));
    }
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

/// The position of a score or a margin in its range: 0 for the worst, 1 for the best.
fn in_range(declared: &OutcomeDecl, points: i64) -> f64 {
    let (least, most) = declared.range.unwrap_or_default();
    let (least, most) = (f64::from(least), f64::from(most));
    let (worst, best) = match declared.goal {
        Goal::Margin => (least - most, most - least),
        _ if declared.least_score() => (-most, -least),
        _ => (least, most),
    };
    ((points as f64 - worst) / (best - worst)).clamp(0.0, 1.0)
}

/// The score of a seat, or its margin if that is the declared goal. A score counts as negative if less is better.
pub(crate) fn points(declared: &OutcomeDecl, outcome: &Outcome, seat: usize) -> i64 {
    let sign = if declared.least_score() { -1 } else { 1 };
    let own = outcome.scores.get(seat).copied().map_or(0, i64::from);
    let best = rivals(outcome, seat).map(|score| sign * i64::from(score)).max();
    sign * own - best.filter(|_| declared.goal == Goal::Margin).unwrap_or(0)
}

/// The declared utility of a seat: its share of the first place, or its score or margin in steps of the score counter.
#[must_use]
pub fn utility(declared: &OutcomeDecl, outcome: &Outcome, seat: u8) -> f64 {
    let seat = usize::from(seat);
    match declared.goal {
        Goal::Rank => first_place(outcome.won, &outcome.ranks, seat),
        Goal::Score | Goal::Margin => points(declared, outcome, seat) as f64,
    }
}

/// The [utility](utility()) of a seat in points: a score or a margin of 7 halves is 3.5.
#[must_use]
pub fn utility_in_points(declared: &OutcomeDecl, outcome: &Outcome, seat: u8) -> f64 {
    let unit = if declared.goal == Goal::Rank { 1.0 } else { f64::from(outcome.unit.max(1)) };
    utility(declared, outcome, seat) / unit
}

/// The utility of a seat, as if the match ended in this position. `None`: the seat does not see the scores or the
/// teams.
///
/// The difference between two decisions of a seat is its step reward. With the goal `rank`, the utility is 0 until the
/// match is over.
#[must_use]
pub fn utility_now(m: &Match, seat: u8) -> Option<f64> {
    let declared = &m.game().declarations().outcome;
    if let Some(outcome) = m.outcome() {
        return Some(utility(declared, &outcome, seat));
    }
    if declared.goal == Goal::Rank {
        return Some(0.0);
    }
    let (scores, teams) = scores_now(m, seat)?;
    let (ranks, reason) = (Vec::new(), String::new());
    let outcome = Outcome { scores, unit: 0, ranks, reason, rounds: 0, teams, won: None };
    Some(utility(declared, &outcome, seat))
}

/// The scores and the teams of all seats, if the seat sees those that its utility depends on.
fn scores_now(m: &Match, seat: u8) -> Option<(Vec<i32>, Vec<i32>)> {
    let d = m.game().declarations();
    let (declared, seat) = (&d.outcome, usize::from(seat));
    let observation = m.observe(u8::try_from(seat).ok());
    let value = |counter: usize, holder: usize, seen: &ByName<CounterView>| {
        let (name, _) = d.counters.get_index(counter)?;
        seen.get(name).filter(|view| !matches!(view, CounterView::Hidden))?;
        m.counter(i32::try_from(holder).ok()?, counter)
    };
    if declared.shared {
        let score = value(declared.score, 0, &observation.game)?;
        return Some((vec![score; observation.players.len()], Vec::new()));
    }
    let of = |counter: usize| -> Vec<Option<i32>> {
        let seats = observation.players.iter().enumerate();
        seats.map(|(at, view)| value(counter, at + 1, &view.counters)).collect()
    };
    let teams: Vec<i32> = declared.teams.map_or(Some(Vec::new()), |teams| of(teams).into_iter().collect())?;
    let are_partners = |one: usize, other: usize| one == other || !teams.is_empty() && teams[one] == teams[other];
    // A rival's score does not count for the goal `score`.
    let is_ignored = |other: usize| declared.goal == Goal::Score && !are_partners(seat, other);
    let own = of(declared.score).into_iter().enumerate();
    let own: Vec<i32> = own.map(|(at, score)| score.or_else(|| is_ignored(at).then_some(0))).collect::<Option<_>>()?;
    // A team's score is the sum of its players'.
    let sum = |seat: usize| -> i64 {
        let partners = (0..own.len()).filter(|other| are_partners(seat, *other));
        partners.map(|other| i64::from(own[other])).sum()
    };
    let scores = (0..own.len()).map(|seat| i32::try_from(sum(seat)).unwrap_or(i32::MAX)).collect();
    Some((scores, teams))
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
    use motherlode::declare::RankKey;

    fn of(ranks: &[u8], scores: &[i32], seat: u8) -> f64 {
        let (scores, ranks) = (scores.to_vec(), ranks.to_vec());
        let outcome =
            Outcome { scores, unit: 0, ranks, reason: String::new(), rounds: 1, teams: Vec::new(), won: None };
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
    fn the_declared_goal_is_linear_in_its_range() {
        let outcome = |scores: &[i32]| Outcome {
            scores: scores.to_vec(),
            unit: 0,
            ranks: vec![1; scores.len()],
            reason: String::new(),
            rounds: 1,
            teams: Vec::new(),
            won: None,
        };
        let declared = |goal| OutcomeDecl { goal, range: Some((-10, 30)), ..OutcomeDecl::default() };
        let of = |goal, scores: &[i32]| reward(&declared(goal), &outcome(scores), 0);
        assert_eq!([-10, 0, 30].map(|score| of(Goal::Score, &[score, 7])), [0.0, 0.25, 1.0]);
        assert_eq!([[-10, 30], [5, 5], [30, -10]].map(|scores| of(Goal::Margin, &scores)), [0.0, 0.5, 1.0]);
        assert!((of(Goal::Margin, &[8, 2, 4]) - 0.55).abs() < 1e-9, "the margin is the lead over the best other");
        let least = RankKey { counter: 0, least: true };
        let declared = OutcomeDecl { rank: vec![least], ..declared(Goal::Score) };
        assert_eq!([-10, 30].map(|score| reward(&declared, &outcome(&[score, 7]), 0)), [1.0, 0.0]);
        assert_eq!(utility(&declared, &outcome(&[8, 2]), 0), -8.0);
    }

    #[test]
    fn in_cooperative_games_the_score_replaces_the_lead() {
        let of = |won: bool, score: i32| {
            let outcome = Outcome {
                won: Some(won),
                scores: vec![score; 2],
                unit: 0,
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
