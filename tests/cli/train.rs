use std::fs;
use std::path::Path;

use super::lab::{FAILURE, copy, edit, fail};
use super::program::{lode, run};

const SMALL: [&str; 9] = ["--games", "6", "--iterations", "2", "--matches", "2", "--seed", "3", "--keep-bad"];

fn train(game: &str, file: &str, more: &[&str]) -> super::program::Run {
    lode(&[&["train", game, "--out", file], &SMALL[..], more].concat())
}

#[test]
fn a_trained_value_plays() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (one, other) = (path("one.value"), path("other.value"));
    train("harvest", &one, &["--threads", "1"])
        .code(0)
        .says("harvest: 2 or 3 players, seed 3, rounds=2, weather=calm, up to 28 games")
        .says("iteration")
        .says("kept")
        .says(&format!("use it with --bots or --seats as learned:{one}"));
    train("harvest", &other, &["--threads", "3"]).code(0);
    assert_eq!(fs::read(&one).unwrap(), fs::read(&other).unwrap());
    let bots = format!("learned:{one},search:8+learned:{one}");
    lode(&["sim", "harvest", "--games", "4", "--bots", &bots]).code(0).says("games/s");
    lode(&["play", "harvest", "--seats", &bots]).code(0);
    train("harvest", &one, &[]).code(2).complains("exists: overwrite it with --force");
    let apart = path("apart.value");
    train("harvest", &apart, &["--apart"])
        .code(0)
        .says("harvest: 2 players, seed 3")
        .says("harvest: 3 players, seed 3")
        .says("searches with this value");
    for players in ["2", "3"] {
        let bots = format!("search:8+learned:{apart}");
        lode(&["sim", "harvest", "--players", players, "--games", "2", "--bots", &bots]).code(0).says("games/s");
    }
    train("harvest", &one, &["--force"]).code(0);
}

#[test]
fn a_value_file_names_its_training_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let commands = |text: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.strip_prefix("made by lode ")).map(str::to_owned).collect()
    };
    let weather = "--players 2 --option weather=stormy --search-iterations 1 --mixed --lambda 0.5 --centred --never bid=1/bid=2 --always bid=0";
    for (index, more) in ["", weather].into_iter().enumerate() {
        let (file, again) = (path(&format!("{index}.value")), path(&format!("{index}-again.value")));
        train("harvest", &file, &more.split_whitespace().collect::<Vec<_>>()).code(0);
        let text = fs::read_to_string(&file).unwrap();
        let [command] = &commands(&text)[..] else { panic!("{text}") };
        let arguments = command.split(' ').chain(["--out", &again, "--keep-bad"]);
        lode(&arguments.collect::<Vec<_>>()).code(0);
        assert_eq!(fs::read_to_string(&again).unwrap(), text, "{command}");
    }
    train("harvest", &path("apart.value"), &["--apart"]).code(0);
    let text = fs::read_to_string(path("apart.value")).unwrap();
    let of = |players| format!("train harvest --players {players} --games 6 --iterations 2 --matches 2 --seed 3");
    assert_eq!(commands(&text), [of(2), of(3)]);
}

#[test]
fn values_for_other_numbers_of_players_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (file, two, three) = (path("all.value"), path("two.value"), path("three.value"));
    train("harvest", &two, &["--players", "2"]).code(0);
    train("harvest", &three, &["--players", "3", "--mixed"]).code(0);
    let text = |file: &str| fs::read_to_string(file).unwrap();
    assert!(text(&three).contains("\nstrategies mixed\n") && !text(&two).contains("mixed"));
    // Without a file, there is nothing to keep.
    train("harvest", &file, &["--players", "2", "--add"]).code(0);
    assert_eq!(text(&file), text(&two));
    train("harvest", &file, &["--players", "3", "--mixed", "--add"]).code(0);
    assert_eq!(text(&file), text(&three) + &text(&two));
    // The new value replaces that for two players.
    train("harvest", &file, &["--players", "2", "--add"]).code(0);
    assert_eq!(text(&file), text(&two) + &text(&three));
    lode(&["sim", "harvest", "--games", "2", "--bots", &format!("learned:{file}")]).code(0);
    fs::write(&file, text(&three).replace("\nend\n", "\n")).unwrap();
    train("harvest", &file, &["--players", "2", "--add"]).code(2).complains("missing last line `end`");
    train("harvest", &file, &["--add", "--force"]).code(2).complains("exclude each other: leave one out");
}

#[test]
fn failed_games_are_reported_after_the_training_result() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    copy(root);
    let train = |file: &str| run(root, &[&["train", "harvest", "--out", file], &SMALL[..]].concat(), b"").code(1);
    let planted = "set(what, \"plot\", player)";
    let fails = "if round() == 2 and get(player, \"bid\") == 2 then error(\"the plough broke\") end";
    edit(root, planted, &format!("{fails} {planted}"));
    train("some.value")
        .says("wrote some.value")
        .complains(" of 44 games aborted, first with seed ")
        .complains("scripts/harvest/phases.luau:32: the plough broke");
    assert!(root.join("some.value").exists());
    fail(root);
    train("none.value")
        .complains("no games to learn from: 12 of 12 games aborted, first with seed ")
        .complains(FAILURE);
    assert!(!root.join("none.value").exists());
}

