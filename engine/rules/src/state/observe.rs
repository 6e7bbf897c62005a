//! What one seat may know of a position, as plain data by names.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::by_name::ByName;
use super::sight::Sight;
use crate::state::layout::word;
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
    /// Counters of the game.
    pub game: ByName<CounterView>,
    /// The seats at the table.
    pub players: Vec<SeatView>,
    /// Zones of the game.
    pub zones: ByName<ZoneView>,
    /// Counters of visible tokens in visible zones, by the token's number.
    pub tokens: IndexMap<i32, ByName<CounterView>>,
    /// Boards.
    pub grids: IndexMap<String, GridView>,
}

/// The value of a counter: `null`, a number, a name if it is enumerated or means a cell or a token, or `{"seat":1}` if it means a
/// player: it says so, is the `first` of a phase, or stores the answer to a question for players. `{"seat":null}` means none.
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
    /// Whether each token lies face up, in a zone where faces count; otherwise left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub up: Vec<bool>,
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
            game: shown.counters(|per| per == Holder::Game, 0),
            players: (1..=sight.players()).map(|player| SeatView::new(shown, player)).collect(),
            zones: shown.zones(Holder::Game, 0),
            tokens: shown.tokens(),
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
        (is_there && shown.has_zone(declared)).then(|| Self::new(sight, zone, holder))
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
        of_holder.map(|(index, (name, _))| (name.clone(), ZoneView::new(self.sight, index, holder))).collect()
    }

    fn tokens(&self) -> IndexMap<i32, ByName<CounterView>> {
        let Self { sight, .. } = *self;
        let mut views = IndexMap::new();
        for (token, info) in (1..).zip(&sight.layout.tokens) {
            let is_shown = |pile: usize| {
                self.exists(&sight.declared.zones[sight.layout.piles[pile].zone].only) && sight.counts(pile)
            };
            if sight.pile_of(token).is_some_and(is_shown) && sight.identifies(token) && has_counters(sight, info.kind) {
                views.insert(token, self.counters(|per| sight.declared.is_of(per, info.kind), token));
            }
        }
        views
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
            Domain::Token if !sight.identifies(value) => return Self::Hidden,
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
    fn new(sight: &Sight<'_>, zone: usize, holder: i32) -> Self {
        let hidden = Self { count: None, tokens: Vec::new(), numbers: Vec::new(), up: Vec::new() };
        let Some(pile) = sight.layout.pile(zone, holder).filter(|&pile| sight.counts(pile)) else { return hidden };
        let list = sight.tokens(pile);
        let known = |token: i32| {
            let info = sight.layout.tokens.get(usize::try_from(token - 1).ok()?)?;
            sight.identifies(token).then_some(info)
        };
        let id = |token: &i32| {
            known(*token).and_then(|info| Some(sight.declared.definitions.get(info.definition)?.id.clone()))
        };
        let number = |token: &i32| known(*token).filter(|info| has_counters(sight, info.kind)).map(|_| *token);
        let faces = sight.declared.zones[zone].visible == Visibility::Face;
        let mut numbers: Vec<_> = list.iter().map(number).collect();
        if numbers.iter().all(Option::is_none) {
            numbers.clear();
        }
        Self {
            count: Some(list.len()),
            tokens: list.iter().map(id).collect(),
            numbers,
            up: if faces { list.iter().map(|&token| sight.seen(token) & 1 == 1).collect() } else { Vec::new() },
        }
    }
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
        assert_eq!(seen(&table, Some(0))["game"], json!({"omen": null}));
        assert_eq!(seen(&table, None)["game"], json!({"omen": 4}));
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
        assert_eq!(of_game(Some(0))["deck"], json!({"count": 2, "tokens": [null, null]}));
        assert_eq!(of_game(None)["deck"], json!({"count": 2, "tokens": ["ace", "king"], "numbers": [3, 5]}));
        assert_eq!(of_game(Some(0))["pit"], json!({"count": null, "tokens": []}));
        assert_eq!(of_game(Some(0))["row"], json!({"count": 1, "tokens": ["jack"], "numbers": [6]}));
        assert_eq!(of_player(Some(0))["hand"], json!({"count": 1, "tokens": ["ace"], "numbers": [1]}));
        assert_eq!(of_player(Some(1))["hand"], json!({"count": 1, "tokens": [null]}));
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
        assert_eq!(seen(&table, Some(1))["tokens"], json!({}));
        table.move_to(ace, "row", 0);
        assert_eq!(seen(&table, Some(1))["tokens"], json!({"1": {"load": 2, "mark": null}}));
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
