//! Rows of counters and piles of cards, of players and of the game.

use motherlode::declare::{Counter, Definition, Domain, Holder, Show, Value as Printed, Visibility, Zone};
use motherlode::{AttributeView, ByName, CounterView, Observation, ZoneView};
use motherlode_content::sentence::within;

use crate::face;
use crate::names::{GameNames, label};
use crate::view::{Amount, Card, CardPlace, FACE_DOWN, Form, Pile, Row, Value};

/// The rows of player counters, with one value per seat.
pub fn of_players(names: &GameNames<'_>, seen: &Observation, over: bool) -> Vec<Row> {
    let holders: Vec<&ByName<CounterView>> = seen.players.iter().map(|seat| &seat.counters).collect();
    let mut rows = rows(names, Holder::Player, &holders, over);
    // The score comes first.
    rows.sort_by_key(|row| !row.score);
    rows
}

/// The rows of game counters.
pub fn of_game(names: &GameNames<'_>, seen: &Observation, over: bool) -> Vec<Row> {
    rows(names, Holder::Game, &[&seen.game], over)
}

fn rows(names: &GameNames<'_>, per: Holder, holders: &[&ByName<CounterView>], over: bool) -> Vec<Row> {
    let counters = names.d.counters.iter().enumerate().filter(|(_, (name, counter))| {
        counter.per == per && !counter.internal && holders.iter().any(|holder| holder.contains_key(*name))
    });
    let mut groups: Vec<(&str, Vec<usize>)> = Vec::new();
    for (index, (name, counter)) in counters {
        let known = groups.iter_mut().find(|(group, _)| !counter.group.is_empty() && *group == counter.group);
        match known {
            Some((_, members)) => members.push(index),
            None => groups.push((if counter.group.is_empty() { name } else { &counter.group }, vec![index])),
        }
    }
    groups.into_iter().filter_map(|(group, counters)| row(names, group, &counters, holders, over)).collect()
}

/// The row of a group of counters; `None`: the row is hidden now.
fn row(
    names: &GameNames<'_>,
    group: &str,
    counters: &[usize],
    holders: &[&ByName<CounterView>],
    over: bool,
) -> Option<Row> {
    let d = names.d;
    let amounts = |holder: &&ByName<CounterView>| -> Vec<(Amount, ValueText)> {
        let one = |&index: &usize| {
            let (name, counter) = d.counters.get_index(index)?;
            let seen = holder.get(name)?;
            let word = names.word(index, seen);
            let meant = names.meant(index, seen).or_else(|| names.member_of(index));
            let face = meant.and_then(|one| face::id_of(d, one));
            let is_plain = counter.values.is_empty() && counter.means == Domain::Number && counter.unit == 0;
            let number = word.number.filter(|_| is_plain);
            let amount = Amount { id: name.clone(), label: names.short(index), text: word.text.clone(), number, face };
            Some((
                amount,
                ValueText { text: word.text.clone(), none: word.is_none(), hidden: word.hidden, colour: word.colour },
            ))
        };
        counters.iter().filter_map(one).collect()
    };
    let all: Vec<Vec<(Amount, ValueText)>> = holders.iter().map(amounts).collect();
    let (name, first) = d.counters.get_index(*counters.first()?)?;
    let none = all.iter().flatten().all(|(_, word)| word.none);
    if !is_shown(first.show, over, none) || all.iter().all(|amounts| amounts.is_empty()) {
        return None;
    }
    let alone = counters.len() == 1;
    let label = if alone && first.group.is_empty() { label(&first.text, name) } else { group.to_owned() };
    let score = d.outcome.score;
    let values = all.into_iter().map(|amounts| if alone { single(amounts) } else { together(amounts) }).collect();
    let transcript = first.transcript;
    let held = counters.iter().all(|&index| d.counters[index].show == Show::Held);
    Some(Row { id: name.clone(), label, score: counters.contains(&score), held, transcript, values })
}

