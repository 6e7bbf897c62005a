//! Matches that are played one after the other.

use motherlode::{Game, Match, MatchError, Setup};

/// A match at its start: the one of an earlier game, restarted, or a new one. Making a match loads the game's scripts, which takes
/// longer than most games; restarting it does not.
///
/// # Errors
/// As [`Match::new`] and [`Match::restart`]. The earlier match is lost then.
pub(crate) fn restarted(earlier: Option<Match>, game: &Game, setup: &Setup) -> Result<Match, MatchError> {
    match earlier {
        Some(mut m) => {
            m.restart(setup)?;
            Ok(m)
        }
        None => Match::new(game, setup),
    }
}

/// A bot's own match, ready for positions of `m`; `kept` is the one of an earlier decision.
///
/// # Errors
/// As [`restarted`].
pub fn own_match<'k>(kept: &'k mut Option<Match>, m: &Match) -> Result<&'k mut Match, MatchError> {
    let of_game = |own: &Match| own.game().fingerprint() == m.game().fingerprint();
    let mut own = match kept.take().filter(of_game) {
        Some(own) if own.setup() == m.setup() => own,
        earlier => restarted(earlier, m.game(), m.setup())?,
    };
    own.set_recording(false);
    Ok(kept.insert(own))
}
