//! The `Bot` trait and random choice.

use motherlode::{Decision, Match, MatchError};
use rand::RngExt as _;
use rand_pcg::Pcg64Mcg;

/// A program that answers decisions.
///
/// **A bot knows what its seat knows**: its *information set*. A bot receives the whole match, because a search needs
/// to fork it, but may use only three things:
///
/// - the legal actions ([`Match::legal`]) of the decision it answers,
/// - the observation of its seat ([`Match::observe`]),
/// - *determinizations* of the position.
///
/// A determinization is a random position that agrees with everything the seat knows. To make one, a bot restores a
/// [`Match::snapshot`] into a match of its own and redeals it for its seat ([`Match::redeal`]) before anything else.
/// In rare cases no determinization is found ([`MatchError::NoDeal`]); the bot then does without.
///
/// All three are functions of what the seat knows, as far as the engine tracks it. A bot therefore makes the same
/// choice in all matches that its seat cannot tell apart. The engine does not track conclusions from earlier
/// questions, answers and transcript lines, so a determinization can be broader than the information set. The
/// handbook lists the cases in which it is narrower.
///
/// With the same seed, position and calls since [`Bot::reseed`], a bot makes the same choice.
pub trait Bot {
    /// The bot's spec, for example `random` or `rollout:50`.
    fn name(&self) -> &str;

    /// Returns the index of one of `m.choices()`. `d` is `m.decision()`.
    ///
    /// # Errors
    /// The search met a fault that it cannot skip. The game is then aborted.
    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError>;

    /// Chooses among a subset of `m.choices()`.
    ///
    /// `among` holds at least one index, in ascending order. The default implementation takes the first of them if
    /// the bot would rather choose something else.
    ///
    /// # Errors
    /// As [`Bot::choose`].
    fn choose_among(&mut self, m: &Match, d: Decision, among: &[usize]) -> Result<usize, MatchError> {
        let wanted = self.choose(m, d)?;
        Ok(if among.contains(&wanted) { wanted } else { among.first().copied().unwrap_or(wanted) })
    }

    /// Restarts the bot's random generator before a new game.
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

/// The indices of all choices of the decision.
pub(crate) fn all_choices(m: &Match) -> Vec<usize> {
    (0..m.choices().len()).collect()
}

/// A uniform random number below `count`; 0 if `count` is 0, because the match then refuses the answer with a reason.
pub(crate) fn random_index(count: usize, generator: &mut Pcg64Mcg) -> usize {
    // Draws 32 bits, so that results do not depend on the width of `usize`.
    match u32::try_from(count) {
        Ok(count @ 2..) => generator.random_range(0..count) as usize,
        _ => 0,
    }
}

/// The numbers below `count` in random order, for breaking ties.
///
/// A bot that always prefers the first of equal choices distorts results: if all bots attack the first opponent, that
/// seat loses.
pub(crate) fn random_order(count: usize, generator: &mut Pcg64Mcg) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for place in (1..count).rev() {
        order.swap(place, random_index(place + 1, generator));
    }
    order
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;

    #[test]
    fn random_index_is_fair_and_in_range() {
        let mut generator = Pcg64Mcg::seed_from_u64(5);
        let mut counts = [0u32; 3];
        for _ in 0..3000 {
            counts[random_index(3, &mut generator)] += 1;
        }
        assert!(counts.iter().all(|&count| (900..1100).contains(&count)), "{counts:?}");
        assert_eq!(random_index(0, &mut generator), 0);
        assert_eq!(random_index(1, &mut generator), 0);
    }
}
