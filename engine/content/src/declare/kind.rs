//! Kinds, their definitions, and verbs.

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use crate::declare::counter::Holder;
use crate::declare::filter::WrittenFormula;
use crate::declare::location::Location;
use crate::declare::pick::Picks;

/// Prefix of a hook's name: `can_play` tests whether `play` can be used. Every kind has these hooks without declaring
/// them.
pub const CAN: &str = "can_";

/// A kind of definitions: one content file.
#[derive(Debug, Clone, Default)]
pub struct Kind {
    /// Its description.
    pub text: String,
    /// `Game`: one set of tokens; `Player`: one set for each player.
    pub per: Holder,
    /// Zone in which the tokens start (index into `zones`); `None`: in no zone.
    pub zone: Option<usize>,
    /// Whether the start zone is shuffled at setup.
    pub shuffle: bool,
    /// Whether definitions have tokens.
    pub tokens: bool,
    /// The kind (index into `kinds`) whose keys and token counters it inherits.
    pub like: Option<usize>,
    /// Default name of a definition, with attributes as placeholders; empty: every definition must set its name.
    pub name: String,
    /// Attributes whose value combinations are all definitions; empty: no product.
    pub product: Vec<String>,
    /// Attributes by name.
    pub attributes: IndexMap<String, Attribute>,
    /// Attributes (indices into `attributes`) with the rows down and columns right to a neighbouring cell: cards on a board show the
    /// definitions of this kind that they list at these sides.
    pub offset: Option<[usize; 2]>,
    /// Zones (indices into `zones`) in which listeners and modifiers of its tokens act; empty: none is declared.
    pub active: Vec<usize>,
    /// Counter (index into `counters`), or family of counters, by which players or the game hold its definitions; only for a kind
    /// without tokens.
    pub held: Option<Held>,
    /// Counter (index into `counters`) of its tokens whose value is the definition that a token is a copy of.
    pub becomes: Option<usize>,
    /// Counter (index into `counters`) of players whose value is the list that a player's set is; the tokens that are not in
    /// it stay in `zone`.
    pub deck_lists: Option<usize>,
    /// Boolean attribute that its tokens lose with all abilities: while its current value is false, listeners and
    /// modifiers of the definition do not act.
    pub abilities: Option<String>,
    /// Hooks a definition may have (verb list or Luau function), each with its argument names.
    pub hooks: IndexMap<String, Vec<String>>,
    /// Lists of hooks, each with its largest length: `space` stands for the hooks `space_1`, `space_2` ...
    pub lists: IndexMap<String, usize>,
    /// Hooks that the script implements for every definition without verbs for them.
    pub scripted: Vec<String>,
    /// Displayed path of the image of its definitions, unless they have their own.
    pub image: Option<String>,
    /// Pattern that composes a definition's text from its attributes and the sentences of its verbs: `[Pay
    /// {price:coin|coins}: ]{play}`. Empty: no composed text; `None`: the sentences of all hooks in order.
    pub reads: Option<String>,
    /// Index of its first definition in `Declarations::definitions`.
    pub first: usize,
    /// Number of definitions.
    pub len: usize,
}

/// The hook at a place of a list of hooks, from 1: `space_3`.
#[must_use]
pub fn list_hook(list: &str, place: usize) -> String {
    format!("{list}_{place}")
}

impl Kind {
    /// The list and the place, from 1, of a hook.
    #[must_use]
    pub fn list_of(&self, hook: &str) -> Option<(&str, usize)> {
        let (list, place) = hook.rsplit_once('_')?;
        let place: usize = place.parse().ok()?;
        let (list, length) = self.lists.get_key_value(list)?;
        (1..=*length).contains(&place).then_some((list, place))
    }
}

/// How players or the game hold definitions without tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// The counter (index into `counters`) numbers one of them, from 1.
    One(usize),
    /// The counter of the family that begins at this index and belongs to the definition is not 0.
    Family(usize),
}

/// Type, range and default of one attribute.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Its description.
    pub text: String,
    /// Its type.
    pub of: AttributeType,
    /// Value for definitions that omit it; `None`: required.
    pub default: Option<Value>,
    /// Whether only scripts use it, so that it is not printed on the card.
    pub internal: bool,
    /// Whether it is a feature of learned values.
    pub learned: bool,
    /// Whether it is an ability: false for a token that loses its abilities.
    pub ability: bool,
    /// Which of two numbers is better for the holder; `None`: not declared.
    pub better: Option<Better>,
}

/// Which of two numbers is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// The larger one.
    More,
    /// The smaller one.
    Less,
}

/// Type of an attribute or of a verb's argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttributeType {
    /// A whole number in a range, inclusive.
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
    /// A number computed from the state; only in the arguments of verbs.
    Formula(WrittenFormula),
}

impl Value {
    /// The default that means "none": an empty text, for every type.
    #[must_use]
    pub fn none() -> Self {
        Self::Text(String::new())
    }
}

/// A card, tile, figure or place: one table in a kind's file.
#[derive(Debug, Clone, Default)]
pub struct Definition {
    /// Table key.
    pub id: String,
    /// Index into `kinds`.
    pub kind: usize,
    /// Displayed name.
    pub name: String,
    /// Displayed rules text: the written text, or else the sentences of its verbs.
    pub text: String,
    /// The written text, possibly empty or with placeholders.
    pub written: String,
    /// The composed sentences of its verbs.
    pub says: String,
    /// Number of tokens (for each player, if the kind is per player).
    pub copies: u16,
    /// One value for each attribute of the kind, in order.
    pub attributes: Vec<Value>,
    /// Its targets (indices into `aims`).
    pub aims: Vec<usize>,
    /// The targets of hooks with targets of their own, by hook name.
    pub hook_aims: IndexMap<String, Vec<usize>>,
    /// Hooks written as verbs, by hook name.
    pub verbs: IndexMap<String, Vec<VerbCall>>,
    /// Hooks that the script implements.
    pub scripted: IndexSet<String>,
    /// Displayed path of its image: its own, or that of its kind.
    pub image: Option<String>,
    /// Its place in the file.
    pub place: Location,
}

impl Definition {
    /// The targets of a hook (indices into `aims`): its own, or those of the definition.
    #[must_use]
    pub fn aims_of(&self, hook: &str) -> &[usize] {
        self.hook_aims.get(hook).unwrap_or(&self.aims)
    }
}

/// A verb with its arguments, as written in a definition.
#[derive(Debug, Clone)]
pub struct VerbCall {
    /// Name of the verb.
    pub verb: String,
    /// Its arguments by name, with defaults filled in.
    pub args: IndexMap<String, Value>,
    /// Its place in the file.
    pub place: Location,
}

/// A named effect usable from TOML and from scripts.
#[derive(Debug, Clone)]
pub struct Verb {
    /// Text of its effect, with placeholders such as `{argument}`.
    pub text: String,
    /// Arguments by name. A verb with the single argument `amounts` of type `Amounts` is written `{ gain = { coins = 2 } }`.
    pub args: IndexMap<String, Attribute>,
    /// Whether it is a cost, which must be payable in full, and not an effect.
    pub cost: bool,
    /// Its choices.
    pub picks: Picks,
    /// The verbs that labels of its choices stand for.
    pub stands_for: IndexMap<String, VerbCall>,
    /// Text (index into `texts`) that says why it is impossible.
    pub none: Option<usize>,
    /// Whether it is built into the engine.
    pub standard: bool,
    /// Its place in the file.
    pub place: Location,
}

impl Verb {
    /// The argument that can be written without its name: the only required one, or the only one.
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
