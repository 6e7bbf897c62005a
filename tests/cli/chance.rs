//! Chance over `lode stdio`: chosen by the program, seeded anew, redealt, and begun again.

use serde_json::{Value, json};

use super::program::lode_with;

fn session(arguments: &[&str], input: &str) -> Vec<Value> {
    let run = lode_with(&[&["stdio", "harvest"], arguments].concat(), input).code(0);
    run.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

fn of_type<'a>(messages: &'a [Value], name: &str) -> Vec<&'a Value> {
    messages.iter().filter(|message| message["type"] == name).collect()
}

#[test]
fn the_program_chooses_every_result_of_chance() {
    // The deal shuffles the seeds.
    let first = session(&["--chance", "program"], "");
    let draw = of_type(&first, "chance")[0];
    let outcomes = draw["outcomes"].as_array().unwrap();
    assert_eq!(draw["count"], outcomes.len());
    assert!(outcomes.len() > 1 && outcomes[0]["definition"].is_string());
    let sum: f64 = outcomes.iter().map(|outcome| outcome["p"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-9);
    // Without a decision before it, an answer is refused, and so is a wrong outcome.
    let refused = session(&["--chance", "program"], "{\"choose\":0}\n{\"chance\":0}\n{\"chance\":\"x\"}\n");
    let reasons: Vec<&str> = of_type(&refused, "reject").iter().map(|one| one["reason"].as_str().unwrap()).collect();
    assert_eq!(
        reasons,
        [
            r#"a draw is open: choose an outcome, as in {"chance":1}"#,
            "the open draw has no outcome 0",
            "`chance` takes the number of an outcome"
        ]
    );
}

/// Chooses the first outcome of each draw until a decision is open; returns the lines.
fn deal() -> String {
    let mut lines = String::new();
    loop {
        let messages = session(&["--chance", "program"], &lines);
        let last = messages.last().unwrap();
        if last["type"] != "chance" {
            return lines;
        }
        lines += &format!("{{\"chance\":{}}}\n", last["outcomes"][0]["id"]);
    }
}

#[test]
fn explicit_chance_does_not_depend_on_the_seed() {
    let lines = format!("{}{{\"observe\":\"all\"}}\n", deal());
    let players = |seed: &str| {
        let messages = session(&["--chance", "program", "--seed", seed], &lines);
        of_type(&messages, "observation")[0]["observation"]["players"].clone()
    };
    assert_eq!(players("1"), players("2"));
}

/// The hands of both players, in this session.
fn hands(messages: &[Value]) -> Vec<Value> {
    let hand = |message: &&Value| message["observation"]["players"].as_array().unwrap().iter().map(hand_of).collect();
    of_type(messages, "observation").iter().map(hand).collect()
}

fn hand_of(player: &Value) -> Value {
    player["zones"]["hand"]["tokens"].clone()
}

const ALL: &str = "{\"observe\":\"all\"}\n";

#[test]
fn a_reset_begins_the_match_of_another_seed() {
    let lines = format!("{ALL}{{\"choose\":0}}\n{{\"reset\":7}}\n{ALL}{{\"reset\":5}}\n{ALL}{{\"reset\":true}}\n{ALL}");
    let messages = session(&["--seed", "5"], &lines);
    let starts = of_type(&messages, "start");
    let seeds: Vec<&Value> = starts.iter().map(|start| &start["setup"]["seed"]).collect();
    assert_eq!(seeds, [5, 7, 5, 5]);
    let [first, other, again, repeated] = &hands(&messages)[..] else { panic!("four observations") };
    assert_ne!(first, other);
    assert_eq!((first, first), (again, repeated));
    let refused = session(&["--seed", "5"], "{\"reset\":\"x\"}\n");
    assert!(refused[2]["reason"].as_str().unwrap().starts_with("`reset` takes true, or the seed"));
}

#[test]
fn a_redeal_keeps_what_the_seat_knows() {
    let lines: String = (0..8).map(|seed| format!("{{\"redeal\":0,\"seed\":{seed}}}\n{ALL}")).collect();
    let messages = session(&["--seed", "5"], &format!("{ALL}{lines}{{\"redeal\":0}}\n{{\"redeal\":7,\"seed\":1}}\n"));
    let hands = hands(&messages);
    assert!(hands.iter().all(|hand| hand[0] == hands[0][0]));
    assert!(hands.iter().any(|hand| hand[1] != hands[0][1]));
    let reasons: Vec<&Value> = of_type(&messages, "reject").iter().map(|one| &one["reason"]).collect();
    assert_eq!(reasons, ["`redeal` takes a `seed`: a number from 0", "`redeal` takes a seat from 0 to 1"]);
    // A redeal can be undone.
    let messages = session(&["--seed", "5"], &format!("{ALL}{{\"redeal\":0,\"seed\":3}}\n{{\"undo\":1}}\n{ALL}"));
    assert_eq!(self::hands(&messages)[0], self::hands(&messages)[1]);
}

#[test]
fn a_restored_match_may_get_another_seed() {
    let storm = ["--seed", "5"];
    let lines = format!("{{\"snapshot\":true}}\n{{\"restore\":0,\"seed\":9}}\n{ALL}{{\"restore\":0,\"seed\":-1}}\n");
    let messages = session(&storm, &lines);
    // The dealt cards stay.
    assert_eq!(hands(&messages)[0], hands(&session(&storm, ALL))[0]);
    assert_eq!(of_type(&messages, "reject")[0]["reason"], "`seed` takes a number from 0, not -1");
    let explicit = session(&["--chance", "program"], "{\"snapshot\":true}\n{\"restore\":0,\"seed\":9}\n");
    assert_eq!(of_type(&explicit, "reject")[0]["reason"], "explicit chance has no seed");
}

#[test]
fn observations_and_transcript_can_be_left_out() {
    let messages = session(&["--seed", "5", "--observation", "none", "--no-log"], "{\"choose\":2}\n{\"choose\":1}\n");
    assert!(of_type(&messages, "decision").iter().all(|decision| decision.get("observation").is_none()));
    assert_eq!(of_type(&messages, "log").len(), 0);
    assert_ne!(of_type(&session(&["--seed", "5"], "{\"choose\":2}\n{\"choose\":1}\n"), "log").len(), 0);
    // A history is recorded with the log, which is not sent either.
    let lines = "{\"history\":0}\n{\"choose\":2}\n{\"choose\":1}\n{\"history\":0}\n";
    let messages = session(&["--seed", "5", "--no-log"], lines);
    assert_eq!((of_type(&messages, "history").len(), of_type(&messages, "log").len()), (2, 0));
    assert!(lode_with(&["stdio", "harvest", "--chance", "dice"], "").code(2).err.contains("program"));
}

#[test]
fn an_open_draw_accepts_no_answer_about_decisions() {
    let wrong = "{\"ask\":0}\n{\"why\":0}\n{\"redeal\":0,\"seed\":1}\n";
    let messages = session(&["--chance", "program"], wrong);
    let rejects = of_type(&messages, "reject");
    assert_eq!(rejects.len(), 3);
    assert!(rejects.iter().all(|one| one["reason"].as_str().unwrap().contains("draw")), "{}", json!(rejects));
}
