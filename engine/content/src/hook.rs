//! Hooks: their declarations in kinds, and their effects in definitions.

use indexmap::{IndexMap, IndexSet};

use super::aim;
use super::declare::{CAN, Definition, Kind, list_hook};
use super::document::{Key, Node, Table};
use super::formula::Scope;
use super::limits::HOOK_LIST;
use super::names::{HOOK, check_name};
use super::verb::read_calls;
use super::words::SCRIPT;

/// Reads the hooks of a kind. `own`: keys that every definition has.
pub(crate) fn read(table: &Table<'_>, kind: &mut Kind, own: &[&str]) {
    let Some(section) = table.table("hooks", format!("hooks of {}", table.what)) else {
        read_lengths(table, &IndexSet::new());
        read_scripted(table, kind, &IndexSet::new());
        return;
    };
    let lengths = read_lengths(table, &section.own_names());
    for (key, node) in section.entries() {
        check_name(&key, "hook");
        if own.contains(&key.text) || kind.attributes.contains_key(key.text) {
            let message = format!("`{}` cannot be a hook: every definition already has that key", key.text);
            key.fault("reserved-name", message, None);
            continue;
        }
        let args = read_args(&node);
        let Some(length) = lengths.get(key.text) else {
            kind.hooks.insert(key.text.to_owned(), args);
            continue;
        };
        kind.lists.insert(key.text.to_owned(), *length);
        for place in 1..=*length {
            let hook = list_hook(key.text, place);
            if section.has(&hook) || kind.attributes.contains_key(&hook) {
                let message = format!("`{hook}` already exists, but it is also a hook of the list `{}`", key.text);
                key.fault("reserved-name", message, Some("rename one of them".to_owned()));
            }
            kind.hooks.insert(hook, args.clone());
        }
    }
    for (key, _) in section.entries() {
        if let Some(hook) = key.text.strip_prefix(CAN).filter(|hook| kind.hooks.contains_key(*hook)) {
            let message = format!("`{}` cannot be a hook: every kind with a hook `{hook}` has it", key.text);
            key.fault(
                "reserved-name",
                message,
                Some("remove it; scripts may return it without a declaration".to_owned()),
            );
        }
    }
    read_scripted(table, kind, &section.own_names());
}

/// Reads the names of a hook's arguments.
fn read_args(node: &Node<'_>) -> Vec<String> {
    let mut args: Vec<String> = Vec::new();
    for element in node.list(false).unwrap_or_default() {
        let Some(name) = element.text() else { continue };
        check_name(&Key { doc: element.doc, text: name, span: element.span }, "argument");
        if args.iter().any(|arg| arg == name) {
            element.fault("duplicate", format!("`{name}` is listed twice in {}", element.what), None);
        }
        args.push(name.to_owned());
    }
    args
}

/// Reads the lengths of the hooks that form a list.
fn read_lengths(table: &Table<'_>, hooks: &IndexSet<String>) -> IndexMap<String, usize> {
    let mut lengths = IndexMap::new();
    let Some(section) = table.table("lists", format!("lists of {}", table.what)) else { return lengths };
    for (key, node) in section.entries() {
        node.find(key.text, key.span, &HOOK, hooks);
        let length = node.integer(HOOK_LIST).and_then(|length| usize::try_from(length).ok());
        lengths.insert(key.text.to_owned(), length.unwrap_or(1));
    }
    lengths
}

/// Reads the hooks that the script implements for every definition.
fn read_scripted(table: &Table<'_>, kind: &mut Kind, hooks: &IndexSet<String>) {
    let Some(node) = table.get("scripted") else { return };
    for element in node.list(true).unwrap_or_default() {
        let Some(name) = element.reference(&HOOK, hooks).and_then(|hook| hooks.get_index(hook)) else { continue };
        if kind.lists.contains_key(name) {
            let message = format!("`{name}` in {} is a list of hooks, of which definitions use some", element.what);
            let help = format!("remove it, and write `{name} = [\"{SCRIPT}\"]` in the definitions");
            element.fault("conflict", message, Some(help));
        } else if kind.hooks.contains_key(name) {
            kind.scripted.push(name.clone());
        }
    }
}

/// Reads the hooks of a definition.
pub(crate) fn read_of(table: &Table<'_>, definition: &mut Definition, kind: &Kind, scope: Scope<'_>) {
    for (list, length) in &kind.lists {
        let Some(node) = table.get(list) else { continue };
        let help = || Some(format!("write a list of lists: `{list} = [[\"verb\"], \"{SCRIPT}\"]`"));
        if !node.is_list() {
            node.wrong_type_with("a list with the effects of its hooks", help());
            continue;
        }
        let elements = node.list(false).unwrap_or_default();
        if elements.len() > *length {
            let message = format!("{} has {} hooks, but its kind has {length}", node.what, elements.len());
            node.fault("wrong-length", message, Some(format!("raise `lists.{list}` of the kind, or write fewer")));
        }
        for (place, element) in (1..=*length).zip(elements) {
            read_one(&element, definition, list_hook(list, place), scope);
        }
    }
    for hook in kind.hooks.keys().filter(|hook| kind.list_of(hook).is_none()) {
        match table.get(hook) {
            Some(node) => read_one(&node, definition, hook.clone(), scope),
            None => definition.scripted.extend(kind.scripted.iter().find(|known| *known == hook).cloned()),
        }
    }
}

/// Reads the effect of a hook: a list of verbs, perhaps with targets of its own, or the word for a script.
fn read_one(node: &Node<'_>, definition: &mut Definition, hook: String, scope: Scope<'_>) {
    if node.as_text() == Some(SCRIPT) {
        definition.scripted.insert(hook);
        return;
    }
    // A list of verbs with targets of its own.
    let aimed = if node.is_table() { node.table(node.what.clone()).filter(|table| table.has("aim")) } else { None };
    if let Some(aimed) = &aimed {
        definition.hook_aims.insert(hook.clone(), aim::read(aimed, scope));
    }
    let targets = aim::names_of(definition.aims_of(&hook), scope.names);
    let scope = Scope { targets: &targets, ..scope };
    let Some(aimed) = aimed else {
        definition.verbs.insert(hook, read_calls(node, scope));
        return;
    };
    let done = aimed.need("do");
    if done.as_ref().is_some_and(|node| node.as_text() == Some(SCRIPT)) {
        definition.scripted.insert(hook);
    } else {
        definition.verbs.insert(hook, done.map(|node| read_calls(&node, scope)).unwrap_or_default());
    }
    aimed.finish_names();
}
