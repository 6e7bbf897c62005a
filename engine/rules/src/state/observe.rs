//! What one seat may know of a position, as plain data by names.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::by_name::ByName;
use super::sight::{Shown as Sighted, Sight};
use super::watched::{Place, Supplies, watched};
use crate::state::layout::{MAX_PLAYERS, flag, word};
use motherlode_content::declare::{Counter, Domain, Holder, Only, OptionValue, Visibility, Zone};

/// Shown for a value 0 that would otherwise be the number of a cell or a token.
const NONE: &str = "none";

/// A position as one seat sees it, or the whole of it. In JSON, `null` is what the seat cannot see; what does not exist in the
/// setup (`players` and `only` of counters, zones and grids) is absent for everybody, and what is internal for every seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// Who sees this, from 0; `None`: somebody who sees everything.
    pub seat: Option<u8>,
    /// Round, from 1; 0 in setup.
    pub round: i32,
    /// Id of the phase.
    pub phase: String,
    /// Seat whose turn it is, from 0; `None` when nobody's or, in a sealed phase, everybody's.
    pub player: Option<u8>,
    /// Turn order and course of the phase.
    pub turns: TurnsView,
    /// Counters of the game.
    pub game: ByName<CounterView>,
    /// The seats at the table.
    pub players: Vec<SeatView>,
    /// Zones of the game.
    pub zones: ByName<ZoneView>,
    /// Counters of the tokens that the seat identifies, by the token's number. A token in no zone is among them only if a counter of it
    /// is not as at the start.
    pub tokens: IndexMap<i32, ByName<CounterView>>,
    /// Definition ids of the tokens that have left the game; left out when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
    /// Numbers of tokens that have not come into play, by kind (`cards`) or, if every player has a set, by kind and player
    /// (`cards.2`); left out when there are none.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub supply: IndexMap<String, usize>,
    /// Hidden tokens that the table has watched; left out when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub watched: Vec<WatchedView>,
    /// Boards.
    pub grids: IndexMap<String, GridView>,
}

/// Turn order and course of a phase, as everybody at the table knows them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnsView {
    /// Seats in turn order.
    pub order: Vec<u8>,
    /// Index of the present turn in that order.
    pub at: i32,
    /// Seats that have passed; left out when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed: Vec<u8>,
    /// How many times the phase has been played in a row before; left out when 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repeated: i32,
    /// Turns in a row without a question; left out when 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub idle: i32,
    /// The seat that begins the next phase in place of the first in turn order; left out when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u8>,
    /// Whether the game ends after this round by request of a script; left out when it does not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub last: bool,
}

/// Hidden tokens that the table has watched: it knows that these tokens have these places, in any order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchedView {
    /// Definition ids.
    pub tokens: Vec<String>,
    /// Places: `deck#3` is the third from the bottom, `hand.2#1` the lowest in the hand of player 2, `bag` any place of a zone whose
    /// tokens the seat cannot count, `?` any place of any such zone, and `-` no zone.
    pub places: Vec<String>,
}

fn is_zero(number: &i32) -> bool {
    *number == 0
}

/// The value of a counter: `null`, a number, a name if it is enumerated or means a cell or a token, or `{"seat":1}` if it means a
/// player: it says so, is the `first` of a phase, or stores the answer to a question for players. `{"seat":null}` means none. A token
/// that the seat cannot identify is named by its place (`hand.2#1`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
// Members of a family stand in a table, too.
#[serde(untagged, deny_unknown_fields)]
pub enum CounterView {
    /// The seat cannot see it.
    Hidden,
    /// Its value.
    Number(i32),
    /// The name of its value.
    Name(String),
    /// The player that its value means.
    Player {
        /// The player's seat, from 0; `None`: nobody.
        seat: Option<u8>,
    },
}

