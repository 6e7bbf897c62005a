//! Bots: programs that answer decisions.

use motherlode::tools::nearest;
use motherlode::{Decision, Match, MatchError};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::Rollout;

/// A program that answers decisions.
///
/// **A bot sees what its seat sees.** It is handed the whole match, because a search wants to fork it, and is trusted to use it
/// in three ways only: [`Match::choices`] of the decision it has to answer, [`Match::observe`] of its own seat, and
/// [`Match::snapshot`] restored into a match of its own and dealt again with [`Match::redeal`] for its own seat *before anything
/// else is done with it*. Whatever the seat cannot know has been replaced by chance then.
///
/// Of the same seed, the same position and the same history of calls since [`Bot::reseed`], a bot makes the same choice.
pub trait Bot {
    /// The spec that makes this bot: `random`, `rollout:50`.
    fn name(&self) -> &str;

    /// Chooses one of `m.choices()`; `d` is `m.decision()`, the decision they belong to.
    ///
    /// # Errors
    /// When the search meets a fault that it cannot pass over; the game is aborted then.
    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError>;

    /// Starts the bot's own randomness again, before a new game.
    fn reseed(&mut self, seed: u64);
}

/// What may stand for a bot, with a line about each.
pub const BOTS: [(&str, &str); 3] = [
    ("random", "any choice, all equally likely"),
    ("first", "always the first choice"),
    (
        "rollout:N",
        "the choice with the best result in N random playouts of each; what its seat cannot know is dealt anew for each playout",
    ),
];

/// A spec that names no bot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BotError {
    /// No such bot.
    #[error("unknown bot `{spec}`{}; there are: random, first, rollout:N", nearest.as_ref().map(|name| format!(", did you mean `{name}`?")).unwrap_or_default())]
    Unknown {
        /// What was asked for.
        spec: String,
        /// The nearest name, if one is near.
        nearest: Option<String>,
    },
    /// A number after the name that the bot does not take, or none where it needs one.
    #[error("bot `{spec}`: {message}")]
    Number {
        /// What was asked for.
        spec: String,
        /// What is wrong with it.
        message: String,
    },
}

/// Most playouts a choice that a `rollout` bot takes.
const MOST_PLAYOUTS: u32 = 1_000_000;

/// Makes the bot of a spec: `random`, `first`, `rollout:50`.
///
/// # Errors
/// When the spec names no bot, with the nearest name; or when its number is missing or wrong.
pub fn bot(spec: &str, seed: u64) -> Result<Box<dyn Bot>, BotError> {
    let (name, number) = match spec.split_once(':') {
        Some((name, number)) => (name, Some(number)),
        None => (spec, None),
    };
    let wrong = |message: String| BotError::Number { spec: spec.to_owned(), message };
    let plain = |bot: Box<dyn Bot>| match number {
        None => Ok(bot),
        Some(_) => Err(wrong(format!("`{name}` takes no number"))),
    };
    match name {
        "random" => plain(Box::new(Random::new(seed))),
        "first" => plain(Box::new(First)),
        "rollout" => {
            let number = number
                .ok_or_else(|| wrong("give the number of playouts for each choice, as in `rollout:50`".to_owned()))?;
            match number.parse::<u32>() {
                Ok(playouts @ 1..=MOST_PLAYOUTS) => Ok(Box::new(Rollout::new(playouts, seed))),
                _ => Err(wrong(format!(
                    "the number of playouts is a whole number from 1 to {MOST_PLAYOUTS}, not `{number}`"
                ))),
            }
        }
        _ => Err(BotError::Unknown {
            spec: spec.to_owned(),
            nearest: nearest(name, ["random", "first", "rollout"])
                .map(|name| if name == "rollout" { "rollout:50".to_owned() } else { name.to_owned() }),
        }),
    }
}

/// Any choice, all equally likely.
#[derive(Debug, Clone)]
pub struct Random {
    generator: Pcg64Mcg,
}

impl Random {
    /// A random bot with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { generator: Pcg64Mcg::seed_from_u64(seed) }
    }
}

impl Bot for Random {
    fn name(&self) -> &str {
        "random"
    }

    fn choose(&mut self, m: &Match, _: Decision) -> Result<usize, MatchError> {
        Ok(any(m.choices().len(), &mut self.generator))
    }

    fn reseed(&mut self, seed: u64) {
        *self = Self::new(seed);
    }
}

/// A number below `count`, all equally likely; 0 if `count` is 0 (the match refuses that answer with a reason).
pub(crate) fn any(count: usize, generator: &mut Pcg64Mcg) -> usize {
    // Drawn as 32 bits, so that the width of `usize` does not reach a result.
    match u32::try_from(count) {
        Ok(count @ 2..) => generator.random_range(0..count) as usize,
        _ => 0,
    }
}

/// Always the first choice: the simplest bot there is, for tests and for measuring.
#[derive(Debug, Clone, Copy)]
pub struct First;

impl Bot for First {
    fn name(&self) -> &str {
        "first"
    }

    fn choose(&mut self, _: &Match, _: Decision) -> Result<usize, MatchError> {
        Ok(0)
    }

    fn reseed(&mut self, _: u64) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(spec: &str) -> String {
        match bot(spec, 1) {
            Ok(_) => panic!("`{spec}` should name no bot"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_bot_bears_its_spec_as_its_name() {
        for spec in ["random", "first", "rollout:1", "rollout:50"] {
            assert_eq!(bot(spec, 1).unwrap().name(), spec);
        }
    }

    #[test]
    fn a_misspelt_bot_gets_the_nearest_name() {
        assert_eq!(
            fault("randon"),
            "unknown bot `randon`, did you mean `random`?; there are: random, first, rollout:N"
        );
        assert_eq!(
            fault("rolout:9"),
            "unknown bot `rolout:9`, did you mean `rollout:50`?; there are: random, first, rollout:N"
        );
        assert_eq!(fault("alphazero"), "unknown bot `alphazero`; there are: random, first, rollout:N");
        assert_eq!(fault(""), "unknown bot ``; there are: random, first, rollout:N");
    }

    #[test]
    fn numbers_are_checked() {
        assert_eq!(fault("random:3"), "bot `random:3`: `random` takes no number");
        assert_eq!(fault("rollout"), "bot `rollout`: give the number of playouts for each choice, as in `rollout:50`");
        assert_eq!(
            fault("rollout:0"),
            "bot `rollout:0`: the number of playouts is a whole number from 1 to 1000000, not `0`"
        );
        assert_eq!(
            fault("rollout:-1"),
            "bot `rollout:-1`: the number of playouts is a whole number from 1 to 1000000, not `-1`"
        );
    }

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
