//! The sources of each seat's points.

use indexmap::IndexMap;
use motherlode::declare::{AskChoices, Show};
use motherlode::{Game, Match, MatchError, Outcome, ScoreSource};
use motherlode_content::sentence::within;

/// Points of each seat by source (a phase, or a part of the score), in the order of first appearance.
pub type Points = IndexMap<String, Vec<i32>>;

/// The extra columns of the final table: a text for each seat, by heading.
pub type Columns = IndexMap<String, Vec<String>>;

/// The source of points outside all phases, before the first.
const START: &str = "Start of the game";

/// Adds the points of the last step to their phases. The transcript of the match must be on.
pub fn add(points: &mut Points, played: &Match) {
    let (phases, seats) = (&played.game().declarations().phases, usize::from(played.setup().players));
    for change in played.score_changes() {
        let name = match change.source {
            ScoreSource::Setup => START,
            ScoreSource::Phase(phase) => phases.get_index(phase).map_or("", |(_, phase)| phase.name.as_str()),
            ScoreSource::Finish => "End of the game",
        };
        let sums = points.entry(name.to_owned()).or_insert_with(|| vec![0; seats]);
        if let Some(sum) = sums.get_mut(usize::from(change.seat)) {
            *sum = sum.saturating_add(change.by);
        }
    }
}

/// The points of a match by phase. Replays the match from its answers.
///
/// # Errors
/// The replay fails.
pub fn by_phase(played: &Match) -> Result<Points, MatchError> {
    let (mut again, mut points) = (Match::with_transcript(played.game(), played.setup())?, Points::new());
    add(&mut points, &again);
    for answer in played.answers() {
        again.take_log();
        again.answer_as(answer.seat, usize::from(answer.index))?;
        add(&mut points, &again);
    }
    Ok(points)
}

/// The extra columns of the final table: the sources of the scores, then the tie-breakers.
#[must_use]
pub fn parts(game: &Game, played: &Match, by_phase: &Points) -> Columns {
    let mut shown = score_parts(game, played, by_phase);
    shown.extend(tie_breakers(game, played));
    shown
}

/// The declared parts of the score after the end of the match; otherwise the points by phase, if several phases gave
/// any.
#[must_use]
pub fn score_parts(game: &Game, played: &Match, by_phase: &Points) -> Columns {
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
        let several = by_phase.keys().filter(|source| *source != START).count() > 1;
        if !several || !alone || paid {
            return Columns::new();
        }
        let score = &declared.counters[declared.outcome.score];
        let texts = |of: &Vec<i32>| of.iter().map(|steps| score.shown(*steps)).collect();
        return by_phase.iter().map(|(source, of)| (source.clone(), texts(of))).collect();
    }
    declared.outcome.parts.iter().filter_map(|&counter| column(played, counter)).collect()
}

/// The tie-breakers, if the scores alone do not explain the ranking.
#[must_use]
pub fn tie_breakers(game: &Game, played: &Match) -> Columns {
    let declared = &game.declarations().outcome;
    let Some(outcome) = played.outcome().filter(|outcome| !declared.shared && outcome.teams.is_empty()) else {
        return Columns::new();
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
        return Columns::new();
    }
    let keys = declared.rank.iter().map(|key| key.counter).filter(|counter| *counter != declared.score);
    keys.filter_map(|counter| column(played, counter)).collect()
}

/// The lead of the only winner over the next player: ` by 3, 41 to 38`; after a tie, what decides it:
/// ` at 38 each, by coins: 7 to 3`. Empty: there is no single winner, or a counter that nobody sees decides.
#[must_use]
pub fn lead(game: &Game, played: &Match) -> String {
    let declared = &game.declarations().outcome;
    let Some(outcome) = played.outcome().filter(|outcome| !declared.shared && outcome.teams.is_empty()) else {
        return String::new();
    };
    let mut seats: Vec<(u8, i32)> = outcome.ranks.iter().copied().zip(1..).collect();
    seats.sort_by_key(|(rank, _)| *rank);
    let [(1, first), (2.., next), ..] = seats[..] else { return String::new() };
    let holders = [first, next];
    let decided = declared.rank.iter().find_map(|key| {
        let [won, lost] = holders.map(|holder| played.counter(holder, key.counter).unwrap_or(0));
        (won != lost).then_some((key, won, lost))
    });
    let Some((key, won, lost)) = decided.filter(|(key, won, lost)| (won < lost) == key.least) else {
        return String::new();
    };
    let Some((_, counter)) = game.declarations().counters.get_index(key.counter) else { return String::new() };
    if counter.internal || counter.show == Show::Never {
        return String::new();
    }
    let values = format!("{} to {}", counter.shown(won), counter.shown(lost));
    if key.counter == declared.score {
        return format!(" by {}, {values}", counter.shown(won.saturating_sub(lost).saturating_abs()));
    }
    let [won, lost] = holders.map(|holder| played.counter(holder, declared.score).unwrap_or(0));
    let tie = game.declarations().counters.get_index(declared.score).filter(|_| won == lost);
    let tie = tie.map_or_else(String::new, |(_, score)| format!(" at {} each,", score.shown(won)));
    format!("{tie} by {}: {values}", within(&counter.text))
}

/// The team of each seat in words, with the label of teams; `None`: everybody plays alone.
#[must_use]
pub fn teams(game: &Game, outcome: &Outcome) -> Option<(String, Vec<String>)> {
    let (_, counter) = game.declarations().counters.get_index(game.declarations().outcome.teams?)?;
    let name = |&team: &i32| usize::try_from(team).ok().and_then(|at| counter.values.get(at)).cloned();
    let teams = outcome.teams.iter().map(|team| name(team).unwrap_or_else(|| team.to_string()));
    (!outcome.teams.is_empty()).then(|| (counter.text.clone(), teams.collect()))
}

/// The final values of a player counter, with its label.
fn column(played: &Match, counter: usize) -> Option<(String, Vec<String>)> {
    let (_, one) = played.game().declarations().counters.get_index(counter)?;
    let of = |player| one.shown(played.counter(player, counter).unwrap_or(0));
    Some((one.text.clone(), (1..=i32::from(played.setup().players)).map(of).collect()))
}
