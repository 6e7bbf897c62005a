//! Families of counters and zones: `per = ["player", "minerals"]` makes one for each definition of the kind, named
//! `raw.gold`.

use indexmap::{IndexMap, IndexSet};

use super::declare::{Counter, Declarations, Definition, Family, Holder, MEMBER, Zone};
use super::diagnostic::nearest;
use super::document::{Document, Node, Table};
use super::geometry::Geometry;
use super::limits::{MAX_FAMILIES, MAX_FAMILY, MAX_PLACES};
use super::names::{KIND, Names, label_of};
use super::placeholder::{Piece, pieces};
use super::sentence::within;
use super::text::{ValueForm, check_named};

/// Name of a member.
pub(crate) fn member(family: &str, id: &str) -> String {
    format!("{family}{MEMBER}{id}")
}

/// The names of a section, with each family replaced by its members, at most [`MAX_FAMILY`] of them. Reports nothing;
/// [`check_sizes`] does.
pub(crate) fn expand(
    section: Option<Table<'_>>,
    kinds: &IndexSet<String>,
    ids: &[IndexSet<String>],
) -> (IndexSet<String>, IndexMap<String, Family>) {
    let (mut names, mut families) = (IndexSet::new(), IndexMap::new());
    let mut room = MAX_FAMILY;
    for (key, node) in section.iter().flat_map(Table::entries) {
        let kind = node.as_table().and_then(|table| table.get("per")).and_then(|per| index_of(&per, kinds));
        let Some(kind) = kind else {
            names.insert(key.text.to_owned());
            continue;
        };
        let first = names.len();
        names.extend(ids.get(kind).into_iter().flatten().take(room).map(|id| member(key.text, id)));
        room -= names.len() - first;
        families.insert(key.text.to_owned(), Family { kind, first, len: names.len() - first });
    }
    (names, families)
}

/// The kind in a `per`. A misspelt name is replaced by the nearest, so that the members get the right names.
fn index_of(per: &Node<'_>, kinds: &IndexSet<String>) -> Option<usize> {
    let parts = if per.is_list() { per.list(false)? } else { return None };
    let [_, kind] = &parts[..] else { return None };
    let name = kind.as_text()?;
    kinds.get_index_of(name).or_else(|| kinds.get_index_of(nearest(name, kinds.iter().map(String::as_str))?))
}

/// Reads `per`: the holder, and the kind of a family.
pub(crate) fn read_per(
    table: &Table<'_>,
    names: &Names,
    holder: impl Fn(&Node<'_>) -> Option<Holder>,
) -> Option<(Holder, Option<usize>)> {
    let node = table.need("per")?;
    let parts = node.list(true)?;
    let (first, kind) = match &parts[..] {
        [first] => (first, None),
        [first, kind] => (first, kind.reference(&KIND, &names.kinds)),
        _ => {
            let message =
                format!("{} must be a holder, or a holder and a kind, not a list of {}", node.what, parts.len());
            node.fault("wrong-length", message, Some("write `[\"player\", \"<kind>\"]`".to_owned()));
            return None;
        }
    };
    Some((holder(first)?, kind))
}

/// Reads the label. In the label of a family, the kind is a placeholder for the member's name.
pub(crate) fn read_label(table: &Table<'_>, names: &Names, kind: Option<usize>) -> Option<String> {
    let node = table.get("text")?;
    let kind = kind.and_then(|kind| names.kinds.get_index(kind));
    if let Some(kind) = kind {
        check_named(&node, &[(kind, ValueForm::Name)]);
    }
    node.text().map(str::to_owned)
}

/// Fills the names of the definitions into the labels of the members.
pub(crate) fn label(d: &mut Declarations) {
    let Declarations { counters, zones, counter_families, zone_families, kinds, definitions, .. } = d;
    let names = |kind: usize| -> &[Definition] {
        kinds
            .get_index(kind)
            .and_then(|(_, kind)| definitions.get(kind.first..kind.first + kind.len))
            .unwrap_or_default()
    };
    let kind_name = |kind: usize| kinds.get_index(kind).map_or("", |(name, _)| name.as_str());
    for family in counter_families.values() {
        for (index, definition) in family.members().zip(names(family.kind)) {
            let Some((name, Counter { text, amount, group, .. })) = counters.get_index_mut(index) else { continue };
            group_of(group, name, text, kind_name(family.kind));
            *text = filled(text, kind_name(family.kind), &definition.name);
            *amount = with_name(amount, kind_name(family.kind), &definition.name);
        }
    }
    for family in zone_families.values() {
        for (index, definition) in family.members().zip(names(family.kind)) {
            let Some((name, Zone { text, group, .. })) = zones.get_index_mut(index) else { continue };
            group_of(group, name, text, kind_name(family.kind));
            *text = filled(text, kind_name(family.kind), &definition.name);
        }
    }
}

/// The default row shared by the members of a family: `Raw` for `Raw {minerals}`; the family's name for `{minerals}`.
fn group_of(group: &mut String, member: &str, label: &str, kind: &str) {
    if !group.is_empty() {
        return;
    }
    let rest = with_name(label, kind, "");
    let mut letters = rest.trim().chars();
    *group = match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => label_of(member.split(MEMBER).next().unwrap_or(member)),
    };
}

