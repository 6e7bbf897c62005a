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
    // Only zones with faces show a face.
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
fn items_outside_the_setup_are_absent_for_everybody() {
    let mut table = Table::new(2);
    let ace = table.put("ace", "row", 0);
    table.declared.grids["garden"].only.players = vec![3];
    table.declared.counters["gold"].only.players = vec![2, 4];
    table.declared.counters["debt"].only.options = [("loans".to_owned(), vec![OptionValue::Bool(true)])].into();
    let expert = || vec![OptionValue::Name("hard".into()), OptionValue::Name("expert".into())];
    table.declared.zones["row"].only.options = [("level".to_owned(), expert())].into();
    table.options =
        [("loans".to_owned(), OptionValue::Bool(false)), ("level".to_owned(), OptionValue::Name("easy".into()))].into();
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
fn missing_seats_see_public_facts() {
    let mut table = Table::new(2);
    table.put("ace", "hand", 1);
    table.see("ace", -1);
    assert_eq!(seen(&table, Some(200))["players"][0]["zones"]["hand"]["tokens"], json!([null]));
}
