//! Observations: everything that one seat may know of a position, as plain data by names.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::by_name::ByName;
use super::current::are_public;
use super::sight::{Sight, TokenSight};
use super::watched::{Place, Supplies, watched};
use crate::state::layout::{MAX_PLAYERS, flag, word};
use motherlode_content::declare::{AttributeType, Counter, Domain, Holder, Only, OptionValue, Visibility, Zone};

/// Shown for the value 0 of a counter that means a cell or a token.
const NONE: &str = "none";

/// A position as one seat sees it, or the whole position. In JSON, `null` is hidden from the seat. Items that do not
/// exist in the setup (`players` and `only` of counters, zones and grids) are absent for everybody; internal items
/// are absent for every seat.
///
/// ```
/// # use motherlode::Match;
/// fn round(m: &Match, seat: u8) -> i32 {
///     m.observe(Some(seat)).round
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// The observing seat, from 0; `None`: an observer who sees everything.
    pub seat: Option<u8>,
    /// Round, from 1; 0 in setup.
    pub round: i32,
    /// Id of the phase.
    pub phase: String,
    /// Seat whose turn it is, from 0; `None`: no seat, or every seat in a sealed phase.
    pub player: Option<u8>,
    /// Turn order and progress of the phase.
    pub turns: TurnsView,
    /// Counters of the game.
    pub game: ByName<CounterView>,
    /// The seats at the table.
    pub players: Vec<SeatView>,
    /// Zones of the game.
    pub zones: ByName<ZoneView>,
    /// Counters of the tokens that the seat identifies, by token number. A token in no zone appears only if a counter
    /// has changed since the start.
    pub tokens: IndexMap<i32, ByName<CounterView>>,
    /// Attributes of these tokens whose current value is not the printed one, by token number; omitted if empty. A game
    /// with a modifier that depends on hidden facts has none.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub current: IndexMap<i32, ByName<AttributeView>>,
    /// Definition ids of the tokens that have left the game; omitted if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
    /// Numbers of tokens that have not come into play, by kind (`cards`) or, if every player has a set, by kind and
    /// player (`cards.2`); omitted if empty.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub supply: IndexMap<String, usize>,
    /// Hidden tokens that the table has watched; omitted if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub watched: Vec<WatchedView>,
    /// The number of steps in a whole, for each counter that counts fractions: with 2, a value of 7 is 3½; omitted if
    /// empty.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub units: IndexMap<String, i32>,
    /// Boards.
    pub grids: IndexMap<String, GridView>,
}

/// Turn order and progress of a phase, which are public.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnsView {
    /// Seats in turn order.
    pub order: Vec<u8>,
    /// Index of the present turn in that order.
    pub at: i32,
    /// Seats that have passed; omitted if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed: Vec<u8>,
    /// Number of times the phase has been repeated; omitted if 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repeated: i32,
    /// Turns in a row without a question; omitted if 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub idle: i32,
    /// The seat that begins the next phase instead of the first in turn order; omitted if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u8>,
    /// Whether a script has requested the end of the game after this round; omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub last: bool,
}

/// Hidden tokens that the table has watched: it knows that these tokens are at these places, in some order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchedView {
    /// Definition ids.
    pub tokens: Vec<String>,
    /// Places: `deck#3` is the third from the bottom, `hand.2#1` the lowest in the hand of player 2, `hand.2` some
    /// place of a hand that was sorted, `bag` some place of a zone that the seat cannot count, `?` some place of any
    /// such zone, and `-` no zone.
    pub places: Vec<String>,
}

fn is_zero(number: &i32) -> bool {
    *number == 0
}

/// The current value of an attribute: a number, or `true` or `false`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AttributeView {
    /// Of a switch.
    Switch(bool),
    /// Of a number.
    Number(i32),
}

