//! Designer features of a table: other seats and steps, recorded matches, edits during a match, sources, rule tests, estimates.

use std::fs;
use std::path::Path;

use motherlode::{Replay, SourceFile};
use motherlode_fixtures::copy;
use motherlode_play::rule_test::{TestFiles, TestFilter};
use motherlode_table::server::Role;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::Open;
use super::client::Client;
use super::program::{Program, links};
use crate::shipped::{Player, Variant, load, root};

const PHOTON: Variant = Variant::of("photon", 3, &[]);

/// An editable folder with Photon.
pub(super) fn photon() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(root(), folder.path(), &["content/photon", "scripts/photon"]);
    folder
}

pub(super) fn edit(root: &Path, file: &str, from: &str, to: &str) {
    let path = root.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file} has {from}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

/// Waits for a message with this key.
pub(super) fn wait(client: &mut Client, key: &str) -> Value {
    for _ in 0..500 {
        let heard = client.hear().expect("the table goes on");
        if heard[key].is_object() {
            return heard[key].clone();
        }
        assert!(heard["refused"].is_null(), "{heard}");
    }
    panic!("no {key}");
}

/// Waits for a refusal and returns its reason.
pub(super) fn await_refusal(client: &mut Client) -> String {
    loop {
        let heard = client.hear().expect("the table goes on");
        if let Some(code) = heard["refused"]["code"].as_str() {
            return code.to_owned();
        }
    }
}

/// Waits for a transcript line with this text and returns the whole line.
pub(super) fn await_line(client: &mut Client, text: &str) -> String {
    for _ in 0..500 {
        let heard = client.hear().expect("the table goes on");
        let of = if heard["table"].is_object() { &heard["table"] } else { &heard["patch"] };
        let lines = of["beside"]["lines"].as_array().cloned().unwrap_or_default();
        let found = lines.iter().filter_map(|line| line["text"].as_str()).find(|line| line.contains(text));
        if let Some(found) = found {
            return found.to_owned();
        }
    }
    panic!("nobody tells {text}");
}

/// Takes the first choice until `most` answers are given.
pub(super) fn play(client: &mut Client, most: usize) -> Value {
    let mut place = Value::Null;
    let mut answered = None;
    for _ in 0..2000 {
        let heard = client.hear().expect("the table goes on");
        if heard["place"].is_object() {
            place = heard["place"].clone();
        }
        if heard["table"]["place"].is_object() {
            place = heard["table"]["place"].clone();
        }
        if place["steps"].as_u64().is_some_and(|steps| steps as usize >= most) {
            return place;
        }
        let of = if heard["table"].is_object() { &heard["table"] } else { &heard["patch"] };
        let decision = of["beside"]["decision"].as_u64();
        if of["view"]["question"].is_object() && decision != answered {
            answered = decision;
            client.say(&json!({ "answer": { "decision": decision, "index": 0 } }));
        }
    }
    panic!("no {most} answers");
}

#[test]
fn a_recorded_match_opens_at_any_seat_and_step() {
    let mut m = PHOTON.begin(7);
    let mut player = Player::new(7);
    while !m.is_over() && m.answers().len() < 60 {
        player.step(&mut m);
    }
    let steps = m.answers().len();
    assert!(steps > 33, "{steps} answers");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.json");
    Replay::record(&m).save(&file).unwrap();
    let program = Program::open(root(), &["--replay", file.to_str().unwrap()]);
    let mut client = program.client();
    let table = wait(&mut client, "table");
    assert_eq!(table["place"]["steps"], steps);
    for (seat, step) in [(0, 0), (1, 17), (2, steps), (255, 33)] {
        client.say(&json!({ "look": { "seat": seat, "step": step } }));
        let table = wait(&mut client, "table");
        assert_eq!((&table["view"]["seat"], &table["place"]["step"]), (&json!(seat), &json!(step)));
        // The view equals the one that this seat saw.
        let mut again = PHOTON.begin(7);
        for answer in &m.answers()[..step] {
            again.answer_as(answer.seat, usize::from(answer.index)).unwrap();
        }
        assert_eq!(table["view"]["round"], again.round());
        assert_eq!(table["view"]["phase"]["id"], again.phase());
    }
    client.say(&json!({ "branch": { "step": 20 } }));
    let table = wait(&mut client, "table");
    assert_eq!((&table["place"]["steps"], &table["place"]["live"]), (&json!(20), &json!(true)));
}

