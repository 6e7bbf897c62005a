//! The journal of a server: what happens in its matches, on a disk before anybody hears of it.
//!
//! One file takes the deeds of all matches, so that answers that come at the same time share one write and one sync. It only grows, by
//! one line for each sync: a checksum, the number of the line, and what happened, as JSON. A program that is killed in the middle of a
//! line leaves a last line without an end. It was never acknowledged, and is cut off. A line with an end whose checksum does not fit was
//! damaged later: the file is refused as it is, and the lines before are copied into a folder beside it.
//!
//! Of the secret in a link there is only the hash.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use motherlode::{Game, Setup};
use motherlode_files::{Draft, open_regular};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::client::{Mailbox, Role};
use super::course::{Course, Deed};
use super::gate::Key;

/// Version of the file format.
const FORMAT: u32 = 2;
/// How often it tries to lock a file that another program holds, and how long it waits after each try.
const PATIENCE: u32 = 50;
const MOMENT: Duration = Duration::from_millis(10);

/// The file in its folder.
pub const FILE: &str = "matches.log";

/// Longest line that is read, in bytes: no commit is longer.
const LONGEST: u64 = 64 << 20;

/// Most commits that share a line, and most records of one that begins a journal.
const MOST: usize = 4096;

/// Most copies of as many lines in one folder.
const COPIES: u32 = 100;

/// What is the same for all matches of a journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Version of the file format.
    pub format: u32,
    /// Id of the game.
    pub game: String,
    /// Fingerprint of its content, with mods.
    pub fingerprint: String,
    /// Version of the program: another may play a match otherwise.
    pub engine: String,
    /// Who plays each seat.
    pub seats: String,
    /// The port, which is part of the links.
    pub port: u16,
}

/// A record of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Record {
    Head(Head),
    /// A match, numbered in the order of these records.
    Match(Setup),
    /// A link to a match.
    Link {
        of: u32,
        key: Key,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
        designer: bool,
    },
    /// Something happened in a match.
    Deed(u32, Deed),
}

/// What a journal says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// What is the same for all matches.
    pub head: Head,
    /// The matches.
    pub matches: Vec<Course>,
    /// The links to them: hash of the secret, number of the match, and what it allows.
    pub links: Vec<(Key, u32, Role)>,
    /// How many bytes at the end were never acknowledged and are cut off.
    pub torn: u64,
}

