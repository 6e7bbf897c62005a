//! Goals, fractions of points, and cooperative games with a score alone.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::program::{Run, run};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/goals")
}

fn lode(arguments: &[&str], input: &str) -> Run {
    run(&folder(), arguments, input.as_bytes())
}

#[test]
fn the_games_have_no_fault() {
    lode(&["check"], "").code(0);
}

#[test]
fn a_program_receives_step_rewards() {
    let run = lode(&["stdio", "wager", "--seed", "1"], &"{\"choose\":\"label:sure\"}\n".repeat(6)).code(0);
    let said: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(said[0]["utility"], json!({ "goal": "score", "zero_sum": false, "range": [0, 1182], "unit": 2 }));
    let rewards: Vec<&Value> = said.iter().filter(|one| one["type"] == "decision").map(|one| &one["reward"]).collect();
    assert_eq!(rewards, [0, 0, 3, 3, 3, 3]);
    let end = said.last().unwrap();
    assert_eq!((&end["rewards"], &end["outcome"]["scores"]), (&json!([3, 3]), &json!([9, 9])));
    assert_eq!((&end["outcome"]["unit"], &end["outcome"]["ranks"]), (&json!(2), &json!([1, 1])));
}

#[test]
fn fractions_are_shown_as_such() {
    lode(&["play", "wager", "--seats", "first,first", "--seed", "1"], "").code(0).says("Left takes 1½.").says("4½");
    lode(&["sim", "wager", "--bots", "first", "--games", "20"], "").code(0).says("4.5").says("4½");
    let report = lode(&["sim", "wager", "--bots", "first", "--games", "20", "--format", "json"], "").code(0);
    let report: Value = serde_json::from_str(&report.out).unwrap();
    assert_eq!((&report["unit"], &report["seats"][0]["scores"]["max"]), (&json!(2), &json!(9)));
}

#[test]
fn the_arena_measures_the_lead_in_the_declared_score() {
    let bots = "plan:stake=sure,plan:stake=gamble";
    let run = lode(&["arena", "wager", "--bots", bots, "--blocks", "60"], "").code(0);
    let run = run.says("lead").says("the goal is `score`").says("scores better than");
    run.keeps_quiet_about("ranks above");
    let report = lode(&["arena", "wager", "--bots", bots, "--blocks", "60", "--format", "json"], "").code(0);
    let report: Value = serde_json::from_str(&report.out).unwrap();
    let of = |bot: usize, what: &str| report["bots"][bot][what]["value"].as_f64().unwrap();
    assert!(of(1, "lead") > 50.0 && of(0, "lead") < -50.0, "{report:#}");
    assert!((of(0, "score") - 4.5).abs() < 1e-9, "scores are in points");
    lode(&["arena", "wager", "--bots", bots, "--until", "0.4,0.6"], "")
        .code(2)
        .complains("`--until` compares win shares, but the goal of this game is `score`: use --blocks");
}

#[test]
fn a_cooperative_game_without_wins_shows_its_score() {
    lode(&["sim", "choir", "--games", "20"], "").code(0).says("│ score ").keeps_quiet_about("won:");
    lode(&["sim", "choir", "--games", "20", "--bots", "rollout:20"], "").code(0).says("12.0");
    lode(&["play", "choir", "--seats", "first", "--seed", "1"], "")
        .code(0)
        .says("Applause: ")
        .keeps_quiet_about("Won")
        .keeps_quiet_about("Place");
    lode(&["exploit", "choir"], "").code(2).complains("cooperative");
    let folder = tempfile::tempdir().unwrap();
    let value = folder.path().join("choir.value").display().to_string();
    let small = ["--players", "3", "--games", "60", "--iterations", "2", "--matches", "4"];
    lode(&[&["train", "choir", "--out", &value], &small[..]].concat(), "").code(0);
    lode(&["sim", "choir", "--games", "20", "--bots", &format!("learned:{value}")], "").code(0).says("12.0");
}