#[test]
fn a_recorded_match_names_the_seats_of_its_file() {
    let mut m = PHOTON.begin(7);
    let mut player = Player::new(7);
    while !m.is_over() {
        player.step(&mut m);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.json");
    // The table cannot start a program as a bot.
    for seats in [&["random", "human", "program"][..], &[]] {
        let seats: Vec<String> = seats.iter().map(|&name| name.to_owned()).collect();
        Replay { seats: seats.clone(), ..Replay::record(&m) }.save(&file).unwrap();
        let mut program = Program::start(root(), "", &["--replay", file.to_str().unwrap()]);
        let said = program.said();
        assert_eq!(said.iter().any(|line| line == "players: random, human, program"), !seats.is_empty(), "{said:?}");
        let table = wait(&mut program.client(), "table");
        assert_eq!(table["beside"]["outcome"]["players"], json!(seats));
        assert_eq!(table["view"]["seat"], usize::from(!seats.is_empty()));
    }
}

#[test]
fn a_recorded_match_replays_until_the_rules_differ() {
    let folder = photon();
    let mut m = PHOTON.begin(7);
    let mut player = Player::new(7);
    while m.answers().len() < 40 {
        player.step(&mut m);
    }
    let file = folder.path().join("match.json");
    Replay::record(&m).save(&file).unwrap();
    edit(folder.path(), BUILDINGS, "cost = { gold = 1 }", "cost = { gold = 7 }");
    let mut program = Program::start(folder.path(), "", &["--replay", file.to_str().unwrap()]);
    let said = program.said();
    let line = said
        .iter()
        .find(|line| line.starts_with("the rules have changed, and the match differs from answer "))
        .unwrap();
    let (steps, rest) = line.split_once(": showing ").unwrap().1.split_once(' ').unwrap();
    assert_eq!(rest, "of 40 answers; revert the edit to see all");
    let steps: usize = steps.parse().unwrap();
    assert!((1..40).contains(&steps), "{line}");
    assert_eq!(wait(&mut program.client(), "table")["place"]["steps"], steps);
}

#[test]
fn an_edit_applies_at_once_and_can_be_undone() {
    let folder = photon();
    let args = ["photon", "--seed", "7", "--players", "3", "--seats", "human,random,random"];
    let program = Program::open(folder.path(), &args);
    let mut client = program.client();
    let place = play(&mut client, 20);
    let (file, cost) = (BUILDINGS, "cost = { gold = 1 }");
    // A broken file changes nothing. The table names the place of the fault.
    edit(folder.path(), file, cost, "cost = { gold = }");
    let why = await_line(&mut client, "cannot be played");
    assert!(why.contains("buildings.toml:"), "{why}");
    let notice = wait(&mut client, "broken");
    assert_eq!(notice["text"], why.as_str(), "the page shows it until the rules can be played again");
    client.say(&json!({ "look": { "seat": 0, "step": 0 } }));
    assert_eq!(wait(&mut client, "table")["view"]["round"], 1, "the last good rules are in force");
    client.say(&json!({ "look": { "seat": null, "step": null } }));
    wait(&mut client, "table");
    // A player who would build a mine for 1 gold cannot any more.
    edit(folder.path(), file, "cost = { gold = }", "cost = { gold = 2 }");
    let note = await_line(&mut client, "New rules");
    assert!(note.contains("the first difference is after answer"), "{note}");
    client.say(&json!({ "look": { "seat": null, "step": null } }));
    let table = wait(&mut client, "table");
    let differs = table["place"]["differs"].as_u64().unwrap();
    assert!(differs <= place["steps"].as_u64().unwrap() && table["place"]["older"] == true, "{table}");
    client.say(&json!({ "look": { "seat": 0, "step": differs } }));
    assert_eq!(wait(&mut client, "table")["place"]["step"], differs);
    // The old rules stay in force.
    client.say(&json!({ "keep": {} }));
    let table = wait(&mut client, "table");
    assert!(table["place"]["steps"].as_u64() >= place["steps"].as_u64(), "{}", table["place"]);
    assert_eq!((&table["place"]["differs"], &table["place"]["older"]), (&Value::Null, &json!(false)));
    client.say(&json!({ "keep": {} }));
    assert_eq!(await_refusal(&mut client), "no_rules");
}

pub(super) const BUILDINGS: &str = "content/photon/buildings.toml";

#[test]
fn saved_matches_keep_their_rules() {
    let (folder, kept) = (photon(), tempfile::tempdir().unwrap());
    let seats = ["--seed", "7", "--players", "3", "--seats", "human,random,random"];
    let keep = ["--keep", kept.path().to_str().unwrap()];
    let program = Program::open(folder.path(), &[&["photon"][..], &seats, &keep].concat());
    let mut client = program.client();
    play(&mut client, 10);
    client.say(&json!({ "explain": { "path": "buildings.mine" } }));
    let before = wait(&mut client, "explained");
    let (file, buildings) = (folder.path().join(BUILDINGS), fs::read_to_string(root().join(BUILDINGS)).unwrap());
    edit(folder.path(), BUILDINGS, "cost = { gold = 1 }", "cost = { gold = 3 }");
    client.say(&json!({ "keep": {} }));
    assert_eq!(await_refusal(&mut client), "same_rules");
    client.say(&json!({ "explain": { "path": "buildings.mine" } }));
    assert_eq!(wait(&mut client, "explained"), before, "as the files were when the match began");
    client.say(&json!({ "position": {} }));
    assert!(wait(&mut client, "position")["text"].is_string());
    client.say(&json!({ "estimate": {} }));
    assert!(!wait(&mut client, "estimates")["choices"].as_array().unwrap().is_empty());
    client.say(&json!({ "look": { "seat": 1, "step": 3 } }));
    let place = wait(&mut client, "table")["place"].clone();
    assert_eq!((&place["differs"], &place["older"]), (&Value::Null, &json!(false)));
    client.say(&json!({ "branch": { "step": 4 } }));
    let note = await_line(&mut client, "The match goes on after answer");
    let link = program.link.clone();
    program.kill();
    fs::write(file, buildings).unwrap();
    let _program = Program::open(folder.path(), &keep);
    let (host, tokens) = links(&[link]);
    let (mut client, table) = Client::join(&host, &tokens[0]);
    let lines = table["table"]["beside"]["lines"].as_array().unwrap();
    assert!(lines.iter().any(|line| line["text"] == *note), "{note} {lines:?}");
    client.say(&json!({ "keep": {} }));
    assert_eq!(await_refusal(&mut client), "same_rules");
}

#[test]
fn designers_get_sources_rule_tests_and_estimates() {
    let program = Program::open(root(), &["photon", "--seed", "7", "--players", "3", "--seats", "human,random,random"]);
    let mut client = program.client();
    play(&mut client, 20);
    client.say(&json!({ "explain": { "path": "counters.gold" } }));
    let gold = wait(&mut client, "explained");
    let field = &gold["found"]["fields"][0];
    assert_eq!(field["file"], "content/photon/game.toml");
    let text = fs::read_to_string(root().join("content/photon/game.toml")).unwrap();
    let line = text.lines().nth(field["line"].as_u64().unwrap() as usize - 1).unwrap();
    assert!(line.starts_with("gold = ") && field["layer"] == "photon", "{field}");
    assert_eq!(gold["found"]["rules"][0]["number"], "P-10");
    for path in ["buildings.mine", "phases.building", "prompts.build"] {
        client.say(&json!({ "explain": { "path": path } }));
        assert!(wait(&mut client, "explained")["found"]["fields"].as_array().unwrap().len() > 1, "{path}");
    }
    client.say(&json!({ "explain": { "path": "nothing.at_all" } }));
    assert_eq!(client.refusal(), "no_name");
    client.say(&json!({ "position": {} }));
    let text = wait(&mut client, "position")["text"].as_str().unwrap().to_owned();
    let file = SourceFile { path: "tests/photon/position.luau".into(), text: format!("return {{\n{text}}}\n") };
    let results = TestFiles::of([file]).run(&load(root(), "photon"), TestFilter::All);
    assert!(results.len() == 1 && results[0].passed, "{results:?}\n{text}");
    client.say(&json!({ "estimate": {} }));
    let estimates = wait(&mut client, "estimates");
    for choice in estimates["choices"].as_array().unwrap() {
        let share = choice["share"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&share) && choice["games"].as_u64().unwrap() > 0, "{estimates}");
        assert!(choice["level"] == choice["share"] && choice["margin"].is_null(), "{estimates}");
    }
    // The match continues while the table estimates choices.
    client.say(&json!({ "look": { "seat": 1, "step": 3 } }));
    assert_eq!(wait(&mut client, "table")["place"]["step"], 3);
}

