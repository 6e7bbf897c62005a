//! Edits of the rules during a match: no answer is lost, and a reload alone writes no file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use motherlode::Replay;
use motherlode_fixtures::write;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::client::Client;
use super::designer::{BUILDINGS, await_line, await_refusal, edit, photon, play, wait};
use super::program::Program;

const FILE: &str = "evening.json";
const SECOND: &str = "evening-2.json";
const GAME: &str = "content/photon/game.toml";

/// The table watches a mod's folder or archive, but not the files beside the archive.
#[test]
fn the_table_reloads_an_edited_mod() {
    let folder = photon();
    let own = folder.path().join("dear");
    write(own.join("mod.toml"), "id = \"dear\"\nversion = \"1.0.0\"\ngame = \"photon\"\n");
    let prices = |gold: u32| {
        write(own.join("content/photon/buildings.toml"), format!("[mine]\ncost = {{ gold = {gold} }}\n"));
    };
    let archive = folder.path().join("dear.zip");
    prices(1);
    crate::mods::zip(&own, &archive);
    for (at, given) in ["dear", "dear.zip"].into_iter().enumerate() {
        let path = folder.path().join(given).display().to_string();
        let args = ["photon", "--seed", "7", "--players", "3", "--seats", "human,random,random", "--mod", &path];
        let program = Program::open(folder.path(), &args);
        let mut client = program.client();
        play(&mut client, 20);
        fs::write(folder.path().join("beside.txt"), "noise").unwrap();
        prices(7 + at as u32);
        if given == "dear.zip" {
            crate::mods::zip(&own, &folder.path().join("next"));
            fs::rename(folder.path().join("next"), &archive).unwrap();
        }
        let note = await_line(&mut client, "New rules");
        assert!(note.contains("the first difference is after answer"), "{given}: {note}");
        prices(1);
    }
}

/// A saved match of Photon in a folder with editable content.
struct Evening {
    folder: TempDir,
    program: Program,
    client: Client,
}

impl Evening {
    fn begin() -> Self {
        Self::with(&[])
    }

    fn with(options: &[&str]) -> Self {
        let folder = photon();
        let file = folder.path().join("evening.json");
        let seats = ["photon", "--seed", "7", "--players", "3", "--seats", "human,random,random", "--save"];
        let program = Program::open(folder.path(), &[&seats[..], &[file.to_str().unwrap()], options].concat());
        let client = program.client();
        Self { folder, program, client }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(self.file(FILE)).unwrap()
    }

    /// Edits the price of a building; returns the first message about the edit.
    fn price(&mut self, from: &str, to: &str) -> String {
        edit(
            self.folder.path(),
            BUILDINGS,
            &format!("cost = {{ gold = {from} }}"),
            &format!("cost = {{ gold = {to} }}"),
        );
        self.await_texts(&["New rules", "The edit is undone", "cannot be played"])
    }

    fn await_texts(&mut self, texts: &[&str]) -> String {
        loop {
            let line = await_line(&mut self.client, "");
            if texts.iter().any(|text| line.contains(text)) {
                return line;
            }
        }
    }

    /// The current table.
    fn table(&mut self) -> Value {
        self.client.say(&json!({ "look": { "seat": null, "step": null } }));
        loop {
            // The answer may have come too late.
            let heard = self.client.hear().expect("the table goes on");
            if heard["table"].is_object() {
                return heard["table"].clone();
            }
        }
    }

    /// The current step of the match.
    fn steps(&mut self) -> usize {
        self.table()["place"]["steps"].as_u64().unwrap() as usize
    }

