//! A run that is kept, stopped, split into shards or merged prints byte for byte the same as an uninterrupted run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::lab::{copy, edit};
use super::program::{Run, lode, packs, run};

/// Runs a command with `--out` set to this folder.
fn into(command: &[&str], folder: &Path, more: &[&str]) -> Run {
    lode(&[command, &["--out", folder.to_str().unwrap()], more].concat())
}

fn merge(folder: &Path, more: &[&str]) -> Run {
    lode(&[&["merge", folder.to_str().unwrap()], more].concat())
}

/// The files of the one run in a folder, sorted, without the manifest.
fn files(folder: &Path) -> Vec<PathBuf> {
    let list =
        |folder: &Path| -> Vec<PathBuf> { fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect() };
    let runs = list(folder);
    assert_eq!(runs.len(), 1, "{runs:?}");
    let mut files = list(&runs[0]);
    files.retain(|file| !file.ends_with("manifest.json"));
    files.sort();
    files
}

/// The JSON output without measured times.
fn data(run: Run) -> Value {
    let mut report: Value = serde_json::from_str(&run.code(0).out).unwrap();
    let report_map = report.as_object_mut().unwrap();
    report_map.remove("cost");
    report_map.remove("speed");
    report
}

const SIM: [&str; 8] = ["sim", "harvest", "--games", "2100", "--seed", "4", "--answers", "bid"];
const ARENA: [&str; 6] = ["arena", "harvest", "--bots", "random,first", "--blocks", "40"];
const UNTIL: [&str; 8] = ["arena", "harvest", "--bots", "random,first", "--blocks", "300", "--until", "0.5,0.7"];
const EFFECTS: [&str; 8] = ["effects", "harvest", "--bots", "random", "--blocks", "20", "--forks", "20"];

#[test]
fn merged_shards_print_the_output_of_one_run() {
    for (command, rounds) in [(&SIM[..], 1), (&ARENA[..], 1), (&UNTIL[..], 1), (&EFFECTS[..], 2)] {
        let folder = tempfile::tempdir().unwrap();
        let shares = folder.path().join("shares");
        let json = ["--format", "json"];
        let whole = data(lode(&[command, &json].concat()));
        // Merges in reverse order, with repeated shards, because every shard needs all the others.
        for round in 1..=rounds {
            for share in ["3/3", "1/3", "2/3"] {
                if round == 1 && share == "2/3" && command != UNTIL {
                    merge(&shares, &[]).code(1).complains("is incomplete").complains("are missing");
                }
                into(command, &shares, &["--shard", share]).code(0);
            }
        }
        assert_eq!(data(merge(&shares, &json)), whole, "{command:?}");
        // A run in one process that resumes step by step prints the same text.
        let kept = folder.path().join("kept");
        let text = into(command, &kept, &[]).code(0).out;
        assert_eq!(into(command, &kept, &[]).code(0).out, text, "nothing is played again");
        assert_eq!(merge(&kept, &[]).code(0).out, text);
        if command != ARENA && command != UNTIL {
            assert_eq!(merge(&shares, &[]).code(0).out, text);
        }
    }
}

#[test]
fn merged_rows_equal_the_rows_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (command, ending) in [(&SIM[..], "csv"), (&ARENA[..], "jsonl"), (&EFFECTS[..], "parquet")] {
        let (kept, merged, whole) = (at(command[0]), at(&format!("merged.{ending}")), at(&format!("whole.{ending}")));
        into(command, &kept, &[]).code(0);
        merge(&kept, &["--out", merged.to_str().unwrap()]).code(0).says("wrote a row per game to");
        into(command, &whole, &[]).code(0).says("wrote a row per game to");
        assert_eq!(fs::read(merged).unwrap(), fs::read(whole).unwrap());
    }
}

