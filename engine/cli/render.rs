//! An observation drawn for people, from the JSON that programs get and from declared labels and colours.

use std::fmt::Write as _;

use comfy_table::Cell;
use motherlode::declare::{Counter, Declarations, Domain, Holder, MEMBER, Zone};
use motherlode::{Game, Observation, Outcome};
use serde_json::{Map, Value};

use crate::board::Board;
use crate::{board, paint};

/// Draws what a seat may know, or the full state.
pub fn observation(game: &Game, seen: &Observation) -> String {
    // An observation is plain data with text keys, which always has a JSON form.
    let seen = serde_json::to_value(seen).unwrap_or_default();
    let mut text = String::new();
    boards(&mut text, game, &seen);
    players(&mut text, game.declarations(), &seen);
    table(&mut text, game.declarations(), &seen);
    text
}

/// `Round 3 · Action`.
pub fn heading(game: &Declarations, round: i32, phase: &str) -> String {
    let name = game.phases.get(phase).map_or(phase, |phase| &phase.name);
    let strong = paint::strong();
    if round > 0 { format!("{strong}Round {round} · {name}{strong:#}") } else { format!("{strong}{name}{strong:#}") }
}

fn boards(text: &mut String, game: &Game, seen: &Value) {
    let declared = game.declarations();
    let mut grids = Vec::new();
    for (index, (name, grid)) in declared.grids.iter().enumerate() {
        let label = label(&grid.text, name);
        grids.push(match seen.get("grids").and_then(|grids| grids.get(name)) {
            Some(Value::Array(each)) => {
                let of = |seat| paint::seat(declared, seat);
                let board = |(one, seat)| (format!("{label} of {}", of(seat)), board::draw(game, index, cells(one)));
                each.iter().zip(0..).map(board).collect()
            }
            Some(one) => vec![(label.to_string(), board::draw(game, index, cells(one)))],
            None => Vec::new(),
        });
    }
    // A game may have a grid for each number of players: the unused ones are left out.
    let blank = |boards: &[(String, Board)]| boards.iter().all(|(_, board)| board.blank);
    let used = !grids.iter().all(|boards| blank(boards));
    for (label, board) in grids.iter().filter(|boards| !used || !blank(boards)).flatten() {
        let strong = paint::strong();
        // Writing to a string does not fail.
        let _ = writeln!(text, "{strong}{label}{strong:#}\n{}", board.picture);
    }
}

fn cells(grid: &Value) -> &Map<String, Value> {
    static NONE: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    grid.get("cells").and_then(Value::as_object).unwrap_or(&NONE)
}

/// A column for each player, a row for each counter or zone.
fn players(text: &mut String, declared: &Declarations, seen: &Value) {
    let none = Vec::new();
    let seats = seen.get("players").and_then(Value::as_array).unwrap_or(&none);
    let mut table = paint::table();
    let mut header = vec![Cell::new("")];
    for (number, seat) in seats.iter().enumerate() {
        let number = u8::try_from(number).unwrap_or(u8::MAX);
        let colour = declared.seats.get(usize::from(number)).map_or("", |seat| &seat.colour);
        let mut name = paint::seat_name(declared, number);
        if seen.get("seat").and_then(Value::as_u64) == Some(u64::from(number)) {
            name.push_str(" (you)");
        }
        if seat.get("in") == Some(&Value::Bool(false)) {
            name.push_str(" (out)");
        }
        header.push(paint::cell(name, colour));
    }
    table.set_header(header);
    let shown = |counter: &Counter, per| counter.per == per && !counter.internal;
    for (name, counter) in declared.counters.iter().filter(|(_, counter)| shown(counter, Holder::Player)) {
        let values: Vec<&Value> = seats.iter().map(|seat| named(&seat["counters"], name)).collect();
        // A counter that nobody sees gets no row.
        if values.iter().any(|value| !value.is_null()) {
            let row = values.iter().map(|value| amount(declared, counter, value));
            table.add_row(std::iter::once(Cell::new(label(&counter.text, name))).chain(row));
        }
    }
    let shown = |zone: &Zone, per| zone.per == per && !zone.internal;
    for (name, zone) in declared.zones.iter().filter(|(_, zone)| shown(zone, Holder::Player)) {
        // The zone may exist in other setups only.
        if seats.iter().all(|seat| named(&seat["zones"], name).is_null()) {
            continue;
        }
        let row = seats.iter().map(|seat| Cell::new(tokens(declared, zone, named(&seat["zones"], name), seen)));
        table.add_row(std::iter::once(Cell::new(label(&zone.text, name))).chain(row));
    }
    if !table.is_empty() {
        let _ = writeln!(text, "{}", table.trim_fmt());
    }
}

