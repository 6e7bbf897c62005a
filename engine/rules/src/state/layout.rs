//! The layout of the state block.

use std::ops::Range;

use crate::state::bearers::TokenWords;
use crate::state::key::{PURPOSES, key_of, member};
use crate::state::reactions::Reactions;
use motherlode_content::Geometry;
use motherlode_content::declare::{Declarations, Domain, Holder, Statements, Visibility, Zone};

/// Maximum number of players: seats are bits of a word, and the turn order has this many words.
pub const MAX_PLAYERS: usize = 16;

/// The holder `game` in scripts, which holds everything that belongs to no player. Its number follows that of the
/// last possible player, so that tables by holder are arrays, which machine code reads without a call.
pub const GAME_HOLDER: i32 = MAX_PLAYERS as i32 + 1;

/// Words of the state covered by one write mark.
pub const MARKED: usize = 32;

/// Bits of a token's face and witnesses.
pub const SEEN: i32 = (2 << MAX_PLAYERS) - 1;

/// The words of the flow, at the front of every block.
pub mod word {
    /// Seed of all random draws, low half; [`counts`](super::Layout::counts) has the number of draws.
    pub const SEED_LOW: usize = 0;
    /// Seed of all random draws, high half.
    pub const SEED_HIGH: usize = 1;
    /// Number of seats in the match.
    pub const PLAYERS: usize = 2;
    /// Round, from 1; 0 in setup.
    pub const ROUND: usize = 3;
    /// Index of the phase.
    pub const PHASE: usize = 4;
    /// Current step within the phase, a value of the module `stage`.
    pub const STAGE: usize = 5;
    /// Number of times the phase was played in a row.
    pub const TIMES: usize = 6;
    /// Position in the turn order.
    pub const TURN: usize = 7;
    /// Length of the turn order.
    pub const ORDER_LEN: usize = 8;
    /// Seats that have passed, as bits.
    pub const PASSED: usize = 9;
    /// Seats that have left the game, as bits.
    pub const OUT: usize = 10;
    /// Requests of scripts, as bits of the module `flag`.
    pub const FLAGS: usize = 11;
    /// Why the game is over, a value of the module `reason`.
    pub const REASON: usize = 12;
    /// Section of the game: 0 for setup phases, 1 for rounds, 2 for end phases.
    pub const SECTION: usize = 13;
    /// Turns in a row without a question.
    pub const IDLE: usize = 14;
    /// Player (from 1) who begins the phase instead of the first in turn order; 0: none.
    pub const BEGIN: usize = 15;
    /// Number of events that are happening, one inside the other.
    pub const EVENTS: usize = 16;
    /// Whether current values of attributes may be out of date.
    pub const STALE: usize = 17;
    /// The turn order, player numbers from 1.
    pub const ORDER: usize = 18;
    /// First word after the flow.
    pub const END: usize = ORDER + super::MAX_PLAYERS;
}

/// Values of the flow word `STAGE`.
pub mod stage {
    /// `setup` of the game.
    pub const SETUP: i32 = 0;
    /// `applies` of a phase.
    pub const ENTER: i32 = 1;
    /// `start` of a phase.
    pub const START: i32 = 2;
    /// `run` or `order` of a phase, or its simultaneous turns.
    pub const ORDER: i32 = 3;
    /// Looking for the next turn.
    pub const NEXT: i32 = 4;
    /// `skip` of a phase, for the player on turn.
    pub const SKIP: i32 = 5;
    /// `begin_turn` of a phase, for the player on turn.
    pub const BEGIN_TURN: i32 = 6;
    /// The turn of a player.
    pub const TURN: i32 = 7;
    /// `end_turn` of a phase, for the player on turn.
    pub const END_TURN: i32 = 8;
    /// `resolve` of a phase, for the top of its stack.
    pub const RESOLVE: i32 = 9;
    /// `finish` of a phase.
    pub const FINISH: i32 = 10;
    /// `finish` of the game.
    pub const END: i32 = 11;
    /// The match is over.
    pub const OVER: i32 = 12;
}

