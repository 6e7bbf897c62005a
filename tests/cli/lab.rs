use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::program::{Run, lode, packs, run};
use crate::shipped::root;

#[test]
fn the_arena_ranks_bots_and_prices_their_decisions() {
    lode(&["arena", "harvest", "--bots", "random,first", "--blocks", "40"])
        .code(0)
        .says("harvest: 2 players, seed 1, rounds=2, weather=calm, 40 blocks, 80 games")
        .says("per decision")
        .says("µs")
        .says("ranks above")
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
    // The bot that takes the first choice never bids.
    assert!(report["bots"][0]["share"]["interval"]["low"].as_f64().unwrap() > 0.5, "{report:#}");
}

#[test]
fn a_sequential_arena_and_a_ladder_print_their_results() {
    let until = ["arena", "harvest", "--bots", "random,first", "--blocks", "300", "--until", "0.5,0.7"];
    lode(&until).code(0).says("sequential test of random: accepts 70.0 %, rejects 50.0 %");
    let narrow = ["arena", "harvest", "--bots", "random", "--blocks", "20", "--until", "0.499,0.501"];
    lode(&narrow).code(3).says("undecided between").complains("undecided: no verdict after all blocks");
    let verdict = &serde_json::from_str::<Value>(&lode(&[&narrow[..], &["--format", "json"]].concat()).code(3).out)
        .unwrap()["verdict"];
    assert_eq!(verdict[1], "undecided", "{verdict:#}");
    lode(&["arena", "harvest", "--ladder", "rollout:1..4", "--blocks", "4"])
        .code(0)
        .says("rollout:2")
        .says("rollout:4");
    lode(&["arena", "harvest", "--ladder", "random"]).code(2).complains("`random` is not a ladder");
    lode(&["arena", "harvest", "--ladder", "rollout:4..1"]).code(2).complains("the smaller first");
    lode(&["exploit", "harvest", "--against", "random,first"])
        .code(2)
        .complains("--against takes one bot, not several");
    lode(&["arena", "harvest", "--until", "0.7,0.5"]).code(2).complains("the smaller one first");
    lode(&["arena", "harvest", "--bots", "randon"]).code(2).complains("did you mean `random`?");
}

/// The games of the benches, some of them without chance.
fn benches() -> PathBuf {
    root().join("benches/packs")
}

#[test]
fn the_arena_tells_when_blocks_repeat_each_other_and_an_opening_varies_them() {
    let note = "note: the games repeat each other exactly";
    let arena = |game: &str, more: &[&str]| {
        run(&benches(), &[&["arena", game, "--blocks", "6", "--bots"][..], more].concat(), b"").code(0)
    };
    let alone = ["first,plan:stones=3"];
    arena("last_stone", &alone).says(note).says("vary the first answers with --opening");
    arena("last_stone", &[alone[0], "--opening", "3"]).keeps_quiet_about(note);
    // Two seatings of one game, even if the bots are the same.
    arena("last_stone", &["first"]).says(note);
    arena("last_stone", &["first,random"]).keeps_quiet_about(note);
    arena("leduc", &["first"]).keeps_quiet_about(note);
}

#[test]
fn games_that_repeat_each_other_are_told_by_every_experiment() {
    let lode = |arguments: &[&str]| run(&benches(), arguments, b"").code(0);
    let note = "note: the games repeat each other exactly";
    lode(&["sim", "last_stone", "--bots", "first", "--games", "20"]).says(note);
    lode(&["sim", "last_stone", "--games", "20"]).keeps_quiet_about(note);
    lode(&["sim", "last_stone", "--bots", "first", "--games", "1"]).keeps_quiet_about(note);
    let exploit = |against: &str, more: &[&str]| {
        let bots = ["--against", against, "--base", against, "--screen", "first"];
        lode(&[&["exploit", "last_stone", "--tried", "4", "--steps", "1", "--blocks", "4"], &bots[..], more].concat())
    };
    let opening = "each game begins with";
    exploit("first", &["--opening", "0"]).says(note).says("with --opening").keeps_quiet_about(opening);
    exploit("random", &[]).keeps_quiet_about(note).keeps_quiet_about(opening);
    exploit("random", &["--opening", "1"]).says("each game begins with 1 random answer\n");
    // Without a number, an opening varies games that repeat each other.
    let reason = "because games of first repeat each other; --opening 0 plays without";
    exploit("first", &[]).keeps_quiet_about(note).says(&format!("{opening} 2 random answers, {reason}"));
    let sweep = tempfile::tempdir().unwrap();
    motherlode_fixtures::copy_folder(&benches(), sweep.path());
    let folder = sweep.path().join("tests/last_stone");
    fs::create_dir_all(&folder).unwrap();
    let expect = |bots: &str| {
        let text = format!("bots = \"{bots}\"\n[[expect]]\nlength = \"decisions\"\nbetween = [2, 40]\n");
        fs::write(folder.join("balance.toml"), text).unwrap();
        run(sweep.path(), &["test", "--balance", "last_stone"], b"").code(0)
    };
    expect("first").says(note);
    expect("random").keeps_quiet_about(note);
}

