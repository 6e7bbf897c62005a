//! `look.toml`: icons, the faces of kinds, and the grounds of boards.

use std::collections::{BTreeSet, HashMap, HashSet};

use svgtypes::PathParser;

use super::colour;
use super::declare::{AttributeType, Declarations, GridLook, Icon, KindLook, Look};
use super::diagnostic::suggestion;
use super::document::{Key, Node, Table};
use super::keys;
use super::limits::{MAX_ICON_PATH, MAX_ICONS};
use super::names::{GRID, KIND, Names, check_name};
use super::words::{GROUNDS, PICTURES};

/// Reads `look.toml`.
pub(crate) fn read(root: Table<'_>, names: &Names, d: &Declarations) -> Look {
    let known = known_names(d);
    let mut look = Look::default();
    let icons = root.tables("icons", "icon");
    for (key, table) in root.tables("kinds", "kind") {
        if let Some(kind) = root_kind(&key, names)
            && let Some(table) = table
        {
            look.kinds.insert(key.text.to_owned(), read_kind(table, kind, &icons, d));
        }
    }
    for (key, table) in root.tables("grids", "grid") {
        if !names.grids.contains(key.text) {
            let help = suggestion(key.text, names.grids.iter().map(String::as_str));
            key.fault(GRID.code, format!("unknown grid `{}`", key.text), help);
        }
        let Some(table) = table else { continue };
        let ground = table.word("ground", &GROUNDS).unwrap_or_default();
        look.grids.insert(key.text.to_owned(), GridLook { ground, bands: table.boolean("bands", false) });
        table.finish(keys::grid_look);
    }
    let drawn: HashSet<String> = look.kinds.values().flat_map(|kind| kind.draws.values().flatten().cloned()).collect();
    if let Some((key, _)) = icons.get(MAX_ICONS) {
        key.fault("too-large", format!("a game has at most {MAX_ICONS} icons"), None);
    }
    for (key, table) in &icons {
        check_name(key, "icon");
        let Some(table) = table else { continue };
        let icon = read_icon(key, table, &known, &drawn);
        look.icons.insert(key.text.to_owned(), icon);
    }
    check_claims(&icons, &look);
    for (_, table) in icons {
        table.into_iter().for_each(|table| table.finish(keys::icon));
    }
    root.finish(keys::look);
    look
}

fn root_kind(key: &Key<'_>, names: &Names) -> Option<usize> {
    let found = names.kinds.get_index_of(key.text);
    if found.is_none() {
        let help = suggestion(key.text, names.kinds.iter().map(String::as_str));
        key.fault(KIND.code, format!("unknown kind `{}`", key.text), help);
    }
    found
}

fn read_icon(key: &Key<'_>, table: &Table<'_>, known: &BTreeSet<&str>, drawn: &HashSet<String>) -> Icon {
    let mut icon = Icon { path: table.need_text("path"), ..Icon::default() };
    if let Some(node) = table.get("path") {
        check_path(&node, &icon.path);
    }
    icon.colour = table.get("colour").map(|node| colour::read(&node)).unwrap_or_default();
    icon.words = texts(table, "words").into_iter().map(|(_, word)| word.to_owned()).collect();
    if table.has("of") {
        for (node, name) in texts(table, "of") {
            if !known.contains(name) {
                let help = suggestion(name, known.iter().copied());
                node.fault("unknown-value", format!("{} names nothing that has an icon: `{name}`", node.what), help);
            }
            icon.of.push(name.to_owned());
        }
    } else if known.contains(key.text) {
        icon.of.push(key.text.to_owned());
    } else if icon.words.is_empty() && !drawn.contains(key.text) {
        let help = suggestion(key.text, known.iter().copied())
            .unwrap_or_else(|| "set `of` to what it stands for, or `words`, or draw it on a card".to_owned());
        key.fault("unknown-value", format!("the icon `{}` stands for nothing", key.text), Some(help));
    }
    icon
}

