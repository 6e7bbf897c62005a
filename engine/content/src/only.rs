//! `players` and `only` of counters, zones and grids: the setups in which they exist.

use indexmap::IndexMap;

use super::declare::{Only, OptionDecl, OptionValue, PlayerRange};
use super::diagnostic::suggestion;
use super::document::{Node, Table};
use super::names::OPTION;
use super::option::read_players;

/// The numbers of players and the options of a game, for `players` and `only`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setups<'a> {
    pub(crate) players: Option<PlayerRange>,
    pub(crate) options: &'a IndexMap<String, OptionDecl>,
}

/// Reads both keys of a table.
pub(crate) fn read(table: &Table<'_>, setups: Setups<'_>) -> Only {
    let mut only = Only { players: read_players(table, setups.players), options: IndexMap::new() };
    let Some(node) = table.get("only") else { return only };
    let Some(conditions) = node.table(&node.what) else { return only };
    for (key, values) in conditions.entries() {
        let Some(option) = setups.options.get(key.text) else {
            let message = format!("unknown option `{}` in {}", key.text, node.what);
            key.fault(OPTION.code, message, suggestion(key.text, setups.options.keys().map(String::as_str)));
            continue;
        };
        let list = values.list(true).unwrap_or_default();
        if values.is_list() && list.is_empty() {
            values.fault("empty", format!("{} is empty", values.what), None);
        }
        let mut known = Vec::new();
        for node in list {
            let Some(value) = value(&node, option) else { continue };
            if known.contains(&value) {
                node.fault("duplicate", format!("{} is listed twice in {}", node.written(), node.what), None);
            } else {
                known.push(value);
            }
        }
        only.options.insert(key.text.to_owned(), known);
    }
    if conditions.entries().is_empty() {
        node.fault("empty", format!("{} is empty", node.what), None);
    }
    only
}

/// Reads a value of the option.
fn value(node: &Node<'_>, option: &OptionDecl) -> Option<OptionValue> {
    match &option.default {
        OptionValue::Bool(_) => node.boolean().map(OptionValue::Bool),
        OptionValue::Integer(_) => {
            let (min, max) = option.range.unwrap_or((i32::MIN, i32::MAX));
            node.integer(min..=max.max(min)).map(OptionValue::Integer)
        }
        OptionValue::Name(_) => {
            let name = node.text()?;
            if !option.values.is_empty() && !option.values.contains_key(name) {
                let help = suggestion(name, option.values.keys().map(String::as_str));
                node.fault("unknown-value", format!("`{name}` is not a value of {}", node.what), help);
                return None;
            }
            Some(OptionValue::Name(name.to_owned()))
        }
    }
}
