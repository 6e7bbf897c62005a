//! What a pack declares, after reading and checking: plain data, every name resolved to an index.
//!
//! Declarations are the contract between the rooms: `content` fills them, `state` computes the layout from them,
//! `script` builds the accessors from them and `flow` walks the phases. Nothing here is mutable during play.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::Serialize;

/// Everything one game declares.
#[derive(Debug, Clone, Default)]
pub struct Declarations {
    /// Folder name of the pack: `checkers`.
    pub id: String,
    /// Shown name: `Checkers`.
    pub name: String,
    /// The pack's own version, as written in `game.toml`.
    pub version: String,
    /// One sentence about the game.
    pub text: String,
    /// How many players the game is for.
    pub players: PlayerRange,
    /// Names and colours of the seats, one for each possible player.
    pub seats: Vec<Seat>,
    /// Last round of the game; the game ends after it. `None`: no limit but the engine's own.
    pub rounds: Option<Amount>,
    /// Variant switches by name.
    pub options: IndexMap<String, OptionDecl>,
    /// Counters by name.
    pub counters: IndexMap<String, Counter>,
    /// Zones by name.
    pub zones: IndexMap<String, Zone>,
    /// Families of counters by name. Their members are counters like any other, named `<family>.<id>`.
    pub counter_families: IndexMap<String, Family>,
    /// Families of zones by name. Their members are zones like any other, named `<family>.<id>`.
    pub zone_families: IndexMap<String, Family>,
    /// Grids by name.
    pub grids: IndexMap<String, Grid>,
    /// Kinds of definitions by name (the stem of their content file).
    pub kinds: IndexMap<String, Kind>,
    /// All definitions of all kinds, grouped by kind in the order of `kinds`, file order within.
    pub definitions: Vec<Definition>,
    /// Phases by name in the order in which they are played.
    pub phases: IndexMap<String, Phase>,
    /// Prompts by name.
    pub prompts: IndexMap<String, Prompt>,
    /// Lines of the transcript by name, with placeholders such as `{1:player}`.
    pub texts: IndexMap<String, String>,
    /// Verbs by name: the engine's own and the pack's.
    pub verbs: IndexMap<String, Verb>,
    /// How the outcome is computed.
    pub outcome: OutcomeDecl,
    /// Luau sources by stem (`lib`, `phases`, `verbs`, `game`, or a kind): that of the game, then those of mods over it.
    pub scripts: IndexMap<String, Vec<Script>>,
    /// The mods, in the order in which they are loaded.
    pub layers: Vec<Layer>,
    /// What mods have removed, as `<stem>.<name>`: scripts of the game may still have functions for it.
    pub removed: BTreeSet<String>,
    /// The numbered rules of `rules.md`.
    pub rules: Vec<Rule>,
}

impl Declarations {
    /// The path, as shown, of the file that declares the game.
    #[must_use]
    pub fn game_file(&self) -> String {
        format!("content/{}/game.toml", self.id)
    }

    /// Every script of every layer.
    pub fn all_scripts(&self) -> impl Iterator<Item = &Script> {
        self.scripts.values().flatten()
    }

    /// The scripts of a stem, lowest layer first.
    #[must_use]
    pub fn scripts_of(&self, stem: &str) -> &[Script] {
        self.scripts.get(stem).map_or(&[], Vec::as_slice)
    }

    /// The definitions of a kind (index into `kinds`).
    #[must_use]
    pub fn definitions_of(&self, kind: usize) -> &[Definition] {
        let range = self.kinds.get_index(kind).map(|(_, kind)| kind.first..kind.first + kind.len);
        range.and_then(|range| self.definitions.get(range)).unwrap_or_default()
    }

    /// Number of tokens of a kind (index into `kinds`), with those of the kinds like it.
    #[must_use]
    pub fn tokens_of(&self, kind: usize) -> usize {
        let of = |(index, kind): (usize, &Kind)| {
            let sets = if kind.per == Holder::Player { usize::from(self.players.max) } else { 1 };
            let copies = self.definitions_of(index).iter().map(|definition| usize::from(definition.copies));
            if kind.tokens { sets * copies.sum::<usize>() } else { 0 }
        };
        let like = self.kinds.values().enumerate().filter(|(index, _)| self.is_of(Holder::Token(kind), *index));
        like.map(of).sum()
    }

    /// Whether each token of a kind has what is `per` this: of its own kind, or of one that it is like.
    #[must_use]
    pub fn is_of(&self, per: Holder, kind: usize) -> bool {
        let Holder::Token(wanted) = per else { return false };
        let like = |kind: &usize| self.kinds.get_index(*kind).and_then(|(_, kind)| kind.like);
        // Circles are refused when the content is read.
        std::iter::successors(Some(kind), like).take(self.kinds.len()).any(|kind| kind == wanted)
    }
}

