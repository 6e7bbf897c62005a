//! Terminal colours.

use super::diagnostic::suggestion;
use super::document::{Node, one_of};
use super::words::COLOURS;

/// Reads the name of a terminal colour; an empty name means none.
pub(crate) fn read(node: &Node<'_>) -> String {
    let Some(name) = node.text() else { return String::new() };
    if !name.is_empty() && !COLOURS.contains(&name) {
        let help = suggestion(name, COLOURS).unwrap_or_else(|| format!("use {}", one_of(&COLOURS[..8])));
        node.fault("unknown-value", format!("unknown colour `{name}` for {}", node.what), Some(help));
    }
    name.to_owned()
}
