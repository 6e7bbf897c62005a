//! What a bot is.

use motherlode::{Decision, Match, MatchError};
use rand::RngExt as _;
use rand_pcg::Pcg64Mcg;

/// A program that answers decisions.
///
/// **A bot knows what its seat knows**, its *information set*. It gets the whole match, because a search wants to fork it, and is
/// trusted to use only three things: the legal actions ([`Match::legal`]) of the decision it has to answer, the observation of
/// its own seat ([`Match::observe`]), and *determinizations* of the position. A determinization is one position, drawn at random, that
/// agrees with everything the seat knows: a [`Match::snapshot`] restored into a match of the bot's own and redealt for its seat
/// ([`Match::redeal`]) before anything else is done with it. Rarely none is found ([`MatchError::NoDeal`]); the bot then does without.
///
/// Then a bot makes the same choice in all matches that its seat cannot tell apart: each of the three is a function of what the seat
/// knows, as far as the engine keeps it. What that leaves out (conclusions from earlier questions, answers and lines of the
/// transcript) makes a determinization broader than the information set. The handbook lists where it is narrower.
///
/// Given the same seed, position and calls since [`Bot::reseed`], a bot makes the same choice.
pub trait Bot {
    /// The spec of this bot: `random`, `rollout:50`.
    fn name(&self) -> &str;

    /// Chooses one of `m.choices()`; `d` is `m.decision()`, the decision they belong to.
    ///
    /// # Errors
    /// When the search meets a fault that it cannot skip; the game is then aborted.
    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError>;

    /// Chooses among some of `m.choices()` only: `among` has their indices, at least one, in order. A bot that does not know how to
    /// takes the first of them where it would rather have another.
    ///
    /// # Errors
    /// As [`Bot::choose`].
    fn choose_among(&mut self, m: &Match, d: Decision, among: &[usize]) -> Result<usize, MatchError> {
        let wanted = self.choose(m, d)?;
        Ok(if among.contains(&wanted) { wanted } else { among.first().copied().unwrap_or(wanted) })
    }

    /// Restarts the bot's random numbers, before a new game.
    fn reseed(&mut self, seed: u64);
}

impl<B: Bot + ?Sized> Bot for Box<B> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError> {
        (**self).choose(m, d)
    }

    fn choose_among(&mut self, m: &Match, d: Decision, among: &[usize]) -> Result<usize, MatchError> {
        (**self).choose_among(m, d, among)
    }

    fn reseed(&mut self, seed: u64) {
        (**self).reseed(seed);
    }
}

/// Every choice of the decision.
pub(crate) fn all(m: &Match) -> Vec<usize> {
    (0..m.choices().len()).collect()
}

/// A number below `count`, all equally likely; 0 if `count` is 0: the match refuses that answer and says why.
pub(crate) fn any(count: usize, generator: &mut Pcg64Mcg) -> usize {
    // Drawn as 32 bits, so that results do not depend on the width of `usize`.
    match u32::try_from(count) {
        Ok(count @ 2..) => generator.random_range(0..count) as usize,
        _ => 0,
    }
}

/// The numbers below `count` in any order: a bot for which choices are worth the same must not prefer the first. Where all attack the first of
/// their equals, that seat loses.
pub(crate) fn any_order(count: usize, generator: &mut Pcg64Mcg) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for place in (1..count).rev() {
        order.swap(place, any(place + 1, generator));
    }
    order
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;

    #[test]
    fn any_is_fair_and_in_range() {
        let mut generator = Pcg64Mcg::seed_from_u64(5);
        let mut counts = [0u32; 3];
        for _ in 0..3000 {
            counts[any(3, &mut generator)] += 1;
        }
        assert!(counts.iter().all(|&count| (900..1100).contains(&count)), "{counts:?}");
        assert_eq!(any(0, &mut generator), 0);
        assert_eq!(any(1, &mut generator), 0);
    }
}
