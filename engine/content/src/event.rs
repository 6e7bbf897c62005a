//! Events: the sections `events` and `filters` of `reactions.toml`.

use indexmap::IndexMap;

use super::declare::{Declarations, Event, EventArg, Filter, MAX_EVENT_ARGS};
use super::document::{Key, Node, Table};
use super::filter;
use super::formula::{Scope, ThingType};
use super::keys;
use super::names::{EVENT, Names, PROMPT, check_name, label_of};
use super::text::check_values;
use super::words::EVENT_ARGS;

/// Declarations of the built-in events.
pub(crate) const STANDARD: &str = include_str!("std/events.toml");
/// Displayed path of the built-in events.
pub(crate) const STANDARD_PATH: &str = "engine/content/src/std/events.toml";

/// Reads `[events]` of a file. An event that already exists is a built-in one.
pub(crate) fn read(root: &Table<'_>, names: &Names, standard: bool, d: &mut Declarations) {
    let mut tables = root.tables("events", "event");
    tables.retain(|(key, _)| check_reserved(key, d));
    for (key, table) in &tables {
        check_name(key, "event");
        let text = format!("When {}", label_of(key.text).to_lowercase());
        let name = key.text.to_owned();
        let mut event = Event { name, text, standard, place: key.place(), ..Event::default() };
        if let Some(table) = table {
            read_one(table, &mut event, names);
        }
        d.events.insert(key.text.to_owned(), event);
    }
    // A part of an event has its arguments, and may be declared before it.
    for (key, table) in tables {
        if let Some(table) = table {
            read_part(key, &table, names, d);
            table.finish(keys::event);
        }
    }
}

/// Whether an event may have this name. Reports the name of a built-in one.
fn check_reserved(key: &Key<'_>, d: &Declarations) -> bool {
    let is_free = d.events.get(key.text).is_none_or(|known| !known.standard);
    if !is_free {
        let message = format!("event `{}` is built into the engine", key.text);
        key.fault("reserved-name", message, Some("choose another name".to_owned()));
    }
    is_free
}

fn read_one(table: &Table<'_>, event: &mut Event, names: &Names) {
    if let Some(text) = table.text("text") {
        event.text = text;
    }
    event.order = table.get("order").and_then(|node| node.reference(&PROMPT, &names.prompts));
    if let Some(section) = table.table("args", format!("arguments of {}", table.what)) {
        read_args(&section, event, table);
    }
    if let Some(node) = table.get("text").filter(|_| table.get("of").is_none()) {
        check_values(&node, &event.args.keys().map(String::as_str).collect::<Vec<_>>());
    }
}

fn read_args(section: &Table<'_>, event: &mut Event, table: &Table<'_>) {
    for (key, node) in section.entries() {
        check_name(&key, "argument");
        let of: Option<EventArg> = node.word(&EVENT_ARGS);
        event.args.insert(key.text.to_owned(), of.unwrap_or(EventArg::Integer));
    }
    if event.args.len() > MAX_EVENT_ARGS {
        let message =
            format!("{} has {} arguments; an event has at most {MAX_EVENT_ARGS}", table.what, event.args.len());
        section.fault("too-large", message, None);
        event.args.truncate(MAX_EVENT_ARGS);
    }
}

/// Reads `of` and `where` of an event that is a part of another
fn read_part(key: Key<'_>, table: &Table<'_>, names: &Names, d: &mut Declarations) {
    let (of, condition) = (table.get("of"), table.get("where"));
    let Some(of) = of else {
        if let Some(node) = condition {
            let help = Some("add `of = \"<event>\"`, or remove it".to_owned());
            node.fault("conflict", format!("{} has no effect without `of`", node.what), help);
        }
        return;
    };
    let Some(base) = of.reference(&EVENT, &names.events) else { return };
    let Some((base_name, known)) = d.events.get_index(base).map(|(name, known)| (name.clone(), known.clone())) else {
        return;
    };
    if base_name == key.text || known.args.is_empty() {
        let help = "name another event, which is declared before this one".to_owned();
        return of.fault("conflict", format!("{} cannot be a part of `{base_name}`", table.what), Some(help));
    }
    if let Some(args) = table.get("args") {
        let message = format!("{} has no effect: {} has the arguments of `{base_name}`", args.what, table.what);
        args.fault("conflict", message, Some("remove it".to_owned()));
    }
    let scope = Scope { d, names, event: Some(&known), borne: false, targets: &[] };
    let filters = condition.map(|node| filter::arguments(&node, scope)).unwrap_or_default();
    // A part of a part is a part of the whole.
    let filters = known.filters.iter().cloned().chain(filters).collect();
    if let Some(event) = d.events.get_mut(key.text) {
        (event.of, event.args, event.filters) = (Some(known.of.unwrap_or(base)), known.args, filters);
    }
}

/// Reads `[filters]`: conditions on tokens, by name.
pub(crate) fn read_filters(root: &Table<'_>, names: &Names, d: &Declarations) -> IndexMap<String, Filter> {
    let mut filters = IndexMap::new();
    for (key, table) in root.tables("filters", "filter") {
        check_name(&key, "filter");
        if ["this", "other"].contains(&key.text) {
            let message = format!("`{}` already has a meaning for filters", key.text);
            key.fault("reserved-name", message, Some("choose another name".to_owned()));
        }
        let scope = Scope { d, names, event: None, borne: true, targets: &[] };
        let filter = table.and_then(|table| filter::read_table(&table, ThingType::Token, scope));
        let filter = Filter { name: key.text.to_owned(), ..filter.unwrap_or_default() };
        if filter.players.is_some() && filter.prompt.is_none() {
            let help = "add `prompt`, or remove it: `players` is for targets".to_owned();
            key.fault("missing-key", format!("filter `{}` has `players` and no `prompt`", key.text), Some(help));
        }
        filters.insert(key.text.to_owned(), filter);
    }
    filters
}

/// A list, or a single value in place of a list of one.
pub(crate) fn one_or_more<'d>(node: &Node<'d>) -> Vec<Node<'d>> {
    node.list(true).unwrap_or_default()
}
