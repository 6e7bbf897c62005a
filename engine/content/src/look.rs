//! `look.toml`: icons, the faces of kinds, the grounds of boards, the places of the table and of choices, and the guide.
//!
//! Direction: value <- choices, guide, places <- self

mod choices;
mod guide;
mod places;
mod value;

use std::collections::{BTreeSet, HashMap, HashSet};

use svgtypes::PathParser;

use super::colour;
use super::declare::{AttributeType, CardSize, Declarations, Domain, GridLook, Holder, Icon, KindLook, Look};
use super::diagnostic::suggestion;
use super::document::{Key, Node, Table};
use super::keys;
use super::limits::{MAX_ICON_PATH, MAX_ICONS};
use super::names::{COUNTER, GRID, KIND, Names, check_name};
use super::words::{GROUNDS, LAYOUTS, PICTURES};
use value::{reference, texts};

/// Reads `look.toml`.
pub(crate) fn read(root: Table<'_>, names: &Names, d: &Declarations) -> Look {
    let known = known_names(d);
    let mut look = Look::default();
    let icons = root.tables("icons", "icon");
    let icon_names: Vec<&str> = icons.iter().map(|(key, _)| key.text).collect();
    for (key, table) in root.tables("kinds", "kind") {
        if let Some(kind) = reference(&key, &KIND, &names.kinds)
            && let Some(table) = table
        {
            look.kinds.insert(key.text.to_owned(), read_kind(table, kind, &icon_names, d));
        }
    }
    for (key, table) in root.tables("grids", "grid") {
        reference(&key, &GRID, &names.grids);
        let Some(table) = table else { continue };
        let ground = table.word("ground", &GROUNDS).unwrap_or_default();
        let (bands, points) = (table.boolean("bands", false), table.boolean("points", false));
        let fact = table.get("fact").and_then(|node| read_fact(&node, d)).unwrap_or_default();
        let men = table.get("men").and_then(|node| read_men(&node, key.text, names, d)).unwrap_or_default();
        look.grids.insert(key.text.to_owned(), GridLook { ground, bands, points, fact, men });
        table.finish(keys::grid_look);
    }
    look.guide = guide::read(&root, names, d);
    look.choices = choices::read(&root, names, d);
    look.table = places::areas(&root, d);
    look.zones.extend(places::zones(&root, names));
    look.counters.extend(places::counters(&root, names, d));
    let drawn: HashSet<String> = look.kinds.values().flat_map(|kind| kind.draws.values().flatten().cloned()).collect();
    if let Some((key, _)) = icons.get(MAX_ICONS) {
        key.fault("too-large", format!("a game has at most {MAX_ICONS} icons"), None);
    }
    let mut claims = HashMap::new();
    for (key, table) in icons {
        check_name(&key, "icon");
        let Some(table) = table else { continue };
        let icon = read_icon(&key, table, &known, &drawn);
        check_claims(&key, &icon, &mut claims);
        look.icons.insert(key.text.to_owned(), icon);
    }
    root.finish(keys::look);
    look
}

