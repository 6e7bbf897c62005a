//! Reads `game.toml`: the game itself, and its seats. Its sections have files of their own.

use super::declare::{Declarations, Holder, PlayerRange, Seat};
use super::document::{Node, Table};
use super::kind::{self, UncheckedParts};
use super::limits::{MAX_PLAYERS, MAX_ROUNDS};
use super::mods::version;
use super::names::Names;
use super::only::Setups;
use super::option::amount;
use super::{colour, counter, grid, keys, option, outcome, tells, zone};

/// Reads `game.toml`. Returns, for each kind, the parts that cannot be checked in its definitions.
pub(crate) fn read(game: Table<'_>, names: &mut Names, into: &mut Declarations) -> Vec<UncheckedParts> {
    into.name = game.need_text("name");
    into.version = game.need_text("version");
    // Mods require versions of the game.
    game.get("version").filter(Node::is_text).and_then(|node| version(&node));
    into.text = game.text("text").unwrap_or_default();
    let players = game.need("players").and_then(|node| read_players(&node));
    into.players = players.unwrap_or(PlayerRange { min: 1, max: 1, default: 1 });
    into.seats = read_seats(&game, players);
    into.options = option::read(&game, players);
    if let Some(node) = game.get("rounds") {
        into.rounds = amount(&node, 1..=MAX_ROUNDS, &into.options);
    }
    let setups = Setups { players, options: &into.options };
    (into.counter_families, into.zone_families) = (names.counter_families.clone(), names.zone_families.clone());
    into.counters = counter::read(&game, names, setups);
    let of_players = into.counters.iter().filter(|(_, counter)| counter.per == Holder::Player);
    names.player_counters = of_players.map(|(name, _)| name.clone()).collect();
    into.zones = zone::read(&game, names, setups);
    into.grids = grid::read(&game, names, setups, &into.counters);
    let unchecked = kind::read(&game, names, into);
    tells::read(&game, names, into);
    check_tokens(&game, names, into);
    if let Some(table) = game.need("outcome").and_then(|node| node.table("outcome")) {
        let known = outcome::Known { names, counters: &into.counters, players };
        into.outcome = outcome::read(table, &known);
    }
    game.finish(keys::game);
    unchecked
}

fn read_players(node: &Node<'_>) -> Option<PlayerRange> {
    let table = node.table("players")?;
    let number = |node: Option<Node<'_>>, least: i32, most: i32| {
        node.and_then(|node| node.integer(least..=most)).and_then(|number| u8::try_from(number).ok())
    };
    let min = number(table.need("min"), 1, MAX_PLAYERS);
    let most = table.need("max");
    let max = number(most.clone(), 1, MAX_PLAYERS).filter(|max| {
        let below = min.filter(|min| max < min);
        if let (Some(min), Some(node)) = (below, &most) {
            let message = format!("`min` is {min} and `max` is {max} in players");
            node.fault("out-of-range", message, Some(format!("set `max` to {min} or more, or `min` to {max} or less")));
        }
        below.is_none()
    });
    let least = i32::from(min.unwrap_or(1));
    let default = match table.get("default") {
        Some(node) => number(Some(node), least, max.map_or(MAX_PLAYERS, i32::from)),
        None => min,
    };
    table.finish(keys::players);
    let (min, max) = (min?, max?);
    Some(PlayerRange { min, max, default: default.unwrap_or(min) })
}

fn read_seats(game: &Table<'_>, players: Option<PlayerRange>) -> Vec<Seat> {
    let Some(node) = game.need("seats") else { return Vec::new() };
    let elements = node.list(false).unwrap_or_default();
    let mut seats: Vec<Seat> = Vec::new();
    for (at, element) in elements.iter().enumerate() {
        let Some(table) = element.table(format!("seat {}", at + 1)) else { continue };
        let seat = Seat {
            name: table.need_text("name"),
            colour: table.get("colour").map(|node| colour::read(&node)).unwrap_or_default(),
        };
        if seats.iter().any(|other| other.name == seat.name) && !seat.name.is_empty() {
            table.fault("duplicate", format!("two seats are named `{}`", seat.name), None);
        }
        table.finish(keys::seat);
        seats.push(seat);
    }
    let most = players.map_or(0, |players| usize::from(players.max));
    if elements.len() < most {
        let message = format!("{} must have at least {most} entries, not {}", node.what, elements.len());
        node.fault("wrong-length", message, Some("add a `[[seats]]` table for each possible player".to_owned()));
    }
    seats
}

/// Reports zones of tokens and token counters whose kinds have no tokens.
fn check_tokens(game: &Table<'_>, names: &Names, known: &Declarations) {
    let without = |kind: usize| known.kinds.get_index(kind).is_some_and(|(_, kind)| !kind.tokens);
    let report = |section: &str, key: &str, name: &str, kind: usize| {
        let kind = names.kinds.get_index(kind).map_or("", String::as_str);
        let table = game.get(section).and_then(|node| node.table("")).and_then(|table| table.get(name));
        let Some(node) = table.and_then(|node| node.table("")).and_then(|table| table.get(key)) else { return };
        let message = format!("`{key}` of `{name}` is kind `{kind}`, which has no tokens");
        node.fault("wrong-holder", message, Some(format!("remove `tokens = false` from kind `{kind}`")));
    };
    for (name, counter) in &known.counters {
        if let Holder::Token(kind) = counter.per
            && without(kind)
        {
            report("counters", "per", name, kind);
        }
    }
    for (name, zone) in &known.zones {
        for kind in zone.holds.iter().copied().filter(|kind| without(*kind)) {
            report("zones", "holds", name, kind);
        }
    }
}
