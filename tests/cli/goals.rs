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

/// The JSON that a command prints.
fn data(folder: &Path, arguments: &[&str]) -> Value {
    let run = run(folder, &[arguments, &["--format", "json"]].concat(), b"").code(0);
    serde_json::from_str(&run.out).unwrap()
}

/// A copy of the games in which `from` in a file is `to`.
fn edited(file: &str, from: &str, to: &str) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    motherlode_fixtures::copy_folder(&folder(), copy.path());
    let text = std::fs::read_to_string(copy.path().join(file)).unwrap();
    assert!(text.contains(from), "{file} has no `{from}`");
    std::fs::write(copy.path().join(file), text.replace(from, to)).unwrap();
    copy
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
    let decisions: Vec<&Value> = said.iter().filter(|one| one["type"] == "decision").collect();
    assert_eq!(decisions.iter().map(|one| &one["reward"]).collect::<Vec<_>>(), [0, 0, 3, 3, 3, 3]);
    let is_in_halves = |one: &&Value| one["unit"] == 2 && one["observation"]["units"] == json!({ "points": 2 });
    assert!(decisions.iter().all(is_in_halves), "the unit stands beside the number");
    let end = said.last().unwrap();
    assert_eq!((&end["rewards"], &end["outcome"]["scores"]), (&json!([3, 3]), &json!([9, 9])));
    assert_eq!(end["unit"], 2);
    assert_eq!((&end["outcome"]["unit"], &end["outcome"]["ranks"]), (&json!(2), &json!([1, 1])));
}

#[test]
fn fractions_are_shown_as_such() {
    lode(&["play", "wager", "--seats", "first,first", "--seed", "1"], "").code(0).says("Left takes 1½.").says("4½");
    lode(&["sim", "wager", "--bots", "first", "--games", "20"], "").code(0).says("4.5").says("4½");
    let report = data(&folder(), &["sim", "wager", "--bots", "first", "--games", "20"]);
    let scores = &report["seats"][0]["scores"];
    assert_eq!((&scores["unit"], &scores["max"], &scores["mean"]), (&json!(2), &json!(9), &json!(9.0)));
    let copy = tempfile::tempdir().unwrap();
    let (replay, rows) = (copy.path().join("match.json"), copy.path().join("rows.csv"));
    let [replay, rows] = [&replay, &rows].map(|path| path.display().to_string());
    lode(&["play", "wager", "--seats", "first,first", "--seed", "1", "--save", &replay], "").code(0);
    lode(&["replay", &replay], "").code(0).says("takes 1½").says("4½");
    let saved: Value = serde_json::from_str(&std::fs::read_to_string(&replay).unwrap()).unwrap();
    assert_eq!((&saved["outcome"]["scores"], &saved["outcome"]["unit"]), (&json!([9, 9]), &json!(2)));
    lode(&["sim", "wager", "--bots", "first", "--games", "2", "--out", &rows], "").code(0);
    let rows = std::fs::read_to_string(&rows).unwrap();
    assert!(
        rows.lines().next().unwrap().ends_with("unit") && rows.lines().nth(1).unwrap().ends_with(",9,9,1,1,2"),
        "{rows}"
    );
    let dear = edited("scripts/wager/phases.luau", "local taken = 3", "local taken = 5");
    let base = folder().display().to_string();
    let compare = ["compare", "wager", "--base", &base, "--bots", "first", "--blocks", "4"];
    run(dear.path(), &compare, b"").code(0).says("scores 4½:4½ became 7½:7½");
    assert_eq!(data(dear.path(), &compare)["first"]["unit"], 2);
}

