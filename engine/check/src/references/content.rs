//! References in TOML, found along the schema of each file.

use std::collections::{BTreeMap, BTreeSet};

use motherlode_content::declare::{Declarations, Kind};
use motherlode_content::pack::Pack;
use motherlode_content::source::SourceFile;
use serde_json::Value as Json;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::arguments::Arguments;
use super::{Reference, SHARED, Symbol};
use crate::schema::{KEYS, SORTS, schemas, sort_of_kind};

/// Sections of game.toml whose keys are declared names, with their sorts.
const SECTIONS: [(&str, &str); 5] =
    [("counters", "counter"), ("zones", "zone"), ("grids", "grid"), ("kinds", "kind"), ("options", "option")];

/// Sections of look.toml whose keys are names that other files declare, with their sorts.
const LOOKS: [(&str, &str); 6] = [
    ("kinds", "kind"),
    ("grids", "grid"),
    ("zones", "zone"),
    ("counters", "counter"),
    ("guide", "prompt"),
    ("choices", "prompt"),
];

/// Adds the references of all TOML files.
pub(super) fn read<'p>(
    pack: &Pack,
    (d, arguments): (&Declarations, &Arguments<'_>),
    files: impl Iterator<Item = &'p SourceFile>,
    found: &mut BTreeSet<Reference>,
) {
    let schemas: BTreeMap<String, Json> = schemas(d).into_iter().collect();
    for file in files {
        let Some(stem) = pack.stem_of(&file.path) else { continue };
        let Some(schema) = schemas.get(stem) else { continue };
        let (table, _) = DeTable::parse_recoverable(&file.text);
        let mut walk = Walk { file, schema, d, arguments, found };
        walk.declare(stem, table.get_ref());
        walk.headers(stem);
        let table = DeValue::Table(table.into_inner());
        walk.value(&Spanned::new(0..file.text.len(), table), schema);
    }
}

struct Walk<'w> {
    file: &'w SourceFile,
    schema: &'w Json,
    d: &'w Declarations,
    arguments: &'w Arguments<'w>,
    found: &'w mut BTreeSet<Reference>,
}

