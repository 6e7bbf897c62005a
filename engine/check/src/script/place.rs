//! Places in a script.

use full_moon::tokenizer::TokenReference;

use motherlode_content::source::{LineIndex, SourceFile, line_span};

/// A script and where its lines begin.
#[derive(Debug)]
pub struct Places<'a> {
    source: &'a SourceFile,
    lines: LineIndex,
}

impl<'a> Places<'a> {
    /// The places of a script.
    pub fn new(source: &'a SourceFile) -> Self {
        Self { source, lines: LineIndex::new(&source.text) }
    }

    /// Path of the script as shown.
    pub fn path(&self) -> &str {
        &self.source.path
    }

    /// First byte of a token.
    pub fn start(token: &TokenReference) -> usize {
        token.token().start_position().bytes()
    }

    /// Line and column of a byte.
    pub fn position(&self, at: usize) -> (u32, u32) {
        self.lines.position(&self.source.text, at)
    }

    /// The script.
    pub fn text(&self) -> &'a str {
        &self.source.text
    }

    /// First and last byte of a line (from 1) without the space around it.
    pub fn span_of_line(&self, line: u32) -> (usize, usize) {
        line_span(&self.source.text, line).0
    }
}
