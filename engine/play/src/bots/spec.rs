//! Bots by their specs: `random`, `rollout:50`, `search:200+learned:FILE`, `plan:shipment/mine+base=rollout:4`, `search:200+never=pass`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use motherlode::Game;
use motherlode::tools::nearest;

use super::bot::Bot;
use super::form::BotForm;
use super::kind::{BotKind, LEARNED, Making};
use super::limits::{self, Limited, Limits};
use super::pattern::Pattern;
use super::plan::{self, Plan};
use super::{first, learned, random, rollout, search};
use crate::value::loaded::Value;

/// Every kind of bot, in the order of help and docs.
static KINDS: [&BotKind; 7] =
    [&random::KIND, &first::KIND, &rollout::KIND, &search::FLAT, &search::TREES, &learned::KIND, &learned::LOOK];

/// Every form that a spec may have.
#[must_use]
pub fn bot_forms() -> Vec<BotForm> {
    KINDS.iter().flat_map(|kind| kind.forms()).chain([plan::form(), limits::form()]).collect()
}

/// A bot by name, before it is made for a game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Spec {
    /// A kind of bot with its number and its value: `random`, `flat:200`, `search:200+learned:FILE`.
    Plain(PlainSpec),
    /// `plan:A/B+base=BOT`: the first of these [patterns](Pattern) that is offered; the base decides where none is, or several.
    Plan(Vec<String>, Box<Spec>),
    /// `BOT+never=A/B+always=C`: a bot within [`Limits`]: patterns that it never takes, and others that it always takes where it can.
    Limited(Box<Spec>, Vec<String>, Vec<String>),
}

/// A bot that no other one steers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainSpec {
    kind: &'static BotKind,
    /// Its number; 0: it has none.
    count: u32,
    value: Option<ValueSource>,
}

/// Where a learned value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueSource {
    /// The file that comes with the game.
    Game,
    /// A file that `lode train` has written.
    File(PathBuf),
}

/// A spec that does not name a bot, or a bot that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BotError {
    /// No such bot.
    #[error("unknown bot `{spec}`; {}", nearest.as_ref().map_or_else(known, |name| format!("did you mean `{name}`?")))]
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

fn known() -> String {
    let forms: Vec<String> = bot_forms().into_iter().map(|form| form.form).collect();
    format!("the bots are {}", forms.join(", "))
}

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

    /// Where its learned value comes from; `None`: it uses none.
    #[must_use]
    pub fn value(&self) -> Option<&ValueSource> {
        self.plain().value.as_ref()
    }

    /// How many playouts it plays for each choice of a decision; `None`: another bot does not count by choices.
    pub(crate) fn playouts_per_choice(&self) -> Option<u32> {
        let PlainSpec { kind, count, .. } = self.plain();
        kind.budget.as_ref().is_some_and(|budget| budget.per == "choice").then_some(*count)
    }

    /// The bot that plays in the end.
    fn plain(&self) -> &PlainSpec {
        match self {
            Self::Plain(plain) => plain,
            Self::Plan(_, bot) | Self::Limited(bot, ..) => bot.plain(),
        }
    }

    /// The bot; if it searches, it expects of itself that it keeps to the limits.
    fn within(&self, game: &Game, seed: u64, limits: Option<&Arc<Limits>>) -> Result<Box<dyn Bot>, BotError> {
        let wrong = |message: String| BotError::Pattern { spec: self.to_string(), message };
        let patterns = |texts: &[String]| Pattern::all(game, texts).map_err(|error| wrong(error.to_string()));
        Ok(match self {
            Self::Plain(plain) => plain.make(game, seed, limits)?,
            Self::Plan(steps, base) => {
                let base = base.within(game, seed, limits)?;
                Box::new(Plan { name: self.to_string(), steps: patterns(steps)?, base })
            }
            Self::Limited(bot, never, always) => {
                let limits = Limits { never: patterns(never)?, always: patterns(always)? };
                if let Some(both) = Pattern::both(&limits.never, &limits.always) {
                    return Err(wrong(format!("`+never=` and `+always=` both name `{both}`")));
                }
                let limits = Arc::new(limits);
                let bot = bot.within(game, seed, Some(&limits))?;
                Box::new(Limited { name: self.to_string(), bot, limits })
            }
        })
    }
}