/// What belongs to the game: one line for each counter or zone.
fn table(text: &mut String, declared: &Declarations, seen: &Value) {
    let mut table = paint::plain_table();
    let shown = |counter: &Counter| counter.per == Holder::Game && !counter.internal;
    for (name, counter) in declared.counters.iter().filter(|(_, counter)| shown(counter)) {
        let value = named(&seen["game"], name);
        if !value.is_null() {
            table.add_row([Cell::new(label(&counter.text, name)), amount(declared, counter, value)]);
        }
    }
    let shown = |zone: &Zone| zone.per == Holder::Game && !zone.internal;
    for (name, zone) in declared.zones.iter().filter(|(_, zone)| shown(zone)) {
        let pile = named(&seen["zones"], name);
        if !pile.is_null() {
            table.add_row([Cell::new(label(&zone.text, name)), Cell::new(tokens(declared, zone, pile, seen))]);
        }
    }
    if !table.is_empty() {
        let _ = writeln!(text, "{}", table.trim_fmt());
    }
}

/// A counter or zone by its full name; the members of a family stand in a table of their own. `null` if there is none.
fn named<'a>(all: &'a Value, name: &str) -> &'a Value {
    match name.split_once(MEMBER) {
        Some((family, id)) => &all[family][id],
        None => &all[name],
    }
}

fn label<'a>(text: &'a str, name: &'a str) -> &'a str {
    if text.is_empty() { name } else { text }
}

/// The value of a counter, in the colour of the value or of the player that it means.
fn amount(declared: &Declarations, counter: &Counter, value: &Value) -> Cell {
    if let Some(seat) = value.get("seat") {
        let seat = seat.as_u64().and_then(|seat| u8::try_from(seat).ok());
        return seat.map_or_else(
            || Cell::new("-"),
            |seat| {
                let colour = declared.seats.get(usize::from(seat)).map_or("", |seat| &seat.colour);
                paint::cell(paint::seat_name(declared, seat), colour)
            },
        );
    }
    let number = match value {
        Value::String(name) => counter.values.iter().position(|value| value == name),
        _ => value.as_u64().and_then(|number| usize::try_from(number).ok()),
    };
    let colour = number.and_then(|number| counter.colours.get(number)).map_or("", String::as_str);
    let text = match value {
        Value::Null => "?".to_string(),
        Value::String(id) if counter.means == Domain::Token => {
            let found = declared.definitions.iter().find(|one| one.id == *id);
            found.map_or_else(|| id.clone(), |one| label(&one.name, id).to_string())
        }
        Value::String(name) => name.clone(),
        other => other.to_string(),
    };
    paint::cell(text, colour)
}

/// `Mine ×2, Saloon, 3 hidden`, bottom first.
fn tokens(declared: &Declarations, zone: &Zone, pile: &Value, seen: &Value) -> String {
    let count = pile.get("count").and_then(Value::as_u64);
    let list = pile.get("tokens").and_then(Value::as_array).filter(|_| count.is_some());
    let Some(list) = list else { return "?".to_string() };
    let mut runs: Vec<(Option<String>, usize)> = Vec::new();
    for (index, token) in list.iter().enumerate() {
        let name = token.as_str().map(|id| {
            let name = token_name(declared, zone, id);
            format!("{name}{}", details(declared, pile, index, seen))
        });
        match runs.last_mut() {
            Some((last, times)) if *last == name => *times += 1,
            _ => runs.push((name, 1)),
        }
    }
    let word = |(name, times): &(Option<String>, usize)| match (name, times) {
        (None, times) => format!("{times} hidden"),
        (Some(name), 1) => name.clone(),
        (Some(name), times) => format!("{name} ×{times}"),
    };
    if runs.is_empty() { "-".to_string() } else { runs.iter().map(word).collect::<Vec<_>>().join(", ") }
}

