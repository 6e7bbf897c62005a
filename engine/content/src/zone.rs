//! Zones.

use indexmap::IndexMap;

use super::declare::{Holder, Visibility, Zone};
use super::diagnostic::list;
use super::document::{Node, Table};
use super::keys;
use super::names::{KIND, Names, ZONE, check_name, label_of};
use super::only::{self, Setups};
use super::words::{PER, ZONE_VISIBLE};

/// Reads `[zones]`. Zones that are filled from one another are checked once all are known.
pub(crate) fn read(game: &Table<'_>, names: &Names, setups: Setups<'_>) -> IndexMap<String, Zone> {
    let mut zones = IndexMap::new();
    let mut sources = Vec::new();
    for (key, table) in game.tables("zones", "zone") {
        check_name(&key, "zone");
        let mut zone = Zone { text: label_of(key.text), ..Zone::default() };
        if let Some(table) = table {
            let index = zones.len();
            read_one(table, &mut zone, names, setups, |node, source| sources.push((index, source, node)));
        }
        zones.insert(key.text.to_owned(), zone);
    }
    for (index, source, node) in sources {
        check_source(&zones, names, index, source, &node);
    }
    zones
}

/// `game` or `player`.
pub(crate) fn game_or_player(table: &Table<'_>) -> Option<Holder> {
    table.word("per", &PER)
}

fn read_one<'d>(
    table: Table<'d>,
    zone: &mut Zone,
    names: &Names,
    setups: Setups<'_>,
    mut source: impl FnMut(Node<'d>, usize),
) {
    if let Some(text) = table.text("text") {
        zone.text = text;
    }
    if table.need("per").is_some() {
        zone.per = game_or_player(&table).unwrap_or_default();
    }
    if let Some(node) = table.need("holds") {
        for element in node.list(true).unwrap_or_default() {
            let Some(kind) = element.reference(&KIND, &names.kinds) else { continue };
            if zone.holds.contains(&kind) {
                let message = format!("`{}` is listed twice in {}", names.kinds[kind], element.what);
                element.fault("duplicate", message, None);
            } else {
                zone.holds.push(kind);
            }
        }
        if node.list(true).is_some_and(|elements| elements.is_empty()) {
            node.fault("empty", format!("{} is empty", node.what), None);
        }
    }
    let visible = table.get("visible");
    zone.visible = visible.as_ref().and_then(|node| node.word(&ZONE_VISIBLE)).unwrap_or_default();
    let owned = matches!(zone.visible, Visibility::Owner | Visibility::Secret);
    if let Some(node) = visible.filter(|_| owned && zone.per == Holder::Game) {
        let word = node.as_text().unwrap_or_default();
        let message = format!("{} cannot be `{word}`: a zone of the game has no owner", node.what);
        node.fault("conflict", message, Some("use `count` or `nobody`".to_owned()));
    }
    zone.size = table.integer("size", 1..=i32::from(u16::MAX)).and_then(|size| u16::try_from(size).ok());
    if let Some(node) = table.get("refill") {
        zone.refill = node.reference(&ZONE, &names.zones);
        if table.get("size").is_none() {
            let message = format!("{} has `refill` and therefore needs `size`", table.what);
            table.fault("missing-key", message, None);
        }
        if let Some(from) = zone.refill {
            source(node, from);
        }
    }
    if let Some(node) = table.get("reshuffle") {
        zone.reshuffle = node.reference(&ZONE, &names.zones);
        if let Some(from) = zone.reshuffle {
            source(node, from);
        }
    }
    zone.only = only::read(&table, setups);
    table.finish(keys::zones);
}

/// Checks that zone `index` may be filled from zone `source`.
fn check_source(zones: &IndexMap<String, Zone>, names: &Names, index: usize, source: usize, node: &Node<'_>) {
    let (zone, from) = (&zones[index], &zones[source]);
    let from_name = &names.zones[source];
    if index == source {
        node.fault("conflict", format!("{} cannot be the zone itself", node.what), None);
        return;
    }
    if zone.per == Holder::Game && from.per == Holder::Player {
        let message = format!("{} cannot be `{from_name}`: every player has one", node.what);
        node.fault("conflict", message, None);
    }
    let extra: Vec<&str> = from
        .holds
        .iter()
        .filter(|kind| !zone.holds.contains(kind))
        .filter_map(|kind| names.kinds.get_index(*kind).map(String::as_str))
        .collect();
    if !extra.is_empty() && !zone.holds.is_empty() {
        let message = format!("{} is `{from_name}`, which may also hold {}", node.what, list(&extra));
        node.fault("conflict", message, None);
    }
}