/// Bits of the flow word `FLAGS`.
pub mod flag {
    /// The phase ends after this hook.
    pub const END_PHASE: i32 = 1;
    /// The game ends after this hook.
    pub const END_GAME: i32 = 2;
    /// The game ends when this round is finished.
    pub const END_AFTER_ROUND: i32 = 4;
}

/// Values of the flow word `REASON`.
pub mod reason {
    /// The game is not over.
    pub const NONE: i32 = 0;
    /// A script ended the game.
    pub const SCRIPT: i32 = 1;
    /// A script ended the game after the round.
    pub const AFTER_ROUND: i32 = 2;
    /// The last round has been played.
    pub const ROUNDS: i32 = 3;
    /// No phase was left to play.
    pub const PHASES: i32 = 4;
    /// This value and above: a script gave the text with number `value - TEXT` (from 0) as the reason.
    pub const TEXT: i32 = 16;
}

/// Place of one counter's words.
#[derive(Debug, Clone)]
pub struct CounterSlot {
    /// Word of the first holder.
    pub offset: usize,
    /// Number of the first holder: 0 for the game, 1 for players and cells, any for tokens of one kind.
    pub first: i32,
    /// Number of holders.
    pub len: usize,
    /// Index of its grid, if it is a cell counter.
    pub grid: Option<usize>,
    /// Cells in one copy of its grid, if it is a cell counter. There is one copy for the game, or one for each
    /// player.
    pub places: usize,
}

impl CounterSlot {
    fn token_words(&self) -> TokenWords {
        TokenWords { offset: self.offset, first: self.first, len: self.len }
    }
}

/// Place of one zone's words: for each holder a length and then `capacity` tokens, the top one last.
#[derive(Debug, Clone)]
pub struct ZoneSlot {
    /// Word of the first holder's length.
    pub offset: usize,
    /// Maximum tokens.
    pub capacity: usize,
    /// Number of the first holder: 0 for the game, 1 for players.
    pub first: i32,
    /// Number of holders.
    pub len: usize,
    /// Index of the first holder's pile among all piles.
    pub pile: usize,
}

/// The tokens of one holder in a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pile {
    /// Index of the zone.
    pub zone: usize,
    /// 0 for the game, else the player from 1.
    pub holder: i32,
    /// Word of its length.
    pub offset: usize,
    /// Maximum tokens.
    pub capacity: usize,
    /// The visibility of its tokens, from its zone.
    pub visible: Visibility,
    /// Whether everybody sees to whom its tokens are shown.
    pub open_looks: bool,
    /// Key of its random stream, from the name of its zone and its holder.
    pub key: u64,
}

impl Pile {
    /// Whether a word belongs to the pile: its length, or the place of a token.
    #[must_use]
    pub fn has_word(&self, at: usize) -> bool {
        (self.offset..=self.offset + self.capacity).contains(&at)
    }
}

/// Constant facts of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenInfo {
    /// Index into the declared definitions.
    pub definition: usize,
    /// Index into the declared kinds.
    pub kind: usize,
    /// Player (from 1) whose set the token belongs to; 0: none.
    pub owner: i32,
    /// Index of its back.
    pub back: usize,
    /// Unique key of the token, from the names of its kind and definition, its owner, and the number of the copy.
    pub key: u64,
}

/// Columns of every token, before its counters: its pile, and its face and witnesses.
pub const OWN_COLUMNS: usize = 2;

/// A column: one word for each token of a kind, such as a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Word of the first token.
    offset: usize,
    /// Number of the first token.
    first: i32,
}

impl Column {
    /// The word of a token.
    #[must_use]
    pub fn of(self, token: i32) -> usize {
        self.offset + (token - self.first) as usize
    }
}

/// The words of a counter that records public statements about an attribute.
#[derive(Debug, Clone)]
pub struct ToldColumn {
    /// Word of the first token.
    offset: usize,
    /// Number of the first token.
    pub first: i32,
    /// For each token, the bit of its value.
    pub bits: Vec<i32>,
}

impl ToldColumn {
    /// The word of a token.
    #[must_use]
    pub fn of(&self, token: i32) -> usize {
        self.offset + (token - self.first) as usize
    }

