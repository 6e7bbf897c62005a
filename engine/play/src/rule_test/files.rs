//! The files of rule tests: finds, reads and runs them.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use motherlode::tools::hidden::{self, find_hidden};
use motherlode::{Game, SourceFile};
use motherlode_files::open_regular;

use super::case::{MOST_TOGETHER, Seating, too_much_together};
use super::result::TestResult;
use super::{host, order};

/// The file beside a game's test files that holds no tests: they all see the table it returns as `lib`.
const LIB: &str = "lib.luau";

/// Largest test file, in bytes.
pub(super) const MOST_BYTES: usize = 512 * 1024;

/// The rule tests of a game or of a mod.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestFiles {
    /// Files of tests, by path.
    pub files: Vec<SourceFile>,
    /// What all of them see as `lib`.
    lib: Option<SourceFile>,
    /// The faults of the files that cannot be read.
    unread: Vec<TestResult>,
}

/// Which tests to run.
#[derive(Clone, Copy)]
pub enum TestFilter<'w> {
    /// All of them.
    All,
    /// Those whose names contain this, whether in upper or lower case.
    Named(&'w str),
    /// Those that a change may concern.
    Touched {
        /// Whether it concerns this test, given the file and the source of the test from its name to the next one; for tests whose names are
        /// made while the file runs, given only the name.
        is_wanted: &'w dyn Fn(&SourceFile, &str) -> bool,
        /// The ids that have changed: `t.each` gives those definitions alone, if there are any.
        ids: &'w BTreeSet<String>,
    },
}

impl TestFiles {
    /// Reads all `.luau` files in `tests/<id>/` and its folders below `root`; none if there is no such folder.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn read(root: &Path, id: &str) -> io::Result<Self> {
        let mut read = Self::default();
        for path in paths(root.join("tests").join(id))? {
            let shown = hidden::path(path.strip_prefix(root).unwrap_or(&path)).replace('\\', "/");
            match read_text(&path) {
                Ok(text) => read.take(SourceFile { path: shown, text }),
                // The file may have been deleted since the folder was read.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => read.unread.push(TestResult::fault(&shown, 0, format!("cannot be read: {error}"))),
            }
        }
        Ok(read)
    }

    /// Test files that have been read already.
    #[must_use]
    pub fn of(files: impl IntoIterator<Item = SourceFile>) -> Self {
        let mut sorted = Self::default();
        files.into_iter().for_each(|file| sorted.take(file));
        sorted
    }

    /// Whether there are no tests.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.unread.is_empty()
    }

    /// All files, including `lib.luau`.
    pub fn texts(&self) -> impl Iterator<Item = &SourceFile> {
        self.lib.iter().chain(&self.files)
    }

    /// A line of a file, counted from 1, trimmed, with hidden characters marked.
    #[must_use]
    pub fn line(&self, path: &str, line: u32) -> Option<String> {
        let file = self.texts().find(|file| file.path == path)?;
        let written = file.text.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
        Some(hidden::name(&written.trim().replace('\t', " ")))
    }

    /// Runs the tests that pass the filter, in the order of the files. A fault of a file itself is a failed test named `(file)`.
    #[must_use]
    pub fn run(&self, game: &Game, filter: TestFilter<'_>) -> Vec<TestResult> {
        self.run_within(MOST_TOGETHER, game, filter)
    }

    /// The same, within so many steps.
    pub(super) fn run_within(&self, steps: u64, game: &Game, filter: TestFilter<'_>) -> Vec<TestResult> {
        let mut results = self.unread.clone();
        // Making a match takes longer than most tests: all files share one, without native code.
        let mut table = Seating::new(game.interpreted(), steps);
        if let TestFilter::Touched { ids, .. } = filter {
            table.narrow(ids);
        }
        let mut dearest = (0, "");
        for file in &self.files {
            if table.left == 0 && results.iter().any(|one| !one.passed) {
                break;
            }
            let before = table.left;
            let found = self.run_file(&mut table, file, filter);
            dearest = dearest.max((before - table.left, file.path.as_str()));
            // A fault in lib.luau is found with every file, but reported once.
            results
                .extend(found.into_iter().filter(|one| !(one.is_fault() && results.contains(one))).collect::<Vec<_>>());
        }
        results.iter_mut().for_each(|one| one.name = hidden::name(&one.name));
        if let Some(last) = results.last_mut().filter(|_| table.left == 0) {
            let (text, (steps, file)) = (too_much_together(), dearest);
            last.message =
                last.message.replacen(&text, &format!("{text}; {file} took most, {steps} of {}", table.all), 1);
        }
        results
    }

    fn run_file(&self, table: &mut Seating, file: &SourceFile, filter: TestFilter<'_>) -> Vec<TestResult> {
        let lib = self.lib.as_ref();
        if let Some(long) = lib.into_iter().chain([file]).find(|one| one.text.len() > MOST_BYTES) {
            let message = format!("the file is larger than {} KiB: split it", MOST_BYTES / 1024);
            return vec![TestResult::fault(&long.path, 0, message)];
        }
        for source in lib.into_iter().chain([file]) {
            if let Some((at, c)) = find_hidden(&source.text) {
                let line = source.position(at).0;
                let message = format!("the character U+{:04X} is not allowed", u32::from(c));
                return vec![TestResult::fault(&source.path, line, message)];
            }
        }
        match filter {
            TestFilter::All => host::run(table, file, lib, &|_, _| true),
            TestFilter::Named(part) => {
                let part = part.to_lowercase();
                host::run(table, file, lib, &|_, name| name.to_lowercase().contains(&part))
            }
            TestFilter::Touched { is_wanted, .. } if !is_wanted(file, &file.text) => Vec::new(),
            TestFilter::Touched { is_wanted, .. } => {
                let written = bodies(&file.text);
                host::run(table, file, lib, &|names, name| match written.iter().find(|(known, _)| known == name) {
                    Some((_, body)) => is_wanted(file, body),
                    // A name made while the file runs decides alone. If no such name passes the filter, any of these tests may be meant.
                    None => {
                        let made = |name: &&String| written.iter().all(|(known, _)| known != *name);
                        is_wanted(file, name) || !names.iter().filter(made).any(|name| is_wanted(file, name))
                    }
                })
            }
        }
    }

    fn take(&mut self, file: SourceFile) {
        // What is expected of the balance stands beside the tests.
        if !file.path.ends_with(".luau") {
            return;
        }
        let mut parts = file.path.rsplit('/');
        // Only beside the test files: a folder inside may have a file of that name.
        let is_lib = parts.next() == Some(LIB) && parts.nth(1) == Some("tests");
        if is_lib { self.lib = Some(file) } else { self.files.push(file) }
    }
}

