//! Bots by their specs: `random`, `rollout:50`, `search:200+learned:FILE`, `plan:shipment/mine+base=rollout:4`, `search:200+never=pass`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use motherlode::Game;
use motherlode::tools::nearest;

use crate::bots::bot::{Bot, First, Random};
use crate::bots::learned::{Learned, Value};
use crate::bots::limits::{Limited, Limits};
use crate::bots::pattern::Pattern;
use crate::bots::plan::Plan;
use crate::bots::rollout::Rollout;
use crate::bots::search::Search;

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
    /// comes with the game. `look:B+learned:FILE`, `look:B+learned`: the same with `B` positions looked up for a decision.
    Learned(Option<u32>, Option<PathBuf>),
    /// `search:B+learned:FILE`, `search:B+learned`: a search whose playouts are short, and end with the value, see [`Search`].
    SearchLearned(u32, Option<PathBuf>),
    /// `plan:A/B+base=BOT`: what the first of these [patterns](Pattern) names that is offered; the base decides where several choices are meant or none.
    Plan(Vec<String>, Box<Spec>),
    /// `BOT+never=A/B+always=C`: a bot within [`Limits`]: patterns of what it never does, and of what it always does where it can.
    Limited(Box<Spec>, Vec<String>, Vec<String>),
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
    /// A pattern that names nothing in the game, or what another one excludes.
    #[error("bot `{spec}`: {message}")]
    Pattern {
        /// The spec.
        spec: String,
        /// What is wrong with the pattern.
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
pub const BOTS: &str = "random, first, rollout:N, flat:B, search:B, learned, look:B+learned, search:B+learned, learned:FILE, plan:A/B+base=BOT; with +never=A/B or +always=A/B behind any of them";

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
        self.within(game, seed, None)
    }

    /// How many playouts it plays for each choice of a decision; `None`: another bot does not count by choices.
    pub(crate) fn playouts_per_choice(&self) -> Option<u32> {
        match self {
            Self::Rollout(playouts) => Some(*playouts),
            Self::Plan(_, base) | Self::Limited(base, ..) => base.playouts_per_choice(),
            _ => None,
        }
    }

    /// The bot; if it searches, it expects of itself that it keeps to the limits.
    fn within(&self, game: &Game, seed: u64, limits: Option<&Arc<Limits>>) -> Result<Box<dyn Bot>, BotError> {
        let search = |search: Search| Box::new(search.within(limits.cloned()));
        let patterns = |texts: &[String]| -> Result<Vec<Pattern>, BotError> {
            Pattern::all(game, texts)
                .map_err(|error| BotError::Pattern { spec: self.to_string(), message: error.to_string() })
        };
        let value = |path: &Option<PathBuf>| {
            Value::open(game, path.as_deref()).map_err(|message| BotError::Value { spec: self.to_string(), message })
        };
        Ok(match self {
            Self::Random => Box::new(Random::new(seed)),
            Self::First => Box::new(First),
            Self::Rollout(playouts) => Box::new(Rollout::new(*playouts, seed)),
            Self::Flat(playouts) => Box::new(Search::flat(*playouts, seed)),
            Self::Search(playouts) => search(Search::trees(*playouts, seed)),
            Self::Learned(positions, path) => Box::new(Learned::new(self.to_string(), &value(path)?, *positions, seed)),
            Self::SearchLearned(playouts, path) => {
                search(Search::learned(self.to_string(), *playouts, &value(path)?, seed))
            }
            Self::Plan(steps, base) => {
                let base = base.within(game, seed, limits)?;
                Box::new(Plan { name: self.to_string(), steps: patterns(steps)?, base })
            }
            Self::Limited(bot, never, always) => {
                let limits = Limits { never: patterns(never)?, always: patterns(always)? };
                if let Some(both) = Pattern::both(&limits.never, &limits.always) {
                    let message = format!("`+never=` and `+always=` both name `{both}`");
                    return Err(BotError::Pattern { spec: self.to_string(), message });
                }
                let limits = Arc::new(limits);
                let bot = bot.within(game, seed, Some(&limits))?;
                Box::new(Limited { name: self.to_string(), bot, limits })
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
            Self::Learned(positions, path) => {
                positions.iter().try_for_each(|positions| write!(f, "look:{positions}+"))?;
                f.write_str("learned")?;
                path.iter().try_for_each(|path| write!(f, ":{}", path.display()))
            }
            Self::SearchLearned(playouts, path) => {
                write!(f, "search:{playouts}+{}", Self::Learned(None, path.clone()))
            }
            Self::Plan(steps, base) => {
                write!(f, "plan:{}", steps.join("/"))?;
                if **base == Self::Random { Ok(()) } else { write!(f, "+base={base}") }
            }
            Self::Limited(bot, never, always) => {
                write!(f, "{bot}")?;
                let lists = [("never", never), ("always", always)];
                let mut lists = lists.iter().filter(|(_, list)| !list.is_empty());
                lists.try_for_each(|(word, list)| write!(f, "+{word}={}", list.join("/")))
            }
        }
    }
}

impl FromStr for Spec {
    type Err = BotError;

    fn from_str(spec: &str) -> Result<Self, BotError> {
        let wrong = |message: String| BotError::Number { spec: spec.to_owned(), message };
        if let Some(limited) = limited(spec)? {
            return Ok(limited);
        }
        if let Some(plan) = spec.strip_prefix("plan:") {
            let (steps, base) = plan.split_once("+base=").unwrap_or((plan, "random"));
            let steps = listed(steps)
                .map_err(|_| wrong("give what it prefers, first things first, as in `plan:sell/build`".to_owned()))?;
            return Ok(Self::Plan(steps, Box::new(base.parse()?)));
        }
        let (first, value) = match spec.split_once('+') {
            // A file may have the sign in its name.
            Some((first, value)) if !first.starts_with("learned:") => (first, Some(value)),
            _ => (spec, None),
        };
        let (name, number) = match first.split_once(':') {
            Some((name, number)) => (name, Some(number)),
            None => (first, None),
        };
        let count = |what: &str, per: &str, example: &str| {
            let number =
                number.ok_or_else(|| wrong(format!("give the number of {what} per {per}, as in `{example}`")))?;
            match number.parse::<u32>() {
                Ok(count @ 1..=MOST_PLAYOUTS) => Ok(count),
                _ => Err(wrong(format!("the number of {what} must be from 1 to {MOST_PLAYOUTS}, not `{number}`"))),
            }
        };
        let playouts = |per: &str, example: &str| count("playouts", per, example);
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
            "look" => Self::Learned(Some(count("positions", "decision", "look:20+learned")?), None),
            "learned" => Self::Learned(None, file(number)?),
            _ => {
                let examples = [
                    "random",
                    "first",
                    "rollout:50",
                    "flat:200",
                    "search:200",
                    "look:20+learned",
                    "learned",
                    "plan:A/B",
                ];
                let names = examples.map(|example| example.split(':').next().unwrap_or(example));
                let near = nearest(name, names).and_then(|near| names.iter().position(|name| *name == near));
                // What was written behind the name stays, if the bot takes anything.
                let nearest = near.map(|place| match (examples[place].contains(':'), spec.find(':')) {
                    (true, Some(at)) => format!("{}{}", names[place], &spec[at..]),
                    _ => examples[place].to_owned(),
                });
                return Err(BotError::Unknown { spec: spec.to_owned(), nearest });
            }
        };
        let path = match (&read, value) {
            (Self::Learned(Some(_), _), None) => {
                return Err(wrong("a look needs a value: `look:B+learned` or `look:B+learned:FILE`".to_owned()));
            }
            (_, None) => return Ok(read),
            (Self::Search(_) | Self::Learned(Some(_), _), Some(value)) => match value.split_once(':') {
                None if value == "learned" => None,
                Some(("learned", path)) => file(Some(path))?,
                _ => return Err(wrong(format!("`{name}` goes with `learned` or `learned:FILE`, not with `{value}`"))),
            },
            (_, Some(_)) => return Err(wrong(format!("`{name}` goes with nothing; `search:B+learned` does"))),
        };
        Ok(match read {
            Self::Search(playouts) => Self::SearchLearned(playouts, path),
            Self::Learned(positions, _) => Self::Learned(positions, path),
            read => read,
        })
    }
}