    /// Waits until bots wait for a person and this file holds all answers; returns their number.
    fn rest(&mut self, file: &str) -> usize {
        for _ in 0..3000 {
            let table = self.table();
            let steps = table["place"]["steps"].as_u64().unwrap() as usize;
            let waits = table["view"]["question"].is_object() || table["view"]["over"] == true;
            if waits && saved(&self.file(file)) == steps {
                return steps;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("{file} has {} of {} answers", saved(&self.file(file)), self.steps())
    }
}

/// Number of answers in a file.
fn saved(file: &Path) -> usize {
    Replay::load(file).map_or(0, |replay| replay.answers.len())
}

/// Takes the first choice once the bots have answered their questions.
fn answer(client: &mut Client) {
    for _ in 0..3000 {
        client.say(&json!({ "look": { "seat": null, "step": null } }));
        let table = wait(client, "table");
        if table["view"]["question"].is_object() {
            return client.say(&json!({ "answer": { "decision": table["beside"]["decision"], "index": 0 } }));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("nobody is asked");
}

#[test]
fn an_undone_edit_keeps_every_answer_and_the_file() {
    let mut evening = Evening::begin();
    play(&mut evening.client, 20);
    let (steps, bytes) = (evening.rest(FILE), evening.bytes());
    let note = evening.price("1", "7");
    assert!(note.contains("no longer fit. They are kept"), "{note}");
    assert!(evening.steps() < steps);
    // Several edits in a row, one of them unreadable: the trunk is replayed each time.
    assert!(evening.price("7", "").contains("cannot be played"));
    assert!(evening.price("", "9").contains("New rules"));
    assert_eq!(evening.bytes(), bytes, "a reload writes nothing");
    let note = evening.price("9", "1");
    assert_eq!(note, format!("The edit is undone, and all {steps} answers are back: the match goes on as before."));
    assert_eq!((evening.steps(), evening.bytes()), (steps, bytes));
    evening.client.say(&json!({ "keep": {} }));
    assert_eq!(await_refusal(&mut evening.client), "no_rules");
    // The match continues in its file.
    answer(&mut evening.client);
    assert!(evening.rest(FILE) > steps);
    assert!(!evening.file(SECOND).exists());
}

#[test]
fn another_edit_does_not_return_to_an_empty_branch() {
    let mut evening = Evening::begin();
    play(&mut evening.client, 20);
    let steps = evening.rest(FILE);
    evening.price("1", "7");
    while evening.steps() > 0 {
        evening.client.say(&json!({ "undo": {} }));
    }
    let note = evening.price("7", "1");
    assert!(note.contains(&format!("all {steps} answers are back")), "{note}");
    let note = evening.price("1", "9");
    assert!(note.contains("New rules") && evening.steps() > 0, "{note}");
}

#[test]
fn answers_after_an_edit_begin_a_branch_with_a_file_of_its_own() {
    let mut evening = Evening::begin();
    play(&mut evening.client, 20);
    let (steps, bytes) = (evening.rest(FILE), evening.bytes());
    evening.price("1", "7");
    answer(&mut evening.client);
    let note = evening.await_texts(&["A branch of the match begins"]);
    assert!(note.contains(&format!("with {steps} answers, is kept")) && note.contains("evening-2.json"), "{note}");
    answer(&mut evening.client);
    let branch = evening.rest(SECOND);
    assert_eq!(evening.bytes(), bytes, "the file keeps the match before the edit");
    // The old rules restore the old answers, and the new rules those of the branch. So does the button.
    let note = evening.price("7", "1");
    assert!(note.contains(&format!("all {steps} answers are back")), "{note}");
    assert_eq!((evening.steps(), evening.bytes()), (steps, bytes.clone()));
    let note = evening.price("1", "7");
    assert!(note.contains("The edit is undone"), "{note}");
    assert_eq!(evening.steps(), branch);
    for more in [true, false] {
        evening.client.say(&json!({ "keep": {} }));
        evening.await_texts(&["The match goes on in another branch"]);
        assert_eq!(evening.steps() == steps, more);
    }
    assert_eq!(evening.bytes(), bytes);
    // Ctrl-C writes no file either.
    let interrupted = Command::new("kill").args(["-INT", &evening.program.child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    evening.program.child.wait().unwrap();
    assert_eq!((saved(&evening.file(FILE)), evening.bytes()), (steps, bytes));
}

#[test]
fn answers_that_all_fit_stay_in_the_same_file() {
    let mut evening = Evening::begin();
    play(&mut evening.client, 20);
    let steps = evening.rest(FILE);
    edit(evening.folder.path(), GAME, "Six stranded", "Seven stranded");
    let note = evening.await_texts(&["New rules", "cannot be played"]);
    assert!(note.contains("New rules"), "{note}");
    answer(&mut evening.client);
    let more = evening.rest(FILE);
    assert!(more > steps && !evening.file(SECOND).exists());
    edit(evening.folder.path(), GAME, "Seven stranded", "Six stranded");
    evening.await_texts(&["New rules"]);
    assert_eq!((evening.steps(), evening.rest(FILE)), (more, more));
}

#[test]
fn a_finished_match_stays_finished() {
    let mut evening = Evening::with(&["--option", "max_rounds=20"]);
    let (mut is_asked, mut answered) = (false, Value::Null);
    loop {
        let heard = evening.client.hear().expect("the table goes on");
        let of = if heard["table"].is_object() { &heard["table"] } else { &heard["patch"] };
        if of["beside"]["outcome"].is_object() {
            break;
        }
        // A repeated question is in no patch.
        is_asked = of["view"].get("question").map_or(is_asked, Value::is_object);
        let decision = &of["beside"]["decision"];
        if is_asked && decision.is_u64() && *decision != answered {
            // The table accepts no more messages than this.
            std::thread::sleep(Duration::from_millis(50));
            evening.client.say(&json!({ "answer": { "decision": decision, "index": 0 } }));
            answered = decision.clone();
        }
    }
    let (steps, bytes) = (evening.rest(FILE), evening.bytes());
    assert!(Replay::load(&evening.file(FILE)).unwrap().outcome.is_some());
    evening.price("1", "7");
    assert!(evening.steps() < steps);
    let note = evening.price("7", "1");
    assert!(note.contains("The edit is undone"), "{note}");
    assert_eq!((evening.steps(), evening.bytes()), (steps, bytes.clone()));
    // If nobody wins, all answers fit, and the match could continue, but nobody has asked for that.
    let (script, from, to) = ("scripts/photon/phases.luau", "if standing == 1 then", "if standing == -1 then");
    edit(evening.folder.path(), script, from, to);
    evening.await_texts(&["New rules"]);
    assert!(evening.steps() >= steps);
    assert_eq!(evening.bytes(), bytes);
    edit(evening.folder.path(), script, to, from);
    evening.await_texts(&["The edit is undone"]);
    assert_eq!((evening.steps(), evening.bytes()), (steps, bytes));
}
