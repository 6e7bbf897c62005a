//! The folder of a run, with a file for each range of pieces: `<first>-<last>.jsonl`.
//!
//! A file is written under another name and renamed, so an existing file is complete. Its first line identifies the run.

use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use motherlode::tools::hidden;
use motherlode_files::{Draft, read_regular, reason};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::fault::{Fault, remedy};
use crate::manifest::{self, Manifest};

/// The files of a run.
pub struct Shards {
    /// `DIR/<hash of the manifest>`.
    pub folder: PathBuf,
    hash: String,
    /// The ranges of the files, in order and without overlaps.
    held: Vec<Range<u64>>,
}

/// The first line of a file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    manifest: String,
    first: u64,
    last: u64,
    /// Hash of all lines below.
    hash: String,
}

impl Shards {
    /// Starts or resumes a run in a folder. Prints a note if the folder also holds another run.
    pub fn begin(dir: &Path, manifest: &Manifest) -> Result<Self, Fault> {
        let hash = manifest.hash();
        let folder = dir.join(&hash);
        let wrong = |error: io::Error| {
            Fault::usage(format!("cannot write `{}`: {}{}", hidden::path(&folder), reason(&error), remedy(&error)))
        };
        // Do not create parents, because the path may have a typo.
        let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty());
        if let Some(parent) = parent.filter(|parent| !parent.is_dir()) {
            return Err(Fault::usage(format!(
                "cannot write `{}`: there is no folder `{}`",
                hidden::path(dir),
                hidden::path(parent)
            )));
        }
        fs::create_dir_all(&folder).map_err(wrong)?;
        // Find errors before the first game.
        tempfile::tempfile_in(&folder).map_err(wrong)?;
        for (other, known) in runs(dir)?.iter().filter(|(other, _)| *other != folder) {
            let (other, difference) = (hidden::path(other), known.difference(manifest));
            match difference.as_str() {
                "" => eprintln!("note: ignoring `{other}`, which holds the same run but is not named `{hash}`"),
                _ => eprintln!("note: ignoring `{other}`, which holds another run (differs in: {difference})"),
            }
        }
        let file = folder.join(manifest::NAME);
        let text = manifest.text()?;
        for _ in 0..TRIES {
            match if file.exists() { Ok(()) } else { write(&file, &text) } {
                // Shares that start at the same time write the same text.
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => thread::sleep(PAUSE),
                done => {
                    done.map_err(|error| failed(&file, &error))?;
                    return Self::open(folder, hash);
                }
            }
        }
        Err(Fault::failed(format!("cannot write `{}`: it is locked by another process", hidden::path(&file))))
    }

    /// Opens the folder of a run.
    pub fn open(folder: PathBuf, hash: String) -> Result<Self, Fault> {
        let mut shards = Self { folder, hash, held: Vec::new() };
        shards.rescan()?;
        Ok(shards)
    }

    /// Reads the list of files again.
    ///
    /// # Errors
    /// Two files overlap, or the folder cannot be read.
    pub fn rescan(&mut self) -> Result<(), Fault> {
        let wrong = |error| Fault::failed(format!("cannot read `{}`: {}", hidden::path(&self.folder), reason(&error)));
        let mut held = Vec::new();
        for file in fs::read_dir(&self.folder).map_err(wrong)? {
            let name = file.map_err(wrong)?.file_name();
            held.extend(name.to_str().and_then(|name| name.strip_suffix(".jsonl")).and_then(range));
        }
        held.sort_by_key(|range: &Range<u64>| (range.start, range.end));
        if let Some(pair) = held.windows(2).find(|pair| pair[0].end > pair[1].start) {
            let (one, other) = (self.file(&pair[0]), self.file(&pair[1]));
            return Err(Fault::failed(format!(
                "`{}` and `{}` overlap: delete one of them; the same command plays missing pieces again",
                hidden::path(&one),
                hidden::path(&other)
            )));
        }
        self.held = held;
        Ok(())
    }

    /// The range of the file that begins with this piece.
    pub fn at(&self, first: u64) -> Option<Range<u64>> {
        let at = self.held.binary_search_by_key(&first, |range| range.start).ok()?;
        Some(self.held[at].clone())
    }

    /// The missing parts of a range.
    pub fn gaps(&self, range: Range<u64>) -> Vec<Range<u64>> {
        let mut next = range.start;
        let mut gaps = Vec::new();
        for held in &self.held {
            if held.start > next && next < range.end {
                gaps.push(next..held.start.min(range.end));
            }
            next = next.max(held.end);
        }
        if next < range.end {
            gaps.push(next..range.end);
        }
        gaps
    }

    /// The error for a file with an impossible piece.
    pub fn impossible(&self, range: &Range<u64>, number: u64) -> Fault {
        let file = self.file(range);
        Fault::failed(format!(
            "`{}` is damaged (piece {number} is impossible): delete it and run the command that wrote it again",
            hidden::path(&file)
        ))
    }

    fn file(&self, range: &Range<u64>) -> PathBuf {
        self.folder.join(format!("{}-{}.jsonl", range.start, range.end - 1))
    }

    /// Reads the pieces of a file.
    ///
    /// # Errors
    /// The file cannot be read, belongs to another run, or is damaged.
    pub fn read<P: DeserializeOwned>(&self, range: &Range<u64>) -> Result<Vec<P>, Fault> {
        let file = self.file(range);
        let shown = hidden::path(&file);
        let bytes = read_regular(&file, LARGEST_FILE)
            .map_err(|error| Fault::failed(format!("cannot read `{shown}`: {}", reason(&error))))?;
        let damaged =
            || Fault::failed(format!("`{shown}` is damaged: delete it and run the command that wrote it again"));
        let text = str::from_utf8(&bytes).map_err(|_| damaged())?;
        let (head, body) = text.split_once('\n').ok_or_else(damaged)?;
        let head: Header = serde_json::from_str(head).map_err(|_| damaged())?;
        if head.manifest != self.hash {
            return Err(Fault::failed(format!(
                "`{shown}` belongs to another run ({}): move it out of this folder",
                head.manifest
            )));
        }
        if head != self.header(range, body) {
            return Err(damaged());
        }
        let pieces: Vec<P> = body.lines().map(serde_json::from_str).collect::<Result<_, _>>().map_err(|_| damaged())?;
        if pieces.len() as u64 == range.end - range.start { Ok(pieces) } else { Err(damaged()) }
    }

    fn header(&self, range: &Range<u64>, body: &str) -> Header {
        let hash = blake3::hash(body.as_bytes()).to_hex().to_string();
        Header { manifest: self.hash.clone(), first: range.start, last: range.end - 1, hash }
    }

    /// Writes the pieces of a batch to a file.
    fn write_batch(&mut self, batch: &mut Batch) -> Result<(), Fault> {
        let range = batch.first..batch.next;
        if range.is_empty() {
            return Ok(());
        }
        let head = serde_json::to_string(&self.header(&range, &batch.lines)).map_err(io::Error::from)?;
        let file = self.file(&range);
        write(&file, &format!("{head}\n{}", batch.lines)).map_err(|error| failed(&file, &error))?;
        let at = self.held.partition_point(|held| held.start < range.start);
        self.held.insert(at, range.clone());
        *batch = Batch { first: range.end, next: range.end, lines: String::new(), ..*batch };
        Ok(())
    }
}