/// Why a journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("cannot {doing} `{path}`: {error}")]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: String,
        /// Why not.
        error: io::Error,
    },
    /// Another program writes there.
    #[error("`{path}` is in use: another table is open with it")]
    InUse {
        /// The file.
        path: String,
    },
    /// It was changed or damaged after it was written.
    #[error("`{path}` is damaged in line {line}: {why}; {saved}")]
    Damaged {
        /// The file, which stays as it is.
        path: String,
        /// The first bad line, from 1.
        line: u64,
        /// What is wrong.
        why: &'static str,
        /// What has become of the lines before it.
        saved: String,
    },
    /// It was written by another version of the program.
    #[error("`{path}` has format {format}, but this program reads format {FORMAT}")]
    Format {
        /// The file.
        path: String,
        /// Its format.
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

/// What happened at once in a match, and who may hear of it once it is kept.
#[derive(Debug, Default)]
pub struct Commit {
    /// Number of the match.
    pub of: u32,
    /// What happened.
    pub deeds: Vec<Deed>,
    /// Who is told what.
    pub letters: Vec<(Mailbox, Utf8Bytes)>,
}

impl Commit {
    /// Tells everybody.
    pub fn deliver(self) {
        for (mailbox, text) in self.letters {
            mailbox.put(text);
        }
    }
}

impl Head {
    /// The head for matches of a game.
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
    /// Begins a journal of matches that have just begun, in a folder that has none.
    ///
    /// # Errors
    /// It cannot be written, or there is one.
    pub fn begin<'c>(
        folder: &Path,
        head: Head,
        matches: impl Iterator<Item = &'c Course>,
        links: impl Iterator<Item = (Key, u32, Role)>,
    ) -> Result<Self, JournalError> {
        let path = folder.join(FILE);
        let wrong = |error| JournalError::Io { doing: "write", path: path.display().to_string(), error };
        fs::create_dir_all(folder).map_err(wrong)?;
        let matches = matches.map(|course| Record::Match(course.setup.clone()));
        let links = links.map(|(key, of, role)| Record::Link { of, key, seat: role.seat, designer: role.designer });
        let records: Vec<Record> = std::iter::once(Record::Head(head)).chain(matches).chain(links).collect();
        // Whole or not at all: without its first line a journal says nothing.
        let mut draft = Draft::begin(&path).map_err(wrong)?;
        let mut next = 0;
        for records in records.chunks(MOST) {
            draft.write_all(&line(next, records).map_err(wrong)?).map_err(wrong)?;
            next += 1;
        }
        draft.keep(false).map_err(wrong)?;
        let file = open_regular(&path, File::options().append(true)).map_err(wrong)?;
        lock(&file, &path)?;
        Ok(Self { file, path, next })
    }

    /// Takes up the journal of a folder; `None`: there is none.
    ///
    /// # Errors
    /// It cannot be read, another program writes there, or it is damaged.
    pub fn open(folder: &Path) -> Result<Option<(Self, Kept)>, JournalError> {
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
            Err(Wrong::Io(error)) => return Err(wrong("read")(error)),
            Err(Wrong::Format(format)) => {
                return Err(JournalError::Format { path: path.display().to_string(), format });
            }
            Err(Wrong::Damage(damage)) => {
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

    /// Keeps what comes, and then lets those hear of it who may; ends when nobody sends any more.
    ///
    /// # Errors
    /// It cannot be written any more. What was not kept, nobody has heard of.
    pub fn keep(mut self, commits: &Receiver<Commit>) -> Result<(), JournalError> {
        while let Ok(first) = commits.recv() {
            let mut all = vec![first];
            all.extend(commits.try_iter().take(MOST));
            let deeds = all.iter_mut().flat_map(|commit| {
                let of = commit.of;
                commit.deeds.drain(..).map(move |deed| Record::Deed(of, deed))
            });
            let records: Vec<Record> = deeds.collect();
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

/// Two programs that write one journal would tear it. A program that is just ending is waited for; so is a child that this process has
/// just started, which holds its parent's files until it runs a program of its own.
fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    for _ in 0..PATIENCE {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(MOMENT),
            // Some file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
    Err(JournalError::InUse { path: path.display().to_string() })
}

/// A line of the journal.
fn line(number: u64, records: &[Record]) -> io::Result<Vec<u8>> {
    let text = format!("{number} {}", serde_json::to_string(records)?);
    Ok(format!("{} {text}\n", sum(text.as_bytes())).into_bytes())
}

/// The checksum of a line: 128 bits in hexadecimal digits.
fn sum(text: &[u8]) -> String {
    blake3::hash(text).to_hex()[..32].to_owned()
}

/// The number and the records of a line, if its checksum fits.
fn fits(line: &[u8]) -> Option<(u64, &[u8])> {
    let text = line.strip_suffix(b"\n")?;
    let (checksum, text) = (text.get(..32)?, text.get(32..)?.strip_prefix(b" ")?);
    if sum(text).as_bytes() != checksum {
        return None;
    }
    let space = text.iter().position(|&byte| byte == b' ')?;
    Some((std::str::from_utf8(&text[..space]).ok()?.parse().ok()?, &text[space + 1..]))
}

/// The part of a line that does not fit that does, without its end: another byte stands in place of that.
fn fits_but_its_end(line: &[u8]) -> Option<&[u8]> {
    let (checksum, text) = (line.get(..32)?, line.get(32..)?.strip_prefix(b" ")?);
    let space = text.iter().position(|&byte| byte == b' ')?;
    let mut values = serde_json::Deserializer::from_slice(&text[space + 1..]).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let text = &text[..space + 1 + values.byte_offset()];
    let length = 33 + text.len();
    (sum(text).as_bytes() == checksum && length < line.len()).then(|| &line[..length])
}

/// Why a journal says nothing.
enum Wrong {
    Io(io::Error),
    Format(u32),
    Damage(Damage),
}

/// A line that is wrong, and what stands before it.
struct Damage {
    line: u64,
    why: &'static str,
    /// How many bytes before it are right.
    whole: u64,
    /// The line itself, if only its end is wrong.
    more: Vec<u8>,
}

impl From<io::Error> for Wrong {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Damage {
    /// Copies what is right into a folder beside the file; returns what to say of that.
    fn save(&self, file: &File, folder: &Path) -> String {
        let lines = self.line - u64::from(self.more.is_empty());
        if lines == 0 {
            return "no line before it could be saved".to_owned();
        }
        let lines =
            if lines == 1 { "the line before it is saved".to_owned() } else { format!("{lines} lines are saved") };
        match self.copy(file, folder) {
            Ok(copy) => format!("{lines}: --keep {} goes on from there", copy.display()),
            Err(error) => format!("the lines before it cannot be saved beside it: {error}"),
        }
    }

    /// The folder of a copy, which may have been made before; nothing is overwritten.
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
        for number in 1..COPIES {
            let name = if number == 1 { String::new() } else { format!("-{number}") };
            let copy = folder.join(format!("saved-{}{name}", self.line - u64::from(self.more.is_empty())));
            let path = copy.join(FILE);
            match File::open(&path) {
                // A match may have gone on in it.
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

/// What a journal says, how long the part is that does, and the number of the next line.
fn read(file: &File) -> Result<(Kept, u64, u64), Wrong> {
    let length = file.metadata()?.len();
    let mut reader = BufReader::new(file);
    let (mut kept, mut whole, mut next): (Option<Kept>, u64, u64) = (None, 0, 0);
    let mut text = Vec::new();
    loop {
        let damaged = |why| Damage { line: next + 1, why, whole, more: Vec::new() };
        text.clear();
        let read = Read::take(&mut reader, LONGEST).read_until(b'\n', &mut text)? as u64;
        let Some((number, records)) = fits(&text) else {
            if let Some(line) = fits_but_its_end(&text) {
                let more = [line, b"\n"].concat();
                return Err(Wrong::Damage(Damage { more, ..damaged("it does not end where it ended") }));
            }
            if text.ends_with(b"\n") || read == LONGEST {
                return Err(Wrong::Damage(damaged("its checksum does not fit")));
            }
            // It was not written to its end, and nobody has heard of it.
            break;
        };
        if number != next {
            return Err(Wrong::Damage(damaged("a line is missing before it")));
        }
        let records: Vec<Record> =
            serde_json::from_slice(records).map_err(|_| Wrong::Damage(damaged("it has no sense")))?;
        for record in records {
            match take(&mut kept, record) {
                Taken::Fits => {}
                Taken::Other(format) => return Err(Wrong::Format(format)),
                Taken::Not(why) => return Err(Wrong::Damage(damaged(why))),
            }
        }
        // A copy of the lines before a later damage must be a journal, too.
        if kept.is_none() {
            return Err(Wrong::Damage(damaged("it has no head")));
        }
        (whole, next) = (whole + read, next + 1);
    }
    let no_head =
        || Wrong::Damage(Damage { line: 1, why: "it was not written to its end", whole: 0, more: Vec::new() });
    let mut kept = kept.ok_or_else(no_head)?;
    kept.torn = length.saturating_sub(whole);
    Ok((kept, whole, next))
}

/// Whether a record fits those before.
enum Taken {
    Fits,
    Other(u32),
    Not(&'static str),
}

fn take(kept: &mut Option<Kept>, record: Record) -> Taken {
    let (kept, record) = match (kept, record) {
        (kept @ None, Record::Head(head)) => {
            if head.format != FORMAT {
                return Taken::Other(head.format);
            }
            *kept = Some(Kept { head, matches: Vec::new(), links: Vec::new(), torn: 0 });
            return Taken::Fits;
        }
        (Some(kept), record) => (kept, record),
        (None, _) => return Taken::Not("it has no head"),
    };
    let fits = match record {
        Record::Head(_) => false,
        Record::Match(setup) => {
            kept.matches.push(Course::new(setup));
            true
        }
        Record::Link { of, key, seat, designer } => {
            kept.links.push((key, of, Role { seat, designer }));
            (of as usize) < kept.matches.len()
        }
        Record::Deed(of, deed) => kept.matches.get_mut(of as usize).is_some_and(|course| course.take(&deed)),
    };
    if fits { Taken::Fits } else { Taken::Not("it does not fit the lines before") }
}
