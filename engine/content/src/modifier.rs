//! Modifiers: changes of the current values of attributes, in definitions and in the section `modifiers` of
//! `reactions.toml`.

use super::declare::{AttributeType, Bearer, Declarations, Filter, Formula, Modifier, ModifierLayer, Reference, Thing};
use super::diagnostic::suggestion;
use super::document::{Key, Node, Table};
use super::event::one_or_more;
use super::filter;
use super::formula::{self, Scope};
use super::keys;
use super::listener::{read_bearer, zones_of};
use super::names::{ATTRIBUTE, Names, check_name};
use super::words::MODIFIER_LAYERS;

/// Reads `modifies` of a definition (index into `definitions`).
pub(crate) fn of_definition(
    table: &Table<'_>,
    id: &str,
    index: usize,
    names: &Names,
    d: &Declarations,
) -> Vec<Modifier> {
    let Some(node) = table.get("modifies") else { return Vec::new() };
    let mut modifiers = Vec::new();
    for one in one_or_more(&node) {
        let name = format!("{id}.modifies");
        let Some(table) = one.table(format!("modifier `{name}`")) else { continue };
        modifiers.push(read_one(&table, one.doc.place(one.span), name, Bearer::Definition(index), names, d));
        table.finish(keys::modifier);
    }
    modifiers
}

/// Reads `[modifiers]`.
pub(crate) fn read(root: &Table<'_>, names: &Names, d: &Declarations) -> Vec<Modifier> {
    let mut modifiers = Vec::new();
    for (key, table) in root.tables("modifiers", "modifier") {
        check_name(&key, "modifier");
        let Some(table) = table else { continue };
        let bearer = read_bearer(&table, names);
        modifiers.push(read_one(&table, key.place(), key.text.to_owned(), bearer, names, d));
        table.finish(keys::named_modifier);
    }
    modifiers
}

fn read_one(
    table: &Table<'_>,
    place: super::declare::Location,
    name: String,
    bearer: Bearer,
    names: &Names,
    d: &Declarations,
) -> Modifier {
    let borne = bearer.has_tokens();
    let scope = Scope { d, names, event: None, borne, targets: &[] };
    let zones = zones_of(table, bearer, names, d);
    let of = match table.get("of") {
        Some(node) => filter::tokens(&node, scope).unwrap_or_default(),
        None if borne => Filter { is: Some(Reference::Thing(Thing::This)), ..Filter::default() },
        None => {
            let help = "add `of = { kind = \"<kind>\" }`: the tokens that it changes".to_owned();
            table.fault("missing-key", format!("{} needs `of`", table.what), Some(help));
            Filter::default()
        }
    };
    let conditions = formula::conditions(table, scope);
    let mut changes = Vec::new();
    for (word, layer) in MODIFIER_LAYERS {
        let Some(node) = table.get(word) else { continue };
        let Some(section) = node.table(node.what.clone()) else { continue };
        for (key, node) in section.entries() {
            let change = change(key, &node, (layer, &section.what), scope);
            changes.extend(change.map(|(attribute, formula)| (layer, attribute, formula)));
        }
    }
    if changes.is_empty() && !MODIFIER_LAYERS.iter().any(|(word, _)| table.has(word)) {
        let help = "add `set`, `add`, `multiply` or `cap`: `add = { attack = 1 }`".to_owned();
        table.fault("missing-key", format!("{} changes nothing", table.what), Some(help));
    }
    let text = table.text("text").unwrap_or_default();
    Modifier { name, text, bearer, zones, of, conditions, changes, place }
}

/// Reads one change: the attribute (index into `read_attributes`), and its number.
fn change(
    key: Key<'_>,
    node: &Node<'_>,
    (layer, section): (ModifierLayer, &str),
    scope: Scope<'_>,
) -> Option<(usize, Formula)> {
    let kinds = || scope.d.kinds.values().filter_map(|kind| kind.attributes.get(key.text));
    let Some(attribute) = kinds().next() else {
        let known = scope.d.kinds.values().flat_map(|kind| kind.attributes.keys().map(String::as_str));
        let help = suggestion(key.text, known);
        key.fault(ATTRIBUTE.code, format!("unknown attribute `{}` in {section}", key.text), help);
        return None;
    };
    let formula = match attribute.of {
        AttributeType::Integer { .. } => formula::read(node, scope)?,
        AttributeType::Boolean if layer == ModifierLayer::Set && node.is_boolean() => {
            Formula { constant: i32::from(node.boolean()?), terms: Vec::new() }
        }
        AttributeType::Boolean if layer == ModifierLayer::Set && !node.is_integer() => formula::read(node, scope)?,
        _ => {
            let (what, help) = if attribute.of == AttributeType::Boolean {
                ("can only be set", format!("write `set = {{ {} = true }}`", key.text))
            } else {
                ("is no number", "remove it: a modifier changes numbers and booleans".to_owned())
            };
            key.fault("wrong-type", format!("attribute `{}` {what}", key.text), Some(help));
            return None;
        }
    };
    let index = formula::attribute(key.text, scope.names);
    scope.names.modified.borrow_mut().insert(index);
    Some((index, formula))
}
