//! Reuse of matches.

use motherlode::{Decision, Game, Match, MatchError, Setup, Snapshot};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

/// A match at its start: `earlier` restarted, or a new one.
///
/// Making a match loads the game's scripts, which takes longer than most games; a restart does not.
///
/// # Errors
/// As [`Match::new`] and [`Match::restart`]. The earlier match is then lost.
pub(crate) fn restart(earlier: Option<Match>, game: &Game, setup: &Setup) -> Result<Match, MatchError> {
    match earlier {
        Some(mut m) => {
            m.restart(setup)?;
            Ok(m)
        }
        None => Match::new(game, setup),
    }
}

/// A scratch match that accepts positions of `m`; `kept` holds it between decisions.
///
/// # Errors
/// As `restart`.
pub fn scratch_match<'k>(kept: &'k mut Option<Match>, m: &Match) -> Result<&'k mut Match, MatchError> {
    let of_game = |own: &Match| own.game().fingerprint() == m.game().fingerprint();
    let mut own = match kept.take().filter(of_game) {
        Some(own) if own.setup() == m.setup() => own,
        earlier => restart(earlier, m.game(), m.setup())?,
    };
    own.set_recording(false);
    Ok(kept.insert(own))
}

/// Makes a determinization (see [`Bot`](crate::Bot)) of a position in a scratch match; `false` if none was found.
///
/// # Errors
/// The position cannot be restored or redealt.
pub(crate) fn determinize(own: &mut Match, root: &Snapshot, d: Decision, seed: u64) -> Result<bool, MatchError> {
    own.restore(root)?;
    match own.redeal(d.seat, &mut Pcg64Mcg::seed_from_u64(seed)) {
        Ok(_) => Ok(true),
        Err(MatchError::NoDeal { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}
