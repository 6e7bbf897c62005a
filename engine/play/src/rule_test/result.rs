//! The result of a rule test.

use serde::Serialize;

/// The test name for a fault of the file itself.
pub(super) const WHOLE_FILE: &str = "(file)";

/// The result of one test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestResult {
    /// Name of the test; `(file)` for a fault of the file itself.
    pub name: String,
    /// Whether the test passed.
    pub passed: bool,
    /// The failure, followed by lines with the position; empty if the test passed.
    pub message: String,
    /// Line of the failure, or the first line of a passed test; 0 if unknown.
    pub line: u32,
    /// Display path of the file.
    pub file: String,
}

impl TestResult {
    /// A fault of the file itself.
    pub(super) fn fault(file: &str, line: u32, message: String) -> Self {
        Self { name: WHOLE_FILE.to_owned(), passed: false, message, line, file: file.to_owned() }
    }

    /// Whether the result is a fault of the file itself.
    #[must_use]
    pub fn is_fault(&self) -> bool {
        self.name == WHOLE_FILE
    }
}
