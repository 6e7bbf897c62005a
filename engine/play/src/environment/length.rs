//! An estimate of the longest match.

use motherlode::{Game, Match, MatchError, Setup};

use super::desk::with_match;
use crate::bots::bot::Bot as _;
use crate::bots::playout::DECISION_LIMIT;
use crate::bots::random::Random;
use crate::seeds::mix;

/// Random matches of an estimate.
const MATCHES: u64 = 64;

/// Factor for matches that are longer than random ones.
const MARGIN: usize = 4;

/// Estimates the maximum decisions of a match: [`MARGIN`] times the longest random one, played for all declared rounds.
pub(crate) fn estimate(game: &Game, setup: &Setup) -> usize {
    let rounds = game.declarations().rounds.as_ref();
    let rounds = rounds.and_then(|rounds| usize::try_from(rounds.resolve(&setup.options)).ok());
    let mut most = 0;
    for seed in 1..=MATCHES {
        let setup = Setup { seed, ..setup.clone() };
        let played = with_match(game, &setup, false, |m, at| {
            *at = 0;
            play(m, &setup)
        });
        let (decisions, length) = match played {
            Ok(Some(played)) => played,
            Ok(None) | Err(MatchError::Steps(_) | MatchError::Endless { .. }) => return DECISION_LIMIT as usize,
            // A failing script ends a match, too; the estimate is about the others.
            Err(_) => continue,
        };
        let long = match rounds {
            Some(rounds) => (decisions * rounds.max(length)).div_ceil(length.max(1)),
            None => decisions,
        };
        most = most.max(long);
    }
    let bound = DECISION_LIMIT as usize;
    if most == 0 { bound } else { (most * MARGIN).min(bound) }
}

/// Plays a random match; returns its decisions and rounds. `None`: it does not end.
fn play(m: &mut Match, setup: &Setup) -> Result<Option<(usize, usize)>, MatchError> {
    m.set_recording(false);
    m.restart(setup)?;
    let mut bot = Random::new(mix(setup.seed, 0));
    for decisions in 0..DECISION_LIMIT as usize {
        let Some(decision) = m.decision() else {
            let rounds = m.outcome().and_then(|outcome| usize::try_from(outcome.rounds).ok());
            return Ok(Some((decisions, rounds.unwrap_or(1))));
        };
        let choice = bot.choose(m, decision)?;
        m.answer(choice)?;
    }
    Ok(None)
}
