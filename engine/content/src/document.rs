//! A small typed reader for TOML that records the location of each value, reports every fault and continues.
//!
//! Direction: duplicate, faults, shift, syntax <- self <- unknown_key

mod duplicate;
mod faults;
mod shift;
mod syntax;
mod unknown_key;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use indexmap::IndexSet;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::declare::Location;
use super::diagnostic::{Diagnostic, Related, Severity, list, suggestion};
use super::hidden::{clean_message, find_hidden, hidden_message};
use super::limits::MAX_PRINTED;
use super::mend::{MendedText, line_of_deep_key, mend};
use super::source::{LineIndex, SourceFile, line_span};
use duplicate::{DUPLICATE, Duplicates};
use shift::shift_table;

pub use faults::Faults;

#[cfg(test)]
thread_local! {
    /// Every key requested on this thread, with the name of its table.
    pub(crate) static ASKED: RefCell<BTreeSet<(&'static str, String)>> = RefCell::default();
}

/// First byte, and the byte after the last.
pub type Span = (usize, usize);

/// A parsed file, or the merged files of several layers.
///
/// Spans continue across its files, so that every value identifies its layer.
#[derive(Debug)]
pub struct Document<'p> {
    parts: Vec<Part<'p>>,
    pub(crate) table: DeTable<'p>,
    /// Spans that several tables share: a fault in one of them is reported once.
    pub(crate) shared: BTreeSet<Span>,
    faults: &'p Faults,
}

/// One file of a document.
#[derive(Debug)]
struct Part<'p> {
    source: &'p SourceFile,
    lines: LineIndex,
    /// Span of its first byte.
    base: usize,
}

impl<'p> Document<'p> {
    /// Parses a file. Reports syntax errors, at most one for each line, and reads everything else.
    pub fn parse(source: &'p SourceFile, faults: &'p Faults) -> Self {
        let mut document = Self { parts: Vec::new(), table: DeTable::new(), shared: BTreeSet::new(), faults };
        document.table = document.parse_part(source);
        document
    }

    /// Parses a file of a further layer, to be merged into this document.
    pub(crate) fn parse_part(&mut self, source: &'p SourceFile) -> DeTable<'p> {
        const MOST_SYNTAX_ERRORS: usize = 20;
        let base = self.parts.last().map_or(0, |part| part.base + part.source.text.len() + 1);
        self.parts.push(Part { source, lines: LineIndex::new(&source.text), base });
        let (mut table, mut errors) = DeTable::parse_recoverable(&source.text);
        let mended = if errors.is_empty() { None } else { mend(&source.text) };
        let mut seen = IndexSet::new();
        if let Some(MendedText { text, open, .. }) = &mended {
            (table, errors) = DeTable::parse_recoverable(self.faults.mended.keep(text.clone()));
            for (start, end) in open {
                let span = (base + start, base + end);
                if seen.len() < MOST_SYNTAX_ERRORS && seen.insert(self.place(span).line) {
                    let bracket = &source.text[*start..*end];
                    let close = if bracket == "{" { "}" } else { "]" };
                    self.fault(span, "syntax", format!("`{bracket}` is never closed"), Some(format!("add `{close}`")));
                }
            }
        }
        let place = |at: usize| base + mended.as_ref().map_or(at, |mended| mended.original(at));
        let parsed = mended.as_ref().map_or(source.text.as_str(), |mended| &mended.text);
        let mut duplicates = Duplicates::new(parsed);
        for error in errors {
            if duplicates.is_follow_on(&error) {
                continue;
            }
            // This is the only error that the parser reports without a location.
            let too_deep = error.span().is_none().then(|| line_of_deep_key(parsed)).flatten();
            let range = too_deep.clone().or(error.span()).unwrap_or_default();
            let span = (place(range.start), place(range.end));
            if seen.len() >= MOST_SYNTAX_ERRORS || !seen.insert(self.place(span).line) {
                continue;
            }
            if too_deep.is_some() {
                let help = Some("use fewer dots".to_owned());
                self.fault(span, "syntax", "a key in this line has too many parts", help);
            } else if error.message() == DUPLICATE {
                let (message, first) = duplicates.describe(&range);
                let first = first.map(|first| (place(first.start), place(first.end)));
                let related = first.map(|first| self.related(first, "first declared".to_owned()));
                let help = Some("delete one, or rename it".to_owned());
                self.fault_beside(span, "syntax", message, help, Vec::from_iter(related));
            } else {
                let (message, help) = syntax::explain(error.message(), parsed, range);
                self.fault(span, "syntax", message, help);
            }
        }
        let table = table.into_inner();
        let table = if base == 0 && mended.is_none() { table } else { shift_table(table, &place) };
        self.refuse_hidden(&table);
        table
    }

    /// Reports every key and text with a hidden character.
    fn refuse_hidden(&self, table: &DeTable<'_>) {
        let refuse = |text: &str, span: std::ops::Range<usize>| {
            if let Some((_, c)) = find_hidden(text) {
                self.fault((span.start, span.end), "hidden-character", hidden_message(c), None);
            }
        };
        let mut open: Vec<&Spanned<DeValue<'_>>> = Vec::new();
        let mut tables = vec![table];
        while let Some(table) = tables.pop() {
            for (key, value) in table {
                refuse(key.get_ref(), key.span());
                open.push(value);
            }
            while let Some(value) = open.pop() {
                match value.get_ref() {
                    DeValue::String(text) => refuse(text, value.span()),
                    DeValue::Array(list) => open.extend(list.iter()),
                    DeValue::Table(table) => tables.push(table),
                    _ => {}
                }
            }
        }
    }

    /// The root table. `what` names it in messages.
    pub fn root(&self, what: impl Into<String>) -> Table<'_> {
        Table { doc: self, what: what.into(), span: (0, 0), entries: &self.table, asked: RefCell::default() }
    }

