//! Kills during `play --save` and `sim --out`: no taken answer is lost, no file is torn, and no draft remains.
//!
//! A test run makes some dozens of kills. `LODE_KILLS=1000` makes as many by hand.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use motherlode::Replay;

use super::Project;
use crate::cli::program::run;
use crate::twins::SplitMix64;

fn kills() -> usize {
    std::env::var("LODE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(24)
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_lode"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Files left in the folder besides the project.
fn left_behind(project: &Project) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(project.path()).unwrap().map(name).collect();
    names.retain(|name| !["content", "scripts", "evil"].contains(&name.as_str()));
    names.sort();
    names
}

#[test]
fn a_killed_match_keeps_its_answers() {
    let project = Project::new(&[]);
    let save = project.path().join("save.json");
    let mut random = SplitMix64::new(13);
    for kill in 0..kills() {
        let _ = fs::remove_file(&save);
        let arguments = ["play", "victim", "--seats", "human,human", "--save", "save.json", "--seed", "7"];
        let mut child = start(project.path(), &arguments);
        let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let wanted = random.below(8);
        // A new question means that the previous answer was taken.
        let (mut asked, mut line) = (0, String::new());
        while asked <= wanted && output.read_line(&mut line).unwrap() > 0 {
            if line.contains("2  Worse") {
                asked += 1;
                input.write_all(b"1\n").unwrap();
            }
            line.clear();
        }
        // Kills at different points of the next answer.
        std::thread::sleep(Duration::from_micros(random.below(3000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let taken = wanted.min(asked.saturating_sub(1));
        match Replay::load(&save) {
            Ok(replay) => assert!(replay.answers.len() >= taken, "kill {kill}: {} of {taken}", replay.answers.len()),
            Err(error) => assert!(taken == 0 && !save.exists(), "kill {kill} after {taken} answers: {error}"),
        }
        if save.exists() {
            let _ = output.read_to_end(&mut Vec::new());
            run(project.path(), &["play", "--resume", "save.json"], "1\n".repeat(9).as_bytes()).code(0);
            assert_eq!(left_behind(&project), ["save.json"], "kill {kill}");
        }
    }
}

#[test]
fn a_killed_simulation_leaves_no_files() {
    let project = Project::new(&[]);
    let rows = project.path().join("rows.csv");
    let mut random = SplitMix64::new(31);
    for kill in 0..kills() / 2 {
        let _ = fs::remove_file(&rows);
        let mut child = start(project.path(), &["sim", "victim", "--games", "2000", "--out", "rows.csv"]);
        std::thread::sleep(Duration::from_millis(random.below(250) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        if let Ok(text) = fs::read_to_string(&rows) {
            assert_eq!(text.lines().count(), 2001, "kill {kill}: a torn file");
        }
        let left: Vec<String> = left_behind(&project).into_iter().filter(|name| name != "rows.csv").collect();
        // A draft exists only while the finished rows get their name, and the next run replaces it.
        assert!(left.is_empty() || left == [".rows.csv.part"], "kill {kill}: {left:?}");
    }
    run(project.path(), &["sim", "victim", "--games", "20", "--out", "rows.csv", "--force"], b"").code(0);
    assert_eq!(left_behind(&project), ["rows.csv"]);
}

/// A full disk leaves the old file unchanged.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_keeps_the_old_file() {
    let project = Project::new(&[]);
    let save = ["play", "victim", "--seats", "random,random", "--seed", "1", "--save", "save.json", "--force"];
    run(project.path(), &save, b"").code(0);
    let old = fs::read(project.path().join("save.json")).unwrap();
    // A file size limit of zero acts like a full disk.
    let full = |arguments: &[&str]| {
        let mut shell = Command::new("bash");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\" 2>&1 | cat", env!("CARGO_BIN_EXE_lode")]);
        crate::cli::program::run_program(shell, project.path(), arguments, b"")
    };
    let run = full(&["play", "victim", "--seats", "random,random", "--seed", "2", "--save", "save.json", "--force"]);
    assert!(run.out.contains("cannot write `save.json`"), "{run:?}");
    let run = full(&["sim", "victim", "--games", "500", "--out", "rows.csv"]);
    assert!(run.out.contains("error: cannot write `rows.csv`"), "{run:?}");
    assert!(run.out.contains("2 players, seed 1, 500 games"), "the run reports its games: {run:?}");
    assert!(!run.out.contains("wrote"), "{run:?}");
    assert_eq!(fs::read(project.path().join("save.json")).unwrap(), old);
    assert_eq!(left_behind(&project), ["save.json"]);
}

/// An unwritable folder is an error that names the folder, and the running match is not lost silently.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = Project::new(&[]);
    let folder = project.path().join("content");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    // A user who may write everywhere still cannot write to `/proc`.
    let closed = if fs::write(folder.join("probe"), "").is_ok() { "/proc" } else { "content" };
    let (save, rows) = (format!("{closed}/save.json"), format!("{closed}/rows.csv"));
    for (code, arguments) in [
        (2, &["play", "victim", "--seats", "human,random", "--save", &save][..]),
        (2, &["sim", "victim", "--games", "20", "--out", &rows]),
    ] {
        let run = run(project.path(), arguments, b"1\n1\n1\n").code(code);
        assert!(run.err.contains(&format!("cannot write `{closed}/")), "{run:?}");
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(fs::remove_file(folder.join("probe")).is_ok() == (closed == "/proc"));
    assert_eq!(left_behind(&project), Vec::<String>::new());
}