fn read_icon(key: &Key<'_>, table: Table<'_>, known: &BTreeSet<&str>, drawn: &HashSet<String>) -> Icon {
    let mut icon = Icon { path: table.need_text("path"), ..Icon::default() };
    if let Some(node) = table.get("path") {
        check_path(&node, &icon.path);
    }
    icon.colour = table.get("colour").map(|node| colour::read(&node)).unwrap_or_default();
    icon.words = texts(&table, "words").into_iter().map(|(_, word)| word.to_owned()).collect();
    if table.has("of") {
        for (node, name) in texts(&table, "of") {
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
    table.finish(keys::icon);
    icon
}

/// Reads the name of a player counter whose values are the cells of a grid.
fn read_men(node: &Node<'_>, grid: &str, names: &Names, d: &Declarations) -> Option<String> {
    let (name, counter) = d.counters.get_index(node.reference(&COUNTER, &names.counters)?)?;
    let is_of_grid =
        matches!(counter.means, Domain::Cell(at) if d.grids.get_index(at).is_some_and(|(name, _)| name == grid));
    if counter.per != Holder::Player || !is_of_grid {
        let help = format!("name a counter with `per = \"player\"` and `values = \"{grid}\"`");
        node.fault("wrong-holder", format!("`{name}` is no place of players on `{grid}`"), Some(help));
    }
    Some(name.clone())
}

/// Reads the name of an attribute that some kind of cards has.
fn read_fact(node: &Node<'_>, d: &Declarations) -> Option<String> {
    let name = node.text()?;
    let known = d.kinds.values().flat_map(|kind| kind.attributes.keys().map(String::as_str));
    if !known.clone().any(|known| known == name) {
        node.fault("unknown-attribute", format!("no card has the attribute `{name}`"), suggestion(name, known));
        return None;
    }
    Some(name.to_owned())
}

fn read_kind(table: Table<'_>, kind: usize, icons: &[&str], d: &Declarations) -> KindLook {
    let (pile, at) = choices::read_pile(&table, kind, d);
    let mut look = KindLook {
        pile,
        at,
        colour: table.get("colour").map(|node| colour::read(&node)).unwrap_or_default(),
        layout: table.word("layout", &LAYOUTS).unwrap_or_default(),
        picture: table.word("picture", &PICTURES).unwrap_or_default(),
        size: table.word("size", &CardSize::ALL),
        ..KindLook::default()
    };
    let attributes = d.kinds.get_index(kind).map(|(_, kind)| &kind.attributes);
    let attribute = |key: &str| {
        let node = table.get(key)?;
        let name = node.text()?;
        let found = attributes.and_then(|all| all.get(name));
        if found.is_none() {
            let help = suggestion(name, attributes.into_iter().flat_map(|all| all.keys().map(String::as_str)));
            node.fault("unknown-attribute", format!("unknown attribute `{name}` for {}", node.what), help);
        }
        Some((node, name.to_owned(), found))
    };
    look.corner = attribute("corner").map(|(_, name, _)| name).unwrap_or_default();
    let lists = d.kinds.get_index(kind).map(|(_, kind)| &kind.lists);
    let list =
        table.get("chart").and_then(|node| node.text()).filter(|name| lists.is_some_and(|all| all.contains_key(*name)));
    if let Some(name) = list {
        look.chart = name.to_owned();
    } else if let Some((node, name, found)) = attribute("chart") {
        if found.is_some_and(|found| !matches!(found.of, AttributeType::List(..))) {
            let help = "name an attribute with `type = \"list\"`, or hooks of `lists`".to_owned();
            node.fault("bad-drawing", format!("`{name}` for {} is not a list", node.what), Some(help));
        }
        look.chart = name;
    }
    look.columns = table.integer("columns", 1..=12).and_then(|columns| u8::try_from(columns).ok()).unwrap_or(3);
    if let Some(draws) = table.table("draws", format!("drawings of {}", table.what)) {
        for (key, node) in draws.entries() {
            let definitions = d.definitions_of(kind);
            if !definitions.iter().any(|one| one.id == key.text) {
                let help = suggestion(key.text, definitions.iter().map(|one| one.id.as_str()));
                key.fault("unknown-id", format!("unknown definition `{}` in {}", key.text, draws.what), help);
            }
            for element in node.list(true).unwrap_or_default() {
                let Some(name) = element.text() else { continue };
                if !icons.contains(&name) {
                    let help = suggestion(name, icons.iter().copied());
                    element.fault("unknown-value", format!("unknown icon `{name}` for {}", element.what), help);
                }
                look.draws.entry(key.text.to_owned()).or_default().push(name.to_owned());
            }
        }
    }
    table.finish(keys::kind_look);
    look
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

/// Reports the names and words of an icon that an earlier icon claims.
fn check_claims<'d>(key: &Key<'d>, icon: &Icon, claims: &mut HashMap<(&str, String), &'d str>) {
    let names = icon.of.iter().map(|name| ("the name", name));
    for (what, claimed) in names.chain(icon.words.iter().map(|word| ("the word", word))) {
        if let Some(other) = claims.insert((what, claimed.clone()), key.text) {
            let message = format!("icon `{}` and icon `{other}` both stand for {what} `{claimed}`", key.text);
            key.fault("duplicate", message, Some("leave it to one of them".to_owned()));
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
