use std::fs;
use std::path::Path;

use motherlode_fixtures::write;
use serde_json::Value;

use super::lab::{FAILURE, copy, fail};
use super::program::{Run, lode, run};

/// A project folder with the game and this `balance.toml`.
fn with(text: &str) -> tempfile::TempDir {
    let own = tempfile::tempdir().unwrap();
    copy(own.path());
    write(own.path().join("tests/harvest/balance.toml"), text);
    own
}

fn at(root: &Path, arguments: &[&str]) -> Run {
    run(root, arguments, b"")
}

const FILE: &str = r#"
bots = "random"

[plans.gamblers]
prefer = ["bid=most"]

[plans.idlers]
prefer = ["plant=rest", "bid=least"]

[[expect]]
share = "seats"
between = [20, 80]

[[expect]]
text = "Whoever does nothing gets nowhere"
bots = ["plan:idlers", "plan:gamblers"]
share = "plan:idlers"
at_least = 90
"#;

#[test]
fn the_best_bot_of_a_game_is_found_and_written() {
    let own = with("# Notes\nplayers = 2\n");
    let find = ["arena", "harvest", "--best", "--blocks", "4", "--limit", "1000", "--write"];
    at(own.path(), &find).code(0).says("the strongest bot is ").says("wrote it into tests/harvest/balance.toml");
    let text = fs::read_to_string(own.path().join("tests/harvest/balance.toml")).unwrap();
    assert!(text.starts_with("# Notes\nbest = \"") && text.ends_with("\"\nplayers = 2\n"), "{text}");
    let effects = ["effects", "harvest", "--blocks", "2", "--forks", "0"];
    write(own.path().join("tests/harvest/balance.toml"), "best = \"first\"\n");
    at(own.path(), &effects).code(0).says("of first (the game's best bot, the default)");
    write(own.path().join("tests/harvest/balance.toml"), "players = 2\nbest = \"serch:9\"\n");
    at(own.path(), &effects).code(1).complains("tests/harvest/balance.toml:2:8").complains("did you mean `search:9`?");
}

#[test]
fn expectations_are_played_and_reported() {
    let own = with(FILE);
    at(own.path(), &["test", "harvest", "--balance"])
        .code(1)
        .says("passed share of seats from 20 to 80 %")
        .says("failed share of plan:idlers at least 90 %")
        .says("tests/harvest/balance.toml:14")
        .says("Whoever does nothing gets nowhere")
        .complains("1 passed, 1 failed, 0 undecided");
    let told = at(own.path(), &["test", "--balance", "--filter", "seats", "--format", "json", "-t", "1"]).code(0).out;
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((told[0]["judgement"].as_str(), told[0]["line"].as_u64()), (Some("passed"), Some(10)), "{told:#}");
    at(own.path(), &["test", "--balance", "--filter", "nothing of the sort"])
        .code(2)
        .complains("no expectation contains");
    lode(&["test", "harvest", "--balance"]).code(2).complains("with an [[expect]]");
}

#[test]
fn an_undecided_expectation_is_no_pass() {
    // Nobody can tell an even share from 49 % after 16 games.
    let expect = "bots = \"random\"\ngames = 16\n[[expect]]\nshare = \"seats\"\nbetween = [49, 51]\n";
    let own = with(expect);
    at(own.path(), &["test", "harvest", "--balance"])
        .code(3)
        .says("undecided share of seats from 49 to 51 %")
        .complains("undecided: 0 passed, 0 failed, 1 undecided: raise `games`");
    let told = at(own.path(), &["test", "--balance", "--format", "json"]).code(3).out;
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told[0]["judgement"], "undecided", "{told:#}");
    // A failure outweighs what is undecided.
    let own = with(&format!("{expect}[[expect]]\nlength = \"decisions\"\nat_most = 1\n"));
    at(own.path(), &["test", "harvest", "--balance"]).code(1).complains("0 passed, 1 failed, 1 undecided");
}

#[test]
fn failed_games_are_reported_with_exit_code_1() {
    let own = with(FILE);
    fail(own.path());
    at(own.path(), &["test", "--balance", "--filter", "seats"])
        .code(1)
        .says(FAILURE)
        .complains("0 passed, 0 failed, 1 undecided; share of seats from 20 to 80 %: ")
        .complains("games aborted, first with seed ")
        .complains(FAILURE);
}