#[test]
fn a_killed_run_resumes() {
    let kills: u64 = std::env::var("LODE_KILLS").map_or(4, |kills| kills.parse().unwrap());
    let command = ["sim", "harvest", "--games", "400", "--bots", "rollout:12", "--threads", "1"];
    let folder = tempfile::tempdir().unwrap();
    let [kept, whole] = ["kept", "whole"].map(|name| folder.path().join(name));
    for kill in 0..kills {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lode"))
            .args(command)
            .args(["--out", kept.to_str().unwrap()])
            .current_dir(packs())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Kills at any time from before the first file to the middle of the run.
        std::thread::sleep(Duration::from_millis(60 + kill * 7919 % 400));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let text = into(&command, &kept, &[]).code(0).out;
    assert_eq!(text, into(&command, &whole, &[]).code(0).out);
    let names =
        |folder: &Path| -> Vec<_> { files(folder).iter().map(|file| file.file_name().unwrap().to_owned()).collect() };
    assert_eq!(names(&kept), names(&whole), "nothing is left behind");
    for (one, other) in files(&kept).iter().zip(files(&whole)) {
        assert!(fs::read(one).unwrap() == fs::read(&other).unwrap(), "{}", one.display());
    }
}

#[test]
fn files_that_cannot_be_merged_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let shares = folder.path().join("shares");
    let command = ["sim", "harvest", "--games", "10"];
    merge(&shares, &[]).code(2).complains("shares`: give the --out folder of the command that played the run");
    fs::create_dir(&shares).unwrap();
    merge(&shares, &[]).code(2).complains("has no shares");
    into(&command, &shares, &[]).code(0);
    let found = files(&shares);
    let (first, second) = (&found[0], &found[1]);
    let text = fs::read_to_string(first).unwrap();
    fs::remove_file(first).unwrap();
    merge(&shares, &[]).code(1).complains("games 0 to 0 of 10 are missing");
    // Breaks a file in turn: wrong index, changed line, file of another run, overlap.
    fs::copy(second, first).unwrap();
    merge(&shares, &[]).code(1).complains("is damaged");
    let edited = text.replacen("\"rounds\":2", "\"rounds\":3", 1);
    assert_ne!(edited, text);
    fs::write(first, edited).unwrap();
    merge(&shares, &[]).code(1).complains("is damaged: delete it");
    into(&command, &shares, &[]).code(1).complains("is damaged: delete it");
    let own = first.parent().unwrap().file_name().unwrap().to_str().unwrap();
    fs::write(first, text.replacen(own, "0123456789abcdef", 1)).unwrap();
    merge(&shares, &[]).code(1).complains("belongs to another run (0123456789abcdef)");
    fs::write(first, &text).unwrap();
    fs::write(first.with_file_name("0-1.jsonl"), &text).unwrap();
    merge(&shares, &[]).code(1).complains("overlap");
    fs::remove_file(first.with_file_name("0-1.jsonl")).unwrap();
    // An impossible result with consistent companion fields.
    let (head, body) = text.split_once('\n').unwrap();
    let invented = body.replacen("\"rounds\":2", "\"rounds\":3", 1);
    let hash = |text: &str| blake3::hash(text.as_bytes()).to_hex().to_string();
    fs::write(first, format!("{}\n{invented}", head.replace(&hash(body), &hash(&invented)))).unwrap();
    merge(&shares, &[]).code(1).complains("game 0 of").complains("differs when replayed");
    fs::write(first, &text).unwrap();
    merge(&shares, &[]).code(0).says("10 games");
    // Another seed starts another run beside this one.
    into(&command, &shares, &["--seed", "2"]).code(0);
    merge(&shares, &[]).code(2).complains("has shares of 2 runs, which differ in seed").complains("lode merge");
    merge(first.parent().unwrap(), &[]).code(0).says("10 games");
}

#[test]
fn edited_content_is_noticed_on_merge() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    copy(root);
    let here = |arguments: &[&str]| run(root, arguments, b"");
    let command = |share| ["sim", "harvest", "--games", "20", "--out", "runs", "--shard", share];
    here(&command("1/2")).code(0);
    edit(root, "gain(player, \"corn\", 1)", "gain(player, \"corn\", 4)");
    here(&command("2/2")).code(0).complains("another run (differs in: fingerprint");
    here(&["merge", "runs"]).code(2).complains("which differ in fingerprint");
    edit(root, "gain(player, \"corn\", 4)", "gain(player, \"corn\", 1)");
    here(&command("2/2")).code(0);
    let complete = fs::read_dir(root.join("runs")).unwrap().map(|run| run.unwrap().path());
    let complete = complete.max_by_key(|run| fs::read_dir(run).unwrap().count()).unwrap();
    here(&["merge", complete.to_str().unwrap()]).code(0).says("20 games");
    edit(root, "gain(player, \"corn\", 1)", "gain(player, \"corn\", 2)");
    here(&["merge", complete.to_str().unwrap()]).code(1).complains("differs in: fingerprint");
}

#[test]
fn shards_and_folders_are_checked_before_the_games() {
    let sim = |more: &[&str]| lode(&[&["sim", "harvest", "--games", "5"], more].concat());
    sim(&["--shard", "1/2"]).code(2).complains("--out");
    sim(&["--shard", "0/2", "--out", "x"]).code(2).complains("use 1/2 to 2/2");
    sim(&["--shard", "3/2", "--out", "x"]).code(2).complains("there is no share 3 of 2");
    sim(&["--shard", "1/0", "--out", "x"]).code(2).complains("use 1/8 for the first of eight shares");
    sim(&["--shard", "1", "--out", "x"]).code(2).complains("1/8 for the first of eight");
    sim(&["--shard", "1/2", "--out", "x.csv"]).code(2).complains("--shard needs a folder");
    sim(&["--force", "--out", "x"]).code(2).complains("delete the folder");
    sim(&["--out", "/proc/nowhere"]).code(2).complains("cannot write");
}

/// A forged file can carry a correct hash, so the hash alone proves nothing.
#[test]
fn impossible_results_are_refused() {
    let hash = |text: &str| blake3::hash(text.as_bytes()).to_hex().to_string();
    for (command, from, to) in [
        (&ARENA[..], "\"secs\":0", "\"secs\":18446744073709551615"),
        (&ARENA, "\"bots\":[0,", "\"bots\":[9,"),
        (&SIM, "\"ranks\":[", "\"ranks\":[1,"),
        (&EFFECTS, "\"cell\":[0,", "\"cell\":[9,"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let runs = folder.path().join("runs");
        into(command, &runs, &[]).code(0);
        let file = files(&runs).into_iter().find(|file| file.ends_with("0-20.jsonl") || file.ends_with("0-0.jsonl"));
        let file = file.unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let (head, body) = text.split_once('\n').unwrap();
        let invented = body.replacen(from, to, 1);
        assert_ne!(body, invented, "{from}");
        fs::write(&file, format!("{}\n{invented}", head.replace(&hash(body), &hash(&invented)))).unwrap();
        merge(&runs, &[]).code(1).complains(".jsonl` is damaged (piece 0 is impossible)");
        into(command, &runs, &[]).code(1).complains("is impossible): delete it");
    }
}

#[test]
fn a_broken_manifest_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("manifest.json"), "run").unwrap();
    let broken = merge(folder.path(), &[]).code(1);
    assert!(
        broken.err.ends_with("is not the manifest of a run: play the run again into a new folder\n"),
        "{}",
        broken.err
    );
}