/// The value of a counter: `null`, a number, or a name if the counter is enumerated or means a cell or a token.
/// `{"seat":1}` is a player: the value if the counter means a player, is the `first` of a phase, or stores the answer
/// to a question for players; `{"seat":null}` is no player. A token that the seat cannot identify is named by its
/// place (`hand.2#1`). A list of names holds the values that statements about a token leave open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
// `deny_unknown_fields`: in JSON, the members of a family are a table, too.
#[serde(untagged, deny_unknown_fields)]
pub enum CounterView {
    /// Hidden from the seat.
    Hidden,
    /// Its value.
    Number(i32),
    /// The name of its value.
    Name(String),
    /// The player that the value means.
    Player {
        /// The player's seat, from 0; `None`: no player.
        seat: Option<u8>,
    },
    /// The values that statements about a token leave open.
    Open(Vec<String>),
}

/// One seat at the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatView {
    /// Number of the seat, from 0.
    pub seat: u8,
    /// Its declared name.
    pub name: String,
    /// Whether the seat is still in the game.
    #[serde(rename = "in")]
    pub is_in: bool,
    /// Its counters.
    pub counters: ByName<CounterView>,
    /// Its zones.
    pub zones: ByName<ZoneView>,
}

/// One holder's part of a zone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneView {
    /// Number of tokens; `None`: hidden from the seat.
    pub count: Option<usize>,
    /// Definition ids from the bottom, `None` for a token that the seat cannot identify; empty without a count.
    pub tokens: Vec<Option<String>>,
    /// Numbers of the tokens whose kind has counters of its own (keys of [`Observation::tokens`]); omitted if there
    /// is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<Option<i32>>,
    /// Whether each token is face up. Present in zones with faces, and in others if the seat sees faces and one is
    /// up; otherwise omitted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub up: Vec<bool>,
    /// The backs of the tokens that the seat cannot identify, `None` for the others: their kind (`cards`) or, if
    /// every player has a set, their kind and player (`cards.2`). Omitted if all have the usual back: the zone's only
    /// kind and, in a zone of a player, the player's own set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub backs: Vec<Option<String>>,
    /// For each token, the seats to which it was shown, as far as the seat knows: itself and, in a zone with open
    /// looks, the others. Omitted if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<Vec<u8>>,
    /// Public counters of tokens that the seat cannot identify, by place from 1 at the bottom; only those changed
    /// since the start. Omitted if empty.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub marks: IndexMap<String, ByName<CounterView>>,
    /// If the seat cannot count the zone: definition ids of the tokens that it knows to be here. Omitted if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<String>,
}

/// A board: one, or one for each seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GridView {
    /// The board of the game.
    One(BoardView),
    /// The boards of the seats at the table.
    Each(Vec<BoardView>),
}

/// One board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardView {
    /// Counters of every cell by the cell's name, row by row, without holes.
    pub cells: IndexMap<String, ByName<CounterView>>,
}

impl Observation {
    /// The observation of this sight in a setup with these options. `player` is the seat whose turn it is, or `None`
    /// in a sealed phase, where it is secret who has answered already.
    #[must_use]
    pub(crate) fn new(sight: &Sight<'_>, options: &IndexMap<String, OptionValue>, player: Option<u8>) -> Self {
        let declared = sight.declared;
        let shown = &ObservationBuilder { sight, options };
        let phase = usize::try_from(sight.words[word::PHASE]).ok();
        let phase = phase.and_then(|phase| declared.phases.get_index(phase)).map(|(id, _)| id.clone());
        Self {
            seat: sight.seat,
            round: sight.words[word::ROUND],
            phase: phase.unwrap_or_default(),
            player,
            turns: TurnsView::new(sight),
            game: shown.counters(|per| per == Holder::Game, 0),
            players: (1..=sight.players()).map(|player| SeatView::new(shown, player)).collect(),
            zones: shown.zones(Holder::Game, 0),
            tokens: shown.tokens(),
            current: shown.current(),
            gone: shown.gone(),
            supply: shown.supply(),
            watched: watched(sight).iter().map(|one| shown.watched(&one.tokens, &one.places)).collect(),
            units: shown.units(),
            grids: (declared.grids.iter().enumerate())
                .filter(|(_, (_, grid))| shown.exists(&grid.only))
                .map(|(grid, (name, _))| (name.clone(), GridView::new(shown, grid)))
                .collect(),
        }
    }
}

