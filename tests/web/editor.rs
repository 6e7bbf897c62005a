//! The card editor: only the designer reaches it, a wrong card writes nothing, and a saved one changes its own lines.

use std::fs;

use motherlode_table::server::{LONGEST, Role};
use serde_json::{Value, json};

use super::Open;
use super::client::Client;
use super::designer::{await_line, photon, wait};
use super::program::{Program, links};
use crate::shipped::root;

const BUILDINGS: &str = "content/photon/buildings.toml";
const ARGS: [&str; 7] = ["photon", "--seed", "7", "--players", "3", "--seats", "human,random,random"];

fn draft(card: &str, cells: &Value) -> Value {
    json!({ "card": card, "cells": cells })
}

/// Sends a draft, and returns the result of its check.
fn ask(client: &mut Client, what: &str, card: &Value) -> Value {
    client.say(&json!({ what: { "number": 1, "card": card } }));
    wait(client, "edited")
}

fn checked(client: &mut Client, what: &str, card: &Value) -> Value {
    let edited = ask(client, what, card);
    assert!(edited["checked"].is_object(), "{edited}");
    edited["checked"].clone()
}

/// The fields with errors.
fn wrong(checked: &Value) -> Vec<&str> {
    let all = checked["faults"].as_array().unwrap().iter().filter(|fault| fault["is_error"] == true);
    all.map(|fault| fault["field"].as_str().unwrap_or("elsewhere")).collect()
}