#[test]
fn an_opening_is_the_same_in_all_games_of_a_block() {
    let folder = tempfile::tempdir().unwrap();
    let rows = folder.path().join("rows.jsonl").display().to_string();
    // Two equal bots play both games of a block alike, after any opening.
    let bots = ["--bots", "first,first", "--opening", "5", "--blocks", "12", "--out", &rows];
    run(&benches(), &[&["arena", "connect_four"][..], &bots].concat(), b"").code(0);
    let rows: Vec<Value> =
        fs::read_to_string(&rows).unwrap().lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let decisions = |block: u64| -> Vec<&Value> {
        rows.iter().filter(|row| row["block"] == block).map(|row| &row["decisions"]).collect()
    };
    let games: Vec<Vec<&Value>> = (0..12).map(decisions).collect();
    assert!(games.iter().all(|block| block.len() == 2 && block[0] == block[1]), "{games:?}");
    assert!(games.iter().any(|block| block != &games[0]), "{games:?}");
}

#[test]
fn games_that_are_mostly_the_same_are_told() {
    let lode = |arguments: &[&str]| run(&benches(), arguments, b"").code(0);
    lode(&["arena", "last_stone", "--bots", "first,plan:stones=3", "--opening", "1", "--blocks", "60"])
        .says("of the 120 games differ, so the results hold for these lines of play; vary the first answers");
    lode(&["sim", "leduc", "--games", "20"]).keeps_quiet_about("games differ");
}

#[test]
fn an_opening_must_leave_answers_to_the_bots() {
    for command in ["arena", "exploit"] {
        run(&benches(), &[command, "last_stone", "--opening", "500"], b"")
            .code(2)
            .complains("an opening of 500 answers leaves none to the bots: of 8 random games, the longest has ");
    }
}

/// Copies the test game to a folder.
pub fn copy(to: &Path) {
    motherlode_fixtures::copy(&packs(), to, &["content/harvest", "scripts/harvest"]);
}

pub fn edit(root: &Path, from: &str, to: &str) {
    let script = root.join("scripts/harvest/phases.luau");
    let text = fs::read_to_string(&script).unwrap();
    assert!(text.contains(from));
    fs::write(script, text.replace(from, to)).unwrap();
}

/// The error of a game whose script fails in every match.
pub const FAILURE: &str = "scripts/harvest/phases.luau:17: the scale broke";

/// Makes the script of a copy fail in every game.
pub fn fail(root: &Path) {
    edit(root, "log(\"bids\"", "error(\"the scale broke\") log(\"bids\"");
}

#[test]
fn every_experiment_names_the_first_game_that_failed() {
    let folder = tempfile::tempdir().unwrap();
    copy(folder.path());
    fail(folder.path());
    let here = |arguments: &str, more: &[&str]| {
        let arguments: Vec<&str> = arguments.split(' ').chain(more.iter().copied()).collect();
        run(folder.path(), &arguments, b"").code(1).complains(FAILURE)
    };
    here("arena harvest --blocks 2", &[]).complains("2 of 2 games aborted, first with seed ");
    here("arena harvest --ladder rollout:1..2 --blocks 2", &[]).complains("4 of 4 games aborted, first with seed ");
    here("effects harvest --blocks 2 --forks 1", &[]).complains("2 of 2 games aborted, first with seed ");
    lode(&["effects", "stumble", "--bots", "first", "--blocks", "2", "--forks", "20"])
        .code(1)
        .complains("forks failed, first with seed ")
        .complains("fell into the pit");
    here("compare harvest --blocks 2 --base", &[packs().to_str().unwrap()])
        .complains("2 of 2 pairs have an aborted game, first with seed ")
        .complains(&format!("changed: {FAILURE}"));
    here("exploit harvest --against random --steps 1 --tried 2 --blocks 2 --finalists 1", &[])
        .complains("games aborted, first with seed ")
        .says("the results do not show whether a plan beats random")
        .keeps_quiet_about("none of these plans");
}

