//! Places in files.

use serde::Serialize;

/// File, line and column (both from 1) of a declaration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Location {
    /// Displayed path: `content/checkers/equipment.toml`.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}
