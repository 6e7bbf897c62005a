//! Verbs: their declarations, and calls of them in definitions.

use indexmap::IndexMap;

use super::declare::{Attribute, AttributeType, Declarations, Picks, Value, Verb, VerbCall};
use super::diagnostic::nearest;
use super::document::{Node, Table};
use super::formula::{self, Scope};
use super::keys;
use super::like::LIKE;
use super::names::{Names, VERB, check_name};
use super::text::{ValueForm, check_sentence};
use super::value::{read_amounts, read_attribute, read_value};
use super::words::SCRIPT;

/// Declarations of the built-in verbs.
pub(crate) const STANDARD: &str = include_str!("std/verbs.toml");
/// Displayed path of the built-in verbs.
pub(crate) const STANDARD_PATH: &str = "engine/content/src/std/verbs.toml";

/// Reads a file of verbs. A verb that already exists is a built-in one.
pub(crate) fn read(root: Table<'_>, names: &Names, standard: bool, verbs: &mut IndexMap<String, Verb>) {
    for (key, table) in root.children("verb") {
        check_name(&key, "verb");
        if verbs.contains_key(key.text) {
            let message = format!("verb `{}` is built into the engine", key.text);
            key.fault("reserved-name", message, Some("choose another name".to_owned()));
            continue;
        }
        let (args, stands_for) = (IndexMap::new(), IndexMap::new());
        let (text, picks) = (String::new(), Picks::default());
        let mut verb = Verb { text, args, cost: false, picks, stands_for, none: None, standard, place: key.place() };
        if let Some(table) = table {
            read_one(table, &mut verb, names);
        }
        verbs.insert(key.text.to_owned(), verb);
    }
}

fn read_one(table: Table<'_>, verb: &mut Verb, names: &Names) {
    table.text(LIKE);
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
        let args: Vec<(&str, ValueForm)> =
            verb.args.iter().map(|(name, arg)| (name.as_str(), ValueForm::of(&arg.of))).collect();
        if all_known {
            check_sentence(&node, &args);
        }
    }
    verb.cost = table.boolean("cost", false);
    // Choices need prompts, filters and texts, which are read later: see `pick.rs`.
    for key in ["choose", "times", "least", "done", "none"] {
        let _ = table.get(key);
    }
    table.finish(keys::verbs);
}

/// Reads a hook written as a list of verbs.
pub(crate) fn read_calls(node: &Node<'_>, scope: Scope<'_>) -> Vec<VerbCall> {
    let help = match node.as_text() {
        Some(word) if nearest(word, [SCRIPT]).is_some() => Some(format!("write `\"{SCRIPT}\"` for a function")),
        Some(word) => Some(format!("write a list of verbs, `[\"{word}\"]`, or `\"{SCRIPT}\"` for a function")),
        None => node.is_table().then(|| format!("write a list of verbs: `[{}]`", node.written())),
    };
    if help.is_some() {
        node.wrong_type_with("a list of verbs", help);
        return Vec::new();
    }
    let elements = node.list(false).unwrap_or_default();
    elements.iter().flat_map(|element| read_call(element, scope)).collect()
}

/// Reads one verb: its name, or a table with it and its arguments.
pub(crate) fn read_call(element: &Node<'_>, scope: Scope<'_>) -> Vec<VerbCall> {
    let (names, known) = (scope.names, scope.d);
    let example = || Some("write a list of verbs: `[{ gain = { gold = 2 } }]`".to_owned());
    let verb_of = |name: &str, span| known.verbs.get_index(element.find(name, span, &VERB, &names.verbs)?);
    if let Some(name) = element.as_text() {
        let Some((name, verb)) = verb_of(name, element.span) else { return Vec::new() };
        let args = read_no_args(element, name, verb);
        let call = |args| VerbCall { verb: name.clone(), args, place: element.doc.place(element.span) };
        return args.map(call).into_iter().collect();
    }
    if !element.is_table() {
        element.wrong_type_with("a list of verbs", example());
        return Vec::new();
    }
    let Some(table) = element.table(element.what.clone()) else { return Vec::new() };
    let entries = table.entries();
    if entries.len() != 1 {
        let message = format!("each entry of {} must hold one verb, not {}", element.what, entries.len());
        element.fault("wrong-length", message, example());
    }
    let mut calls = Vec::new();
    for (key, args) in entries {
        let Some((name, verb)) = verb_of(key.text, key.span) else { continue };
        let Some(read) = read_args(&args, name, verb, scope) else { continue };
        if verb.standard {
            check_zones(&args, &read, known);
            check_amounts(&args, name, &read);
        }
        calls.push(VerbCall { verb: name.clone(), args: read, place: key.place() });
    }
    calls
}

/// Reads `"raise"`: a verb without required arguments.
fn read_no_args(node: &Node<'_>, name: &str, verb: &Verb) -> Option<IndexMap<String, Value>> {
    if let Some((arg, _)) = verb.args.iter().find(|(_, arg)| arg.default.is_none()) {
        let message = format!("verb `{name}` needs `{arg}`");
        node.fault("missing-key", message, Some(format!("write `{}`", usage(name, verb))));
        return None;
    }
    Some(verb.args.iter().filter_map(|(name, arg)| Some((name.clone(), arg.default.clone()?))).collect())
}

