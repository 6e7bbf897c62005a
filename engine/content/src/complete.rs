//! Completes declarations that depend on all files: names made from attributes, labels of family members, and the
//! number of players, cells or tokens that a counter may refer to.

use super::declare::{AskChoices, AttributeType, Declarations, Domain, Kind, Value};
use super::family;
use super::names::{Names, label_of};
use super::placeholder::{Form, Piece, pieces};
use super::tells;

/// Completes names and labels after all definitions have been read.
pub(crate) fn definitions(d: &mut Declarations, names: &Names) {
    name_definitions(d, names);
    family::label(d);
    tells::definitions(d);
    let most = |means: Domain| {
        let count = match means {
            Domain::Cell(grid) => family::holders(d, super::declare::Holder::Cell(grid)),
            Domain::Token => {
                (0..d.kinds.len()).filter(|&kind| d.kinds[kind].like.is_none()).map(|kind| d.tokens_of(kind)).sum()
            }
            _ => return None,
        };
        Some(i32::try_from(count).unwrap_or(i32::MAX))
    };
    let all: Vec<Option<i32>> = d.counters.values().map(|counter| most(counter.means)).collect();
    for (counter, most) in d.counters.values_mut().zip(all) {
        counter.max = most.unwrap_or(counter.max);
    }
}

/// Takes over the attributes that filters, formulas and modifiers name.
pub(crate) fn events(d: &mut Declarations, names: &Names) {
    // Who can lose all abilities has current values of each.
    for kind in d.kinds.values() {
        let Some(abilities) = &kind.abilities else { continue };
        let mut all = names.read_attributes.borrow_mut();
        let switch = all.entry(abilities.clone());
        let index = switch.index();
        switch.or_default();
        let mut modified = names.modified.borrow_mut();
        if modified.contains(&index) {
            for name in kind.attributes.iter().filter(|(_, attribute)| attribute.ability).map(|(name, _)| name) {
                let ability = all.entry(name.clone());
                modified.insert(ability.index());
                ability.or_default();
            }
        }
    }
    d.read_attributes = names.read_attributes.borrow().clone();
    d.filters.clone_from(&names.filters);
    d.read_options = names.read_options.borrow().iter().copied().collect();
    d.formulas = names.formulas.borrow().clone();
    d.aims = names.aims.borrow().clone();
    d.current = names.modified.borrow().iter().copied().collect();
}

/// Completes counters after all phases have been read: a counter that begins a phase or stores a player refers to a
/// player, even if not declared.
pub(crate) fn players(d: &mut Declarations) {
    let asks = d.phases.values().flat_map(|phase| &phase.asks);
    let stored = asks.filter_map(|ask| match ask.choices {
        AskChoices::Players { store, .. } => Some(store),
        _ => None,
    });
    let found: Vec<usize> = d.phases.values().filter_map(|phase| phase.first).chain(stored).collect();
    for index in found {
        if let Some((_, counter)) = d.counters.get_index_mut(index)
            && counter.values.is_empty()
        {
            counter.means = Domain::Player;
        }
    }
}

fn name_definitions(d: &mut Declarations, names: &Names) {
    for index in 0..d.definitions.len() {
        let definition = &d.definitions[index];
        let Some((_, kind)) = d.kinds.get_index(definition.kind).filter(|_| definition.name.is_empty()) else {
            continue;
        };
        let name = if !kind.name.is_empty() {
            named(d, names, kind, index)
        } else if kind.product.is_empty() {
            // A missing or empty name has already been reported.
            continue;
        } else {
            let made = names.products.get(definition.kind);
            let combination = made.and_then(|made| {
                made.combinations().find(|one| made.id(one) == definition.id).map(|one| made.words(&one))
            });
            combination.map_or_else(|| label_of(&definition.id), |words| label_of(&words))
        };
        d.definitions[index].name = name;
    }
}

/// The name that a kind's pattern gives one of its definitions.
fn named(d: &Declarations, names: &Names, kind: &Kind, index: usize) -> String {
    let definition = &d.definitions[index];
    let shown = |attribute: &str| {
        let (at, _, of) = kind.attributes.get_full(attribute)?;
        let value = definition.attributes.get(at)?;
        let written = match value {
            Value::Integer(number) => number.to_string(),
            Value::Text(text) => text.clone(),
            Value::Boolean(yes) => yes.to_string(),
            Value::List(_) | Value::Map(_) | Value::Formula(_) => return None,
        };
        if let Some(word) = names.products.get(definition.kind).and_then(|made| made.word(attribute, &written)) {
            return Some(word.to_owned());
        }
        if let AttributeType::Id(of) = of.of
            && let Some(other) = d.definitions_of(of).iter().find(|other| other.id == written && !other.name.is_empty())
        {
            return Some(other.name.clone());
        }
        Some(written.replace('_', " "))
    };
    let number = |attribute: &str| {
        let at = kind.attributes.get_index_of(attribute)?;
        if let Value::Integer(number) = definition.attributes.get(at)? { Some(*number) } else { None }
    };
    let piece = |piece: Piece<'_>| match piece {
        Piece::Text(text) => text.to_owned(),
        Piece::Placeholder(placeholder) => {
            let value = || shown(placeholder.value).unwrap_or_default();
            match placeholder.form {
                Form::Plain | Form::Name(_) => value(),
                Form::Count(plural) => format!("{} {}", value(), plural.of(number(placeholder.value).unwrap_or(0))),
                Form::Noun(plural) => plural.of(number(placeholder.value).unwrap_or(0)).to_owned(),
            }
        }
    };
    pieces(&kind.name).map(piece).collect()
}
