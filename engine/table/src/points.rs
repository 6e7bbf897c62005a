//! Where the points came from.

use indexmap::IndexMap;
use motherlode::declare::AskChoices;
use motherlode::tools::Sight;
use motherlode::{Game, Match, MatchError};

/// Where the points of each seat came from, in the order in which they first did: by the name of a phase, or of a part of the score.
pub type Points = IndexMap<String, Vec<i32>>;

/// The scores of all seats as they are now.
#[must_use]
pub fn scores(played: &Match) -> Vec<i32> {
    let game = played.game();
    let words = played.words_for(None);
    let sight = Sight { declared: game.declarations(), layout: game.layout(), words: &words, seat: None };
    let score = game.declarations().outcome.score;
    (1..=i32::from(played.setup().players)).map(|player| sight.counter(score, player).unwrap_or(0)).collect()
}

/// Adds what an answer in this phase has brought.
pub fn add(points: &mut Points, played: &Match, phase: &str, before: &[i32]) {
    let now = scores(played);
    let brought: Vec<i32> = now.iter().zip(before).map(|(now, before)| now.saturating_sub(*before)).collect();
    if brought.iter().all(|points| *points == 0) {
        return;
    }
    // What comes when nothing is left to decide comes in the last phase.
    let last = played.game().declarations().phases.get(played.phase()).map(|last| last.name.as_str());
    let name = last.filter(|_| played.is_over()).unwrap_or(phase);
    let sum = points.entry(name.to_owned()).or_insert_with(|| vec![0; now.len()]);
    for (sum, brought) in sum.iter_mut().zip(brought) {
        *sum = sum.saturating_add(brought);
    }
}

/// The points of a match by phase, from its answers.
///
/// # Errors
/// The answers cannot be given again.
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

/// What the final table shows beside the scores: what they are made of, and what else has decided.
#[must_use]
pub fn parts(game: &Game, played: &Match, by_phase: &Points) -> Points {
    let mut shown = made_of(game, played, by_phase);
    shown.extend(deciding(game, played));
    shown
}

/// The parts of the score that the game declares, when the match is over; else what each phase has brought, if there are several.
fn made_of(game: &Game, played: &Match, by_phase: &Points) -> Points {
    let declared = game.declarations();
    if declared.outcome.parts.is_empty() {
        // What buys something is no sum of what phases bring.
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

/// What players are ranked by besides the score, where the scores do not tell why somebody is ahead of somebody else.
fn deciding(game: &Game, played: &Match) -> Points {
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

/// The values of a player counter at the end, under its name.
fn column(played: &Match, counter: usize) -> Option<(String, Vec<i32>)> {
    let (_, one) = played.game().declarations().counters.get_index(counter)?;
    let of = |player| played.counter(player, counter).unwrap_or(0);
    Some((one.text.clone(), (1..=i32::from(played.setup().players)).map(of).collect()))
}
