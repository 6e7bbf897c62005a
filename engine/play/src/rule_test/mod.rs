//! The runner of rule tests: `lode test`.
//!
//! A rule test is a small Luau function that sets up a position by names, answers decisions, and says what must be so afterwards;
//! the language stands at the end of `content/README.md`, its methods in `content/REFERENCE.md`. A rule test proves something or fails:
//!
//! - a test that asserts nothing fails, and so does one that ends with a decision open without saying `t.left()`;
//! - a name that stands twice in a file fails, because Luau would silently run only one of the two;
//! - a failure names its line and shows the position: who is asked what, the choices offered, and the last answers.
//!
//! A test file is a guest like every script: it runs in a sandbox of its own, which has no access to the system, a budget of
//! steps and of calls of `t`, and a limit of memory. It cannot hang the runner. Files are independent; the tests of one file share
//! the file's local variables and nothing else. What [`LIB`] returns is loaded anew for each file.
//!
//! Beyond the language of the README: a token of which there are several is written `mine#2` (the second one), one of
//! player 2's own set `mine@2`, a cell of player 2's own grid `c4@2`.

mod case;
mod checks;
mod definitions;
mod host;
pub mod methods;
mod names;
mod order;
mod places;
mod sources;
mod steps;
mod values;

#[cfg(test)]
mod tests;

use serde::Serialize;

pub use self::sources::{Sources, Wanted};

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

impl TestResult {
    /// Whether it is a fault of the file itself.
    #[must_use]
    pub fn is_fault(&self) -> bool {
        self.name == WHOLE_FILE
    }
}

/// The name under which a fault of the file itself is reported.
pub const WHOLE_FILE: &str = "(file)";

/// The file beside a game's test files that holds no tests: they all see the table it returns as `lib`.
pub const LIB: &str = "lib.luau";

/// Largest test file, in bytes.
pub const MOST_BYTES: usize = 512 * 1024;

/// A fault of the file itself.
fn fault(file: &str, line: u32, message: String) -> TestResult {
    TestResult { name: WHOLE_FILE.to_owned(), passed: false, message, line, file: file.to_owned() }
}
