//! Saved matches: acknowledged answers survive any kill of the program and any damage to the file.
//!
//! A test run makes some kills. `LODE_KILLS=1000` makes as many by hand.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use motherlode_table::server::{
    Commit, Door, FILE, Hall, Journal, JournalContents, JournalError, JournalEvent, JournalHeader, MatchRecord,
};
use serde_json::json;
use tempfile::TempDir;

use super::client::{Client, beside, decision};
use super::program::{Program, links};
use super::{rules, seat, token};
use crate::cli::program::run;
use crate::shipped::{load, root};
use crate::twins::SplitMix64;

fn kills() -> usize {
    std::env::var("LODE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(6)
}

/// Gives random answers for a seat until the connection breaks; returns the acknowledged ones.
fn play(host: &str, token: &str, mut random: SplitMix64) -> Vec<u16> {
    let mut acknowledged = Vec::new();
    let Ok(mut client) = Client::at(host, token, None) else { return acknowledged };
    let (mut choices, mut number, mut given) = (0, 0, None);
    while let Some(heard) = client.hear() {
        if heard["skeleton"].is_object() || heard["place"].is_object() {
            continue;
        }
        if heard["refused"].is_object() {
            panic!("{heard}");
        }
        let before = number;
        number = decision(&heard);
        let of = if heard["table"].is_object() { &heard["table"]["view"] } else { &heard["patch"]["view"] };
        if let Some(question) = of.get("question") {
            choices = question["choices"].as_array().map_or(0, Vec::len);
        }
        // A new question means that the answer was taken.
        if (number != before || choices == 0)
            && let Some(index) = given.take()
        {
            acknowledged.push(index);
        }
        if choices > 0 && given.is_none() {
            let index = random.below(choices) as u16;
            given = Some(index);
            let answer = json!({ "answer": { "decision": number, "index": index } });
            if client.0.send(tungstenite::Message::text(answer.to_string())).is_err() {
                break;
            }
        }
    }
    acknowledged
}

fn open_journal(folder: &Path) -> JournalContents {
    Journal::open(folder).unwrap().expect("there is a journal").1
}

/// The answers of each seat.
fn by_seat(course: &MatchRecord) -> BTreeMap<u8, Vec<u16>> {
    let mut all: BTreeMap<u8, Vec<u16>> = BTreeMap::from([(0, Vec::new()), (1, Vec::new())]);
    course.answers.iter().for_each(|answer| all.get_mut(&answer.seat).unwrap().push(answer.index));
    all
}

#[test]
fn a_killed_table_keeps_acknowledged_answers() {
    let mut random = SplitMix64::new(41);
    let (mut left, mut taken, mut matches) = (kills(), 0, 0);
    while left > 0 {
        matches += 1;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let arguments = ["atacama", "--players", "2", "--seats", "human,human", "--seed", "7", "--keep", path];
        let mut program = Program::start(root(), "", &arguments);
        let (host, tokens) = links(&program.said());
        let mut sure: BTreeMap<u8, Vec<u16>> = BTreeMap::from([(0, Vec::new()), (1, Vec::new())]);
        // Repeats the same match until it is over.
        while left > 0 {
            left -= 1;
            let people: Vec<_> = (0..2_usize)
                .map(|seat| {
                    let (host, token, random) =
                        (host.clone(), tokens[seat].clone(), SplitMix64::new(left as u64 * 2 + seat as u64));
                    thread::spawn(move || play(&host, &token, random))
                })
                .collect();
            thread::sleep(Duration::from_micros(20_000 + random.below(400_000) as u64));
            program.kill();
            for (seat, person) in (0..).zip(people) {
                sure.get_mut(&seat).unwrap().extend(person.join().unwrap());
            }
            let found = open_journal(folder.path());
            let answers = by_seat(&found.matches[0]);
            for (seat, sure) in &mut sure {
                let found = &answers[seat];
                assert!(found.starts_with(sure), "seat {seat}: {sure:?} was acknowledged, {found:?} is kept");
                assert!(found.len() <= sure.len() + 1, "seat {seat}: no more than one is under way");
                // Saved but unacknowledged answers appear after the restart.
                sure.clone_from(found);
            }
            program = Program::start(root(), "", &["--keep", path]);
            let said = program.said();
            assert!(said[0].starts_with("atacama resumes: 1 match in"), "{said:?}");
            taken = found.matches[0].answers.len();
            let (_, whole) = Client::join(&host, &tokens[2]);
            if whole["table"]["view"]["over"] == true {
                break;
            }
        }
        program.kill();
    }
    assert!(taken > 0 || matches > 1, "{taken} answers, {matches} matches");
}

/// The journal of a short match with an undone answer: its bytes and its contents after each line.
fn journal() -> (TempDir, Vec<u8>, Vec<JournalContents>) {
    let folder = tempfile::tempdir().unwrap();
    let game = load(&root().join("tests/fixtures/knowledge"), "die");
    let setup = game.setup(Some(2), &[], 918_273_645).unwrap();
    let mut door = Door::open(0).unwrap();
    let mut hall = Hall::new(rules(&game, 2, &[0, 1]));
    let of = hall.add(MatchRecord::new(setup));
    let tokens = [0, 1].map(|one| token(&door.link(of, seat(one)).unwrap()));
    let head = JournalHeader::new(&game, "human,human", door.port());
    let journal = Journal::begin(folder.path(), head, hall.courses(), door.gate().keys()).unwrap();
    let host = format!("127.0.0.1:{}", door.port());
    thread::spawn(move || door.serve(hall.kept(journal)).unwrap());
    let mut clients = tokens.each_ref().map(|token| Client::join(&host, token));
    for step in 0..4 {
        let (client, whole) = &mut clients[step % 2];
        client.say(&json!({ "answer": { "decision": decision(whole), "index": step } }));
        // Each seat joins anew, so its view is saved.
        until_asked(&host, &tokens[(step + 1) % 2]);
        clients = tokens.each_ref().map(|token| Client::join(&host, token));
    }
    clients[1].0.say(&json!({ "undo": {} }));
    let request = loop {
        let heard = clients[0].0.hear().unwrap();
        if heard["patch"]["beside"]["request"].is_object() {
            break heard["patch"]["beside"]["request"]["number"].clone();
        }
    };
    clients[0].0.say(&json!({ "consent": { "request": request, "agree": true } }));
    until_asked(&host, &tokens[1]);
    let bytes = fs::read(folder.path().join(FILE)).unwrap();
    assert!(tokens.iter().all(|token| !String::from_utf8_lossy(&bytes).contains(token)), "no secret is kept");
    // The server still holds its lock on the file.
    let copy = shared_memory();
    let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').map(|at| at + 1).collect();
    let after = ends.iter().map(|&end| open_bytes(copy.path(), &bytes[..end]).unwrap()).collect();
    (copy, bytes, after)
}

/// Waits until a seat is asked.
fn until_asked(host: &str, token: &str) {
    for _ in 0..1000 {
        if Client::join(host, token).1["table"]["view"]["question"].is_object() {
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
    panic!("nobody is asked");
}

/// A folder in shared memory, where a sync is free, if there is one.
pub(super) fn shared_memory() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// The contents of a file with these bytes.
fn open_bytes(folder: &Path, bytes: &[u8]) -> Result<JournalContents, JournalError> {
    let path = folder.join(FILE);
    fs::write(&path, bytes).unwrap();
    let (_, kept) = Journal::open(folder)?.expect("there is a file");
    assert_eq!(fs::metadata(&path).unwrap().len() + kept.torn, bytes.len() as u64, "the torn end is cut off");
    Ok(JournalContents { torn: 0, ..kept })
}

#[test]
fn a_truncated_journal_loads_its_complete_lines() {
    let (folder, bytes, after) = journal();
    assert!(after.len() >= 7, "{} lines", after.len());
    let last = after.last().unwrap();
    assert_eq!((last.matches[0].answers.len(), last.matches[0].notes.len()), (3, 1), "{last:?}");
    for end in 0..bytes.len() {
        let lines = bytes[..end].iter().filter(|&&byte| byte == b'\n').count();
        match open_bytes(folder.path(), &bytes[..end]) {
            Ok(kept) => assert_eq!(kept, after[lines - 1], "{end} bytes"),
            Err(JournalError::Damaged { line: 1, .. }) if lines == 0 => {}
            Err(error) => panic!("{end} bytes: {error}"),
        }
    }
}

#[test]
fn every_flipped_bit_is_found() {
    let (folder, bytes, after) = journal();
    let file = folder.path().join(FILE);
    for at in 0..bytes.len() {
        let mut other = bytes.clone();
        other[at] ^= 1 << (at % 8);
        let before = bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
        let Err(JournalError::Damaged { line, saved, .. }) = open_bytes(folder.path(), &other) else {
            panic!("byte {at} of line {} is read", before + 1);
        };
        assert_eq!(line, before as u64 + 1, "byte {at}");
        assert_eq!(fs::read(&file).unwrap(), other, "the file stays as it is");
        // A complete line with a damaged last byte is saved, too.
        let lines = before + usize::from(bytes[at] == b'\n');
        let copy = folder.path().join(format!("saved-{lines}"));
        assert_eq!(copy.exists(), lines > 0, "byte {at}");
        if lines > 0 {
            assert!(saved.contains(copy.to_str().unwrap()), "{saved}");
            assert_eq!(Journal::open(&copy).unwrap().unwrap().1, after[lines - 1], "byte {at}");
        }
    }
}

#[test]
fn a_rescued_copy_is_never_overwritten() {
    let (folder, mut bytes, after) = journal();
    let last = bytes.len() - 2;
    bytes[last] ^= 1;
    let copy = folder.path().join(format!("saved-{}", after.len() - 1));
    let damaged = |bytes: &[u8]| open_bytes(folder.path(), bytes).unwrap_err().to_string();
    let told = damaged(&bytes);
    // A match continues in the file and is found again.
    fs::write(copy.join(FILE), fs::read(copy.join(FILE)).unwrap().repeat(2)).unwrap();
    assert_eq!(damaged(&bytes), told);
    // Another file has this name by now.
    fs::write(copy.join(FILE), "other").unwrap();
    let told = damaged(&bytes);
    assert!(told.contains(&format!("go on with `--keep {}-2`", copy.display())), "{told}");
    assert_eq!(fs::read_to_string(copy.join(FILE)).unwrap(), "other");
    // A lost end, followed by an incomplete line.
    let mut lines = fs::read(Path::new(&format!("{}-2", copy.display())).join(FILE)).unwrap();
    let end = lines.len() - 1;
    lines[end] = b'x';
    lines.extend(b"0123");
    assert!(damaged(&lines).contains(&format!("in line {}: its line break is missing", after.len() - 1)));
}

#[test]
fn a_damaged_last_line_is_reported_and_other_matches_continue() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let arguments = ["die", "--players", "2", "--seats", "human,human", "--seed", "7", "--keep", path];
    let mut program = Program::start(&dice(), "", &arguments);
    let (host, tokens) = links(&program.said());
    for (token, next) in [(0, 1), (1, 0)] {
        let (mut client, whole) = Client::join(&host, &tokens[token]);
        client.say(&json!({ "answer": { "decision": decision(&whole), "index": 0 } }));
        until_asked(&host, &tokens[next]);
    }
    program.kill();
    let file = folder.path().join(FILE);
    let mut bytes = fs::read(&file).unwrap();
    let at = bytes.len() - 3;
    bytes[at] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let root = dice();
    let run = run(folder.path(), &["table", "--keep", path, "--root", root.to_str().unwrap()], b"").code(1);
    let copy = format!("{path}/saved-2");
    let words = format!(
        "`{path}/{FILE}` is damaged in line 3: its checksum is wrong; 2 lines were copied: go on with `--keep {copy}`"
    );
    assert!(run.err.contains(&words), "{run:?}");
    assert_eq!(fs::read(&file).unwrap(), bytes, "the file stays as it is");
    let mut program = Program::start(&root, "", &["--keep", &copy]);
    program.said();
    let (_, whole) = Client::join(&host, &tokens[1]);
    assert!(whole["table"]["view"]["question"].is_object(), "the first answer is there, the second is not");
    program.kill();
}

#[test]
fn a_journal_of_many_matches_begins_with_many_lines() {
    let folder = shared_memory();
    let game = load(&dice(), "die");
    let course = MatchRecord::new(game.setup(Some(2), &[], 1).unwrap());
    let courses = vec![course; 10_000];
    Journal::begin(folder.path(), JournalHeader::new(&game, "", 1), courses.iter(), std::iter::empty()).unwrap();
    assert_eq!(open_journal(folder.path()).matches, courses);
    assert!(fs::read_to_string(folder.path().join(FILE)).unwrap().lines().all(|line| line.len() < 4 << 20));
}

#[test]
fn simultaneous_answers_share_a_line() {
    let folder = shared_memory();
    let game = load(&root().join("tests/fixtures/knowledge"), "die");
    let course = MatchRecord::new(game.setup(Some(2), &[], 1).unwrap());
    let courses = vec![course; 100];
    let journal =
        Journal::begin(folder.path(), JournalHeader::new(&game, "", 1), courses.iter(), std::iter::empty()).unwrap();
    let (commits, received) = channel();
    for of in 0..100 {
        let deeds = vec![JournalEvent::Note { seat: None, text: format!("of {of}") }];
        commits.send(Commit { of, events: deeds, messages: Vec::new() }).unwrap();
    }
    drop(commits);
    journal.keep(&received).unwrap();
    assert_eq!(fs::read_to_string(folder.path().join(FILE)).unwrap().lines().count(), 2);
    for (of, course) in open_journal(folder.path()).matches.iter().enumerate() {
        assert_eq!(course.notes.iter().map(|note| note.text.clone()).collect::<Vec<_>>(), [format!("of {of}")]);
    }
    let Err(JournalError::Io { .. }) =
        Journal::begin(folder.path(), JournalHeader::new(&game, "", 1), courses.iter(), std::iter::empty())
    else {
        panic!("a journal is begun over another")
    };
}

/// The folder of the dice game, whose matches are short.
fn dice() -> PathBuf {
    root().join("tests/fixtures/knowledge")
}

#[test]
fn a_full_disk_closes_the_table_and_keeps_acknowledged_answers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let arguments = ["die", "--players", "2", "--seats", "human,human", "--seed", "7", "--keep", path];
    // A file size limit of zero acts like a full disk.
    let mut program = Program::start(&dice(), "trap '' XFSZ; ulimit -f 0;", &arguments);
    assert!(program.complaint().contains(&format!("cannot write `{path}/{FILE}`")));
    program.child.wait().unwrap();
    // The file cannot grow beyond its first block.
    let mut program = Program::start(&dice(), "trap '' XFSZ; ulimit -f 1;", &arguments);
    let (host, tokens) = links(&program.said());
    let people: Vec<_> = tokens[..2]
        .iter()
        .map(|token| {
            let (host, token) = (host.clone(), token.clone());
            thread::spawn(move || play(&host, &token, SplitMix64::new(3)))
        })
        .collect();
    let complaint = program.complaint();
    assert!(complaint.contains("the table is closed: cannot write `"), "{complaint}");
    assert_eq!(program.child.wait().unwrap().code(), Some(1));
    let sure: Vec<Vec<u16>> = people.into_iter().map(|person| person.join().unwrap()).collect();
    let found = open_journal(folder.path());
    let answers = by_seat(&found.matches[0]);
    assert_eq!(answers.values().cloned().collect::<Vec<_>>(), sure, "no more and no less than was acknowledged");
    let mut program = Program::start(&dice(), "", &["--keep", path]);
    program.said();
    let (_, whole) = Client::join(&host, &tokens[2]);
    assert_eq!(whole["table"]["view"]["over"], false);
    assert!(!beside(&whole)["lines"].as_array().unwrap().is_empty() || sure.concat().is_empty());
    program.kill();
}

#[test]
fn unusable_journals_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let fixtures = dice();
    let arguments =
        ["die", "--players", "2", "--seats", "human,human", "--seed", "7", "--matches", "3", "--keep", path];
    let mut program = Program::start(&fixtures, "", &arguments);
    assert_eq!(links(&program.said()).1.len(), 9, "three links to each match");
    let fails = |arguments: &[&str], code: i32, words: &str| {
        let root = fixtures.to_str().unwrap();
        let all = [&["table"], arguments, &["--root", root]].concat();
        let run = run(folder.path(), &all, b"").code(code);
        assert!(run.err.contains(words), "{arguments:?}: {run:?}");
    };
    fails(&["--keep", path], 1, "is in use by another table: close that table first");
    program.kill();
    for wrong in [&["--seats", "human"][..], &["--players", "2"], &["--matches", "2"], &["peek"]] {
        fails(&[wrong, &["--keep", path]].concat(), 2, "already has matches of die, whose setup cannot change");
    }
    fails(&["die", "--keep", "/proc/nowhere"], 1, "cannot write `/proc/nowhere/");
    fails(&["die", "--save", "/proc/nowhere.json"], 2, "cannot write `/proc/nowhere.json`");
    fails(&["die", "--matches", "0"], 2, "use 1 to ");
    fails(&[], 2, "name a game to play");
    fails(&["die", "--save", "x.json", "--keep", path], 2, "exclude each other");
    // Other content: the answers might lead elsewhere.
    let changed = folder.path().join("changed");
    motherlode_fixtures::copy_folder(&fixtures, &changed);
    let file = changed.join("content/die/game.toml");
    fs::write(&file, fs::read_to_string(&file).unwrap().replace("rounds = 3", "rounds = 4")).unwrap();
    let run = run(folder.path(), &["table", "--keep", path, "--root", changed.to_str().unwrap()], b"").code(1);
    assert!(run.err.contains("need die with the content, mods and program version"), "{run:?}");
    assert_eq!(open_journal(folder.path()).matches.len(), 3);
}
