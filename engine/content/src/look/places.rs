//! Areas of the table, and the forms of piles and counters.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use crate::declare::{Areas, CounterLook, CounterShow, Declarations, ZoneLook};
use crate::diagnostic::suggestion;
use crate::document::{Node, Table};
use crate::keys;
use crate::names::{COUNTER, Names, ZONE};
use crate::words::{AREAS, COUNTER_SHOWS, ZONE_SHOWS};

use super::value::{reference, texts};

/// The most steps of a track.
const MAX_STEPS: i32 = 60;

/// Reads `zones` of `look.toml`.
pub(super) fn zones(root: &Table<'_>, names: &Names) -> Vec<(String, ZoneLook)> {
    let known: IndexSet<String> = names.zones.iter().chain(names.zone_families.keys()).cloned().collect();
    let mut all = Vec::new();
    for (key, table) in root.tables("zones", "zone") {
        reference(&key, &ZONE, &known);
        let Some(table) = table else { continue };
        let show = table.word("show", &ZONE_SHOWS).unwrap_or_default();
        table.finish(keys::zone_look);
        all.push((key.text.to_owned(), ZoneLook { show }));
    }
    all
}

/// Reads `counters` of `look.toml`.
pub(super) fn counters(root: &Table<'_>, names: &Names, d: &Declarations) -> Vec<(String, CounterLook)> {
    let known: IndexSet<String> = names.counters.iter().chain(names.counter_families.keys()).cloned().collect();
    let mut all = Vec::new();
    for (key, table) in root.tables("counters", "counter") {
        reference(&key, &COUNTER, &known);
        let Some(table) = table else { continue };
        let mut look = CounterLook {
            show: table.word("show", &COUNTER_SHOWS).unwrap_or_default(),
            steps: 0,
            copies: table.integer("copies", 1..=200).and_then(|copies| u16::try_from(copies).ok()),
        };
        if look.show == CounterShow::Track
            && let Some(counter) = d.counters.get(key.text)
        {
            look.steps = counter.max;
            if counter.min != 0 || !(1..=MAX_STEPS).contains(&counter.max) || !counter.values.is_empty() {
                let message = format!("`{}` has no track: a track goes from 0 to at most {MAX_STEPS}", key.text);
                key.fault("bad-drawing", message, Some(format!("set `max` of `{}`, or show a number", key.text)));
            }
        }
        table.finish(keys::counter_look);
        all.push((key.text.to_owned(), look));
    }
    all
}

/// Reads `table` of `look.toml`.
pub(super) fn areas(root: &Table<'_>, d: &Declarations) -> Areas {
    let mut areas = Areas::default();
    let Some(table) = root.table("table", "the table") else { return areas };
    let known = area_names(d);
    areas.wide = rows(&table, "wide", &known);
    areas.narrow = rows(&table, "narrow", &known);
    table.finish(keys::areas);
    areas
}

/// The names of areas: the parts of every table, and the grids and zones. Those of players are the viewer's own.
fn area_names(d: &Declarations) -> BTreeSet<&str> {
    let zones = d.zones.iter().filter(|(name, zone)| !zone.internal && !name.contains('.'));
    let grids = d.grids.keys().map(String::as_str);
    zones
        .map(|(name, _)| name.as_str())
        .chain(grids)
        .chain(d.zone_families.keys().map(String::as_str))
        .chain(AREAS)
        .collect()
}

/// Reads the rows of areas of one kind of screen: a list of lines with one name for each column.
fn rows(table: &Table<'_>, key: &str, known: &BTreeSet<&str>) -> Vec<Vec<String>> {
    let lines = texts(table, key);
    let mut grid: Vec<Vec<String>> = Vec::new();
    for (node, line) in &lines {
        let row: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        for name in row.iter().filter(|name| !known.contains(name.as_str())) {
            let all = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let help = suggestion(name, known.iter().copied()).unwrap_or_else(|| format!("use {all}"));
            node.fault("unknown-value", format!("unknown area `{name}` in {}", node.what), Some(help));
        }
        if let Some(first) = grid.first().filter(|first| first.len() != row.len()) {
            let message = format!("{} has {} columns, the first line has {}", node.what, row.len(), first.len());
            node.fault("bad-drawing", message, Some("name an area for each column; repeat a broad one".to_owned()));
            return Vec::new();
        }
        grid.push(row);
    }
    if let Some((node, _)) = lines.first() {
        check_rectangles(node, &grid);
    }
    complete(grid)
}

/// Reports areas that are no rectangle.
fn check_rectangles(node: &Node<'_>, grid: &[Vec<String>]) {
    let names: BTreeSet<&String> = grid.iter().flatten().collect();
    for name in names {
        let cells: Vec<(usize, usize)> = grid
            .iter()
            .enumerate()
            .flat_map(|(y, row)| row.iter().enumerate().filter(|(_, other)| *other == name).map(move |(x, _)| (x, y)))
            .collect();
        let span = |of: fn(&(usize, usize)) -> usize| {
            let (least, most) = (cells.iter().map(of).min(), cells.iter().map(of).max());
            most.zip(least).map_or(0, |(most, least)| most - least + 1)
        };
        if span(|cell| cell.0) * span(|cell| cell.1) != cells.len() {
            let help = Some("let its columns and rows form one rectangle".to_owned());
            node.fault("bad-drawing", format!("the area `{name}` is not a rectangle"), help);
        }
    }
}

/// Adds the parts that the lines do not name, each on a line of its own, so that nothing of the table is lost.
fn complete(mut grid: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let Some(width) = grid.first().map(Vec::len) else { return grid };
    for name in AREAS {
        if !grid.iter().flatten().any(|other| other == name) {
            grid.push(vec![name.to_owned(); width]);
        }
    }
    grid
}