#[test]
fn plans_have_names_and_faults_have_places() {
    let own = with(FILE);
    at(own.path(), &["arena", "harvest", "--bots", "plan:gamblers,random+never=bid=0", "--blocks", "10"])
        .code(0)
        .says("plan:bid=most")
        .says("random+never=bid=0");
    at(own.path(), &["sim", "harvest", "--bots", "plan:gamblers", "--games", "2"]).code(0).says("plan:bid=most");
    at(own.path(), &["play", "harvest", "--seats", "plan:idlers,random"]).code(0).says("plan:plant=rest/bid=least");
    at(own.path(), &["arena", "harvest", "--bots", "plan:gambler"]).code(2).complains("did you mean `plan:gamblers`?");
    at(own.path(), &["sim", "harvest", "--bots", "plan:nope"])
        .code(2)
        .complains("no choice is named `nope`; the plans are plan:gamblers, plan:idlers");
    lode(&["sim", "harvest", "--bots", "plan:nope"]).code(2).complains("and the game has no plans");
    at(own.path(), &["check"]).code(0).says("ok");
    let wrong = with(&FILE.replace("bid=most", "bidd=most").replace("between", "betwen"));
    at(wrong.path(), &["check"])
        .code(1)
        .says("balance.toml:5:")
        .says("did you mean `bid`?")
        .says("did you mean `between`?");
    at(wrong.path(), &["test", "--balance"]).code(1).complains("did you mean `bid`?");
    let far = with(&FILE.replace("between = [20, 80]", "between = [20, 180]"));
    at(far.path(), &["check"]).code(1).says("balance.toml:12:").says("is measured in percent: from 0 to 100");
    at(own.path(), &["test", "--balance", "--games", "3"]).code(2).complains("--games");
}

#[test]
fn a_plan_extends_an_earlier_plan() {
    let based = |base: &str| {
        with(&FILE.replace("prefer = [\"plant=rest\"", &format!("base = \"{base}\"\nprefer = [\"plant=rest\"")))
    };
    let own = based("plan:gamblers");
    let both = "plan:plant=rest/bid=least+base=plan:bid=most";
    at(own.path(), &["play", "harvest", "--seats", "plan:idlers,random"]).code(0).says(both);
    at(own.path(), &["play", "harvest", "--seats", "plan:plant=rest/bid=least+base=plan:gamblers,random"])
        .code(0)
        .says(both);
    for later in ["idlers", "sleepers"] {
        let own = based(&format!("plan:{later}"));
        let file = own.path().join("tests/harvest/balance.toml");
        let text = fs::read_to_string(&file).unwrap() + "\n[plans.sleepers]\nprefer = [\"plant=rest\"]\n";
        fs::write(file, text).unwrap();
        at(own.path(), &["check"]).code(1).says(&format!("`plan:{later}` is not defined before this plan"));
    }
}

#[test]
fn exploit_names_the_plans_that_beat_a_bot() {
    let save = tempfile::tempdir().unwrap();
    let file = save.path().join("best.json");
    let shown = file.display().to_string();
    let arguments = ["exploit", "harvest", "--against", "random", "--steps", "1", "--blocks", "20", "--finalists", "3"];
    lode(&[&arguments[..], &["--save", &shown]].concat())
        .code(0)
        .says("against random; even is 50.0 %")
        .says("beats it")
        .says("plans tried");
    lode(&["replay", &shown]).code(0);
    let report: Value =
        serde_json::from_str(&lode(&[&arguments[..], &["--format", "json"]].concat()).code(0).out).unwrap();
    assert_eq!(report["plans"].as_array().unwrap().len(), 3, "{report:#}");
    lode(&["exploit", "harvest", "--against", "rolout:4"]).code(2).complains("did you mean `rollout:4`?");
    lode(&["exploit", "harvest", "--save", &shown]).code(2).complains("name a file that does not exist yet");
    lode(&["exploit", "harvest", "--save", "/nope/x.json"]).code(2).complains("there is no folder `/nope`");
}