/// A group of counters or zones: one for each definition of a kind, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Family {
    /// The kind (index into `kinds`).
    pub kind: usize,
    /// Index of the member of its first definition, into `counters` or `zones`.
    pub first: usize,
    /// Number of members.
    pub len: usize,
}

impl Family {
    /// Indices of the members.
    #[must_use]
    pub fn members(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.len
    }
}

/// Between the name of a family and the id that makes it that of a member: `raw.gold`.
pub const MEMBER: char = '.';

/// Smallest, largest and usual number of players.
#[derive(Debug, Clone, Copy, Default, Serialize, PartialEq, Eq)]
pub struct PlayerRange {
    /// Smallest number of players.
    pub min: u8,
    /// Largest number of players, at most 16.
    pub max: u8,
    /// Number used when none is given.
    pub default: u8,
}

/// Name and colour of one seat.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Seat {
    /// Shown name.
    pub name: String,
    /// Terminal colour name: `red`, `blue`, `bright_yellow` ...; empty for none.
    pub colour: String,
}

/// A number in the content: written out, or the name of an integer option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Amount {
    /// Written out.
    Number(i32),
    /// The value of this option.
    Option(String),
}

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

/// As a person writes it.
impl std::fmt::Display for OptionValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Name(value) => value.fmt(f),
        }
    }
}

/// A variant switch that players may set.
#[derive(Debug, Clone, Serialize)]
pub struct OptionDecl {
    /// What the option does.
    pub text: String,
    /// Value used when none is given; its type is the option's type.
    pub default: OptionValue,
    /// Range of an integer option, both ends included.
    pub range: Option<(i32, i32)>,
    /// Names a name option may take, each with its text.
    pub values: IndexMap<String, String>,
    /// Numbers of players for which a value other than the default is allowed; empty: all.
    pub players: Vec<u8>,
}

/// The setups in which a counter, a zone or a grid exists: all of them, unless it says otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Only {
    /// Numbers of players; empty: all.
    pub players: Vec<u8>,
    /// The values of an option with which it exists, for each option that matters.
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

/// Who may see a counter or a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everybody sees everything.
    #[default]
    Public,
    /// The owner sees it; the others see only how many tokens there are (of a counter: nothing).
    Owner,
    /// The owner sees it; the others see nothing, not even how many.
    Secret,
    /// Everybody sees how many tokens there are, nobody which.
    Count,
    /// Nobody sees anything.
    Nobody,
    /// Each token by its face: face-up ones are public, face-down ones known to those who have seen them.
    Face,
}

/// When a table shows a counter or a zone to people. Programs and bots get it in any case, if their seat may see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Show {
    /// At any time.
    #[default]
    Always,
    /// While somebody has any of it.
    Used,
    /// When the match is over.
    End,
    /// Never: people follow it from elsewhere.
    Never,
}

/// What a counter or a zone belongs to: there is one of it for each.
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

/// What a determinization (`redeal`) does with a counter that the seat cannot see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Redeal {
    /// Every value of its range is as likely as any other, whatever the other holders have.
    #[default]
    Range,
    /// The sum over all hidden holders is public knowledge; it is split at random.
    Pool,
    /// The hook `redeal` of the game deals it.
    Hook,
    /// Whoever watches can conclude the value: it stays.
    Keep,
}

/// A whole number in the state.
#[derive(Debug, Clone, Default)]
pub struct Counter {
    /// Shown label.
    pub text: String,
    /// There is one counter for each of these.
    pub per: Holder,
    /// Value at the start.
    pub start: Amount,
    /// Smallest value allowed.
    pub min: i32,
    /// Largest value allowed.
    pub max: i32,
    /// Names of the values 0, 1, 2 ... of an enumerated counter; empty for a plain number.
    pub values: Vec<String>,
    /// Symbols drawn for the values 0, 1, 2 ... in a picture of the grid; empty: the number or the name.
    pub symbols: Vec<String>,
    /// Terminal colours of the values; empty: none.
    pub colours: Vec<String>,
    /// How an amount of it reads in a text: `{n:coin|coins}`; empty: the number and the label.
    pub amount: String,
    /// What its value is the number of: a player, a token or a cell; 0 is none of them.
    pub means: Domain,
    /// Who sees it (`Public`, `Owner`, `Nobody`).
    pub visible: Visibility,
    /// What a redeal does with it, as declared; see [`Counter::dealt`].
    pub redeal: Option<Redeal>,
    /// Bookkeeping: scripts and tests see it, players do not. It must follow from what all of them see, and a redeal keeps it.
    pub internal: bool,
    /// When a table shows it to people.
    pub show: Show,
    /// The row of a table that it shares with others of this group; empty: a row of its own.
    pub group: String,
    /// When it exists.
    pub only: Only,
}

