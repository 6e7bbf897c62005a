//! Bot specs: `random`, `rollout:50`, `search:200+learned:FILE`, `plan:shipment/mine+base=rollout:4`,
//! `search:200+never=pass`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use motherlode::Game;
use motherlode::tools::nearest;

use super::bot::Bot;
use super::form::BotForm;
use super::guest;
use super::kind::{BotKind, BotParts, LEARNED};
use super::limits::{self, LimitedBot, Limits};
use super::network::NetworkBot;
use super::pattern::Pattern;
use super::plan::{self, PlanBot};
use super::{first, learned, network, random, rollout, search};
use crate::value::loaded::Value;

/// Every kind of bot, in the order of help and docs.
static KINDS: [&BotKind; 7] =
    [&random::KIND, &first::KIND, &rollout::KIND, &search::FLAT, &search::TREES, &learned::KIND, &learned::LOOK];

/// Every form of a bot spec.
#[must_use]
pub fn bot_forms() -> Vec<BotForm> {
    KINDS.iter().flat_map(|kind| kind.forms()).chain([network::form(), plan::form(), limits::form()]).collect()
}

/// A parsed bot spec, not yet bound to a game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BotSpec {
    /// A kind of bot with its number and learned value: `random`, `flat:200`, `search:200+learned:FILE`.
    Plain(PlainBotSpec),
    /// `policy:FILE.onnx`: takes the action that a network rates highest.
    Network(PathBuf),
    /// `plan:A/B+base=BOT`: takes the first offered [pattern](Pattern); the base decides if none or several choices
    /// match.
    Plan(Vec<String>, Box<BotSpec>),
    /// `BOT+never=A/B+always=C`: a bot within [`Limits`], given as patterns it never takes and patterns it always
    /// takes.
    Limited(Box<BotSpec>, Vec<String>, Vec<String>),
}

/// The spec of a bot that does not wrap another bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainBotSpec {
    kind: &'static BotKind,
    /// The bot's number; 0 if it has none.
    count: u32,
    value: Option<ValueSource>,
}

/// The source of a learned value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueSource {
    /// The file that comes with the game.
    Game,
    /// A file written by `lode train`.
    File(PathBuf),
}

/// A spec that names no bot, or a bot that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BotError {
    /// No such bot.
    #[error("unknown bot `{spec}`; {}", nearest.as_ref().map_or_else(known_forms, |name| format!("did you mean `{name}`?")))]
    Unknown {
        /// The spec.
        spec: String,
        /// The nearest known name, if any.
        nearest: Option<String>,
    },
    /// A number or a file that is missing, wrong or not allowed.
    #[error("bot `{spec}`: {message}")]
    Number {
        /// The spec.
        spec: String,
        /// The problem and its fix.
        message: String,
    },
    /// A pattern that matches nothing in the game, or that is both forbidden and compulsory.
    #[error("bot `{spec}`: {message}")]
    Pattern {
        /// The spec.
        spec: String,
        /// The problem and its fix.
        message: String,
    },
    /// A learned-value file that cannot be used.
    #[error("bot `{spec}`: {message}")]
    Value {
        /// The spec.
        spec: String,
        /// The problem and its fix.
        message: String,
    },
}

fn known_forms() -> String {
    let forms: Vec<String> = bot_forms().into_iter().map(|form| form.form).collect();
    format!("the bots are {}", forms.join(", "))
}

/// Maximum of a bot's number, for example playouts per choice.
const MOST_PLAYOUTS: u32 = 1_000_000;

/// Makes a bot for a game, or a registered [`GuestBot`](crate::GuestBot).
///
/// # Errors
/// The [spec](BotSpec) names no bot, or its file cannot be used.
pub fn bot(spec: &str, game: &Game, seed: u64) -> Result<Box<dyn Bot>, BotError> {
    match guest::make(spec, game) {
        Some(bot) => Ok(bot),
        None => spec.parse::<BotSpec>()?.bot(game, seed),
    }
}

impl BotSpec {
    /// Makes the bot for a game.
    ///
    /// # Errors
    /// The learned-value file cannot be read or belongs to another game.
    pub fn bot(&self, game: &Game, seed: u64) -> Result<Box<dyn Bot>, BotError> {
        self.within(game, seed, None)
    }

    /// The source of the bot's learned value; `None` if it uses none.
    #[must_use]
    pub fn value(&self) -> Option<&ValueSource> {
        self.plain()?.value.as_ref()
    }

    /// Playouts per choice; `None` if the bot's budget is not per choice.
    pub(crate) fn playouts_per_choice(&self) -> Option<u32> {
        let PlainBotSpec { kind, count, .. } = self.plain()?;
        kind.budget.as_ref().is_some_and(|budget| budget.per == "choice").then_some(*count)
    }