impl ZoneView {
    /// The observation of one zone (its index) of a holder in a setup with these options; `None`: the setup has no
    /// such zone.
    pub(crate) fn of(
        sight: &Sight<'_>,
        options: &IndexMap<String, OptionValue>,
        zone: usize,
        holder: i32,
    ) -> Option<Self> {
        let shown = ObservationBuilder { sight, options };
        let declared = sight.declared.zones.get_index(zone).map(|(_, zone)| zone)?;
        let is_there = holder <= sight.players() && sight.layout.pile(zone, holder).is_some();
        (is_there && shown.has_zone(declared)).then(|| Self::new(&shown, zone, holder))
    }
}

/// Builds the observation of a position in a setup.
struct ObservationBuilder<'a> {
    sight: &'a Sight<'a>,
    options: &'a IndexMap<String, OptionValue>,
}

impl ObservationBuilder<'_> {
    fn exists(&self, only: &Only) -> bool {
        only.holds(u8::try_from(self.sight.players()).unwrap_or(u8::MAX), self.options)
    }

    /// Whether the observer gets internal items: only an observer who sees everything does.
    fn shows(&self, internal: bool) -> bool {
        !internal || self.sight.seat.is_none()
    }

    /// The counters of a holder, selected by `is_of`.
    fn counters(&self, is_of: impl Fn(Holder) -> bool, holder: i32) -> ByName<CounterView> {
        let declared = self.sight.declared.counters.iter().enumerate();
        let of_holder = declared.filter(|(_, (_, counter))| {
            is_of(counter.per) && self.shows(counter.internal) && self.exists(&counter.only)
        });
        of_holder.map(|(index, (name, counter))| (name.clone(), self.counter(index, counter, holder))).collect()
    }

    fn units(&self) -> IndexMap<String, i32> {
        let fractions = self.sight.declared.counters.iter().filter(|(_, counter)| counter.unit > 0);
        let shown = fractions.filter(|(_, counter)| self.shows(counter.internal) && self.exists(&counter.only));
        shown.map(|(name, counter)| (name.clone(), counter.unit)).collect()
    }

    fn counter(&self, index: usize, declared: &Counter, holder: i32) -> CounterView {
        match self.sight.counter(index, holder) {
            Some(value) if self.sight.sees_counter(index, holder) => CounterView::new(self.sight, declared, value),
            _ => CounterView::Hidden,
        }
    }

    /// Whether a zone exists in this setup and is visible to the seat.
    fn has_zone(&self, zone: &Zone) -> bool {
        self.shows(zone.internal) && self.exists(&zone.only)
    }

    fn zones(&self, per: Holder, holder: i32) -> ByName<ZoneView> {
        let declared = self.sight.declared.zones.iter().enumerate();
        let of_holder = declared.filter(|(_, (_, zone))| zone.per == per && self.has_zone(zone));
        of_holder.map(|(index, (name, _))| (name.clone(), ZoneView::new(self, index, holder))).collect()
    }

    fn tokens(&self) -> IndexMap<i32, ByName<CounterView>> {
        let Self { sight, .. } = *self;
        let supplies = Supplies::new(sight);
        let mut views = IndexMap::new();
        for (token, info) in (1..).zip(&sight.layout.tokens) {
            let is_shown = match sight.pile_of(token) {
                Some(pile) => self.exists(&sight.declared.zones[sight.layout.piles[pile].zone].only),
                None => self.is_changed(token) && !supplies.mix(sight, token),
            };
            if is_shown && sight.identifies(token) && has_counters(sight, info.kind) {
                views.insert(token, self.counters(|per| sight.declared.is_of(per, info.kind), token));
            }
        }
        views
    }

    fn current(&self) -> IndexMap<i32, ByName<AttributeView>> {
        let Self { sight, .. } = *self;
        let (d, position) = (sight.declared, sight.position());
        if !sight.layout.reactions.has_current() || !are_public(d) {
            return IndexMap::new();
        }
        let seen = |token: &i32| {
            let zone = position.pile_of(*token).and_then(|pile| d.zones.get_index(sight.layout.piles[pile].zone));
            zone.is_some_and(|(_, zone)| self.has_zone(zone)) && sight.identifies(*token)
        };
        let value = |(attribute, value): (usize, i32)| {
            let (name, _) = d.read_attributes.get_index(attribute)?;
            let mut kinds = d.kinds.values().filter_map(|kind| kind.attributes.get(name.as_str()));
            let is_switch = kinds.any(|attribute| attribute.of == AttributeType::Boolean);
            let view = if is_switch { AttributeView::Switch(value != 0) } else { AttributeView::Number(value) };
            Some((name.clone(), view))
        };
        let of_token = |token: i32| (token, position.changed_attributes(d, token).filter_map(value).collect());
        let all = (1..=sight.layout.tokens.len() as i32).filter(seen).map(of_token);
        all.filter(|(_, values): &(i32, ByName<AttributeView>)| !values.is_empty()).collect()
    }

    /// Whether a counter of a token that the seat sees has changed since the start.
    fn is_changed(&self, token: i32) -> bool {
        !self.marks(token, |_| true).is_empty()
    }

    /// The counters of a token that the seat sees and that have changed since the start.
    fn marks(&self, token: i32, is_wanted: impl Fn(&Counter) -> bool) -> ByName<CounterView> {
        let Self { sight, options } = *self;
        let kind = sight.layout.tokens[token as usize - 1].kind;
        let of_token = sight.declared.counters.iter().enumerate().filter(|(index, (_, counter))| {
            matches!(counter.per, Holder::Token(_))
                && sight.declared.is_of(counter.per, kind)
                && self.shows(counter.internal)
                && self.exists(&counter.only)
                && is_wanted(counter)
                && sight.sees_counter(*index, token)
                && sight.counter(*index, token) != Some(counter.starts_at(options))
        });
        of_token.map(|(index, (name, counter))| (name.clone(), self.counter(index, counter, token))).collect()
    }

    /// The tokens that take part in the match and are in no zone.
    fn nowhere(&self) -> impl Iterator<Item = i32> {
        let position = self.sight.position();
        let tokens = 1..=position.layout.tokens.len() as i32;
        tokens.filter(move |&token| position.takes_part(token) && position.pile_of(token).is_none())
    }

    fn gone(&self) -> Vec<String> {
        let layout = self.sight.layout;
        let gone = self.nowhere().filter(|&token| !layout.backs[layout.tokens[token as usize - 1].back].unplaced);
        gone.map(|token| self.id(token)).collect()
    }

    fn supply(&self) -> IndexMap<String, usize> {
        let layout = self.sight.layout;
        let mut supply = IndexMap::new();
        for token in self.nowhere().filter(|&token| layout.backs[layout.tokens[token as usize - 1].back].unplaced) {
            *supply.entry(back_name(self.sight, token)).or_default() += 1;
        }
        supply
    }

    fn id(&self, token: i32) -> String {
        let definition = self.sight.layout.tokens[token as usize - 1].definition;
        self.sight.declared.definitions[definition].id.clone()
    }

    fn watched(&self, tokens: &[i32], places: &[Place]) -> WatchedView {
        let tokens = tokens.iter().map(|&token| self.id(token)).collect();
        let name = |place: &Place| match *place {
            Place::Nowhere => "-".to_owned(),
            Place::Uncounted => "?".to_owned(),
            Place::In(pile) => self.sight.place_name(pile, None),
            Place::At(pile, index) => self.sight.place_name(pile, Some(index)),
        };
        WatchedView { tokens, places: places.iter().map(name).collect() }
    }
}

