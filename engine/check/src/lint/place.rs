//! Places in a script.

use full_moon::node::Node;
use full_moon::tokenizer::TokenReference;

use motherlode_content::diagnostic::Diagnostic;
use motherlode_content::source::{LineIndex, SourceFile};

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

    /// A fault of these bytes.
    pub fn fault_of(&self, start: usize, end: usize, code: &'static str, message: impl Into<String>) -> Diagnostic {
        let mut fault = Diagnostic::of_file(code, self.source.path.clone(), message);
        (fault.line, fault.column) = self.position(start);
        (fault.start, fault.end) = (start, end);
        fault
    }

    /// A fault of a whole line (from 1) without the space around it.
    pub fn fault_of_line(&self, line: u32, code: &'static str, message: impl Into<String>) -> Diagnostic {
        let text = &self.source.text;
        let before: usize = text.split_inclusive('\n').take(line.max(1) as usize - 1).map(str::len).sum();
        let line = text[before..].lines().next().unwrap_or("");
        let start = before + line.len() - line.trim_start().len();
        self.fault_of(start, start.max(before + line.trim_end().len()), code, message)
    }

    /// A fault of a part of the script.
    pub fn fault(&self, at: &impl Node, code: &'static str, message: String, help: Option<String>) -> Diagnostic {
        let (start, end) = at.range().map_or((0, 0), |(start, end)| (start.bytes(), end.bytes()));
        let mut fault = self.fault_of(start, end, code, message);
        fault.help = help;
        fault
    }
}
