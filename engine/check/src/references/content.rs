//! References in TOML, found along the schema of each file.

use std::collections::{BTreeMap, BTreeSet};

use motherlode_content::declare::{Declarations, Kind};
use motherlode_content::pack::Pack;
use motherlode_content::source::SourceFile;
use serde_json::Value as Json;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Reference, Symbol};
use crate::schema::{KEYS, SORTS, schemas, sort_of_kind};

/// Sections of game.toml whose keys are declared names, with their sorts.
const SECTIONS: [(&str, &str); 5] =
    [("counters", "counter"), ("zones", "zone"), ("grids", "grid"), ("kinds", "kind"), ("options", "option")];

/// Adds the references of all TOML files.
pub(super) fn read<'p>(
    pack: &Pack,
    d: &Declarations,
    files: impl Iterator<Item = &'p SourceFile>,
    found: &mut BTreeSet<Reference>,
) {
    let schemas: BTreeMap<String, Json> = schemas(d).into_iter().collect();
    for file in files {
        let Some(stem) = pack.stem_of(&file.path) else { continue };
        let Some(schema) = schemas.get(stem) else { continue };
        let (table, _) = DeTable::parse_recoverable(&file.text);
        let mut walk = Walk { file, schema, d, found };
        walk.declare(stem, table.get_ref());
        let table = DeValue::Table(table.into_inner());
        walk.value(&Spanned::new(0..file.text.len(), table), schema);
    }
}

struct Walk<'w> {
    file: &'w SourceFile,
    schema: &'w Json,
    d: &'w Declarations,
    found: &'w mut BTreeSet<Reference>,
}

impl<'w> Walk<'w> {
    /// Adds a name at a span, which may have quotes.
    fn add(&mut self, sort: &str, name: &str, span: std::ops::Range<usize>, declares: bool) {
        let written = self.file.text.get(span.clone()).unwrap_or_default();
        let Some(at) = written.find(name) else { return };
        let start = span.start + at;
        // A member of a family is written in two parts.
        let symbol = Symbol::new(sort, name);
        let span = (start, start + name.len());
        self.found.insert(Reference { file: self.file.path.clone(), span, symbol, declares });
    }

    /// Adds the declarations of a file, and the keys of definitions.
    fn declare(&mut self, stem: &str, root: &DeTable<'_>) {
        if let Some((index, _, kind)) = self.d.kinds.get_full(stem) {
            let sort = sort_of_kind(self.d, index);
            for (id, definition) in root {
                self.add(&sort, id.get_ref(), id.span(), true);
                self.fields(kind, definition);
            }
            return;
        }
        match stem {
            "game" => {
                for (section, sort) in SECTIONS {
                    self.keys(root.get(section), sort);
                }
                let kinds = root.get("kinds").and_then(|kinds| kinds.get_ref().as_table());
                for (_, kind) in kinds.into_iter().flatten() {
                    let Some(kind) = kind.get_ref().as_table() else { continue };
                    self.keys(kind.get("attributes"), "attribute");
                    self.keys(kind.get("hooks"), "hook");
                }
            }
            "reactions" => {
                self.keys(root.get("events"), "event");
                self.keys(root.get("filters"), "filter");
            }
            "prompts" => {
                for (name, prompt) in root {
                    self.add("prompt", name.get_ref(), name.span(), true);
                    self.keys(prompt.get_ref().as_table().and_then(|prompt| prompt.get("labels")), "label");
                }
            }
            "phases" | "texts" | "verbs" => {
                for name in root.keys() {
                    self.add(stem.trim_end_matches('s'), name.get_ref(), name.span(), true);
                }
            }
            _ => {}
        }
    }

    fn keys(&mut self, section: Option<&Spanned<DeValue<'_>>>, sort: &str) {
        for name in section.and_then(|section| section.get_ref().as_table()).into_iter().flat_map(DeTable::keys) {
            self.add(sort, name.get_ref(), name.span(), true);
        }
    }

    /// Adds the attributes and hooks that a definition sets, and those in its text.
    fn fields(&mut self, kind: &Kind, definition: &Spanned<DeValue<'_>>) {
        for (key, value) in definition.get_ref().as_table().into_iter().flatten() {
            let name = key.get_ref();
            if kind.attributes.contains_key(name.as_ref()) {
                self.add("attribute", name, key.span(), false);
            } else if kind.hooks.contains_key(name.as_ref()) || kind.lists.contains_key(name.as_ref()) {
                self.add("hook", name, key.span(), false);
            } else if name == "text" {
                self.placeholders(kind, value.span());
            }
        }
    }

