//! The setup of a match: players, options, seed.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use motherlode_content::declare::{Declarations, OptionDecl, OptionValue};
use motherlode_content::diagnostic::nearest;

/// The setup of a match: players, every option, and the seed.
///
/// [`Game::setup`](crate::Game::setup) makes one; the [front page](crate) has an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// Number of players.
    pub players: u8,
    /// Every option of the game with its value.
    pub options: IndexMap<String, OptionValue>,
    /// Seed of all random draws of the match.
    pub seed: u64,
}

/// A setup that the game does not accept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(pub String);

impl Setup {
    /// Resolves names and texts into a setup; missing options get their defaults.
    ///
    /// # Errors
    /// Unknown option (with the nearest name), a value of the wrong type or out of range, or a number of players that
    /// the game or an option does not allow.
    pub fn resolve(
        d: &Declarations,
        players: Option<u8>,
        options: &[(String, String)],
        seed: u64,
    ) -> Result<Self, SetupError> {
        let range = d.players;
        let players = players.unwrap_or(range.default);
        let mut all: IndexMap<String, OptionValue> =
            d.options.iter().map(|(n, o)| (n.clone(), o.default.clone())).collect();
        for (name, text) in options {
            let Some(option) = d.options.get(name) else {
                return Err(SetupError(unknown_option(d, name)));
            };
            all.insert(name.clone(), parse(name, option, text)?);
        }
        let setup = Self { players, options: all, seed };
        setup.check(d)?;
        Ok(setup)
    }

    /// Checks a setup from another source, such as a replay or a program.
    ///
    /// # Errors
    /// As [`Setup::resolve`].
    pub fn check(&self, d: &Declarations) -> Result<(), SetupError> {
        let range = d.players;
        if self.players < range.min || self.players > range.max {
            let takes = match range.max {
                1 => "1 player".to_owned(),
                most if most == range.min => format!("{most} players"),
                most => format!("{} to {most} players", range.min),
            };
            let message = format!("{} takes {takes}, not {}", d.name, self.players);
            return Err(SetupError(message));
        }
        for (name, value) in &self.options {
            let Some(option) = d.options.get(name) else {
                return Err(SetupError(unknown_option(d, name)));
            };
            check_value(name, option, value)?;
            if *value != option.default && !option.players.is_empty() && !option.players.contains(&self.players) {
                let allowed: Vec<String> = option.players.iter().map(ToString::to_string).collect();
                let message =
                    format!("option `{name}` = {value} needs {} players, not {}", allowed.join(", "), self.players);
                return Err(SetupError(message));
            }
        }
        match d.options.keys().find(|name| !self.options.contains_key(*name)) {
            Some(name) => Err(SetupError(format!("option `{name}` is missing"))),
            None => Ok(()),
        }
    }
}

fn unknown_option(d: &Declarations, name: &str) -> String {
    if d.options.is_empty() {
        return format!("unknown option `{name}`: {} has none", d.name);
    }
    let known = || d.options.keys().map(String::as_str);
    match nearest(name, known()) {
        Some(near) => format!("unknown option `{name}`; did you mean `{near}`?"),
        None => format!("unknown option `{name}`; known: {}", known().collect::<Vec<_>>().join(", ")),
    }
}

fn parse(name: &str, option: &OptionDecl, text: &str) -> Result<OptionValue, SetupError> {
    match option.default {
        OptionValue::Bool(_) => match text {
            "true" | "on" | "yes" => Ok(OptionValue::Bool(true)),
            "false" | "off" | "no" => Ok(OptionValue::Bool(false)),
            _ => Err(SetupError(format!("option `{name}` is on or off (true or false), not `{text}`"))),
        },
        OptionValue::Integer(_) => match text.parse() {
            Ok(n) => Ok(OptionValue::Integer(n)),
            Err(_) => Err(SetupError(format!("option `{name}` takes a whole number, not `{text}`"))),
        },
        OptionValue::Name(_) => Ok(OptionValue::Name(text.to_owned())),
    }
}

fn check_value(name: &str, option: &OptionDecl, value: &OptionValue) -> Result<(), SetupError> {
    match (value, &option.default) {
        (OptionValue::Bool(_), OptionValue::Bool(_)) => Ok(()),
        (OptionValue::Integer(n), OptionValue::Integer(_)) => match option.range {
            Some((min, max)) if *n < min || *n > max => {
                Err(SetupError(format!("option `{name}` takes {min} to {max}, not {n}")))
            }
            _ => Ok(()),
        },
        (OptionValue::Name(s), OptionValue::Name(_)) => {
            if option.values.contains_key(s) {
                return Ok(());
            }
            let known = || option.values.keys().map(String::as_str);
            Err(SetupError(match nearest(s, known()) {
                Some(near) => format!("option `{name}` has no value `{s}`; did you mean `{near}`?"),
                None => {
                    format!("option `{name}` has no value `{s}`; known: {}", known().collect::<Vec<_>>().join(", "))
                }
            }))
        }
        _ => Err(SetupError(format!("option `{name}` has the wrong type"))),
    }
}
