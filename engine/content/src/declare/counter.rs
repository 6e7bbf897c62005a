//! Counters, and their holders.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::declare::option::{Amount, Only, OptionValue};
use crate::declare::prompt::Domain;
use crate::fraction;

/// The seats that may see a counter or a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everybody sees everything.
    #[default]
    Public,
    /// The owner sees it; others see only the number of tokens (of a counter: nothing).
    Owner,
    /// The owner sees it; others see nothing, not even the number of tokens.
    Secret,
    /// All players but the owner see it; the owner sees only the number of tokens.
    Others,
    /// Everybody sees the number of tokens, nobody their identity.
    Count,
    /// Nobody sees anything.
    Nobody,
    /// Each token by its face: face-up tokens are public, face-down tokens are known to those who have seen them.
    Face,
}

/// When a counter or a zone is displayed to people. Programs and bots always receive it if their seat may see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Show {
    /// Always.
    #[default]
    Always,
    /// While some value is not 0, or a zone is not empty.
    Used,
    /// To each holder that has any of it.
    Held,
    /// When the match is over.
    End,
    /// Never, because people see it elsewhere.
    Never,
}

/// When the transcript for people names the changes of a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TranscriptUse {
    /// After every step.
    Always,
    /// After a step in which the script writes no line.
    #[default]
    Silent,
    /// Never: the table alone shows it.
    Never,
}

/// The holders of a counter or a zone: each has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Holder {
    /// One for the whole game.
    #[default]
    Game,
    /// One for each player.
    Player,
    /// One for each token of this kind (index into `kinds`), and of the kinds like it.
    Token(usize),
    /// One for each cell of this grid (index into `grids`).
    Cell(usize),
}

/// How a determinization treats a counter that the seat cannot see (`redeal`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Redeal {
    /// Every value in its range is equally likely, independently of other holders.
    #[default]
    Range,
    /// The sum over all hidden holders is public; it is split at random.
    Pool,
    /// The hook `redeal` of the game deals it.
    Hook,
    /// The value stays, because observers can infer it.
    Keep,
    /// The value is a list that the hidden tokens of a kind can be (`deck_lists` of the kind).
    Lists,
}

/// A counter: a whole number in the state.
#[derive(Debug, Clone, Default)]
pub struct Counter {
    /// Displayed label.
    pub text: String,
    /// Its holders: there is one counter for each.
    pub per: Holder,
    /// Value at the start.
    pub start: Amount,
    /// Smallest value allowed.
    pub min: i32,
    /// Largest value allowed.
    pub max: i32,
    /// The number of steps in a whole: 2 if the value counts halves; 0: the value counts wholes.
    pub unit: i32,
    /// Names of the values 0, 1, 2 ... of an enumerated counter; empty for a plain number.
    pub values: Vec<String>,
    /// Symbols for the values 0, 1, 2 ... on a drawn grid; empty: the number or the name.
    pub symbols: Vec<String>,
    /// Terminal colours of the values; empty: none.
    pub colours: Vec<String>,
    /// The text for an amount of it: `{n:coin|coins}`; empty: the number and the label.
    pub amount: String,
    /// The objects that its value numbers: a player, a token or a cell; 0 is none of them.
    pub means: Domain,
    /// The seats that see it (`Public`, `Owner`, `Nobody`).
    pub visible: Visibility,
    /// How a redeal treats it, as declared; see [`Counter::dealt`].
    pub redeal: Option<Redeal>,
    /// Whether it is internal: visible to scripts and tests, not to players. Its value must follow from public facts,
    /// and a redeal keeps it.
    pub internal: bool,
    /// When it is displayed to people.
    pub show: Show,
    /// When the transcript names its changes.
    pub transcript: TranscriptUse,
    /// Counters with the same group share a row; empty: a row of its own.
    pub group: String,
    /// Event (index into `events`) after which its values are those of the start.
    pub until: Option<usize>,
    /// Whether only the values of the player whom that event concerns end with it.
    pub ends_own: bool,
    /// Zones (indices into `zones`); the value is that of the start when its token leaves them. Empty: none.
    pub within: Vec<usize>,
    /// The attribute about which it records public statements.
    pub tells: Option<Statements>,
    /// The setups in which it exists.
    pub only: Only,
}

/// Public statements about an attribute of tokens: the bits of the values that are ruled out.
#[derive(Debug, Clone, Default)]
pub struct Statements {
    /// The attribute.
    pub attribute: String,
    /// Its values; bit n stands for the value with index n.
    pub values: Vec<String>,
    /// For each definition, the bit of its value; 0 for definitions of other kinds.
    pub bits: Vec<i32>,
}

impl Statements {
    /// The values that are not ruled out.
    pub fn open(&self, ruled_out: i32) -> impl Iterator<Item = &String> {
        self.values.iter().enumerate().filter(move |(at, _)| ruled_out >> at & 1 == 0).map(|(_, value)| value)
    }
}

impl Counter {
    /// The value at the start of a match with these options.
    #[must_use]
    pub fn starts_at(&self, options: &IndexMap<String, OptionValue>) -> i32 {
        self.start.resolve(options).clamp(self.min, self.max)
    }

    /// A value for people: with halves, 7 is `3½`.
    #[must_use]
    pub fn shown(&self, value: i32) -> String {
        fraction::shown(value, self.unit)
    }

    /// A value, or a mean of values, as a number of wholes.
    #[must_use]
    pub fn wholes(&self, value: f64) -> f64 {
        value / f64::from(self.unit.max(1))
    }

    /// How a redeal treats it.
    #[must_use]
    pub fn dealt(&self) -> Redeal {
        self.redeal.unwrap_or_default()
    }
}
