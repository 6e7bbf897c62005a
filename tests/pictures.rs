//! Pictures in the README and the handbook, drawn as SVG: output of `lode`, and the chart of the speed.
//!
//! `LODE_WRITE_REFERENCE=1 cargo test --test tests pictures` draws them again.

mod chart;
mod svg;

use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use motherlode_fixtures::copy;

use crate::shipped::root;
use crate::speed::kept;

const GAME: &str = "imperial_miners";

/// A project folder with the game.
fn desk() -> tempfile::TempDir {
    let desk = tempfile::tempdir().unwrap();
    copy(root(), desk.path(), &["content", "scripts", "tests"].map(|folder| format!("{folder}/{GAME}")));
    desk
}

/// Replaces a text in a file.
fn edit(folder: &Path, path: &str, from: &str, to: &str) {
    let text = fs::read_to_string(folder.join(path)).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{path}: {from}");
    fs::write(folder.join(path), text.replace(from, to)).unwrap();
}

/// `lode` with colours, in a folder.
fn lode(folder: &Path, arguments: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_lode"));
    program.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    program.env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR").env("COLUMNS", "100");
    program
}

/// The output up to the line with the time, which differs from run to run.
fn answer(output: &mut impl BufRead) -> String {
    let lines = output.lines().map(Result::unwrap);
    lines.take_while(|line| !line.contains("after ")).map(|line| line + "\n").collect()
}

/// Compares a picture with its file in `engine/docs/src/img`, or writes the file.
fn is_drawn(name: &str, made: &str) {
    let path = root().join("engine/docs/src/img").join(name);
    if std::env::var_os("LODE_WRITE_REFERENCE").is_some() {
        fs::write(&path, made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == made, "{name} is not up to date: LODE_WRITE_REFERENCE=1 draws it again");
}

#[test]
fn the_picture_of_a_check_is_up_to_date() {
    let desk = desk();
    edit(
        desk.path(),
        "content/imperial_miners/mine_level_2.toml",
        "[{ wild_recruit = 1 }, { coins = 3 }]",
        "[{ wild_recruit = 1 }, { coin = 3 }]",
    );
    let output = lode(desk.path(), &["check", GAME]).output().unwrap();
    let text = format!("$ lode check {GAME}\n{}", String::from_utf8(output.stdout).unwrap());
    let title = "lode check names the file, the line, the error and the likely fix";
    is_drawn("check.svg", &svg::svg(title, &text));
}

#[test]
fn the_picture_of_a_watch_is_up_to_date() {
    let desk = desk();
    let mut child = lode(desk.path(), &["watch", GAME, "--stdin"]).stdin(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let first = answer(&mut output);
    edit(
        desk.path(),
        "scripts/imperial_miners/mine_level_2.luau",
        "lib.score(player, get(",
        "lib.score(player, 2 * get(",
    );
    input.write_all(b"\n").unwrap();
    let second = answer(&mut output);
    drop(input);
    assert!(child.wait().unwrap().success());
    let text = format!("$ lode watch {GAME}\n{first}\n{second}");
    let title = "lode watch plays, tests and names the rules that no longer hold";
    is_drawn("watch.svg", &svg::svg(title, &text));
}

#[test]
fn the_chart_of_the_speed_is_up_to_date() {
    let title = "Time of the engine as a multiple of its baseline, for each game and measured commit";
    is_drawn("speed.svg", &chart::svg(title, &kept()));
}
