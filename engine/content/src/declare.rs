//! Declarations of a pack, after reading and checking: plain data, every name resolved to an index.
//!
//! Declarations are the contract between the rooms: `content` fills them, `state` computes the layout from them,
//! `script` builds the accessors from them and `flow` walks the phases. Nothing here is mutable during play.
//!
//! Direction: location, option, prompt <- counter <- kind, phase, place

mod counter;
mod kind;
mod location;
mod option;
mod phase;
mod place;
mod prompt;

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::Serialize;

pub use counter::{Counter, Holder, Redeal, Show, Visibility};
pub use kind::{Attribute, AttributeType, CAN, Definition, Kind, Value, Verb, VerbCall};
pub use location::Location;
pub use option::{Amount, Only, OptionDecl, OptionValue};
pub use phase::{Ask, AskChoices, Change, Offer, Phase, Turns, When};
pub use place::{Grid, Shape, Zone};
pub use prompt::{Domain, MAX_ASKED, Prompt};

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
    /// The names that mods have removed, as `<stem>.<name>`: scripts of the game may still have functions for it.
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

/// How scores and ranks are computed.
#[derive(Debug, Clone, Default)]
pub struct OutcomeDecl {
    /// Player counter reported as the score (index into `counters`); a game counter if the game is cooperative.
    pub score: usize,
    /// The keys that are compared in turn; players equal in all of them share a rank.
    pub rank: Vec<RankKey>,
    /// Player counter with the same value for players of one team (index into `counters`).
    pub teams: Option<usize>,
    /// Of a cooperative game: the game counter that is not 0 if all have won (index into `counters`).
    pub won: Option<usize>,
    /// The parts of the score, for people: counters of the same holder (indices into `counters`).
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