fn write(file: &Path, text: &str) -> io::Result<()> {
    let mut draft = Draft::begin(file)?;
    draft.write_all(text.as_bytes())?;
    // Another process that has played the same range has written the same text.
    draft.keep(true)
}

fn failed(file: &Path, error: &io::Error) -> Fault {
    Fault::unwritten(file, error)
}

/// Attempts to write a file that another process is writing.
const TRIES: u32 = 300;
/// Pause between two attempts.
const PAUSE: Duration = Duration::from_millis(10);

/// Parses `10-19`.
fn range(stem: &str) -> Option<Range<u64>> {
    let (first, last) = stem.split_once('-')?;
    let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then_some(first..last.checked_add(1)?)
}

/// The runs in a folder, with their own folders.
pub fn runs(dir: &Path) -> Result<Vec<(PathBuf, Manifest)>, Fault> {
    let wrong = |error| Fault::usage(format!("cannot read `{}`: {}", hidden::path(dir), reason(&error)));
    let mut runs = Vec::new();
    for folder in fs::read_dir(dir).map_err(wrong)? {
        let folder = folder.map_err(wrong)?.path();
        if manifest::is_in(&folder) {
            let manifest = Manifest::read(&folder)?;
            runs.push((folder, manifest));
        }
    }
    runs.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(runs)
}

/// Pieces to write to the next file. A file ends at every multiple of `each` from `anchor` and when it is full, so every process cuts a
/// range at the same places.
pub struct Batch {
    first: u64,
    next: u64,
    lines: String,
    anchor: u64,
    each: u64,
}

impl Batch {
    /// A batch that starts with piece `first` of a run of `all` pieces.
    pub fn new(first: u64, anchor: u64, all: u64) -> Self {
        Self { first, next: first, lines: String::new(), anchor, each: all.div_ceil(FILES).clamp(1, MAX_PIECES) }
    }

    /// Adds the next piece; writes the batch if it is full.
    pub fn push(&mut self, shards: &mut Shards, piece: &impl Serialize) -> Result<(), Fault> {
        self.lines.push_str(&serde_json::to_string(piece).map_err(io::Error::from)?);
        self.lines.push('\n');
        self.next += 1;
        let is_full = (self.next - self.anchor).is_multiple_of(self.each) || self.lines.len() >= FULL;
        if is_full { shards.write_batch(self) } else { Ok(()) }
    }

    /// Writes the remaining pieces.
    pub fn finish(mut self, shards: &mut Shards) -> Result<(), Fault> {
        shards.write_batch(&mut self)
    }
}

/// Approximate number of files of a run: killing the program loses at most a hundredth of the run.
const FILES: u64 = 100;

/// Maximum pieces of a file, which is read as a whole.
const MAX_PIECES: u64 = 10_000;

/// A file is full when its pieces have this many bytes.
const FULL: usize = 16 << 20;

/// Largest file that is read, in bytes. The last piece can make a file longer than [`FULL`].
const LARGEST_FILE: u64 = 256 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_pieces_are_cut_into_files_that_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Shards::open(folder.path().to_owned(), "hash".to_owned()).unwrap();
        let pieces: Vec<String> =
            (b'a'..b'f').map(|letter| char::from(letter).to_string().repeat(FULL * 2 / 3)).collect();
        let mut shards = open();
        let mut batch = Batch::new(0, 0, 1_000_000);
        pieces.iter().for_each(|piece| batch.push(&mut shards, piece).unwrap());
        batch.finish(&mut shards).unwrap();
        // A resumed run cuts at the same places.
        fs::remove_file(shards.file(&(2..4))).unwrap();
        let mut shards = open();
        assert_eq!(shards.gaps(0..5).first(), Some(&(2..4)));
        let mut batch = Batch::new(2, 0, 1_000_000);
        pieces[2..4].iter().for_each(|piece| batch.push(&mut shards, piece).unwrap());
        batch.finish(&mut shards).unwrap();
        assert_eq!(open().held, [0..2, 2..4, 4..5]);
        let read: Vec<String> = shards.held.iter().flat_map(|range| shards.read::<String>(range).unwrap()).collect();
        assert!(read == pieces);
    }
}
