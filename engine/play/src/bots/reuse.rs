//! Reuse of matches.

use motherlode::{Decision, Game, Match, MatchError, Setup, Snapshot};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

/// A match at its start: `earlier` restarted, or a new one that replaces it.
///
/// Making a match loads the game's scripts, which takes longer than most games; a restart does not.
///
/// # Errors
/// As [`Match::new`] and [`Match::restart`]. The earlier match is then lost.
pub(crate) fn restart<'m>(
    earlier: &'m mut Option<Match>,
    game: &Game,
    setup: &Setup,
) -> Result<&'m mut Match, MatchError> {
    match earlier.as_mut().map(|m| m.restart(setup)) {
        Some(Ok(())) => {}
        Some(Err(error)) => {
            *earlier = None;
            return Err(error);
        }
        None => *earlier = Some(Match::new(game, setup)?),
    }
    earlier.as_mut().ok_or(MatchError::NoDecision)
}

/// A scratch match that accepts positions of `m`; `kept` holds it between decisions.
///
/// # Errors
/// As `restart`.
pub fn scratch_match<'k>(kept: &'k mut Option<Match>, m: &Match) -> Result<&'k mut Match, MatchError> {
    let is_of_game = |own: &Match| own.game().fingerprint() == m.game().fingerprint();
    if kept.as_ref().is_some_and(|own| !is_of_game(own)) {
        *kept = None;
    }
    if kept.as_ref().is_none_or(|own| own.setup() != m.setup()) {
        restart(kept, m.game(), m.setup())?;
    }
    let own = kept.as_mut().ok_or(MatchError::NoDecision)?;
    own.set_recording(false);
    Ok(own)
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