/// One seat at the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatView {
    /// Number of the seat, from 0.
    pub seat: u8,
    /// Its declared name.
    pub name: String,
    /// Whether it is still in the game.
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
    /// How many tokens there are; `None`: the seat cannot see that.
    pub count: Option<usize>,
    /// Definition ids from the bottom, `None` for a token that the seat cannot identify; empty without a count.
    pub tokens: Vec<Option<String>>,
    /// Numbers of those tokens whose kind has counters of its own (keys of [`Observation::tokens`]); left out when
    /// there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<Option<i32>>,
    /// Whether each token lies face up: in a zone where faces count, and in any other whose faces the seat sees, if one is up. Otherwise left
    /// out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub up: Vec<bool>,
    /// The backs of the tokens that the seat cannot identify, `None` for the others: their kind (`cards`) or, if every player has a set,
    /// their kind and player (`cards.2`). Left out when all have the only back that belongs here: that of the one kind, in the zone of a
    /// player that of the player's own set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub backs: Vec<Option<String>>,
    /// For each token the seats to which it was shown, as far as the seat knows: itself and, in a zone with open looks, the others. Left
    /// out when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<Vec<u8>>,
    /// Public counters of tokens that the seat cannot identify, by place from 1 at the bottom; only those that are not as at the start.
    /// Left out when there are none.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub marks: IndexMap<String, ByName<CounterView>>,
    /// Where the seat cannot count: definition ids of the tokens that it knows to be here. Left out when there are none.
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
    /// What this sight shows in a setup with these options. `player` is the seat whose turn it is, or `None` in a sealed
    /// phase: who has answered already is nobody's business.
    #[must_use]
    pub(crate) fn new(sight: &Sight<'_>, options: &IndexMap<String, OptionValue>, player: Option<u8>) -> Self {
        let declared = sight.declared;
        let shown = &Shown { sight, options };
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
            gone: shown.gone(),
            supply: shown.supply(),
            watched: watched(sight).iter().map(|one| shown.watched(&one.tokens, &one.places)).collect(),
            grids: (declared.grids.iter().enumerate())
                .filter(|(_, (_, grid))| shown.exists(&grid.only))
                .map(|(grid, (name, _))| (name.clone(), GridView::new(shown, grid)))
                .collect(),
        }
    }
}

impl ZoneView {
    /// What this sight shows of one zone (its index) of a holder in a setup with these options; `None`: there is no such zone.
    pub(crate) fn of(
        sight: &Sight<'_>,
        options: &IndexMap<String, OptionValue>,
        zone: usize,
        holder: i32,
    ) -> Option<Self> {
        let shown = Shown { sight, options };
        let declared = sight.declared.zones.get_index(zone).map(|(_, zone)| zone)?;
        let is_there = holder <= sight.players() && sight.layout.pile(zone, holder).is_some();
        (is_there && shown.has_zone(declared)).then(|| Self::new(&shown, zone, holder))
    }
}

/// A position as a seat sees it, in a setup.
struct Shown<'a> {
    sight: &'a Sight<'a>,
    options: &'a IndexMap<String, OptionValue>,
}

