//! The journal of a server: every event of its matches, on disk before any browser learns of it.
//!
//! One file holds the events of all matches, so simultaneous answers share one write and one sync. The file
//! only grows, by one line per sync: a checksum, the line number, and the records as JSON. A program killed
//! while writing leaves an unfinished last line. Nobody was told of its events, so it is cut off. A finished
//! line with a wrong checksum was damaged later: the file is refused and left unchanged, and the lines before
//! are copied into a folder beside it.
//!
//! The file contains only the hashes of the links' secrets.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use motherlode::{Game, Setup};
use motherlode_files::{Draft, open_regular, reason};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::client::{Mailbox, Role};
use super::gate::LinkHash;
use super::match_record::{JournalEvent, MatchRecord};

/// Version of the file format.
const FORMAT: u32 = 2;
/// Attempts to lock a file that another program holds, and the pause after each.
const LOCK_ATTEMPTS: u32 = 50;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// Name of the file in its folder.
pub const FILE: &str = "matches.log";

/// Maximum length of a line, in bytes. No commit is longer.
const MAX_LINE: u64 = 64 << 20;

/// Maximum commits per line, and maximum records per line of a new journal.
const MAX_COMMITS: usize = 4096;

/// Maximum copies with the same number of lines in one folder.
const MAX_COPIES: u32 = 100;

/// The common properties of all matches of a journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JournalHeader {
    /// Version of the file format.
    pub format: u32,
    /// Id of the game.
    pub game: String,
    /// Fingerprint of the content, with mods.
    pub fingerprint: String,
    /// Version of the program. Another version may replay a match differently.
    pub engine: String,
    /// The players of the seats.
    pub seats: String,
    /// The port, which is part of the links.
    pub port: u16,
}

/// A record of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Record {
    JournalHeader(JournalHeader),
    /// A match. Matches are numbered in the order of these records.
    Match(Setup),
    /// A link to a match.
    Link {
        of: u32,
        key: LinkHash,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
        designer: bool,
    },
    /// An event of a match.
    #[serde(rename = "deed")]
    Event(u32, JournalEvent),
}

/// The contents of a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalContents {
    /// The common properties of all matches.
    pub head: JournalHeader,
    /// The matches.
    pub matches: Vec<MatchRecord>,
    /// The links: hash of the secret, number of the match, and role.
    pub links: Vec<(LinkHash, u32, Role)>,
    /// Number of unfinished bytes at the end, which are cut off.
    pub torn: u64,
}

/// An error while reading or writing a journal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("cannot {doing} `{path}`: {}", reason(error))]
    Io {
        /// The failed action.
        doing: &'static str,
        /// The file.
        path: String,
        /// The cause.
        error: io::Error,
    },
    /// Another program has locked the file.
    #[error("`{path}` is in use by another table: close that table first")]
    InUse {
        /// The file.
        path: String,
    },
    /// The file was changed or damaged after writing.
    #[error("`{path}` is damaged in line {line}: {why}; {saved}")]
    Damaged {
        /// The file, left unchanged.
        path: String,
        /// The first bad line, from 1.
        line: u64,
        /// The kind of damage.
        why: &'static str,
        /// Where the lines before it were copied.
        saved: String,
    },
    /// Another version of the program wrote the file.
    #[error("`{path}` has format {format}, but this program reads format {FORMAT}")]
    Format {
        /// The file.
        path: String,
        /// Format of the file.
        format: u32,
    },
}

/// A journal that is open for writing.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// Number of the next line.
    next: u64,
}

/// The events of one turn of a match, and the messages to send once the events are on disk.
#[derive(Debug, Default)]
pub struct Commit {
    /// Number of the match.
    pub of: u32,
    /// The events.
    pub events: Vec<JournalEvent>,
    /// The messages, with their receivers.
    pub messages: Vec<(Mailbox, Utf8Bytes)>,
}

impl Commit {
    /// Sends the messages.
    pub fn deliver(self) {
        for (mailbox, text) in self.messages {
            mailbox.send(text);
        }
    }
}

