//! The declarations of a pack: plain data, checked, with every name resolved to an index.
//!
//! Declarations connect the crates and modules: `content` fills them, `state` computes the layout from them, `script`
//! builds the accessors from them, and `flow` follows the phases. They never change during play.
//!
//! Direction: filter, location, look, option, pick, prompt <- counter <- kind, phase, place <- event

mod counter;
mod event;
mod filter;
mod kind;
mod location;
mod look;
mod option;
mod phase;
mod pick;
mod place;
mod prompt;

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::Serialize;

use crate::source::LIB;

pub use counter::{Counter, Holder, Redeal, Show, Statements, TranscriptUse, Visibility};
pub use event::{
    ArgFilter, Bearer, Event, EventArg, Listener, ListenerAction, MAX_ARGS, MAX_EVENT_ARGS, Modifier, ModifierLayer,
    Moment,
};
pub use filter::{
    Aim, Bounds, Condition, Field, Filter, Formula, MAX_TARGETS, Reference, TargetPlayers, Term, Test, Thing,
    ValueRange, Whose, WrittenFormula,
};
pub use kind::{Attribute, AttributeType, Better, CAN, Definition, Held, Kind, Value, Verb, VerbCall, list_hook};
pub use location::Location;
pub use look::{
    Areas, CardSize, ChoiceLook, CounterLook, CounterShow, GridLook, Ground, GuideRule, Icon, KindLook, Layout, Look,
    Picture, ZoneLook, ZoneShow,
};
pub use option::{Amount, ELSE, Only, OptionDecl, OptionValue};
pub use phase::{Ask, AskChoices, Change, Offer, Phase, Turns, When};
pub use pick::{Pick, PickSource, Picks, ShownValue, Times, Upto};
pub use place::{Grid, Shape, Zone};
pub use prompt::{ChoiceSet, Domain, MAX_ASKED, Prompt};

/// Everything one game declares.
#[derive(Debug, Clone, Default)]
pub struct Declarations {
    /// Folder name of the pack: `checkers`.
    pub id: String,
    /// Displayed name: `Checkers`.
    pub name: String,
    /// The pack's own version, as written in `game.toml`.
    pub version: String,
    /// One sentence about the game.
    pub text: String,
    /// Numbers of players that the game supports.
    pub players: PlayerRange,
    /// Names and colours of the seats, one for each possible player.
    pub seats: Vec<Seat>,
    /// Last round, after which the game ends. `None`: only the engine's own limit.
    pub rounds: Option<Amount>,
    /// Options (variant switches) by name.
    pub options: IndexMap<String, OptionDecl>,
    /// Counters by name.
    pub counters: IndexMap<String, Counter>,
    /// Zones by name.
    pub zones: IndexMap<String, Zone>,
    /// Families of counters by name. Their members are ordinary counters, named `<family>.<id>`.
    pub counter_families: IndexMap<String, Family>,
    /// Families of zones by name. Their members are ordinary zones, named `<family>.<id>`.
    pub zone_families: IndexMap<String, Family>,
    /// Grids by name.
    pub grids: IndexMap<String, Grid>,
    /// Kinds of definitions by name (the stem of their content file).
    pub kinds: IndexMap<String, Kind>,
    /// All definitions of all kinds, grouped by kind in the order of `kinds`, in file order within a kind.
    pub definitions: Vec<Definition>,
    /// Phases by name, in playing order.
    pub phases: IndexMap<String, Phase>,
    /// Prompts by name.
    pub prompts: IndexMap<String, Prompt>,
    /// Transcript texts by name, with placeholders such as `{1:player}`.
    pub texts: IndexMap<String, String>,
    /// Verbs by name: the built-in ones and the pack's.
    pub verbs: IndexMap<String, Verb>,
    /// Events by name: the built-in ones and the pack's.
    pub events: IndexMap<String, Event>,
    /// The listeners of the game and of definitions.
    pub listeners: Vec<Listener>,
    /// The modifiers of the game and of definitions.
    pub modifiers: Vec<Modifier>,
    /// Filters of tokens by name.
    pub filters: IndexMap<String, Filter>,
    /// Attributes that filters and formulas read, each with the texts that it is compared with: text n has the value n + 1.
    pub read_attributes: IndexMap<String, Vec<String>>,
    /// Options that formulas read (indices into `options`).
    pub read_options: Vec<usize>,
    /// The formulas in the arguments of verbs.
    pub formulas: Vec<Formula>,
    /// The targets of definitions and listeners.
    pub aims: Vec<Aim>,
    /// Attributes with current values, which modifiers change (indices into `read_attributes`).
    pub current: Vec<usize>,
    /// How the outcome is computed.
    pub outcome: OutcomeDecl,
    /// Luau sources by stem (`lib`, `phases`, `verbs`, `game`, or a kind): the game's, then those of mods over it.
    pub scripts: IndexMap<String, Vec<Script>>,
    /// The mods, in load order.
    pub layers: Vec<Layer>,
    /// The names removed by mods, as `<stem>.<name>`. Scripts of the game may still have functions for them.
    pub removed: BTreeSet<String>,
    /// The numbered rules of `rules.md`.
    pub rules: Vec<Rule>,
    /// The texts of `rules.md`: the game's, then those of mods over it.
    pub rule_texts: Vec<String>,
    /// How the game looks.
    pub look: Look,
}

impl Declarations {
    /// Displayed path of the file that declares the game.
    #[must_use]
    pub fn game_file(&self) -> String {
        format!("content/{}/game.toml", self.id)
    }