/// What stands behind a bot as `+never=...` and `+always=...`; `None`: nothing does.
fn limited(spec: &str) -> Result<Option<Spec>, BotError> {
    let wrong = |message: String| BotError::Number { spec: spec.to_owned(), message };
    let (mut rest, mut never, mut always) = (spec, Vec::new(), Vec::new());
    while let Some((before, last)) = rest.rsplit_once('+') {
        let Some((word, list)) = last.split_once('=') else { break };
        let limits = match word {
            "never" => &mut never,
            "always" => &mut always,
            _ if word == "base" || before.starts_with("learned:") => break,
            _ => {
                let near = nearest(word, ["never", "always", "base"]);
                let help = near.map_or_else(
                    || "a bot may be followed by +never= and +always=, a plan by +base=".to_owned(),
                    |near| format!("did you mean `+{near}=`?"),
                );
                return Err(wrong(format!("unknown `+{word}=`; {help}")));
            }
        };
        if !limits.is_empty() {
            return Err(wrong(format!("`+{word}=` stands there twice: write `+{word}=A/B`")));
        }
        *limits = listed(list).map_err(|_| wrong(format!("give what is meant by `+{word}=`, as in `+{word}=pass`")))?;
        rest = before;
    }
    if rest.len() == spec.len() {
        return Ok(None);
    }
    Ok(Some(Spec::Limited(Box::new(rest.parse()?), never, always)))
}