/// The name of a token's back: its kind or, if every player has a set, its kind and player.
fn back_name(sight: &Sight<'_>, token: i32) -> String {
    let info = sight.layout.tokens[token as usize - 1];
    let kind = &sight.declared.kinds.keys()[info.kind];
    if info.owner == 0 { kind.clone() } else { format!("{kind}.{}", info.owner) }
}

/// Seats from 0 of the players whose bits are set, player p at bit p.
fn seats_of(bits: i32) -> Vec<u8> {
    (0..MAX_PLAYERS as u8).filter(|seat| bits >> (seat + 1) & 1 == 1).collect()
}

impl TurnsView {
    fn new(sight: &Sight<'_>) -> Self {
        let words = sight.words;
        let seat = |player: i32| u8::try_from(player - 1).ok();
        let len = (words[word::ORDER_LEN].max(0) as usize).min(MAX_PLAYERS);
        Self {
            order: words[word::ORDER..word::ORDER + len].iter().filter_map(|&player| seat(player)).collect(),
            at: words[word::TURN],
            passed: seats_of(words[word::PASSED] << 1),
            repeated: words[word::TIMES],
            idle: words[word::IDLE],
            next: seat(words[word::BEGIN]),
            last: words[word::FLAGS] & flag::END_AFTER_ROUND != 0,
        }
    }
}

