//! Matches that an observer keeps from game to game.

use motherlode::{Game, Match, MatchError, Setup};

/// Two matches of a game: one repeats an observed match, and one tries its continuations.
pub struct ScratchPair {
    game: Game,
    matches: Option<[Match; 2]>,
}

impl ScratchPair {
    /// A pair whose matches are made when they are first taken.
    pub fn new(game: &Game) -> Self {
        Self { game: game.clone(), matches: None }
    }

    /// Takes both matches, at the beginning of a setup, without a record of answers.
    pub fn take(&mut self, setup: &Setup) -> Result<[Match; 2], MatchError> {
        let mut both = match self.matches.take() {
            Some(mut both) => {
                for one in &mut both {
                    one.restart(setup)?;
                }
                both
            }
            None => [Match::new(&self.game, setup)?, Match::new(&self.game, setup)?],
        };
        both.iter_mut().for_each(|one| one.set_recording(false));
        Ok(both)
    }

    /// Keeps both matches for the next game.
    pub fn keep(&mut self, both: [Match; 2]) {
        self.matches = Some(both);
    }
}
