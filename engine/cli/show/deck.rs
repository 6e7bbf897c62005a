//! Draws a deck: a table of its cards and the distributions of its numbers.

use std::collections::BTreeMap;
use std::io::Write;

use motherlode::Pack;
use motherlode::declare::{Holder, Value};
use serde_json::{Value as Json, json};

use super::{Deck, value_text};
use crate::fault::Fault;
use crate::paint;
use crate::text_table::{Column, TextTable};

/// Minimum number of different values of a curve.
const MIN_VALUES: usize = 3;
/// Width of the longest bar, in columns.
const BAR: u32 = 24;

/// Draws a deck.
pub fn draw(out: &mut dyn Write, deck: &Deck<'_>, pack: &Pack) -> Result<(), Fault> {
    let (strong, faint) = (paint::strong(), paint::faint());
    let cards = deck.cards();
    let mut size = paint::plural(cards.len(), "definition");
    if deck.kind.tokens {
        let tokens: u32 = cards.iter().map(|card| u32::from(card.definition.copies)).sum();
        let each = if deck.kind.per == Holder::Player { " per player" } else { "" };
        size = format!("{size}, {}{each}", paint::plural(tokens, "token"));
    }
    let (title, file) = (&deck.kind.text, deck.file(pack));
    let fits = [title, &size, &file].iter().map(|part| part.chars().count() + 2).sum::<usize>() <= paint::width() + 2;
    let gap = if fits { "  " } else { "\n" };
    writeln!(out, "{strong}{title}{strong:#}  {size}{gap}{faint}{file}{faint:#}")?;
    // Leave out attributes that no card sets.
    let shown: Vec<(usize, &str)> = deck
        .kind
        .attributes
        .keys()
        .enumerate()
        .filter(|(at, _)| cards.iter().any(|card| !is_unset(&card.definition.attributes[*at])))
        .map(|(at, name)| (at, name.as_str()))
        .collect();
    // Print an attribute that all cards share once, above the table.
    let same = |at: usize| {
        cards.len() > 1
            && cards.windows(2).all(|two| two[0].definition.attributes[at] == two[1].definition.attributes[at])
    };
    let (common, shown): (Vec<_>, Vec<_>) = shown.into_iter().partition(|(at, _)| same(*at));
    let mut common: Vec<String> = cards.first().map_or_else(Vec::new, |card| {
        let value = |(at, name): &(usize, &str)| format!("{name} {}", value_text(&card.definition.attributes[*at]));
        common.iter().map(value).collect()
    });
    let copies = cards.first().map_or(1, |card| card.definition.copies);
    let one_number = cards.iter().all(|card| card.definition.copies == copies);
    if deck.kind.tokens && one_number && cards.len() > 1 {
        common.insert(0, format!("copies {copies}"));
    }
    if !common.is_empty() {
        for line in paint::wrapped(&format!("all cards: {}", common.join(", ")), paint::width()) {
            writeln!(out, "{line}")?;
        }
    }
    let column = |title: &str, numbers: bool, cells: Vec<String>| Column { title: title.to_owned(), numbers, cells };
    let texts = |cell: &dyn Fn(&super::Card<'_>) -> String| cards.iter().map(cell).collect::<Vec<_>>();
    let mut columns = vec![
        column("id", false, texts(&|card| card.definition.id.clone())),
        column("name", false, texts(&|card| card.definition.name.clone())),
    ];
    if deck.kind.tokens && !one_number {
        columns.push(column("copies", true, texts(&|card| card.definition.copies.to_string())));
    }
    for (at, name) in &shown {
        let value = |card: &super::Card<'_>| card.definition.attributes[*at].clone();
        let numbers = cards.iter().all(|card| matches!(value(card), Value::Integer(_)));
        let cells = texts(&|card| if is_unset(&value(card)) { String::new() } else { value_text(&value(card)) });
        columns.push(column(name, numbers, cells));
    }
    // Parentheses mark effects in the script.
    let effects = texts(&|card| {
        let functions = card.functions().map(|function| format!("({})", function.name));
        card.definition.verbs.keys().cloned().chain(functions).collect::<Vec<_>>().join(", ")
    });
    if effects.iter().any(|effect| !effect.is_empty()) {
        columns.push(column("effects", false, effects));
    }
    TextTable { columns, title: "text", texts: texts(&|card| card.definition.text.clone()) }.draw(out)?;
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

/// Counts each value of each number in the deck, including copies. Leaves out numbers whose values are all equally frequent.
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
    let flat = |curve: &BTreeMap<i32, u32>| curve.values().all(|count| Some(count) == curve.values().next());
    curves.retain(|_, curve| curve.len() >= MIN_VALUES && !flat(curve));
    curves
}

/// A deck in JSON.
pub fn data(deck: &Deck<'_>, pack: &Pack) -> Json {
    let cards: Vec<Json> = deck.cards().iter().map(super::card::data).collect();
    json!({
        "deck": deck.name,
        "name": deck.kind.text,
        "file": deck.file(pack),
        "tokens": deck.kind.tokens,
        "curves": curves(deck),
        "cards": cards,
    })
}

fn is_unset(value: &Value) -> bool {
    match value {
        Value::Boolean(value) => !value,
        Value::Text(text) => text.is_empty(),
        Value::List(list) => list.is_empty(),
        Value::Map(map) => map.is_empty(),
        Value::Integer(_) | Value::Formula(_) => false,
    }
}