    fn new(declared: &Statements, slot: &CounterSlot, tokens: &[TokenInfo]) -> Self {
        let own = &tokens[(slot.first - 1).max(0) as usize..][..slot.len];
        let bit = |token: &TokenInfo| declared.bits.get(token.definition).copied().unwrap_or(0);
        Self { offset: slot.offset, first: slot.first, bits: own.iter().map(bit).collect() }
    }
}

/// Tokens with the same back: those of one kind and one owner. Their numbers are consecutive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Back {
    /// Number of the first token.
    pub first: i32,
    /// Number of tokens.
    pub len: usize,
    /// Whether they start in no zone. Such a token in no zone has not come into play yet.
    pub unplaced: bool,
}

impl Back {
    /// The tokens with this back.
    #[must_use]
    pub fn tokens(&self) -> std::ops::Range<i32> {
        self.first..self.first + self.len as i32
    }
}

/// The layout of one game's state, the same for every number of players.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Length of the block in 32-bit words.
    pub words: usize,
    /// Maximum number of players.
    pub players: usize,
    /// Counters, as declared.
    pub counters: Vec<CounterSlot>,
    /// The words of all counters.
    pub counter_words: Range<usize>,
    /// The counters that record public statements.
    pub told: Vec<ToldColumn>,
    /// The words of counters whose values are token numbers, as ranges.
    pub naming: Vec<Range<usize>>,
    /// Zones, as declared.
    pub zones: Vec<ZoneSlot>,
    /// All piles of all zones.
    pub piles: Vec<Pile>,
    /// Grids, as declared.
    pub grids: Vec<Geometry>,
    /// Tokens; token n is at index n - 1.
    pub tokens: Vec<TokenInfo>,
    /// The backs of tokens.
    pub backs: Vec<Back>,
    /// For each kind, the words of its tokens: pile, face and witnesses, counters.
    pub columns: Vec<Vec<Column>>,
    /// Keys of the phases, by their names.
    pub phases: Vec<u64>,
    /// The words of current values of attributes.
    pub current_words: Range<usize>,
    /// Tables for listeners and modifiers.
    pub reactions: Reactions,
    /// Number of draws from each random stream: first the purposes, then one for each pile.
    pub counts: Range<usize>,
    /// Word of the first token's pile (0: in no zone, otherwise pile + 1).
    pub token_pile: usize,
    /// Word of the first token's face and witnesses: bit 0 is set if the token is face up, bit p if player p has seen
    /// it. The bits above ([`SEEN`]) are its exchange class, see `state/exchange.rs`.
    pub token_seen: usize,
}

