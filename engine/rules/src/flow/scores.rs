//! Changes of scores within a step, by source; the declared limits of the final scores.

use crate::flow::MatchError;
use crate::game::Game;
use crate::state::layout::{MAX_PLAYERS, stage, word};

/// A change of a player's score in one phase of a step, or outside all phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreChange {
    /// Seat of the player, from 0.
    pub seat: u8,
    /// Round of the change; 0 before the first.
    pub round: i32,
    /// Source of the change.
    pub source: ScoreSource,
    /// Difference to the earlier score.
    pub by: i32,
}

/// The part of a match in which a score changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreSource {
    /// The start of the counter, and the hook `setup` of the game.
    Setup,
    /// A phase (index into [`Declarations::phases`](crate::declare::Declarations::phases)).
    Phase(usize),
    /// The hook `finish` of the game.
    Finish,
}

/// The scores of a step.
#[derive(Debug, Default)]
pub(super) struct StepScores {
    /// By seat: the score up to which changes are recorded.
    last: [i32; MAX_PLAYERS],
    pub changes: Vec<ScoreChange>,
}

impl StepScores {
    /// Forgets all changes, and compares later scores with those of this state.
    pub fn begin(&mut self, game: &Game, words: &[i32]) {
        self.changes.clear();
        for (last, now) in self.last.iter_mut().zip(scores(game, words)) {
            *last = now;
        }
    }

    /// Records the changes since the last state. Their source is the phase of this state.
    pub fn record(&mut self, game: &Game, words: &[i32]) {
        let round = words[word::ROUND];
        let source = match words[word::STAGE] {
            stage::SETUP => ScoreSource::Setup,
            stage::END.. => ScoreSource::Finish,
            _ => ScoreSource::Phase(usize::try_from(words[word::PHASE]).unwrap_or(0)),
        };
        for (seat, (last, now)) in (0..).zip(self.last.iter_mut().zip(scores(game, words))) {
            let by = now.saturating_sub(*last);
            if by != 0 {
                self.changes.push(ScoreChange { seat, round, source, by });
                *last = now;
            }
        }
    }
}

/// Compares the final scores with `range` and `zero_sum` of the outcome.
///
/// # Errors
/// A score is out of range, or the scores of all players do not add up to 0.
pub(super) fn check_final(game: &Game, words: &[i32]) -> Result<(), MatchError> {
    let declared = &game.declarations().outcome;
    if declared.range.is_none() && !declared.zero_sum {
        return Ok(());
    }
    let all = final_scores(game, words);
    if let Some((least, most)) = declared.range
        && let Some((player, score)) = (1..).zip(&all).find(|(_, score)| !(least.into()..=most.into()).contains(*score))
    {
        let of = if declared.shared { "the score".to_owned() } else { format!("the score of player {player}") };
        let message = format!("{of} at the end is {score}, but `range` in outcome is [{least}, {most}]");
        return Err(MatchError::Scores(format!("{message}: correct the rules, or widen `range`")));
    }
    let sum: i64 = scores(game, words).map(i64::from).sum();
    if declared.zero_sum && sum != 0 {
        let message = format!("the scores of all players add up to {sum} at the end, not to 0");
        return Err(MatchError::Scores(format!("{message}: correct the rules, or remove `zero_sum` from outcome")));
    }
    Ok(())
}

/// The score of each seat or of its team; the score of the game if it is cooperative.
fn final_scores(game: &Game, words: &[i32]) -> Vec<i64> {
    let (declared, layout) = (&game.declarations().outcome, game.layout());
    let word = |counter: usize, holder: i32| layout.counter_word(counter, holder).map_or(0, |at| words[at]);
    if declared.shared {
        return vec![word(declared.score, 0).into()];
    }
    let players = 1..=words[word::PLAYERS];
    let team = |player: i32| declared.teams.map_or(player, |counter| word(counter, player));
    let of_team = |player: i32| {
        let own = players.clone().filter(|&other| team(other) == team(player));
        own.map(|other| i64::from(word(declared.score, other))).sum()
    };
    players.clone().map(of_team).collect()
}

/// The score of each seat; nothing if the score belongs to the game.
fn scores(game: &Game, words: &[i32]) -> impl Iterator<Item = i32> {
    let score = game.declarations().outcome.score;
    (1..=words[word::PLAYERS]).map_while(move |player| Some(words[game.layout().counter_word(score, player)?]))
}
