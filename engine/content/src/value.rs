//! Attributes and arguments: their types, and values of these types.

use indexmap::IndexMap;

use super::declare::{Attribute, AttributeType, Value};
use super::diagnostic::suggestion;
use super::document::{Node, Referent, Table};
use super::keys;
use super::limits::MAX_LENGTH;
use super::names::{COUNTER, ID, Names, ZONE, names_under};
use super::words::TYPES;

const AMOUNT: Referent = Referent { word: "name", code: "unknown-value" };

/// Reads the declaration of an attribute or argument; `None` (after a fault) if its type is not known.
pub(crate) fn read_attribute(table: Table<'_>, names: &Names) -> Option<Attribute> {
    let text = table.text("text").unwrap_or_default();
    let of = table.need("type").and_then(|node| read_type(&table, &node, names, false));
    let default = table.get("default");
    let Some(of) = of else {
        for key in ["of", "min", "max", "values", "length"] {
            table.get(key);
        }
        table.finish(keys::attribute);
        return None;
    };
    // A faulty default is still a default: definitions without the attribute get no fault of their own.
    let default = default.map(|node| read_value(&node, &of, names, true).unwrap_or_else(Value::none));
    table.finish(keys::attribute);
    Some(Attribute { text, of, default })
}

fn read_type(table: &Table<'_>, node: &Node<'_>, names: &Names, nested: bool) -> Option<AttributeType> {
    Some(match node.text()? {
        "integer" => {
            let min = table.integer("min", i32::MIN..=i32::MAX).unwrap_or(i32::MIN);
            let most = table.get("max");
            let max = most.as_ref().and_then(|node| node.integer(i32::MIN..=i32::MAX)).unwrap_or(i32::MAX);
            if let Some(node) = most.filter(|_| max < min) {
                node.fault("out-of-range", format!("{} is less than `min`", node.what), None);
                return Some(AttributeType::Integer { min: i32::MIN, max: i32::MAX });
            }
            AttributeType::Integer { min, max }
        }
        "boolean" => AttributeType::Boolean,
        "text" => AttributeType::Text(names_under(table, "values", "value")),
        "list" if !nested => {
            let of = table.need("of")?;
            let of = read_type(table, &of, names, true)?;
            let length = table.integer("length", 0..=MAX_LENGTH).and_then(|length| usize::try_from(length).ok());
            AttributeType::List(Box::new(of), length)
        }
        "amounts" => {
            let of = if nested { None } else { table.word("of", &[("counter", ())]) };
            if of.is_some() {
                return Some(AttributeType::Amounts(names.player_counters.clone()));
            }
            AttributeType::Amounts(names_under(table, "values", "name"))
        }
        "counter" => AttributeType::CounterName,
        "zone" => AttributeType::ZoneName,
        name => {
            if let Some(kind) = names.kinds.get_index_of(name) {
                return Some(AttributeType::Id(kind));
            }
            let list = (!nested).then_some("list");
            let types = TYPES.into_iter().chain(list);
            let help = suggestion(name, types.chain(names.kinds.iter().map(String::as_str)));
            node.fault("unknown-type", format!("unknown type `{name}` for {}", node.what), help);
            return None;
        }
    })
}

/// Reads a value of a type. If `blank`, an empty text in place of a name means "none": that holds for a default,
/// and for a value whose default is "none".
pub(crate) fn read_value(node: &Node<'_>, of: &AttributeType, names: &Names, blank: bool) -> Option<Value> {
    let named = matches!(of, AttributeType::Id(_) | AttributeType::CounterName | AttributeType::ZoneName)
        || matches!(of, AttributeType::Text(values) if !values.is_empty());
    if blank && named && node.as_text() == Some("") {
        return Some(Value::Text(String::new()));
    }
    let text = |name: &str| Value::Text(name.to_owned());
    Some(match of {
        AttributeType::Integer { min, max } => Value::Integer(node.integer(*min..=*max)?),
        AttributeType::Boolean => Value::Boolean(node.boolean()?),
        AttributeType::Text(values) => {
            let name = node.text()?;
            if !values.is_empty() && !values.iter().any(|value| value == name) {
                let help = suggestion(name, values.iter().map(String::as_str));
                node.fault("unknown-value", format!("`{name}` is not a value of {}", node.what), help);
                return None;
            }
            text(name)
        }
        AttributeType::List(of, length) => {
            let elements = node.list(false)?;
            if let Some(length) = length.filter(|length| *length != elements.len()) {
                let message = format!("{} must have {length} entries, not {}", node.what, elements.len());
                node.fault("wrong-length", message, None);
            }
            let values: Vec<_> = elements.iter().map(|element| read_value(element, of, names, false)).collect();
            Value::List(values.into_iter().collect::<Option<_>>()?)
        }
        AttributeType::Amounts(known) => Value::Map(read_amounts(node, known, names)?),
        AttributeType::Id(kind) => {
            let name = node.text()?;
            let kind_name = names.kinds.get_index(*kind).map_or("", String::as_str);
            if let Some(ids) = names.ids.get(*kind).filter(|ids| !ids.contains(name)) {
                let help = suggestion(name, ids.iter().map(String::as_str));
                node.fault(
                    ID.code,
                    format!("unknown {} `{name}` of kind `{kind_name}` for {}", ID.word, node.what),
                    help,
                );
                return None;
            }
            text(name)
        }
        AttributeType::CounterName => text(&names.counters[node.reference(&COUNTER, &names.counters)?]),
        AttributeType::ZoneName => text(&names.zones[node.reference(&ZONE, &names.zones)?]),
    })
}

fn read_amounts(node: &Node<'_>, known: &[String], names: &Names) -> Option<IndexMap<String, Value>> {
    if !node.is_table() {
        node.wrong_type_with("a table of amounts", Some("write `{ name = 1 }`".to_owned()));
        return None;
    }
    let mut amounts = IndexMap::new();
    let mut whole = true;
    let noun = if known == names.player_counters { &COUNTER } else { &AMOUNT };
    for (key, amount) in node.table(node.what.clone())?.entries() {
        if !known.is_empty() && !known.iter().any(|name| name == key.text) {
            let help = if noun.code == COUNTER.code && names.counters.contains(key.text) {
                Some(format!("`{}` is a counter, but not a player counter", key.text))
            } else {
                suggestion(key.text, known.iter().map(String::as_str))
            };
            key.fault(noun.code, format!("unknown {} `{}` in {}", noun.word, key.text, node.what), help);
            whole = false;
        }
        match amount.integer(i32::MIN..=i32::MAX) {
            Some(number) => drop(amounts.insert(key.text.to_owned(), Value::Integer(number))),
            None => whole = false,
        }
    }
    whole.then_some(amounts)
}
