//! The methods of `t` about events and current values.

use mlua::{Lua, Value};
use motherlode::declare::{Event, EventArg};
use motherlode::tools::EmittedEvent;

use super::case::{Args, Case};
use super::names::Names;
use super::suggest::did_you_mean;
use super::values::{self, Word};

type Done = Result<Value, String>;

/// Maximum events that a failure shows.
const LAST_EVENTS: usize = 8;

/// `t.emitted("damage", { to = "bear@2", amount = 3 }, 1)`: checks that an event, or a part of one, happened since
/// `t.setup`; without a number, at least once.
pub(super) fn emitted(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(3)?;
    let name = args.text(0, "event")?;
    let wanted = args.get(1);
    let times = match args.get(2) {
        Value::Nil => None,
        times => Some(values::number(&times, "times")?),
    };
    let all = case.events()?.to_vec();
    case.names(|names| {
        let events = &names.declarations().events;
        let Some((number, _, event)) = events.get_full(&name) else {
            return Err(format!("unknown event `{name}`{}", did_you_mean(&name, events.keys().map(String::as_str))));
        };
        let wanted = if wanted.is_nil() { Vec::new() } else { arguments(names, &name, event, &wanted)? };
        let happened = all.iter().filter(|one| one.event == number);
        let fits = |one: &&EmittedEvent| wanted.iter().all(|(arg, value)| one.args.get(*arg) == Some(value));
        let found = happened.clone().filter(fits).count();
        if times.map_or(found > 0, |times| usize::try_from(times) == Ok(found)) {
            return Ok(Value::Nil);
        }
        let shown: Vec<String> = happened.map(|one| format!("\n  event: {name} {}", show(names, event, one))).collect();
        let expected = times.map_or_else(|| "at least 1".to_owned(), |times| times.to_string());
        let last = shown[shown.len().saturating_sub(LAST_EVENTS)..].concat();
        Err(format!("events `{name}` with these arguments: {found}, expected {expected}{last}"))
    })
}

/// The arguments of an event as written in a test, as numbers of the engine.
fn arguments(names: &Names, name: &str, event: &Event, given: &Value) -> Result<Vec<(usize, i32)>, String> {
    let known: Vec<&str> = event.args.keys().map(String::as_str).collect();
    let mut found = Vec::new();
    for (arg, value) in values::fields(given, &format!("event `{name}`"), &known)? {
        let Some((index, _, of)) = event.args.get_full(&arg) else { continue };
        let word = values::word(&value, &arg)?;
        let number = |index: usize| i32::try_from(index + 1).map_err(|error| error.to_string());
        let value = match (of, &word) {
            (_, Word::Text(text)) if text == "none" => 0,
            (EventArg::Token, word) => names.token(word)?,
            (EventArg::Player, word) => names.player(word)?,
            (EventArg::Zone, Word::Text(zone)) => number(names.zone(zone)?)?,
            (EventArg::Counter, Word::Text(counter)) => number(names.counter(counter)?)?,
            (EventArg::Phase, Word::Text(phase)) => number(names.phase(phase)?)?,
            (EventArg::Integer, Word::Number(number)) => *number,
            (_, word) => return Err(format!("argument `{arg}` of event `{name}` cannot be `{word}`")),
        };
        found.push((index, value));
    }
    Ok(found)
}

/// An event in test syntax: `{ to = bear, amount = 3 }`.
fn show(names: &Names, event: &Event, one: &EmittedEvent) -> String {
    let d = names.declarations();
    let index = |value: i32| usize::try_from(value - 1).unwrap_or(usize::MAX);
    let shown = |((name, of), value): ((&String, &EventArg), &i32)| {
        let value = match (of, *value) {
            (EventArg::Integer, value) => value.to_string(),
            (_, 0) => return None,
            (EventArg::Token, token) => names.id(token).to_owned(),
            (EventArg::Player, player) => player.to_string(),
            (EventArg::Zone, zone) => d.zones.get_index(index(zone))?.0.clone(),
            (EventArg::Counter, counter) => d.counters.get_index(index(counter))?.0.clone(),
            (EventArg::Phase, phase) => d.phases.get_index(index(phase))?.0.clone(),
        };
        Some(format!("{name} = {value}"))
    };
    let shown: Vec<String> = event.args.iter().zip(&one.args).filter_map(shown).collect();
    format!("{{ {} }}", shown.join(", "))
}

/// `t.value("bear@1", "attack")`: the current value of an attribute.
pub(super) fn value(case: &mut Case, lua: &Lua, args: &Args) -> Done {
    args.at_most(2)?;
    let (word, attribute) = (args.word(0, "token")?, args.text(1, "attribute")?);
    let token = case.names(|names| names.token(&word))?;
    case.work(10)?;
    let Some(value) = case.current_match()?.current_value(token, &attribute) else {
        let all = case.game.declarations().kinds.values().flat_map(|kind| kind.attributes.keys());
        return Err(format!(
            "`{word}` has no attribute `{attribute}`{}",
            did_you_mean(&attribute, all.map(String::as_str))
        ));
    };
    values::from_content(lua, &value).map_err(|error| error.to_string())
}

/// `t.current("bear@1", "attack", 4)`: checks the current value of an attribute.
pub(super) fn current(case: &mut Case, lua: &Lua, args: &Args) -> Done {
    args.at_most(3)?;
    let read = Args { method: args.method, values: args.values.iter().take(2).cloned().collect() };
    let (got, expected) = (value(case, lua, &read)?, args.get(2));
    let (equal, _) = values::equal(&got, &expected);
    if equal? {
        return Ok(Value::Nil);
    }
    let (token, attribute) = (args.word(0, "token")?, args.text(1, "attribute")?);
    Err(format!("{attribute} of {token} is {}, expected {}", values::show(&got), values::show(&expected)))
}
