//! Bots by their specs: `random`, `rollout:50`, `search:200+learned:FILE`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use motherlode::Game;
use motherlode::tools::nearest;

use crate::ahead::Ahead;
use crate::bot::{Bot, First, Random};
use crate::learned::{Learned, Value};
use crate::rollout::Rollout;
use crate::search::Search;

/// A bot by name, before it is made for a game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Spec {
    /// `random`: any choice, all equally likely.
    Random,
    /// `first`: always the first choice.
    First,
    /// `rollout:N`: the choice with the best mean result in `N` random playouts of each, see [`Rollout`].
    Rollout(u32),
    /// `flat:B`: `B` random playouts for all choices together, more for those that do well, see [`Search`].
    Flat(u32),
    /// `search:B`: the same with a tree for each seat.
    Search(u32),
    /// `learned:FILE`: one step ahead by the value that `lode train` has written to the file, see [`Learned`]; `learned`: by the one that
    /// comes with the game.
    Learned(Option<PathBuf>),
    /// `search:B+learned:FILE`, `search:B+learned`: a search whose playouts are short and played by the value, see [`Ahead`].
    SearchLearned(u32, Option<PathBuf>),
}

/// A spec that does not name a bot, or a bot that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BotError {
    /// No such bot.
    #[error("unknown bot `{spec}`; {}", nearest.as_ref().map_or_else(|| format!("the bots are {BOTS}"), |name| format!("did you mean `{name}`?")))]
    Unknown {
        /// The spec.
        spec: String,
        /// The nearest name, if one is near.
        nearest: Option<String>,
    },
    /// A number or a file that the bot does not take, or a missing or wrong one.
    #[error("bot `{spec}`: {message}")]
    Number {
        /// The spec.
        spec: String,
        /// What is wrong with it.
        message: String,
    },
    /// The file of a learned value cannot be used.
    #[error("bot `{spec}`: {message}")]
    Value {
        /// The spec.
        spec: String,
        /// What is wrong with the file.
        message: String,
    },
}

/// All bots, for messages and help.
pub const BOTS: &str = "random, first, rollout:N, flat:B, search:B, learned, search:B+learned, learned:FILE";

/// Most playouts of a bot: per choice or per decision.
const MOST_PLAYOUTS: u32 = 1_000_000;

/// Makes the bot of a spec for a game.
///
/// # Errors
/// When the [spec](Spec) does not name a bot, or its file cannot be used.
pub fn bot(spec: &str, game: &Game, seed: u64) -> Result<Box<dyn Bot>, BotError> {
    spec.parse::<Spec>()?.bot(game, seed)
}

impl Spec {
    /// Makes the bot for a game.
    ///
    /// # Errors
    /// When the file of a learned value cannot be read, or is not of this game.
    pub fn bot(&self, game: &Game, seed: u64) -> Result<Box<dyn Bot>, BotError> {
        let value = |path: &Option<PathBuf>| {
            Value::open(game, path.as_deref()).map_err(|message| BotError::Value { spec: self.to_string(), message })
        };
        Ok(match self {
            Self::Random => Box::new(Random::new(seed)),
            Self::First => Box::new(First),
            Self::Rollout(playouts) => Box::new(Rollout::new(*playouts, seed)),
            Self::Flat(playouts) => Box::new(Search::flat(*playouts, seed)),
            Self::Search(playouts) => Box::new(Search::trees(*playouts, seed)),
            Self::Learned(path) => Box::new(Learned::new(self.to_string(), &value(path)?, seed)),
            Self::SearchLearned(playouts, path) => {
                Box::new(Ahead::new(self.to_string(), *playouts, &value(path)?, seed))
            }
        })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::First => f.write_str("first"),
            Self::Rollout(playouts) => write!(f, "rollout:{playouts}"),
            Self::Flat(playouts) => write!(f, "flat:{playouts}"),
            Self::Search(playouts) => write!(f, "search:{playouts}"),
            Self::Learned(None) => f.write_str("learned"),
            Self::Learned(Some(path)) => write!(f, "learned:{}", path.display()),
            Self::SearchLearned(playouts, None) => write!(f, "search:{playouts}+learned"),
            Self::SearchLearned(playouts, Some(path)) => write!(f, "search:{playouts}+learned:{}", path.display()),
        }
    }
}

impl FromStr for Spec {
    type Err = BotError;

