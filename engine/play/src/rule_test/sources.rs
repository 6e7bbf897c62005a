//! The files of rule tests: found, read and run.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use motherlode::{Game, SourceFile};

use super::case::Seating;
use super::{LIB, MOST_BYTES, TestResult, fault, host, order};

/// The rule tests of a game or of a mod, as texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    /// Files of tests, by path.
    pub files: Vec<SourceFile>,
    /// What all of them see as `lib`.
    pub lib: Option<SourceFile>,
    /// What is wrong with the files that cannot be read.
    pub unread: Vec<TestResult>,
}

/// Which tests are meant.
#[derive(Clone, Copy)]
pub enum Wanted<'w> {
    /// All of them.
    All,
    /// Those with this in their names, in any case of letters.
    Named(&'w str),
    /// Those of which this says so, given the file and all that is written of the test from its name to the next; of tests whose names
    /// are made while the file runs the name alone.
    Where(&'w dyn Fn(&SourceFile, &str) -> bool),
}

impl Sources {
    /// Reads all `.luau` files in `tests/<id>/` and its folders below `root`; none if there is no such folder.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn read(root: &Path, id: &str) -> io::Result<Self> {
        let mut read = Self::default();
        for path in paths(root.join("tests").join(id))? {
            let shown = path.strip_prefix(root).unwrap_or(&path).display().to_string().replace('\\', "/");
            match read_text(&path) {
                Ok(text) => read.take(SourceFile { path: shown, text }),
                // A file may go while the folder is read.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => read.unread.push(fault(&shown, 0, format!("cannot be read: {error}"))),
            }
        }
        Ok(read)
    }

    /// Sorts files that are texts already.
    #[must_use]
    pub fn of(files: impl IntoIterator<Item = SourceFile>) -> Self {
        let mut sorted = Self::default();
        files.into_iter().for_each(|file| sorted.take(file));
        sorted
    }

    /// Whether there is nothing to run.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.unread.is_empty()
    }

    /// All texts.
    pub fn texts(&self) -> impl Iterator<Item = &SourceFile> {
        self.lib.iter().chain(&self.files)
    }

    /// A line of a file, from 1, without the space around it.
    #[must_use]
    pub fn line(&self, path: &str, line: u32) -> Option<&str> {
        let file = self.texts().find(|file| file.path == path)?;
        file.text.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?).map(str::trim)
    }

    /// Runs the tests that are meant, file by file in the order in which they stand there. A fault of a file itself is a failed test
    /// named [`WHOLE_FILE`](super::WHOLE_FILE).
    #[must_use]
    pub fn run(&self, game: &Game, wanted: Wanted<'_>) -> Vec<TestResult> {
        let mut results = self.unread.clone();
        // Making a match takes longer than most tests: all files play at one table, and without native code.
        let mut table = Seating::new(game.interpreted());
        for file in &self.files {
            let found = self.run_file(&mut table, file, wanted);
            // A fault of the helpers is that of every file, and told once.
            results
                .extend(found.into_iter().filter(|one| !(one.is_fault() && results.contains(one))).collect::<Vec<_>>());
        }
        results
    }

    fn run_file(&self, table: &mut Seating, file: &SourceFile, wanted: Wanted<'_>) -> Vec<TestResult> {
        let lib = self.lib.as_ref();
        match wanted {
            Wanted::All => host::run(table, file, lib, &|_, _| true),
            Wanted::Named(part) => {
                let part = part.to_lowercase();
                host::run(table, file, lib, &|_, name| name.to_lowercase().contains(&part))
            }
            Wanted::Where(is_wanted) if !is_wanted(file, &file.text) => Vec::new(),
            Wanted::Where(is_wanted) => {
                let written = bodies(&file.text);
                host::run(table, file, lib, &|names, name| match written.iter().find(|(known, _)| known == name) {
                    Some((_, body)) => is_wanted(file, body),
                    // Names that are made while the file runs say which test it is; if none says that it is meant, all may be.
                    None => {
                        let made = |name: &&String| written.iter().all(|(known, _)| known != *name);
                        is_wanted(file, name) || !names.iter().filter(made).any(|name| is_wanted(file, name))
                    }
                })
            }
        }
    }

    fn take(&mut self, file: SourceFile) {
        let mut parts = file.path.rsplit('/');
        // Only beside the test files: a folder below may have a file of that name.
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
            // The type of the entry itself: a link to a folder could lead around in a circle.
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

/// Reads one byte more than is allowed at most: the host says what is wrong with a file that is too long.
fn read_text(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    fs::File::open(file)?.take(MOST_BYTES as u64 + 1).read_to_string(&mut text)?;
    Ok(text)
}

/// The names of tests and what is written of each.
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
