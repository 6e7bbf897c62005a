//! Draws one card in full.

use std::io::Write;

use comfy_table::{Cell, ColumnConstraint};
use motherlode::Pack;
use motherlode::declare::{Aim, Bearer, Declarations, Listener, ListenerAction, Value, VerbCall};
use motherlode::tools::{listener_text, modifier_text};
use motherlode_check::explain::{self, FieldSettings, Setting, explain};
use serde_json::{Value as Json, json};

use super::{Card, value_text};
use crate::explain::layer;
use crate::fault::Fault;
use crate::paint;

/// Draws a card, with the layer and the line that set each field.
pub fn draw(out: &mut dyn Write, card: &Card<'_>, pack: &Pack) -> Result<(), Fault> {
    let (strong, faint) = (paint::strong(), paint::faint());
    let one = card.definition;
    writeln!(out, "{strong}{}{strong:#}  {}.{}", one.name, card.deck.name, one.id)?;
    let fields = fields(card, pack);
    let places = fields.iter().filter_map(|field| field.set.as_ref()).map(|set| &set.place);
    let mut files: Vec<&str> = Vec::new();
    for place in std::iter::once(&one.place).chain(places) {
        if !files.contains(&place.file.as_str()) {
            files.push(&place.file);
            writeln!(out, "{faint}{}:{}{faint:#}", place.file, place.line)?;
        }
    }
    for line in paint::wrapped(&one.text, paint::width()) {
        writeln!(out, "{line}")?;
    }
    let mut table = paint::plain_table();
    for field in &fields {
        let (from, place) = match &field.set {
            Some(set) => {
                let file = set.place.file.rsplit('/').next().unwrap_or_default();
                (layer(card.deck.game, set), format!("{file}:{}", set.place.line))
            }
            // A text without a setting comes from the verbs.
            None if field.name == "text" => ("verbs".to_owned(), String::new()),
            None => ("default".to_owned(), String::new()),
        };
        table.add_row([&field.name, &field.value, &from, &place, &field.about].map(Cell::new));
    }
    for at in [0, 2, 3] {
        if let Some(column) = table.column_mut(at) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    for line in table.lines() {
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out)?;
    Ok(())
}

/// A field of a card, or a function of its script.
struct Field {
    name: String,
    value: String,
    /// Text of its declaration.
    about: String,
    /// The setting in force; `None` for a default.
    set: Option<Setting>,
}

/// All fields of a card with the highest layer that sets them, and its functions with all layers.
fn fields(card: &Card<'_>, pack: &Pack) -> Vec<Field> {
    let one = card.definition;
    let path = format!("{}.{}", card.deck.name, one.id);
    let explained = explain(pack, &path).unwrap_or_default();
    let set = |name: &str| {
        let at = format!("{path}.{name}");
        let below = |one: &&FieldSettings| {
            one.path == at || one.path.strip_prefix(&at).is_some_and(|rest| rest.starts_with('.'))
        };
        // For a nested value, use the part that was set last.
        let last = explained.iter().filter(below).filter_map(|one| one.settings.last());
        last.filter(|setting| setting.value.is_some()).max_by_key(|setting| setting.layer).cloned()
    };
    let field = |name: &str, value: String, about: &str| Field {
        name: name.to_owned(),
        value,
        about: about.to_owned(),
        set: set(name),
    };
    let mut fields = vec![field("name", one.name.clone(), "")];
    if !one.text.is_empty() {
        fields.push(field("text", "(above)".to_owned(), ""));
    }
    if card.deck.kind.tokens {
        fields.push(field("copies", one.copies.to_string(), ""));
    }
    fields.extend(card.attributes().map(|(name, attribute, value)| field(name, value_text(value), &attribute.text)));
    let d = card.deck.declarations();
    if let Some(image) = &one.image {
        fields.push(field("image", image.clone(), ""));
    }
    if !one.aims.is_empty() {
        fields.push(field("aim", targets(d, &one.aims), ""));
    }
    for (hook, calls) in &one.verbs {
        let key = card.deck.kind.list_of(hook).map_or(hook.as_str(), |(list, _)| list);
        fields.push(Field { name: hook.clone(), ..field(key, effect(d, calls), "") });
    }
    let is_own = |bearer: Bearer| bearer == Bearer::Definition(card.index());
    for listener in d.listeners.iter().filter(|listener| is_own(listener.bearer)) {
        let name =
            listener.name.strip_prefix(&one.id).map_or(listener.name.as_str(), |rest| rest.trim_start_matches('.'));
        fields.push(field(name, reaction(d, listener), ""));
    }
    for modifier in d.modifiers.iter().filter(|modifier| is_own(modifier.bearer)) {
        fields.push(field("modifies", modifier_text(d, modifier), ""));
    }
    let functions = explain::functions(card.deck.game);
    for function in functions {
        let Some(hook) = function.path.strip_prefix(&path).and_then(|rest| rest.strip_prefix('.')) else { continue };
        for setting in function.settings {
            let value = setting.value.clone().unwrap_or_default();
            fields.push(Field { name: hook.to_owned(), value, about: String::new(), set: Some(setting) });
        }
    }
    fields
}

/// The filters of targets (indices into `aims`): `creature`, `second: creature`.
fn targets(d: &Declarations, aims: &[usize]) -> String {
    let one = |aim: &Aim| match (aim.name.as_str(), aim.filter.name.as_str()) {
        (name, "") => name.to_owned(),
        ("target", filter) => filter.to_owned(),
        (name, filter) => format!("{name}: {filter}"),
    };
    aims.iter().filter_map(|aim| d.aims.get(*aim)).map(one).collect::<Vec<_>>().join(", ")
}

/// The verbs of a listener, or what it does in words.
fn reaction(d: &Declarations, listener: &Listener) -> String {
    match &listener.action {
        ListenerAction::Verbs(calls) => effect(d, calls),
        ListenerAction::Script(_) => "script".to_owned(),
        ListenerAction::Nothing | ListenerAction::Reset(_) => listener_text(d, listener),
    }
}

/// A card in JSON, with the place of each field.
pub fn in_full(card: &Card<'_>, pack: &Pack) -> Json {
    let mut data = data(card);
    let mods = card.deck.game.mods();
    let places: Vec<Json> = fields(card, pack)
        .into_iter()
        .filter_map(|field| {
            let set = field.set?;
            let by = set.layer.checked_sub(1).and_then(|index| mods.get(index)).map(|one| &one.id);
            Some(json!({ "field": field.name, "mod": by, "file": set.place.file, "line": set.place.line }))
        })
        .collect();
    data["fields"] = json!(places);
    data
}

/// `gain 2 coins; score 2 per carts`, without default values.
fn effect(d: &Declarations, calls: &[VerbCall]) -> String {
    let call = |call: &VerbCall| {
        let usual = |name: &str| d.verbs.get(&call.verb)?.args.get(name)?.default.as_ref();
        let set = call.args.iter().filter(|(name, value)| usual(name) != Some(value));
        let args = set.enumerate().map(|(at, (name, value))| match at {
            0 => value_text(value),
            _ => format!("{name} {}", value_text(value)),
        });
        std::iter::once(call.verb.clone()).chain(args).collect::<Vec<_>>().join(" ")
    };
    calls.iter().map(call).collect::<Vec<_>>().join("; ")
}

/// A card in JSON.
pub fn data(card: &Card<'_>) -> Json {
    let one = card.definition;
    let attributes: serde_json::Map<String, Json> =
        card.attributes().map(|(name, _, value)| (name.to_owned(), json!(value))).collect();
    let calls = |calls: &Vec<VerbCall>| -> Vec<Json> {
        calls.iter().map(|call| json!({ &call.verb: Value::Map(call.args.clone()) })).collect()
    };
    let effects: serde_json::Map<String, Json> =
        one.verbs.iter().map(|(hook, list)| (hook.clone(), json!(calls(list)))).collect();
    let functions: serde_json::Map<String, Json> =
        card.functions().map(|place| (place.name.clone(), json!({ "file": place.file, "line": place.line }))).collect();
    json!({
        "deck": card.deck.name,
        "id": one.id,
        "name": one.name,
        "text": one.text,
        "copies": card.deck.kind.tokens.then_some(one.copies),
        "image": one.image,
        "attributes": attributes,
        "effects": effects,
        "reactions": reactions(card),
        "functions": functions,
        "place": one.place,
    })
}

/// The listeners and modifiers of a card, each with its name and its sentence.
fn reactions(card: &Card<'_>) -> Vec<Json> {
    let d = card.deck.declarations();
    let is_own = |bearer: Bearer| bearer == Bearer::Definition(card.index());
    let listeners = d.listeners.iter().filter(|one| is_own(one.bearer));
    let listeners = listeners.map(|one| json!({ "name": one.name, "text": listener_text(d, one), "place": one.place }));
    let modifiers = d.modifiers.iter().filter(|one| is_own(one.bearer));
    let modifiers = modifiers.map(|one| json!({ "name": one.name, "text": modifier_text(d, one), "place": one.place }));
    listeners.chain(modifiers).collect()
}
