//! Lists of cards: the set of a player is one of several lists (`deck_lists` of a kind).

use super::declare::{Attribute, AttributeType, Declarations, Definition, Holder, Kind, Redeal, Value, Visibility};
use super::diagnostic::list;
use super::document::Table;
use super::names::{COUNTER, Names};

/// Reads the counter whose value is the list of a player's set.
pub(crate) fn read(table: &Table<'_>, kind: &Kind, names: &Names, known: &Declarations) -> Option<usize> {
    let node = table.get("deck_lists")?;
    let counter = node.reference(&COUNTER, &names.counters)?;
    let (name, declared) = known.counters.get_index(counter)?;
    let fault = |code, message: String, help: &str| {
        node.fault(code, message, Some(help.to_owned()));
        None
    };
    if kind.per != Holder::Player || kind.zone.is_none() {
        let help = "set `per = \"player\"`, and `zone` to the zone of the cards that are not in the list";
        return fault("conflict", format!("{} needs a set of tokens for each player", node.what), help);
    }
    if declared.per != Holder::Player || declared.values.is_empty() || declared.redeal != Some(Redeal::Lists) {
        let message = format!("{} needs a counter of players with the names of the lists", node.what);
        let help =
            format!("give `{name}` the keys `per = \"player\"`, `values = [\"fire\", ...]` and `redeal = \"lists\"`");
        return fault("wrong-holder", message, &help);
    }
    let copies = kind.attributes.get(name.as_str());
    let Some(Attribute { of: AttributeType::Amounts(lists), .. }) = copies else {
        let values: Vec<String> = declared.values.iter().map(|value| format!("\"{value}\"")).collect();
        let help = format!("add `{name} = {{ type = \"amounts\", values = [{}], default = {{}} }}`", values.join(", "));
        return fault(
            "missing-key",
            format!("{} needs an attribute `{name}`: the copies in each list", table.what),
            &help,
        );
    };
    if *lists != declared.values {
        let help = format!("use the values of the counter: {}", list(&declared.values));
        return fault("conflict", format!("attribute `{name}` of {} names other lists", table.what), &help);
    }
    let hidden = |zone: usize| known.zones.get_index(zone).is_some_and(|(_, zone)| zone.visible != Visibility::Public);
    if !kind.zone.is_some_and(hidden) {
        let help = "set `visible` of that zone to \"owner\" or \"nobody\"";
        return fault(
            "conflict",
            format!("{} has no effect: all see the cards that are not in the list", node.what),
            help,
        );
    }
    Some(counter)
}

/// The number of copies of a definition in each list.
#[must_use]
pub fn copies(d: &Declarations, definition: &Definition) -> Vec<usize> {
    let Some((_, kind)) = d.kinds.get_index(definition.kind) else { return Vec::new() };
    let counter = kind.deck_lists.and_then(|counter| d.counters.get_index(counter));
    let Some((name, declared)) = counter else { return Vec::new() };
    let at = kind.attributes.get_index_of(name.as_str());
    let Some(Value::Map(amounts)) = at.and_then(|at| definition.attributes.get(at)) else {
        return vec![0; declared.values.len()];
    };
    let of = |list: &String| match amounts.get(list.as_str()) {
        Some(Value::Integer(copies)) => usize::try_from(*copies).unwrap_or(0),
        _ => 0,
    };
    declared.values.iter().map(of).collect()
}
