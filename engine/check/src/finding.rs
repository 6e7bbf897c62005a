//! What lints look at, and what they say.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use full_moon::node::Node;

use crate::script::Resolved;
use crate::script::known::Known;
use crate::script::place::Places;
use crate::uses::Uses;
use motherlode_content::diagnostic::{Diagnostic, Severity};
use motherlode_content::document::{Document, Faults, Key};
use motherlode_content::hidden::told;
use motherlode_content::mods::Mod;
use motherlode_content::pack::Pack;
use motherlode_content::source::SourceFile;

/// A finding of a lint, before it has the lint's name.
#[derive(Debug)]
pub struct Finding {
    /// Path of the file.
    pub file: String,
    /// First and last byte.
    pub span: (usize, usize),
    /// Line and column.
    pub position: (u32, u32),
    /// What is wrong.
    pub message: String,
    /// How it may be put right.
    pub help: Option<String>,
}

impl Finding {
    /// About these bytes of a script.
    pub fn of_span(places: &Places<'_>, span: (usize, usize), message: impl Into<String>) -> Self {
        let (file, position) = (places.path().to_owned(), places.position(span.0));
        Self { file, span, position, message: message.into(), help: None }
    }

    /// About a part of a script.
    pub fn new(places: &Places<'_>, at: &impl Node, message: impl Into<String>) -> Self {
        let span = at.range().map_or((0, 0), |(start, end)| (start.bytes(), end.bytes()));
        Self::of_span(places, span, message)
    }

    /// The same with a way to put it right.
    pub fn help(mut self, help: impl Into<Option<String>>) -> Self {
        self.help = help.into();
        self
    }

    /// With the name of the lint.
    pub fn of_lint(self, code: &'static str, severity: Severity) -> Diagnostic {
        let Self { file, span: (start, end), position: (line, column), message, help } = self;
        // Both quote what stands in the file.
        let (message, help) = (told(message), help.map(told));
        Diagnostic { severity, code, file, line, column, start, end, message, help, related: Vec::new() }
    }
}

/// A game as lints see it.
#[derive(Debug)]
pub struct Scripts<'a> {
    /// The files.
    pub pack: &'a Pack,
    /// The texts of all files.
    pub sources: &'a [SourceFile],
    /// The declared names.
    pub known: &'a Known<'a>,
    /// The scripts that could be read.
    pub list: &'a [Resolved<'a>],
    /// What they name.
    pub uses: Uses<'a>,
    /// Texts that scripts can get out of the content.
    pub values: BTreeSet<&'a str>,
    /// The same with every name that is declared.
    pub names: BTreeSet<&'a str>,
    /// What was found in single scripts.
    pub found: &'a [Diagnostic],
    /// The TOML files, each parsed once, when a finding first needs a place in one.
    pub documents: Documents<'a>,
}

/// Parsed TOML files.
#[derive(Debug)]
pub struct Documents<'a> {
    /// Where the parser puts faults, all of which have been told already.
    pub faults: &'a Faults,
    /// The files, from the lowest layer to the highest, each with its stem.
    pub parsed: OnceCell<Vec<(&'a str, Document<'a>)>>,
}

impl<'a> Scripts<'a> {
    /// The TOML files of this stem, from the lowest layer to the highest.
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

    /// A finding at a key of a TOML file.
    pub fn at(&self, key: &Key<'_>, message: String) -> Option<Finding> {
        key.fault("", message, None);
        let Diagnostic { file, line, column, start, end, message, .. } = self.documents.faults.take().pop()?;
        Some(Finding { file, span: (start, end), position: (line, column), message, help: None })
    }

    /// Whether something was found at this place already.
    pub fn is_told(&self, finding: &Finding) -> bool {
        let (start, end) = finding.span;
        self.found.iter().any(|other| other.file == finding.file && other.start >= start && other.end <= end)
    }
}
