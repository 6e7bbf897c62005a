use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::design::workshop;
use super::program::lode;

/// A session that polls only on command, so that no test waits for a clock.
struct Session {
    folder: tempfile::TempDir,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Session {
    fn begin(game: &str, more: &[&str]) -> (Self, String) {
        Self::begin_in(workshop(), game, more)
    }

    fn begin_in(folder: tempfile::TempDir, game: &str, more: &[&str]) -> (Self, String) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lode"))
            .args(["watch", game, "--stdin"])
            .args(more)
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut session = Self { folder, child, input, output };
        let first = session.answer();
        (session, first)
    }

    /// The output up to the line that ends an answer.
    fn answer(&mut self) -> String {
        let mut text = String::new();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).unwrap() == 0 {
                return text;
            }
            text.push_str(&line);
            if line.starts_with("after ") {
                return text;
            }
        }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Replaces a text in a file and returns the session's report.
    fn change(&mut self, path: &str, from: &str, to: &str) -> String {
        let text = fs::read_to_string(self.path(path)).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(self.path(path), text.replace(from, to)).unwrap();
        self.input.as_mut().unwrap().write_all(b"\n").unwrap();
        self.answer()
    }

    fn end(mut self) {
        drop(self.input.take());
        assert_eq!(self.answer(), "", "nothing is left to say");
        assert!(self.child.wait().unwrap().success());
    }
}

#[track_caller]
fn says(answer: &str, text: &str) {
    assert!(answer.contains(text), "`{text}` is not in:\n{answer}");
}

#[test]
fn a_change_is_checked_tested_and_played_again() {
    let (mut session, first) = Session::begin("harvest", &[]);
    says(&first, "harvest: ok");
    says(&first, "2 passed, 0 failed");
    let answer = session.change("content/harvest/texts.toml", "bids {2}.", "offers {2}.");
    says(&answer, "changed content/harvest/texts.toml");
    says(&answer, "decisions and the result are the same");
    let answer = session.change("scripts/harvest/phases.luau", "{ 0, 1, 2 }", "{ 0, 1 }");
    says(&answer, "The match changes at decision 1, round 1, phase bidding: North is asked bid\n");
    says(&answer, "  Before: 3 choices, no longer offered: 2\n  Now: 2 choices\n");
    says(&answer, "tests that use `bidding`: ");
    session.end();
}

#[test]
fn a_broken_save_keeps_the_last_good_content() {
    let (mut session, _) = Session::begin("harvest", &[]);
    let answer = session.change("content/harvest/game.toml", "visible = \"owner\"", "visible = \"ovner\"");
    says(&answer, "content/harvest/game.toml:");
    says(&answer, "did you mean `owner`?");
    says(&answer, "keeping the last version without errors");
    let answer = session.change("content/harvest/game.toml", "visible = \"ovner\"", "visible = \"owner\"");
    says(&answer, "harvest: ok");
    says(&answer, "decisions and the result are the same");
    session.end();
}

#[test]
fn changed_results_and_failed_tests_are_reported() {
    let (mut session, _) = Session::begin("harvest", &[]);
    let answer =
        session.change("scripts/harvest/phases.luau", "gain(player, \"corn\", 1)\n", "gain(player, \"corn\", 5)\n");
    says(&answer, "The result of the match changes after the same ");
    says(&answer, "  Before: scores [");
    let answer = session.change("tests/harvest/bidding.luau", "return {", "return {\n    [\"H-9 no\"] = function(t)\n        t.setup { players = 2 }\n        t.expect(1, \"corn\", 99)\n    end,");
    says(&answer, "failed H-9 no");
    says(&answer, "tests/harvest/bidding.luau:4");
    session.end();
}

#[test]
fn a_kept_match_is_played_again() {
    let folder = workshop();
    let file = folder.path().join("kept.json");
    let path = file.to_str().unwrap();
    lode(&["play", "harvest", "--seats", "random,random", "--seed", "5", "--save", path]).code(0);
    let (mut session, first) = Session::begin("harvest", &["--replay", path]);
    says(&first, "harvest: ok");
    let answer = session.change("scripts/harvest/phases.luau", "choice(\"rest\")", "");
    says(&answer, "no longer offered: rest");
    session.end();
    lode(&["watch", "boards", "--stdin", "--replay", path]).code(2).complains("a match of `harvest`");
}

#[test]
fn a_mod_is_watched_with_its_game() {
    let folder = workshop();
    let write = |path: &str, text: &str| motherlode_fixtures::write(folder.path().join("rich").join(path), text);
    write("mod.toml", "id = \"rich\"\nversion = \"1.0.0\"\ngame = \"harvest\"\n");
    write("content/harvest/texts.toml", "bids = \"{1:player} offers {2}.\"\n");
    write(
        "tests/harvest/rich.luau",
        "return { [\"R-1 corn\"] = function(t)\n t.setup { players = 2 }\n t.equal(1, 1)\n t.left()\nend }",
    );
    let (mut session, first) = Session::begin_in(folder, "harvest", &["--mod", "rich"]);
    says(&first, "harvest + rich 1.0.0: ok");
    says(&first, "1 passed, 0 failed");
    let answer = session.change("rich/content/harvest/texts.toml", "bids =", "bidds =");
    says(&answer, "changed rich/content/harvest/texts.toml");
    let answer = session.change("rich/mod.toml", "\"harvest\"", "\"harvst\"");
    says(&answer, "mod `rich` is for `harvst`, not for `harvest`");
    says(&answer, "keeping the last version without errors");
    let answer = session.change("rich/mod.toml", "\"harvst\"", "\"harvest\"");
    says(&answer, "bidds");
    let answer = session.change("rich/content/harvest/texts.toml", "bidds =", "bids =");
    says(&answer, "decisions and the result are the same");
    session.end();
}