/// The text and colour of a value while a row is built.
struct ValueText {
    text: String,
    none: bool,
    hidden: bool,
    colour: String,
}

fn single(amounts: Vec<(Amount, ValueText)>) -> Value {
    let Some((amount, word)) = amounts.into_iter().next() else {
        return Value { text: String::new(), colour: String::new(), none: true, amounts: Vec::new() };
    };
    Value { text: word.text, colour: word.colour, none: word.none, amounts: vec![amount] }
}

/// Joins the amounts of a group: `red 2, white 1`.
fn together(amounts: Vec<(Amount, ValueText)>) -> Value {
    let none = amounts.iter().all(|(_, word)| word.none);
    let hidden = amounts.iter().all(|(_, word)| word.hidden);
    let some = amounts.iter().filter(|(_, word)| !word.none && !word.hidden);
    // The label comes first, because it has no plural: `mine 3`.
    let words: Vec<String> = some.map(|(amount, _)| format!("{} {}", amount.label, amount.text)).collect();
    let text = match (hidden, words.is_empty()) {
        (true, _) => "?".to_owned(),
        (false, true) => "–".to_owned(),
        (false, false) => words.join(", "),
    };
    Value { text, colour: String::new(), none, amounts: amounts.into_iter().map(|(amount, _)| amount).collect() }
}

fn is_shown(show: Show, over: bool, none: bool) -> bool {
    match show {
        Show::Always => true,
        Show::Used | Show::Held => !none,
        Show::End => over,
        Show::Never => false,
    }
}

/// The piles of the game, then those of each seat.
pub fn piles(names: &GameNames<'_>, seen: &Observation, over: bool) -> Vec<Pile> {
    let game = pile_list(names, seen, Holder::Game, None, &seen.zones, over);
    let seats =
        seen.players.iter().flat_map(|seat| pile_list(names, seen, Holder::Player, Some(seat.seat), &seat.zones, over));
    game.into_iter().chain(seats).collect()
}

fn pile_list(
    names: &GameNames<'_>,
    seen: &Observation,
    per: Holder,
    seat: Option<u8>,
    zones: &ByName<ZoneView>,
    over: bool,
) -> Vec<Pile> {
    let declared = names.d.zones.iter().filter(|(_, zone)| zone.per == per && !zone.internal);
    let piles = declared.filter_map(|(name, zone)| {
        let view = zones.get(name)?;
        let cards = if view.count.is_some() { cards(names, seen, zone, view) } else { Vec::new() };
        is_shown(zone.show, over, cards.is_empty()).then(|| Pile {
            id: name.clone(),
            label: label(&zone.text, name),
            seat,
            form: form(names, name, zone, &cards),
            count: view.count,
            cards,
        })
    });
    piles.collect()
}

fn form(names: &GameNames<'_>, name: &str, zone: &Zone, cards: &[Card]) -> Form {
    let hidden = !cards.is_empty() && cards.iter().all(|card| card.face.is_none());
    let at = names.d.zones.get_index_of(name);
    let reshuffled = || names.d.zones.values().any(|other| other.reshuffle.is_some() && other.reshuffle == at);
    let chosen_from = zone.refill.is_some() || zone.size.is_some_and(|size| size > 1);
    match zone.visible {
        Visibility::Owner | Visibility::Secret | Visibility::Others => Form::Hand,
        Visibility::Count | Visibility::Nobody => Form::Deck,
        _ if reshuffled() => Form::Discard,
        Visibility::Face if hidden => Form::Deck,
        _ if zone.per == Holder::Game && chosen_from => Form::Display,
        _ => Form::Pile,
    }
}

fn cards(names: &GameNames<'_>, seen: &Observation, zone: &Zone, view: &ZoneView) -> Vec<Card> {
    let card = |(index, id): (usize, &Option<String>)| {
        let one = id.as_ref().and_then(|id| names.definition(id, &zone.holds));
        Card {
            face: one.and_then(|one| face::id_of(names.d, one)),
            name: one.map(|one| one.name.clone()).or_else(|| id.clone()).unwrap_or_default(),
            details: details(names, seen, (zone, view), index),
            place: counters(seen, view, index)
                .and_then(|of| of.iter().find_map(|(name, value)| place(names, name, value))),
        }
    };
    view.tokens.iter().enumerate().map(card).collect()
}

