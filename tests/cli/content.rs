use std::fs;

use motherlode_fixtures::copy;
use serde_json::Value;

use super::program::{Run, broken, lode, packs, run};
use crate::shipped::root;

fn broken_lode(arguments: &[&str]) -> Run {
    run(&broken(), arguments, b"")
}

#[test]
fn games_lists_players_and_options_with_their_ranges() {
    lode(&["games"])
        .code(0)
        .says("harvest  Harvest 0.1.0")
        .says("2 to 3 players (default 2)")
        .says("--option rounds=2")
        .says("1..4")
        .says("calm, stormy")
        .says("(can be set with 2 players only)");
}

#[test]
fn bots_are_listed_once_and_named_in_help() {
    lode(&["bots"]).code(0).says("rollout:N").says("plays N random games from each choice").says("plan:NAME");
    let list: Value = serde_json::from_str(&lode(&["bots", "--format", "json"]).code(0).out).unwrap();
    assert_eq!((&list[0]["bot"], &list[0]["plays"]), (&"random".into(), &"picks uniformly at random".into()));
    for command in ["sim", "compare"] {
        lode(&[command, "--help"]).code(0).says("rollout:N, flat:B, ").says("plan:NAME; `lode bots` explains them");
    }
}

#[test]
fn games_prints_json() {
    let run = lode(&["games", "--format", "json"]).code(0);
    let list: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(list[1]["id"], "harvest");
    assert_eq!(list[1]["players"]["max"], 3);
    assert_eq!(list[1]["options"]["rounds"]["default"], 2);
}

#[test]
fn games_names_a_broken_game_and_fails() {
    broken_lode(&["games"]).code(1).says("garden").says("cannot be played").complains("lode check garden");
}

#[test]
fn check_passes_good_content() {
    // `stumble` fails on purpose.
    lode(&["check"]).code(1).says("boards: ok").says("harvest: ok").says("stumble: 1 error");
    lode(&["check", "harvest"]).code(0).says("harvest: ok").keeps_quiet_about("boards");
    let run = lode(&["check", "harvest", "--format", "json"]).code(0);
    assert_eq!(run.out.trim(), "[]");
}

#[test]
fn check_reports_faults_of_value_files() {
    let own = tempfile::tempdir().unwrap();
    super::lab::copy(own.path());
    let file = own.path().join("content/harvest/learned.value");
    let name = file.to_str().unwrap();
    let train =
        ["train", "harvest", "--games", "2", "--iterations", "1", "--matches", "1", "--keep-bad", "--out", name];
    run(own.path(), &train, b"").code(0);
    let check = |code: i32| run(own.path(), &["check", "harvest"], b"").code(code);
    check(0).says("harvest: ok");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("\nseed ", "\nsede ", 1)).unwrap();
    check(1)
        .says("missing `seed`")
        .says("content/harvest/learned.value:4:1")
        .says("lode train harvest --out content/harvest/learned.value --force");
    fs::write(&file, "name = \"Harvest\"\n").unwrap();
    check(1).says("not a learned value");
    lode(&["check", "--explain", "damaged-value"]).code(0).says("lode train");
}

#[test]
fn check_warns_of_tests_that_name_no_rule() {
    let own = tempfile::tempdir().unwrap();
    super::lab::copy(own.path());
    let tests = own.path().join("tests/harvest");
    fs::create_dir_all(&tests).unwrap();
    fs::write(tests.join("far.luau"), "return {\n    [\"H-99 the harvest\"] = function(t) end,\n}\n").unwrap();
    run(own.path(), &["check", "harvest"], b"")
        .code(0)
        .says("warning[unknown-rule]: `rules.md` has no rule `H-99`")
        .says("tests/harvest/far.luau:2:7")
        .says("the nearest rule is `H-");
}

#[test]
fn codes_are_explained() {
    lode(&["check", "--explain", "unused-field"]).code(0).says("No script reads").says("Bad:").says("Good:");
    lode(&["check", "--explain", "unknown-key"]).code(0).says("visibel");
    lode(&["check", "--explain", "unused-feild"])
        .code(2)
        .complains("did you mean `unused-field`?")
        .complains("wrong-type");
}

#[test]
fn check_shows_all_faults_at_once() {
    broken_lode(&["check"])
        .code(1)
        .says("content/garden/game.toml:")
        .says("did you mean `player`?")
        .says("did you mean `score`?")
        .says("content/garden/phases.toml:4:10")
        .says("garden: 5 errors");
}

