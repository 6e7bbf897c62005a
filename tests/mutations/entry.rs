//! Keys and values of TOML files, with their places.

use std::ops::Range;

use motherlode::SourceFile;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The type of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueType {
    Text(String),
    Integer(i64),
    Boolean,
    List,
    Table,
    /// A table with a header.
    Section,
}

/// The sort of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A key of the engine.
    Engine,
    /// A name that the game declares here.
    Declares,
    /// A name that the game declares elsewhere: an attribute, a verb, an argument, a name of amounts.
    Own,
    /// An element of a list, which has no key.
    None,
}

/// A key with its value, or an element of a list.
#[derive(Debug, Clone)]
pub struct Entry {
    pub file: usize,
    pub stem: String,
    /// Keys from the top; `#` for an element of a list.
    pub path: Vec<String>,
    pub key: Option<Range<usize>>,
    pub value: Range<usize>,
    pub of: ValueType,
}

/// A part of a header.
#[derive(Debug, Clone)]
pub struct Part {
    pub file: usize,
    pub stem: String,
    pub path: Vec<String>,
    pub span: Range<usize>,
    /// The whole table, from its header to the next header.
    pub table: Range<usize>,
    pub last: bool,
}

/// Everything in the TOML files of a game.
#[derive(Debug, Default)]
pub struct Content {
    pub entries: Vec<Entry>,
    pub parts: Vec<Part>,
}

pub fn role(stem: &str, path: &[String]) -> Role {
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    match (stem, path.as_slice()) {
        (_, [.., "#"]) => Role::None,
        ("reactions", [_]) => Role::Engine,
        ("reactions", [_, _] | ["events", _, "args", _]) => Role::Declares,
        ("reactions", [_, _, rest @ ..]) => reaction(rest),
        (_, [_, "before" | "instead" | "on"]) => Role::Engine,
        (_, [_, "before" | "instead" | "on", _]) => Role::Own,
        (_, [_, "before" | "instead" | "on", _, rest @ ..] | [_, "modifies", "#", rest @ ..]) => reaction(rest),
        (_, [_, "modifies"]) => Role::Engine,
        ("game", [_] | ["players" | "outcome", _] | ["seats", ..]) => Role::Engine,
        ("game", [_, _] | ["options", _, "values", _] | ["kinds", _, "attributes" | "hooks", _]) => Role::Declares,
        ("verbs", [_] | [_, "args", _]) | ("prompts", [_] | [_, "labels", _]) | ("phases" | "texts", [_]) => {
            Role::Declares
        }
        ("game" | "verbs", [.., "default", _]) => Role::Own,
        ("game" | "phases" | "prompts" | "verbs", _) | (_, [_, "name" | "text" | "copies"]) => Role::Engine,
        (_, [_]) => Role::Declares,
        _ => Role::Own,
    }
}

/// The role of a key of a listener, a modifier or a filter.
fn reaction(path: &[&str]) -> Role {
    const FILTER: [&str; 8] = ["kind", "id", "zone", "whose", "is", "is_not", "min", "max"];
    match path {
        ["#", rest @ ..] => reaction(rest),
        [.., "min" | "max"] => Role::Engine,
        ["where", _, key] | ["of", key] | [key] if FILTER.contains(key) => Role::Engine,
        ["tribe"] => Role::Own,
        [_] => Role::Engine,
        _ => Role::Own,
    }
}

impl Entry {
    pub fn role(&self) -> Role {
        role(&self.stem, &self.path)
    }