#[test]
fn estimates_follow_the_goal() {
    let games = root().join("tests/fixtures/goals");
    let program = Program::open(&games, &["wager", "--seed", "7", "--seats", "human,random"]);
    let mut client = program.client();
    client.say(&json!({ "estimate": {} }));
    let estimates = wait(&mut client, "estimates");
    let [sure, gamble] = [0, 1].map(|choice| &estimates["choices"][choice]);
    let number = |of: &Value, what: &str| of[what].as_f64().unwrap();
    assert!(number(gamble, "score") > number(sure, "score") + 10.0, "points, not halves or places: {estimates}");
    assert!(number(gamble, "level") > number(sure, "level") && gamble["share"].is_null(), "{estimates}");
}

#[test]
fn guests_have_no_designer_tools() {
    let guest = Role { seat: Some(0), designer: false };
    let table = Open::new(&[0, 1], &[guest, Role { designer: true, ..guest }]);
    for (token, code) in [(0, "designer"), (1, "no_tool")] {
        let mut client = Client::new(&table, token, None);
        client.hear();
        client.hear();
        for said in [json!({ "explain": { "path": "counters" } }), json!({ "position": {} }), json!({ "estimate": {} })]
        {
            client.say(&said);
            assert_eq!(client.refusal(), code, "{said}");
        }
    }
}