/// All test files in a folder and below, sorted.
fn paths(folder: PathBuf) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let path = entry.path();
            // The type of the entry itself, because links to folders could form a cycle.
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "luau") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Reads at most one byte more of a regular file than is allowed, so that a file that is too large can be reported. Links are refused: they
/// may lead to files of the reader.
fn read_text(file: &Path) -> io::Result<String> {
    if fs::symlink_metadata(file)?.is_symlink() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is a link; put the file itself there"));
    }
    let mut text = String::new();
    open_regular(file, fs::File::options().read(true))?.take(MOST_BYTES as u64 + 1).read_to_string(&mut text)?;
    Ok(text)
}

/// A file beside the tests that is none itself; `None`: there is no such file.
///
/// # Errors
/// When it cannot be read, or is too large.
pub fn read_beside(file: &Path, shown: &str) -> io::Result<Option<SourceFile>> {
    let wrong = |message: String| io::Error::new(io::ErrorKind::InvalidInput, format!("`{shown}`: {message}"));
    match read_text(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(wrong(format!("cannot be read: {error}"))),
        Ok(text) if text.len() > MOST_BYTES => Err(wrong(format!("the file is larger than {} KiB", MOST_BYTES / 1024))),
        Ok(text) => Ok(Some(SourceFile { path: shown.to_owned(), text })),
    }
}

/// The names of tests, each with its source.
fn bodies(text: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = order::names(text);
    let body = |at: usize, line: u32| {
        let from = (line as usize).saturating_sub(1).min(lines.len());
        let to = starts.get(at + 1).map_or(lines.len(), |(_, next)| (*next as usize).saturating_sub(1));
        lines[from..to.clamp(from, lines.len())].join("\n")
    };
    starts.iter().enumerate().map(|(at, (name, line))| (name.clone(), body(at, *line))).collect()
}
