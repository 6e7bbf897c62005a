//! Where the choices of prompts lie on the table.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::declare::{Attribute, AttributeType, ChoiceLook, Declarations, Domain, Holder};
use crate::diagnostic::suggestion;
use crate::document::{Node, Table};
use crate::keys;
use crate::names::{KIND, Names, PROMPT};

use super::value::reference;

/// Reads `choices` of `look.toml`.
pub(super) fn read(root: &Table<'_>, names: &Names, d: &Declarations) -> IndexMap<String, ChoiceLook> {
    let known = places(d);
    let mut all = IndexMap::new();
    for (key, table) in root.tables("choices", "choices of") {
        let prompt = reference(&key, &PROMPT, &names.prompts).and_then(|at| d.prompts.get_index(at));
        let Some(table) = table else { continue };
        let mut look = ChoiceLook { list: table.boolean("list", false), ..ChoiceLook::default() };
        if let Some(node) = table.get("on") {
            look.on = place(&node, &known);
        }
        if let Some(labels) = table.table("labels", format!("labels of {}", table.what)) {
            for (key, node) in labels.entries() {
                if let Some((_, prompt)) = prompt.filter(|(_, prompt)| !prompt.labels.contains_key(key.text)) {
                    let help = suggestion(key.text, prompt.labels.keys().map(String::as_str));
                    key.fault("unknown-label", format!("unknown label `{}` in {}", key.text, labels.what), help);
                }
                look.labels.insert(key.text.to_owned(), place(&node, &known));
            }
        }
        read_matches(&table, names, d, &mut look);
        look.of = table.get("of").map(|node| owner(&node, d)).unwrap_or_default();
        check_use(&table, &look);
        table.finish(keys::choice_look);
        all.insert(key.text.to_owned(), look);
    }
    all
}

/// Reads `kind` and `where`: the definitions among whose attributes the choice is.
fn read_matches(table: &Table<'_>, names: &Names, d: &Declarations, look: &mut ChoiceLook) {
    let kind = table.get("kind").and_then(|node| node.reference(&KIND, &names.kinds));
    let kind = kind.and_then(|kind| d.kinds.get_index(kind));
    look.kind = kind.map(|(name, _)| name.clone()).unwrap_or_default();
    let Some(matches) = table.table("where", format!("`where` of {}", table.what)) else { return };
    let counters = d.counters.iter().filter(|(_, counter)| counter.per == Holder::Player && !counter.internal);
    let known: BTreeSet<&str> = counters.map(|(name, _)| name.as_str()).chain([ChoiceLook::CHOICE]).collect();
    for (key, node) in matches.entries() {
        if let Some((_, kind)) = kind.filter(|(_, kind)| !kind.attributes.contains_key(key.text)) {
            let help = suggestion(key.text, kind.attributes.keys().map(String::as_str));
            key.fault("unknown-attribute", format!("unknown attribute `{}` in {}", key.text, matches.what), help);
        }
        let Some(word) = node.text() else { continue };
        if !known.contains(word) {
            let help = suggestion(word, known.iter().copied())
                .unwrap_or_else(|| "use `choice`, or a counter of players".to_owned());
            let message = format!("{} is neither `choice` nor a counter of players: `{word}`", node.what);
            node.fault("unknown-value", message, Some(help));
        }
        look.matches.insert(key.text.to_owned(), word.to_owned());
    }
}

/// The counter that holds the owner of the places, or `all`.
fn owner(node: &Node<'_>, d: &Declarations) -> String {
    let Some(word) = node.text() else { return String::new() };
    let counter = d.counters.get(word);
    if word != ChoiceLook::ALL
        && !counter.is_some_and(|one| one.per == Holder::Player && one.means == Domain::Player && !one.internal)
    {
        let help = "use `all`, or a counter of players with `values = \"player\"`".to_owned();
        node.fault("unknown-value", format!("{} names no player: `{word}`", node.what), Some(help));
    }
    word.to_owned()
}

/// Reports a table that says nothing, or two things.
fn check_use(table: &Table<'_>, look: &ChoiceLook) {
    let said = [look.list, !look.on.is_empty(), !look.kind.is_empty()].iter().filter(|&&said| said).count();
    if said > 1 {
        let help = "leave all but one of `on`, `kind` and `list` out".to_owned();
        table.fault("conflict", format!("{} lie in several places", table.what), Some(help));
    } else if said == 0 && look.labels.is_empty() {
        let help = "set `on`, `labels`, `kind` with `where`, or `list = true`".to_owned();
        table.fault("missing-key", format!("{} have no place", table.what), Some(help));
    }
    if look.matches.is_empty() != look.kind.is_empty() {
        let help = "set both: `kind = \"spots\"` and `where = { action = \"choice\" }`".to_owned();
        table.fault("missing-key", format!("{} need `kind` and `where`", table.what), Some(help));
    }
}

/// The name of a place.
fn place(node: &Node<'_>, known: &BTreeSet<&str>) -> String {
    let Some(name) = node.text() else { return String::new() };
    if !known.contains(name) {
        let help = suggestion(name, known.iter().copied())
            .unwrap_or_else(|| "name a zone, a counter, a family of them, or a grid".to_owned());
        node.fault("unknown-value", format!("{} is no place: `{name}`", node.what), Some(help));
    }
    name.to_owned()
}

/// The names of places: zones, counters, their families, and grids. Those of players are the viewer's own.
fn places(d: &Declarations) -> BTreeSet<&str> {
    let zones = d.zones.iter().filter(|(_, zone)| !zone.internal).map(|(name, _)| name);
    let on_table = |per: Holder| matches!(per, Holder::Game | Holder::Player);
    let counters = d.counters.iter().filter(|(_, counter)| !counter.internal && on_table(counter.per));
    let families = d.zone_families.keys().chain(d.counter_families.keys());
    zones.chain(counters.map(|(name, _)| name)).chain(families).chain(d.grids.keys()).map(String::as_str).collect()
}

/// The family of zones in which the definitions of a kind are places, by the kind of one of its attributes, and the
/// attribute with the place in the pile.
pub(super) fn read_pile(table: &Table<'_>, kind: usize, d: &Declarations) -> (String, String) {
    let attributes = d.kinds.get_index(kind).map(|(_, kind)| &kind.attributes);
    let mut at = String::new();
    if let Some(node) = table.get("at")
        && let Some(name) = node.text()
    {
        if attributes.is_some_and(|all| !all.contains_key(name)) {
            let help = suggestion(name, attributes.into_iter().flat_map(|all| all.keys().map(String::as_str)));
            node.fault("unknown-attribute", format!("unknown attribute `{name}` for {}", node.what), help);
        }
        name.clone_into(&mut at);
    }
    let Some(node) = table.get("pile") else { return (String::new(), at) };
    let Some(name) = node.text() else { return (String::new(), at) };
    let Some(family) = d.zone_families.get(name) else {
        let help = suggestion(name, d.zone_families.keys().map(String::as_str));
        node.fault("unknown-zone", format!("{} is no family of zones: `{name}`", node.what), help);
        return (String::new(), at);
    };
    let names_zone = |attribute: &Attribute| matches!(attribute.of, AttributeType::Id(of) if of == family.kind);
    if attributes.is_some_and(|all| !all.values().any(names_zone)) {
        let help = Some(format!("give it an attribute of the kind that `{name}` has a zone for"));
        node.fault("missing-key", format!("no attribute of {} names a zone of `{name}`", table.what), help);
    }
    (name.to_owned(), at)
}