impl Shown<'_> {
    fn exists(&self, only: &Only) -> bool {
        only.holds(u8::try_from(self.sight.players()).unwrap_or(u8::MAX), self.options)
    }

    /// Whether a seat gets something internal: nobody but an onlooker who sees everything.
    fn shows(&self, internal: bool) -> bool {
        !internal || self.sight.seat.is_none()
    }

    /// The counters that a holder has: those for which `is_of` says so.
    fn counters(&self, is_of: impl Fn(Holder) -> bool, holder: i32) -> ByName<CounterView> {
        let declared = self.sight.declared.counters.iter().enumerate();
        let of_holder = declared.filter(|(_, (_, counter))| {
            is_of(counter.per) && self.shows(counter.internal) && self.exists(&counter.only)
        });
        of_holder.map(|(index, (name, counter))| (name.clone(), self.counter(index, counter, holder))).collect()
    }

    fn counter(&self, index: usize, declared: &Counter, holder: i32) -> CounterView {
        match self.sight.counter(index, holder) {
            Some(value) if self.sight.sees_counter(index, holder) => CounterView::new(self.sight, declared, value),
            _ => CounterView::Hidden,
        }
    }

    /// Whether this setup has a zone, and a seat gets it.
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

    /// Whether a counter of a token that the seat sees is not as at the start.
    fn is_changed(&self, token: i32) -> bool {
        !self.marks(token, |_| true).is_empty()
    }

    /// The counters of a token that the seat sees and that are not as at the start.
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

    /// The tokens that take part and lie in no zone.
    fn nowhere(&self) -> impl Iterator<Item = i32> {
        let Self { sight, .. } = *self;
        let players = sight.players();
        let takes_part = move |token: &i32| sight.layout.tokens[*token as usize - 1].owner <= players;
        let tokens = 1..=sight.layout.tokens.len() as i32;
        tokens.filter(takes_part).filter(|&token| sight.pile_of(token).is_none())
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
            Place::In(pile) => place_name(self.sight, pile, None),
            Place::At(pile, index) => place_name(self.sight, pile, Some(index)),
        };
        WatchedView { tokens, places: places.iter().map(name).collect() }
    }
}

/// `hand.2#3`; without an index, `hand.2`.
fn place_name(sight: &Sight<'_>, pile: usize, index: Option<usize>) -> String {
    let pile = sight.layout.piles[pile];
    let mut name = sight.declared.zones.keys()[pile.zone].clone();
    if pile.holder != 0 {
        name = format!("{name}.{}", pile.holder);
    }
    index.map_or(name.clone(), |index| format!("{name}#{}", index + 1))
}