impl JournalHeader {
    /// The head for the matches of a game.
    #[must_use]
    pub fn new(game: &Game, seats: &str, port: u16) -> Self {
        Self {
            format: FORMAT,
            game: game.declarations().id.clone(),
            fingerprint: game.fingerprint().to_owned(),
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            seats: seats.to_owned(),
            port,
        }
    }
}

impl Journal {
    /// Creates the journal of new matches, in a folder without a journal.
    ///
    /// # Errors
    /// The file cannot be written, or it exists already.
    pub fn begin<'c>(
        folder: &Path,
        head: JournalHeader,
        matches: impl Iterator<Item = &'c MatchRecord>,
        links: impl Iterator<Item = (LinkHash, u32, Role)>,
    ) -> Result<Self, JournalError> {
        let path = folder.join(FILE);
        let wrong = |error| JournalError::Io { doing: "write", path: path.display().to_string(), error };
        fs::create_dir_all(folder).map_err(wrong)?;
        let matches = matches.map(|match_record| Record::Match(match_record.setup.clone()));
        let links = links.map(|(key, of, role)| Record::Link { of, key, seat: role.seat, designer: role.designer });
        let records: Vec<Record> = std::iter::once(Record::JournalHeader(head)).chain(matches).chain(links).collect();
        // Write the file whole or not at all: a journal without its first line is useless.
        let mut draft = Draft::begin(&path).map_err(wrong)?;
        let mut next = 0;
        for records in records.chunks(MAX_COMMITS) {
            draft.write_all(&line(next, records).map_err(wrong)?).map_err(wrong)?;
            next += 1;
        }
        draft.keep(false).map_err(wrong)?;
        let file = open_regular(&path, File::options().append(true)).map_err(wrong)?;
        lock(&file, &path)?;
        Ok(Self { file, path, next })
    }

    /// Opens the journal of a folder; `None`: there is none.
    ///
    /// # Errors
    /// The file cannot be read, is locked by another program, or is damaged.
    pub fn open(folder: &Path) -> Result<Option<(Self, JournalContents)>, JournalError> {
        let path = folder.join(FILE);
        let wrong = |doing| {
            let path = path.display().to_string();
            move |error| JournalError::Io { doing, path, error }
        };
        let mut file = match open_regular(&path, File::options().read(true).write(true)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(wrong("open"))?,
        };
        lock(&file, &path)?;
        let (kept, whole, next) = match read(&file) {
            Ok(read) => read,
            Err(ReadError::Io(error)) => return Err(wrong("read")(error)),
            Err(ReadError::Format(format)) => {
                return Err(JournalError::Format { path: path.display().to_string(), format });
            }
            Err(ReadError::Damage(damage)) => {
                let saved = damage.save(&file, folder);
                let Damage { line, why, .. } = damage;
                return Err(JournalError::Damaged { path: path.display().to_string(), line, why, saved });
            }
        };
        if kept.torn > 0 {
            file.set_len(whole).and_then(|()| file.sync_all()).map_err(wrong("write"))?;
        }
        file.seek(SeekFrom::Start(whole)).map_err(wrong("read"))?;
        Ok(Some((Self { file, path, next }, kept)))
    }

    /// Writes incoming commits and then sends their messages, until all senders are gone.
    ///
    /// # Errors
    /// The file can no longer be written. Messages of unwritten commits are not sent.
    pub fn keep(mut self, commits: &Receiver<Commit>) -> Result<(), JournalError> {
        while let Ok(first) = commits.recv() {
            let mut all = vec![first];
            all.extend(commits.try_iter().take(MAX_COMMITS));
            let events = all.iter_mut().flat_map(|commit| {
                let of = commit.of;
                commit.events.drain(..).map(move |event| Record::Event(of, event))
            });
            let records: Vec<Record> = events.collect();
            if !records.is_empty() {
                self.append(&records)?;
            }
            all.into_iter().for_each(Commit::deliver);
        }
        Ok(())
    }

    fn append(&mut self, records: &[Record]) -> Result<(), JournalError> {
        let write = |file: &mut File, next| -> io::Result<()> {
            file.write_all(&line(next, records)?)?;
            file.sync_data()
        };
        write(&mut self.file, self.next).map_err(|error| JournalError::Io {
            doing: "write",
            path: self.path.display().to_string(),
            error,
        })?;
        self.next += 1;
        Ok(())
    }
}

