//! The input and the output of lints.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use full_moon::node::Node;

use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::source_map::SourceMap;
use crate::uses::Uses;
use motherlode_content::diagnostic::{Diagnostic, Related, Severity};
use motherlode_content::document::{Document, Faults, Key};
use motherlode_content::hidden::clean_message;
use motherlode_content::mods::Mod;
use motherlode_content::pack::Pack;
use motherlode_content::source::SourceFile;

/// A finding of a lint, without the lint's name.
#[derive(Debug)]
pub struct Finding {
    /// Path of the file.
    pub file: String,
    /// Byte range in the file.
    pub span: (usize, usize),
    /// Line and column.
    pub position: (u32, u32),
    /// Description of the mistake.
    pub message: String,
    /// Suggested fix.
    pub help: Option<String>,
    /// Places that may be wrong instead.
    pub related: Vec<Related>,
    /// Whether it may be no mistake. It is then a warning.
    pub is_guess: bool,
}

impl Finding {
    /// Makes a finding about a byte range of a script.
    pub fn at_span(source_map: &SourceMap<'_>, span: (usize, usize), message: impl Into<String>) -> Self {
        let (file, position) = (source_map.path().to_owned(), source_map.position(span.0));
        Self { file, span, position, message: message.into(), help: None, related: Vec::new(), is_guess: false }
    }

    /// Makes a finding about a syntax node of a script.
    pub fn new(source_map: &SourceMap<'_>, at: &impl Node, message: impl Into<String>) -> Self {
        let span = at.range().map_or((0, 0), |(start, end)| (start.bytes(), end.bytes()));
        Self::at_span(source_map, span, message)
    }

    /// Adds a suggested fix.
    pub fn help(mut self, help: impl Into<Option<String>>) -> Self {
        self.help = help.into();
        self
    }

    /// Makes a diagnostic with the code of the lint and, unless it is a guess, its severity.
    pub fn into_diagnostic(self, code: &'static str, severity: Severity) -> Diagnostic {
        let Self { file, span: (start, end), position: (line, column), message, help, related, is_guess } = self;
        let severity = if is_guess { Severity::Warning } else { severity };
        // Message and help quote the file, which may contain hidden characters.
        let (message, help) = (clean_message(message), help.map(clean_message));
        Diagnostic { severity, code, file, line, column, start, end, message, help, related }
    }
}

/// The game that lints check.
#[derive(Debug)]
pub struct LintContext<'a> {
    /// The pack.
    pub pack: &'a Pack,
    /// Source text of every file.
    pub sources: &'a [SourceFile],
    /// The declared names.
    pub known: &'a DeclaredNames<'a>,
    /// The parsed scripts.
    pub scripts: &'a [ResolvedScript<'a>],
    /// Names and texts in the scripts.
    pub uses: Uses<'a>,
    /// Texts that scripts can get from the content.
    pub values: BTreeSet<&'a str>,
    /// The same texts, and every declared name.
    pub names: BTreeSet<&'a str>,
    /// Findings of the lints that look at one script.
    pub found: &'a [Diagnostic],
    /// The TOML files, parsed when a finding first needs a place in one.
    pub documents: Documents<'a>,
}

/// Parsed TOML files.
#[derive(Debug)]
pub struct Documents<'a> {
    /// Collects the parser's faults. Reading has already reported them.
    pub faults: &'a Faults,
    /// Stem and document of each file, from the lowest layer to the highest.
    pub parsed: OnceCell<Vec<(&'a str, Document<'a>)>>,
}

impl<'a> LintContext<'a> {
    /// Iterates over the TOML files with this stem, from the lowest layer to the highest.
    pub fn documents(&self, stem: &str) -> impl DoubleEndedIterator<Item = &Document<'a>> {
        let parse = || {
            let sources = self.pack.files.iter().chain(self.pack.mods().iter().flat_map(Mod::files));
            let parse = |source: &'a SourceFile| {
                Some((self.pack.stem_of(&source.path)?, Document::parse(source, self.documents.faults)))
            };
            sources.filter_map(parse).collect()
        };
        let parsed: &Vec<(&str, Document<'a>)> = self.documents.parsed.get_or_init(parse);
        parsed.iter().filter(move |(of, _)| *of == stem).map(|(_, document)| document)
    }

    /// Makes a finding at a key of a TOML file.
    pub fn at(&self, key: &Key<'_>, message: String) -> Option<Finding> {
        key.fault("", message, None);
        let Diagnostic { file, line, column, start, end, message, .. } = self.documents.faults.take().pop()?;
        let (span, position) = ((start, end), (line, column));
        Some(Finding { file, span, position, message, help: None, related: Vec::new(), is_guess: false })
    }

    /// Whether an earlier finding is at the same place.
    pub fn is_reported(&self, finding: &Finding) -> bool {
        let (start, end) = finding.span;
        self.found.iter().any(|other| other.file == finding.file && other.start >= start && other.end <= end)
    }
}
