//! Output formats.

use std::io::{self, Write};

use clap::ValueEnum;
use serde::Serialize;

/// An output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// Prints a result as JSON.
pub fn json(out: &mut dyn Write, result: &impl Serialize) -> io::Result<()> {
    writeln!(out, "{}", serde_json::to_string_pretty(result)?)
}
