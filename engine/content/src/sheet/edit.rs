//! Changes values in a TOML document and keeps its layout: comments, order, and line breaks.

use indexmap::IndexMap;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::data::Data;

/// Sets a key of a definition, in place where it has a value.
pub(super) fn set(definition: &mut Item, key: &str, value: &Data) {
    match definition {
        Item::Value(Value::InlineTable(table)) => set_inline(table, key, value),
        Item::Table(table) => match table.get_mut(key) {
            Some(old) => change(old, value),
            None => drop(table.insert(key, Item::Value(value.to_value()))),
        },
        _ => {}
    }
}

/// Removes a key of a definition.
pub(super) fn unset(definition: &mut Item, key: &str) {
    match definition {
        Item::Value(Value::InlineTable(table)) => remove_inline(table, key),
        Item::Table(table) => drop(table.remove(key)),
        _ => {}
    }
}

/// Adds a definition after all others, in the form of the last one.
pub(super) fn add(document: &mut DocumentMut, id: &str, values: &IndexMap<&str, Data>) {
    let last = document.iter().last().map(|(_, item)| item.is_table());
    let is_alone = last.is_none();
    if last == Some(false) {
        let table = Data::Table(values.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect());
        document.insert(id, Item::Value(table.to_value()));
        return;
    }
    let mut table = Table::new();
    for (key, value) in values {
        table.insert(key, Item::Value(value.to_value()));
    }
    table.decor_mut().set_prefix(if is_alone { "" } else { "\n" });
    document.insert(id, Item::Table(table));
}

/// Removes a definition. Comments before it stay: they may be headings.
pub(super) fn remove(document: &mut DocumentMut, id: &str) {
    let mut kept = String::new();
    if let Some((key, item)) = document.get_key_value(id) {
        let decor = item.as_table().map_or_else(|| key.leaf_decor(), Table::decor);
        kept = decor.prefix().and_then(|prefix| prefix.as_str()).unwrap_or_default().to_owned();
    }
    let position = |item: &Item| item.as_table().and_then(Table::position);
    let at = document.iter().position(|(key, _)| key == id);
    let from = document.get(id).and_then(position);
    document.remove(id);
    if !kept.contains('#') {
        return;
    }
    let next = match from {
        Some(from) => {
            let later = document.iter().filter_map(|(key, item)| Some((position(item)?, key)));
            later.filter(|(position, _)| *position > from).min().map(|(_, key)| key.to_owned())
        }
        None => at.and_then(|at| document.iter().nth(at)).map(|(key, _)| key.to_owned()),
    };
    let join = |old: &str| format!("{}{old}", kept.trim_end_matches('\n').to_owned() + "\n");
    let text_of = |decor: &toml_edit::Decor| decor.prefix().and_then(|p| p.as_str()).unwrap_or_default().to_owned();
    match next {
        Some(next) => {
            if let Some(table) = document.get_mut(&next).and_then(Item::as_table_mut) {
                let joined = join(&text_of(table.decor()));
                table.decor_mut().set_prefix(joined);
            } else if let Some(mut key) = document.key_mut(&next) {
                let joined = join(&text_of(key.leaf_decor()));
                key.leaf_decor_mut().set_prefix(joined);
            }
        }
        None => {
            let joined = join(document.trailing().as_str().unwrap_or_default());
            document.set_trailing(joined);
        }
    }
}

/// Changes a value; equal parts stay as they are.
fn change(old: &mut Item, new: &Data) {
    match (&mut *old, new) {
        (Item::Value(value), new) => change_value(value, new),
        (Item::Table(table), Data::Table(new)) => change_table(table, new),
        (old, new) if Data::of_item(old) != *new => *old = Item::Value(new.to_value()),
        _ => {}
    }
}

fn change_table(old: &mut dyn TableLike, new: &IndexMap<String, Data>) {
    let gone: Vec<String> = old.iter().map(|(key, _)| key.to_owned()).filter(|key| !new.contains_key(key)).collect();
    for key in gone {
        old.remove(&key);
    }
    for (key, value) in new {
        match old.get_mut(key) {
            Some(old) => change(old, value),
            None => drop(old.insert(key, Item::Value(value.to_value()))),
        }
    }
}

fn change_value(old: &mut Value, new: &Data) {
    if Data::of_value(old) == *new {
        return;
    }
    match (&mut *old, new) {
        (Value::Array(list), Data::List(new)) => change_list(list, new),
        (Value::InlineTable(table), Data::Table(new)) => {
            let gone: Vec<String> =
                table.iter().map(|(key, _)| key.to_owned()).filter(|key| !new.contains_key(key)).collect();
            for (key, value) in new {
                set_inline(table, key, value);
            }
            for key in gone {
                remove_inline(table, &key);
            }
        }
        (old, new) => {
            let mut value = new.to_value();
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
    }
}

fn change_list(list: &mut Array, new: &[Data]) {
    while list.len() > new.len() {
        let end = list.get(list.len() - 1).and_then(suffix);
        list.remove(list.len() - 1);
        // The last value has the space before the bracket.
        if let (Some(end), false, Some(last)) = (end, list.trailing_comma(), list.iter_mut().last()) {
            last.decor_mut().set_suffix(end);
        }
    }
    for (at, value) in new.iter().enumerate() {
        if let Some(old) = list.get_mut(at) {
            change_value(old, value);
            continue;
        }
        let mut value = value.to_value();
        let (mut before, mut after) = (if at == 0 { String::new() } else { " ".to_owned() }, String::new());
        if let Some(last) = at.checked_sub(1).and_then(|last| list.get_mut(last)) {
            before = prefix(last).filter(|prefix| !prefix.is_empty()).unwrap_or(before);
            after = suffix(last).unwrap_or_default();
            last.decor_mut().set_suffix("");
        }
        value.decor_mut().set_prefix(before);
        value.decor_mut().set_suffix(after);
        list.push_formatted(value);
    }
}

fn set_inline(table: &mut InlineTable, key: &str, new: &Data) {
    if let Some(old) = table.get_mut(key) {
        return change_value(old, new);
    }
    // The last value has the space before the bracket.
    let mut end = " ".to_owned();
    if let Some((_, last)) = table.iter_mut().last() {
        end = suffix(last).unwrap_or(end);
        last.decor_mut().set_suffix("");
    }
    let mut value = new.to_value();
    value.decor_mut().set_prefix(" ");
    value.decor_mut().set_suffix(end);
    table.insert(key, value);
}

fn remove_inline(table: &mut InlineTable, key: &str) {
    let end = table.iter().last().filter(|(last, _)| *last == key).and_then(|(_, value)| suffix(value));
    table.remove(key);
    if let (Some(end), Some((_, last))) = (end, table.iter_mut().last()) {
        last.decor_mut().set_suffix(end);
    }
}

fn prefix(value: &Value) -> Option<String> {
    value.decor().prefix()?.as_str().map(str::to_owned)
}

fn suffix(value: &Value) -> Option<String> {
    value.decor().suffix()?.as_str().map(str::to_owned)
}