impl PlainSpec {
    fn make(&self, game: &Game, seed: u64, limits: Option<&Arc<Limits>>) -> Result<Box<dyn Bot>, BotError> {
        let making = Making { name: self.to_string(), count: self.count, limits: limits.cloned(), seed };
        match (&self.value, &self.kind.alone, &self.kind.by_value) {
            (None, Some(way), _) => Ok((way.make)(&making)),
            (Some(source), _, Some(way)) => {
                let value = Value::open(game, source.path());
                let value = value.map_err(|message| BotError::Value { spec: self.to_string(), message })?;
                Ok((way.make)(&making, &value))
            }
            _ => Err(BotError::Number { spec: self.to_string(), message: self.mismatch() }),
        }
    }

    /// Why the kind and the value do not go together.
    fn mismatch(&self) -> String {
        let (name, form) = (self.kind.name, self.kind.form());
        if self.value.is_none() {
            return format!("a {name} needs a value: `{form}+{LEARNED}` or `{form}+{LEARNED}:FILE`");
        }
        let both = KINDS.iter().find(|kind| kind.alone.is_some() && kind.by_value.is_some());
        format!("`{name}` goes with nothing; `{}+{LEARNED}` does", both.map_or_else(String::new, |kind| kind.form()))
    }

    fn read(spec: &str) -> Result<Self, BotError> {
        let wrong = |message: String| BotError::Number { spec: spec.to_owned(), message };
        let (first, behind) = match spec.split_once('+') {
            // A file may have the sign in its name.
            Some((first, behind)) if !first.starts_with("learned:") => (first, Some(behind)),
            _ => (spec, None),
        };
        let (name, number) = first.split_once(':').map_or((first, None), |(name, number)| (name, Some(number)));
        let Some(&kind) = KINDS.iter().find(|kind| kind.name == name) else {
            return Err(BotError::Unknown { spec: spec.to_owned(), nearest: near(name, spec) });
        };
        let mut plain = Self { kind, count: 0, value: None };
        match (number, &kind.budget) {
            (file, None) if kind.is_value() => plain.value = Some(ValueSource::read(file).map_err(wrong)?),
            (None, None) => {}
            (Some(_), None) => return Err(wrong(format!("`{name}` takes no number"))),
            (None, Some(of)) => {
                let (of, per, usual) = (of.of, of.per, kind.example());
                return Err(wrong(format!("give the number of {of} per {per}, as in `{usual}`")));
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
                    let goes = format!("`{name}` goes with `{LEARNED}` or `{LEARNED}:FILE`, not with `{value}`");
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
            Some("") => Err("give the file that `lode train` has written, as in `learned:miner.value`".to_owned()),
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

/// The nearest bot. What was written behind the name stays, if the bot takes anything.
fn near(name: &str, spec: &str) -> Option<String> {
    let examples = KINDS.iter().map(|kind| (kind.name, kind.example())).chain([("plan", "plan:A/B".to_owned())]);
    let examples: Vec<(&str, String)> = examples.collect();
    let near = nearest(name, examples.iter().map(|(name, _)| *name))?;
    let (name, example) = examples.iter().find(|(name, _)| *name == near)?;
    Some(match spec.find(':') {
        Some(at) if example.contains(':') => format!("{name}{}", &spec[at..]),
        _ => example.clone(),
    })
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(plain) => plain.fmt(f),
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

impl fmt::Display for PlainSpec {
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

impl FromStr for Spec {
    type Err = BotError;

    fn from_str(spec: &str) -> Result<Self, BotError> {
        if let Some(limited) = limited(spec)? {
            return Ok(limited);
        }
        let Some(plan) = spec.strip_prefix("plan:") else { return PlainSpec::read(spec).map(Self::Plain) };
        let (steps, base) = plan.split_once("+base=").unwrap_or((plan, random::KIND.name));
        let steps = listed(steps).map_err(|()| BotError::Number {
            spec: spec.to_owned(),
            message: "give what it prefers, first things first, as in `plan:sell/build`".to_owned(),
        })?;
        Ok(Self::Plan(steps, Box::new(base.parse()?)))
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
        assert_eq!(fault("alphazero"), format!("unknown bot `alphazero`; {}", known()));
        assert_eq!(fault(""), format!("unknown bot ``; {}", known()));
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