/// The notation of a verb: `{ coins = ... }`, `{ recruit = { n = ..., faction = ... } }`.
fn usage(name: &str, verb: &Verb) -> String {
    let required: Vec<String> = verb
        .args
        .iter()
        .filter(|(_, arg)| arg.default.is_none())
        .map(|(name, arg)| match arg.of {
            AttributeType::Amounts(_) => format!("{name} = {{ ... }}"),
            _ => format!("{name} = ..."),
        })
        .collect();
    match (verb.only_arg(), &required[..]) {
        (Some((_, Attribute { of: AttributeType::Amounts(_), .. })), _) => format!("{{ {name} = {{ ... }} }}"),
        (Some(_), _) => format!("{{ {name} = ... }}"),
        (None, []) => format!("\"{name}\""),
        (None, required) => format!("{{ {name} = {{ {} }} }}", required.join(", ")),
    }
}

/// The notation of a verb with a value in place of its arguments: `{ strike = { n = 2 } }`.
fn usage_with(node: &Node<'_>, name: &str, verb: &Verb) -> String {
    let fits = |arg: &Attribute| match arg.of {
        AttributeType::Integer { .. } => node.is_integer(),
        AttributeType::Boolean => node.is_boolean(),
        AttributeType::List(..) | AttributeType::Amounts(_) => false,
        _ => node.is_text(),
    };
    let fitting: Vec<&String> = verb.args.iter().filter(|(_, arg)| fits(arg)).map(|(arg, _)| arg).collect();
    let is_needed = |(other, arg): (&String, &Attribute)| arg.default.is_none() && !fitting.contains(&other);
    match fitting[..] {
        [arg] if !verb.args.iter().any(is_needed) => format!("{{ {name} = {{ {arg} = {} }} }}", node.written()),
        _ => usage(name, verb),
    }
}

fn read_args(node: &Node<'_>, name: &str, verb: &Verb, scope: Scope<'_>) -> Option<IndexMap<String, Value>> {
    let what = format!("verb `{name}`");
    let mut node = node.clone();
    if let Some((only, arg)) = verb.only_arg()
        && is_only_arg(&node, verb, arg)
    {
        node.what = if only == "amounts" { what } else { format!("`{only}` in {what}") };
        let value = read_arg(&node, arg, scope)?;
        let with_default = |(name, arg): (&String, &Attribute)| {
            let value = if name == only { Some(value.clone()) } else { arg.default.clone() };
            Some((name.clone(), value?))
        };
        return Some(verb.args.iter().filter_map(with_default).collect());
    }
    if !node.is_table() {
        node.what = format!("the arguments of {what}");
        node.wrong_type_with("a table", Some(format!("write `{}`", usage_with(&node, name, verb))));
        return None;
    }
    let table = node.table(what)?;
    let mut args = IndexMap::new();
    let mut whole = true;
    for (key, arg) in &verb.args {
        let value = match (table.get(key), &arg.default) {
            (Some(node), _) => read_arg(&node, arg, scope),
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

fn read_arg(node: &Node<'_>, arg: &Attribute, scope: Scope<'_>) -> Option<Value> {
    if let (AttributeType::Integer { .. }, true) = (&arg.of, node.is_text()) {
        return formula::written(node, scope).map(Value::Formula);
    }
    if let AttributeType::Amounts(known) = &arg.of {
        let computed = |node: &Node<'_>| formula::written(node, scope).map(Value::Formula);
        return read_amounts(node, known, scope.names, Some(&computed)).map(Value::Map);
    }
    read_value(node, &arg.of, scope.names, arg.default.as_ref().is_some_and(|value| *value == Value::none()))
}

/// Whether the value after a verb is that of its only argument. A table is, if it is a table of amounts and none of
/// its keys is an argument.
fn is_only_arg(node: &Node<'_>, verb: &Verb, arg: &Attribute) -> bool {
    if !node.is_table() {
        return true;
    }
    let named = node.table("").is_some_and(|table| table.own_names().iter().any(|key| verb.args.contains_key(key)));
    matches!(arg.of, AttributeType::Amounts(_)) && !named
}

/// Checks that amounts are positive: the opposite verb covers negative ones.
fn check_amounts(node: &Node<'_>, verb: &str, args: &IndexMap<String, Value>) {
    for amounts in args.values() {
        let Value::Map(amounts) = amounts else { continue };
        if amounts.is_empty() {
            node.fault(
                "empty",
                format!("verb `{verb}` has no amounts"),
                Some(format!("write `{{ {verb} = {{ name = 1 }} }}`")),
            );
        }
        for (name, amount) in amounts {
            if let Value::Integer(amount @ ..1) = amount {
                let message = format!("`{name}` of verb `{verb}` must be at least 1, not {amount}");
                let opposite = if verb == "gain" { "pay" } else { "gain" };
                let help = (*amount < 0)
                    .then(|| format!("write `{{ {opposite} = {{ {name} = {} }} }}`", amount.unsigned_abs()));
                let number = node.as_table().and_then(|table| table.get(name));
                number.as_ref().unwrap_or(node).fault("out-of-range", message, help);
            }
        }
    }
}

/// Checks that a zone holds all kinds of the zone that it draws from.
fn check_zones(node: &Node<'_>, args: &IndexMap<String, Value>, known: &Declarations) {
    let zone = |arg: &str| match args.get(arg) {
        Some(Value::Text(name)) => known.zones.get_key_value(name),
        _ => None,
    };
    let (Some((from, source)), Some((to, target))) = (zone("from"), zone("to")) else { return };
    let Some(kind) = source.holds.iter().find(|kind| !target.holds.contains(kind)) else { return };
    if target.holds.is_empty() {
        return;
    }
    let kind = known.kinds.get_index(*kind).map_or("", |(name, _)| name.as_str());
    let message = format!("zone `{to}` does not hold `{kind}`, which zone `{from}` holds");
    node.fault(
        "wrong-holder",
        message,
        Some(format!("choose another zone, or add `{kind}` to `holds` of zone `{to}`")),
    );
}