    /// Path of the lowest layer's file.
    pub(crate) fn path(&self) -> &str {
        self.parts.first().map_or("", |part| &part.source.path)
    }

    /// Index of the part that contains a byte, and the offset in that part.
    fn locate(&self, at: usize) -> (usize, usize) {
        let index = self.parts.partition_point(|part| part.base <= at).saturating_sub(1);
        (index, at - self.parts[index].base)
    }

    /// File, line and column of a span's first byte.
    pub fn place(&self, span: Span) -> Location {
        let (index, at) = self.locate(span.0);
        let part = &self.parts[index];
        let (line, column) = part.lines.position(&part.source.text, at);
        Location { file: part.source.path.clone(), line, column }
    }

    /// The line of a place in one of its files, without surrounding whitespace.
    pub(crate) fn span_of_line(&self, place: &Location) -> Span {
        let part = self.parts.iter().find(|part| part.source.path == place.file);
        part.map_or((0, 0), |part| {
            let ((start, end), _) = line_span(&part.source.text, place.line);
            (part.base + start, part.base + end)
        })
    }

    /// A span as the related place of a fault.
    pub(crate) fn related(&self, span: Span, message: String) -> Related {
        let Location { file, line, column } = self.place(span);
        let (index, start) = self.locate(span.0);
        let Part { source, base, .. } = &self.parts[index];
        let (start, end) = (start.min(source.text.len()), span.1.saturating_sub(*base).min(source.text.len()));
        Related { file, line, column, start, end: end.max(start), message }
    }

    pub(crate) fn fault(&self, span: Span, code: &'static str, message: impl Into<String>, help: Option<String>) {
        self.fault_beside(span, code, message, help, Vec::new());
    }

    /// Records a fault with related places.
    pub(crate) fn fault_beside(
        &self,
        span: Span,
        code: &'static str,
        message: impl Into<String>,
        help: Option<String>,
        related: Vec<Related>,
    ) {
        let Related { file, line, column, start, end, .. } = self.related(span, String::new());
        if self.shared.iter().any(|value| value.0 <= span.0 && span.1 <= value.1)
            && self.faults.list.borrow().iter().any(|one| (one.code, &one.file, one.start) == (code, &file, start))
        {
            return;
        }
        // Both quote the file.
        let (message, help) = (clean_message(message.into()), help.map(clean_message));
        self.faults.push(Diagnostic {
            severity: Severity::Error,
            code,
            file,
            line,
            column,
            start,
            end,
            message,
            help,
            related,
        });
    }
}

