//! Filters and formulas: conditions and numbers computed from the state, as data.

use serde::{Serialize, Serializer};

/// A whole number computed from the state: a constant, and terms with factors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Formula {
    /// The constant.
    pub constant: i32,
    /// The terms, each with its factor.
    pub terms: Vec<(i32, Term)>,
}

impl Formula {
    /// Whether it reads `x`.
    #[must_use]
    pub fn reads_x(&self) -> bool {
        self.terms.iter().any(|(_, term)| match term {
            Term::X => true,
            Term::Least(pair) | Term::Most(pair) => pair.iter().any(Self::reads_x),
            _ => false,
        })
    }
}

/// A formula in the arguments of a verb.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFormula {
    /// As written.
    pub text: String,
    /// The formula.
    pub formula: Formula,
    /// Index into `Declarations::formulas`.
    pub index: usize,
}

impl Serialize for WrittenFormula {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// A term of a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// The number `x` of the listener.
    X,
    /// An argument of the event, by index.
    Argument(usize),
    /// A value of a thing.
    Read(Thing, Field),
    /// The number of tokens that pass a filter.
    Count(Box<Filter>),
    /// The lesser of two numbers.
    Least(Box<[Formula; 2]>),
    /// The greater of two numbers.
    Most(Box<[Formula; 2]>),
    /// The round, from 1; 0 in setup.
    Round,
    /// The number of seats.
    Players,
    /// The number of a token or a player.
    Number(Reference),
    /// An option (index into `Declarations::read_options`): its number, 0 or 1 of a switch, or the number of its name from 0.
    Option(usize),
}

/// A thing that a formula reads from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thing {
    /// The token whose definition has the formula.
    This,
    /// The player whom the formula serves.
    You,
    /// The game.
    Game,
    /// The token in an argument of the event, by index.
    TokenOf(usize),
    /// The player in an argument of the event, by index.
    PlayerOf(usize),
}

/// A value of a thing. A thing without it has the value 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Attribute of a token (index into `Declarations::read_attributes`).
    Attribute(usize),
    /// Counter (index into `counters`).
    Counter(usize),
    /// Number of tokens in a zone (index into `zones`).
    Zone(usize),
    /// The player to whose set a token belongs.
    Owner,
    /// The player in whose zone a token is.
    Holder,
}

/// Computed ends of a range, inclusive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Smallest value.
    pub min: Option<Formula>,
    /// Largest value.
    pub max: Option<Formula>,
}

/// The values that a condition permits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueRange {
    /// Smallest value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
    /// The only values; empty: all from the smallest to the largest.
    pub one_of: Vec<i32>,
    /// Ends of the range that are computed.
    pub bounds: Option<Box<Bounds>>,
}

impl ValueRange {
    /// All values from `min` to `max`.
    #[must_use]
    pub fn new(min: i32, max: i32) -> Self {
        Self { min, max, one_of: Vec::new(), bounds: None }
    }

    /// Whether it permits a value, as far as no end is computed.
    #[inline]
    #[must_use]
    pub fn contains(&self, value: i32) -> bool {
        (self.min..=self.max).contains(&value) && (self.one_of.is_empty() || self.one_of.contains(&value))
    }

    /// Whether two comparisons with numbers decide.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.one_of.is_empty() && self.bounds.is_none()
    }

    /// The formulas of its computed ends.
    pub fn formulas(&self) -> impl Iterator<Item = &Formula> {
        self.bounds.iter().flat_map(|bounds| bounds.min.iter().chain(&bounds.max))
    }
}

/// A formula whose value must be in a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The formula.
    pub formula: Formula,
    /// The values that it may have.
    pub range: ValueRange,
    /// The token or player whose number it must be, in place of the range.
    pub equals: Option<Reference>,
}

/// A condition on tokens or players. An empty list permits everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Its declared name; empty: none.
    pub name: String,
    /// Its tokens in words, as within a sentence: `goblins in play`. Empty: after its name.
    pub text: String,
    /// Kinds (indices into `kinds`).
    pub kinds: Vec<usize>,
    /// Definitions, each by kind and number within the kind, from 0.
    pub definitions: Vec<(usize, usize)>,
    /// Zones (indices into `zones`).
    pub zones: Vec<usize>,
    /// Whose it is; `None`: anybody's.
    pub whose: Option<Whose>,
    /// The thing that it must be.
    pub is: Option<Reference>,
    /// The thing that it must not be.
    pub is_not: Option<Reference>,
    /// Values that it must have.
    pub tests: Vec<Test>,
    /// Players at whom one may aim besides the tokens.
    pub players: Option<TargetPlayers>,
    /// Prompt (index into `prompts`) that asks for a target.
    pub prompt: Option<usize>,
    /// Whether nobody may aim at the tokens.
    pub is_untargetable: bool,
}

impl Filter {
    /// Whether it selects no tokens: it names players alone.
    #[must_use]
    pub fn is_of_players(&self) -> bool {
        let plain = Self {
            name: self.name.clone(),
            text: self.text.clone(),
            players: self.players,
            prompt: self.prompt,
            ..Self::default()
        };
        self.players.is_some() && *self == plain
    }
}

/// Players at whom one may aim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetPlayers {
    /// Every player.
    All,
    /// The player who aims.
    You,
    /// The other players.
    Others,
}

/// A target for which a definition or a listener asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aim {
    /// Its name: the field of the context with the token; `<name>_player` is the field with the player.
    pub name: String,
    /// The tokens and players that it may be.
    pub filter: Filter,
}

/// Maximum targets of a definition or a listener.
pub const MAX_TARGETS: usize = 2;

/// Whose a token or player is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// Of the player whom the filter serves.
    Yours,
    /// Of another player.
    Others,
    /// Of the game.
    Nobodys,
}

/// A reference to a token or a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// The thing itself.
    Thing(Thing),
    /// The token or player that a counter of the thing numbers.
    Counter(Thing, usize),
}

/// A value of the tested thing that must be in a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// The value.
    pub field: Field,
    /// The values that pass.
    pub range: ValueRange,
}
