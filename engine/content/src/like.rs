//! `like`: a counter, a zone, a kind or a verb inherits the keys of another that it does not set itself.
//!
//! Works on the merged TOML, before anything is read. Inherited values keep their location, so that a fault in one
//! names the line where it is written, and is reported once.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostic::suggestion;
use super::document::{Document, Span};
use super::limits::MAX_LIKE;

/// Sections with `like`, each with the noun for its entries.
const SECTIONS: [(&str, &str); 3] = [("counters", "counter"), ("zones", "zone"), ("kinds", "kind")];

/// Tables of names: missing names are inherited one by one.
const NAMED: [&str; 4] = ["args", "attributes", "hooks", "lists"];

/// Keys that exclude another key of the same table. An inherited key gives way.
const RIVALS: [(&str, &[&str]); 8] = [
    ("values", &["min", "max", "start", "symbols", "colours"]),
    ("min", &["values", "symbols", "colours"]),
    ("max", &["values", "symbols", "colours"]),
    ("internal", &["visible", "redeal"]),
    ("visible", &["internal"]),
    ("redeal", &["internal"]),
    ("tokens", &["per", "zone", "shuffle"]),
    ("product", &["id"]),
];

/// The key.
pub(crate) const LIKE: &str = "like";

/// A fault that is reported once all tables are filled in: span, code, message and help.
type Fault = (Span, &'static str, String, Option<String>);

/// Fills in the inherited keys in the tables of `game.toml`.
pub(crate) fn fill_in(game: &mut Document<'_>) {
    let (mut faults, mut shared) = (Vec::new(), Vec::new());
    for (section, noun) in SECTIONS {
        if let Some(tables) = game.table.get_mut(section).and_then(|section| as_table_mut(section)) {
            fill_in_tables(tables, noun, &mut shared, &mut faults);
        }
    }
    finish(game, shared, faults);
}

/// Fills in the inherited keys of the verbs in `verbs.toml`.
pub(crate) fn fill_in_verbs(verbs: &mut Document<'_>) {
    let (mut faults, mut shared) = (Vec::new(), Vec::new());
    fill_in_tables(&mut verbs.table, "verb", &mut shared, &mut faults);
    finish(verbs, shared, faults);
}

fn finish(doc: &mut Document<'_>, shared: Vec<Span>, faults: Vec<Fault>) {
    doc.shared.extend(shared);
    for (span, code, message, help) in faults {
        doc.fault(span, code, message, help);
    }
}

fn fill_in_tables(tables: &mut DeTable<'_>, noun: &str, shared: &mut Vec<Span>, faults: &mut Vec<Fault>) {
    let mut links: BTreeMap<String, (String, Span)> = BTreeMap::new();
    for (name, table) in tables.iter() {
        let like = table.get_ref().as_table().and_then(|table| table.get(LIKE));
        let Some((text, like)) = like.and_then(|like| Some((like.get_ref().as_str()?, like))) else { continue };
        let (name, span) = (name.get_ref().to_string(), (like.span().start, like.span().end));
        if text == name {
            let message = format!("`{LIKE}` in {noun} `{name}` cannot be the {noun} itself");
            faults.push((span, "conflict", message, None));
        } else if tables.contains_key(text) {
            links.insert(name, (text.to_owned(), span));
        } else {
            let help = suggestion(text, tables.keys().map(|key| key.get_ref().as_ref()).filter(|key| *key != name));
            let message = format!("unknown {noun} `{text}` for `{LIKE}` in {noun} `{name}`");
            faults.push((span, code(noun), message, help));
        }
    }
    let faulty: BTreeMap<String, (String, Span)> =
        links.keys().filter_map(|name| Some((name.clone(), circle(&links, name, noun)?))).collect();
    links.retain(|name, _| !faulty.contains_key(name));
    // The faults of a long chain all have the same cause.
    faults.extend(faulty.into_values().take(MAX_LIKE).map(|(message, span)| (span, "conflict", message, None)));
    for name in in_order(&links) {
        let Some(from) = tables.get(links[&name].0.as_str()).and_then(|from| from.get_ref().as_table()).cloned() else {
            continue;
        };
        let Some(into) = tables.get_mut(name.as_str()).and_then(as_table_mut) else { continue };
        let set: Vec<&str> =
            RIVALS.iter().filter(|(key, _)| into.contains_key(*key)).flat_map(|(_, rivals)| *rivals).copied().collect();
        // A discard pile that is like its deck is not its own discard pile.
        let own = |value: &DeValue<'_>| value.as_str() == Some(name.as_str());
        let fits = |key: &str, value: &DeValue<'_>| !set.contains(&key) && !own(value);
        let from = from.into_iter().filter(|(key, value)| fits(key.get_ref().as_ref(), value.get_ref())).collect();
        take_over(into, from, true, shared);
    }
}

fn code(noun: &str) -> &'static str {
    match noun {
        "counter" => "unknown-counter",
        "zone" => "unknown-zone",
        "verb" => "unknown-verb",
        _ => "unknown-kind",
    }
}

fn as_table_mut<'t, 'p>(value: &'t mut Spanned<DeValue<'p>>) -> Option<&'t mut DeTable<'p>> {
    match value.get_mut() {
        DeValue::Table(table) => Some(table),
        _ => None,
    }
}

/// The fault of a name whose `like` forms a cycle or a chain that is too long.
fn circle(links: &BTreeMap<String, (String, Span)>, name: &str, noun: &str) -> Option<(String, Span)> {
    let (next, span) = links.get(name)?;
    let mut chain = std::iter::successors(Some(next), |name| links.get(name.as_str()).map(|(next, _)| next));
    if chain.by_ref().take(MAX_LIKE).any(|other| other == name) {
        return Some((format!("`{LIKE}` of {noun} `{name}` forms a cycle"), *span));
    }
    let message = || format!("`{LIKE}` of {noun} `{name}` forms a chain longer than {MAX_LIKE}, or leads into a cycle");
    chain.next().map(|_| (message(), *span))
}

/// The names, each after the one that it is like. There are no cycles, but a chain may lead into a refused one.
fn in_order(links: &BTreeMap<String, (String, Span)>) -> Vec<String> {
    let depth =
        |name: &String| std::iter::successors(links.get(name), |(next, _)| links.get(next)).take(MAX_LIKE + 1).count();
    let mut names: Vec<&String> = links.keys().collect();
    names.sort_by_cached_key(|name| depth(name));
    names.into_iter().cloned().collect()
}

fn take_over<'p>(into: &mut DeTable<'p>, from: DeTable<'p>, whole: bool, shared: &mut Vec<Span>) {
    for (key, value) in from {
        let name = key.get_ref().as_ref();
        let named = whole && NAMED.contains(&name);
        match (into.get_mut(name).map(Spanned::get_mut), value.get_ref()) {
            (_, _) if whole && name == LIKE => {}
            (Some(DeValue::Table(own)), DeValue::Table(from)) if named => take_over(own, from.clone(), false, shared),
            (Some(_), _) => {}
            (None, _) => {
                shared.push((value.span().start, value.span().end));
                into.insert(key, value);
            }
        }
    }
}