/// A key of a table.
#[derive(Debug, Clone, Copy)]
pub struct Key<'d> {
    pub(crate) doc: &'d Document<'d>,
    /// The key as written.
    pub text: &'d str,
    pub(crate) span: Span,
}

impl Key<'_> {
    pub(crate) fn place(&self) -> Location {
        self.doc.place(self.span)
    }

    /// This key as the related place of a fault.
    pub fn related(&self, message: String) -> Related {
        self.doc.related(self.span, message)
    }

    /// Records a fault at this key.
    pub fn fault(&self, code: &'static str, message: impl Into<String>, help: Option<String>) {
        self.doc.fault(self.span, code, message, help);
    }
}

/// A value with its location and a description for messages: `` `start` in counter `gold` ``.
#[derive(Debug, Clone)]
pub struct Node<'d> {
    /// The document it is in.
    pub doc: &'d Document<'d>,
    pub(crate) what: String,
    /// Its bytes.
    pub span: Span,
    value: &'d DeValue<'d>,
}

impl<'d> Node<'d> {
    pub(crate) fn fault(&self, code: &'static str, message: impl Into<String>, help: Option<String>) {
        self.doc.fault(self.span, code, message, help);
    }

    /// As [`Self::fault`], at a part of a text; an escaped part is not found, and the fault is at the whole text.
    pub(crate) fn fault_in(&self, part: &str, code: &'static str, message: String, help: Option<String>) {
        let (index, start) = self.doc.locate(self.span.0);
        let (source, base) = (&self.doc.parts[index].source.text, self.doc.parts[index].base);
        let written = source.get(start..self.span.1.saturating_sub(base)).unwrap_or_default();
        let span = written.find(part).map(|at| (self.span.0 + at, self.span.0 + at + part.len()));
        self.doc.fault(span.unwrap_or(self.span), code, message, help);
    }

    /// Reports a value of the wrong type.
    pub(crate) fn wrong_type(&self, expected: &str) {
        self.wrong_type_with(expected, None);
    }

    pub(crate) fn wrong_type_with(&self, expected: &str, help: Option<String>) {
        let found = match self.value {
            DeValue::String(_) => "text",
            DeValue::Integer(_) => "a whole number",
            DeValue::Float(_) => "a decimal number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.fault("wrong-type", format!("{} must be {expected}, not {found}", self.what), help);
    }

    /// The value as written in its file.
    pub fn written(&self) -> String {
        let (index, start) = self.doc.locate(self.span.0);
        let part = &self.doc.parts[index];
        let end = self.span.1.saturating_sub(part.base);
        let text = part.source.text.get(start..end).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn is_text(&self) -> bool {
        self.value.is_str()
    }

    pub(crate) fn is_integer(&self) -> bool {
        self.value.is_integer()
    }

    pub(crate) fn is_boolean(&self) -> bool {
        self.value.is_bool()
    }

    pub(crate) fn is_list(&self) -> bool {
        self.value.is_array()
    }

    /// Whether it is a table.
    pub fn is_table(&self) -> bool {
        self.value.is_table()
    }

    /// The text, if the value is one. Reports nothing.
    pub(crate) fn as_text(&self) -> Option<&'d str> {
        self.value.as_str()
    }

    /// The table, if the value is one. Reports nothing.
    pub fn as_table(&self) -> Option<Table<'d>> {
        let DeValue::Table(entries) = self.value else { return None };
        Some(Table { doc: self.doc, what: self.what.clone(), span: self.span, entries, asked: RefCell::default() })
    }

    /// The number, if the value is one and fits. Reports nothing.
    pub(crate) fn as_integer(&self) -> Option<i32> {
        let DeValue::Integer(integer) = self.value else { return None };
        i64::from_str_radix(integer.as_str(), integer.radix()).ok().and_then(|number| i32::try_from(number).ok())
    }

