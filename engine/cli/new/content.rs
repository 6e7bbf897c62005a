//! Skeletons of what a game is made of: each as short as it can be, with what else there is as comments.

use std::fmt::Write as _;

use motherlode::declare::{Attribute, AttributeType, Declarations, Holder, Kind, Value, Verb, VerbCall};

use super::plan::Plan;
use super::{kinds, label, some_counter, taken};
use crate::fault::Fault;
use crate::paint;

/// Column at which comments begin.
const COMMENT: usize = 40;
/// Width of a skeleton, in columns.
const WIDTH: usize = 120;
/// What is said of a text beside hooks.
const TEXT: &str = "what is printed on it, if it says more than its verbs; {verbs} stands for what they say";

/// A kind, and its file with a first definition.
pub fn kind(mut plan: Plan, d: &Declarations, name: &str) -> Result<Plan, Fault> {
    if d.kinds.contains_key(name) {
        return Err(taken("kind", name));
    }
    let mut block = format!("[kinds.{name}]\n");
    commented(&mut block, &format!("text = \"{}\"", label(name)), &format!("the definitions are in {name}.toml"));
    commented(&mut block, "tokens = true", "false: definitions only, such as a price list");
    commented(&mut block, "# per = \"player\"", "every player has a set of tokens");
    commented(&mut block, "# zone = \"deck\"", "where the tokens start; the zone must hold this kind");
    commented(&mut block, "# shuffle = true", "that zone is shuffled at the start");
    let _ = writeln!(block, "[kinds.{name}.attributes]");
    let example = "# cost = { type = \"integer\", min = 0, max = 9, default = 0, text = \"Price\" }";
    let _ = writeln!(block, "{example}");
    let _ = writeln!(block, "[kinds.{name}.hooks]");
    commented(&mut block, "# play = [\"player\"]", "effects a definition may have, and what they are called with");
    plan.append(format!("content/{}/game.toml", d.id), &block)?;
    let counter = some_counter(d);
    let mut first = format!("[first_of_{name}]\nname = \"First of {name}\"\n");
    commented(&mut first, "# text = \"\"", "what is printed on it; default: what its verbs say");
    commented(&mut first, "# copies = 2", "tokens of it");
    commented(
        &mut first,
        &format!("# play = [{{ gain = {{ {counter} = 1 }} }}]"),
        "a list of verbs, once the hook is declared",
    );
    plan.create(format!("content/{}/{name}.toml", d.id), first)?;
    Ok(plan)
}

/// A definition of a kind; with functions for its hooks if `script`.
pub fn card(mut plan: Plan, d: &Declarations, kind_name: &str, id: &str, script: bool) -> Result<Plan, Fault> {
    let Some((index, kind_name, kind)) = kinds::find(d, kind_name) else {
        return Err(kinds::unknown(d, kind_name, &[]));
    };
    if d.definitions.iter().any(|definition| definition.kind == index && definition.id == id) {
        return Err(taken(&format!("definition of {kind_name}"), id));
    }
    if script && kind.hooks.is_empty() {
        return Err(Fault::usage(format!("kind `{kind_name}` declares no hooks that a script could have")));
    }
    let mut block = format!("[{id}]\nname = \"{}\"\n", label(id));
    let text = if script || kind.hooks.is_empty() { "text = \"\"" } else { "# text = \"\"" };
    let about = if kind.hooks.is_empty() { "what is printed on it" } else { TEXT };
    commented(&mut block, text, about);
    if kind.tokens {
        let each = if kind.per == Holder::Player { "tokens of it, for each player" } else { "tokens of it" };
        commented(&mut block, "# copies = 1", each);
    }
    for (name, attribute) in &kind.attributes {
        block.push_str(&attribute_line(d, index, id, name, attribute)?);
    }
    if !script {
        for (hook, args) in &kind.hooks {
            let function = format!("`{hook} = function({})` in {kind_name}.luau", parameters(args));
            match effect(d, kind_name, kind, hook) {
                Some(example) => commented(&mut block, &format!("# {hook} = {example}"), &format!("or {function}")),
                None => remark(&mut block, &format!("{hook}: {function}")),
            }
        }
        if !kind.hooks.is_empty() {
            let verbs: Vec<&str> = d.verbs.keys().map(String::as_str).collect();
            remark(&mut block, &format!("verbs are {}", verbs.join(", ")));
        }
    }
    plan.append(format!("content/{}/{kind_name}.toml", d.id), &block)?;
    if script {
        plan.add_fields(format!("scripts/{}/{kind_name}.luau", d.id), &functions(kind, id))?;
    }
    Ok(plan)
}

