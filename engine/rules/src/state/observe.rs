//! What one seat may know of a position, as plain data by names.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::sight::Sight;
use crate::state::layout::word;
use motherlode_content::declare::{Counter, Holder, Visibility};

/// A position as one seat sees it, or the whole of it. In JSON, `null` is what the seat cannot see.
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
    pub game: IndexMap<String, CounterView>,
    /// The seats at the table.
    pub players: Vec<SeatView>,
    /// Zones of the game.
    pub zones: IndexMap<String, ZoneView>,
    /// Counters of visible tokens in visible zones, by the token's number.
    pub tokens: IndexMap<i32, IndexMap<String, CounterView>>,
    /// Boards.
    pub grids: IndexMap<String, GridView>,
}

/// The value of a counter: `null`, a number or, for an enumerated counter, a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CounterView {
    /// The seat cannot see it.
    Hidden,
    /// Its value.
    Number(i32),
    /// The name of its value.
    Name(String),
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
    pub counters: IndexMap<String, CounterView>,
    /// Its zones.
    pub zones: IndexMap<String, ZoneView>,
}

/// One holder's part of a zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    pub cells: IndexMap<String, IndexMap<String, CounterView>>,
}

impl Observation {
    /// What this sight shows. `player` is the seat whose turn it is, or `None` in a sealed phase: who has answered
    /// already is nobody's business.
    #[must_use]
    pub fn new(sight: &Sight<'_>, player: Option<u8>) -> Self {
        let declared = sight.declared;
        let phase = usize::try_from(sight.words[word::PHASE]).ok();
        let phase = phase.and_then(|phase| declared.phases.get_index(phase)).map(|(id, _)| id.clone());
        Self {
            seat: sight.seat,
            round: sight.words[word::ROUND],
            phase: phase.unwrap_or_default(),
            player,
            game: counters(sight, Holder::Game, 0),
            players: (1..=sight.players()).map(|player| SeatView::new(sight, player)).collect(),
            zones: zones(sight, Holder::Game, 0),
            tokens: tokens(sight),
            grids: (declared.grids.keys().enumerate())
                .map(|(grid, name)| (name.clone(), GridView::new(sight, grid)))
                .collect(),
        }
    }
}

impl SeatView {
    fn new(sight: &Sight<'_>, player: i32) -> Self {
        let seat = u8::try_from(player - 1).unwrap_or(0);
        Self {
            seat,
            name: sight.declared.seats.get(usize::from(seat)).map(|seat| seat.name.clone()).unwrap_or_default(),
            is_in: sight.words[word::OUT] >> seat & 1 == 0,
            counters: counters(sight, Holder::Player, player),
            zones: zones(sight, Holder::Player, player),
        }
    }
}

impl CounterView {
    /// A value of a counter, by name if it has names.
    #[must_use]
    pub fn new(declared: &Counter, value: i32) -> Self {
        let name = usize::try_from(value).ok().and_then(|value| declared.values.get(value));
        name.map_or(Self::Number(value), |name| Self::Name(name.clone()))
    }

    fn of(sight: &Sight<'_>, counter: usize, declared: &Counter, holder: i32) -> Self {
        match sight.counter(counter, holder) {
            Some(value) if sight.sees_counter(counter, holder) => Self::new(declared, value),
            _ => Self::Hidden,
        }
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
    fn new(sight: &Sight<'_>, grid: usize) -> Self {
        let board = |copy: i32| BoardView {
            cells: (sight.cells(grid, copy))
                .map(|(holder, cell)| {
                    let name = sight.layout.grids[grid].name(cell).to_owned();
                    (name, counters(sight, Holder::Cell(grid), holder))
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

fn counters(sight: &Sight<'_>, per: Holder, holder: i32) -> IndexMap<String, CounterView> {
    let declared = sight.declared.counters.iter().enumerate();
    let of_holder = declared.filter(|(_, (_, counter))| counter.per == per);
    of_holder.map(|(index, (name, counter))| (name.clone(), CounterView::of(sight, index, counter, holder))).collect()
}

fn zones(sight: &Sight<'_>, per: Holder, holder: i32) -> IndexMap<String, ZoneView> {
    let declared = sight.declared.zones.iter().enumerate();
    let of_holder = declared.filter(|(_, (_, zone))| zone.per == per);
    of_holder.map(|(index, (name, _))| (name.clone(), ZoneView::new(sight, index, holder))).collect()
}

fn tokens(sight: &Sight<'_>) -> IndexMap<i32, IndexMap<String, CounterView>> {
    let mut views = IndexMap::new();
    for (token, info) in (1..).zip(&sight.layout.tokens) {
        let shown = sight.pile_of(token).is_some_and(|pile| sight.counts(pile)) && sight.identifies(token);
        if shown && has_counters(sight, info.kind) {
            views.insert(token, counters(sight, Holder::Token(info.kind), token));
        }
    }
    views
}

fn has_counters(sight: &Sight<'_>, kind: usize) -> bool {
    sight.declared.counters.values().any(|counter| counter.per == Holder::Token(kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::fixture::Table;
    use serde_json::{Value, json};

    fn seen(table: &Table, seat: Option<u8>) -> Value {
        let observation = Observation::new(&table.sight(seat), Some(1));
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
        for zone in ["contribution", "vault"] {
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
        assert_eq!(of_player(Some(0))["contribution"], json!({"count": 1, "tokens": ["ace"], "numbers": [1]}));
        assert_eq!(of_player(Some(1))["contribution"], json!({"count": 1, "tokens": [null]}));
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
        table.move_to(table.first("king"), "contribution", 2);
        let contribution =
            |table: &Table| seen(table, Some(0))["players"][1]["zones"]["contribution"]["tokens"].clone();
        assert_eq!(contribution(&table), json!(["king"]), "a card once shown stays known");
        // A face counts in a zone of faces only.
        table.move_to(table.first("ace"), "contribution", 2);
        assert_eq!(contribution(&table), json!(["king", null]));
    }

    #[test]
    fn counters_of_tokens() {
        let mut table = Table::new(2);
        let ace = table.put("ace", "contribution", 1);
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
    fn seats_that_do_not_exist_see_what_is_public() {
        let mut table = Table::new(2);
        table.put("ace", "contribution", 1);
        table.see("ace", -1);
        assert_eq!(seen(&table, Some(200))["players"][0]["zones"]["contribution"]["tokens"], json!([null]));
    }
}