    /// The innermost bot, which plays; `None`: a network.
    fn plain(&self) -> Option<&PlainBotSpec> {
        match self {
            Self::Plain(plain) => Some(plain),
            Self::Network(_) => None,
            Self::Plan(_, bot) | Self::Limited(bot, ..) => bot.plain(),
        }
    }

    /// Makes the bot; a search assumes `limits` for its own seat.
    fn within(&self, game: &Game, seed: u64, limits: Option<&Arc<Limits>>) -> Result<Box<dyn Bot>, BotError> {
        let wrong = |message: String| BotError::Pattern { spec: self.to_string(), message };
        let patterns = |texts: &[String]| Pattern::all(game, texts).map_err(|error| wrong(error.to_string()));
        Ok(match self {
            Self::Plain(plain) => plain.make(game, seed, limits)?,
            Self::Network(path) => Box::new(
                NetworkBot::open(&self.to_string(), path, game)
                    .map_err(|message| BotError::Value { spec: self.to_string(), message })?,
            ),
            Self::Plan(steps, base) => {
                let base = base.within(game, seed, limits)?;
                Box::new(PlanBot { name: self.to_string(), steps: patterns(steps)?, base })
            }
            Self::Limited(bot, never, always) => {
                let limits = Limits { never: patterns(never)?, always: patterns(always)? };
                if let Some(both) = Pattern::both(&limits.never, &limits.always) {
                    return Err(wrong(format!("`+never=` and `+always=` both name `{both}`")));
                }
                let limits = Arc::new(limits);
                let bot = bot.within(game, seed, Some(&limits))?;
                Box::new(LimitedBot { name: self.to_string(), bot, limits })
            }
        })
    }
}

impl PlainBotSpec {
    fn make(&self, game: &Game, seed: u64, limits: Option<&Arc<Limits>>) -> Result<Box<dyn Bot>, BotError> {
        let parts = BotParts { name: self.to_string(), count: self.count, limits: limits.cloned(), seed };
        match (&self.value, &self.kind.alone, &self.kind.by_value) {
            (None, Some(variant), _) => Ok((variant.make)(&parts)),
            (Some(source), _, Some(variant)) => {
                let value = Value::open(game, source.path());
                let value = value.map_err(|message| BotError::Value { spec: self.to_string(), message })?;
                Ok((variant.make)(&parts, &value))
            }
            _ => Err(BotError::Number { spec: self.to_string(), message: self.mismatch() }),
        }
    }

    /// Why the kind and the value do not fit together.
    fn mismatch(&self) -> String {
        let (name, form) = (self.kind.name, self.kind.form());
        if self.value.is_none() {
            return format!("`{name}` needs a learned value: use `{form}+{LEARNED}` or `{form}+{LEARNED}:FILE`");
        }
        let both = KINDS.iter().find(|kind| kind.alone.is_some() && kind.by_value.is_some());
        let other = both.map_or_else(String::new, |kind| kind.form());
        format!("`{name}` takes no `+{LEARNED}`: use `{form}` alone, or `{other}+{LEARNED}`")
    }

    fn read(spec: &str) -> Result<Self, BotError> {
        let wrong = |message: String| BotError::Number { spec: spec.to_owned(), message };
        let (first, behind) = match spec.split_once('+') {
            // A file name may contain the sign.
            Some((first, behind)) if !first.starts_with("learned:") => (first, Some(behind)),
            _ => (spec, None),
        };
        let (name, number) = first.split_once(':').map_or((first, None), |(name, number)| (name, Some(number)));
        let Some(&kind) = KINDS.iter().find(|kind| kind.name == name) else {
            return Err(BotError::Unknown { spec: spec.to_owned(), nearest: nearest_spec(name, spec) });
        };
        let mut plain = Self { kind, count: 0, value: None };
        match (number, &kind.budget) {
            (file, None) if kind.is_value() => plain.value = Some(ValueSource::read(file).map_err(wrong)?),
            (None, None) => {}
            (Some(_), None) => return Err(wrong(format!("`{name}` takes no number"))),
            (None, Some(of)) => {
                let (of, per, usual) = (of.of, of.per, kind.example());
                return Err(wrong(format!("missing number of {of} per {per}, as in `{usual}`")));
            }
            (Some(number), Some(of)) => match number.parse::<u32>() {
                Ok(count @ 1..=MOST_PLAYOUTS) => plain.count = count,
                _ => {
                    let of = of.of;
                    return Err(wrong(format!("the number of {of} must be from 1 to {MOST_PLAYOUTS}, not `{number}`")));
                }
            },
        }
        let fits = match behind {
            None => plain.value.is_some() || kind.alone.is_some(),
            Some(_) if kind.is_value() || kind.by_value.is_none() => {
                plain.value = Some(ValueSource::Game);
                false
            }
            Some(value) => {
                let (word, file) = value.split_once(':').map_or((value, None), |(word, file)| (word, Some(file)));
                if word != LEARNED {
                    let goes = format!("unknown `+{value}`: `{name}` takes `+{LEARNED}` or `+{LEARNED}:FILE`");
                    return Err(wrong(goes));
                }
                plain.value = Some(ValueSource::read(file).map_err(wrong)?);
                true
            }
        };
        if fits { Ok(plain) } else { Err(wrong(plain.mismatch())) }
    }
}