/// Says where a new card starts, and that it does nothing yet; `None` if its kind has no tokens.
pub fn place(d: &Declarations, kind_name: &str, id: &str) -> Option<String> {
    let (index, _, kind) = kinds::find(d, kind_name)?;
    let card = d.definitions.iter().find(|one| one.kind == index && one.id == id).filter(|_| kind.tokens)?;
    let copies = if card.copies == 1 { "1 copy".to_owned() } else { format!("{} copies", card.copies) };
    let each = if kind.per == Holder::Player { " for each player" } else { "" };
    let zone = kind.zone.and_then(|zone| d.zones.get_index(zone));
    let zone = zone.map_or_else(|| "in no zone".to_owned(), |(name, _)| format!("in `{name}`"));
    let effect = if kind.hooks.is_empty() { "" } else { "; it does nothing yet" };
    Some(format!("`{id}` starts {zone} with {copies}{each}{effect}"))
}

/// Verbs that a card of the kind has for a hook; `None` if only scripts implement it.
fn effect(d: &Declarations, name: &str, kind: &Kind, hook: &str) -> Option<String> {
    let cards = d.definitions.get(kind.first..kind.first + kind.len).unwrap_or_default();
    let Some(calls) = cards.iter().find_map(|card| card.verbs.get(hook)) else {
        let unused = cards.iter().all(|card| card.verbs.is_empty()) && d.scripts_of(name).is_empty();
        return unused.then(|| format!("[{{ gain = {{ {} = 1 }} }}]", some_counter(d)));
    };
    let calls: Vec<String> = calls.iter().map(|call| written(d, call)).collect();
    Some(format!("[{}]", calls.join(", ")))
}

/// A call of a verb in TOML, without default values, as short as it can be.
fn written(d: &Declarations, call: &VerbCall) -> String {
    let verb = d.verbs.get(&call.verb);
    let usual = |name: &str| verb?.args.get(name)?.default.as_ref();
    let args: Vec<(&String, &Value)> = call.args.iter().filter(|(name, value)| usual(name) != Some(value)).collect();
    let only = verb.and_then(Verb::only_arg).map(|(name, _)| name);
    let args = match args[..] {
        [] => return format!("\"{}\"", call.verb),
        [(name, value)] if Some(name) == only => toml(value),
        _ => toml(&Value::Map(args.into_iter().map(|(name, value)| (name.clone(), value.clone())).collect())),
    };
    format!("{{ {} = {args} }}", call.verb)
}

fn functions(kind: &Kind, id: &str) -> String {
    let mut text = format!("    {id} = {{\n");
    for (hook, args) in &kind.hooks {
        let _ = write!(text, "        {hook} = function({})\n        end,\n", parameters(args));
    }
    text + "    },\n"
}

fn parameters(args: &[String]) -> String {
    std::iter::once("token").chain(args.iter().map(String::as_str)).collect::<Vec<_>>().join(", ")
}

/// A line that sets an attribute: a comment if there is a default, else the value of the first card of the kind.
fn attribute_line(d: &Declarations, kind: usize, id: &str, name: &str, attribute: &Attribute) -> Result<String, Fault> {
    let mut about = range(d, &attribute.of);
    if let Some(text) = attribute.text.lines().next() {
        about = format!("{text}: {about}");
    }
    let first = d.definitions.iter().find(|definition| definition.kind == kind);
    let at = d.kinds.get_index(kind).and_then(|(_, kind)| kind.attributes.get_index_of(name));
    let usual = first.zip(at).and_then(|(first, at)| first.attributes.get(at));
    let line = match (&attribute.default, usual) {
        (Some(default), _) => format!("# {name} = {}", toml(default)),
        // Amounts of the first card's own become those of the new one's own.
        (None, Some(usual)) => {
            let own = |id: &str| format!(".{id} ");
            let first = first.map_or(String::new(), |first| own(&first.id));
            let written =
                if matches!(usual, Value::Map(_)) { toml(usual).replace(&first, &own(id)) } else { toml(usual) };
            format!("{name} = {written}")
        }
        (None, None) => {
            let value = sample(d, &attribute.of, kind, id).ok_or_else(|| {
                Fault::failed(format!(
                    "`{name}` must name what is not there yet: make one of {} first",
                    range(d, &attribute.of)
                ))
            })?;
            format!("{name} = {value}")
        }
    };
    let mut text = String::new();
    commented(&mut text, &line, &about);
    Ok(text)
}

/// The smallest value of a type, in TOML; `None` if it must name something and there is nothing.
fn sample(d: &Declarations, of: &AttributeType, kind: usize, id: &str) -> Option<String> {
    let first = |name: Option<&String>| name.map(|name| format!("\"{name}\""));
    Some(match of {
        AttributeType::Integer { min, max } => 0.clamp(*min, *max).to_string(),
        AttributeType::Boolean => "false".to_owned(),
        AttributeType::Text(values) => first(values.first()).unwrap_or_else(|| "\"\"".to_owned()),
        AttributeType::List(of, length) => {
            let one = if length.is_some() { sample(d, of, kind, id)? } else { String::new() };
            format!("[{}]", vec![one; length.unwrap_or(0)].join(", "))
        }
        AttributeType::Amounts(_) => "{}".to_owned(),
        AttributeType::Id(other) => {
            let known = d.definitions.iter().find(|definition| definition.kind == *other).map(|one| one.id.clone());
            first(known.or_else(|| (*other == kind).then(|| id.to_owned())).as_ref())?
        }
        AttributeType::CounterName => first(d.counters.keys().next())?,
        AttributeType::ZoneName => first(d.zones.keys().next())?,
    })
}