#[test]
fn a_report_with_failed_games_claims_nothing() {
    let folder = tempfile::tempdir().unwrap();
    copy(folder.path());
    fail(folder.path());
    let page = folder.path().join("harvest.html");
    let told = "4 of 4 games aborted, first with seed ";
    let report = ["report", "harvest", "--bots", "random", "--blocks", "4", "--forks", "1", "--follow", "2", "--out"];
    run(folder.path(), &[&report[..], &[page.to_str().unwrap()]].concat(), b"")
        .code(1)
        .says("wrote")
        .complains(told)
        .complains(FAILURE);
    let text = fs::read_to_string(page).unwrap();
    for part in ["Played by random: too few games finished", told, FAILURE] {
        assert!(text.contains(part), "{part}");
    }
    for part in ["are even", "no significant difference", "No item is flagged", "No decision offered"] {
        assert!(!text.contains(part), "{part}");
    }
}

const COMPARE: [&str; 6] = ["compare", "harvest", "--blocks", "80", "--bots", "random"];

#[test]
fn an_edit_is_compared_with_a_folder_and_with_a_revision() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    copy(root);
    let here = |more: &[&str]| run(root, &[&COMPARE[..], more].concat(), b"");
    let base = packs();
    let base = base.to_str().unwrap();
    here(&["--base", base])
        .code(0)
        .says("80 of 80 pairs are identical\nno game changed: play more blocks, or use bots that reach the edit\n")
        .keeps_quiet_about("sequential test")
        .complains("both versions are identical");
    let git = |arguments: &[&str]| {
        let author = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let done = Command::new("git").arg("-C").arg(root).args(author).args(arguments).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "Begin"]);
    // A planted field is worth three more points. The choices stay the same.
    edit(root, "gain(player, \"corn\", 1)", "gain(player, \"corn\", 4)");
    for base in [base, "git:HEAD"] {
        here(&["--base", base])
            .code(0)
            .says("the score probably changed (by at least")
            .says("│ subject         quantity ")
            .says("differs")
            .says("all answers are the same");
    }
    let save = root.join("first.json");
    here(&["--base", "git:HEAD", "--save", save.to_str().unwrap()]).code(0).says("first.base.json");
    run(root, &["replay", save.to_str().unwrap(), "--verify"], b"").code(0).says("verified");
    // A reader may close the pipe before the end.
    let mut unread = Command::new(env!("CARGO_BIN_EXE_lode"))
        .args(COMPARE)
        .args(["--base", "git:HEAD", "--save", "unread.json"])
        .current_dir(root)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    drop(unread.stdout.take());
    assert!(
        unread.wait().unwrap().success() && root.join("unread.base.json").exists() && root.join("unread.json").exists()
    );
    here(&["--base", "git:HEAD", "--out", "no/folder"]).code(2).complains("there is no folder `no`");
    let refused = |file: &Path, why: &str| {
        here(&["--base", "git:HEAD", "--save", file.to_str().unwrap()]).code(2).complains(why);
    };
    refused(&save, "first.json` exists: name a file that does not exist yet");
    fs::rename(&save, root.join("kept.json")).unwrap();
    refused(&save, "first.base.json` exists: name a file that does not exist yet");
    refused(root, "exists: name a file that does not exist yet");
    refused(Path::new("/nope/x.json"), "there is no folder `/nope`");
    let rows = root.join("rows.jsonl");
    let both = ["--save", rows.to_str().unwrap(), "--out", rows.to_str().unwrap()];
    here(&[&["--base", "git:HEAD"], &both[..]].concat()).code(2).complains("--save and --out both name");
    for base in ["git:nowhere", "nowhere"] {
        let why = "`nowhere` is neither a folder nor a git revision: give a folder, or a revision such as git:HEAD~1";
        assert_eq!(here(&["--base", base]).code(2).err, format!("error: {why}\n"));
    }
    fs::remove_dir_all(root.join(".git")).unwrap();
    let outside = here(&["--base", "git:HEAD"]).code(2).complains("`HEAD` is not a folder, and `");
    assert!(outside.err.ends_with("is in no git repository: give a folder\n"), "{}", outside.err);
    here(&[]).code(2).complains("nothing to compare");
}