/// The label of a member: `Raw gold` from `Raw {minerals}`. Without a placeholder, the name goes to the end: `Raw:
/// Gold`.
fn filled(label: &str, kind: &str, name: &str) -> String {
    if shows(label, kind) { with_name(label, kind, name) } else { format!("{label}: {name}") }
}

/// Whether a text has a placeholder for the name.
fn shows(text: &str, kind: &str) -> bool {
    pieces(text).any(|piece| matches!(piece, Piece::Placeholder(placeholder) if placeholder.value == kind))
}

/// Fills in the name of a member, in lower case inside a sentence.
fn with_name(text: &str, kind: &str, name: &str) -> String {
    let mut filled = String::with_capacity(text.len() + name.len());
    for piece in pieces(text) {
        match piece {
            Piece::Placeholder(placeholder) if placeholder.value == kind => {
                filled.push_str(&if filled.is_empty() { name.to_owned() } else { within(name) });
            }
            // Other placeholders are filled when the text is displayed.
            Piece::Placeholder(placeholder) => {
                filled.push('{');
                filled.push_str(placeholder.inside);
                filled.push('}');
            }
            Piece::Text(text) => filled.push_str(text),
        }
    }
    filled
}

/// Maximum number of holders of this type.
pub(crate) fn holders(d: &Declarations, per: Holder) -> usize {
    let players = usize::from(d.players.max);
    match per {
        Holder::Game => 1,
        Holder::Player => players,
        Holder::Token(kind) => d.tokens_of(kind),
        Holder::Cell(grid) => d.grids.get_index(grid).map_or(0, |(_, grid)| {
            let places = usize::try_from(Geometry::places_of(grid.shape)).unwrap_or(usize::MAX);
            places.saturating_mul(if grid.per == Holder::Player { players } else { 1 })
        }),
    }
}

/// Reports families and grids that are too large for the state.
pub(crate) fn check_sizes(game: &Document<'_>, d: &Declarations) {
    let game = game.root("");
    let entry = |section: &str, name: &str, key: &str| {
        let table = game.get(section).and_then(|node| node.as_table()).and_then(|tables| tables.get(name));
        table.and_then(|table| table.as_table()).and_then(|table| table.get(key))
    };
    let mut places = 0_usize;
    for (index, name) in d.grids.keys().enumerate() {
        let before = places;
        places = places.saturating_add(holders(d, Holder::Cell(index)));
        if before <= MAX_PLACES
            && places > MAX_PLACES
            && let Some(node) = entry("grids", name, "shape")
        {
            let message = format!("with `{name}` the grids have more than {MAX_PLACES} places, for all players");
            node.fault("too-large", message, None);
        }
    }
    let (mut values, mut cut) = (0_usize, false);
    for (section, families) in [("counters", &d.counter_families), ("zones", &d.zone_families)] {
        let mut room = MAX_FAMILY;
        for (name, family) in families {
            room = room.saturating_sub(family.len);
            let of_zones = section == "zones";
            let per = if of_zones {
                d.zones.get_index(family.first).map(|(_, zone)| zone.per)
            } else {
                d.counters.get_index(family.first).map(|(_, counter)| counter.per)
            };
            let holders = per.map_or(0, |per| holders(d, per));
            let before = values;
            values = values.saturating_add(holders.saturating_mul(family.len));
            // The kind may have more definitions for another reason: two definitions with one id are a fault, but
            // make only one member.
            let is_cut = room == 0 && d.kinds.get_index(family.kind).is_some_and(|(_, kind)| kind.len > family.len);
            let message = if holders.saturating_mul(family.len) > MAX_FAMILY {
                let members = family.len;
                format!(
                    "family `{name}` has {members} members for {holders} holders; at most {MAX_FAMILY} in all are allowed"
                )
            } else if is_cut && !std::mem::replace(&mut cut, true) {
                format!("with `{name}` the families in `{section}` have more than {MAX_FAMILY} members")
            } else if before <= MAX_FAMILIES && values > MAX_FAMILIES {
                format!("with `{name}` the families have more than {MAX_FAMILIES} values, for all their holders")
            } else {
                continue;
            };
            if let Some(node) = entry(section, name, "per") {
                node.fault("too-large", message, None);
            }
        }
    }
}
