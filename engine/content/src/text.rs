//! Texts with placeholders: `{player}` in prompts, `{1:player}` in the transcript, `{steps}` in verbs.

use indexmap::IndexMap;

use super::declare::MAX_ASKED;
use super::diagnostic::suggestion;
use super::document::{Node, Table};
use super::names::{COUNTER, GRID, Names, check_name};

/// Most values one line of the transcript may take.
const MAX_VALUES: u32 = 9;

/// Reads `texts.toml`.
pub(crate) fn read(root: Table<'_>, names: &Names) -> IndexMap<String, String> {
    let mut texts = IndexMap::new();
    for (key, node) in root.entries() {
        check_name(&key, "text");
        let Some(text) = node.text() else { continue };
        check_placeholders(&node, text, |inside| check_value(&node, inside, MAX_VALUES, names));
        texts.insert(key.text.to_owned(), text.to_owned());
    }
    texts
}

/// Checks the placeholders of a question: the player, and the values that are handed over with it.
pub(crate) fn check_question(node: &Node<'_>, names: &Names) {
    let Some(text) = node.as_text() else { return };
    check_placeholders(node, text, |inside| {
        if inside.starts_with(|first: char| first.is_ascii_digit()) {
            check_value(node, inside, MAX_ASKED as u32, names);
        } else if inside != "player" {
            fault(node, inside, suggestion(inside, ["player"]));
        }
    });
}

/// The largest number among the placeholders of a text: how many values it shows.
#[must_use]
pub fn values_shown(text: &str) -> usize {
    let numbers = text.split('{').skip(1).filter_map(|rest| {
        let inside = rest.split_once('}')?.0;
        inside.split(':').next()?.parse().ok()
    });
    numbers.max().unwrap_or(0)
}

/// Checks the placeholders of a text whose values have names.
pub(crate) fn check_named(node: &Node<'_>, known: &[&str]) {
    let Some(text) = node.as_text() else { return };
    check_placeholders(node, text, |inside| {
        if !known.contains(&inside) {
            let help = suggestion(inside, known.iter().copied());
            fault(node, inside, help);
        }
    });
}

fn fault(node: &Node<'_>, inside: &str, help: Option<String>) {
    node.fault("bad-placeholder", format!("unknown placeholder `{{{inside}}}` in {}", node.what), help);
}

/// Calls `check` with what stands between each pair of braces.
fn check_placeholders(node: &Node<'_>, text: &str, mut check: impl FnMut(&str)) {
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let inside = rest[at..].strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let Some((inside, after)) = inside.filter(|(inside, _)| !inside.contains('{')) else {
            node.fault("bad-placeholder", format!("{} has a brace without its partner", node.what), None);
            return;
        };
        check(inside);
        rest = after;
    }
}

/// `1`, `1:player`, `1:token`, `1:cell board`, `1:counter ore`, `1:spots` (a definition of that kind).
fn check_value(node: &Node<'_>, inside: &str, most: u32, names: &Names) {
    let (number, sort) = inside.split_once(':').map_or((inside, None), |(number, sort)| (number, Some(sort)));
    if !number.parse::<u32>().is_ok_and(|number| (1..=most).contains(&number)) {
        let help = format!("values are numbered from 1 to {most}: `{{1:player}}`");
        return fault(node, inside, Some(help));
    }
    let Some(sort) = sort else { return };
    let (word, name) = sort.split_once(' ').map_or((sort, None), |(word, name)| (word, Some(name.trim())));
    match (word, name) {
        ("player" | "token", None) => {}
        ("cell", Some(name)) => drop(node.find(name, node.span, &GRID, &names.grids)),
        ("counter", Some(name)) => drop(node.find(name, node.span, &COUNTER, &names.counters)),
        ("cell", None) => fault(node, inside, Some(format!("name the grid: `{{{number}:cell board}}`"))),
        ("counter", None) => fault(node, inside, Some(format!("name the counter: `{{{number}:counter ore}}`"))),
        ("player" | "token", Some(_)) => fault(node, inside, Some(format!("write `{{{number}:{word}}}`"))),
        (kind, None) if names.kinds.contains(kind) => {}
        _ => {
            let kinds = names.kinds.iter().map(String::as_str);
            fault(node, inside, suggestion(word, ["player", "token", "cell", "counter"].into_iter().chain(kinds)));
        }
    }
}
