//! Completion: keys and names from the schema in TOML, names and functions in Luau.

use std::collections::BTreeMap;

use motherlode::language::ACCESSORS;
use motherlode_check::references::symbols;
use serde_json::{Value, json};

use crate::cursor::{At, find};
use crate::place::{range, word};
use crate::shape;
use crate::workspace::Snapshot;

/// Kinds of items in the protocol.
const PROPERTY: u8 = 10;
const VALUE: u8 = 12;
const FUNCTION: u8 = 3;

/// The items at a place.
pub(crate) fn complete(snapshot: &Snapshot, shown: &str, text: &str, offset: usize) -> Vec<Value> {
    if shown.ends_with(".luau") {
        return in_script(snapshot, text, offset);
    }
    let Some((cursor, schema)) = find(text, offset).zip(snapshot.schema(shown)) else { return Vec::new() };
    let here = shape::at(&schema, &cursor.path);
    let (at, start) = (cursor.at, cursor.start);
    let span = range(text, (start, offset));
    let item = |label: &str, about: &str, kind: u8, written: String| {
        json!({
            "label": label,
            "kind": kind,
            "documentation": about,
            "textEdit": { "range": span, "newText": written },
        })
    };
    let words = shape::words(&here);
    match at {
        At::Key => {
            let own = shape::keys(&here);
            let keys = own.iter().map(|(key, about)| item(key, about, PROPERTY, key.clone()));
            let names = of_game(snapshot, shown, &cursor.path);
            keys.chain(names.iter().map(|(name, sort)| item(name, sort, VALUE, name.clone()))).collect()
        }
        At::Text => words.iter().map(|(word, about)| item(word, about, VALUE, word.clone())).collect(),
        At::Value => {
            let names = words.iter().map(|(word, about)| item(word, about, VALUE, format!("\"{word}\"")));
            // Verbs with arguments, and other tables.
            let keys = shape::keys(&here);
            let tables = keys.iter().map(|(key, about)| item(key, about, PROPERTY, format!("{{ {key} = ")));
            let booleans = ["true", "false"].into_iter().filter(|_| shape::is_boolean(&here));
            names.chain(tables).chain(booleans.map(|word| item(word, "", VALUE, word.to_owned()))).collect()
        }
    }
}

/// The names of the game that a table of a mod may change, with their sorts: `mine` at `[mi` in `buildings.toml`.
fn of_game(snapshot: &Snapshot, shown: &str, path: &[String]) -> BTreeMap<String, String> {
    let stem = snapshot.pack.stem_of(shown).filter(|_| !shown.starts_with("content/"));
    let section = match (stem, path) {
        (Some("game"), [section]) => section.as_str(),
        (Some(stem), []) if stem != "game" => stem,
        _ => return BTreeMap::new(),
    };
    // The section `counters` holds names of the sort `counter`, and the file `buildings.toml` those of `id:buildings`.
    let belongs = |sort: &str| {
        sort.split_once(':').map_or_else(|| section.strip_suffix('s') == Some(sort), |(_, kind)| kind == section)
    };
    let all = symbols(&snapshot.declarations).into_iter();
    all.filter(|symbol| belongs(&symbol.sort)).map(|symbol| (symbol.name, symbol.sort)).collect()
}

/// Names in a text; accessors elsewhere.
fn in_script(snapshot: &Snapshot, text: &str, offset: usize) -> Vec<Value> {
    let before = &text[..text.floor_char_boundary(offset)];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let (start, _) = word(text, before.len());
    let span = range(text, (start, offset));
    let in_text = line.matches('"').count() % 2 == 1;
    if in_text {
        let wanted = expected(line);
        let all = symbols(&snapshot.declarations);
        let fits = |sort: &str| {
            wanted.as_deref().is_none_or(|wanted| sort == wanted || sort.split(':').next() == Some(wanted))
        };
        return all
            .iter()
            .filter(|symbol| fits(&symbol.sort))
            .map(|symbol| {
                let name = &symbol.name;
                json!({ "label": name, "kind": VALUE, "detail": symbol.sort, "textEdit": { "range": span, "newText": name } })
            })
            .collect();
    }
    let accessor = |accessor: &motherlode::language::Accessor| {
        json!({
            "label": accessor.name,
            "kind": FUNCTION,
            "detail": accessor.signature,
            "documentation": accessor.text,
            "textEdit": { "range": span, "newText": accessor.name },
        })
    };
    ACCESSORS.values().map(accessor).collect()
}

/// The sort of name that the call before the cursor expects: `get(player, "` expects a counter. `None`: any.
fn expected(line: &str) -> Option<String> {
    let (mut depth, mut argument) = (0usize, 0usize);
    let before = &line[..line.rfind('"')?];
    for (at, c) in before.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' if depth == 0 => {
                let name = before[..at].rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
                let signature = ACCESSORS.get(name)?.signature;
                let inside = signature.split_once('(')?.1.split(')').next()?;
                let of = inside.split(", ").nth(argument)?.split(": ").nth(1)?;
                let of = of.trim_end_matches('?').to_lowercase();
                let known =
                    ["counter", "zone", "grid", "prompt", "text", "kind", "option", "verb", "hook", "event", "filter"];
                return known.into_iter().find(|sort| *sort == of).map(str::to_owned);
            }
            '(' => depth -= 1,
            ',' if depth == 0 => argument += 1,
            _ => {}
        }
    }
    None
}
