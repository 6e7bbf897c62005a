//! Options of a game, and the types that depend on them.

use indexmap::IndexMap;
use serde::Serialize;

/// A number in the content: a literal, the name of an integer option, or one of these by switches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Amount {
    /// A literal.
    Number(i32),
    /// The value of this option.
    Option(String),
    /// The amount of the first switch that is on, or that of [`ELSE`].
    Switches(IndexMap<String, Amount>),
}

/// The key of the amount that counts while all switches are off. It is a keyword of Luau, so no option has this name.
pub const ELSE: &str = "else";

impl Amount {
    /// The number in a setup with these options.
    #[must_use]
    pub fn resolve(&self, options: &IndexMap<String, OptionValue>) -> i32 {
        match self {
            Self::Number(n) => *n,
            Self::Option(name) => match options.get(name) {
                Some(OptionValue::Integer(n)) => *n,
                Some(OptionValue::Bool(b)) => i32::from(*b),
                _ => 0,
            },
            Self::Switches(amounts) => {
                let is_on = |name: &str| name == ELSE || options.get(name) == Some(&OptionValue::Bool(true));
                amounts.iter().find(|(name, _)| is_on(name)).map_or(0, |(_, amount)| amount.resolve(options))
            }
        }
    }
}

impl Default for Amount {
    fn default() -> Self {
        Self::Number(0)
    }
}

/// The value of an option.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// A switch.
    Bool(bool),
    /// A number.
    Integer(i32),
    /// One of the declared names.
    Name(String),
}

/// The value in the notation of the command line.
impl std::fmt::Display for OptionValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Name(value) => value.fmt(f),
        }
    }
}

/// An option: a variant switch that players may set.
#[derive(Debug, Clone, Serialize)]
pub struct OptionDecl {
    /// Its description.
    pub text: String,
    /// Default value; its type is the option's type.
    pub default: OptionValue,
    /// Range of an integer option, inclusive.
    pub range: Option<(i32, i32)>,
    /// Possible names of a name option, each with its text.
    pub values: IndexMap<String, String>,
    /// Numbers of players that allow a value other than the default; empty: all.
    pub players: Vec<u8>,
}

impl OptionDecl {
    /// A value as a number: 0 or 1 of a switch, the number, or the place of a name, from 0.
    #[must_use]
    pub fn number_of(&self, value: &OptionValue) -> i32 {
        match value {
            OptionValue::Bool(is_on) => i32::from(*is_on),
            OptionValue::Integer(number) => *number,
            OptionValue::Name(name) => self.values.get_index_of(name).map_or(0, |at| at as i32),
        }
    }
}

/// The setups in which a counter, a zone or a grid exists; by default all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Only {
    /// Numbers of players; empty: all.
    pub players: Vec<u8>,
    /// For each relevant option, the values with which it exists.
    pub options: IndexMap<String, Vec<OptionValue>>,
}

impl Only {
    /// Whether it exists with this number of players and these options.
    #[must_use]
    pub fn holds(&self, players: u8, options: &IndexMap<String, OptionValue>) -> bool {
        (self.players.is_empty() || self.players.contains(&players))
            && self.options.iter().all(|(name, values)| options.get(name).is_some_and(|value| values.contains(value)))
    }
}
