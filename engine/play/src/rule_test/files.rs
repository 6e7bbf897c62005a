//! Rule-test files: finds, reads and runs them.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use motherlode::declare::Rule;
use motherlode::language::absent_in;
use motherlode::tools::hidden::{self, find_hidden};
use motherlode::{Diagnostic, Game, SourceFile};
use motherlode_files::{open_regular, reason};

use super::case::{MOST_TOGETHER, Seating, too_much_together};
use super::result::TestResult;
use super::{host, numbers, order};

/// The helper file beside a game's test files; the tests see the table it returns as `lib`.
const LIB: &str = "lib.luau";

/// Maximum size of a test file, in bytes.
pub(super) const MOST_BYTES: usize = 512 * 1024;

/// The rule tests of a game or a mod.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestFiles {
    /// Test files, by path.
    pub files: Vec<SourceFile>,
    /// The helper file, if any.
    lib: Option<SourceFile>,
    /// Faults of unreadable files.
    unread: Vec<TestResult>,
}

/// Selects the tests to run.
#[derive(Clone, Copy)]
pub enum TestFilter<'w> {
    /// All tests.
    All,
    /// Tests whose names contain this text, ignoring case.
    Named(&'w str),
    /// Tests that a change may affect.
    Touched {
        /// Whether the change affects a test, given the file and the source from the test's name to the next one. For
        /// tests with computed names, the source is only the name.
        is_wanted: &'w dyn Fn(&SourceFile, &str) -> bool,
        /// The changed ids: `t.each` returns only these definitions, if the game has any of them.
        ids: &'w BTreeSet<String>,
    },
}