impl ValueSource {
    fn read(file: Option<&str>) -> Result<Self, String> {
        match file {
            None => Ok(Self::Game),
            Some("") => Err("missing file: name one that `lode train` wrote, as in `learned:miner.value`".to_owned()),
            Some(path) => Ok(Self::File(PathBuf::from(path))),
        }
    }

    fn path(&self) -> Option<&Path> {
        match self {
            Self::Game => None,
            Self::File(path) => Some(path),
        }
    }
}

/// The nearest known bot, with the rest of `spec` kept if that bot takes an argument.
fn nearest_spec(name: &str, spec: &str) -> Option<String> {
    let examples = KINDS
        .iter()
        .map(|kind| (kind.name, kind.example()))
        .chain([("plan", "plan:A/B".to_owned()), (network::WORD, "policy:FILE.onnx".to_owned())]);
    let examples: Vec<(&str, String)> = examples.collect();
    let near = nearest(name, examples.iter().map(|(name, _)| *name))?;
    let (name, example) = examples.iter().find(|(name, _)| *name == near)?;
    Some(match spec.find(':') {
        Some(at) if example.contains(':') => format!("{name}{}", &spec[at..]),
        _ => example.clone(),
    })
}

impl fmt::Display for BotSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(plain) => plain.fmt(f),
            Self::Network(path) => write!(f, "{}:{}", network::WORD, path.display()),
            Self::Plan(steps, base) => {
                write!(f, "plan:{}", steps.join("/"))?;
                let base = base.to_string();
                if base == random::KIND.name { Ok(()) } else { write!(f, "+base={base}") }
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

impl fmt::Display for PlainBotSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, count, value } = self;
        if !kind.is_value() {
            f.write_str(kind.name)?;
            kind.budget.iter().try_for_each(|_| write!(f, ":{count}"))?;
            value.iter().try_for_each(|_| f.write_str("+"))?;
        }
        match value {
            None => Ok(()),
            Some(ValueSource::Game) => f.write_str(LEARNED),
            Some(ValueSource::File(path)) => write!(f, "{LEARNED}:{}", path.display()),
        }
    }
}

impl FromStr for BotSpec {
    type Err = BotError;

    fn from_str(spec: &str) -> Result<Self, BotError> {
        if let Some(limited) = parse_limits(spec)? {
            return Ok(limited);
        }
        if let Some(file) = spec.strip_prefix(network::WORD).and_then(|rest| rest.strip_prefix(':')) {
            return if file.is_empty() {
                let message = "missing file: name a network, as in `policy:miner.onnx`".to_owned();
                Err(BotError::Number { spec: spec.to_owned(), message })
            } else {
                Ok(Self::Network(PathBuf::from(file)))
            };
        }
        let Some(plan) = spec.strip_prefix("plan:") else { return PlainBotSpec::read(spec).map(Self::Plain) };
        let (steps, base) = plan.split_once("+base=").unwrap_or((plan, random::KIND.name));
        let steps = split_patterns(steps).map_err(|()| BotError::Number {
            spec: spec.to_owned(),
            message: "empty step: list patterns in order of preference, as in `plan:sell/build`".to_owned(),
        })?;
        Ok(Self::Plan(steps, Box::new(base.parse()?)))
    }
}

/// Parses the `+never=...` and `+always=...` after a bot; `None` if there are none.
fn parse_limits(spec: &str) -> Result<Option<BotSpec>, BotError> {
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
                    || "a bot takes +never= and +always=, a plan also +base=".to_owned(),
                    |near| format!("did you mean `+{near}=`?"),
                );
                return Err(wrong(format!("unknown `+{word}=`; {help}")));
            }
        };
        if !limits.is_empty() {
            return Err(wrong(format!("duplicate `+{word}=`: combine them as `+{word}=A/B`")));
        }
        *limits = split_patterns(list)
            .map_err(|()| wrong(format!("empty `+{word}=`: name choices, as in `+{word}=pass`")))?;
        rest = before;
    }
    if rest.len() == spec.len() {
        return Ok(None);
    }
    Ok(Some(BotSpec::Limited(Box::new(rest.parse()?), never, always)))
}

