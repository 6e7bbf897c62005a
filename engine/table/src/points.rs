//! The sources of each seat's points.

use indexmap::IndexMap;
use motherlode::declare::AskChoices;
use motherlode::tools::Sight;
use motherlode::{Game, Match, MatchError};

/// Points of each seat by source (a phase, or a part of the score), in the order of first appearance.
pub type Points = IndexMap<String, Vec<i32>>;

/// The current scores of all seats.
#[must_use]
pub fn scores(played: &Match) -> Vec<i32> {
    let game = played.game();
    let words = played.words_for(None);
    let sight = Sight { declared: game.declarations(), layout: game.layout(), words: &words, seat: None };
    let score = game.declarations().outcome.score;
    (1..=i32::from(played.setup().players)).map(|player| sight.counter(score, player).unwrap_or(0)).collect()
}

/// Adds the points that an answer in this phase gave.
pub fn add(points: &mut Points, played: &Match, phase: &str, before: &[i32]) {
    let now = scores(played);
    let brought: Vec<i32> = now.iter().zip(before).map(|(now, before)| now.saturating_sub(*before)).collect();
    if brought.iter().all(|points| *points == 0) {
        return;
    }
    // Points from the automatic end of the game belong to the last phase.
    let last = played.game().declarations().phases.get(played.phase()).map(|last| last.name.as_str());
    let name = last.filter(|_| played.is_over()).unwrap_or(phase);
    let sum = points.entry(name.to_owned()).or_insert_with(|| vec![0; now.len()]);
    for (sum, brought) in sum.iter_mut().zip(brought) {
        *sum = sum.saturating_add(brought);
    }
}

/// The points of a match by phase. Replays the match from its answers.
///
/// # Errors
/// The replay fails.
pub fn by_phase(played: &Match) -> Result<Points, MatchError> {
    let (mut again, mut points) = (Match::new(played.game(), played.setup())?, Points::new());
    for answer in played.answers() {
        let (before, phase) = (scores(&again), again.phase().to_owned());
        again.answer_as(answer.seat, usize::from(answer.index))?;
        let name = again.game().declarations().phases.get(&phase).map_or(phase, |phase| phase.name.clone());
        add(&mut points, &again, &name, &before);
    }
    Ok(points)
}

/// The extra columns of the final table: the sources of the scores, then the tie-breakers.
#[must_use]
pub fn parts(game: &Game, played: &Match, by_phase: &Points) -> Points {
    let mut shown = score_parts(game, played, by_phase);
    shown.extend(tie_breakers(game, played));
    shown
}

/// The declared parts of the score after the end of the match; otherwise the points by phase, if there are
/// several phases.
fn score_parts(game: &Game, played: &Match, by_phase: &Points) -> Points {
    let declared = game.declarations();
    if declared.outcome.parts.is_empty() {
        // Points that players also spend are not a sum over phases.
        let paid = declared.phases.values().flat_map(|phase| &phase.asks).any(|ask| match &ask.choices {
            AskChoices::Buy { prices, .. } => {
                prices.iter().flatten().any(|change| change.counter == declared.outcome.score && change.by < 0)
            }
            _ => false,
        });
        let alone = declared.outcome.teams.is_none();
        return if by_phase.len() > 1 && alone && !paid { by_phase.clone() } else { Points::new() };
    }
    declared.outcome.parts.iter().filter_map(|&counter| column(played, counter)).collect()
}

/// The tie-breakers, if the scores alone do not explain the ranking.
fn tie_breakers(game: &Game, played: &Match) -> Points {
    let declared = &game.declarations().outcome;
    let Some(outcome) = played.outcome().filter(|outcome| outcome.won.is_none() && outcome.teams.is_empty()) else {
        return Points::new();
    };
    let seats = 0..outcome.ranks.len();
    let by_score = |one: usize, other: usize| {
        let order = outcome.scores[other].cmp(&outcome.scores[one]);
        if declared.least_score() { order.reverse() } else { order }
    };
    let is_told = seats
        .clone()
        .all(|one| seats.clone().all(|other| outcome.ranks[one].cmp(&outcome.ranks[other]) == by_score(one, other)));
    if is_told {
        return Points::new();
    }
    let keys = declared.rank.iter().map(|key| key.counter).filter(|counter| *counter != declared.score);
    keys.filter_map(|counter| column(played, counter)).collect()
}

/// The final values of a player counter, with its label.
fn column(played: &Match, counter: usize) -> Option<(String, Vec<i32>)> {
    let (_, one) = played.game().declarations().counters.get_index(counter)?;
    let of = |player| played.counter(player, counter).unwrap_or(0);
    Some((one.text.clone(), (1..=i32::from(played.setup().players)).map(of).collect()))
}
