//! Counters that record public statements about an attribute (`tells`).

use super::declare::{Attribute, AttributeType, Declarations, Holder, Statements, Value};
use super::document::{Node, Table};
use super::names::{ATTRIBUTE, Names};

/// The key.
pub(crate) const TELLS: &str = "tells";

/// Maximum values of an attribute about which statements are recorded: one bit of a word each.
const MAX_STATED: usize = 31;

/// Keys of a counter that have no meaning beside `tells`.
const OTHERS: [&str; 9] = ["start", "min", "max", "unit", "values", "symbols", "colours", "visible", "redeal"];

/// Reports keys of a counter that have no meaning beside `tells`.
pub(crate) fn check_keys(table: &Table<'_>, per: Holder, internal: bool) {
    let Some(node) = table.get(TELLS) else { return };
    if !matches!(per, Holder::Token(_)) {
        let message = format!("{} needs a counter of tokens", node.what);
        node.fault("wrong-holder", message, Some("set `per` to a kind".to_owned()));
    }
    for other in OTHERS.iter().filter_map(|key| table.get(key)) {
        let message = format!("{} cannot be set: statements are public, and the engine records them", other.what);
        other.fault("conflict", message, Some(format!("remove it, or `{TELLS}`")));
    }
    if internal {
        let help = Some(format!("remove `internal`, or `{TELLS}`"));
        node.fault("conflict", format!("{} cannot be internal: statements are public", table.what), help);
    }
}

/// Reads `tells` of all counters, after the kinds.
pub(crate) fn read(game: &Table<'_>, names: &Names, into: &mut Declarations) {
    let Some(section) = game.get("counters").and_then(|node| node.as_table()) else { return };
    for (key, node) in section.entries() {
        // Reading the counters has reported what is no table.
        let table = node.as_table().and_then(|_| node.table(format!("counter `{}`", key.text)));
        let Some(tells) = table.and_then(|table| table.get(TELLS)) else { continue };
        let Some(Holder::Token(kind)) = into.counters.get(key.text).map(|counter| counter.per) else { continue };
        let Some((_, declared)) = into.kinds.get_index(kind) else { continue };
        let known = declared.attributes.keys().cloned().collect();
        let attribute = tells.reference(&ATTRIBUTE, &known).and_then(|at| declared.attributes.get_index(at));
        let statements = attribute.and_then(|(name, attribute)| {
            let values = values_of(&tells, attribute, names)?;
            Some(Statements { attribute: name.clone(), values, bits: Vec::new() })
        });
        if let Some(counter) = into.counters.get_mut(key.text) {
            let count = statements.as_ref().map_or(0, |statements| statements.values.len());
            (counter.min, counter.max) = (0, (u32::MAX >> 1 >> (MAX_STATED - count)).cast_signed());
            counter.tells = statements;
        }
    }
}

/// The values of an attribute, in order.
fn values_of(node: &Node<'_>, attribute: &Attribute, names: &Names) -> Option<Vec<String>> {
    let values: Vec<String> = match &attribute.of {
        AttributeType::Boolean => ["false", "true"].map(str::to_owned).into(),
        AttributeType::Integer { min, max } => {
            let most = i64::from(*max) - i64::from(*min);
            (0..=most.min(MAX_STATED as i64)).map(|n| (i64::from(*min) + n).to_string()).collect()
        }
        AttributeType::Text(values) if !values.is_empty() => values.clone(),
        AttributeType::Id(kind) => names.ids.get(*kind)?.iter().cloned().collect(),
        _ => {
            let message = format!("{} must be an attribute with a fixed set of values", node.what);
            let help =
                "use a `boolean`, an `integer` with `min` and `max`, a `text` with `values`, or the ids of a kind";
            node.fault("wrong-type", message, Some(help.to_owned()));
            return None;
        }
    };
    if values.len() > MAX_STATED {
        let message = format!("{} has more than {MAX_STATED} values", node.what);
        node.fault("out-of-range", message, Some("give the attribute fewer values: set `min` and `max`".to_owned()));
        return None;
    }
    Some(values)
}

/// Finds the bit of each definition, after all definitions have been read.
pub(crate) fn definitions(d: &mut Declarations) {
    let bit = |statements: &Statements, at: usize| {
        let definition = &d.definitions[at];
        let attribute = d.kinds[definition.kind].attributes.get_index_of(&statements.attribute)?;
        let written = match definition.attributes.get(attribute)? {
            Value::Boolean(value) => value.to_string(),
            Value::Integer(value) => value.to_string(),
            Value::Text(value) => value.clone(),
            _ => return None,
        };
        statements.values.iter().position(|value| *value == written).map(|at| 1 << at)
    };
    let bits_of = |statements: &Statements| {
        (0..d.definitions.len()).map(|at| bit(statements, at).unwrap_or(0)).collect::<Vec<i32>>()
    };
    let all: Vec<Option<Vec<i32>>> = d.counters.values().map(|counter| counter.tells.as_ref().map(bits_of)).collect();
    for (counter, bits) in d.counters.values_mut().zip(all) {
        if let (Some(statements), Some(bits)) = (&mut counter.tells, bits) {
            statements.bits = bits;
        }
    }
}
