//! Zones.

use indexmap::IndexMap;

use super::counter::{hidden_anyway, shown};
use super::declare::{Family, Holder, Visibility, Zone};
use super::diagnostic::{list, suggestion};
use super::document::{Node, Table};
use super::family::{read_label, read_per};
use super::keys;
use super::like::LIKE;
use super::names::{ID, KIND, Names, ZONE, check_name, label_of};
use super::only::{self, Setups};
use super::words::{LOOKS, PER, ZONE_VISIBLE};

/// The source that fills a zone.
#[derive(Debug, Clone, Copy)]
enum Source {
    /// A zone.
    Zone(usize),
    /// For each member of a family, the member of another family with the same id.
    Member(Family),
}

impl Source {
    /// The zone that fills the n-th member of a family.
    fn of(self, member: usize) -> usize {
        match self {
            Self::Zone(zone) => zone,
            Self::Member(family) => family.first + member,
        }
    }
}

/// A zone that is being read, with its sources and their places in the file.
#[derive(Debug, Default)]
struct ZoneDraft<'d> {
    zone: Zone,
    refill: Option<(Node<'d>, Source)>,
    reshuffle: Option<(Node<'d>, Source)>,
}

/// Reads `[zones]`; a family is replaced by its members. Zones that fill each other are checked once all are known.
pub(crate) fn read(game: &Table<'_>, names: &Names, setups: Setups<'_>) -> IndexMap<String, Zone> {
    let mut zones = IndexMap::new();
    let mut sources = Vec::new();
    for (key, table) in game.tables("zones", "zone") {
        check_name(&key, "zone");
        let mut read = ZoneDraft::default();
        read.zone.text = label_of(key.text);
        let family = names.zone_families.get(key.text).copied();
        if let Some(table) = table {
            read_one(table, &mut read, family, names, setups);
        }
        let ZoneDraft { zone, refill, reshuffle } = read;
        for (node, source) in [&refill, &reshuffle].into_iter().flatten() {
            sources.push((zones.len(), source.of(0), node.clone()));
        }
        let of = |source: &Option<(Node<'_>, Source)>, member| source.as_ref().map(|(_, source)| source.of(member));
        let filled = |member| Zone { refill: of(&refill, member), reshuffle: of(&reshuffle, member), ..zone.clone() };
        match family {
            Some(family) => {
                let members = family.members().filter_map(|index| names.zones.get_index(index)).enumerate();
                zones.extend(members.map(|(number, member)| (member.clone(), filled(number))));
            }
            None => drop(zones.insert(key.text.to_owned(), filled(0))),
        }
    }
    for (index, source, node) in sources {
        // A family without members has no zones.
        if index < zones.len() && source < zones.len() {
            check_source(&zones, names, index, source, &node);
        }
    }
    zones
}

/// Reads `game` or `player`.
pub(crate) fn game_or_player(table: &Table<'_>) -> Option<Holder> {
    table.word("per", &PER)
}

fn read_one<'d>(table: Table<'d>, read: &mut ZoneDraft<'d>, family: Option<Family>, names: &Names, setups: Setups<'_>) {
    table.text(LIKE);
    let zone = &mut read.zone;
    let per = read_per(&table, names, |node| node.word(&PER));
    zone.per = per.map(|(holder, _)| holder).unwrap_or_default();
    if let Some(text) = read_label(&table, names, per.and_then(|(_, kind)| kind)) {
        zone.text = text;
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
    let owned = matches!(zone.visible, Visibility::Owner | Visibility::Secret | Visibility::Others);
    if let Some(node) = visible.filter(|_| owned && zone.per == Holder::Game) {
        let word = node.as_text().unwrap_or_default();
        let message = format!("{} cannot be `{word}`: a zone of the game has no owner", node.what);
        node.fault("conflict", message, Some("use `count` or `nobody`".to_owned()));
    }
    zone.open_looks = table.word("looks", &LOOKS).unwrap_or_default();
    zone.size = table.integer("size", 1..=i32::from(u16::MAX)).and_then(|size| u16::try_from(size).ok());
    zone.only = only::read(&table, setups);
    zone.listeners = table.get("listeners").and_then(|node| waiting(&node, zone, names));
    zone.internal = table.boolean("internal", false);
    if zone.internal {
        hidden_anyway(&table, &["visible", "looks"]);
        zone.visible = Visibility::Nobody;
    }
    (zone.show, zone.group) = shown(&table, zone.internal);
    read.refill = source(&table, "refill", family, names);
    if table.has("refill") && !table.has("size") {
        let message = format!("{} has `refill` and therefore needs `size`", table.what);
        table.fault("missing-key", message, None);
    }
    read.reshuffle = source(&table, "reshuffle", family, names);
    table.finish(keys::zones);
}

/// Reads the definition as whose tokens listeners wait in a zone.
fn waiting(node: &Node<'_>, zone: &Zone, names: &Names) -> Option<(usize, usize)> {
    let id = node.text()?;
    let found = names.ids.iter().enumerate().find_map(|(kind, ids)| Some((kind, ids.get_index_of(id)?)));
    let Some((kind, _)) = found else {
        let known = names.ids.iter().flatten().map(String::as_str);
        node.fault(ID.code, format!("unknown {} `{id}` for {}", ID.word, node.what), suggestion(id, known));
        return None;
    };
    if zone.per != Holder::Game {
        let message = format!("{} has no effect: every player has the zone", node.what);
        node.fault("wrong-holder", message, Some("set `per = \"game\"`, or remove it".to_owned()));
    } else if !zone.holds.contains(&kind) {
        let kind = names.kinds.get_index(kind).map_or("", String::as_str);
        let message = format!("{} is of kind `{kind}`, which the zone does not hold", node.what);
        node.fault("wrong-holder", message, Some(format!("add `{kind}` to `holds`")));
    }
    found
}

/// Reads the source zone named by a key; for a family, the source family.
fn source<'d>(table: &Table<'d>, key: &str, family: Option<Family>, names: &Names) -> Option<(Node<'d>, Source)> {
    let node = table.get(key)?;
    let named = node.as_text().and_then(|name| names.zone_families.get(name));
    if let (Some(own), Some(other)) = (family, named)
        && own.kind == other.kind
    {
        return Some((node, Source::Member(*other)));
    }
    let zone = node.reference(&ZONE, &names.zones)?;
    Some((node, Source::Zone(zone)))
}

/// Checks that zone `index` may be filled from zone `source`.
fn check_source(zones: &IndexMap<String, Zone>, names: &Names, index: usize, source: usize, node: &Node<'_>) {
    let (zone, from) = (&zones[index], &zones[source]);
    let from_name = names.zones.get_index(source).map_or("", String::as_str);
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
        let message = format!("{} is `{from_name}`, which may hold {}, but this zone may not", node.what, list(&extra));
        node.fault("conflict", message, None);
    }
}
