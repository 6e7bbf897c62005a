//! A deck: a table of its cards, and how its numbers are spread.

use std::collections::BTreeMap;
use std::io::Write;

use comfy_table::{Cell, CellAlignment, ColumnConstraint, Width};
use motherlode::declare::{Holder, Value};
use serde_json::{Value as Json, json};

use super::{Deck, words};
use crate::fault::Fault;
use crate::paint;

/// A deck with fewer values than this has no curve worth a line.
const FEWEST: usize = 3;
/// Width of the longest bar.
const BAR: u32 = 24;
/// A rules text is never set narrower than this.
const TEXT: u16 = 28;

/// Draws a deck.
pub fn draw(out: &mut dyn Write, deck: &Deck<'_>) -> Result<(), Fault> {
    let (strong, faint) = (paint::strong(), paint::faint());
    let cards = deck.cards();
    let mut size = paint::plural(cards.len(), "definition");
    if deck.kind.tokens {
        let tokens: u32 = cards.iter().map(|card| u32::from(card.definition.copies)).sum();
        let each = if deck.kind.per == Holder::Player { " a player" } else { "" };
        size = format!("{size}, {}{each}", paint::plural(tokens, "token"));
    }
    writeln!(out, "{strong}{}{strong:#}  {size}  {faint}{}{faint:#}", deck.kind.text, deck.file())?;
    // What no card has needs no column.
    let shown: Vec<(usize, &str)> = deck
        .kind
        .attributes
        .keys()
        .enumerate()
        .filter(|(at, _)| cards.iter().any(|card| !says_nothing(&card.definition.attributes[*at])))
        .map(|(at, name)| (at, name.as_str()))
        .collect();
    // What is the same on all of them is said once.
    let same = |at: usize| {
        cards.len() > 1
            && cards.windows(2).all(|two| two[0].definition.attributes[at] == two[1].definition.attributes[at])
    };
    let (common, shown): (Vec<_>, Vec<_>) = shown.into_iter().partition(|(at, _)| same(*at));
    if let Some(card) = cards.first().filter(|_| !common.is_empty()) {
        let value = |(at, name): &(usize, &str)| format!("{name} {}", words(&card.definition.attributes[*at]));
        writeln!(out, "all of them: {}", common.iter().map(value).collect::<Vec<_>>().join(", "))?;
    }
    let hooks = cards.iter().any(|card| !card.definition.verbs.is_empty() || card.functions().next().is_some());
    let texts = cards.iter().any(|card| !card.definition.text.is_empty());
    let mut header = vec!["id".to_owned(), "name".to_owned()];
    header.extend(deck.kind.tokens.then(|| "copies".to_owned()));
    header.extend(shown.iter().map(|(_, name)| (*name).to_owned()));
    header.extend(hooks.then(|| "effects".to_owned()));
    header.extend(texts.then(|| "text".to_owned()));
    let mut table = paint::table();
    table.set_header(header);
    for card in &cards {
        let mut row = vec![Cell::new(&card.definition.id), Cell::new(&card.definition.name)];
        row.extend(deck.kind.tokens.then(|| right(card.definition.copies)));
        row.extend(shown.iter().map(|(at, _)| match &card.definition.attributes[*at] {
            Value::Integer(number) => right(number),
            value if says_nothing(value) => Cell::new(""),
            value => Cell::new(words(value)),
        }));
        let verbs = card.definition.verbs.keys().cloned();
        // In brackets: the effect stands in the script.
        let functions = card.functions().map(|function| format!("({})", function.name));
        row.extend(hooks.then(|| Cell::new(verbs.chain(functions).collect::<Vec<_>>().join(", "))));
        row.extend(texts.then(|| Cell::new(&card.definition.text)));
        table.add_row(row);
    }
    if let Some(column) = table.column_mut(0) {
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    let last = if texts { table.column_count().checked_sub(1) } else { None };
    if let Some(column) = last.and_then(|last| table.column_mut(last)) {
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(TEXT)));
    }
    writeln!(out, "{}", table.trim_fmt())?;
    for (name, curve) in curves(deck) {
        draw_curve(out, &name, &curve)?;
    }
    writeln!(out)?;
    Ok(())
}

fn draw_curve(out: &mut dyn Write, name: &str, curve: &BTreeMap<i32, u32>) -> Result<(), Fault> {
    let tokens: u32 = curve.values().sum();
    let sum: i64 = curve.iter().map(|(value, count)| i64::from(*value) * i64::from(*count)).sum();
    let strong = paint::strong();
    writeln!(out, "{strong}{name}{strong:#}: mean {:.2}", sum as f64 / f64::from(tokens.max(1)))?;
    let most = curve.values().copied().max().unwrap_or(1).max(1);
    for (value, count) in curve {
        let bar = "▇".repeat((count * BAR).div_ceil(most) as usize);
        writeln!(out, "{value:>6} {bar} {count}")?;
    }
    Ok(())
}

/// How often each value of each number stands in the deck, copies counted.
fn curves(deck: &Deck<'_>) -> BTreeMap<String, BTreeMap<i32, u32>> {
    let mut curves: BTreeMap<String, BTreeMap<i32, u32>> = BTreeMap::new();
    let cards = deck.cards();
    for card in &cards {
        let copies = if deck.kind.tokens { u32::from(card.definition.copies) } else { 1 };
        for (name, _, value) in card.attributes() {
            match value {
                Value::Integer(number) => {
                    *curves.entry(name.to_owned()).or_default().entry(*number).or_default() += copies;
                }
                Value::Map(map) => {
                    for (key, value) in map {
                        if let Value::Integer(number) = value {
                            *curves.entry(format!("{name}.{key}")).or_default().entry(*number).or_default() += copies;
                        }
                    }
                }
                _ => {}
            }
        }
    }
    curves.retain(|_, curve| curve.len() >= FEWEST);
    curves
}

/// A deck as data.
pub fn data(deck: &Deck<'_>) -> Json {
    let cards: Vec<Json> = deck.cards().iter().map(super::card::data).collect();
    json!({
        "deck": deck.name,
        "name": deck.kind.text,
        "file": deck.file(),
        "tokens": deck.kind.tokens,
        "curves": curves(deck),
        "cards": cards,
    })
}

fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Boolean(value) => !value,
        Value::Text(text) => text.is_empty(),
        Value::List(list) => list.is_empty(),
        Value::Map(map) => map.is_empty(),
        Value::Integer(_) => false,
    }
}

fn right(text: impl ToString) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}
