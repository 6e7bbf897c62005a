use std::fs;

use serde_json::Value;

use super::program::{lode, run};

#[test]
fn a_summary_echoes_the_setup_and_shows_intervals() {
    lode(&["sim", "harvest", "--games", "40", "--seed", "3", "--option", "rounds=1", "--threads", "2"])
        .code(0)
        .says("harvest: 2 players, seed 3, rounds=1, weather=calm, 40 games")
        .says("decisions per game")
        .says("95 % interval")
        .says("50.0 %")
        .says("score of North")
        .says("games/s");
}

#[test]
fn the_summary_prints_json() {
    let run = lode(&["sim", "harvest", "--games", "20", "--format", "json"]).code(0);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["games"], 20);
    assert_eq!(report["setup"]["options"]["rounds"], 2);
    assert_eq!(report["seats"].as_array().unwrap().len(), 2);
}

#[test]
fn answers_to_a_prompt_are_counted() {
    const RUN: [&str; 5] = ["sim", "harvest", "--games", "60", "--answers"];
    let with = |more: &[&str]| lode(&[&RUN[..], more].concat());
    with(&["bid"]).code(0).says("answer to bid").says("count").keeps_quiet_about("answer to plant");
    with(&["plant", "--answers", "bid"]).code(0).says("rest").says("Nowhere").says("a1");
    with(&["plnt"]).code(2).complains("unknown prompt `plnt`; did you mean `plant`?");
    let data = |threads: &str| -> Value {
        let run = with(&["bid", "--answers", "plant", "--format", "json", "--threads", threads]).code(0);
        serde_json::from_str::<Value>(&run.out).unwrap()["answers"].clone()
    };
    let found = data("1");
    assert_eq!(found, data("3"));
    assert_eq!((&found[0]["prompt"], &found[1]["prompt"]), (&"bid".into(), &"plant".into()));
    for prompt in found.as_array().unwrap() {
        let answers = prompt["answers"].as_array().unwrap();
        let sum = |key: &str| answers.iter().map(|answer| answer[key].as_f64().unwrap()).sum::<f64>();
        assert_eq!(sum("count"), prompt["count"].as_f64().unwrap());
        assert!((sum("share") - 1.0).abs() < 1e-9);
        assert!(answers.windows(2).all(|pair| pair[0]["count"].as_u64() >= pair[1]["count"].as_u64()));
    }
    // Two players each bid one of three numbers in each of two rounds.
    assert_eq!((found[0]["count"].as_u64(), found[0]["answers"].as_array().unwrap().len()), (Some(240), 3));
    let run = lode(&["sim", "harvest", "--games", "5", "--format", "json"]).code(0);
    run.keeps_quiet_about("answers");
}

#[test]
fn rows_are_written_and_never_over_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("games.csv");
    let csv = csv.to_str().unwrap();
    let arguments = ["sim", "harvest", "--games", "12", "--seed", "9", "--out", csv];
    lode(&arguments).code(0).says("wrote a row per game to");
    let rows = fs::read_to_string(csv).unwrap();
    let lines: Vec<&str> = rows.lines().collect();
    assert_eq!(lines.len(), 13);
    assert_eq!(lines[0], "index,seed,players,rounds,decisions,reason,aborted,score_1,score_2,rank_1,rank_2");
    assert!(lines[1].starts_with("0,"));
    lode(&arguments).code(2).complains("exists: overwrite it with --force");
    assert_eq!(fs::read_to_string(csv).unwrap(), rows);
    // The same seed gives the same rows for any number of threads.
    lode(&[&arguments[..], &["--force", "--threads", "1"]].concat()).code(0);
    assert_eq!(fs::read_to_string(csv).unwrap(), rows);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn rows_may_be_json_lines() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    lode(&["sim", "harvest", "--games", "3", "--out", file.to_str().unwrap()]).code(0);
    let rows: Vec<Value> =
        fs::read_to_string(&file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[2]["index"], 2);
    assert_eq!(rows[2]["rank_2"].as_u64().unwrap() + rows[2]["rank_1"].as_u64().unwrap(), 3);
}