/// What is special about one token: ` (face down, Load 2)`; counters at 0 are left out.
fn details(declared: &Declarations, pile: &Value, index: usize, seen: &Value) -> String {
    let mut words = Vec::new();
    if pile["up"][index] == Value::Bool(false) {
        words.push("face down".to_string());
    }
    let counters = pile["numbers"][index].as_i64().map(|number| &seen["tokens"][number.to_string()]);
    for (name, counter) in counters.iter().flat_map(|_| &declared.counters).filter(|(_, counter)| !counter.internal) {
        let label = label(&counter.text, name);
        match counters.map_or(&Value::Null, |counters| named(counters, name)) {
            Value::String(value) if counter.means == Domain::Number || value != "none" => {
                words.push(format!("{label} {value}"))
            }
            Value::Number(number) if number.as_i64() != Some(0) => words.push(format!("{label} {number}")),
            Value::Object(player) => {
                let seat = player.get("seat").and_then(Value::as_u64).and_then(|seat| u8::try_from(seat).ok());
                words.extend(seat.map(|seat| format!("{label} {}", paint::seat_name(declared, seat))));
            }
            _ => {}
        }
    }
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}

fn token_name<'a>(declared: &'a Declarations, zone: &Zone, id: &'a str) -> &'a str {
    let found = declared.definitions.iter().find(|one| one.id == id && zone.holds.contains(&one.kind));
    found.map_or(id, |one| label(&one.name, id))
}

/// The final ranking, best first.
pub fn outcome(declared: &Declarations, outcome: &Outcome, seats: &[String]) -> String {
    let mut order: Vec<usize> = (0..outcome.ranks.len()).collect();
    let team = |seat: usize| outcome.teams.get(seat).copied().unwrap_or_default();
    order.sort_by_key(|&seat| (outcome.ranks[seat], team(seat)));
    let mut table = paint::table();
    let counter_label = |counter: usize, other: &'static str| {
        declared.counters.get_index(counter).map_or(other, |(name, counter)| label(&counter.text, name))
    };
    let score = counter_label(declared.outcome.score, "Score");
    let teams = declared.outcome.teams.filter(|_| !outcome.teams.is_empty());
    // Of a cooperative game there is one result, which stands above the table.
    let alone = outcome.won.is_none();
    let header = [alone.then_some("Place"), Some("Player"), Some("Played by")];
    let header = header.into_iter().chain([teams.map(|teams| counter_label(teams, "Team")), alone.then_some(score)]);
    table.set_header(header.flatten());
    for seat in order {
        let number = u8::try_from(seat).unwrap_or(u8::MAX);
        let colour = declared.seats.get(seat).map_or("", |seat| &seat.colour);
        let points = outcome.scores.get(seat).map(ToString::to_string).unwrap_or_default();
        let cells = [
            alone.then(|| Cell::new(outcome.ranks[seat])),
            Some(paint::cell(paint::seat_name(declared, number), colour)),
            Some(Cell::new(seats.get(seat).map_or("", String::as_str))),
            teams.map(|counter| team_cell(declared, counter, team(seat))),
            alone.then(|| Cell::new(points)),
        ];
        table.add_row(cells.into_iter().flatten());
    }
    let strong = paint::strong();
    let rounds = paint::plural(outcome.rounds, "round");
    // The usual end, by the rules, needs no reason.
    let reason = if outcome.reason == "script" { String::new() } else { format!(" ({})", outcome.reason) };
    let points = outcome.scores.first().copied().unwrap_or_default();
    let result = match outcome.won {
        Some(won) => format!("{strong}{}{strong:#}, {score}: {points}\n", if won { "Won" } else { "Lost" }),
        None => String::new(),
    };
    format!("{strong}The game is over{strong:#} after {rounds}{reason}\n{result}{}\n", table.trim_fmt())
}

/// A team: the name of the counter's value, if it has one.
fn team_cell(declared: &Declarations, counter: usize, team: i32) -> Cell {
    let counter = declared.counters.get_index(counter).map(|(_, counter)| counter);
    let at = usize::try_from(team).ok();
    let of = |list: &'_ Vec<String>| at.and_then(|at| list.get(at)).cloned();
    let name = counter.and_then(|counter| of(&counter.values)).unwrap_or_else(|| team.to_string());
    paint::cell(name, &counter.and_then(|counter| of(&counter.colours)).unwrap_or_default())
}