    pub(crate) fn text(&self) -> Option<&'d str> {
        let text = self.value.as_str();
        match text {
            None => self.wrong_type("text"),
            Some(text) if text.len() > MAX_PRINTED => {
                let message = format!("{} has {} bytes; a text has at most {MAX_PRINTED}", self.what, text.len());
                self.fault("too-large", message, None);
            }
            Some(_) => {}
        }
        text
    }

    pub(crate) fn boolean(&self) -> Option<bool> {
        let boolean = self.value.as_bool();
        if boolean.is_none() {
            self.wrong_type("true or false");
        }
        boolean
    }

    pub(crate) fn integer(&self, range: RangeInclusive<i32>) -> Option<i32> {
        let DeValue::Integer(integer) = self.value else {
            self.wrong_type("a whole number");
            return None;
        };
        // A number beyond 32 bits is outside every range.
        match self.as_integer() {
            Some(number) if range.contains(&number) => Some(number),
            _ => {
                let bounds = bounds(&range);
                self.fault("out-of-range", format!("{} must be {bounds}, not {integer}", self.what), None);
                None
            }
        }
    }

    /// The elements of a list. With `single`, a single value is a list of one.
    pub(crate) fn list(&self, single: bool) -> Option<Vec<Node<'d>>> {
        match self.value {
            DeValue::Array(array) => Some(
                array
                    .iter()
                    .map(|value| {
                        let span = value.span();
                        Node { value: value.get_ref(), span: (span.start, span.end), ..self.clone() }
                    })
                    .collect(),
            ),
            _ if single => Some(vec![self.clone()]),
            _ => {
                let help = self.as_text().map(|text| format!("write `[\"{text}\"]`"));
                self.wrong_type_with("a list", help);
                None
            }
        }
    }

    /// The table. `what` names it in messages about its keys.
    pub fn table(&self, what: impl Into<String>) -> Option<Table<'d>> {
        let DeValue::Table(entries) = self.value else {
            self.wrong_type("a table");
            return None;
        };
        let (doc, span) = (self.doc, self.span);
        Some(Table { doc, what: what.into(), span, entries, asked: RefCell::default() })
    }

    /// The meaning of the word written here.
    pub(crate) fn word<T: Copy>(&self, words: &[(&str, T)]) -> Option<T> {
        let text = self.text()?;
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if found.is_none() {
            let help = suggestion(text, words.iter().map(|(word, _)| *word));
            self.fault("unknown-value", format!("`{text}` is not a value of {}", self.what), help);
        }
        found
    }

    /// The index of the name written here among these names.
    pub(crate) fn reference(&self, referent: &Referent, names: &IndexSet<String>) -> Option<usize> {
        self.find(self.text()?, self.span, referent, names)
    }

    /// The index of a name. A wrong name is reported at `span`, as used by this value.
    pub(crate) fn find(&self, name: &str, span: Span, referent: &Referent, names: &IndexSet<String>) -> Option<usize> {
        let found = names.get_index_of(name);
        if found.is_none() {
            let help = suggestion(name, names.iter().map(String::as_str))
                .or_else(|| names.is_empty().then(|| format!("no {} is declared", referent.word)));
            self.doc.fault(span, referent.code, format!("unknown {} `{name}` for {}", referent.word, self.what), help);
        }
        found
    }
}

/// The range in words: `from 1 to 16`, `at least 0`, `at most 9`, `within 32 bits`.
fn bounds(range: &RangeInclusive<i32>) -> String {
    match (*range.start(), *range.end()) {
        (i32::MIN, i32::MAX) => "a 32-bit number".to_owned(),
        (min, i32::MAX) => format!("at least {min}"),
        (i32::MIN, max) => format!("at most {max}"),
        (min, max) if min == max => format!("{min}"),
        (min, max) => format!("from {min} to {max}"),
    }
}

/// The target of a reference: its word in messages, and the fault code if the target does not exist.
#[derive(Debug)]
pub(crate) struct Referent {
    pub(crate) word: &'static str,
    pub(crate) code: &'static str,
}

/// A table that records which keys were requested.
#[derive(Debug)]
pub struct Table<'d> {
    pub(crate) doc: &'d Document<'d>,
    pub(crate) what: String,
    pub(crate) span: Span,
    entries: &'d DeTable<'d>,
    asked: RefCell<Vec<String>>,
}