fn read_kind(table: Table<'_>, kind: usize, icons: &[(Key<'_>, Option<Table<'_>>)], d: &Declarations) -> KindLook {
    let mut look = KindLook {
        colour: table.get("colour").map(|node| colour::read(&node)).unwrap_or_default(),
        picture: table.word("picture", &PICTURES).unwrap_or_default(),
        ..KindLook::default()
    };
    if let Some(node) = table.get("corner")
        && let Some(name) = node.text()
    {
        let attributes = d.kinds.get_index(kind).map(|(_, kind)| &kind.attributes);
        if attributes.is_some_and(|all| !all.contains_key(name)) {
            let help = suggestion(name, attributes.into_iter().flat_map(|all| all.keys().map(String::as_str)));
            node.fault("unknown-attribute", format!("unknown attribute `{name}` for {}", node.what), help);
        }
        name.clone_into(&mut look.corner);
    }
    if let Some(draws) = table.table("draws", format!("drawings of {}", table.what)) {
        for (key, node) in draws.entries() {
            let definitions = d.definitions_of(kind);
            if !definitions.iter().any(|one| one.id == key.text) {
                let help = suggestion(key.text, definitions.iter().map(|one| one.id.as_str()));
                key.fault("unknown-id", format!("unknown definition `{}` in {}", key.text, draws.what), help);
            }
            for element in node.list(true).unwrap_or_default() {
                let Some(name) = element.text() else { continue };
                if !icons.iter().any(|(icon, _)| icon.text == name) {
                    let help = suggestion(name, icons.iter().map(|(icon, _)| icon.text));
                    element.fault("unknown-value", format!("unknown icon `{name}` for {}", element.what), help);
                }
                look.draws.entry(key.text.to_owned()).or_default().push(name.to_owned());
            }
        }
    }
    table.finish(keys::kind_look);
    look
}

/// The texts of a key that takes one or several.
fn texts<'d>(table: &Table<'d>, key: &str) -> Vec<(Node<'d>, &'d str)> {
    let list = table.get(key).and_then(|node| node.list(true)).unwrap_or_default();
    list.into_iter().filter_map(|node| node.text().map(|text| (node, text))).collect()
}

/// Checks path data: commands and numbers alone, so that a page may use it as an attribute.
fn check_path(node: &Node<'_>, path: &str) {
    let fault = |message: String, help: &str| node.fault("bad-drawing", message, Some(help.to_owned()));
    let example = "write the attribute `d` of one SVG path, on a ground of 24 by 24: \"M4 20 L12 4 L20 20 Z\"";
    if path.len() > MAX_ICON_PATH {
        let message = format!("{} has {} characters; at most {MAX_ICON_PATH} are allowed", node.what, path.len());
        return fault(message, "draw fewer points, with fewer decimals");
    }
    let is_data = |c: char| "MmLlHhVvCcSsQqTtAaZz0123456789.,+- ".contains(c);
    if let Some(wrong) = path.chars().find(|&c| !is_data(c)) {
        return fault(format!("{} has the character `{}`", node.what, wrong.escape_debug()), example);
    }
    let parsed = PathParser::from(path).enumerate().find(|(_, part)| part.is_err());
    if let Some((number, _)) = parsed {
        fault(format!("command {} of {} is not one of an SVG path", number + 1, node.what), example);
    }
}

/// Reports names and words that two icons claim.
fn check_claims(icons: &[(Key<'_>, Option<Table<'_>>)], look: &Look) {
    let mut claims: HashMap<(bool, &str), &str> = HashMap::new();
    for (key, _) in icons {
        let Some(icon) = look.icons.get(key.text) else { continue };
        let of = icon.of.iter().map(|name| (false, name.as_str()));
        for claim in of.chain(icon.words.iter().map(|word| (true, word.as_str()))) {
            if let Some(other) = claims.insert(claim, key.text) {
                let what = if claim.0 { "the word" } else { "the name" };
                let message = format!("icon `{}` and icon `{other}` both stand for {what} `{}`", key.text, claim.1);
                key.fault("duplicate", message, Some("leave it to one of them".to_owned()));
            }
        }
    }
}

/// Names that an icon can stand for.
fn known_names(d: &Declarations) -> BTreeSet<&str> {
    let mut known: BTreeSet<&str> = d.counters.keys().map(String::as_str).collect();
    known.extend(d.counter_families.keys().chain(d.zone_families.keys()).chain(d.zones.keys()).map(String::as_str));
    known.extend(d.kinds.keys().map(String::as_str));
    for kind in d.kinds.values() {
        known.extend(kind.attributes.keys().map(String::as_str));
        for attribute in kind.attributes.values() {
            if let AttributeType::Text(values) = &attribute.of {
                known.extend(values.iter().map(String::as_str));
            }
        }
    }
    known.extend(d.definitions.iter().map(|one| one.id.as_str()));
    known
}