#[test]
fn effects_estimate_the_value_of_choices() {
    let effects = ["effects", "harvest", "--bots", "random", "--blocks", "80", "--forks", "80", "--format", "json"];
    let report: Value = serde_json::from_str(&lode(&effects).code(0).out).unwrap();
    let items = report["items"].as_array().unwrap();
    let rest = items.iter().find(|item| item["sort"] == "plant" && item["name"] != "").unwrap();
    assert!(rest["forks"].as_f64().unwrap() > 30.0, "{rest}");
    // Resting always costs one corn.
    let points = &rest["points"];
    assert!((points["value"].as_f64().unwrap() + 1.0).abs() < 0.3, "{rest}");
    let shown = lode(&effects[..8]).code(0).says("offered").says("picked").out;
    assert!(shown.lines().count() <= 40 && shown.lines().all(|line| line.chars().count() <= 100), "{shown}");
    lode(&[&effects[..8], &["--all"]].concat()).code(0).says("better: share of forks");
}

#[test]
fn effects_of_one_item() {
    let effects = ["effects", "harvest", "--bots", "random", "--blocks", "20", "--forks", "10"];
    let with = |more: &[&str]| lode(&[&effects[..], more].concat());
    let shown =
        with(&["--item", "plant=rest", "--after", "first"]).code(0).says("blocks of random; first after forks").out;
    assert_eq!(shown.matches("plant: ").count(), 1, "{shown}");
    assert!(!shown.contains("no item can have a flag"), "{shown}");
    let few = ["effects", "harvest", "--bots", "random", "--blocks", "9", "--forks", "10"];
    lode(&few).code(0).says("no item can have a flag for its effect: that needs 10 blocks or more");
    with(&["--item", "plant=rset"]).code(2).complains("--item: ").complains("did you mean `rest`?");
    with(&["--after", "frist"]).code(2).complains("did you mean `first`?");
}

#[test]
fn a_report_is_one_reproducible_file() {
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
        "--follow",
        "6",
        "--ladder",
        "rollout:1..2",
        "--out",
        page,
    ];
    lode(&report).code(0).says("wrote");
    let text = fs::read_to_string(page).unwrap();
    assert!(text.len() < 500_000 && text.starts_with("<!DOCTYPE html>"));
    for part in [
        "name=\"viewport\"",
        "<svg",
        "Played by rollout:2: ",
        "luck explains ",
        "<th>blowouts</th>",
        "<th>kingmaking</th>",
        "gained per round",
        "lode report harvest --players 2",
        "lode arena harvest --players 2 -o rounds=2 -o weather=calm --seed 1 --bots random,rollout:2 --blocks 12",
        "lode table --replay harvest-closest.json",
        "harvest-comeback.json",
    ] {
        assert!(text.contains(part), "{part}");
    }
    // The name of SVG is no address.
    assert!(!text.replace("http://www.w3.org/2000/svg", "").contains("http"), "it needs nothing from elsewhere");
    lode(&report).code(2).complains("exists: overwrite it with --force");
    let to_folder = ["report", "harvest", "--force", "--out", folder.path().to_str().unwrap()];
    lode(&to_folder).code(2).complains("it is a folder").keeps_quiet_about("wrote");
    lode(&["report", "harvest", "--out", "harvest.csv"]).code(2).complains("end its name in .html");
    lode(&[&report[..], &["--force", "--threads", "1"]].concat()).code(0);
    assert_eq!(fs::read_to_string(page).unwrap(), text);
    let replay = folder.path().join("harvest-longest.json");
    lode(&["replay", replay.to_str().unwrap(), "--verify"]).code(0).says("verified");
}

/// A run that receives Ctrl-C twice at once, as some process managers send it.
#[cfg(unix)]
fn stop_run(arguments: &[&str]) -> Run {
    for seconds in [1, 4, 16] {
        let program = Command::new(env!("CARGO_BIN_EXE_lode"))
            .args(arguments)
            .current_dir(packs())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        for signal in ["-INT", "-TERM"] {
            Command::new("kill").args([signal, &program.id().to_string()]).status().unwrap();
        }
        let output = program.wait_with_output().unwrap();
        // On a busy machine the program may not have started yet.
        let Some(code) = output.status.code() else { continue };
        let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        return Run { code, out, err };
    }
    panic!("it does not begin: {arguments:?}");
}