/// Splits a list of patterns: `sell/build`.
fn split_patterns(text: &str) -> Result<Vec<String>, ()> {
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
    fn a_bot_is_named_by_its_spec() {
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
            "policy:a/b.onnx",
            "search:200+learned:a:b.value",
        ] {
            assert_eq!(spec.parse::<BotSpec>().unwrap().to_string(), spec);
        }
    }

    #[test]
    fn a_misspelt_bot_gets_the_nearest_name() {
        assert_eq!(fault("randon"), "unknown bot `randon`; did you mean `random`?");
        assert_eq!(fault("rolout:9"), "unknown bot `rolout:9`; did you mean `rollout:9`?");
        assert_eq!(fault("serch:9+learned:x"), "unknown bot `serch:9+learned:x`; did you mean `search:9+learned:x`?");
        assert_eq!(fault("learnt:x"), "unknown bot `learnt:x`; did you mean `learned`?");
        assert_eq!(fault("alphazero"), format!("unknown bot `alphazero`; {}", known_forms()));
        assert_eq!(fault(""), format!("unknown bot ``; {}", known_forms()));
    }

    #[test]
    fn numbers_are_checked() {
        assert_eq!(fault("random:3"), "bot `random:3`: `random` takes no number");
        assert_eq!(fault("rollout"), "bot `rollout`: missing number of playouts per choice, as in `rollout:50`");
        assert_eq!(fault("search"), "bot `search`: missing number of playouts per decision, as in `search:200`");
        assert_eq!(fault("rollout:0"), "bot `rollout:0`: the number of playouts must be from 1 to 1000000, not `0`");
        assert_eq!(fault("flat:-1"), "bot `flat:-1`: the number of playouts must be from 1 to 1000000, not `-1`");
    }

    #[test]
    fn patterns_are_checked() {
        assert_eq!(fault("plan:b22"), "bot `plan:b22`: no choice is named `b22`; did you mean `b2`?");
        assert_eq!(
            fault("plan:place"),
            "bot `plan:place`: no choice is named `place`; `place` is a prompt: use `place=*` for all its choices"
        );
        assert!(fault("plan:place=pass").starts_with("bot `plan:place=pass`: prompt `place` has no choice `pass`"));
        assert_eq!(
            fault("plan:plce=b2"),
            "bot `plan:plce=b2`: no prompt or attribute is named `plce`; did you mean `place`?"
        );
        assert!(fault("plan:lable:b2").ends_with("unknown kind of choice `lable`; did you mean `label`?"));
        assert!(fault("plan:").ends_with("empty step: list patterns in order of preference, as in `plan:sell/build`"));
        assert!(fault("plan:b2//b1").contains("in order of preference"));
        assert!(fault("random+nevr=b2").ends_with("unknown `+nevr=`; did you mean `+never=`?"));
        assert!(fault("random+never=").ends_with("empty `+never=`: name choices, as in `+never=pass`"));
        assert!(fault("random+never=b2+never=b1").ends_with("duplicate `+never=`: combine them as `+never=A/B`"));
        assert!(fault("random+never=a1/b2+always=b2").ends_with("`+never=` and `+always=` both name `b2`"));
        assert!(fault("plan:b2+base=rolout:3").starts_with("unknown bot `rolout:3`"));
    }

    #[test]
    fn files_are_checked() {
        assert_eq!(
            fault("learned:"),
            "bot `learned:`: missing file: name one that `lode train` wrote, as in `learned:miner.value`"
        );
        assert_eq!(fault("policy:"), "bot `policy:`: missing file: name a network, as in `policy:miner.onnx`");
        assert!(fault("policy:none.onnx").starts_with("bot `policy:none.onnx`: `none.onnx`: cannot be read: "));
        let nothing =
            "no learned value for `noughts` yet: run `lode train noughts --out content/noughts/learned.value`";
        for spec in ["learned", "look:9+learned", "search:9+learned"] {
            assert_eq!(fault(spec), format!("bot `{spec}`: {nothing}"));
        }
        assert_eq!(
            fault("search:9+random"),
            "bot `search:9+random`: unknown `+random`: `search` takes `+learned` or `+learned:FILE`"
        );
        assert_eq!(
            fault("look:9"),
            "bot `look:9`: `look` needs a learned value: use `look:B+learned` or `look:B+learned:FILE`"
        );
        assert_eq!(
            fault("look:0+learned"),
            "bot `look:0+learned`: the number of positions must be from 1 to 1000000, not `0`"
        );
        assert!(
            fault("flat:9+learned:x")
                .ends_with("`flat` takes no `+learned`: use `flat:B` alone, or `search:B+learned`")
        );
        assert!(
            fault("learned:no/such.value")
                .starts_with("bot `learned:no/such.value`: `no/such.value`: cannot be read: ")
        );
    }
}