/// The state of one token: `face down`, `load 2`. Counters at 0 are left out.
fn details(names: &GameNames<'_>, seen: &Observation, (zone, view): (&Zone, &ZoneView), index: usize) -> Vec<String> {
    let mut words = Vec::new();
    if view.up.get(index) == Some(&false) {
        words.push(FACE_DOWN.to_owned());
    }
    if let Some(token) = view.numbers.get(index).copied().flatten() {
        let one = view.tokens.get(index).and_then(|id| names.definition(id.as_ref()?, &zone.holds));
        words.extend(changed_attributes(names, seen, token, one));
    }
    let Some(counters) = counters(seen, view, index) else { return words };
    for (name, value) in counters {
        let Some((index, _, counter)) = names.d.counters.get_full(name) else { continue };
        words.extend(detail(names, index, counter, value));
    }
    words
}

/// The attributes of a token that differ from its card: `attack 3 instead of 2`, `flying`, `no flying`.
pub(crate) fn changed_attributes(
    names: &GameNames<'_>,
    seen: &Observation,
    token: i32,
    one: Option<&Definition>,
) -> Vec<String> {
    let Some(current) = seen.current.get(&token) else { return Vec::new() };
    let printed = |name: &str| {
        let one = one?;
        let (_, kind) = names.d.kinds.get_index(one.kind)?;
        one.attributes.get(kind.attributes.get_index_of(name)?)
    };
    let text = |(name, value): (&String, &AttributeView)| {
        let label = name.replace('_', " ");
        match (value, printed(name)) {
            (AttributeView::Switch(true), _) => label,
            (AttributeView::Switch(false), _) => format!("no {label}"),
            (AttributeView::Number(number), Some(Printed::Integer(printed))) => {
                format!("{label} {number} instead of {printed}")
            }
            (AttributeView::Number(number), _) => format!("{label} {number}"),
        }
    };
    current.iter().map(text).collect()
}

/// The visible counters of a token: of one that the seat cannot identify, those of its place.
fn counters<'s>(seen: &'s Observation, view: &'s ZoneView, index: usize) -> Option<&'s ByName<CounterView>> {
    let number = view.numbers.get(index).copied().flatten();
    number.and_then(|number| seen.tokens.get(&number)).or_else(|| view.marks.get(&(index + 1).to_string()))
}

/// The cell that a token's counter points to.
fn place(names: &GameNames<'_>, name: &str, value: &CounterView) -> Option<CardPlace> {
    let (index, _, counter) = names.d.counters.get_full(name)?;
    let Domain::Cell(grid) = counter.means else { return None };
    let word = names.word(index, value);
    if counter.internal || counter.show == Show::Never || word.is_none() || word.hidden {
        return None;
    }
    let (board, _) = names.d.grids.get_index(grid)?;
    let CounterView::Name(cell) = value else { return None };
    // The part after `@` is the owner of the board.
    let cell = cell.split('@').next().unwrap_or(cell).to_owned();
    Some(CardPlace { label: within(&counter.text), board: board.clone(), cell, name: word.text })
}

/// A token's counter in words; `None`: nothing to show.
fn detail(names: &GameNames<'_>, index: usize, counter: &Counter, value: &CounterView) -> Option<String> {
    let word = names.word(index, value);
    let is_place = matches!(counter.means, Domain::Cell(_));
    if is_place || counter.internal || counter.show == Show::Never || word.is_none() || word.hidden {
        return None;
    }
    let label = within(&counter.text);
    // The name of a switch is enough: its value is 1.
    Some(if counter.values.is_empty() && counter.max == 1 { label } else { format!("{label} {}", word.text) })
}
