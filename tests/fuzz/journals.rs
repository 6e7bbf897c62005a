//! Server journals, damaged as bytes, or line by line with recomputed checksums. A damaged journal is refused and left
//! unchanged, or it is read up to the damage.

use std::sync::mpsc::channel;

use motherlode::tools::StateHash;
use motherlode_table::server::{
    Commit, FILE, Journal, JournalContents, JournalError, JournalEvent, JournalHeader, LinkHash, MatchRecord, Role,
};
use serde_json::Value;

use super::driver::{Outcomes, Target, fuzz};
use super::mangle::{change, mangle, mangle_bytes};
use crate::shipped::{load, root};
use crate::twins::SplitMix64;

struct Journals {
    folder: tempfile::TempDir,
    bytes: Vec<u8>,
    /// The journal's contents after each line.
    after: Vec<JournalContents>,
}

impl Journals {
    /// The contents of a journal file with these bytes.
    fn open(&self, bytes: &[u8], seen: &mut Outcomes) -> Result<Option<JournalContents>, String> {
        let folder = tempfile::tempdir_in(self.folder.path()).unwrap();
        let file = folder.path().join(FILE);
        std::fs::write(&file, bytes).unwrap();
        match Journal::open(folder.path()) {
            Ok(Some((_, kept))) => {
                seen.outcome(&format!("read {}", kept.torn > 0));
                let left = std::fs::read(&file).unwrap();
                let right = bytes.starts_with(&left) && left.len() as u64 + kept.torn == bytes.len() as u64;
                if right {
                    Ok(Some(JournalContents { torn: 0, ..kept }))
                } else {
                    Err("more is cut off than reported".to_owned())
                }
            }
            Ok(None) => Err("a journal is not found".to_owned()),
            Err(error) => {
                seen.outcome(&error.to_string());
                if std::fs::read(&file).unwrap() != bytes {
                    return Err("a journal that is refused is changed".to_owned());
                }
                if let JournalError::Damaged { line, .. } = error {
                    self.reads_copy(&folder.path().join(format!("saved-{}", line - 1)), line)?;
                }
                Ok(None)
            }
        }
    }

    /// Checks that the saved copy of the valid part can be opened.
    fn reads_copy(&self, copy: &std::path::Path, line: u64) -> Result<(), String> {
        match Journal::open(copy) {
            Ok(Some(_)) => Ok(()),
            // The file may end after one more complete line.
            Ok(None) | Err(JournalError::Io { .. })
                if line == 1 || copy.with_file_name(format!("saved-{line}")).exists() =>
            {
                Ok(())
            }
            other => Err(format!("the lines before line {line} are not saved: {other:?}")),
        }
    }

    /// Damaged bytes give the contents after some earlier line, or an error.
    fn as_bytes(&self, genes: &[u32], seen: &mut Outcomes) -> Result<(), String> {
        let mut bytes = self.bytes.clone();
        for &gene in genes {
            mangle_bytes(&mut bytes, &mut SplitMix64::new(u64::from(gene)));
        }
        match self.open(&bytes, seen)? {
            Some(kept) if !self.after.contains(&kept) => Err("a damaged journal is read as another".to_owned()),
            _ => Ok(()),
        }
    }

    /// Invented lines with correct checksums.
    fn as_lines(&self, genes: &[u32], seen: &mut Outcomes) -> Result<(), String> {
        let mut lines: Vec<String> =
            String::from_utf8(self.bytes.clone()).unwrap().lines().map(|line| line[33..].to_owned()).collect();
        for &gene in genes {
            let mut random = SplitMix64::new(u64::from(gene));
            let (at, other) = (random.below(lines.len()), random.below(lines.len()));
            let (number, records) = lines[at].split_once(' ').unwrap_or(("0", "[]"));
            lines[at] = match (random.below(6), serde_json::from_str::<Value>(records)) {
                (0, _) => mangle(&lines[at], &lines[other], &mut random).replace('\n', " "),
                (1, _) => format!("{number} {}", lines[other].split_once(' ').map_or("[]", |(_, records)| records)),
                (_, Ok(mut records)) => {
                    change(&mut records, &mut random);
                    format!("{number} {records}")
                }
                _ => continue,
            };
        }
        let lines = lines.iter().map(|line| format!("{} {line}\n", &blake3::hash(line.as_bytes()).to_hex()[..32]));
        self.open(lines.collect::<String>().as_bytes(), seen).map(drop)
    }
}

impl Target for Journals {
    const NAME: &'static str = "journals";
    const GENES: std::ops::Range<usize> = 2..5;
    const INPUTS: u64 = 200;

    fn new() -> Self {
        // Saving waits for the disk, which this test does not measure.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let game = load(&root().join("tests/fixtures/knowledge"), "die");
        let courses = [5, 6].map(|seed| MatchRecord::new(game.setup(Some(2), &[], seed).unwrap()));
        let links =
            (0..2).map(|of| (LinkHash::of(&of.to_string()), of, Role { seat: Some(of as u8), designer: false }));
        let journal =
            Journal::begin(folder.path(), JournalHeader::new(&game, "human,human", 1), courses.iter(), links).unwrap();
        drop(journal);
        let state = StateHash(1);
        let deeds = [
            JournalEvent::Answer { seat: 0, index: 2, state },
            JournalEvent::Answer { seat: 1, index: 0, state },
            JournalEvent::Out { step: 0, state },
            JournalEvent::Note { seat: Some(0), text: "A undoes an answer.".to_owned() },
            JournalEvent::Back { step: 0 },
            JournalEvent::Note { seat: None, text: "B undoes an answer.".to_owned() },
        ];
        for (step, deed) in deeds.into_iter().enumerate() {
            let (journal, _) = Journal::open(folder.path()).unwrap().unwrap();
            let (commits, received) = channel();
            let other = JournalEvent::Answer { seat: 1, index: step as u16, state };
            commits.send(Commit { of: 0, events: vec![deed], messages: Vec::new() }).unwrap();
            commits.send(Commit { of: 1, events: vec![other], messages: Vec::new() }).unwrap();
            drop(commits);
            journal.keep(&received).unwrap();
        }
        let bytes = std::fs::read(folder.path().join(FILE)).unwrap();
        let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').map(|at| at + 1).collect();
        let mut journals = Self { folder, bytes, after: Vec::new() };
        for end in ends {
            let kept = journals.open(&journals.bytes[..end], &mut Outcomes::new()).unwrap().unwrap();
            journals.after.push(kept);
        }
        journals
    }

    fn run(&mut self, genes: &[u32], seen: &mut Outcomes) -> Result<(), String> {
        let (&first, rest) = genes.split_first().expect("an input has a gene");
        let done = if first % 2 == 0 { self.as_bytes(rest, seen) } else { self.as_lines(rest, seen) };
        seen.execution();
        done
    }
}

#[test]
fn damaged_journals_are_refused_or_read() {
    fuzz::<Journals>();
}