impl Counter {
    /// The value at the start of a match with these options.
    #[must_use]
    pub fn starts_at(&self, options: &IndexMap<String, OptionValue>) -> i32 {
        self.start.resolve(options).clamp(self.min, self.max)
    }

    /// What a redeal does with it.
    #[must_use]
    pub fn dealt(&self) -> Redeal {
        self.redeal.unwrap_or_default()
    }
}

/// An ordered list of tokens. The last token is the top.
#[derive(Debug, Clone, Default)]
pub struct Zone {
    /// Shown label.
    pub text: String,
    /// `Game` or `Player`.
    pub per: Holder,
    /// Kinds of tokens it may hold (indices into `kinds`).
    pub holds: Vec<usize>,
    /// Who sees it.
    pub visible: Visibility,
    /// Whether everybody sees to whom a token of the zone is shown. If not, only that player knows.
    pub open_looks: bool,
    /// Largest number of tokens; `None`: no limit.
    pub size: Option<u16>,
    /// A display: refilled up to `size` from this zone after each hook.
    pub refill: Option<usize>,
    /// When this zone is empty and a token is wanted, that zone is shuffled into it.
    pub reshuffle: Option<usize>,
    /// Bookkeeping: scripts and tests see it, players do not. What it holds must follow from what all of them see, and a redeal
    /// keeps it.
    pub internal: bool,
    /// When a table shows it to people.
    pub show: Show,
    /// The row of a table that it shares with others of this group; empty: a row of its own.
    pub group: String,
    /// When it exists.
    pub only: Only,
}

/// Geometry of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Squares with four neighbours.
    Square {
        /// Number of columns.
        columns: u16,
        /// Number of rows.
        rows: u16,
    },
    /// A hexagon of hexagons with this many cells on a side; three directions of lines.
    Hex {
        /// Cells on a side.
        side: u16,
    },
    /// Rows shifted by half a cell: up to six neighbours (left, right, two above, two below).
    Offset {
        /// Number of columns.
        columns: u16,
        /// Number of rows.
        rows: u16,
    },
}

impl Default for Shape {
    /// A single square.
    fn default() -> Self {
        Self::Square { columns: 1, rows: 1 }
    }
}

/// A board.
#[derive(Debug, Clone, Default)]
pub struct Grid {
    /// Shown label.
    pub text: String,
    /// `Game` or `Player`.
    pub per: Holder,
    /// Its geometry.
    pub shape: Shape,
    /// Names of cells that do not exist as places. A hole does not cut a line.
    pub holes: Vec<String>,
    /// Cell counters drawn in a picture, in this order (indices into `counters`).
    pub show: Vec<usize>,
    /// The kind whose definitions name the cells, row by row (index into `kinds`); `None`: people read coordinates.
    pub names: Option<usize>,
    /// When it exists.
    pub only: Only,
}

/// Stands before the name of a hook: `can_play` says whether `play` can be used. No kind declares it, every kind has it.
pub const CAN: &str = "can_";

/// A kind of definitions: one content file.
#[derive(Debug, Clone, Default)]
pub struct Kind {
    /// What the kind is.
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
    /// What it means.
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
    /// What was written as its text: empty, or with placeholders.
    pub written: String,
    /// What its verbs say.
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
    /// What it does, with placeholders such as `{argument}`.
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

/// File, line and column (both from 1) of a declaration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Location {
    /// Path as shown: `content/checkers/equipment.toml`.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// When a phase is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum When {
    /// Once, before the first round.
    Setup,
    /// In every round.
    #[default]
    Round,
    /// Once, after the last round.
    End,
}

/// Who acts in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Turns {
    /// Nobody takes turns: the hook `run` is called once.
    #[default]
    None,
    /// Every player once, in order.
    Once,
    /// Around and around until everybody has passed.
    Passes,
    /// Around and around until a script ends the phase or the game.
    Around,
    /// All at once and secretly; answers are revealed together.
    Sealed,
}

/// Choices that need no script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Every cell whose counter (index into `counters`) has this value, in cell order.
    Cells {
        /// The cell counter.
        counter: usize,
        /// The value.
        equals: i32,
    },
    /// Every token of this zone (index into `zones`), from the bottom; of the player on turn if the zone belongs to players.
    Zone(usize),
}

/// A question that needs no script: the answer changes counters of the player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The prompt (index into `prompts`).
    pub prompt: usize,
    /// The possible answers, and what each does.
    pub choices: AskChoices,
}