impl SeatView {
    fn new(shown: &ObservationBuilder<'_>, player: i32) -> Self {
        let sight = shown.sight;
        let seat = u8::try_from(player - 1).unwrap_or(0);
        Self {
            seat,
            name: sight.declared.seats.get(usize::from(seat)).map(|seat| seat.name.clone()).unwrap_or_default(),
            is_in: sight.words[word::OUT] >> seat & 1 == 0,
            counters: shown.counters(|per| per == Holder::Player, player),
            zones: shown.zones(Holder::Player, player),
        }
    }
}

impl CounterView {
    /// A value of a counter that the seat sees, by name if it has names.
    #[must_use]
    pub fn new(sight: &Sight<'_>, declared: &Counter, value: i32) -> Self {
        if let Some(statements) = &declared.tells {
            return Self::Open(statements.open(value).cloned().collect());
        }
        let thing = || usize::try_from(value).ok().and_then(|value| value.checked_sub(1));
        let named = match declared.means {
            Domain::Player => {
                let seat = thing().and_then(|seat| u8::try_from(seat).ok());
                let seat = seat.filter(|&seat| i32::from(seat) < sight.players());
                return Self::Player { seat };
            }
            Domain::Cell(_) | Domain::Token if value == 0 => Some(NONE.to_owned()),
            Domain::Cell(grid) => thing().map(|index| {
                let geometry = &sight.layout.grids[grid];
                let (places, name) = (geometry.places().max(1), |index: usize| geometry.name(index));
                if sight.declared.grids[grid].per == Holder::Player {
                    format!("{}@{}", name(index % places), index / places + 1)
                } else {
                    name(index % places).to_owned()
                }
            }),
            // The token's number would identify it.
            Domain::Token if !sight.identifies(value) => match sight.shown(value) {
                TokenSight::Place { pile, place } => Some(sight.place_name(pile, Some(place))),
                _ => return Self::Hidden,
            },
            Domain::Token => thing().and_then(|index| sight.layout.tokens.get(index)).map(|info| {
                let definition = sight.declared.definitions.get(info.definition);
                definition.map(|definition| definition.id.clone()).unwrap_or_default()
            }),
            Domain::Number | Domain::Definition(_) => {
                usize::try_from(value).ok().and_then(|value| declared.values.get(value)).cloned()
            }
        };
        named.map_or(Self::Number(value), Self::Name)
    }
}

