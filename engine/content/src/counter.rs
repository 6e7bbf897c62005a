//! Counters.

use indexmap::IndexMap;

use super::declare::{Amount, Counter, Holder, OptionDecl, Visibility};
use super::diagnostic::suggestion;
use super::document::{Node, Table};
use super::limits::DEFAULT_MAX;
use super::names::{KIND, Names, check_name, label_of, names_under};
use super::only::{self, Setups};
use super::option::amount;
use super::words::{COUNTER_VISIBLE, REDEAL};
use super::{colour, keys};

/// Value 0 of a counter whose other values are the ids of a kind.
const NONE: &str = "none";

/// Reads `[counters]`.
pub(crate) fn read(game: &Table<'_>, names: &Names, setups: Setups<'_>) -> IndexMap<String, Counter> {
    let mut counters = IndexMap::new();
    for (key, table) in game.tables("counters", "counter") {
        check_name(&key, "counter");
        let text = label_of(key.text);
        let counter = match table {
            Some(table) => read_one(table, text, names, setups),
            None => Counter { text, max: DEFAULT_MAX, ..Counter::default() },
        };
        counters.insert(key.text.to_owned(), counter);
    }
    counters
}

fn read_one(table: Table<'_>, label: String, names: &Names, setups: Setups<'_>) -> Counter {
    let mut counter = Counter { text: table.text("text").unwrap_or(label), ..Counter::default() };
    if let Some(node) = table.need("per") {
        counter.per = holder(&node, names).unwrap_or_default();
    }
    let of_kind = table.get("values").filter(|node| node.as_text().is_some());
    counter.values = match &of_kind {
        Some(node) => ids_of(node, names),
        None => names_under(&table, "values", "value"),
    };
    let named = !counter.values.is_empty();
    (counter.min, counter.max) = if named {
        for key in ["min", "max"] {
            if let Some(node) = table.get(key) {
                let message = format!("{} cannot be set: the counter has `values`", node.what);
                node.fault("conflict", message, Some("remove it: the values are numbered from 0".to_owned()));
            }
        }
        (0, i32::try_from(counter.values.len() - 1).unwrap_or(i32::MAX))
    } else {
        range(&table)
    };
    if let Some(node) = table.get("start") {
        counter.start = start(&node, &counter, setups.options);
    } else if !(counter.min..=counter.max).contains(&0) {
        let message = format!("{} needs `start`: 0 is not between {} and {}", table.what, counter.min, counter.max);
        table.fault("missing-key", message, None);
    }
    let fewest = if of_kind.is_some() { 0 } else { counter.values.len() };
    counter.symbols = listed(&table, "symbols", &counter, fewest, |node| node.text().unwrap_or_default().to_owned());
    counter.colours = listed(&table, "colours", &counter, fewest, colour::read);
    let visible = table.get("visible");
    counter.visible = visible.as_ref().and_then(|node| node.word(&COUNTER_VISIBLE)).unwrap_or_default();
    if let Some(node) = visible.filter(|_| counter.visible == Visibility::Owner && counter.per == Holder::Game) {
        node.fault("conflict", format!("{} cannot be `owner`: a counter of the game has no owner", node.what), None);
    }
    counter.only = only::read(&table, setups);
    counter.redeal = table.word("redeal", &REDEAL);
    table.finish(keys::counters);
    counter
}

/// `game`, `player`, a kind or a grid.
fn holder(node: &Node<'_>, names: &Names) -> Option<Holder> {
    let name = node.text()?;
    match name {
        "game" => return Some(Holder::Game),
        "player" => return Some(Holder::Player),
        _ => {}
    }
    if let Some(kind) = names.kinds.get_index_of(name) {
        return Some(Holder::Token(kind));
    }
    if let Some(grid) = names.grids.get_index_of(name) {
        return Some(Holder::Cell(grid));
    }
    let known = ["game", "player"].into_iter().chain(names.kinds.iter().chain(&names.grids).map(String::as_str));
    let message = format!("unknown kind or grid `{name}` for {}", node.what);
    node.fault("unknown-kind", message, suggestion(name, known));
    None
}

fn range(table: &Table<'_>) -> (i32, i32) {
    let min = table.integer("min", i32::MIN..=i32::MAX).unwrap_or(0);
    let node = table.get("max");
    let max = match &node {
        Some(node) => node.integer(i32::MIN..=i32::MAX).unwrap_or(i32::MAX),
        None => DEFAULT_MAX,
    };
    if min <= max {
        return (min, max);
    }
    let message = format!("`min` {min} is greater than `max` {max} in {}", table.what);
    match node {
        Some(node) => node.fault("out-of-range", message, None),
        None => table.fault("out-of-range", message, None),
    }
    (i32::MIN, i32::MAX)
}

fn start(node: &Node<'_>, counter: &Counter, options: &IndexMap<String, OptionDecl>) -> Amount {
    if let Some(at) = node.as_text().and_then(|name| counter.values.iter().position(|value| value == name)) {
        return Amount::Number(i32::try_from(at).unwrap_or(0));
    }
    if let Some(name) = node.as_text().filter(|name| !counter.values.is_empty() && !options.contains_key(*name)) {
        let help = suggestion(name, counter.values.iter().map(String::as_str));
        node.fault("unknown-value", format!("`{name}` is not a value of {}", node.what), help);
        return Amount::default();
    }
    amount(node, counter.min..=counter.max, options).unwrap_or(Amount::Number(counter.min))
}

/// The values of a counter that is one of the definitions of a kind: none of them, or its id.
fn ids_of(node: &Node<'_>, names: &Names) -> Vec<String> {
    let Some(ids) = node.reference(&KIND, &names.kinds).and_then(|kind| names.ids.get(kind)) else { return Vec::new() };
    if ids.contains(NONE) {
        let message = format!("{} has a definition `{NONE}`, but that is the name of value 0", node.what);
        node.fault("duplicate", message, Some("rename the definition, or list the values".to_owned()));
    }
    std::iter::once(NONE).chain(ids.iter().map(String::as_str)).map(str::to_owned).collect()
}

/// A list with one entry for each value of the counter, or `fewest` at least.
fn listed(
    table: &Table<'_>,
    key: &str,
    counter: &Counter,
    fewest: usize,
    read: impl Fn(&Node<'_>) -> String,
) -> Vec<String> {
    let Some(node) = table.get(key) else { return Vec::new() };
    let Some(elements) = node.list(false) else { return Vec::new() };
    let wanted = counter.values.len();
    if wanted > 0 && !(fewest..=wanted).contains(&elements.len()) {
        let message = format!("{} has {} entries for {wanted} values", node.what, elements.len());
        node.fault("wrong-length", message, None);
    }
    elements.iter().map(read).collect()
}