    /// Every script of every layer.
    pub fn all_scripts(&self) -> impl Iterator<Item = &Script> {
        self.scripts.values().flatten()
    }

    /// The scripts of a stem, lowest layer first. `lib` may have several files in a layer, sorted by path.
    #[must_use]
    pub fn scripts_of(&self, stem: &str) -> &[Script] {
        self.scripts.get(stem).map_or(&[], Vec::as_slice)
    }

    /// Whether a script is one of `lib`, in any layer.
    #[must_use]
    pub fn is_lib(&self, path: &str) -> bool {
        self.scripts_of(LIB).iter().any(|script| script.path == path)
    }

    /// Whether a zone holds tokens of a kind (index into `kinds`).
    #[must_use]
    pub fn is_held(&self, kind: usize) -> bool {
        self.zones.values().any(|zone| zone.holds.contains(&kind))
    }

    /// The definitions of a kind (index into `kinds`).
    #[must_use]
    pub fn definitions_of(&self, kind: usize) -> &[Definition] {
        let range = self.kinds.get_index(kind).map(|(_, kind)| kind.first..kind.first + kind.len);
        range.and_then(|range| self.definitions.get(range)).unwrap_or_default()
    }

    /// Number of tokens of a kind (index into `kinds`), including those of kinds like it.
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

    /// The kind (index into `kinds`) at the root of what a kind is like: the kind itself, if it is like none.
    #[must_use]
    pub fn root_of(&self, kind: usize) -> usize {
        let like = |kind: &usize| self.kinds.get_index(*kind).and_then(|(_, kind)| kind.like);
        std::iter::successors(Some(kind), like).take(self.kinds.len()).last().unwrap_or(kind)
    }

    /// Whether tokens of a kind have the counters that are `per` this holder: the holder is the kind itself, or a
    /// kind that it is like.
    #[must_use]
    pub fn is_of(&self, per: Holder, kind: usize) -> bool {
        let Holder::Token(wanted) = per else { return false };
        let like = |kind: &usize| self.kinds.get_index(*kind).and_then(|(_, kind)| kind.like);
        // Reading refuses cycles.
        std::iter::successors(Some(kind), like).take(self.kinds.len()).any(|kind| kind == wanted)
    }
}

/// A group of counters or zones: one for each definition of a kind, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Family {
    /// The kind (index into `kinds`).
    pub kind: usize,
    /// Index into `counters` or `zones` of the member for the first definition.
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

/// Separator between family and id in a member's name: `raw.gold`.
pub const MEMBER: char = '.';

/// Supported numbers of players.
#[derive(Debug, Clone, Copy, Default, Serialize, PartialEq, Eq)]
pub struct PlayerRange {
    /// Smallest number of players.
    pub min: u8,
    /// Largest number of players, at most 16.
    pub max: u8,
    /// Default number.
    pub default: u8,
}

/// Name and colour of one seat.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Seat {
    /// Displayed name.
    pub name: String,
    /// Terminal colour name: `red`, `blue`, `bright_yellow` ...; empty for none.
    pub colour: String,
}

/// How scores and ranks are computed.
#[derive(Debug, Clone, Default)]
pub struct OutcomeDecl {
    /// Player counter reported as the score (index into `counters`); a game counter if the game is cooperative.
    pub score: usize,
    /// The ranking counters, compared in order; players equal in all of them share a rank.
    pub rank: Vec<RankKey>,
    /// Player counter with the same value for players of one team (index into `counters`).
    pub teams: Option<usize>,
    /// In a cooperative game: the game counter that is not 0 if the players have won (index into `counters`).
    pub won: Option<usize>,
    /// The parts of the score, for display: counters of the same holder (indices into `counters`).
    pub parts: Vec<usize>,
    /// Whether all players share one result: the game is cooperative.
    pub shared: bool,
    /// The utility that bots maximise.
    pub goal: Goal,
    /// Whether the scores of all players add up to 0.
    pub zero_sum: bool,
    /// The smallest and the largest score at the end, in steps of the score counter. Present unless `goal` is
    /// [`Goal::Rank`].
    pub range: Option<(i32, i32)>,
}

/// The utility of a seat.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Goal {
    /// Its share of the first place; in a cooperative game, 1 if the players have won.
    #[default]
    Rank,
    /// Its score.
    Score,
    /// Its score minus the best score of the others.
    Margin,
}

impl Goal {
    /// Its name in TOML.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rank => "rank",
            Self::Score => "score",
            Self::Margin => "margin",
        }
    }
}

impl OutcomeDecl {
    /// Whether players win or lose: not in a cooperative game with only a score.
    #[must_use]
    pub fn has_winners(&self) -> bool {
        !self.shared || self.won.is_some()
    }

    /// Whether a smaller score is better.
    #[must_use]
    pub fn least_score(&self) -> bool {
        self.rank.iter().any(|key| key.counter == self.score && key.least)
    }
}

/// A counter that ranks the players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankKey {
    /// Index into `counters`.
    pub counter: usize,
    /// Whether smaller is better.
    pub least: bool,
}

/// A Luau source file.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// Displayed path: `scripts/checkers/phases.luau`.
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
    /// Ids of the mods that it builds on: it may change their changes.
    pub knows: BTreeSet<String>,
}

/// One numbered rule.
#[derive(Debug, Clone, Serialize, PartialEq, Eq)]
pub struct Rule {
    /// The rule's number: `P-12`, `T-P3`, `Q7`.
    pub number: String,
    /// Its text, markdown on one line.
    pub text: String,
    /// The heading above it.
    pub section: String,
}