#[test]
fn an_edited_card_keeps_comments_and_order_and_the_match_follows() {
    let folder = photon();
    let before = fs::read_to_string(folder.path().join(BUILDINGS)).unwrap();
    let program = Program::open(folder.path(), &ARGS);
    let mut client = program.client();
    client.say(&json!({ "form": { "card": "buildings.mine" } }));
    let form = wait(&mut client, "form");
    let field = |name: &str| form["fields"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap();
    assert_eq!(field("cost")["value"], "1 gold");
    assert_eq!(field("output")["range"], json!([0, 9]));
    assert_eq!(form["file"], BUILDINGS);
    let card = draft("buildings.mine", &json!({ "cost": { "was": "1 gold", "now": "4 gold" } }));
    let found = checked(&mut client, "draft", &card);
    assert_eq!((wrong(&found).len(), &found["saved"]), (0, &json!(false)), "{found}");
    assert!(found["face"]["facts"].to_string().contains('4'), "{found}");
    assert_eq!(fs::read_to_string(folder.path().join(BUILDINGS)).unwrap(), before, "a draft writes nothing");
    let found = checked(&mut client, "save", &card);
    assert_eq!(found["saved"], true, "{found}");
    let after = fs::read_to_string(folder.path().join(BUILDINGS)).unwrap();
    assert_eq!(after, before.replace("cost = { gold = 1 }", "cost = { gold = 4 }"));
    await_line(&mut client, "New rules");
    client.say(&json!({ "form": { "card": "buildings.mine" } }));
    assert!(wait(&mut client, "form").to_string().contains("4 gold"));
}

#[test]
fn saves_are_taken_back_one_by_one_unless_the_file_changed_since() {
    let folder = photon();
    let file = folder.path().join(BUILDINGS);
    let before = fs::read_to_string(&file).unwrap();
    let program = Program::open(folder.path(), &ARGS);
    let mut client = program.client();
    let mut save = |cost: [&str; 2]| {
        let card = draft("buildings.mine", &json!({ "cost": { "was": cost[0], "now": cost[1] } }));
        assert_eq!(checked(&mut client, "save", &card)["saved"], true);
        fs::read_to_string(&file).unwrap()
    };
    let first = save(["1 gold", "4 gold"]);
    let unchanged = save(["4 gold", "4 gold"]);
    let second = save(["4 gold", "2 gold"]);
    assert!(first == unchanged && first != second && first != before);
    let mut take_back = || {
        client.say(&json!({ "take_back": {} }));
        wait(&mut client, "taken_back")
    };
    // An edit by hand is not overwritten.
    fs::write(&file, format!("{second}# by hand\n")).unwrap();
    assert!(take_back()["why"].as_str().unwrap().contains("has changed"));
    fs::write(&file, &second).unwrap();
    for expected in [&first, &before] {
        assert_eq!(take_back()["card"], "buildings.mine");
        assert_eq!(&fs::read_to_string(&file).unwrap(), expected);
    }
    assert_eq!(take_back()["why"], "no save is left to take back");
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
}

#[test]
fn a_wrong_card_marks_its_fields_and_writes_nothing() {
    let folder = photon();
    let before = fs::read_to_string(folder.path().join(BUILDINGS)).unwrap();
    let program = Program::open(folder.path(), &ARGS);
    let mut client = program.client();
    for (name, was, now) in [
        ("output", "1", "many"),
        ("output", "1", "99"),
        ("output", "1", ""),
        ("cost", "1 gold", "1 silver"),
        ("cost", "1 gold", "gold"),
        ("brings", "gold", "sand"),
        ("name", "Mine", ""),
        ("text", "", "{nothing} comes up"),
        ("text", "", "\u{202e}backwards"),
    ] {
        client.say(&json!({ "form": { "card": "buildings.mine" } }));
        let form = wait(&mut client, "form");
        let fields = form["fields"].as_array().unwrap();
        let shown = fields.iter().find(|field| field["name"] == name).unwrap()["value"].as_str().unwrap().to_owned();
        let was = if was.is_empty() { shown.as_str() } else { was };
        let card = draft("buildings.mine", &json!({ name: { "was": was, "now": now } }));
        let found = checked(&mut client, "save", &card);
        // An empty output is the default.
        if now.is_empty() && name == "output" {
            assert_eq!(found["saved"], true);
            fs::write(folder.path().join(BUILDINGS), &before).unwrap();
            continue;
        }
        assert!(wrong(&found).contains(&name) || now.starts_with('\u{202e}'), "{name} = {now}: {found}");
        assert!(!wrong(&found).is_empty() && found["saved"] == false, "{name} = {now}: {found}");
        assert_eq!(fs::read_to_string(folder.path().join(BUILDINGS)).unwrap(), before, "{name} = {now}");
    }
}

#[test]
fn a_face_shows_no_value_for_a_wrong_one() {
    let folder = photon();
    let program = Program::open(folder.path(), &ARGS);
    let mut client = program.client();
    let fact = |found: &serde_json::Value, of: &str| {
        let facts = found["face"]["facts"].as_array().unwrap().clone();
        facts.into_iter().find(|fact| fact["of"] == of).map(|fact| fact["value"].clone())
    };
    let mut face = |name: &str, was: &str, now: &str| {
        checked(&mut client, "draft", &draft("buildings.mine", &json!({ name: { "was": was, "now": now } })))
    };
    let right = face("cost", "1 gold", "2 gold");
    assert_eq!(fact(&right, "cost"), Some(json!("2 gold")), "{right}");
    let wrong = face("cost", "1 gold", "gold");
    assert_eq!(fact(&wrong, "cost"), Some(json!("?")), "{wrong}");
    let wrong = face("output", "1", "abc");
    assert_eq!(
        wrong["face"]["text"], wrong["faults"][0]["message"],
        "the fault stands for the text that uses the value"
    );
    assert!(fact(&wrong, "output").is_none_or(|value| value == "?"), "{wrong}");
    assert!(!wrong["face"].to_string().contains('0'), "{wrong}");
}

#[test]
fn a_new_card_is_written_by_save_alone_and_needs_a_free_id() {
    let folder = photon();
    let before = fs::read_to_string(folder.path().join(BUILDINGS)).unwrap();
    let program = Program::open(folder.path(), &ARGS);
    let mut client = program.client();
    let new = |id: &str| {
        let cells = json!({ "name": { "was": "Mine", "now": "Deep Mine" }, "builds": { "was": "1 new.mine", "now": format!("1 new.{id}") } });
        json!({ "card": "buildings.mine", "new": id, "cells": cells })
    };
    for id in ["", "saloon", "Deep Mine", "../up", "a.b", "x\ny", "é"] {
        let found = checked(&mut client, "save", &new(id));
        assert_eq!((wrong(&found), &found["saved"]), (vec!["id"], &json!(false)), "{id}: {found}");
    }
    let found = checked(&mut client, "draft", &new("deep_mine"));
    assert!(wrong(&found).is_empty(), "{found}");
    assert_eq!(found["face"]["id"], "buildings.deep_mine");
    assert_eq!(fs::read_to_string(folder.path().join(BUILDINGS)).unwrap(), before);
    assert_eq!(checked(&mut client, "save", &new("deep_mine"))["saved"], true);
    let after = fs::read_to_string(folder.path().join(BUILDINGS)).unwrap();
    assert!(after.starts_with(&before) && after.contains("[deep_mine]\nname = \"Deep Mine\"\n"), "{after}");
    await_line(&mut client, "New rules");
    let again = checked(&mut client, "save", &new("deep_mine"));
    assert_eq!(wrong(&again), ["id"], "the id is taken by now");
}

#[test]
fn a_file_that_changed_since_loses_nothing() {
    let folder = photon();
    let file = folder.path().join(BUILDINGS);
    let before = fs::read_to_string(&file).unwrap();
    let program = Program::open(folder.path(), &ARGS);
    let mut client = program.client();
    let card = draft("buildings.mine", &json!({ "cost": { "was": "1 gold", "now": "4 gold" } }));
    // Another field: both changes stay.
    let other = before.replace("name = \"Mine\"", "name = \"Old Mine\"   # renamed");
    fs::write(&file, &other).unwrap();
    assert_eq!(checked(&mut client, "save", &card)["saved"], true);
    assert_eq!(fs::read_to_string(&file).unwrap(), other.replace("cost = { gold = 1 }", "cost = { gold = 4 }"));
    // The same field: nothing is written, and the value of the file is named.
    let other = before.replace("cost = { gold = 1 }", "cost = { gold = 3 }");
    fs::write(&file, &other).unwrap();
    let found = checked(&mut client, "save", &card);
    assert_eq!((wrong(&found), &found["saved"]), (vec!["cost"], &json!(false)), "{found}");
    assert_eq!(found["faults"][0]["changed"], "3 gold");
    assert_eq!(fs::read_to_string(&file).unwrap(), other);
    // A byte order mark is no change.
    fs::write(&file, format!("\u{feff}{before}")).unwrap();
    assert_eq!(checked(&mut client, "save", &card)["saved"], true);
    assert_eq!(fs::read_to_string(&file).unwrap(), before.replace("cost = { gold = 1 }", "cost = { gold = 4 }"));
    // The card is gone, or the file is broken.
    let cut = before.find("[mine]").unwrap();
    for broken in [&before[..cut], "[mine\n"] {
        fs::write(&file, broken).unwrap();
        let edited = ask(&mut client, "save", &card);
        assert!(edited["why"].is_string(), "{edited}");
        assert_eq!(fs::read_to_string(&file).unwrap(), broken);
    }
}

#[test]
fn only_a_designer_edits_and_only_cards() {
    let guest = Role { seat: Some(0), designer: false };
    let table = Open::new(&[0, 1], &[guest, Role { designer: true, ..guest }, Role { seat: None, designer: false }]);
    let card = draft("cards.a", &json!({}));
    for (token, code) in [(0, "designer"), (1, "no_tool"), (2, "designer")] {
        let mut client = Client::new(&table, token, None);
        client.hear();
        client.hear();
        for said in [
            json!({ "form": { "card": "cards.a" } }),
            json!({ "draft": { "number": 1, "card": card } }),
            json!({ "save": { "number": 1, "card": card } }),
            json!({ "take_back": {} }),
        ] {
            client.say(&said);
            assert_eq!(client.refusal(), code, "{said}");
        }
    }
    // Only a designer sends long messages.
    let long = json!({ "form": { "card": "x".repeat(LONGEST) } });
    for (token, code) in [(0, "oversize"), (1, "no_tool")] {
        let mut client = Client::new(&table, token, None);
        client.hear();
        client.hear();
        client.say(&long);
        assert_eq!(client.refusal(), code);
    }
    // Several people: no link is a designer's.
    let folder = photon();
    let mut program =
        Program::start(folder.path(), "", &["photon", "--seed", "7", "--players", "3", "--seats", "human,human"]);
    let (host, tokens) = links(&program.said());
    for token in tokens {
        let (mut client, _) = Client::join(&host, &token);
        let save = json!({ "save": { "number": 1, "card": draft("buildings.mine", &json!({})) } });
        for said in [save, json!({ "take_back": {} })] {
            client.say(&said);
            assert_eq!(client.refusal(), "designer");
        }
    }
}

#[test]
fn names_of_strangers_reach_no_other_file() {
    let folder = photon();
    let program = Program::open(folder.path(), &ARGS);
    let mut client = program.client();
    let cells = json!({ "cost": { "was": "1 gold", "now": "4 gold" } });
    for card in ["../../etc.passwd", "game.name", "buildings", "buildings.no_such", ".mine", "buildings.mine.cost", ""]
    {
        let edited = ask(&mut client, "save", &draft(card, &cells));
        assert!(edited["why"].is_string(), "{card}: {edited}");
        client.say(&json!({ "form": { "card": card } }));
        assert!(wait(&mut client, "form")["why"].is_string(), "{card}");
    }
    let unknown = draft("buildings.mine", &json!({ "path": { "was": "", "now": "/etc/passwd" } }));
    assert!(ask(&mut client, "save", &unknown)["why"].is_string());
    let id = draft("buildings.mine", &json!({ "id": { "was": "mine", "now": "saloon" } }));
    assert!(ask(&mut client, "save", &id)["why"].is_string(), "a save renames no card");
}

#[test]
fn a_kept_match_and_a_mod_have_their_own_files() {
    let folder = photon();
    let keep = folder.path().join("kept").display().to_string();
    let program = Program::open(folder.path(), &[&ARGS[..], &["--keep", &keep]].concat());
    let mut client = program.client();
    client.say(&json!({ "form": { "card": "buildings.mine" } }));
    assert_eq!(super::designer::await_refusal(&mut client), "same_rules");
    let own = folder.path().join("dear");
    motherlode_fixtures::write(own.join("mod.toml"), "id = \"dear\"\nversion = \"1.0.0\"\ngame = \"photon\"\n");
    let patch = "# Dearer\n[mine]\ncost = { gold = 2 }\n";
    motherlode_fixtures::write(own.join(BUILDINGS), patch);
    let base = fs::read_to_string(folder.path().join(BUILDINGS)).unwrap();
    let program = Program::open(folder.path(), &[&ARGS[..], &["--mod", &own.display().to_string()]].concat());
    let mut client = program.client();
    let card = draft("buildings.mine", &json!({ "cost": { "was": "2 gold", "now": "5 gold" } }));
    assert_eq!(checked(&mut client, "save", &card)["saved"], true);
    assert_eq!(fs::read_to_string(own.join(BUILDINGS)).unwrap(), patch.replace('2', "5"));
    assert_eq!(fs::read_to_string(folder.path().join(BUILDINGS)).unwrap(), base);
}

#[test]
fn a_check_does_not_hold_up_its_table() {
    let game = "imperial_miners";
    let program = Program::open(root(), &[game, "--seed", "7", "--players", "2", "--seats", "human,random"]);
    let mut client = program.client();
    let card = first_card(&mut client, "mine_level_1");
    let name = json!({ "name": { "was": "", "now": "New" } });
    for number in 0..3 {
        client.say(&json!({ "draft": { "number": number, "card": draft(&card, &name) } }));
    }
    client.say(&json!({ "rules": {} }));
    // Three checks of a large game take longer than the text of its rules.
    let mut checks = 0;
    loop {
        let message = client.hear().unwrap();
        checks += u32::from(message.get("edited").is_some());
        if message.get("rulebook").is_some() {
            break;
        }
    }
    assert!(checks < 3, "the rules come after all checks");
    for _ in checks..3 {
        wait(&mut client, "edited");
    }
}

#[test]
fn a_card_without_a_face_says_why() {
    let folder = photon();
    let program = Program::open(folder.path(), &ARGS);
    let mut client = program.client();
    let mut new = draft("buildings.mine", &json!({}));
    new["new"] = json!("saloon");
    let found = checked(&mut client, "draft", &new);
    assert_eq!((wrong(&found), &found["face"]), (vec!["id"], &Value::Null), "{found}");
}

/// The first card of a kind.
fn first_card(client: &mut Client, kind: &str) -> String {
    let skeleton = wait(client, "skeleton");
    let faces = skeleton["faces"].as_array().unwrap();
    let found = faces.iter().filter_map(|face| face["id"].as_str()).find(|id| id.starts_with(&format!("{kind}.")));
    found.unwrap().to_owned()
}

#[test]
fn a_copy_names_itself_where_the_card_named_itself() {
    let folder = photon();
    let program = Program::open(folder.path(), &ARGS);
    let mut client = program.client();
    let copy = |cells: Value| json!({ "card": "buildings.mine", "new": "pit", "cells": cells });
    let found = checked(&mut client, "draft", &copy(json!({})));
    assert!(found["changes"].to_string().contains("builds: 1 new.mine \u{2192} 1 new.pit"), "{found}");
    let doubt = |found: &Value| found["faults"].to_string().contains("has the name of the copied one, `Mine`");
    assert!(doubt(&found), "{found}");
    let named = copy(json!({ "name": { "was": "Mine", "now": "Pit" } }));
    assert!(!doubt(&checked(&mut client, "draft", &named)));
    // A field that the designer wrote stays.
    let typed = copy(json!({ "builds": { "was": "1 new.mine", "now": "2 new.mine" } }));
    assert!(!checked(&mut client, "draft", &typed)["changes"].to_string().contains("new.pit"));
    assert_eq!(checked(&mut client, "save", &copy(json!({})))["saved"], true);
    let after = fs::read_to_string(folder.path().join(BUILDINGS)).unwrap();
    assert!(after.contains("[pit]\n") && after.contains("builds = { new = { pit = 1 } }"), "{after}");
    assert_eq!(after.matches("new.mine").count(), 1, "{after}");
}
