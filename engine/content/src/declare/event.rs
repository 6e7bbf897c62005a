//! Events, and their listeners.

use indexmap::IndexMap;

use crate::declare::filter::{Condition, Filter, Formula, MAX_TARGETS, ValueRange};
use crate::declare::kind::VerbCall;
use crate::declare::location::Location;

/// Maximum arguments of an event.
pub const MAX_EVENT_ARGS: usize = 6;

/// Maximum arguments of a formula: those of an event, then a token and a player for each target.
pub const MAX_ARGS: usize = MAX_EVENT_ARGS + 2 * MAX_TARGETS;

/// Something that happens in a game.
#[derive(Debug, Clone, Default)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// Text for the start of a sentence: `When a creature dies`.
    pub text: String,
    /// Its arguments by name.
    pub args: IndexMap<String, EventArg>,
    /// The event (index into `events`) of which this one is a part; `None`: an event by itself.
    pub of: Option<usize>,
    /// Conditions on the arguments that make the other event this one.
    pub filters: Vec<(usize, ArgFilter)>,
    /// Prompt (index into `prompts`) that asks for the order of several listeners; `None`: the engine's order.
    pub order: Option<usize>,
    /// Whether the engine itself emits it.
    pub standard: bool,
    /// Its place in the file.
    pub place: Location,
}

impl Event {
    /// Whether scripts may emit it: the game declares it, and it is an event by itself.
    #[must_use]
    pub fn may_be_emitted(&self) -> bool {
        !self.standard && self.of.is_none()
    }
}

/// Type of an argument of an event. In scripts a missing argument is `nil`, in the engine 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventArg {
    /// A whole number.
    Integer,
    /// A token.
    Token,
    /// A player.
    Player,
    /// A zone, by name in scripts and by index + 1 in the engine.
    Zone,
    /// A counter, by name in scripts and by index + 1 in the engine.
    Counter,
    /// A phase, by name in scripts and by index + 1 in the engine.
    Phase,
}

impl EventArg {
    /// The values that it takes, for people: `the name of a zone`.
    #[must_use]
    pub fn needs(self) -> &'static str {
        match self {
            Self::Integer => "a whole number",
            Self::Token => "a token",
            Self::Player => "a player",
            Self::Zone => "the name of a zone",
            Self::Counter => "the name of a counter",
            Self::Phase => "the name of a phase",
        }
    }
}

/// A condition on an argument of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgFilter {
    /// On a token.
    Token(Filter),
    /// On a player.
    Player(Filter),
    /// On a number.
    Range(ValueRange),
    /// One of these zones, counters or phases, each by its number from 1.
    OneOf(Vec<i32>),
}

/// When a listener acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Moment {
    /// Before the event; it may change arguments.
    Before,
    /// Instead of the event.
    Instead,
    /// After the event.
    On,
}

impl Moment {
    /// All moments.
    pub const ALL: [Self; 3] = [Self::Before, Self::Instead, Self::On];

    /// The key of a definition: `before`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::Instead => "instead",
            Self::On => "on",
        }
    }
}

/// The tokens or players that have a listener or a modifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bearer {
    /// The game.
    Game,
    /// Each player.
    Players,
    /// The tokens of a definition (index into `definitions`).
    Definition(usize),
    /// The tokens of a kind (index into `kinds`), and of the kinds like it.
    Kind(usize),
}

impl Bearer {
    /// Whether tokens may have it, so that `this` has a meaning.
    #[must_use]
    pub fn has_tokens(self) -> bool {
        !matches!(self, Self::Game | Self::Players)
    }
}

/// A reaction to an event.
#[derive(Debug, Clone)]
pub struct Listener {
    /// Its name in messages: `bear.on.dies`, or its own id.
    pub name: String,
    /// Text for the start of the sentence; empty: the text of the event.
    pub text: String,
    /// When it acts.
    pub moment: Moment,
    /// Index into `events`.
    pub event: usize,
    /// Who has it.
    pub bearer: Bearer,
    /// Zones (indices into `zones`) in which a token acts; empty: every zone, and none.
    pub zones: Vec<usize>,
    /// Conditions on the arguments, by index.
    pub filters: Vec<(usize, ArgFilter)>,
    /// Conditions on the state.
    pub conditions: Vec<Condition>,
    /// New values of arguments, by index.
    pub set: Vec<(usize, Formula)>,
    /// The number `x` of its verbs, computed when the listener is found.
    pub x: Option<Formula>,
    /// Prompt (index into `prompts`) with the labels `yes` and `no` that asks whether it acts.
    pub may: Option<usize>,
    /// Whether it waits on a stack, if the game has one and a token has it.
    pub waits: bool,
    /// Its targets (indices into `aims`).
    pub aims: Vec<usize>,
    /// What it does.
    pub action: ListenerAction,
    /// Its place in the file.
    pub place: Location,
}

impl Listener {
    /// Whether it may wait on a stack.
    #[must_use]
    pub fn can_wait(&self) -> bool {
        self.waits && self.moment == Moment::On && self.bearer.has_tokens()
    }
}

/// What a listener does.
#[derive(Debug, Clone)]
pub enum ListenerAction {
    /// Nothing besides `set`, or nothing at all.
    Nothing,
    /// A list of verbs.
    Verbs(Vec<VerbCall>),
    /// A script function: `on_<event>` of the definition, or the function of its name in `reactions.luau`.
    Script(String),
    /// Sets all holders of a counter (index into `counters`) to their value at the start.
    Reset(usize),
}

/// The order in which modifiers change an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModifierLayer {
    /// Replaces the value.
    Set,
    /// Adds to the value.
    Add,
    /// Multiplies the value.
    Multiply,
    /// Limits the value from above.
    Cap,
    /// Limits the value from below.
    Floor,
}

/// A change of the current values of attributes.
#[derive(Debug, Clone)]
pub struct Modifier {
    /// Its name in messages: `banner.modifies`, or its own id.
    pub name: String,
    /// Its sentence; empty: composed.
    pub text: String,
    /// Who has it.
    pub bearer: Bearer,
    /// Zones (indices into `zones`) in which a token acts; empty: every zone, and none.
    pub zones: Vec<usize>,
    /// The tokens that it changes.
    pub of: Filter,
    /// Conditions on the state.
    pub conditions: Vec<Condition>,
    /// The changes, each of an attribute (index into `Declarations::current`).
    pub changes: Vec<(ModifierLayer, usize, Formula)>,
    /// Its place in the file.
    pub place: Location,
}
