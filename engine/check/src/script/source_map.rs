//! Positions in a script.

use full_moon::tokenizer::TokenReference;

use motherlode_content::source::{LineIndex, SourceFile, line_span};

/// The source of a script with an index of its lines.
#[derive(Debug)]
pub struct SourceMap<'a> {
    source: &'a SourceFile,
    lines: LineIndex,
}

impl<'a> SourceMap<'a> {
    /// Indexes the lines of a script.
    pub fn new(source: &'a SourceFile) -> Self {
        Self { source, lines: LineIndex::new(&source.text) }
    }

    /// Returns the path of the script, for messages.
    pub fn path(&self) -> &str {
        &self.source.path
    }

    /// Returns the byte offset of a token.
    pub fn start(token: &TokenReference) -> usize {
        token.token().start_position().bytes()
    }

    /// Returns the line and column of a byte offset.
    pub fn position(&self, at: usize) -> (u32, u32) {
        self.lines.position(&self.source.text, at)
    }

    /// Returns the source text.
    pub fn text(&self) -> &'a str {
        &self.source.text
    }

    /// Returns the byte range of a line (from 1) without surrounding spaces.
    pub fn span_of_line(&self, line: u32) -> (usize, usize) {
        line_span(&self.source.text, line).0
    }
}
