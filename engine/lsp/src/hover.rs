//! Hover: composed cards, verbs, counters and keys.

use motherlode::declare::{Declarations, Value};
use motherlode::language::ACCESSORS;
use motherlode_check::references::Symbol;
use serde_json::{Value as Json, json};

use crate::cursor::find;
use crate::navigate::symbol_at;
use crate::place::{range, word};
use crate::shape;
use crate::workspace::Snapshot;

/// The text about a place; null if there is none.
pub(crate) fn hover(snapshot: &Snapshot, shown: &str, text: &str, offset: usize) -> Json {
    let d = &snapshot.declarations;
    let contents = |text: String, span: (usize, usize)| json!({ "contents": { "kind": "markdown", "value": text }, "range": range(text_of(snapshot, shown), span) });
    if let Some(found) = symbol_at(snapshot, shown, offset)
        && let Some(about) = about(d, &found.symbol)
    {
        return contents(about, found.span);
    }
    let (start, end) = word(text, offset);
    let name = &text[start..end];
    if shown.ends_with(".luau") {
        let accessor = ACCESSORS.get(name);
        return accessor.map_or(Json::Null, |one| {
            contents(format!("```luau\n{}\n```\n{}", one.signature, one.text), (start, end))
        });
    }
    let Some((cursor, schema)) = find(text, end).zip(snapshot.schema(shown)) else { return Json::Null };
    match shape::keys(&shape::at(&schema, &cursor.path)).get(name).filter(|about| !about.is_empty()) {
        Some(about) => contents(format!("`{name}`: {about}"), (start, end)),
        None => Json::Null,
    }
}

fn text_of<'s>(snapshot: &'s Snapshot, shown: &str) -> &'s str {
    snapshot.text(shown).unwrap_or_default()
}

/// The text about a symbol.
fn about(d: &Declarations, symbol: &Symbol) -> Option<String> {
    let name = symbol.name.as_str();
    if let Some(kind) = symbol.sort.strip_prefix("id:") {
        return card(d, kind, name);
    }
    if let Some((_, verb)) = symbol.sort.split_once(':') {
        let text = &d.verbs.get(verb)?.args.get(name)?.text;
        return Some(format!("**argument `{name}`** of `{verb}`\n\n{text}"));
    }
    let text = match symbol.sort.as_str() {
        "counter" => &d.counters.get(name)?.text,
        "zone" => &d.zones.get(name)?.text,
        "grid" => &d.grids.get(name)?.text,
        "kind" => &d.kinds.get(name)?.text,
        "option" => &d.options.get(name)?.text,
        "prompt" => &d.prompts.get(name)?.text,
        "text" => d.texts.get(name)?,
        "phase" => &d.phases.get(name)?.text,
        "event" => &d.events.get(name)?.text,
        "attribute" => &d.kinds.values().find_map(|kind| kind.attributes.get(name))?.text,
        "label" => d.prompts.values().find_map(|prompt| prompt.labels.get(name))?,
        "verb" => {
            let verb = d.verbs.get(name)?;
            let args: String = verb.args.iter().map(|(arg, of)| format!("\n- `{arg}`: {}", of.text)).collect();
            return Some(format!("**verb `{name}`**\n\n{}\n{args}", verb.text));
        }
        _ => return None,
    };
    Some(format!("**{} `{name}`**\n\n{text}", symbol.sort))
}

/// A card as composed: its name, its text and its attributes.
fn card(d: &Declarations, kind: &str, id: &str) -> Option<String> {
    let declared = d.kinds.get(kind)?;
    let all = d.definitions.get(declared.first..declared.first + declared.len)?;
    let one = all.iter().find(|one| one.id == id)?;
    let copies = if declared.tokens && one.copies != 1 { format!(", {} copies", one.copies) } else { String::new() };
    let mut shown = format!("**{}** ({kind}{copies})\n\n{}\n", one.name, one.text);
    let attributes = declared.attributes.iter().zip(&one.attributes);
    for ((name, attribute), value) in
        attributes.filter(|((_, attribute), value)| attribute.default.as_ref() != Some(value))
    {
        let about = if attribute.text.is_empty() { name } else { &attribute.text };
        shown += &format!("\n- {about}: {}", plain(value));
    }
    Some(shown)
}

fn plain(value: &Value) -> String {
    match value {
        Value::Boolean(value) => value.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        Value::Formula(written) => written.text.clone(),
        Value::List(list) => list.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Map(map) => {
            map.iter().map(|(name, value)| format!("{} {name}", plain(value))).collect::<Vec<_>>().join(", ")
        }
    }
}