/// Locks a journal, since two writers would corrupt it. Retries, because an ending program releases its lock
/// late, and because a child process holds its parent's files until it executes its own program.
fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    for _ in 0..LOCK_ATTEMPTS {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            // Some file systems do not support locks.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
    Err(JournalError::InUse { path: path.display().to_string() })
}

/// Encodes a line of the journal.
fn line(number: u64, records: &[Record]) -> io::Result<Vec<u8>> {
    let text = format!("{number} {}", serde_json::to_string(records)?);
    Ok(format!("{} {text}\n", sum(text.as_bytes())).into_bytes())
}

/// The checksum of a line: 128 bits in hexadecimal digits.
fn sum(text: &[u8]) -> String {
    blake3::hash(text).to_hex()[..32].to_owned()
}

/// Splits a line into number and records; `None`: the checksum is wrong.
fn fits(line: &[u8]) -> Option<(u64, &[u8])> {
    let text = line.strip_suffix(b"\n")?;
    let (checksum, text) = (text.get(..32)?, text.get(32..)?.strip_prefix(b" ")?);
    if sum(text).as_bytes() != checksum {
        return None;
    }
    let space = text.iter().position(|&byte| byte == b' ')?;
    Some((std::str::from_utf8(&text[..space]).ok()?.parse().ok()?, &text[space + 1..]))
}

/// The valid beginning of a line whose line break was overwritten by another byte.
fn without_bad_end(line: &[u8]) -> Option<&[u8]> {
    let (checksum, text) = (line.get(..32)?, line.get(32..)?.strip_prefix(b" ")?);
    let space = text.iter().position(|&byte| byte == b' ')?;
    let mut values = serde_json::Deserializer::from_slice(&text[space + 1..]).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let text = &text[..space + 1 + values.byte_offset()];
    let length = 33 + text.len();
    (sum(text).as_bytes() == checksum && length < line.len()).then(|| &line[..length])
}

/// Why a journal cannot be read.
enum ReadError {
    Io(io::Error),
    Format(u32),
    Damage(Damage),
}