#[cfg(unix)]
#[test]
fn a_stopped_run_reports_its_games() {
    const END: &str = "stopped before the end";
    let sim = ["sim", "harvest", "--games", "100000000", "--bots", "rollout:50"];
    stop_run(&sim).code(1).says(" of 100000000 games").complains(END);
    let coverage = ["test", "harvest", "--coverage", "--games", "1000000000"];
    stop_run(&coverage).code(1).says("exercised").complains(END);
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("harvest.html");
    let report = ["report", "harvest", "--bots", "rollout:200", "--blocks", "1000000", "--out", page.to_str().unwrap()];
    stop_run(&report).code(1).says("wrote").complains(END);
    let text = fs::read_to_string(page).unwrap();
    assert!(text.contains(END) && text.contains(" of 1000000 games of rollout:200"), "{text}");
    for claim in [", one per seed. ", "to the byte", "No item is flagged", "None of "] {
        assert!(!text.contains(claim), "{claim}");
    }
}

#[cfg(unix)]
#[test]
fn a_stopped_training_saves_its_best_value_and_overwrites_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let value = folder.path().join("harvest.value");
    let train = ["train", "harvest", "--games", "40", "--iterations", "1000", "--out", value.to_str().unwrap()];
    stop_run(&train)
        .code(1)
        .says(", up to ")
        .says("stopped after ")
        .says("wrote")
        .complains("stopped before the end: the file has the best value so far");
    let text = fs::read_to_string(&value).unwrap();
    assert!(
        text.contains("made by lode train harvest --games 40 --iterations 1000 --seed 1, stopped after "),
        "{text}"
    );
    lode(&["sim", "harvest", "--games", "2", "--bots", &format!("learned:{}", value.display())]).code(0);
    stop_run(&[&train[..], &["--force", "--seed", "2"]].concat()).code(1).complains("is unchanged");
    assert_eq!(fs::read_to_string(&value).unwrap(), text);
    let endless = ["train", "harvest", "--games", "1000000", "--out", "never.value"];
    stop_run(&endless).code(1).complains("stopped before anything was learned");
}

/// Copies the test game, with long names of its seats.
fn copy_with_long_names(root: &Path) {
    copy(root);
    let file = root.join("content/harvest/game.toml");
    let text = fs::read_to_string(&file).unwrap();
    let long = text
        .replace("\"North\"", "\"The Northern Confederation of Farmers\"")
        .replace("\"South\"", "\"Southern_Agricultural_Syndicate_and_Sons\"");
    fs::write(file, long).unwrap();
}

#[test]
fn tables_with_long_names_fit() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    copy_with_long_names(root);
    edit(root, "gain(player, \"corn\", 1)", "gain(player, \"corn\", 4)");
    let plan =
        "plan:plant=rest/plant=rest/plant=rest/plant=rest/plant=rest/plant=rest/plant=rest/plant=rest+base=random";
    let bots = format!("random,{plan},first,rollout:1");
    let base = packs().to_str().unwrap().to_owned();
    for arguments in [
        format!("sim harvest --games 20 --bots random,{plan}"),
        format!("arena harvest --blocks 4 --bots {bots}"),
        format!("compare harvest --blocks 6 --bots {bots} --base {base}"),
        "compare harvest --blocks 6 --bots random --sweep options.rounds.default=1..4".to_owned(),
        format!("exploit harvest --against {plan} --base {plan} --steps 2 --tried 4 --blocks 2 --finalists 2"),
        "train harvest --games 6 --iterations 2 --matches 4 --keep-bad --out harvest.value".to_owned(),
    ] {
        let shown = run(root, &arguments.split(' ').collect::<Vec<_>>(), b"").code(0).out;
        assert!(shown.contains('│'), "{arguments}:\n{shown}");
        for line in shown.lines().filter(|line| line.starts_with(['│', '┌', '╞', '└'])) {
            assert!(line.chars().count() <= 100, "{arguments}: {line}");
            // A broken interval ends in `to`.
            let is_broken = line.split("  ").any(|cell| cell.trim_matches(['│', ' ']).ends_with(" to"));
            assert!(!is_broken, "{arguments}: {line}\n{shown}");
        }
    }
}

