//! Options (variant switches), and amounts that may name one.

use std::ops::RangeInclusive;

use indexmap::IndexMap;

use super::declare::{Amount, ELSE, OptionDecl, OptionValue, PlayerRange};
use super::diagnostic::suggestion;
use super::document::{Node, Table};
use super::keys;
use super::limits::MAX_PLAYERS;
use super::names::{OPTION, check_name, check_value_name};

/// Reads `[options]`.
pub(crate) fn read(game: &Table<'_>, players: Option<PlayerRange>) -> IndexMap<String, OptionDecl> {
    let mut options = IndexMap::new();
    for (key, table) in game.tables("options", "option") {
        check_name(&key, "option");
        let option = table.and_then(|table| read_one(table, players));
        options.insert(key.text.to_owned(), option.unwrap_or_else(stand_in));
    }
    options
}

/// Replaces a faulty option, so that its name is known and causes no further faults.
fn stand_in() -> OptionDecl {
    OptionDecl {
        text: String::new(),
        default: OptionValue::Integer(0),
        range: None,
        values: IndexMap::new(),
        players: Vec::new(),
    }
}

fn read_one(table: Table<'_>, players: Option<PlayerRange>) -> Option<OptionDecl> {
    let mut option = OptionDecl { text: table.text("text").unwrap_or_default(), ..stand_in() };
    option.players = read_players(&table, players);
    let Some(default) = table.need("default") else {
        for key in ["min", "max", "values"] {
            table.get(key);
        }
        table.finish(keys::options);
        return None;
    };
    let value = if default.is_boolean() {
        default.boolean().map(OptionValue::Bool)
    } else if default.is_integer() {
        option.range = read_range(&table);
        let (min, max) = option.range.unwrap_or((i32::MIN, i32::MAX));
        default.integer(min..=max.max(min)).map(OptionValue::Integer)
    } else if default.is_text() {
        option.values = read_values(&table);
        let name = default.text().unwrap_or_default();
        if !option.values.is_empty() && !option.values.contains_key(name) {
            let help = suggestion(name, option.values.keys().map(String::as_str));
            let message = format!("{} is `{name}`, which is not one of its values", default.what);
            default.fault("unknown-value", message, help);
        }
        Some(OptionValue::Name(name.to_owned()))
    } else {
        default.wrong_type("a whole number, true or false, or a name");
        None
    };
    table.finish(keys::options);
    option.default = value?;
    Some(option)
}

fn read_range(table: &Table<'_>) -> Option<(i32, i32)> {
    let min = table.integer("min", i32::MIN..=i32::MAX);
    let max = table.get("max");
    let most = max.as_ref().and_then(|node| node.integer(i32::MIN..=i32::MAX));
    if min.is_none() && most.is_none() {
        return None;
    }
    let (min, most) = (min.unwrap_or(i32::MIN), most.unwrap_or(i32::MAX));
    if let Some(max) = max.filter(|_| most < min) {
        max.fault("out-of-range", format!("{} is less than `min`", max.what), None);
        return None;
    }
    Some((min, most))
}

fn read_values(table: &Table<'_>) -> IndexMap<String, String> {
    let Some(section) = table.need("values").and_then(|node| node.table(format!("values of {}", table.what))) else {
        return IndexMap::new();
    };
    let mut values = IndexMap::new();
    for (key, node) in section.entries() {
        check_value_name(&key, "value");
        values.insert(key.text.to_owned(), node.text().unwrap_or_default().to_owned());
    }
    if values.is_empty() {
        section.fault("empty", format!("{} must not be empty", section.what), None);
    }
    values
}

/// Reads numbers of players under the key `players`.
pub(crate) fn read_players(table: &Table<'_>, players: Option<PlayerRange>) -> Vec<u8> {
    let Some(node) = table.get("players") else { return Vec::new() };
    let range = players.map_or(1..=MAX_PLAYERS, |range| i32::from(range.min)..=i32::from(range.max));
    let mut numbers = Vec::new();
    let elements = node.list(false).unwrap_or_default();
    for element in &elements {
        let Some(number) = element.integer(range.clone()).and_then(|number| u8::try_from(number).ok()) else {
            continue;
        };
        if numbers.contains(&number) {
            element.fault("duplicate", format!("{number} is listed twice in {}", element.what), None);
        } else {
            numbers.push(number);
        }
    }
    if elements.is_empty() && node.as_text().is_none() && !node.is_table() && !node.is_integer() && !node.is_boolean() {
        node.fault("empty", format!("{} is empty", node.what), None);
    }
    numbers
}

/// Reads a number, the name of an integer option whose range lies within `range`, or a table of them by switches.
pub(crate) fn amount(
    node: &Node<'_>,
    range: RangeInclusive<i32>,
    options: &IndexMap<String, OptionDecl>,
) -> Option<Amount> {
    if node.is_table() {
        return switches(node, range, options);
    }
    let Some(name) = node.as_text() else {
        if !node.is_integer() {
            node.wrong_type("a whole number or the name of an option");
            return None;
        }
        return node.integer(range).map(Amount::Number);
    };
    let Some(option) = options.get(name) else {
        let integers = options.iter().filter(|(_, option)| matches!(option.default, OptionValue::Integer(_)));
        let help = suggestion(name, integers.map(|(name, _)| name.as_str()));
        node.fault(OPTION.code, format!("unknown option `{name}` for {}", node.what), help);
        return None;
    };
    let OptionValue::Integer(default) = option.default else {
        let message = format!("option `{name}` is not a whole number and cannot be used for {}", node.what);
        node.fault("wrong-type", message, None);
        return None;
    };
    let (least, most) = option.range.unwrap_or((default, default));
    if least < *range.start() || most > *range.end() {
        let message = format!(
            "option `{name}` ranges from {least} to {most}, but {} must be from {} to {}",
            node.what,
            range.start(),
            range.end()
        );
        node.fault("out-of-range", message, None);
    }
    Some(Amount::Option(name.to_owned()))
}

/// Reads amounts by switch, such as `{ short = 3, else = 5 }`.
fn switches(node: &Node<'_>, range: RangeInclusive<i32>, options: &IndexMap<String, OptionDecl>) -> Option<Amount> {
    let table = node.table(&node.what)?;
    let mut amounts = IndexMap::new();
    for (key, value) in table.entries() {
        let is_switch = |option: &OptionDecl| matches!(option.default, OptionValue::Bool(_));
        match options.get(key.text) {
            _ if key.text == ELSE => {}
            Some(option) if is_switch(option) => {}
            Some(_) => {
                let message = format!("option `{}` is not a switch, but {} depends on switches", key.text, node.what);
                key.fault("wrong-type", message, Some("use an option whose default is `true` or `false`".to_owned()));
            }
            None => {
                let switches = options.iter().filter(|(_, option)| is_switch(option)).map(|(name, _)| name.as_str());
                let message = format!("unknown option `{}` in {}", key.text, node.what);
                key.fault(OPTION.code, message, suggestion(key.text, switches.chain([ELSE])));
            }
        }
        if value.is_table() {
            value.wrong_type("a whole number or the name of an option");
        } else if let Some(amount) = amount(&value, range.clone(), options) {
            amounts.insert(key.text.to_owned(), amount);
        }
    }
    let Some(last) = amounts.shift_remove(ELSE) else {
        if !table.has(ELSE) {
            let help = format!("add `{ELSE} = ...`: the value while all these switches are off");
            node.fault("missing-key", format!("{} has no `{ELSE}`", node.what), Some(help));
        }
        return None;
    };
    amounts.insert(ELSE.to_owned(), last);
    Some(Amount::Switches(amounts))
}