/// What the back of a token says: its kind or, if every player has a set, its kind and player.
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
    fn new(shown: &Shown<'_>, player: i32) -> Self {
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
            // Its number would say which one it is.
            Domain::Token if !sight.identifies(value) => match sight.shown(value) {
                Sighted::Place { pile, place } => Some(place_name(sight, pile, Some(place))),
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
    fn new(shown: &Shown<'_>, zone: usize, holder: i32) -> Self {
        let sight = shown.sight;
        let Some(pile) = sight.layout.pile(zone, holder) else { return Self::default() };
        let list = sight.tokens(pile);
        if !sight.counts(pile) {
            let mut known: Vec<i32> = list.iter().copied().filter(|&token| sight.identifies(token)).collect();
            known.sort_unstable();
            return Self { known: known.into_iter().map(|token| shown.id(token)).collect(), ..Self::default() };
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

/// The only back that belongs in a pile: that of its one kind, in the pile of a player that of the player's own set.
fn usual_back(sight: &Sight<'_>, pile: usize) -> Option<usize> {
    let pile = sight.layout.piles[pile];
    let &[kind] = sight.declared.zones[pile.zone].holds.as_slice() else { return None };
    let of_kind = sight.layout.tokens.iter().filter(|info| info.kind == kind);
    of_kind.filter(|info| info.owner == 0 || info.owner == pile.holder).map(|info| info.back).next()
}

impl GridView {
    fn new(shown: &Shown<'_>, grid: usize) -> Self {
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
    sight.declared.counters.values().any(|counter| shown(counter.internal) && sight.declared.is_of(counter.per, kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::PositionMut;
    use crate::state::fixture::Table;
    use serde_json::{Value, json};

    fn seen(table: &Table, seat: Option<u8>) -> Value {
        let observation = Observation::new(&table.sight(seat), &table.options, Some(1));
        let json = serde_json::to_value(&observation).unwrap();
        assert_eq!(serde_json::from_value::<Observation>(json.clone()).unwrap(), observation);
        json
    }

    #[test]
    fn head_and_seats() {
        let mut table = Table::new(2);
        table.words[word::ROUND] = 3;
        table.words[word::PHASE] = 1;
        table.words[word::OUT] = 0b10;
        let json = seen(&table, Some(0));
        assert_eq!(json["seat"], 0);
        assert_eq!((&json["round"], &json["phase"], &json["player"]), (&json!(3), &json!("evening"), &json!(1)));
        assert_eq!(json["players"].as_array().unwrap().len(), 2);
        assert_eq!((&json["players"][1]["name"], &json["players"][1]["in"]), (&json!("Seat 2"), &json!(false)));
        assert_eq!((&json["players"][0]["seat"], &json["players"][0]["in"]), (&json!(0), &json!(true)));
        table.words[word::PHASE] = 99;
        assert_eq!(seen(&table, None)["phase"], "");
        table.words[word::PHASE] = -1;
        assert_eq!(seen(&table, None)["seat"], Value::Null);
    }

    #[test]
    fn counters_by_visibility() {
        let mut table = Table::new(2);
        table.set("gold", 1, 2);
        table.set("debt", 1, 3);
        table.set("omen", 0, 4);
        let counters = |seat| seen(&table, seat)["players"][0]["counters"].clone();
        assert_eq!(counters(Some(0)), json!({"gold": 2, "debt": 3, "plan": 0}));
        assert_eq!(counters(Some(1)), json!({"gold": 2, "debt": null, "plan": null}));
        assert_eq!(counters(None), counters(Some(0)));
        assert_eq!(seen(&table, Some(0))["game"], json!({"omen": null, "target": "none"}));
        assert_eq!(seen(&table, None)["game"], json!({"omen": 4, "target": "none"}));
    }

    #[test]
    fn zones_by_visibility() {
        let mut table = Table::new(2);
        for zone in ["hand", "vault"] {
            table.put("ace", zone, 1);
        }
        table.put("king", "pit", 0);
        table.put("jack", "row", 0);
        let of_game = |seat| seen(&table, seat)["zones"].clone();
        let of_player = |seat| seen(&table, seat)["players"][0]["zones"].clone();
        let deck = json!({"count": 2, "tokens": [null, null], "backs": ["cards", "cards"]});
        assert_eq!(of_game(Some(0))["deck"], deck, "the deck may hold figures, too");
        assert_eq!(of_game(None)["deck"], json!({"count": 2, "tokens": ["ace", "king"], "numbers": [3, 5]}));
        assert_eq!(of_game(Some(0))["pit"], json!({"count": null, "tokens": []}));
        assert_eq!(of_game(Some(0))["row"], json!({"count": 1, "tokens": ["jack"], "numbers": [6]}));
        assert_eq!(of_player(Some(0))["hand"], json!({"count": 1, "tokens": ["ace"], "numbers": [1]}));
        assert_eq!(of_player(Some(1))["hand"], json!({"count": 1, "tokens": [null], "backs": ["cards"]}));
        assert_eq!(of_player(Some(0))["vault"], json!({"count": 1, "tokens": ["ace"], "numbers": [2]}));
        assert_eq!(of_player(Some(1))["vault"], json!({"count": null, "tokens": []}));
        assert_eq!(of_player(None), of_player(Some(0)));
    }

    #[test]
    fn faces_and_witnesses() {
        let mut table = Table::new(2);
        for id in ["ace", "king", "jack"] {
            table.put(id, "table", 0);
        }
        table.see("ace", 1);
        table.see("king", 1 << 1);
        let row = |seat| seen(&table, seat)["zones"]["table"].clone();
        assert_eq!(row(Some(0))["tokens"], json!(["ace", "king", null]));
        assert_eq!(row(Some(1))["tokens"], json!(["ace", null, null]));
        assert_eq!(row(Some(1))["up"], json!([true, false, false]));
        table.move_to(table.first("king"), "hand", 2);
        let hand = |table: &Table| seen(table, Some(0))["players"][1]["zones"]["hand"]["tokens"].clone();
        assert_eq!(hand(&table), json!(["king"]), "a card once shown stays known");
        // A face counts in a zone of faces only.
        table.move_to(table.first("ace"), "hand", 2);
        assert_eq!(hand(&table), json!(["king", null]));
    }

    #[test]
    fn counters_of_tokens() {
        let mut table = Table::new(2);
        let ace = table.put("ace", "hand", 1);
        table.set("load", ace, 2);
        table.set("mark", ace, 1);
        assert_eq!(seen(&table, Some(0))["tokens"], json!({"1": {"load": 2, "mark": 1}}));
        let other = seen(&table, Some(1));
        assert_eq!(other["tokens"], json!({}));
        assert_eq!(other["players"][0]["zones"]["hand"]["marks"], json!({"1": {"load": 2}}), "everybody sees it there");
        table.set("target", 0, ace);
        assert_eq!(seen(&table, Some(0))["game"]["target"], "ace");
        assert_eq!(seen(&table, Some(1))["game"]["target"], "hand.1#1");
        table.move_to(ace, "row", 0);
        assert_eq!(seen(&table, Some(1))["tokens"], json!({"1": {"load": 2, "mark": null}}));
    }

    #[test]
    fn knowledge_of_hidden_tokens() {
        let mut table = Table::new(2);
        let (ace, king) = (table.put("ace", "row", 0), table.put("king", "hand", 1));
        let hand = table.layout.pile(table.declared.zones.get_index_of("hand").unwrap(), 2).unwrap();
        PositionMut::new(&table.layout, &mut table.words).carry(ace, hand, false, false);
        table.move_to(table.first("jack"), "pit", 0);
        table.see("jack", 1 << 1);
        table.see("king", 1 << 2);
        let json = seen(&table, Some(0));
        assert_eq!(json["watched"], json!([{"tokens": ["ace"], "places": ["hand.2#1"]}]));
        assert_eq!(json["zones"]["pit"], json!({"count": null, "tokens": [], "known": ["jack"]}));
        assert_eq!(json["players"][0]["zones"]["hand"].get("shown"), None, "who was shown it is not known");
        assert_eq!(seen(&table, Some(1))["players"][0]["zones"]["hand"]["shown"], json!([[1]]));
        let zone = table.declared.zones.get_index_of("hand").unwrap();
        table.layout.piles.iter_mut().filter(|pile| pile.zone == zone).for_each(|pile| pile.open_looks = true);
        assert_eq!(seen(&table, Some(0))["players"][0]["zones"]["hand"]["shown"], json!([[1]]));
        PositionMut::new(&table.layout, &mut table.words).lift(king);
        assert_eq!(seen(&table, Some(0))["supply"], json!({"cards": 1, "figures.1": 1, "figures.2": 1}));
        table.layout.backs[0].unplaced = false;
        assert_eq!(seen(&table, Some(0))["gone"], json!(["king"]));
    }

    #[test]
    fn turns() {
        let mut table = Table::new(3);
        table.words[word::ORDER..word::ORDER + 3].copy_from_slice(&[3, 1, 2]);
        table.words[word::ORDER_LEN] = 3;
        assert_eq!(seen(&table, Some(0))["turns"], json!({"order": [2, 0, 1], "at": 0}));
        table.words[word::PASSED] = 0b10;
        table.words[word::FLAGS] = flag::END_AFTER_ROUND;
        assert_eq!(seen(&table, Some(0))["turns"], json!({"order": [2, 0, 1], "at": 0, "passed": [1], "last": true}));
    }

    #[test]
    fn tokens_of_a_set_have_an_owner() {
        let mut table = Table::new(2);
        let mine = table.figure(1);
        table.move_to(mine, "row", 0);
        table.set("tired", mine, 1);
        let key = mine.to_string();
        assert_eq!(seen(&table, Some(0))["tokens"][&key], json!({"tired": 1}));
        assert_eq!(seen(&table, Some(1))["tokens"][&key], json!({"tired": null}));
    }

    #[test]
    fn boards() {
        let mut table = Table::new(2);
        table.set("ore", table.cell("board", "c1"), 1);
        table.set("trap", table.cell("board", "a1"), 1);
        table.set("seed", table.cell("garden", "b1") + 2, 1);
        let json = seen(&table, Some(0));
        let cells = json["grids"]["board"]["cells"].as_object().unwrap();
        assert_eq!(cells.keys().collect::<Vec<_>>(), ["a1", "c1", "a2", "b2", "c2"], "b1 is a hole");
        assert_eq!(cells["c1"], json!({"ore": "gold", "trap": null}));
        assert_eq!(seen(&table, None)["grids"]["board"]["cells"]["a1"], json!({"ore": "none", "trap": "snare"}));
        let garden = |seat| seen(&table, seat)["grids"]["garden"].clone();
        let hidden = json!({"cells": {"a1": {"seed": null}, "b1": {"seed": null}}});
        let second = json!({"cells": {"a1": {"seed": 0}, "b1": {"seed": 1}}});
        assert_eq!(garden(Some(1)), json!([hidden, second]));
        assert_eq!(garden(None).as_array().unwrap().len(), 2);
    }

    #[test]
    fn what_does_not_exist_in_a_setup_is_absent_for_everybody() {
        let mut table = Table::new(2);
        let ace = table.put("ace", "row", 0);
        table.declared.grids["garden"].only.players = vec![3];
        table.declared.counters["gold"].only.players = vec![2, 4];
        table.declared.counters["debt"].only.options = [("loans".to_owned(), vec![OptionValue::Bool(true)])].into();
        let expert = || vec![OptionValue::Name("hard".into()), OptionValue::Name("expert".into())];
        table.declared.zones["row"].only.options = [("level".to_owned(), expert())].into();
        table.options =
            [("loans".to_owned(), OptionValue::Bool(false)), ("level".to_owned(), OptionValue::Name("easy".into()))]
                .into();
        for seat in [None, Some(0), Some(1)] {
            let json = seen(&table, seat);
            assert_eq!(json["grids"].as_object().unwrap().keys().collect::<Vec<_>>(), ["board"]);
            let counters = json["players"][0]["counters"].as_object().unwrap();
            assert_eq!(counters.keys().collect::<Vec<_>>(), ["gold", "plan"]);
            assert!(json["zones"].get("row").is_none() && json["zones"].get("deck").is_some());
            assert!(json["tokens"].get(ace.to_string()).is_none(), "a token in a zone that does not exist");
        }
        table.options["level"] = OptionValue::Name("expert".into());
        table.options["loans"] = OptionValue::Bool(true);
        let json = seen(&table, Some(0));
        assert_eq!(json["zones"]["row"]["tokens"], json!(["ace"]));
        assert_eq!(json["players"][0]["counters"]["debt"], 0);
        assert!(json["tokens"].get(ace.to_string()).is_some());
    }

    #[test]
    fn a_counter_that_means_a_player_names_the_seat() {
        let mut table = Table::new(2);
        let index = |name: &str| table.declared.counters.get_index_of(name).unwrap();
        let (gold, debt) = (index("gold"), index("debt"));
        for counter in [gold, debt] {
            table.declared.counters[counter].means = Domain::Player;
        }
        table.set("gold", 1, 2);
        table.set("gold", 2, 3);
        table.set("debt", 1, 1);
        let counters = |seat, of: usize| seen(&table, seat)["players"][of]["counters"].clone();
        assert_eq!(counters(Some(0), 0), json!({"gold": {"seat": 1}, "debt": {"seat": 0}, "plan": 0}));
        assert_eq!(counters(Some(0), 1), json!({"gold": {"seat": null}, "debt": null, "plan": null}), "no third seat");
        assert_eq!(counters(None, 1)["debt"], json!({"seat": null}));
    }

    #[test]
    fn seats_that_do_not_exist_see_what_is_public() {
        let mut table = Table::new(2);
        table.put("ace", "hand", 1);
        table.see("ace", -1);
        assert_eq!(seen(&table, Some(200))["players"][0]["zones"]["hand"]["tokens"], json!([null]));
    }
}
