//! One card in full.

use std::io::Write;

use motherlode::declare::{Value, VerbCall};
use serde_json::{Value as Json, json};

use super::{Card, words};
use crate::fault::Fault;
use crate::paint;

/// Draws a card with where everything of it stands.
pub fn draw(out: &mut dyn Write, card: &Card<'_>) -> Result<(), Fault> {
    let (strong, faint) = (paint::strong(), paint::faint());
    let one = card.definition;
    writeln!(out, "{strong}{}{strong:#}  {}.{}", one.name, card.deck.name, one.id)?;
    writeln!(out, "{faint}{}:{}{faint:#}", one.place.file, one.place.line)?;
    if !one.text.is_empty() {
        writeln!(out, "{}", one.text)?;
    }
    let mut table = paint::plain_table();
    if card.deck.kind.tokens {
        table.add_row(["copies".to_owned(), one.copies.to_string(), String::new()]);
    }
    for (name, attribute, value) in card.attributes() {
        table.add_row([name.to_owned(), words(value), attribute.text.clone()]);
    }
    for (hook, calls) in &one.verbs {
        let place = calls.first().map(|call| format!("{}:{}", call.place.file, call.place.line));
        table.add_row([hook.clone(), effect(calls), place.unwrap_or_default()]);
    }
    for function in card.functions() {
        table.add_row([function.name.clone(), "function".to_owned(), format!("{}:{}", function.file, function.line)]);
    }
    if !table.is_empty() {
        writeln!(out, "{}", table.trim_fmt())?;
    }
    writeln!(out)?;
    Ok(())
}

/// `gain 2 coins; advance 1`.
fn effect(calls: &[VerbCall]) -> String {
    let call = |call: &VerbCall| {
        let args = call.args.values().map(words).collect::<Vec<_>>().join(", ");
        format!("{} {args}", call.verb).trim_end().to_owned()
    };
    calls.iter().map(call).collect::<Vec<_>>().join("; ")
}

/// A card as data.
pub fn data(card: &Card<'_>) -> Json {
    let one = card.definition;
    let attributes: serde_json::Map<String, Json> =
        card.attributes().map(|(name, _, value)| (name.to_owned(), json!(value))).collect();
    let calls = |calls: &Vec<VerbCall>| -> Vec<Json> {
        calls.iter().map(|call| json!({ &call.verb: Value::Map(call.args.clone()) })).collect()
    };
    let effects: serde_json::Map<String, Json> =
        one.verbs.iter().map(|(hook, list)| (hook.clone(), json!(calls(list)))).collect();
    let functions: serde_json::Map<String, Json> =
        card.functions().map(|place| (place.name.clone(), json!({ "file": place.file, "line": place.line }))).collect();
    json!({
        "deck": card.deck.name,
        "id": one.id,
        "name": one.name,
        "text": one.text,
        "copies": card.deck.kind.tokens.then_some(one.copies),
        "attributes": attributes,
        "effects": effects,
        "functions": functions,
        "place": one.place,
    })
}
