//! Verbs: what they take, and calls of them in definitions.

use indexmap::IndexMap;

use super::declare::{AttributeType, Value, Verb, VerbCall};
use super::document::{Node, Table};
use super::keys;
use super::names::{Names, VERB, check_name};
use super::text::check_named;
use super::value::{read_attribute, read_value};

/// Declarations of the built-in verbs.
pub(crate) const STANDARD: &str = include_str!("std/verbs.toml");
/// Their path in messages.
pub(crate) const STANDARD_PATH: &str = "engine/content/src/std/verbs.toml";

/// Reads a file of verbs. A verb that exists already is a built-in one.
pub(crate) fn read(root: Table<'_>, names: &Names, standard: bool, verbs: &mut IndexMap<String, Verb>) {
    for (key, table) in root.children("verb") {
        check_name(&key, "verb");
        if verbs.contains_key(key.text) {
            let message = format!("verb `{}` is built into the engine", key.text);
            key.fault("reserved-name", message, Some("choose another name".to_owned()));
            continue;
        }
        let mut verb = Verb { text: String::new(), args: IndexMap::new(), standard };
        if let Some(table) = table {
            read_one(table, &mut verb, names);
        }
        verbs.insert(key.text.to_owned(), verb);
    }
}

fn read_one(table: Table<'_>, verb: &mut Verb, names: &Names) {
    let mut all_known = true;
    for (key, arg) in table.tables("args", "argument") {
        check_name(&key, "argument");
        let arg = arg.and_then(|mut arg| {
            arg.what = format!("{} of {}", arg.what, table.what);
            read_attribute(arg, names)
        });
        match arg {
            Some(arg) => drop(verb.args.insert(key.text.to_owned(), arg)),
            None => all_known = false,
        }
    }
    if let Some(node) = table.need("text") {
        verb.text = node.text().unwrap_or_default().to_owned();
        let args: Vec<&str> = verb.args.keys().map(String::as_str).collect();
        let numbers = verb.args.iter().filter(|(_, arg)| matches!(arg.of, AttributeType::Integer { .. }));
        let numbers: Vec<&str> = numbers.map(|(name, _)| name.as_str()).collect();
        if all_known {
            check_named(&node, &args, &numbers);
        }
    }
    table.finish(keys::verbs);
}

/// Reads a hook written as a list of verbs.
pub(crate) fn read_calls(node: &Node<'_>, names: &Names, verbs: &IndexMap<String, Verb>) -> Vec<VerbCall> {
    let example = || Some("write a list of verbs: `[{ gain = { gold = 2 } }]`".to_owned());
    let Some(elements) = (if node.is_table() || node.as_text().is_some() {
        node.wrong_type_with("a list of verbs", example());
        None
    } else {
        node.list(false)
    }) else {
        return Vec::new();
    };
    let mut calls = Vec::new();
    for element in elements {
        if !element.is_table() {
            element.wrong_type_with("a list of verbs", example());
            continue;
        }
        let Some(table) = element.table(element.what.clone()) else { continue };
        let entries = table.entries();
        if entries.len() != 1 {
            let message = format!("each entry of {} must hold one verb, not {}", element.what, entries.len());
            element.fault("wrong-length", message, example());
        }
        for (key, args) in entries {
            let index = element.find(key.text, key.span, &VERB, &names.verbs);
            let Some((name, verb)) = index.and_then(|index| verbs.get_index(index)) else { continue };
            if let Some(args) = read_args(&args, name, verb, names) {
                calls.push(VerbCall { verb: name.clone(), args, place: key.place() });
            }
        }
    }
    calls
}

fn read_args(node: &Node<'_>, name: &str, verb: &Verb, names: &Names) -> Option<IndexMap<String, Value>> {
    let what = format!("verb `{name}`");
    let mut node = node.clone();
    if let Some((only, arg)) = verb.args.first().filter(|_| verb.args.len() == 1)
        && only == "amounts"
        && matches!(arg.of, AttributeType::Amounts(_))
    {
        node.what = what;
        return Some(IndexMap::from([(only.clone(), read_value(&node, &arg.of, names, false)?)]));
    }
    if !node.is_table() {
        let help = match verb.args.keys().next() {
            Some(arg) => format!("write `{{ {name} = {{ {arg} = ... }} }}`"),
            None => format!("write `{{ {name} = {{}} }}`"),
        };
        node.what = format!("the arguments of {what}");
        node.wrong_type_with("a table", Some(help));
        return None;
    }
    let table = node.table(what)?;
    let mut args = IndexMap::new();
    let mut whole = true;
    for (key, arg) in &verb.args {
        let value = match (table.get(key), &arg.default) {
            (Some(node), default) => {
                read_value(&node, &arg.of, names, default.as_ref().is_some_and(|value| *value == Value::none()))
            }
            (None, Some(default)) => Some(default.clone()),
            (None, None) => table.need(key).and(None),
        };
        match value {
            Some(value) => drop(args.insert(key.clone(), value)),
            None => whole = false,
        }
    }
    table.finish_names();
    whole.then_some(args)
}