impl TestFiles {
    /// Reads all `.luau` files in `tests/<id>/` and its folders below `root`; empty if there is no such folder.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub fn read(root: &Path, id: &str) -> io::Result<Self> {
        let mut read = Self::default();
        for path in paths(root.join("tests").join(id))? {
            let shown = hidden::path(path.strip_prefix(root).unwrap_or(&path)).replace('\\', "/");
            match read_text(&path) {
                Ok(text) => read.take(SourceFile { path: shown, text }),
                // The file may have been deleted since the folder was read.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    read.unread.push(TestResult::fault(&shown, 0, format!("cannot be read: {}", reason(&error))))
                }
            }
        }
        Ok(read)
    }

    /// Test files that are already in memory.
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

    /// Warnings about rule numbers in the names of tests that no rule has.
    #[must_use]
    pub fn find_unknown_rules(&self, rules: &[Rule]) -> Vec<Diagnostic> {
        self.files.iter().flat_map(|file| numbers::find_unknown(file, rules)).collect()
    }

    /// The same tests, with the helper file of others if they have none.
    #[must_use]
    pub fn with_lib_of(mut self, other: &Self) -> Self {
        self.lib = self.lib.or_else(|| other.lib.clone());
        self
    }

    /// Runs the tests that pass the filter, in file order. A fault of a file itself is a failed test named `(file)`.
    #[must_use]
    pub fn run(&self, game: &Game, filter: TestFilter<'_>) -> Vec<TestResult> {
        self.run_within(MOST_TOGETHER, game, filter, &mut |_| {})
    }

    /// As [`Self::run`]. Calls `after_file` with the number of tests of each file after them.
    pub fn run_observed(
        &self,
        game: &Game,
        filter: TestFilter<'_>,
        after_file: &mut dyn FnMut(usize),
    ) -> Vec<TestResult> {
        self.run_within(MOST_TOGETHER, game, filter, after_file)
    }

    /// Counts the tests with names in the source that contain this text. Computed names are left out.
    #[must_use]
    pub fn count_named(&self, part: &str) -> usize {
        let part = part.to_lowercase();
        let names = self.files.iter().flat_map(|file| order::names(&file.text));
        names.filter(|(name, _)| name.to_lowercase().contains(&part)).count()
    }

    /// As [`Self::run_observed`], with this step budget.
    pub(super) fn run_within(
        &self,
        steps: u64,
        game: &Game,
        filter: TestFilter<'_>,
        after_file: &mut dyn FnMut(usize),
    ) -> Vec<TestResult> {
        let mut results = self.unread.clone();
        // Making a match takes longer than most tests, so all files share one, without machine code.
        let mut seating = Seating::new(game.interpreted(), steps);
        if let TestFilter::Touched { ids, .. } = filter {
            seating.narrow(ids);
        }
        let mut dearest = (0, "");
        for file in &self.files {
            if seating.left == 0 && results.iter().any(|one| !one.passed) {
                break;
            }
            let before = seating.left;
            let mut found = self.run_file(&mut seating, file, filter);
            after_file(found.len());
            found.iter_mut().for_each(|one| self.name_absent(one));
            dearest = dearest.max((before - seating.left, file.path.as_str()));
            // A fault in lib.luau occurs with every file, but is reported once.
            results
                .extend(found.into_iter().filter(|one| !(one.is_fault() && results.contains(one))).collect::<Vec<_>>());
        }
        results.iter_mut().for_each(|one| one.name = hidden::name(&one.name));
        if let Some(last) = results.last_mut().filter(|_| seating.left == 0) {
            let (text, (steps, file)) = (too_much_together(), dearest);
            last.message =
                last.message.replacen(&text, &format!("{text}; {file} took the most, {steps} of {}", seating.all), 1);
        }
        results
    }

    /// Adds the name that scripts lack to a failure about nil.
    fn name_absent(&self, failure: &mut TestResult) {
        let line = self.line(&failure.file, failure.line).unwrap_or_default();
        let Some((name, instead)) = absent_in(&failure.message, &line) else { return };
        let instead = match name {
            "math.random" | "math.noise" => "fix random results with `t.random`",
            "print" | "warn" => "use `error(value)` to see a value",
            _ => instead,
        };
        let end = failure.message.find('\n').unwrap_or(failure.message.len());
        failure.message.insert_str(end, &format!(": tests have no `{name}`; {instead}"));
    }

    fn run_file(&self, seating: &mut Seating, file: &SourceFile, filter: TestFilter<'_>) -> Vec<TestResult> {
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
            TestFilter::All => host::run(seating, file, lib, &|_, _| true),
            TestFilter::Named(part) => {
                let part = part.to_lowercase();
                host::run(seating, file, lib, &|_, name| name.to_lowercase().contains(&part))
            }
            TestFilter::Touched { is_wanted, .. } if !is_wanted(file, &file.text) => Vec::new(),
            TestFilter::Touched { is_wanted, .. } => {
                let written = bodies(&file.text);
                host::run(seating, file, lib, &|names, name| match written.iter().find(|(known, _)| known == name) {
                    Some((_, body)) => is_wanted(file, body),
                    // A computed name decides by itself. If no computed name passes the filter, any of these tests
                    // may be meant.
                    None => {
                        let made = |name: &&String| written.iter().all(|(known, _)| known != *name);
                        is_wanted(file, name) || !names.iter().filter(made).any(|name| is_wanted(file, name))
                    }
                })
            }
        }
    }

    fn take(&mut self, file: SourceFile) {
        // The balance file is in the same folder.
        if !file.path.ends_with(".luau") {
            return;
        }
        let mut parts = file.path.rsplit('/');
        // Only beside the test files: deeper folders may have a file of that name.
        let is_lib = parts.next() == Some(LIB) && parts.nth(1) == Some("tests");
        if is_lib { self.lib = Some(file) } else { self.files.push(file) }
    }
}

/// All test files in a folder and its subfolders, sorted.
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
            // Use the type of the entry itself, because links to folders could form a cycle.
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

/// Reads at most one byte more than allowed, so that larger files can be reported. Refuses links, because they may
/// lead to the reader's own files.
fn read_text(file: &Path) -> io::Result<String> {
    if fs::symlink_metadata(file)?.is_symlink() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path is a link: replace it with the file"));
    }
    let mut text = String::new();
    open_regular(file, fs::File::options().read(true))?.take(MOST_BYTES as u64 + 1).read_to_string(&mut text)?;
    Ok(text)
}

/// Reads a file beside the tests that is not a test; `None` if there is no such file.
///
/// # Errors
/// The file cannot be read or is too large.
pub fn read_beside(file: &Path, shown: &str) -> io::Result<Option<SourceFile>> {
    let wrong = |message: String| io::Error::new(io::ErrorKind::InvalidInput, format!("`{shown}`: {message}"));
    match read_text(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(wrong(format!("cannot be read: {}", reason(&error)))),
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
