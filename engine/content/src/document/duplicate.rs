//! Finds the first place of a key or table that a file declares twice: the parser names only the second.

use std::ops::Range;

use toml::de::{DeTable, DeValue, Error};

/// The parser's message for a key or table that exists already.
pub const DUPLICATE: &str = "duplicate key";

/// The duplicates of one text.
#[derive(Debug)]
pub struct Duplicates<'t> {
    text: &'t str,
    /// The lines below the header of a table that exists already.
    repeated: Range<usize>,
}

impl<'t> Duplicates<'t> {
    /// No duplicates yet.
    pub fn new(text: &'t str) -> Self {
        Self { text, repeated: 0..0 }
    }

    /// Whether an error only follows from a repeated header: the parser adds the keys below it to the first table.
    pub fn is_follow_on(&mut self, error: &Error) -> bool {
        let Some(span) = error.span().filter(|_| error.message() == DUPLICATE) else { return false };
        if self.repeated.contains(&span.start) {
            return true;
        }
        if self.header_at(span.start).is_some() {
            let next = self.text[span.start..].find("\n[").map_or(self.text.len(), |at| span.start + at + 1);
            self.repeated = span.start..next;
        }
        false
    }

    /// The message for a duplicate, and its first place if it is certain.
    pub fn describe(&self, span: &Range<usize>) -> (String, Option<Range<usize>>) {
        let name = self.text.get(span.clone()).unwrap_or_default();
        let header = self.header_at(span.start);
        let is_table = header.is_some();
        let message = format!("{}`{name}` is declared twice", if is_table { "table " } else { "" });
        let line = self.line_start(span.start);
        let path = match header {
            Some(header) => path_of(header),
            // Above the line, the header of its table is the last one.
            None => {
                let above = self.text[..line].lines().rev().find(|line| line.starts_with('['));
                let mut path = above.map(path_of).unwrap_or_default();
                let end = self.text[line..].find('\n').map_or(self.text.len(), |at| line + at);
                path.extend(path_of(&self.text[line..end]));
                path
            }
        };
        let (before, _) = DeTable::parse_recoverable(&self.text[..line]);
        let first = find(before.get_ref(), &path).filter(|first| self.text.get(first.clone()) == Some(name));
        (message, first)
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |end| end + 1)
    }

    /// The line of a table's header, if this place is in one.
    fn header_at(&self, at: usize) -> Option<&'t str> {
        let line = self.text[self.line_start(at)..].lines().next()?;
        line.trim_start().starts_with('[').then_some(line)
    }
}

/// The keys of a single line: `[a.b]` or `a.b = 1`.
fn path_of(line: &str) -> Vec<String> {
    let (table, _) = DeTable::parse_recoverable(line);
    let (mut table, mut path) = (table.get_ref().clone(), Vec::new());
    while let Some((key, value)) = table.iter().next() {
        path.push(key.get_ref().to_string());
        let inner = match value.get_ref() {
            DeValue::Table(inner) => inner.clone(),
            DeValue::Array(list) => match list.iter().next().map(|one| one.get_ref()) {
                Some(DeValue::Table(inner)) => inner.clone(),
                _ => break,
            },
            _ => break,
        };
        table = inner;
    }
    path
}

/// The place of the last key of a path; of a list of tables, the last one counts.
fn find(table: &DeTable<'_>, path: &[String]) -> Option<Range<usize>> {
    let (first, rest) = path.split_first()?;
    let (key, value) = table.get_key_value(first.as_str())?;
    if rest.is_empty() {
        return Some(key.span());
    }
    match value.get_ref() {
        DeValue::Table(inner) => find(inner, rest),
        DeValue::Array(list) => match list.iter().last().map(|one| one.get_ref()) {
            Some(DeValue::Table(inner)) => find(inner, rest),
            _ => None,
        },
        _ => None,
    }
}
