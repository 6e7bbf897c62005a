//! Simultaneous questions and shared results, as the program shows them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::program::{Run, run};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/deciding")
}

fn lode(arguments: &[&str], input: &str) -> Run {
    run(&folder(), arguments, input.as_bytes())
}

#[test]
fn a_cooperative_game_has_one_result() {
    lode(&["sim", "island", "--games", "50"], "")
        .code(0)
        .says("│ score ")
        .says("\nwon: ")
        .says(" of 50 games, 95 % interval ")
        .keeps_quiet_about("if even");
    let report: Value =
        serde_json::from_str(&lode(&["sim", "island", "--games", "50", "--format", "json"], "").code(0).out).unwrap();
    assert_eq!(
        report["won"]["games"],
        report["seats"][0]["wins"].as_u64().unwrap() + report["seats"][0]["shared"].as_u64().unwrap()
    );
    let played = lode(&["play", "island", "--seats", "random", "--seed", "1"], "").code(0);
    assert!(played.out.contains("\nWon, Treasure: 6\n") || played.out.contains("\nLost, Treasure: "), "{}", played.out);
    played.says("│ Player   Played by │").keeps_quiet_about("Place");
}

#[test]
fn teams_appear_in_the_result_table() {
    lode(&["play", "partners", "--seats", "random", "--seed", "3"], "")
        .code(0)
        .says("│ Place   Player   Played by   Side    Prizes │")
        .says("north");
    lode(&["sim", "partners", "--games", "50"], "").code(0).says("50.0 %").says("if even");
}

/// A program answers all pending questions in any order. The answers are revealed together.
#[test]
fn a_program_answers_for_all_seats_at_once() {
    let raid = "{\"choose\":\"token:cards.militia@hand.1[of=1]\"}\n";
    let answers =
        "{\"choose\":0,\"seat\":2}\n{\"choose\":0,\"seat\":2}\n{\"observe\":1}\n{\"choose\":1}\n{\"quit\":true}\n";
    let run = lode(&["stdio", "raiders", "--players", "3", "--seed", "3"], &[raid, answers].concat()).code(0);
    let said: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| said.iter().filter(|message| message["type"] == name).collect::<Vec<_>>();
    let decisions = of("decision");
    assert_eq!((&decisions[1]["pending"], &decisions[1]["prompt"]), (&json!([1, 2]), &json!("discard")));
    assert_eq!(decisions[1]["observation"]["player"], Value::Null);
    assert_eq!((&decisions[2]["pending"], &decisions[2]["seat"]), (&json!([1]), &json!(1)));
    assert_eq!(of("reject")[0]["reason"], "seat 2 has nothing to decide now: use 1");
    assert_eq!(
        of("observation")[0]["observation"]["players"][2]["zones"]["hand"]["count"],
        5,
        "not told before all have answered"
    );
    assert_eq!(decisions[3]["pending"], json!([1, 2]), "and once more");
    let logs: Vec<&str> = of("log").iter().map(|log| log["text"].as_str().unwrap()).collect();
    let at = |text: &str| logs.iter().position(|log| log.starts_with(text)).unwrap();
    assert!(
        at("Cedar: Ash raid.") < at("Birch: Ash raid.") && at("Birch: Ash raid.") < at("Birch discard"),
        "{logs:?}"
    );
}

/// Two people at one terminal answer a simultaneous question.
#[test]
fn people_at_one_terminal_answer_in_turn() {
    lode(&["play", "raiders", "--players", "3", "--seed", "3", "--seats", "human,human,human"], "1\n1\n1\n1\n1\nq\n")
        .code(0)
        .says("Birch: Ash raid. Which card do you discard?")
        .says("Cedar: Ash raid. Which card do you discard?")
        .says("Birch discard ");
}