#[test]
fn a_row_may_be_a_decision_and_a_file_parquet() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = ["sim", "harvest", "--games", "3", "--rows", "decisions", "--out"];
    let csv = at("decisions.csv");
    lode(&[&run[..], &[&csv]].concat()).code(0).says("wrote a row per decision");
    let rows = fs::read_to_string(csv).unwrap();
    let mut lines = rows.lines();
    assert_eq!(lines.next(), Some("game,seed,decision,round,seat,bot,prompt,question,choices,choice,answer,label"));
    let games = at("games.jsonl");
    lode(&["sim", "harvest", "--games", "3", "--out", &games]).code(0);
    let decisions = |line: &str| serde_json::from_str::<Value>(line).unwrap()["decisions"].as_u64().unwrap();
    let all: u64 = fs::read_to_string(games).unwrap().lines().map(decisions).sum();
    assert_eq!(lines.count() as u64, all);
    let parquet = at("decisions.parquet");
    lode(&[&run[..], &[&parquet]].concat()).code(0);
    let bytes = fs::read(parquet).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
}

#[test]
fn a_game_of_a_simulation_can_be_watched_by_its_seed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    lode(&["sim", "harvest", "--games", "1", "--bots", "random", "--out", file.to_str().unwrap()]).code(0);
    let row: Value = serde_json::from_str(fs::read_to_string(&file).unwrap().trim()).unwrap();
    let save = folder.path().join("match.json");
    let seed = row["seed"].to_string();
    lode(&["play", "harvest", "--seats", "random", "--seed", &seed, "--save", save.to_str().unwrap()]).code(0);
    let replay: Value = serde_json::from_str(&fs::read_to_string(&save).unwrap()).unwrap();
    assert_eq!(replay["outcome"]["scores"][0], row["score_1"]);
}

#[test]
fn file_names_and_numbers_are_checked_before_the_games() {
    lode(&["sim", "harvest", "--out", "games.txt"])
        .code(2)
        .complains("has no known extension: use .csv, .jsonl or .parquet");
    lode(&["sim", "harvest", "--out", "/nowhere/at/all.csv"]).code(2).complains("cannot write");
    lode(&["sim", "harvest", "--games", "0"]).code(2);
    lode(&["sim", "harvest", "--games", "many"]).code(2);
    lode(&["sim", "harvest", "--threads", "0"]).code(2);
    lode(&["sim", "harvest", "--force"]).code(2);
}

#[test]
fn aborted_games_are_counted_with_reason_and_seed_and_fail() {
    lode(&["sim", "stumble", "--games", "20"])
        .code(1)
        .says("aborted")
        .says("fell into the pit")
        .says("reproduce with: lode play stumble --players 1")
        .complains("aborted");
}

#[test]
fn a_rollout_reports_its_cost() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| motherlode_fixtures::write(folder.path().join(path), text);
    write(
        "content/wide/game.toml",
        "name = \"Wide\"\nversion = \"1.0.0\"\nplayers = { min = 1, max = 2, default = 1 }\n\
         seats = [{ name = \"Ann\" }, { name = \"Bob\" }]\n\
         counters.points = { per = \"player\", text = \"Points\" }\noutcome = { score = \"points\" }\n",
    );
    write("content/wide/phases.toml", "[act]\nname = \"Act\"\nturns = \"around\"\nprompt = \"pick\"\n");
    write("content/wide/prompts.toml", "[pick]\ntext = \"Pick.\"\n");
    let script = |choices: u32| {
        let offer = format!("offer = function() for n = 1, {choices} do choice(n) end end");
        write(
            "scripts/wide/phases.luau",
            &format!(
                "return {{ act = {{ {offer}, act = function(player, n) set(player, \"points\", n) end_game() end }} }}"
            ),
        );
    };
    let sim = |bot: &str| run(folder.path(), &["sim", "wide", "--games", "1", "--bots", bot], b"").code(0);
    script(1001);
    let told = "note: rollout:2 plays 2 games per choice, with up to 1001 choices: `flat:B` plays B games";
    sim("rollout:2").complains(told);
    sim("plan:7+base=rollout:2").complains(told);
    assert_eq!(sim("flat:20").err, "");
    let page =
        ["report", "wide", "--bots", "rollout:2", "--blocks", "2", "--forks", "1", "--follow", "0", "--out", "p.html"];
    run(folder.path(), &page, b"").code(0).complains(told);
    let exploit = ["exploit", "wide", "--players", "2", "--against", "rollout:2", "--blocks", "2", "--tried", "1"];
    run(folder.path(), &exploit, b"").complains(told);
    let ladder = ["arena", "wide", "--players", "2", "--ladder", "rollout:1..2", "--blocks", "2"];
    run(folder.path(), &ladder, b"").code(0).complains(told);
    script(1000);
    assert_eq!(sim("rollout:2").err, "");
}