impl Layout {
    /// Computes the layout of a game.
    #[must_use]
    pub fn new(d: &Declarations) -> Self {
        let players = usize::from(d.players.max).clamp(1, MAX_PLAYERS);
        let Tokens { tokens, backs, ranges } = Tokens::new(d, players);
        let grids: Vec<Geometry> = d.grids.values().map(Geometry::new).collect();
        let mut words = Words(word::END);
        let piles_of_zones = d.zones.values().map(|zone| holders(zone, players).1).sum::<usize>();
        let counts = words.take(PURPOSES + piles_of_zones);
        let counts = counts..words.0;
        let options = words.take(d.read_options.len());
        let current = words.take(d.current.len() * tokens.len());
        let token_pile = words.take(tokens.len());
        let token_seen = words.take(tokens.len());
        let counters: Vec<CounterSlot> = d
            .counters
            .values()
            .map(|counter| {
                let (first, len, grid) = match counter.per {
                    Holder::Game => (0, 1, None),
                    Holder::Player => (1, players, None),
                    Holder::Token(kind) => {
                        // The tokens of the kind, followed by those of kinds like it.
                        let like = (0..d.kinds.len()).filter(|&other| d.is_of(Holder::Token(kind), other));
                        (ranges[kind].0 as i32 + 1, like.map(|kind| ranges[kind].1).sum(), None)
                    }
                    Holder::Cell(grid) => {
                        let per_player = d.grids[grid].per == Holder::Player;
                        (1, grids[grid].places() * if per_player { players } else { 1 }, Some(grid))
                    }
                };
                let places = grid.map_or(0, |grid| grids[grid].places());
                CounterSlot { offset: words.take(len), first, len, grid, places }
            })
            .collect();
        let named = d.counters.values().zip(&counters).filter(|(counter, _)| counter.means == Domain::Token);
        let naming = named.map(|(_, slot)| slot.offset..slot.offset + slot.len).collect();
        let told = d.counters.values().zip(&counters);
        let told = told.filter_map(|(counter, slot)| Some(ToldColumn::new(counter.tells.as_ref()?, slot, &tokens)));
        let told = told.collect();
        let mut piles = Vec::new();
        let zones: Vec<ZoneSlot> =
            (0..d.zones.len()).map(|zone| lay_zone(d, zone, players, &tokens, &mut words, &mut piles)).collect();
        let columns_of = |kind: usize| {
            let of_all = [token_pile, token_seen].map(|offset| Column { offset, first: 1 });
            let own = d.counters.values().zip(&counters).filter(|(counter, _)| d.is_of(counter.per, kind));
            of_all.into_iter().chain(own.map(|(_, slot)| Column { offset: slot.offset, first: slot.first })).collect()
        };
        let Words(words) = words;
        Self {
            words,
            players,
            counter_words: token_seen + tokens.len()..zones.first().map_or(words, |zone| zone.offset),
            columns: (0..d.kinds.len()).map(columns_of).collect(),
            told,
            naming,
            zones,
            piles,
            grids,
            phases: d.phases.keys().map(|name| key_of(&["phase", name])).collect(),
            current_words: current..token_pile,
            reactions: Reactions::new(
                d,
                &tokens.iter().map(|token| (token.definition, token.kind)).collect::<Vec<_>>(),
                &counters.iter().map(CounterSlot::token_words).collect::<Vec<_>>(),
                current,
                options,
            ),
            counters,
            counts,
            token_pile,
            token_seen,
            tokens,
            backs,
        }
    }

    /// Whether a word only follows from others: current values of attributes, and the count of events.
    #[must_use]
    pub fn is_derived(&self, at: usize) -> bool {
        matches!(at, word::EVENTS | word::STALE) || self.current_words.contains(&at)
    }

    /// Copies a block of this layout over another one. Skips empty places of piles: they are 0 in every block, and
    /// most piles of a large game are empty.
    pub fn copy_over(&self, from: &[i32], into: &mut [i32]) {
        /// Average words of a pile above which reading the lengths is faster than copying everything.
        const LONG: usize = 24;
        let first = self.counter_words.end;
        if self.words - first < self.piles.len() * LONG {
            into.copy_from_slice(from);
            return;
        }
        into[..first].copy_from_slice(&from[..first]);
        for &Pile { offset, capacity, .. } in &self.piles {
            let len = from[offset].max(into[offset]);
            if len != 0 {
                let end = offset + 1 + (len.max(0) as usize).min(capacity);
                into[offset..end].copy_from_slice(&from[offset..end]);
            }
        }
    }

    /// The words that determine random draws: the seed, and the number of draws from each stream.
    pub fn chance(&self) -> impl Iterator<Item = usize> + use<> {
        (word::SEED_LOW..=word::SEED_HIGH).chain(self.counts.clone())
    }

    /// Word of a counter for a holder; `None`: the holder has no such counter.
    #[must_use]
    pub fn counter_word(&self, counter: usize, holder: i32) -> Option<usize> {
        let slot = self.counters.get(counter)?;
        let index = usize::try_from(holder.checked_sub(slot.first)?).ok()?;
        (index < slot.len).then_some(slot.offset + index)
    }

    /// Index of a holder's pile in a zone; `None`: the holder has none.
    #[must_use]
    pub fn pile(&self, zone: usize, holder: i32) -> Option<usize> {
        let slot = self.zones.get(zone)?;
        let index = usize::try_from(holder.checked_sub(slot.first)?).ok()?;
        (index < slot.len).then_some(slot.pile + index)
    }