/// Patterns in order: `sell/build`.
fn listed(text: &str) -> Result<Vec<String>, ()> {
    let list: Vec<String> = text.split('/').map(|one| one.trim().to_owned()).collect();
    if list.iter().any(String::is_empty) { Err(()) } else { Ok(list) }
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
        let plans = [
            "plan:b2",
            "plan:a1/b*/place=c3+base=rollout:2",
            "search:8+never=b2",
            "plan:b2+base=search:4+never=a*/b1+always=c3",
        ];
        for spec in plans {
            assert_eq!(bot(spec, &game, 1).unwrap().name(), spec);
        }
        for spec in [
            "learned",
            "look:20+learned",
            "look:20+learned:a.value",
            "search:200+learned",
            "learned:a/b+c.value",
            "search:200+learned:a:b.value",
        ] {
            assert_eq!(spec.parse::<Spec>().unwrap().to_string(), spec);
        }
    }

    #[test]
    fn a_misspelt_bot_gets_the_nearest_name() {
        assert_eq!(fault("randon"), "unknown bot `randon`; did you mean `random`?");
        assert_eq!(fault("rolout:9"), "unknown bot `rolout:9`; did you mean `rollout:9`?");
        assert_eq!(fault("serch:9+learned:x"), "unknown bot `serch:9+learned:x`; did you mean `search:9+learned:x`?");
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
    fn patterns_are_checked() {
        assert_eq!(fault("plan:b22"), "bot `plan:b22`: no choice is called `b22`; did you mean `b2`?");
        assert_eq!(
            fault("plan:place"),
            "bot `plan:place`: no choice is called `place`; it is a prompt: `place=*` means all its choices"
        );
        assert!(fault("plan:place=pass").starts_with("bot `plan:place=pass`: prompt `place` has no choice `pass`"));
        assert_eq!(
            fault("plan:plce=b2"),
            "bot `plan:plce=b2`: there is no prompt or attribute `plce`; did you mean `place`?"
        );
        assert!(fault("plan:lable:b2").ends_with("unknown sort of choice `lable`; did you mean `label`?"));
        assert!(fault("plan:").ends_with("give what it prefers, first things first, as in `plan:sell/build`"));
        assert!(fault("plan:b2//b1").contains("first things first"));
        assert!(fault("random+nevr=b2").ends_with("unknown `+nevr=`; did you mean `+never=`?"));
        assert!(fault("random+never=").ends_with("give what is meant by `+never=`, as in `+never=pass`"));
        assert!(fault("random+never=b2+never=b1").ends_with("stands there twice: write `+never=A/B`"));
        assert!(fault("random+never=a1/b2+always=b2").ends_with("`+never=` and `+always=` both name `b2`"));
        assert!(fault("plan:b2+base=rolout:3").starts_with("unknown bot `rolout:3`"));
    }

    #[test]
    fn files_are_checked() {
        assert_eq!(
            fault("learned:"),
            "bot `learned:`: give the file that `lode train` has written, as in `learned:miner.value`"
        );
        let nothing =
            "nothing is learned of `noughts` yet; `lode train noughts --out content/noughts/learned.value` does";
        for spec in ["learned", "look:9+learned", "search:9+learned"] {
            assert_eq!(fault(spec), format!("bot `{spec}`: {nothing}"));
        }
        assert_eq!(
            fault("search:9+random"),
            "bot `search:9+random`: `search` goes with `learned` or `learned:FILE`, not with `random`"
        );
        assert_eq!(fault("look:9"), "bot `look:9`: a look needs a value: `look:B+learned` or `look:B+learned:FILE`");
        assert_eq!(
            fault("look:0+learned"),
            "bot `look:0+learned`: the number of positions must be from 1 to 1000000, not `0`"
        );
        assert!(fault("flat:9+learned:x").ends_with("`flat` goes with nothing; `search:B+learned` does"));
        assert!(
            fault("learned:no/such.value")
                .starts_with("bot `learned:no/such.value`: `no/such.value`: cannot be read: ")
        );
    }
}
