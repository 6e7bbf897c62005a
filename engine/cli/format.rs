//! How a result is printed.

use std::io::{self, Write};

use clap::ValueEnum;
use serde::Serialize;

/// How a result is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// Prints a result for programs.
pub fn json(out: &mut dyn Write, result: &impl Serialize) -> io::Result<()> {
    writeln!(out, "{}", serde_json::to_string_pretty(result)?)
}