#[test]
fn a_simulation_shows_the_declared_goal() {
    let bots = ["--bots", "plan:stake=sure,plan:stake=gamble", "--games", "300"];
    let sim = |folder: &Path| run(folder, &[&["sim", "wager"][..], &bots].concat(), b"").code(0);
    let run = sim(&folder()).says("the goal is the score").says("better").says("worse");
    run.keeps_quiet_about("if even");
    let margin = edited("content/wager/game.toml", "goal = \"score\"", "goal = \"margin\"");
    sim(margin.path()).says("the goal is the margin").keeps_quiet_about("if even");
    let report = data(margin.path(), &[&["sim", "wager"][..], &bots].concat());
    let of = |seat: usize| (report["seats"][seat]["lead"]["mean"].as_f64().unwrap(), &report["seats"][seat]["margins"]);
    // For two players the lead is twice the margin.
    let ((lead, margins), (other, _)) = (of(1), of(0));
    assert!((lead - margins["mean"].as_f64().unwrap()).abs() < 1e-6 && (lead + other).abs() < 1e-6, "{report:#}");
    let rank = edited("content/wager/game.toml", "goal = \"score\"", "goal = \"rank\"");
    sim(rank.path()).says("if even").keeps_quiet_about("the goal is");
}

#[test]
fn every_experiment_judges_by_the_declared_goal() {
    let goals = [("rank", "win share"), ("score", "score"), ("margin", "margin")];
    for (goal, quantity) in goals {
        let game = edited("content/wager/game.toml", "goal = \"score\"", &format!("goal = \"{goal}\""));
        let dear = edited("scripts/wager/phases.luau", "394", "500");
        std::fs::copy(game.path().join("content/wager/game.toml"), dear.path().join("content/wager/game.toml"))
            .unwrap();
        let base = game.path().display().to_string();
        let lode = |folder: &Path, arguments: &[&str]| {
            let run = run(folder, arguments, b"").code(0).says(quantity);
            if goal == "rank" { run } else { run.keeps_quiet_about("win share") }
        };
        let compare = ["compare", "wager", "--base", &base, "--blocks", "40"];
        lode(dear.path(), &compare);
        let report = data(dear.path(), &compare);
        let metric = report["metrics"].as_array().unwrap().iter().find(|one| one["of"] == "seat 1: Left").unwrap();
        assert_eq!(metric["what"], quantity);
        let bots = ["--bots", "plan:stake=sure,plan:stake=gamble"];
        lode(game.path(), &[&["arena", "wager", "--blocks", "40"][..], &bots].concat());
        let effects = ["effects", "wager", "--bots", "random", "--blocks", "60", "--forks", "60"];
        lode(game.path(), &effects);
        let report = data(game.path(), &effects);
        let items = report["items"].as_array().unwrap();
        let gamble = items.iter().find(|item| item["name"] == "The gamble").unwrap();
        assert_eq!(report["objective"], quantity.replace(' ', "_"));
        assert_eq!(gamble["picked"]["value"].as_f64().unwrap() > 0.0, goal != "rank", "{goal}: {gamble:#}");
        let key = if goal == "rank" { "share" } else { goal };
        let expect = format!("bots = \"random\"\n[[expect]]\n{key} = \"seats\"\nbetween = [-90, 99]\n");
        let expect = if goal == "rank" { expect.replace("-90", "0") } else { expect };
        let expect = if goal == "score" { expect.replace("99", "300") } else { expect };
        motherlode_fixtures::write(game.path().join("tests/wager/balance.toml"), expect);
        run(game.path(), &["test", "wager", "--balance"], b"").code(0).says(&format!("passed {key} of seats"));
        let page = game.path().join("page.html");
        let out = page.display().to_string();
        let numbers = ["--blocks", "20", "--forks", "4", "--follow", "2", "--out", &out];
        run(game.path(), &[&["report", "wager"][..], &bots, &numbers].concat(), b"").code(0);
        let page = std::fs::read_to_string(page).unwrap().to_lowercase();
        assert!(page.contains(&format!("{quantity}s by seat and role")), "{goal}");
        assert_eq!(page.contains("win share"), goal == "rank", "{goal}");
    }
}

