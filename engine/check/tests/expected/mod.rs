//! Cases with an `expected.txt`. One that is missing is a failure; none is ever written by a test.

use std::fs;
use std::path::Path;

/// How what a case tells differs from its `expected.txt`; empty if it does not.
pub fn difference(case: &Path, actual: &str) -> String {
    let name = case.file_name().unwrap().to_str().unwrap();
    match fs::read_to_string(case.join("expected.txt")) {
        Ok(expected) if expected.trim_end() == actual && !actual.is_empty() => String::new(),
        Ok(expected) => {
            format!("--- {name}: expected\n{}\n--- {name}: actual\n{actual}\n", expected.trim_end())
        }
        Err(error) => format!("--- {name}: expected.txt: {error}\n--- {name}: actual\n{actual}\n"),
    }
}