#[test]
fn check_prints_faults_as_json() {
    let run = broken_lode(&["check", "--format", "json"]).code(1);
    let list: Value = serde_json::from_str(&run.out).unwrap();
    let list = list.as_array().unwrap();
    assert!(list.len() >= 3, "{list:#?}");
    let fault = list.iter().find(|fault| fault["message"].as_str().unwrap().contains("plyer")).unwrap();
    assert_eq!(fault["game"], "garden");
    assert_eq!(fault["severity"], "error");
    assert_eq!(fault["file"], "content/garden/game.toml");
    assert_eq!(fault["line"], 12);
    assert_eq!((&fault["code"], &fault["column"]), (&Value::from("unknown-kind"), &Value::from(7)));
    assert_eq!(fault["help"], "did you mean `player`?");
    for fault in list {
        assert!(fault["code"].is_string() && fault["message"].is_string() && fault["start"].is_number(), "{fault}");
        assert!(fault["line"].is_number() && fault["column"].is_number() && fault.get("help").is_some(), "{fault}");
    }
}

#[test]
fn a_broken_game_cannot_be_played() {
    for command in ["play", "sim", "stdio", "rules"] {
        broken_lode(&[command, "garden"]).code(1).complains("`garden` cannot be played").complains("game.toml:12");
    }
}

#[test]
fn check_takes_a_folder_of_games() {
    let folder = packs();
    run(&broken(), &["check", folder.to_str().unwrap()], b"").code(1).says("harvest: ok").says("stumble: 1 error");
}

#[test]
fn rules_are_printed_by_section_or_by_number() {
    lode(&["rules", "harvest"]).code(0).says("1. Bidding\n  H-1").says("2. Planting\n  H-3");
    lode(&["rules", "harvest", "H-2"]).code(0).says("A bid is gained in corn.").keeps_quiet_about("H-1");
    lode(&["rules", "harvest", "h-2"]).code(0).says("H-2");
    lode(&["rules", "harvest", "3"]).code(0).says("H-3");
    lode(&["rules", "harvest", "H-9"]).code(2).complains("there is no rule `H-9`; the rules are H-1 to H-3");
    lode(&["rules", "harvest", "saloon"])
        .code(2)
        .complains("`saloon` is no rule number; the rules are H-1 to H-3; print them with `lode rules harvest`");
    lode(&["rules", "harvest", "H-2x"]).code(2).complains("did you mean `H-2`?");
    let photon = |number: &str| run(root(), &["rules", "photon", number], b"");
    let ranges = "there is no rule `P-999`; the rules are P-1 to P-55, T-P1 to T-P21 and Q1 to Q19";
    photon("P-999").code(2).complains(ranges);
    photon("P-14").code(2).complains("there is no rule `P-14`; the nearest are P-13 and P-15");
    photon("q-3").code(0).says("Q3");
    lode(&["rules", "boards"]).code(1).complains("has no rules.md");
}

#[test]
fn tests_pass_or_fail_and_can_be_filtered() {
    lode(&["test", "harvest"]).code(0).says("harvest: 2 passed, 0 failed").says("ok: 2 tests passed");
    lode(&["test", "harvest", "--filter", "H-3"]).code(0).says("1 passed");
    lode(&["test", "stumble"])
        .code(1)
        .says("failed the pit is safe too")
        .says("tests/stumble/walk.luau:11")
        .says("1 passed, 1 failed")
        .complains("1 test failed");
    lode(&["test"]).code(1).says("harvest: 2 passed").says("stumble: 1 passed, 1 failed");
    lode(&["test", "harvest", "--filter", "zebra"]).code(2).complains("no test name contains `zebra`");
    lode(&["test", "boards"]).code(2).complains("there are no tests");
}

#[test]
fn a_failure_shows_its_line_the_position_and_the_script() {
    lode(&["test", "stumble"]).code(1).says("11 | ").says("phase walk (scripts/stumble/phases.luau:").says("is asked");
}

#[test]
fn coverage_counts_exercised_items() {
    lode(&["test", "harvest", "--coverage", "--games", "20"])
        .code(0)
        .says("exercised")
        .keeps_quiet_about("never phases");
    let run = lode(&["test", "harvest", "--coverage", "--games", "0", "--filter", "H-3", "--format", "json"]).code(0);
    let data: Value = serde_json::from_str(&run.out).unwrap();
    let rows = data["harvest"].as_array().unwrap();
    let row = |sort: &str| rows.iter().find(|row| row["sort"] == sort).unwrap();
    assert_eq!(row("phases")["all"], 4);
    assert_eq!(row("cards")["all"], 2);
    assert!(row("functions")["all"].as_u64().unwrap() >= 5, "{data:#}");
    lode(&["test", "harvest", "--games", "5"]).code(2);
}

#[test]
fn a_project_folder_is_tested_by_its_path() {
    let own = tempfile::tempdir().unwrap();
    copy(&packs(), own.path(), &["content/stumble", "scripts/stumble", "tests/stumble"]);
    let folder = own.path().to_str().unwrap();
    lode(&["test", folder, "--filter", "path"]).code(0).says("stumble: 1 passed");
    lode(&["sim", folder, "--games", "1", "--bots", "first"]).code(0);
}
