//! Grids.

use indexmap::IndexMap;

use super::declare::{Counter, Grid, Holder, Shape};
use super::document::{Node, Table};
use super::keys;
use super::limits::{MAX_LINES, MAX_SIDE};
use super::names::{COUNTER, KIND, NameUse, Names, check_name_as, label_of};
use super::only::{self, Setups};
use super::words::{OUTLINES, Outline};
use super::zone::game_or_player;
use crate::geometry::Geometry;

/// Reads `[grids]`, after the counters.
pub(crate) fn read(
    game: &Table<'_>,
    names: &Names,
    setups: Setups<'_>,
    counters: &IndexMap<String, Counter>,
) -> IndexMap<String, Grid> {
    let mut grids = IndexMap::new();
    for (key, table) in game.tables("grids", "grid") {
        check_name_as(&key, "grid", NameUse::Type);
        if names.kinds.contains(key.text) {
            key.fault("duplicate", format!("`{}` is the name of both a kind and a grid", key.text), None);
        }
        let mut grid = Grid { text: label_of(key.text), ..Grid::default() };
        if let Some(table) = table {
            grid.only = only::read(&table, setups);
            read_one(table, &mut grid, grids.len(), names, counters);
        }
        grids.insert(key.text.to_owned(), grid);
    }
    grids
}

fn read_one(table: Table<'_>, grid: &mut Grid, index: usize, names: &Names, counters: &IndexMap<String, Counter>) {
    if let Some(text) = table.text("text") {
        grid.text = text;
    }
    grid.per = game_or_player(&table).unwrap_or_default();
    let shape = read_shape(&table);
    grid.shape = shape.unwrap_or(grid.shape);
    if let Some(node) = table.get("holes") {
        let known = shape.map(Geometry::of_shape);
        for element in node.list(false).unwrap_or_default() {
            read_hole(&element, known.as_ref(), &mut grid.holes);
        }
        if known.is_some_and(|known| known.places() == grid.holes.len()) {
            node.fault("empty", format!("{} leaves no cells", node.what), None);
        }
    }
    if let Some(node) = table.get("show") {
        for element in node.list(true).unwrap_or_default() {
            let family = element.as_text().and_then(|name| names.counter_families.get(name));
            let shown = match family {
                Some(family) => family.members(),
                None => match element.reference(&COUNTER, &names.counters) {
                    Some(counter) => counter..counter + 1,
                    None => continue,
                },
            };
            if let Some(counter) = shown.clone().next() {
                check_shown(&element, grid, index, names, counters, counter);
            }
            grid.show.extend(shown);
        }
    }
    grid.names = table.get("names").and_then(|node| read_names(&node, grid, shape, names));
    table.finish(keys::grids);
}

/// Reads the kind that names the cells.
fn read_names(node: &Node<'_>, grid: &Grid, shape: Option<Shape>, names: &Names) -> Option<usize> {
    let kind = node.reference(&KIND, &names.kinds)?;
    let (named, places) = (names.ids.get(kind).map_or(0, indexmap::IndexSet::len), shape.map(Geometry::places_of));
    let cells = places.map(|places| usize::try_from(places).unwrap_or(usize::MAX).saturating_sub(grid.holes.len()));
    // More definitions than cells are allowed: a mod may add some.
    if cells.is_some_and(|cells| named < cells) {
        let message = format!("{} has {named} definitions for {} cells", node.what, cells.unwrap_or(0));
        node.fault("wrong-length", message, None);
    }
    Some(kind)
}

/// Reports a counter that cannot be drawn on the grid.
fn check_shown(
    node: &Node<'_>,
    grid: &Grid,
    index: usize,
    names: &Names,
    counters: &IndexMap<String, Counter>,
    counter: usize,
) {
    let name = node.as_text().unwrap_or_default();
    let declared = counters.get_index(counter).map(|(_, counter)| counter);
    if declared.is_some_and(|counter| counter.per != Holder::Cell(index)) {
        let grid = names.grids.get_index(index).map_or("", String::as_str);
        let message = format!("{} must be a counter of this grid's cells, and `{name}` is not one", node.what);
        node.fault("wrong-holder", message, Some(format!("set `per = \"{grid}\"` in counter `{name}`")));
    } else if declared.is_some_and(|counter| counter.internal) {
        node.fault("conflict", format!("{} cannot be `{name}`: players never see internal counters", node.what), None);
    } else if grid.show.contains(&counter) {
        node.fault("duplicate", format!("`{name}` is listed twice in {}", node.what), None);
    }
}

fn read_shape(table: &Table<'_>) -> Option<Shape> {
    let node = table.need("shape");
    let outline = node.as_ref().and_then(|node| node.word(&OUTLINES));
    let lines = |key, most| {
        let number = table.need(key)?.integer(1..=most)?;
        u16::try_from(number).ok()
    };
    let Some(outline) = outline else {
        for key in ["columns", "rows", "side"] {
            table.get(key);
        }
        return None;
    };
    if matches!(outline, Outline::Hex) {
        return Some(Shape::Hex { side: lines("side", MAX_SIDE)? });
    }
    // Both are read before either `?` returns, so that both are reported if both are missing.
    let (columns, rows) = (lines("columns", MAX_LINES), lines("rows", MAX_LINES));
    let (columns, rows) = (columns?, rows?);
    Some(match outline {
        Outline::Offset => Shape::Offset { columns, rows },
        _ => Shape::Square { columns, rows },
    })
}

fn read_hole(node: &Node<'_>, known: Option<&Geometry>, holes: &mut Vec<String>) {
    let Some(name) = node.text() else { return };
    if let Some(known) = known.filter(|known| known.cell_named(name).is_none()) {
        let (first, last) = (known.name(0), known.name(known.places().saturating_sub(1)));
        let help = format!("cell names run from `{first}` to `{last}`");
        node.fault("unknown-cell", format!("unknown cell `{name}` for {}", node.what), Some(help));
    } else if holes.iter().any(|hole| hole == name) {
        node.fault("duplicate", format!("`{name}` is listed twice in {}", node.what), None);
    } else {
        holes.push(name.to_owned());
    }
}
