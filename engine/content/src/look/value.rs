//! Keys that are references, and values that are one text or several.

use indexmap::IndexSet;

use crate::diagnostic::suggestion;
use crate::document::{Key, Node, Referent, Table};

/// The index of a key among the names that it may be.
pub(super) fn reference(key: &Key<'_>, of: &Referent, names: &IndexSet<String>) -> Option<usize> {
    let found = names.get_index_of(key.text);
    if found.is_none() {
        let help = suggestion(key.text, names.iter().map(String::as_str));
        key.fault(of.code, format!("unknown {} `{}`", of.word, key.text), help);
    }
    found
}

/// The texts of a key that takes one or several.
pub(super) fn texts<'d>(table: &Table<'d>, key: &str) -> Vec<(Node<'d>, &'d str)> {
    let list = table.get(key).and_then(|node| node.list(true)).unwrap_or_default();
    list.into_iter().filter_map(|node| node.text().map(|text| (node, text))).collect()
}