impl<'d> Table<'d> {
    /// All entries in file order, for a table whose keys are names.
    pub fn entries(&self) -> Vec<(Key<'d>, Node<'d>)> {
        let mut entries: Vec<(Key<'d>, Node<'d>)> = self
            .entries
            .iter()
            .map(|(key, value)| {
                let span = key.span();
                let key = Key { doc: self.doc, text: key.get_ref(), span: (span.start, span.end) };
                let span = value.span();
                let what = format!("`{}` in {}", key.text, self.what);
                (key, Node { doc: self.doc, what, span: (span.start, span.end), value: value.get_ref() })
            })
            .collect();
        entries.sort_by_key(|(key, _)| key.span);
        entries
    }

    /// A key as written.
    pub fn key(&self, key: &str) -> Option<Key<'d>> {
        let (key, _) = self.entries.get_key_value(key)?;
        let span = key.span();
        Some(Key { doc: self.doc, text: key.get_ref(), span: (span.start, span.end) })
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<Node<'d>> {
        self.asked.borrow_mut().push(key.to_owned());
        let value = self.entries.get(key)?;
        let span = value.span();
        let what = format!("`{key}` in {}", self.what);
        Some(Node { doc: self.doc, what, span: (span.start, span.end), value: value.get_ref() })
    }

    /// Whether a key exists; does not count as a request.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// The value of a required key.
    pub(crate) fn need(&self, key: &str) -> Option<Node<'d>> {
        let node = self.get(key);
        if node.is_none() {
            self.fault("missing-key", format!("{} needs `{key}`", self.what), None);
        }
        node
    }

    pub(crate) fn fault(&self, code: &'static str, message: impl Into<String>, help: Option<String>) {
        self.doc.fault(self.span, code, message, help);
    }

    pub(crate) fn text(&self, key: &str) -> Option<String> {
        self.get(key)?.text().map(str::to_owned)
    }

    pub(crate) fn need_text(&self, key: &str) -> String {
        let Some(node) = self.need(key) else { return String::new() };
        let text = node.text();
        if text.is_some_and(|text| text.trim().is_empty()) {
            node.fault("empty", format!("{} is empty", node.what), None);
        }
        text.unwrap_or_default().to_owned()
    }

    pub(crate) fn boolean(&self, key: &str, default: bool) -> bool {
        self.get(key).and_then(|node| node.boolean()).unwrap_or(default)
    }

    pub(crate) fn integer(&self, key: &str, range: RangeInclusive<i32>) -> Option<i32> {
        self.get(key)?.integer(range)
    }

    pub(crate) fn word<T: Copy>(&self, key: &str, words: &[(&str, T)]) -> Option<T> {
        self.get(key)?.word(words)
    }

    /// The table under a key.
    pub(crate) fn table(&self, key: &str, what: impl Into<String>) -> Option<Table<'d>> {
        self.get(key)?.table(what)
    }

    /// The tables under a key, each with its name, in file order. An entry of another type is reported and yields
    /// `None`.
    pub(crate) fn tables(&self, key: &str, noun: &str) -> Vec<(Key<'d>, Option<Table<'d>>)> {
        let Some(section) = self.table(key, format!("`{key}`")) else { return Vec::new() };
        section.children(noun)
    }

    /// All entries as tables, each with its name, in file order. An entry of another type is reported and yields
    /// `None`.
    pub(crate) fn children(&self, noun: &str) -> Vec<(Key<'d>, Option<Table<'d>>)> {
        let entries = self.entries().into_iter();
        entries.map(|(key, node)| (key, node.table(format!("{noun} `{}`", key.text)))).collect()
    }

    /// The keys of the table under a key, without checks or reports.
    pub(crate) fn silent_names(&self, key: &str) -> IndexSet<String> {
        self.get(key).and_then(|node| node.as_table()).map(|table| table.own_names()).unwrap_or_default()
    }

    /// The keys of this table.
    pub fn own_names(&self) -> IndexSet<String> {
        self.entries().iter().map(|(key, _)| key.text.to_owned()).collect()
    }
}

/// Part of a message: `` expected one of `a`, `b` ``.
pub(crate) fn one_of<T: AsRef<str>>(names: &[T]) -> String {
    format!("one of {}", list(names))
}

#[cfg(test)]
mod tests;