    pub fn name(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    pub fn text(&self) -> Option<&str> {
        match &self.of {
            ValueType::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn path(&self) -> Vec<&str> {
        self.path.iter().map(String::as_str).collect()
    }

    /// Whether the value is a text for people, which may be anything.
    pub fn is_printed(&self) -> bool {
        let of_texts = matches!(
            (self.stem.as_str(), self.path().as_slice()),
            ("texts", _)
                | ("prompts", [_, "labels", _])
                | ("game", ["options", _, "values", _] | [_, _, "symbols", "#"])
        );
        let shown = ["name", "text", "version", "reads", "amount"];
        of_texts || self.role() == Role::Engine && shown.contains(&self.name())
    }

    /// Whether the value is a list of names declared here.
    pub fn is_declared(&self) -> bool {
        matches!(self.path().as_slice(), [.., "values", "#"] | ["kinds", _, "hooks", _, "#"])
    }
}

impl Content {
    pub fn read(files: &[SourceFile]) -> Self {
        let mut content = Self::default();
        for (file, source) in files.iter().enumerate().filter(|(_, source)| source.path.ends_with(".toml")) {
            content.headers(file, source);
            let (table, errors) = DeTable::parse_recoverable(&source.text);
            assert!(errors.is_empty(), "{}", source.path);
            content.table(file, source, table.get_ref(), &mut Vec::new());
        }
        content
    }

    fn table(&mut self, file: usize, source: &SourceFile, table: &DeTable<'_>, path: &mut Vec<String>) {
        for (key, value) in table {
            path.push(key.get_ref().to_string());
            self.value(file, source, Some(key.span()), value, path);
            path.pop();
        }
    }

    fn value(
        &mut self,
        file: usize,
        source: &SourceFile,
        key: Option<Range<usize>>,
        value: &Spanned<DeValue<'_>>,
        path: &mut Vec<String>,
    ) {
        // A header has its own line. The parts of all headers are read from the text.
        let line = source.text[..key.as_ref().unwrap_or(&value.span()).start].rfind('\n').map_or(0, |at| at + 1);
        let header = source.text[line..].starts_with('[') && (key.is_some() || value.get_ref().is_table());
        let of = match value.get_ref() {
            DeValue::String(text) => ValueType::Text(text.to_string()),
            DeValue::Integer(integer) => ValueType::Integer(integer.as_str().replace('_', "").parse().unwrap()),
            DeValue::Boolean(_) => ValueType::Boolean,
            DeValue::Array(_) => ValueType::List,
            DeValue::Table(_) if header => ValueType::Section,
            DeValue::Table(_) => ValueType::Table,
            other => panic!("{}: {other:?}", source.path),
        };
        if !header {
            let (stem, path) = (source.stem().to_owned(), path.clone());
            self.entries.push(Entry { file, stem, path, key, value: value.span(), of });
        }
        match value.get_ref() {
            DeValue::Table(inner) => self.table(file, source, inner, path),
            DeValue::Array(elements) => {
                path.push("#".to_owned());
                for element in elements.iter() {
                    self.value(file, source, None, element, path);
                }
                path.pop();
            }
            _ => {}
        }
    }

    fn headers(&mut self, file: usize, source: &SourceFile) {
        let text = &source.text;
        let mut starts: Vec<usize> = text.match_indices("\n[").map(|(at, _)| at + 1).collect();
        if text.starts_with('[') {
            starts.insert(0, 0);
        }
        for (i, &start) in starts.iter().enumerate() {
            let end = starts.get(i + 1).copied().unwrap_or(text.len());
            let inside = text[start..].split(']').next().unwrap_or_default();
            let mut at = start + inside.len() - inside.trim_start_matches('[').len();
            let parts: Vec<&str> = inside.trim_start_matches('[').split('.').collect();
            let double = text[start..].starts_with("[[");
            for (n, part) in parts.iter().enumerate() {
                let mut path: Vec<String> = parts[..=n].iter().map(|part| (*part).to_owned()).collect();
                if double && n + 1 == parts.len() {
                    path.truncate(1);
                }
                let (stem, span) = (source.stem().to_owned(), at..at + part.len());
                self.parts.push(Part { file, stem, path, span, table: start..end, last: n + 1 == parts.len() });
                at += part.len() + 1;
            }
        }
    }
}