impl ZoneView {
    fn new(shown: &ObservationBuilder<'_>, zone: usize, holder: i32) -> Self {
        let sight = shown.sight;
        let Some(pile) = sight.layout.pile(zone, holder) else { return Self::default() };
        let list = sight.tokens(pile);
        if !sight.counts(pile) {
            let known = sight.identified(pile).into_iter().map(|token| shown.id(token)).collect();
            return Self { known, ..Self::default() };
        }
        let identified = |token: &&i32| sight.identifies(**token);
        let kind = |token: i32| sight.layout.tokens[token as usize - 1].kind;
        let number = |token: &i32| Some(*token).filter(|token| identified(&token) && has_counters(sight, kind(*token)));
        let seen: Vec<i32> = list.iter().map(|&token| sight.known_seen(token)).collect();
        let faces = sight.declared.zones[zone].visible == Visibility::Face || seen.iter().any(|seen| seen & 1 == 1);
        let usual = usual_back(sight, pile);
        let is_unusual =
            |token: &i32| !identified(&token) && Some(sight.layout.tokens[*token as usize - 1].back) != usual;
        let back = |token: &i32| (!identified(&token)).then(|| back_name(sight, *token));
        let marks = |(place, token): (u32, &i32)| {
            let marks = shown.marks(*token, |counter| counter.visible == Visibility::Public);
            (!identified(&token) && !marks.is_empty()).then(|| (place.to_string(), marks))
        };
        let numbers: Vec<Option<i32>> = list.iter().map(number).collect();
        let witnesses: Vec<Vec<u8>> = seen.iter().map(|&seen| seats_of(seen)).collect();
        Self {
            count: Some(list.len()),
            tokens: list.iter().map(|token| identified(&token).then(|| shown.id(*token))).collect(),
            numbers: if numbers.iter().any(Option::is_some) { numbers } else { Vec::new() },
            up: if faces { seen.iter().map(|seen| seen & 1 == 1).collect() } else { Vec::new() },
            backs: if list.iter().any(is_unusual) { list.iter().map(back).collect() } else { Vec::new() },
            shown: if witnesses.iter().all(Vec::is_empty) { Vec::new() } else { witnesses },
            marks: (1..).zip(list).filter_map(marks).collect(),
            known: Vec::new(),
        }
    }
}

/// The usual back in a pile: its only kind and, in a pile of a player, the player's own set.
fn usual_back(sight: &Sight<'_>, pile: usize) -> Option<usize> {
    let pile = sight.layout.piles[pile];
    let &[kind] = sight.declared.zones[pile.zone].holds.as_slice() else { return None };
    let of_kind = sight.layout.tokens.iter().filter(|info| info.kind == kind);
    of_kind.filter(|info| info.owner == 0 || info.owner == pile.holder).map(|info| info.back).next()
}

impl GridView {
    fn new(shown: &ObservationBuilder<'_>, grid: usize) -> Self {
        let sight = shown.sight;
        let board = |copy: i32| BoardView {
            cells: (sight.cells(grid, copy))
                .map(|(holder, cell)| {
                    let name = sight.layout.grids[grid].name(cell).to_owned();
                    (name, shown.counters(|per| per == Holder::Cell(grid), holder))
                })
                .collect(),
        };
        if sight.declared.grids[grid].per == Holder::Player {
            Self::Each((0..sight.players()).map(board).collect())
        } else {
            Self::One(board(0))
        }
    }
}

fn has_counters(sight: &Sight<'_>, kind: usize) -> bool {
    let shown = |internal: bool| !internal || sight.seat.is_none();
    sight.layout.reactions.has_current()
        || sight
            .declared
            .counters
            .values()
            .any(|counter| shown(counter.internal) && sight.declared.is_of(counter.per, kind))
}

#[cfg(test)]
mod tests;