/// What a value of a type may be, in words.
fn range(d: &Declarations, of: &AttributeType) -> String {
    match of {
        AttributeType::Integer { min: i32::MIN, max: i32::MAX } => "a whole number".to_owned(),
        AttributeType::Integer { min, max: i32::MAX } => format!("a whole number, at least {min}"),
        AttributeType::Integer { min: i32::MIN, max } => format!("a whole number, at most {max}"),
        AttributeType::Integer { min, max } => format!("a whole number, {min} to {max}"),
        AttributeType::Boolean => "true or false".to_owned(),
        AttributeType::Text(values) if values.is_empty() => "a text".to_owned(),
        AttributeType::Text(values) => format!("one of {}", values.join(", ")),
        AttributeType::List(of, Some(length)) => format!("a list of {length}, each {}", range(d, of)),
        AttributeType::List(of, None) => format!("a list, each {}", range(d, of)),
        AttributeType::Amounts(names) if names.is_empty() => "amounts by name".to_owned(),
        AttributeType::Amounts(names) => format!("amounts of {}", names.join(", ")),
        AttributeType::Id(kind) => {
            d.kinds.get_index(*kind).map_or_else(String::new, |(name, _)| format!("an id of {name}.toml"))
        }
        AttributeType::CounterName => "a counter".to_owned(),
        AttributeType::ZoneName => "a zone".to_owned(),
    }
}

/// A value as it is written in TOML.
pub(super) fn toml(value: &Value) -> String {
    match value {
        Value::Boolean(value) => value.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::List(list) => format!("[{}]", list.iter().map(toml).collect::<Vec<_>>().join(", ")),
        Value::Map(map) => {
            let pairs: Vec<String> = map.iter().map(|(name, value)| format!("{name} = {}", toml(value))).collect();
            if pairs.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", pairs.join(", ")) }
        }
    }
}

/// A phase with a hook that does nothing yet.
pub fn phase(mut plan: Plan, d: &Declarations, id: &str) -> Result<Plan, Fault> {
    if d.phases.contains_key(id) {
        return Err(taken("phase", id));
    }
    let mut block = format!("[{id}]\nname = \"{}\"\n", label(id));
    commented(&mut block, "text = \"\"", "what happens in it");
    commented(&mut block, "when = \"round\"", "setup: once before round 1; end: once after the last round");
    commented(&mut block, "turns = \"none\"", "once, passes, around, sealed: then `turn`, or `offer` and `act`");
    plan.append(format!("content/{}/phases.toml", d.id), &block)?;
    let hook = "        -- Once in every round, for nobody in particular.\n        run = function()\n        end,\n";
    plan.add_fields(format!("scripts/{}/phases.luau", d.id), &format!("    {id} = {{\n{hook}    }},\n"))?;
    Ok(plan)
}

/// A verb with one argument.
pub fn verb(mut plan: Plan, d: &Declarations, id: &str) -> Result<Plan, Fault> {
    if d.verbs.contains_key(id) {
        return Err(taken("verb", id));
    }
    let mut block = format!("[{id}]\n");
    commented(
        &mut block,
        &format!("text = \"{} {{n:time|times}}.\"", label(id)),
        "what it does: the sentence that cards with it say",
    );
    commented(&mut block, "# cost = true", "it must be payable in full, or the verbs beside it cannot be used");
    let args = "args = { n = { type = \"integer\", min = 0, default = 1, text = \"How many\" } }";
    let _ = writeln!(block, "{args}");
    plan.append(format!("content/{}/verbs.toml", d.id), &block)?;
    let usage = format!("    -- Written in TOML as {{ {id} = 2 }}, or \"{id}\" for 1.\n");
    let function = format!(
        "    {id} = {{\n        -- Whether it would do anything; it changes nothing itself.\n        can = function(player, args)\n            \
         return true\n        end,\n\n        run = function(player, args)\n            local n = args.n\n        end,\n    }},\n"
    );
    plan.add_fields(format!("scripts/{}/verbs.luau", d.id), &(usage + &function))?;
    Ok(plan)
}

/// A line followed by a comment; preceded by it if both are too long for one line.
fn commented(text: &mut String, line: &str, comment: &str) {
    if line.chars().count().max(COMMENT) + comment.chars().count() + 3 > WIDTH && !comment.is_empty() {
        remark(text, comment);
        return commented(text, line, "");
    }
    // Writing to a string does not fail.
    let _ = if comment.is_empty() { writeln!(text, "{line}") } else { writeln!(text, "{line:<COMMENT$} # {comment}") };
}

/// Lines of comment.
fn remark(text: &mut String, comment: &str) {
    for line in paint::wrapped(comment, WIDTH - 2) {
        let _ = writeln!(text, "# {line}");
    }
}