/// A bad line and the valid part before it.
struct Damage {
    line: u64,
    why: &'static str,
    /// Number of valid bytes before the line.
    whole: u64,
    /// The line itself, if only its end is wrong.
    more: Vec<u8>,
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Damage {
    /// Copies the valid part into a folder beside the file; returns a sentence about the copy.
    fn save(&self, file: &File, folder: &Path) -> String {
        let lines = self.line - u64::from(self.more.is_empty());
        if lines == 0 {
            return "there is no earlier line to copy".to_owned();
        }
        let lines = if lines == 1 { "1 line was copied".to_owned() } else { format!("{lines} lines were copied") };
        match self.copy(file, folder) {
            Ok(copy) => format!("{lines}: go on with `--keep {}`", copy.display()),
            Err(error) => format!("the lines before it cannot be copied: {}", reason(&error)),
        }
    }

    /// Finds or creates the copy and returns its folder. Never overwrites a file.
    fn copy(&self, file: &File, folder: &Path) -> io::Result<PathBuf> {
        let right = || -> io::Result<_> {
            let mut file = file;
            file.seek(SeekFrom::Start(0))?;
            Ok(Read::take(file, self.whole).chain(self.more.as_slice()))
        };
        let hash = |reader: &mut dyn io::Read| -> io::Result<_> {
            let mut hasher = blake3::Hasher::new();
            hasher.update_reader(reader)?;
            Ok(hasher.finalize())
        };
        for number in 1..MAX_COPIES {
            let name = if number == 1 { String::new() } else { format!("-{number}") };
            let copy = folder.join(format!("saved-{}{name}", self.line - u64::from(self.more.is_empty())));
            let path = copy.join(FILE);
            match File::open(&path) {
                // The copy may hold later events of a continued match.
                Ok(old) => {
                    let many = self.whole + self.more.len() as u64;
                    if hash(&mut Read::take(old, many))? == hash(&mut right()?)? {
                        return Ok(copy);
                    }
                }
                Err(_) => {
                    fs::create_dir_all(&copy)?;
                    let mut draft = Draft::begin(&path)?;
                    io::copy(&mut right()?, &mut draft)?;
                    draft.keep(false)?;
                    return Ok(copy);
                }
            }
        }
        Err(io::Error::other("there are too many copies"))
    }
}

/// Reads a journal. Returns its contents, the length of the valid part, and the number of the next line.
fn read(file: &File) -> Result<(JournalContents, u64, u64), ReadError> {
    let length = file.metadata()?.len();
    let mut reader = BufReader::new(file);
    let (mut kept, mut whole, mut next): (Option<JournalContents>, u64, u64) = (None, 0, 0);
    let mut text = Vec::new();
    loop {
        let damaged = |why| Damage { line: next + 1, why, whole, more: Vec::new() };
        text.clear();
        let read = Read::take(&mut reader, MAX_LINE).read_until(b'\n', &mut text)? as u64;
        let Some((number, records)) = fits(&text) else {
            if let Some(line) = without_bad_end(&text) {
                let more = [line, b"\n"].concat();
                return Err(ReadError::Damage(Damage { more, ..damaged("its line break is missing") }));
            }
            if text.ends_with(b"\n") || read == MAX_LINE {
                return Err(ReadError::Damage(damaged("its checksum is wrong")));
            }
            // An unfinished last line: nobody was told of its events.
            break;
        };
        if number != next {
            return Err(ReadError::Damage(damaged("the line before it is missing")));
        }
        let records: Vec<Record> =
            serde_json::from_slice(records).map_err(|_| ReadError::Damage(damaged("its records are invalid")))?;
        for record in records {
            match take(&mut kept, record) {
                RecordCheck::Fits => {}
                RecordCheck::OtherFormat(format) => return Err(ReadError::Format(format)),
                RecordCheck::Rejected(why) => return Err(ReadError::Damage(damaged(why))),
            }
        }
        // A copy of the lines before later damage must be a valid journal, too.
        if kept.is_none() {
            return Err(ReadError::Damage(damaged("it has no head record")));
        }
        (whole, next) = (whole + read, next + 1);
    }
    let no_head = || ReadError::Damage(Damage { line: 1, why: "it is incomplete", whole: 0, more: Vec::new() });
    let mut kept = kept.ok_or_else(no_head)?;
    kept.torn = length.saturating_sub(whole);
    Ok((kept, whole, next))
}

/// Whether a record is valid after the records before it.
enum RecordCheck {
    Fits,
    OtherFormat(u32),
    Rejected(&'static str),
}

fn take(kept: &mut Option<JournalContents>, record: Record) -> RecordCheck {
    let (kept, record) = match (kept, record) {
        (kept @ None, Record::JournalHeader(head)) => {
            if head.format != FORMAT {
                return RecordCheck::OtherFormat(head.format);
            }
            *kept = Some(JournalContents { head, matches: Vec::new(), links: Vec::new(), torn: 0 });
            return RecordCheck::Fits;
        }
        (Some(kept), record) => (kept, record),
        (None, _) => return RecordCheck::Rejected("it has no head record"),
    };
    let fits = match record {
        Record::JournalHeader(_) => false,
        Record::Match(setup) => {
            kept.matches.push(MatchRecord::new(setup));
            true
        }
        Record::Link { of, key, seat, designer } => {
            kept.links.push((key, of, Role { seat, designer }));
            (of as usize) < kept.matches.len()
        }
        Record::Event(of, event) => {
            kept.matches.get_mut(of as usize).is_some_and(|match_record| match_record.apply(&event))
        }
    };
    if fits { RecordCheck::Fits } else { RecordCheck::Rejected("it contradicts the lines before") }
}
