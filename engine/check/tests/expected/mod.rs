//! Comparison with the `expected.txt` of a case. A missing file is a failure; tests never write it.

use std::fs;
use std::path::Path;

/// Describes the difference between the output of a case and its `expected.txt`; empty if there is none.
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