    fn from_str(spec: &str) -> Result<Self, BotError> {
        let wrong = |message: String| BotError::Number { spec: spec.to_owned(), message };
        let (first, value) = match spec.split_once('+') {
            // A file may have the sign in its name.
            Some((first, value)) if !first.starts_with("learned:") => (first, Some(value)),
            _ => (spec, None),
        };
        let (name, number) = match first.split_once(':') {
            Some((name, number)) => (name, Some(number)),
            None => (first, None),
        };
        let playouts = |per: &str, example: &str| {
            let number =
                number.ok_or_else(|| wrong(format!("give the number of playouts per {per}, as in `{example}`")))?;
            match number.parse::<u32>() {
                Ok(playouts @ 1..=MOST_PLAYOUTS) => Ok(playouts),
                _ => Err(wrong(format!("the number of playouts must be from 1 to {MOST_PLAYOUTS}, not `{number}`"))),
            }
        };
        let file = |path: Option<&str>| match path {
            None => Ok(None),
            Some(path) if !path.is_empty() => Ok(Some(PathBuf::from(path))),
            Some(_) => {
                Err(wrong("give the file that `lode train` has written, as in `learned:miner.value`".to_owned()))
            }
        };
        let plain = |spec: Self| match number {
            None => Ok(spec),
            Some(_) => Err(wrong(format!("`{name}` takes no number"))),
        };
        let read = match name {
            "random" => plain(Self::Random)?,
            "first" => plain(Self::First)?,
            "rollout" => Self::Rollout(playouts("choice", "rollout:50")?),
            "flat" => Self::Flat(playouts("decision", "flat:200")?),
            "search" => Self::Search(playouts("decision", "search:200")?),
            "learned" => Self::Learned(file(number)?),
            _ => {
                let examples = ["random", "first", "rollout:50", "flat:200", "search:200", "learned"];
                let names = examples.map(|example| example.split(':').next().unwrap_or(example));
                let near = nearest(name, names).and_then(|near| names.iter().position(|name| *name == near));
                let nearest = near.map(|place| examples[place].to_owned());
                return Err(BotError::Unknown { spec: spec.to_owned(), nearest });
            }
        };
        match (read, value) {
            (read, None) => Ok(read),
            (Self::Search(playouts), Some("learned")) => Ok(Self::SearchLearned(playouts, None)),
            (Self::Search(playouts), Some(value)) => match value.split_once(':') {
                Some(("learned", path)) => Ok(Self::SearchLearned(playouts, file(Some(path))?)),
                _ => Err(wrong(format!("`search` goes with `learned` or `learned:FILE`, not with `{value}`"))),
            },
            (_, Some(_)) => Err(wrong(format!("`{name}` goes with nothing; `search:B+learned` does"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn fault(spec: &str) -> String {
        match bot(spec, &samples::noughts(), 1) {
            Ok(_) => panic!("`{spec}` should name no bot"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_bot_bears_its_spec_as_its_name() {
        let game = samples::noughts();
        for spec in ["random", "first", "rollout:1", "rollout:50", "flat:16", "search:64"] {
            assert_eq!(bot(spec, &game, 1).unwrap().name(), spec);
        }
        for spec in ["learned", "search:200+learned", "learned:a/b+c.value", "search:200+learned:a:b.value"] {
            assert_eq!(spec.parse::<Spec>().unwrap().to_string(), spec);
        }
    }

    #[test]
    fn a_misspelt_bot_gets_the_nearest_name() {
        assert_eq!(fault("randon"), "unknown bot `randon`; did you mean `random`?");
        assert_eq!(fault("rolout:9"), "unknown bot `rolout:9`; did you mean `rollout:50`?");
        assert_eq!(fault("serch:9+learned:x"), "unknown bot `serch:9+learned:x`; did you mean `search:200`?");
        assert_eq!(fault("learnt:x"), "unknown bot `learnt:x`; did you mean `learned`?");
        assert_eq!(fault("alphazero"), format!("unknown bot `alphazero`; the bots are {BOTS}"));
        assert_eq!(fault(""), format!("unknown bot ``; the bots are {BOTS}"));
    }

    #[test]
    fn numbers_are_checked() {
        assert_eq!(fault("random:3"), "bot `random:3`: `random` takes no number");
        assert_eq!(fault("rollout"), "bot `rollout`: give the number of playouts per choice, as in `rollout:50`");
        assert_eq!(fault("search"), "bot `search`: give the number of playouts per decision, as in `search:200`");
        assert_eq!(fault("rollout:0"), "bot `rollout:0`: the number of playouts must be from 1 to 1000000, not `0`");
        assert_eq!(fault("flat:-1"), "bot `flat:-1`: the number of playouts must be from 1 to 1000000, not `-1`");
    }

    #[test]
    fn files_are_checked() {
        assert_eq!(
            fault("learned:"),
            "bot `learned:`: give the file that `lode train` has written, as in `learned:miner.value`"
        );
        let nothing =
            "nothing is learned of `noughts` yet; `lode train noughts --out content/noughts/learned.value` does";
        for spec in ["learned", "search:9+learned"] {
            assert_eq!(fault(spec), format!("bot `{spec}`: {nothing}"));
        }
        assert_eq!(
            fault("search:9+random"),
            "bot `search:9+random`: `search` goes with `learned` or `learned:FILE`, not with `random`"
        );
        assert!(fault("flat:9+learned:x").ends_with("`flat` goes with nothing; `search:B+learned` does"));
        assert!(
            fault("learned:no/such.value")
                .starts_with("bot `learned:no/such.value`: `no/such.value`: cannot be read: ")
        );
    }
}
