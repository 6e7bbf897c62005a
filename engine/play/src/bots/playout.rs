//! Random playouts.

use motherlode::{Match, MatchError, Outcome};
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::random_index;

/// Maximum decisions in a game or a playout; a longer one is aborted.
pub const DECISION_LIMIT: u32 = 100_000;
/// Playouts of one game that may fail to end before a bot stops searching in that game.
pub const MOST_ENDLESS: u32 = 10;

/// How a playout ended.
pub(crate) enum Playout {
    Ended(Outcome),
    /// Exceeded [`DECISION_LIMIT`].
    Endless,
    /// Exceeded the step budget of a match.
    Costly,
    /// A script failed.
    Failed,
}

/// Plays uniformly at random to the end.
pub(crate) fn play_out(m: &mut Match, generator: &mut Pcg64Mcg) -> Playout {
    for _ in 0..DECISION_LIMIT {
        let count = m.choices().len();
        if count == 0 {
            return m.outcome().map_or(Playout::Failed, Playout::Ended);
        }
        match m.answer(random_index(count, generator)) {
            Ok(()) => {}
            Err(MatchError::Steps(_)) => return Playout::Costly,
            Err(_) => return Playout::Failed,
        }
    }
    Playout::Endless
}
