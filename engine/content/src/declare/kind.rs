//! Kinds, their definitions, and verbs.

use indexmap::IndexMap;
use serde::Serialize;

use crate::declare::counter::Holder;
use crate::declare::location::Location;

/// Stands before the name of a hook: `can_play` says whether `play` can be used. No kind declares it, every kind has it.
pub const CAN: &str = "can_";

/// A kind of definitions: one content file.
#[derive(Debug, Clone, Default)]
pub struct Kind {
    /// Its purpose.
    pub text: String,
    /// `Game`: one set of tokens; `Player`: one set for each player.
    pub per: Holder,
    /// Zone in which the tokens start (index into `zones`); `None`: nowhere.
    pub zone: Option<usize>,
    /// Whether the start zone is shuffled at the start.
    pub shuffle: bool,
    /// Whether definitions have tokens at all.
    pub tokens: bool,
    /// The kind (index into `kinds`) whose keys it has taken over, and whose counters its tokens have, too.
    pub like: Option<usize>,
    /// Name of definitions that set none, with the attributes as placeholders; empty: they must.
    pub name: String,
    /// Attributes of which every combination of values is a definition; empty: all definitions are written out.
    pub product: Vec<String>,
    /// Attributes by name.
    pub attributes: IndexMap<String, Attribute>,
    /// Attributes (indices into `attributes`) with the rows down and columns right to a neighbouring cell: cards on a board show the
    /// definitions of this kind that they list at these sides.
    pub offset: Option<[usize; 2]>,
    /// Hooks a definition may have (verb list or Luau function), each with its argument names.
    pub hooks: IndexMap<String, Vec<String>>,
    /// How its attributes and the sentences of its verbs make a text: `[Pay {price:coin|coins}: ]{play}`; empty: they make none;
    /// `None`: the sentences of all hooks in order.
    pub reads: Option<String>,
    /// Definitions of this kind: range of `Declarations::definitions`.
    pub first: usize,
    /// Number of definitions.
    pub len: usize,
}

/// Type, range and default of one attribute.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Its meaning.
    pub text: String,
    /// Its type.
    pub of: AttributeType,
    /// Value when a definition leaves it out; `None`: it must be given.
    pub default: Option<Value>,
    /// For scripts alone: a table does not print it on the card.
    pub internal: bool,
}

/// Type of an attribute or of a verb's argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttributeType {
    /// A whole number in a range, both ends included.
    Integer {
        /// Smallest.
        min: i32,
        /// Largest.
        max: i32,
    },
    /// `true` or `false`.
    Boolean,
    /// Any text, or one of these names if the list is not empty.
    Text(Vec<String>),
    /// A list, of exactly this length if one is given.
    List(Box<AttributeType>, Option<usize>),
    /// Amounts by name: `{ gold = 2, iron = 1 }`; names from this list if it is not empty.
    Amounts(Vec<String>),
    /// The id of a definition of this kind (index into `kinds`).
    Id(usize),
    /// Name of a counter.
    CounterName,
    /// Name of a zone.
    ZoneName,
}

/// A value in the content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Integer(i32),
    /// A text or a name.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// Named values, in file order.
    Map(IndexMap<String, Value>),
}

impl Value {
    /// The default that means "none": an empty text, whatever the type.
    #[must_use]
    pub fn none() -> Self {
        Self::Text(String::new())
    }
}

/// One card, tile, figure, place: what a table of a kind's file describes.
#[derive(Debug, Clone)]
pub struct Definition {
    /// Table key.
    pub id: String,
    /// Index into `kinds`.
    pub kind: usize,
    /// Shown name.
    pub name: String,
    /// Rules text as shown: what was written, or else what its verbs say.
    pub text: String,
    /// Its text as written: empty, or with placeholders.
    pub written: String,
    /// The words of its verbs.
    pub says: String,
    /// Number of tokens (each player, if the kind is per player).
    pub copies: u16,
    /// One value for each attribute of the kind, in its order.
    pub attributes: Vec<Value>,
    /// Hooks written as verbs, by hook name.
    pub verbs: IndexMap<String, Vec<VerbCall>>,
    /// Where it is written.
    pub place: Location,
}

/// A verb with its arguments, as written in a definition.
#[derive(Debug, Clone)]
pub struct VerbCall {
    /// Name of the verb.
    pub verb: String,
    /// Its arguments by name, defaults filled in.
    pub args: IndexMap<String, Value>,
    /// Where it is written.
    pub place: Location,
}

/// A named effect usable from TOML and from scripts.
#[derive(Debug, Clone)]
pub struct Verb {
    /// Its effect in words, with placeholders such as `{argument}`.
    pub text: String,
    /// Arguments by name. A verb with the single argument `amounts` of type `Amounts` is written `{ gain = { coins = 2 } }`.
    pub args: IndexMap<String, Attribute>,
    /// Whether it must be payable in full: a cost, not an effect.
    pub cost: bool,
    /// Whether it is built into the engine.
    pub standard: bool,
}

impl Verb {
    /// The argument whose value may stand for all of them: the only one that is required, or the only one that there is.
    #[must_use]
    pub fn only_arg(&self) -> Option<(&String, &Attribute)> {
        let mut required = self.args.iter().filter(|(_, arg)| arg.default.is_none());
        match (required.next(), required.next()) {
            (Some(only), None) => Some(only),
            (None, _) if self.args.len() == 1 => self.args.first(),
            _ => None,
        }
    }
}
