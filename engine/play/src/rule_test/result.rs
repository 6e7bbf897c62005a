//! How a test went.

use serde::Serialize;

/// The name under which a fault of the file itself is reported.
pub(super) const WHOLE_FILE: &str = "(file)";

/// How one test went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestResult {
    /// Its name; `(file)` for a fault of the file itself.
    pub name: String,
    /// Whether it passed.
    pub passed: bool,
    /// What is wrong, with the position on further lines; empty if it passed.
    pub message: String,
    /// Line of the failure; if it passed, the line where it begins. 0 if unknown.
    pub line: u32,
    /// The file, as shown to people.
    pub file: String,
}

impl TestResult {
    /// A fault of the file itself.
    pub(super) fn fault(file: &str, line: u32, message: String) -> Self {
        Self { name: WHOLE_FILE.to_owned(), passed: false, message, line, file: file.to_owned() }
    }

    /// Whether it is a fault of the file itself.
    pub(super) fn is_fault(&self) -> bool {
        self.name == WHOLE_FILE
    }
}