#[test]
fn an_invalid_value_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let file = path("harvest.value");
    train("harvest", &file, &[]).code(0);
    let with = |game: &str, file: &str| lode(&["sim", game, "--games", "1", "--bots", &format!("learned:{file}")]);
    with("market", &file).code(2).complains("the value is for `harvest`, not for `market`");
    with("harvest", &path("none.value")).code(2).complains("none.value`: cannot be read");
    with("harvest", folder.path().to_str().unwrap()).code(2).complains("it is not a regular file");
    #[cfg(unix)]
    with("harvest", "/dev/zero").code(2).complains("`/dev/zero`: cannot be read: it is not a regular file");
    let text = fs::read_to_string(&file).unwrap();
    let changed = |name: &str, text: &[u8]| {
        fs::write(path(name), text).unwrap();
        with("harvest", &path(name)).code(2)
    };
    changed("foreign.value", b"name = \"Harvest\"").complains("not a learned value: make one with `lode train`");
    changed("bytes.value", &[0xff; 90]).complains("not a learned value");
    let line = text.lines().rev().nth(1).unwrap();
    let twice = text.replacen(line, &format!("{line}\n{line}"), 1);
    changed("twice.value", twice.as_bytes()).complains("duplicate feature");
    changed("longer.value", format!("{text}\0").as_bytes()).complains("text after the last line `end`");
    let head = text.find("playouts").unwrap();
    let cut = text[..head].lines().count();
    changed("head.value", &text.as_bytes()[..head]).complains(&format!("line {cut}: missing `playouts`"));
    changed("half.value", &text.as_bytes()[..text.len() / 2]).complains("line ");
    changed("later.value", text.replacen("value 5", "value 9", 1).as_bytes()).complains("the file has format 9");
    lode(&["play", "harvest", "--seats", "learned:"])
        .code(2)
        .complains("missing file: name one that `lode train` wrote");
    lode(&["play", "harvest", "--seats", "lerned:x"]).code(2).complains("did you mean `learned`?");
}

#[test]
fn unwritable_outputs_are_found_before_the_first_game() {
    train("harvest", "no/such/folder.value", &[]).code(2).complains("there is no folder `no/such`");
    train("harvest", "content", &["--force"]).code(2).complains("cannot write `content`: it is a folder");
    train("harvest", "x.value", &["--never", "bid=1", "--always", "bid=1"])
        .code(2)
        .complains("--never and --always both name `bid=1`");
    train("harvest", "x.value", &["--players", "2,3,2", "--apart"]).code(2).complains("--players names 2 twice");
    for option in ["--never", "--always"] {
        let wrong = format!("{option}: no prompt or attribute is named `bids`; did you mean `bid`?");
        train("harvest", "x.value", &[option, "bids=1"]).code(2).complains(&wrong);
    }
    let long = format!("{}.value", "x".repeat(250));
    train("harvest", &long, &[]).code(2).complains("cannot write").complains("its name is too long");
    // The draft's file name is longer than the final one.
    let long = format!("{}.value", "x".repeat(245));
    train("harvest", &long, &[]).code(2).complains("its name is too long");
    train("harvst", "x.value", &[]).code(2).complains("did you mean `harvest`?");
    train("harvest", "x.value", &["--games", "0"]).code(2);
    train("harvest", "x.value", &["--players", "9"]).code(2).complains("9");
    lode(&["train", "harvest"]).code(2).complains("--out");
}

#[test]
fn a_training_ends_with_a_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("small.value").display().to_string();
    let small = ["train", "harvest", "--games", "6", "--iterations", "1", "--matches", "2", "--players", "2"];
    let train = |more: &[&str]| lode(&[&small[..], &["--out", &file], more].concat());
    // Four games cannot show that a value is better than random play.
    let equal = ["--always", "bid=0"];
    train(&equal)
        .code(1)
        .says("│ against ")
        .says("│ random ")
        .says("│ search:100 ")
        .complains("the value is not better than random play with 2 players")
        .complains("or write it anyway with --keep-bad");
    assert!(!Path::new(&file).exists());
    let report = train(&[&equal[..], &["--keep-bad", "--format", "json"]].concat()).code(0).out;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["written"], true);
    assert_eq!(report["verdict"][0]["rival"], "random");
    assert_eq!(report["verdict"].as_array().unwrap().len(), 2);
    train(&["--force", "--keep-bad"]).code(0).says("│ old value ");
}

#[test]
fn a_value_alone_or_in_a_team_is_compared_with_its_rivals_over_the_same_seeds() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("small.value").display().to_string();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let goals = root.join("tests/fixtures/goals");
    let small = ["--games", "6", "--iterations", "1", "--matches", "24", "--out", &file, "--force"];
    run(&goals, &[&["train", "choir"], &small[..]].concat(), b"")
        .code(0)
        .says("difference")
        .says("│ random ")
        .says("better");
    let alone = ["train", "imperial_miners", "--players", "1"];
    let few = ["--games", "4", "--iterations", "1", "--matches", "4", "--out", &file, "--force"];
    let report = run(root, &[&alone[..], &few[..], &["--keep-bad", "--format", "json"]].concat(), b"").code(0).out;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let row = &report["verdict"][0];
    // Whoever is alone at the table is always the first: only the score tells values apart.
    assert_eq!((&row["rival"], &row["objective"]), (&"random".into(), &"score".into()), "{row}");
    assert!(row["over_rival"]["value"].as_f64().is_some() && row["even"].as_f64().unwrap() > 1.0, "{row}");
}
