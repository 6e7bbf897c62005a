//! Bots by their specs: `random`, `rollout:50`.

use motherlode::tools::nearest;

use crate::bot::{Bot, First, Random};
use crate::rollout::Rollout;

/// A spec that does not name a bot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BotError {
    /// No such bot.
    #[error("unknown bot `{spec}`; {}", nearest.as_ref().map_or_else(|| "the bots are random, first, rollout:N".to_owned(), |name| format!("did you mean `{name}`?")))]
    Unknown {
        /// The spec.
        spec: String,
        /// The nearest name, if one is near.
        nearest: Option<String>,
    },
    /// A number that the bot does not take, or a missing or wrong one.
    #[error("bot `{spec}`: {message}")]
    Number {
        /// The spec.
        spec: String,
        /// What is wrong with it.
        message: String,
    },
}

/// Most playouts per choice of a `rollout` bot.
const MOST_PLAYOUTS: u32 = 1_000_000;

/// Makes the bot of a spec:
///
/// - `random`: any choice, all equally likely;
/// - `first`: always the first choice;
/// - `rollout:N`: the choice with the best mean result in `N` random playouts of each, see [`Rollout`].
///
/// # Errors
/// When the spec does not name a bot, or when its number is missing or wrong.
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
            let number =
                number.ok_or_else(|| wrong("give the number of playouts per choice, as in `rollout:50`".to_owned()))?;
            match number.parse::<u32>() {
                Ok(playouts @ 1..=MOST_PLAYOUTS) => Ok(Box::new(Rollout::new(playouts, seed))),
                _ => Err(wrong(format!("the number of playouts must be from 1 to {MOST_PLAYOUTS}, not `{number}`"))),
            }
        }
        _ => Err(BotError::Unknown {
            spec: spec.to_owned(),
            nearest: nearest(name, ["random", "first", "rollout"])
                .map(|name| if name == "rollout" { "rollout:50".to_owned() } else { name.to_owned() }),
        }),
    }
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
        assert_eq!(fault("randon"), "unknown bot `randon`; did you mean `random`?");
        assert_eq!(fault("rolout:9"), "unknown bot `rolout:9`; did you mean `rollout:50`?");
        assert_eq!(fault("alphazero"), "unknown bot `alphazero`; the bots are random, first, rollout:N");
        assert_eq!(fault(""), "unknown bot ``; the bots are random, first, rollout:N");
    }

    #[test]
    fn numbers_are_checked() {
        assert_eq!(fault("random:3"), "bot `random:3`: `random` takes no number");
        assert_eq!(fault("rollout"), "bot `rollout`: give the number of playouts per choice, as in `rollout:50`");
        assert_eq!(fault("rollout:0"), "bot `rollout:0`: the number of playouts must be from 1 to 1000000, not `0`");
        assert_eq!(fault("rollout:-1"), "bot `rollout:-1`: the number of playouts must be from 1 to 1000000, not `-1`");
    }
}
