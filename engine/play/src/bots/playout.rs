//! Playouts: a match played to its end at random.

use motherlode::{Match, MatchError, Outcome};
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::any;

/// Most decisions in a game or a playout; a longer one is aborted.
pub const DECISION_LIMIT: u32 = 100_000;
/// Playouts of one game that may fail to end before the bot gives up looking ahead in it.
pub const MOST_ENDLESS: u32 = 10;

/// How a playout ended.
pub(crate) enum Playout {
    Ended(Outcome),
    /// Not within [`DECISION_LIMIT`].
    Endless,
    /// Not within the steps of a match.
    Costly,
    /// A script failed.
    Failed,
}

/// Plays at random to the end.
pub(crate) fn play_out(m: &mut Match, generator: &mut Pcg64Mcg) -> Playout {
    for _ in 0..DECISION_LIMIT {
        let count = m.choices().len();
        if count == 0 {
            return m.outcome().map_or(Playout::Failed, Playout::Ended);
        }
        match m.answer(any(count, generator)) {
            Ok(()) => {}
            Err(MatchError::Steps(_)) => return Playout::Costly,
            Err(_) => return Playout::Failed,
        }
    }
    Playout::Endless
}
