//! Attributes and arguments: their types and values.

use indexmap::{IndexMap, IndexSet};

use super::declare::{Attribute, AttributeType, Value};
use super::diagnostic::suggestion;
use super::document::{Key, Node, Referent, Table};
use super::family::member;
use super::keys;
use super::limits::MAX_LENGTH;
use super::names::{COUNTER, ID, Names, ZONE, names_under};
use super::words::{BETTER, TYPES};

const AMOUNT: Referent = Referent { word: "name", code: "unknown-value" };

/// Reads the declaration of an attribute or argument; `None` (after a fault) if its type is unknown.
pub(crate) fn read_attribute(table: Table<'_>, names: &Names) -> Option<Attribute> {
    let text = table.text("text").unwrap_or_default();
    let of = table.need("type").and_then(|node| read_type(&table, &node, names, false));
    let default = table.get("default");
    let Some(of) = of else {
        for key in ["of", "min", "max", "values", "length", "internal", "learned", "ability", "better"] {
            table.get(key);
        }
        table.finish(keys::attribute);
        return None;
    };
    // A faulty default still counts as one: definitions without the attribute get no fault of their own.
    let default = default.map(|node| read_value(&node, &of, names, true).unwrap_or_else(Value::none));
    let internal = table.boolean("internal", false);
    let learned = table.boolean("learned", true);
    let ability = table.boolean("ability", false);
    if let Some(node) = table.get("ability").filter(|_| ability && of != AttributeType::Boolean) {
        node.fault("wrong-type", format!("{} is for boolean attributes", node.what), None);
    }
    let better = table.get("better");
    if let Some(node) =
        better.as_ref().filter(|_| !matches!(of, AttributeType::Integer { .. } | AttributeType::Amounts(_)))
    {
        node.fault("wrong-type", format!("{} is for `integer` and `amounts`", node.what), None);
    }
    let better = better.and_then(|node| node.word(&BETTER));
    table.finish(keys::attribute);
    Some(Attribute { text, of, default, internal, learned, ability, better })
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
        "amounts" => match if nested { None } else { table.get("of") } {
            Some(of) => AttributeType::Amounts(amounts_of(&of, names)?),
            None => AttributeType::Amounts(names_under(table, "values", "name")),
        },
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

/// The names that amounts may have: player counters, or the definitions of a kind.
fn amounts_of(of: &Node<'_>, names: &Names) -> Option<Vec<String>> {
    let name = of.text()?;
    if name == "counter" {
        return Some(names.player_counters.clone());
    }
    if let Some(kind) = names.kinds.get_index_of(name) {
        return Some(names.ids.get(kind).into_iter().flatten().cloned().collect());
    }
    let help = suggestion(name, ["counter"].into_iter().chain(names.kinds.iter().map(String::as_str)));
    of.fault("unknown-value", format!("`{name}` is not a value of {}", of.what), help);
    None
}

/// Reads a value of a type. With `blank`, an empty text in place of a name means "none"; this applies to defaults,
/// and to attributes whose default is "none".
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
        AttributeType::Amounts(known) => Value::Map(read_amounts(node, known, names, None)?),
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

/// Reads a value outside a table, such as in a product. Errors continue a sentence: `is not a value of it`.
pub(crate) fn written_value(written: &str, of: &AttributeType, names: &Names) -> Result<Value, String> {
    let text = || Value::Text(written.to_owned());
    let known = |names: &IndexSet<String>| {
        if names.contains(written) { Ok(text()) } else { Err("is not one of its names".to_owned()) }
    };
    match of {
        AttributeType::Integer { min, max } => match written.parse::<i32>() {
            Ok(number) if (*min..=*max).contains(&number) => Ok(Value::Integer(number)),
            Ok(_) => Err(format!("is not from {min} to {max}")),
            Err(_) => Err("is not a whole number".to_owned()),
        },
        AttributeType::Text(values) if values.is_empty() || values.iter().any(|value| value == written) => Ok(text()),
        AttributeType::Text(_) => Err("is not one of its values".to_owned()),
        AttributeType::Id(kind) => names.ids.get(*kind).map_or_else(|| Ok(text()), known),
        AttributeType::CounterName => known(&names.counters),
        AttributeType::ZoneName => known(&names.zones),
        AttributeType::Boolean | AttributeType::List(..) | AttributeType::Amounts(_) => {
            Err("cannot be set by a product: it must be a number, a text or a name".to_owned())
        }
    }
}

/// Reads a formula in place of a number.
type Compute<'r> = &'r dyn Fn(&Node<'_>) -> Option<Value>;

/// Reads a table of amounts. With `computed`, a text in place of a number is a formula.
pub(crate) fn read_amounts(
    node: &Node<'_>,
    known: &[String],
    names: &Names,
    computed: Option<Compute<'_>>,
) -> Option<IndexMap<String, Value>> {
    if !node.is_table() {
        node.wrong_type_with("a table of amounts", Some("write `{ name = 1 }`".to_owned()));
        return None;
    }
    let mut amounts = IndexMap::new();
    let mut whole = true;
    for (key, amount) in node.table(node.what.clone())?.entries() {
        let of_counters = known == names.player_counters;
        match amount.as_table().filter(|_| of_counters && names.counter_families.contains_key(key.text)) {
            // `raw.gold = 2` is a table in the table.
            Some(members) => {
                for (id, amount) in members.entries() {
                    whole &= read_amount(
                        node,
                        &id,
                        member(key.text, id.text),
                        &amount,
                        (known, names, computed),
                        &mut amounts,
                    );
                }
            }
            None => {
                whole &= read_amount(node, &key, key.text.to_owned(), &amount, (known, names, computed), &mut amounts)
            }
        }
    }
    whole.then_some(amounts)
}

/// Reads one amount; returns false after a fault.
fn read_amount(
    node: &Node<'_>,
    key: &Key<'_>,
    name: String,
    amount: &Node<'_>,
    (known, names, computed): (&[String], &Names, Option<Compute<'_>>),
    amounts: &mut IndexMap<String, Value>,
) -> bool {
    let noun = if known == names.player_counters { &COUNTER } else { &AMOUNT };
    let mut right = true;
    if !known.is_empty() && !known.contains(&name) {
        let help = if noun.code != COUNTER.code {
            suggestion(&name, known.iter().map(String::as_str))
        } else if names.counters.contains(&name) {
            Some(format!("`{name}` is a counter, but not a player counter"))
        } else if names.counter_families.contains_key(&name) {
            Some(format!("`{name}` is a family: write `{name}.<id> = 1`"))
        } else {
            suggestion(&name, known.iter().map(String::as_str))
        };
        key.fault(noun.code, format!("unknown {} `{name}` in {}", noun.word, node.what), help);
        right = false;
    }
    if let (Some(computed), true) = (computed, amount.is_text()) {
        match computed(amount) {
            Some(value) => drop(amounts.insert(name, value)),
            None => right = false,
        }
        return right;
    }
    match amount.integer(i32::MIN..=i32::MAX) {
        Some(number) => drop(amounts.insert(name, Value::Integer(number))),
        None => right = false,
    }
    right
}