    /// Index of the pile that a word belongs to. Piles follow the counters.
    #[must_use]
    pub fn pile_of_word(&self, at: usize) -> Option<usize> {
        if at < self.counter_words.end {
            return None;
        }
        let pile = self.piles.partition_point(|pile| pile.offset <= at).checked_sub(1)?;
        self.piles[pile].has_word(at).then_some(pile)
    }
}

/// Number of words allocated so far.
struct Words(usize);

impl Words {
    /// Allocates `n` words; returns the first.
    fn take(&mut self, n: usize) -> usize {
        self.0 += n;
        self.0 - n
    }
}

/// The tokens of a game, numbered.
struct Tokens {
    tokens: Vec<TokenInfo>,
    backs: Vec<Back>,
    /// For each kind, the index of its first token, and their number.
    ranges: Vec<(usize, usize)>,
}

impl Tokens {
    fn new(d: &Declarations, players: usize) -> Self {
        let mut all = Self { tokens: Vec::new(), backs: Vec::new(), ranges: vec![(0, 0); d.kinds.len()] };
        for kind in kinds_in_order(d) {
            let declared = &d.kinds[kind];
            let first = all.tokens.len();
            let owners = if declared.per == Holder::Player { 1..=players as i32 } else { 0..=0 };
            for owner in owners.filter(|_| declared.tokens) {
                all.add_set(d, kind, owner);
            }
            all.ranges[kind] = (first, all.tokens.len() - first);
        }
        all
    }

    /// Adds the tokens of a kind for one owner, a player or the game (0).
    fn add_set(&mut self, d: &Declarations, kind: usize, owner: i32) {
        let declared = &d.kinds[kind];
        let (back, before) = (self.backs.len(), self.tokens.len());
        for definition in declared.first..declared.first + declared.len {
            let set = member(key_of(&["token", &d.kinds.keys()[kind], &d.definitions[definition].id]), owner as u64);
            let copies = 0..u64::from(d.definitions[definition].copies);
            let token = |copy| TokenInfo { definition, kind, owner, back, key: member(set, copy) };
            self.tokens.extend(copies.map(token));
        }
        let unplaced = declared.zone.is_none();
        self.backs.push(Back { first: before as i32 + 1, len: self.tokens.len() - before, unplaced });
    }
}

/// The first holder of a zone, and the number of holders.
fn holders(zone: &Zone, players: usize) -> (i32, usize) {
    if zone.per == Holder::Player { (1, players) } else { (0, 1) }
}

/// Allocates the words of a zone, and adds its piles.
fn lay_zone(
    d: &Declarations,
    zone: usize,
    players: usize,
    tokens: &[TokenInfo],
    words: &mut Words,
    piles: &mut Vec<Pile>,
) -> ZoneSlot {
    let (name, declared) = (&d.zones.keys()[zone], &d.zones[zone]);
    let (first, len) = holders(declared, players);
    let held = |t: &&TokenInfo| declared.holds.contains(&t.kind) && (first == 0 || t.owner == 0 || t.owner == first);
    let all = tokens.iter().filter(held).count();
    let capacity = declared.size.map_or(all, |size| all.min(usize::from(size)));
    // The contents of an internal zone follow from public facts.
    let visible = if declared.internal { Visibility::Public } else { declared.visible };
    let slot = ZoneSlot { offset: words.take(len * (capacity + 1)), capacity, first, len, pile: piles.len() };
    let key = key_of(&["zone", name]);
    for i in 0..len {
        let (offset, holder) = (slot.offset + i * (capacity + 1), first + i as i32);
        let (open_looks, key) = (declared.open_looks, member(key, holder as u64));
        piles.push(Pile { zone, holder, offset, capacity, visible, open_looks, key });
    }
    slot
}

/// The kinds, each followed by the kinds like it, so that tokens that share a counter have consecutive numbers.
fn kinds_in_order(d: &Declarations) -> Vec<usize> {
    let mut order = Vec::with_capacity(d.kinds.len());
    let mut open: Vec<usize> = (0..d.kinds.len()).rev().filter(|&kind| d.kinds[kind].like.is_none()).collect();
    while let Some(kind) = open.pop() {
        order.push(kind);
        open.extend((0..d.kinds.len()).rev().filter(|&other| d.kinds[other].like == Some(kind)));
    }
    order
}