#[test]
fn compare_shows_how_often_changed_items_are_used() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    copy(root);
    // The act of planting pays more. Its only action is to rest.
    edit(root, "gain(player, \"corn\", 1)", "gain(player, \"corn\", 4)");
    let base = packs();
    let arguments = ["compare", "harvest", "--bots", "random", "--blocks", "20", "--base", base.to_str().unwrap()];
    let report: Value =
        serde_json::from_str(&run(root, &[&arguments[..], &["--format", "json"]].concat(), b"").code(0).out).unwrap();
    let items = report["items"].as_array().unwrap();
    assert_eq!(items.len(), 1, "{report:#}");
    let of = |key: &str| items[0][key].as_str().unwrap();
    assert_eq!((of("kind"), of("name"), of("change")), ("plant", "Nowhere", "edited"));
    let uses: Vec<&str> =
        items[0]["uses"].as_array().unwrap().iter().map(|row| row["what"].as_str().unwrap()).collect();
    assert!(uses.starts_with(&["offered", "chosen", "chosen share"]), "{uses:?}");
    // Both versions offer the same choices to the same random bots.
    let offered = &items[0]["uses"][0]["difference"];
    assert!(offered["base"].as_f64().unwrap() > 3.9 && offered["base"] == offered["changed"], "{offered}");
    let scores = items[0]["uses"].as_array().unwrap().iter().find(|row| row["what"] == "taker score").unwrap();
    assert!(scores["difference"]["delta"]["interval"]["low"].as_f64().unwrap() > 0.0, "{scores}");
    run(root, &arguments, b"")
        .code(0)
        .says("difference, 95 % interval")
        .says("plant: Nowhere")
        .says("`chosen share` is chosen");
}

#[test]
fn a_sweep_plays_the_same_games_with_each_value() {
    let sweep = |more: &[&str]| lode(&[&["compare", "harvest", "--bots", "random", "--blocks", "10"], more].concat());
    let text = sweep(&["--sweep", "options.rounds.default=1..3"]).code(0);
    let text = text
        .says("options.rounds.default: the same games with each value")
        .says("│ 2 (now) ")
        .says("by options.rounds.default, with 95");
    assert!(!text.out.contains("│ 4 "), "{}", text.out);
    let json = |threads: &str| -> Value {
        let run = sweep(&["--sweep", "options.rounds.default=1,3", "--format", "json", "--threads", threads]).code(0);
        serde_json::from_str(&run.out).unwrap()
    };
    let report = json("1");
    assert_eq!(report, json("2"), "results depend on threads");
    let values = report["values"].as_array().unwrap();
    let rounds = |value: &Value| {
        let figures = value["figures"].as_array().unwrap();
        let figure = figures.iter().find(|figure| figure["what"] == "rounds").unwrap();
        (value["value"].as_i64().unwrap(), figure["estimate"]["value"].as_f64().unwrap())
    };
    assert_eq!(values.iter().map(rounds).collect::<Vec<_>>(), [(1, 1.0), (2, 2.0), (3, 3.0)]);
    let wrong = |key: &str, why: &str| drop(sweep(&["--sweep", key]).code(2).complains(why));
    wrong("option.rounds.default=1..2", "there is no `option` in content/harvest; did you mean `options`?");
    wrong("options.round.default=1..2", "there is no `round` in `options` of game.toml; did you mean `rounds`?");
    wrong("options.rounds.defalt=1..2", "did you mean `default`?");
    wrong("options.rounds=1..2", "is a table, not a number: use options.rounds.default");
    wrong("options.rounds.text=1..2", "is not a whole number");
    wrong("options.rounds.default=x", "use FILE.ITEM.KEY=LOW..HIGH");
    // The range is checked by the check itself.
    let out_of_range = sweep(&["--sweep", "options.rounds.default=3..5"]).code(1);
    out_of_range.complains("must be from 1 to 4").complains("sweep/content/harvest/game.toml");
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("sweep.html");
    sweep(&["--sweep", "options.rounds.default=1..3", "--out", page.to_str().unwrap()]).code(0).says("wrote ");
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("<svg") && page.contains("2 (now)") && !page.contains("http"), "{page}");
    // Shares of a sweep merge into the same report.
    let runs = folder.path().join("runs");
    let share = |number: &str| {
        let keep = ["--sweep", "options.rounds.default=1,3", "--out", runs.to_str().unwrap(), "--shard", number];
        sweep(&keep).code(0);
    };
    share("1/2");
    share("2/2");
    let merged = lode(&["merge", runs.to_str().unwrap(), "--format", "json"]).code(0);
    assert_eq!(serde_json::from_str::<Value>(&merged.out).unwrap(), report);
}
