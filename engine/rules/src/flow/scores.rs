//! Changes of scores within a step, by source.

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

/// The score of each seat; nothing if the score belongs to the game.
fn scores(game: &Game, words: &[i32]) -> impl Iterator<Item = i32> {
    let score = game.declarations().outcome.score;
    (1..=words[word::PLAYERS]).map_while(move |player| Some(words[game.layout().counter_word(score, player)?]))
}