    /// Adds the names in braces of a text: `{cost}`, `{cost:coin|coins}`.
    fn placeholders(&mut self, kind: &Kind, span: std::ops::Range<usize>) {
        let written = self.file.text.get(span.clone()).unwrap_or_default();
        for (at, _) in written.match_indices('{') {
            let rest = &written[at + 1..];
            let name = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())];
            let place = span.start + at + 1..span.start + at + 1 + name.len();
            if kind.attributes.contains_key(name) {
                self.add("attribute", name, place, false);
            } else if kind.hooks.contains_key(name) {
                self.add("hook", name, place, false);
            }
        }
    }

    /// Adds the names in a value, and in the values in it.
    fn value(&mut self, value: &Spanned<DeValue<'_>>, schema: &'w Json) {
        let mut all = Vec::new();
        applying(self.schema, value.get_ref(), schema, &mut all, 0);
        for schema in all {
            match value.get_ref() {
                DeValue::String(text) => self.text(text, value.span(), schema),
                DeValue::Array(list) => {
                    if let Some(items) = schema.get("items") {
                        for one in list.iter() {
                            self.value(one, items);
                        }
                    }
                }
                DeValue::Table(table) => self.table(table, schema),
                _ => {}
            }
        }
    }

    fn table(&mut self, table: &DeTable<'_>, schema: &'w Json) {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let own = schema.get("properties").and_then(|all| all.get(name));
            for sort in words(schema.get(KEYS)).filter(|_| own.is_some()) {
                self.add(sort, name, key.span(), false);
            }
            if let Some(inner) = own.or_else(|| schema.get("additionalProperties").filter(|one| one.is_object())) {
                self.value(value, inner);
            }
        }
    }

    fn text(&mut self, text: &str, span: std::ops::Range<usize>, schema: &Json) {
        let names = schema.get("enum").and_then(Json::as_array);
        if names.is_some_and(|names| names.iter().any(|name| name == text)) {
            for sort in words(schema.get(SORTS)) {
                if self.is_of(sort, text) {
                    self.add(sort, text, span.clone(), false);
                }
            }
        }
        if schema.get("pattern").is_some() {
            self.formula(text, span);
        }
    }

    /// Adds the counters and attributes of a formula: `your.coins + 1`.
    fn formula(&mut self, text: &str, span: std::ops::Range<usize>) {
        let start = span.start + self.file.text.get(span).and_then(|written| written.find(text)).unwrap_or(0);
        let mut at = 0;
        for word in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            let name = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let place = start + at..start + at + name.len();
            at += word.len();
            let sort = ["counter", "attribute", "zone", "filter"].into_iter().find(|sort| self.is_of(sort, name));
            if let Some(sort) = sort {
                self.add(sort, name, place, false);
            }
        }
    }

    fn is_of(&self, sort: &str, name: &str) -> bool {
        let d = self.d;
        match sort {
            "counter" => d.counters.contains_key(name),
            "zone" => d.zones.contains_key(name),
            "family" => d.counter_families.contains_key(name) || d.zone_families.contains_key(name),
            "grid" => d.grids.contains_key(name),
            "kind" => d.kinds.contains_key(name),
            "attribute" => d.kinds.values().any(|kind| kind.attributes.contains_key(name)),
            "filter" => d.filters.contains_key(name),
            _ => true,
        }
    }
}

/// Collects the schemas that apply to a value.
fn applying<'s>(root: &'s Json, value: &DeValue<'_>, schema: &'s Json, all: &mut Vec<&'s Json>, depth: usize) {
    const MOST: usize = 32;
    if depth > MOST {
        return;
    }
    let target = schema.get("$ref").and_then(Json::as_str).and_then(|path| root.pointer(path.strip_prefix('#')?));
    if let Some(target) = target {
        applying(root, value, target, all, depth + 1);
    }
    all.push(schema);
    if let Some(condition) = schema.get("if") {
        let part = if holds(condition, value) { "then" } else { "else" };
        if let Some(part) = schema.get(part) {
            applying(root, value, part, all, depth + 1);
        }
    }
    for several in ["anyOf", "allOf"] {
        for one in schema.get(several).and_then(Json::as_array).into_iter().flatten() {
            applying(root, value, one, all, depth + 1);
        }
    }
}

/// Whether a value meets the condition of a schema; only conditions that our schemas have.
fn holds(condition: &Json, value: &DeValue<'_>) -> bool {
    let of = match value {
        DeValue::String(_) => "string",
        DeValue::Integer(_) => "integer",
        DeValue::Boolean(_) => "boolean",
        DeValue::Array(_) => "array",
        DeValue::Table(_) => "object",
        DeValue::Float(_) | DeValue::Datetime(_) => "",
    };
    if let Some(any) = condition.get("anyOf").and_then(Json::as_array) {
        return any.iter().any(|one| holds(one, value));
    }
    if condition.get("type").is_some() && !words(condition.get("type")).any(|one| one == of) {
        return false;
    }
    let has = |key: &str| value.as_table().is_some_and(|table| table.contains_key(key));
    if !words(condition.get("required")).all(has) {
        return false;
    }
    let constants = condition.get("properties").and_then(Json::as_object);
    constants.into_iter().flatten().all(|(key, schema)| {
        let given = value.as_table().and_then(|table| table.get(key.as_str()));
        given.and_then(|given| given.get_ref().as_str()) == schema.get("const").and_then(Json::as_str)
    })
}

/// The texts of a keyword: one, or a list.
fn words(keyword: Option<&Json>) -> impl Iterator<Item = &str> {
    let one = keyword.and_then(Json::as_str);
    let several = keyword.and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str);
    one.into_iter().chain(several)
}
