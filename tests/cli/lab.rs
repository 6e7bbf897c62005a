use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::program::{lode, packs, run};

#[test]
fn the_arena_ranks_bots_and_prices_their_decisions() {
    lode(&["arena", "harvest", "--bots", "random,first", "--blocks", "40"])
        .code(0)
        .says("harvest: 2 players, seed 1, rounds=2, weather=calm, 40 blocks, 80 games")
        .says("a decision")
        .says("µs")
        .says("stands above")
        .says("seat 1: North")
        .says("even is 50.0 %");
    let data = |threads: &str| -> Value {
        let arguments =
            ["arena", "harvest", "--bots", "random,first", "--blocks", "40", "--format", "json", "--threads", threads];
        let mut report: Value = serde_json::from_str(&lode(&arguments).code(0).out).unwrap();
        assert!(report["cost"][0]["microseconds"].as_f64().unwrap() > 0.0);
        report["cost"].take();
        report
    };
    let report = data("1");
    assert_eq!(report, data("3"));
    // Whoever takes the first choice never bids.
    assert!(report["bots"][0]["share"]["interval"]["low"].as_f64().unwrap() > 0.5, "{report:#}");
}

#[test]
fn a_sequential_arena_and_a_ladder_say_what_they_found() {
    let until = ["arena", "harvest", "--bots", "random,first", "--blocks", "300", "--until", "0.5,0.7"];
    lode(&until).code(0).says("sequential test of random: rather 70.0 % than 50.0 %");
    lode(&["arena", "harvest", "--ladder", "rollout:1..4", "--blocks", "4"])
        .code(0)
        .says("rollout:2")
        .says("rollout:4");
    lode(&["arena", "harvest", "--ladder", "random"]).code(2).complains("a ladder is `rollout:2..32`");
    lode(&["arena", "harvest", "--until", "0.7,0.5"]).code(2).complains("the smaller one first");
    lode(&["arena", "harvest", "--bots", "randon"]).code(2).complains("did you mean `random`?");
}

/// A copy of the game in a folder of its own.
pub fn copy(to: &Path) {
    for room in ["content", "scripts"] {
        let to = to.join(room).join("harvest");
        fs::create_dir_all(&to).unwrap();
        for file in fs::read_dir(packs().join(room).join("harvest")).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
    }
}

pub fn edit(root: &Path, from: &str, to: &str) {
    let script = root.join("scripts/harvest/phases.luau");
    let text = fs::read_to_string(&script).unwrap();
    assert!(text.contains(from));
    fs::write(script, text.replace(from, to)).unwrap();
}

const COMPARE: [&str; 6] = ["compare", "harvest", "--blocks", "30", "--bots", "random"];

#[test]
fn an_edit_is_compared_with_a_folder_and_with_a_revision() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    copy(root);
    let here = |more: &[&str]| run(root, &[&COMPARE[..], more].concat(), b"");
    let base = packs();
    let base = base.to_str().unwrap();
    here(&["--base", base]).code(0).says("30 of 30 pairs came out the same").says("sequential test");
    let git = |arguments: &[&str]| {
        let author = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let done = Command::new("git").arg("-C").arg(root).args(author).args(arguments).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "Begin"]);
    // What is planted is worth three more; only what it does differs, no answer.
    edit(root, "gain(player, \"corn\", 1)", "gain(player, \"corn\", 4)");
    for base in [base, "git:HEAD"] {
        here(&["--base", base]).code(0).says("the score differs by").says("differs").says("all answers are the same");
    }
    let save = root.join("first.json");
    here(&["--base", "git:HEAD", "--save", save.to_str().unwrap()]).code(0).says("first.base.json");
    run(root, &["replay", save.to_str().unwrap(), "--verify"], b"").code(0).says("verified");
    here(&["--base", "git:nowhere"]).code(2).complains("`nowhere` is neither a folder nor a revision");
    here(&[]).code(2).complains("nothing to compare");
}

#[test]
fn effects_say_what_is_worth_taking() {
    let effects = ["effects", "harvest", "--bots", "random", "--blocks", "80", "--forks", "80", "--format", "json"];
    let report: Value = serde_json::from_str(&lode(&effects).code(0).out).unwrap();
    let items = report["items"].as_array().unwrap();
    let rest = items.iter().find(|item| item["sort"] == "plant" && item["name"] != "").unwrap();
    assert!(rest["forks"].as_f64().unwrap() > 30.0, "{rest}");
    // To rest costs a corn, always.
    let points = &rest["points"];
    assert!((points["value"].as_f64().unwrap() + 1.0).abs() < 0.3, "{rest}");
    lode(&effects[..8]).code(0).says("offered").says("picked");
}

#[test]
fn a_report_is_one_file_the_same_to_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("harvest.html");
    let page = page.to_str().unwrap();
    let report = [
        "report",
        "harvest",
        "--bots",
        "random,rollout:2",
        "--blocks",
        "12",
        "--forks",
        "5",
        "--ladder",
        "rollout:1..2",
        "--out",
        page,
    ];
    lode(&report).code(0).says("wrote");
    let text = fs::read_to_string(page).unwrap();
    assert!(text.len() < 500_000 && text.starts_with("<!DOCTYPE html>"));
    for part in
        ["name=\"viewport\"", "<svg", "Played by rollout:2", "lode report harvest --players 2", "harvest-closest.json"]
    {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("http"), "it needs nothing from elsewhere");
    lode(&report).code(2).complains("exists; --force overwrites it");
    lode(&[&report[..], &["--force", "--threads", "1"]].concat()).code(0);
    assert_eq!(fs::read_to_string(page).unwrap(), text);
    let replay = folder.path().join("harvest-longest.json");
    lode(&["replay", replay.to_str().unwrap(), "--verify"]).code(0).says("verified");
}
