//! The runner of rule tests: `lode test`.
//!
//! A rule test is a small Luau function that sets up a position by names, answers decisions, and says what must be so afterwards;
//! the language stands at the end of `content/README.md`. A rule test proves something or fails:
//!
//! - a test that asserts nothing fails, and so does one that ends with a decision open without saying `t.left()`;
//! - a name that stands twice in a file fails, because Luau would silently run only one of the two;
//! - a failure names its line and shows the position: who is asked what, the choices offered, and the last answers.
//!
//! A test file is a guest like every script: it runs in a sandbox of its own, which has no access to the system, a budget of
//! steps and of calls of `t`, and a limit of memory. It cannot hang the runner. Files are independent; the tests of one file share
//! the file's local variables and nothing else.
//!
//! Beyond the language of the README: a token of which there are several is written `mine#2` (the second one), one of
//! player 2's own set `mine@2`, a cell of player 2's own grid `c4@2`.

mod case;
mod checks;
mod host;
mod names;
mod order;
mod places;
mod steps;
mod values;

#[cfg(test)]
mod tests;

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use motherlode::Game;
use serde::Serialize;

/// How one test went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestResult {
    /// Its name; [`WHOLE_FILE`] for a fault of the file itself.
    pub name: String,
    /// Whether it passed.
    pub passed: bool,
    /// What is wrong, and the position on further lines; empty if it passed.
    pub message: String,
    /// Line of the failure; of a test that passed the line where it begins. 0 if it is not known.
    pub line: u32,
    /// The file, as shown.
    pub file: String,
}

/// The name under which a fault of the file itself is reported.
pub const WHOLE_FILE: &str = "(file)";

/// Largest test file, in bytes.
pub const MOST_BYTES: usize = 512 * 1024;

/// The test files of a game: all `.luau` files in `tests/<id>/` and its folders below `root`, sorted by path; none if
/// there is no such folder.
///
/// # Errors
/// When a folder cannot be read.
pub fn files(root: &Path, id: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![root.join("tests").join(id)];
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

/// Runs the tests of a file whose names contain `filter` (in any case of letters; `None`: all of them), in the order in which
/// they stand there. A fault of the file itself is a failed test named [`WHOLE_FILE`].
#[must_use]
pub fn run(game: &Game, file: &Path, filter: Option<&str>) -> Vec<TestResult> {
    let shown = file.display().to_string().replace('\\', "/");
    match read(file) {
        Ok(text) => run_text(game, &shown, &text, filter),
        Err(error) => vec![fault(&shown, 0, format!("cannot be read: {error}"))],
    }
}

/// Reads one byte more than is allowed at most: [`run_text`] says what is wrong with a file that is too long.
fn read(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    fs::File::open(file)?.take(MOST_BYTES as u64 + 1).read_to_string(&mut text)?;
    Ok(text)
}

/// A fault of the file itself.
fn fault(file: &str, line: u32, message: String) -> TestResult {
    TestResult { name: WHOLE_FILE.to_owned(), passed: false, message, line, file: file.to_owned() }
}

/// Runs the tests of a text; `file` is what it is called in results. Otherwise like [`run`].
#[must_use]
pub fn run_text(game: &Game, file: &str, text: &str, filter: Option<&str>) -> Vec<TestResult> {
    let wanted = filter.unwrap_or_default().to_lowercase();
    host::run(game, file, text, &|name| name.to_lowercase().contains(&wanted))
}

/// Runs the tests of a text of which `wanted` says so, given everything that is written of a test from its name to the next.
#[must_use]
pub fn run_where(game: &Game, file: &str, text: &str, wanted: &dyn Fn(&str) -> bool) -> Vec<TestResult> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = order::names(text);
    let mut chosen = Vec::new();
    for (at, (name, line)) in starts.iter().enumerate() {
        let from = (*line as usize).saturating_sub(1).min(lines.len());
        let to = starts.get(at + 1).map_or(lines.len(), |(_, next)| (*next as usize).saturating_sub(1));
        if wanted(&lines[from..to.clamp(from, lines.len())].join("\n")) {
            chosen.push(name.as_str());
        }
    }
    // A file in which names cannot be found is one whose faults must be told.
    if chosen.is_empty() && !starts.is_empty() {
        return Vec::new();
    }
    host::run(game, file, text, &|name| starts.is_empty() || chosen.contains(&name))
}