/// The possible answers to an [`Ask`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskChoices {
    /// The labels of the prompt, in order.
    Labels {
        /// Player counter (index into `counters`) that keeps the answer.
        store: usize,
        /// What is stored for each label.
        values: Vec<i32>,
    },
    /// The players still in the game, by number.
    Players {
        /// Player counter that keeps the answer.
        store: usize,
        /// Without the player asked.
        others: bool,
    },
    /// Whole numbers up to what the player has of something.
    Numbers {
        /// Player counter that keeps the answer.
        store: usize,
        /// The smallest.
        from: i32,
        /// Player counter whose value is the largest.
        upto: usize,
    },
    /// Definitions of a kind that the player can pay for, then the prompt's labels, which end the purchases. If the player can
    /// pay for none, nothing is asked.
    Buy {
        /// The kind (index into `kinds`).
        kind: usize,
        /// The attributes with the price and the gain (indices into the kind's `attributes`).
        attributes: [usize; 2],
        /// What each definition of the kind does to the player's counters.
        prices: Vec<Vec<Change>>,
        /// Asked again after every purchase.
        again: bool,
    },
}

/// A change of a player counter that must stay in its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// The counter (index into `counters`).
    pub counter: usize,
    /// What is added.
    pub by: i32,
}

/// One phase.
#[derive(Debug, Clone, Default)]
pub struct Phase {
    /// Shown name.
    pub name: String,
    /// What happens in it.
    pub text: String,
    /// When it is played.
    pub when: When,
    /// Who acts.
    pub turns: Turns,
    /// Prompt of the hooks `offer` and `act` (index into `prompts`).
    pub prompt: Option<usize>,
    /// Choices that the engine lists itself, before those of the hook `offer`.
    pub offer: Option<Offer>,
    /// Line told when a player is offered nothing (index into `texts`).
    pub stuck: Option<usize>,
    /// Questions of a sealed phase that needs no script: asked one after the other, the answers stored in counters.
    pub asks: Vec<Ask>,
    /// Game counter that names the player who begins (1 is the first seat; index into `counters`).
    pub first: Option<usize>,
    /// How many times in a row the phase is played.
    pub times: u16,
    /// Where it is written.
    pub place: Location,
}

/// What the integers among the choices of a prompt stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Domain {
    /// Plain numbers.
    #[default]
    Number,
    /// Players.
    Player,
    /// Tokens.
    Token,
    /// Definitions of a kind (by number within the kind, from 1).
    Definition(usize),
    /// Cells of a grid.
    Cell(usize),
}

/// Most values that a question may pass to its text.
pub const MAX_ASKED: usize = 3;

/// A question to a player.
#[derive(Debug, Clone, Default)]
pub struct Prompt {
    /// The question as shown.
    pub text: String,
    /// What integer choices stand for.
    pub domain: Domain,
    /// Named choices with their labels.
    pub labels: IndexMap<String, String>,
    /// Whether the engine answers by itself when there is only one choice: so it is unless content says `auto = false`.
    pub auto: bool,
    /// Whether the transcript shows the answer only to the player asked.
    pub secret: bool,
    /// Whether equal copies of a token are offered once.
    pub distinct: bool,
    /// How a choice that is a number is worded, with `{choice}`; empty: by its name alone.
    pub reads: String,
    /// How many values the question shows.
    pub shows: usize,
}

/// How scores and ranks are computed.
#[derive(Debug, Clone, Default)]
pub struct OutcomeDecl {
    /// Player counter reported as the score (index into `counters`); a game counter if the game is cooperative.
    pub score: usize,
    /// What is compared in turn; players equal in all of it share a rank.
    pub rank: Vec<RankKey>,
    /// Player counter with the same value for players of one team (index into `counters`).
    pub teams: Option<usize>,
    /// Of a cooperative game: the game counter that is not 0 if all have won (index into `counters`).
    pub won: Option<usize>,
    /// What the score is made of, for people: counters of the same holder (indices into `counters`).
    pub parts: Vec<usize>,
}

impl OutcomeDecl {
    /// Whether a smaller score is a better one.
    #[must_use]
    pub fn least_score(&self) -> bool {
        self.rank.iter().any(|key| key.counter == self.score && key.least)
    }
}

/// A counter by which players are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankKey {
    /// Index into `counters`.
    pub counter: usize,
    /// Whether less is better.
    pub least: bool,
}

/// A Luau source file.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// Path as shown: `scripts/checkers/phases.luau`.
    pub path: String,
    /// Its text.
    pub source: String,
    /// 0 for the game itself, n for the n-th mod over it.
    pub layer: usize,
}

/// A mod over a game.
#[derive(Debug, Clone, Default)]
pub struct Layer {
    /// Its id.
    pub id: String,
    /// Ids of the mods that it knows: it may change what they have changed.
    pub knows: BTreeSet<String>,
}

/// One numbered rule.
#[derive(Debug, Clone, Serialize, PartialEq, Eq)]
pub struct Rule {
    /// `P-12`, `T-P3`, `Q7`.
    pub number: String,
    /// Its text, markdown on one line.
    pub text: String,
    /// The heading above it.
    pub section: String,
}