#[test]
fn training_learns_the_declared_goal() {
    for (goal, best) in [("rank", "sure"), ("score", "gamble"), ("margin", "gamble")] {
        let game = edited("content/wager/game.toml", "goal = \"score\"", &format!("goal = \"{goal}\""));
        let game = game.path();
        std::fs::write(
            game.join("content/wager/game.toml"),
            std::fs::read_to_string(game.join("content/wager/game.toml")).unwrap().replace("rounds = 3", "rounds = 1"),
        )
        .unwrap();
        let small = ["--games", "150", "--iterations", "2", "--matches", "4", "--keep-bad", "--out", "wager.value"];
        run(game, &[&["train", "wager"][..], &small].concat(), b"").code(0);
        // A learned value is linear in the points, so alone it cannot rank them.
        let learned: &[&str] =
            if goal == "rank" { &[] } else { &["learned:wager.value", "search:200+learned:wager.value"] };
        for bot in ["rollout:60", "flat:200", "search:200"].iter().chain(learned) {
            let sim = ["sim", "wager", "--games", "8", "--answers", "stake", "--bots", bot];
            let report = data(game, &sim);
            let answers = report["answers"][0]["answers"].as_array().unwrap();
            assert_eq!(answers[0]["answer"], best, "{bot} with `{goal}`: {answers:?}");
        }
    }
}

#[test]
fn the_arena_measures_the_lead_in_the_declared_score() {
    let bots = "plan:stake=sure,plan:stake=gamble";
    let run = lode(&["arena", "wager", "--bots", bots, "--blocks", "60"], "").code(0);
    let run = run.says("lead").says("the goal is the score").says("scores better than");
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
    // Each bot plays alone: the first choice is the worst one, and the others score more without it.
    let apart = data(&folder(), &["arena", "choir", "--bots", "first,rollout:20", "--blocks", "8"]);
    let score = |bot: usize| apart["bots"][bot]["score"]["value"].as_f64().unwrap();
    assert!(score(1) > score(0) && score(1) == 12.0, "{:#}", apart["bots"]);
    lode(&["arena", "choir", "--ladder", "rollout:1..2"], "").code(2).complains("this game is cooperative");
    // Nobody wins, so no table has a win share.
    let arena = ["arena", "choir", "--bots", "random,first", "--blocks", "8"];
    for arguments in [&arena[..], &["effects", "choir", "--bots", "random", "--blocks", "8", "--forks", "8"]] {
        lode(arguments, "").code(0).says("score").keeps_quiet_about("win share").keeps_quiet_about("even is");
        assert!(!data(&folder(), arguments).to_string().contains("share\":"), "{arguments:?}");
    }
    let loud = edited("scripts/choir/phases.luau", "else 1", "else 0");
    let base = folder().display().to_string();
    let compare = ["compare", "choir", "--base", &base, "--blocks", "20"];
    run(loud.path(), &compare, b"").code(0).says("│ all ").keeps_quiet_about("win share").keeps_quiet_about("seat 1");
    let report = data(&folder(), &["sim", "choir", "--games", "20"]);
    assert!(report.get("even_share").is_none() && report["seats"][0].get("wins").is_none(), "{report:#}");
    let page = loud.path().join("page.html").display().to_string();
    lode(&["report", "choir", "--bots", "random,first", "--blocks", "8", "--forks", "4", "--out", &page], "").code(0);
    let page = std::fs::read_to_string(page).unwrap().to_lowercase();
    assert!(page.contains("the players score") && !page.contains("win share"));
    let folder = tempfile::tempdir().unwrap();
    let value = folder.path().join("choir.value").display().to_string();
    let small = ["--players", "3", "--games", "60", "--iterations", "2", "--matches", "4", "--keep-bad"];
    lode(&[&["train", "choir", "--out", &value], &small[..]].concat(), "").code(0);
    lode(&["sim", "choir", "--games", "20", "--bots", &format!("learned:{value}")], "").code(0).says("12.0");
}