impl<'w> Walk<'w> {
    /// Adds a name at a span, which may have quotes.
    fn add(&mut self, sort: &str, name: &str, span: std::ops::Range<usize>, declares: bool) {
        // A schema names the verb that takes an argument, which may have it from another verb.
        let argument = sort.split_once(':').filter(|(sort, _)| *sort == SHARED);
        let symbol = match argument {
            Some((_, verb)) => self.arguments.symbol(verb, name),
            None => Some(Symbol::new(sort, name)),
        };
        let Some(symbol) = symbol else { return };
        let written = self.file.text.get(span.clone()).unwrap_or_default();
        let Some(at) = written.find(name) else { return };
        let start = span.start + at;
        // A member of a family is written in two parts.
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
            "look" => self.look(root),
            "phases" | "texts" | "verbs" => {
                for (name, table) in root {
                    self.add(stem.trim_end_matches('s'), name.get_ref(), name.span(), true);
                    if let Some(table) = table.get_ref().as_table().filter(|_| stem == "verbs") {
                        self.arguments(name.get_ref(), table);
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds the names that have a look, those that pictures draw, and those that icons stand for.
    fn look(&mut self, root: &DeTable<'_>) {
        let table = |section: &str| root.get(section).and_then(|section| section.get_ref().as_table());
        for (section, sort) in LOOKS {
            for name in table(section).into_iter().flat_map(DeTable::keys) {
                self.add(self.or_family(sort, name.get_ref()), name.get_ref(), name.span(), false);
            }
        }
        for (kind, look) in table("kinds").into_iter().flatten() {
            let drawn = look.get_ref().as_table().and_then(|look| look.get("draws")?.get_ref().as_table());
            let Some(kind) = self.d.kinds.get_index_of(kind.get_ref().as_ref()) else { continue };
            for id in drawn.into_iter().flat_map(DeTable::keys) {
                self.add(&sort_of_kind(self.d, kind), id.get_ref(), id.span(), false);
            }
        }
        let icons = table("icons").into_iter().flat_map(DeTable::values);
        let named = icons.filter_map(|icon| icon.get_ref().as_table()?.get("of")?.get_ref().as_array()).flatten();
        for one in named {
            let Some(name) = one.get_ref().as_str() else { continue };
            let sorts = ["counter", "zone", "family", "kind", "attribute"].into_iter();
            if let Some(sort) = sorts.into_iter().find(|sort| self.is_of(sort, name)) {
                self.add(sort, name, one.span(), false);
            }
            for definition in self.d.definitions.iter().filter(|one| one.id == name) {
                self.add(&sort_of_kind(self.d, definition.kind), name, one.span(), false);
            }
        }
    }

    /// The sort of a name that may be that of a family.
    fn or_family<'s>(&self, sort: &'s str, name: &str) -> &'s str {
        if self.is_of("family", name) && !self.is_of(sort, name) { "family" } else { sort }
    }

    /// Adds the names in the headers of tables: a table in several parts has its name in each of them.
    fn headers(&mut self, stem: &str) {
        let (file, d, kind) = (self.file, self.d, self.d.kinds.get_full(stem));
        for path in headers(&file.text) {
            let names: Vec<&str> = path.iter().map(|span| &file.text[span.clone()]).collect();
            match (stem, names.as_slice()) {
                ("game", [section, _, rest @ ..]) => {
                    if let Some((_, sort)) = SECTIONS.iter().find(|(of, _)| of == section) {
                        self.again(names[1], path[1].clone(), sort);
                    }
                    match (*section, rest) {
                        ("kinds", ["attributes", _, ..]) => self.again(names[3], path[3].clone(), "attribute"),
                        ("kinds", ["hooks", _, ..]) => self.again(names[3], path[3].clone(), "hook"),
                        _ => {}
                    }
                }
                ("look", [section, name, ..]) => {
                    if let Some((_, sort)) = LOOKS.iter().find(|(of, _)| of == section) {
                        let sort = self.or_family(sort, name);
                        self.add(sort, name, path[1].clone(), false);
                    }
                }
                ("verbs", [verb, rest @ ..]) => {
                    self.again(names[0], path[0].clone(), "verb");
                    if let ["args", _, ..] = rest {
                        self.again(names[2], path[2].clone(), &format!("{SHARED}:{verb}"));
                    }
                }
                ("phases" | "texts" | "prompts", [_, ..]) => {
                    self.again(names[0], path[0].clone(), stem.trim_end_matches('s'))
                }
                (_, [_, ..]) => {
                    if let Some((index, ..)) = kind {
                        self.again(names[0], path[0].clone(), &sort_of_kind(d, index));
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds another place that declares a name.
    fn again(&mut self, name: &str, span: std::ops::Range<usize>, sort: &str) {
        let file = &self.file.path;
        let is_same = |one: &Reference| one.declares && one.symbol.name == name && one.symbol.sort == sort;
        let is_declared = self.found.iter().any(|one| one.file == *file && is_same(one));
        if is_declared || sort.starts_with(SHARED) {
            self.add(sort, name, span, true);
        }
    }

    /// Adds the arguments that a verb declares, and those that its text and its choices name.
    fn arguments(&mut self, verb: &str, table: &DeTable<'_>) {
        let sort = format!("{SHARED}:{verb}");
        self.keys(table.get("args"), &sort);
        if let Some(text) = table.get("text") {
            for (name, span) in placeholders(&self.file.text, text.span()) {
                self.add(&sort, name, span, false);
            }
        }
        let choices = table.get("choose").and_then(|choices| choices.get_ref().as_table());
        let shows = choices
            .into_iter()
            .flat_map(DeTable::values)
            .filter_map(|choice| choice.get_ref().as_table()?.get("shows"));
        let shows = shows.filter_map(|shows| shows.get_ref().as_array()).flatten();
        for named in table.get("times").into_iter().chain(shows) {
            if let Some(name) = named.get_ref().as_str() {
                self.add(&sort, name, named.span(), false);
            }
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

    /// Adds the names in braces of a text.
    fn placeholders(&mut self, kind: &Kind, span: std::ops::Range<usize>) {
        for (name, place) in placeholders(&self.file.text, span) {
            if kind.attributes.contains_key(name) {
                self.add("attribute", name, place, false);
            } else if kind.hooks.contains_key(name) {
                self.add("hook", name, place, false);
            }
        }
    }

    /// Adds the kinds and grids in braces of a text: `{buildings}` of a family, `{3:buildings}`, `{1:cell mine}`.
    fn kinds_and_grids(&mut self, span: std::ops::Range<usize>) {
        for (first, place) in placeholders(&self.file.text, span.clone()) {
            let inside = self.file.text.get(place.start..span.end).and_then(|rest| rest.split('}').next());
            let of = inside.and_then(|inside| inside.strip_prefix(first)?.strip_prefix(':'));
            let (name, sort) = match of {
                Some(of) => of.strip_prefix("cell ").map_or((of, "kind"), |grid| (grid, "grid")),
                None => (first, "kind"),
            };
            if !name.is_empty() && self.is_of(sort, name) {
                let start =
                    if of.is_some() { place.start + inside.map_or(0, str::len) - name.len() } else { place.start };
                self.add(sort, name, start..start + name.len(), false);
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
                self.add(self.or_family(sort, name), name, key.span(), false);
            }
            if let Some(inner) = own.or_else(|| schema.get("additionalProperties").filter(|one| one.is_object())) {
                self.value(value, inner);
            }
        }
    }

    fn text(&mut self, text: &str, span: std::ops::Range<usize>, schema: &Json) {
        self.kinds_and_grids(span.clone());
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

/// The places of the names in the headers of tables, header by header: `[kinds.cards]`.
fn headers(text: &str) -> Vec<Vec<std::ops::Range<usize>>> {
    let mut all = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let begin = start;
        start += line.len();
        let Some((inside, _)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) else { continue };
        let mut at = begin + 1;
        let mut path = Vec::new();
        for part in inside.split('.') {
            let name = part.trim_matches(['[', ' ', '"', '\'']);
            let place = at + part.find(name).unwrap_or(0);
            path.push(place..place + name.len());
            at += part.len() + 1;
        }
        all.push(path);
    }
    all
}

/// The names in braces of a text: `{cost}`, `{cost:coin|coins}`.
fn placeholders(file: &str, span: std::ops::Range<usize>) -> impl Iterator<Item = (&str, std::ops::Range<usize>)> {
    let (written, start) = (file.get(span.clone()).unwrap_or_default(), span.start);
    written.match_indices('{').map(move |(at, _)| {
        let rest = &written[at + 1..];
        let name = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())];
        (name, start + at + 1..start + at + 1 + name.len())
    })
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
