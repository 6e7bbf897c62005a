//! Skeletons of kinds, cards, phases and verbs: each minimal, with the optional fields as comments.

use std::fmt::Write as _;

use motherlode::declare::{Attribute, AttributeType, Declarations, Holder, Kind, Value, Verb, VerbCall};

use super::plan::Plan;
use super::{kinds, label, some_counter, taken};
use crate::fault::Fault;
use crate::paint;

/// Column where comments begin.
const COMMENT: usize = 40;
/// Width of a skeleton, in columns.
const WIDTH: usize = 120;
/// Comment on `text` for a kind with hooks.
const TEXT: &str = "text on the card, if its verbs do not say everything; {verbs} inserts the text of the verbs";

/// Plans a kind and its file with a first definition.
pub fn kind(mut plan: Plan, d: &Declarations, name: &str) -> Result<Plan, Fault> {
    if d.kinds.contains_key(name) {
        return Err(taken("kind", name));
    }
    let mut block = format!("[kinds.{name}]\n");
    commented(&mut block, &format!("text = \"{}\"", label(name)), &format!("definitions are in {name}.toml"));
    commented(&mut block, "tokens = true", "false: definitions without tokens, such as a price list");
    commented(&mut block, "# per = \"player\"", "each player has their own tokens");
    commented(&mut block, "# zone = \"deck\"", "the tokens start here; the zone must hold this kind");
    commented(&mut block, "# shuffle = true", "shuffle that zone at the start");
    let _ = writeln!(block, "[kinds.{name}.attributes]");
    let example = "# cost = { type = \"integer\", min = 0, max = 9, default = 0, text = \"Price\" }";
    let _ = writeln!(block, "{example}");
    let _ = writeln!(block, "[kinds.{name}.hooks]");
    commented(&mut block, "# play = [\"player\"]", "effects that a definition may have, with their arguments");
    plan.append(format!("content/{}/game.toml", d.id), &block)?;
    let counter = some_counter(d);
    let mut first = format!("[first_of_{name}]\nname = \"First of {name}\"\n");
    commented(&mut first, "# text = \"\"", "text on the card; default: the text of its verbs");
    commented(&mut first, "# copies = 2", "number of tokens");
    commented(
        &mut first,
        &format!("# play = [{{ gain = {{ {counter} = 1 }} }}]"),
        "a list of verbs; declare the hook first",
    );
    plan.create(format!("content/{}/{name}.toml", d.id), first)?;
    Ok(plan)
}

/// Plans a definition of a kind, with functions for its hooks if `script`.
pub fn card(mut plan: Plan, d: &Declarations, kind_name: &str, id: &str, script: bool) -> Result<Plan, Fault> {
    let Some((index, kind_name, kind)) = kinds::find(d, kind_name) else {
        return Err(kinds::unknown(d, kind_name, &[]));
    };
    if d.definitions.iter().any(|definition| definition.kind == index && definition.id == id) {
        return Err(taken(&format!("definition of {kind_name}"), id));
    }
    if script && kind.hooks.is_empty() {
        return Err(Fault::usage(format!(
            "kind `{kind_name}` declares no hooks: leave out --script, or add hooks to game.toml"
        )));
    }
    let mut block = format!("[{id}]\nname = \"{}\"\n", label(id));
    let text = if script || kind.hooks.is_empty() { "text = \"\"" } else { "# text = \"\"" };
    let about = if kind.hooks.is_empty() { "text on the card" } else { TEXT };
    commented(&mut block, text, about);
    if kind.tokens {
        let each = if kind.per == Holder::Player { "number of tokens per player" } else { "number of tokens" };
        commented(&mut block, "# copies = 1", each);
    }
    for (name, attribute) in &kind.attributes {
        block.push_str(&attribute_line(d, index, id, name, attribute)?);
    }
    if !script {
        for (hook, args) in kind.hooks.iter().filter(|(hook, _)| kind.list_of(hook).is_none()) {
            let function = format!("`{hook} = function({})` in {kind_name}.luau", parameters(args));
            match effect(d, kind_name, kind, hook) {
                _ if kind.scripted.contains(hook) => {
                    commented(
                        &mut block,
                        &format!("{hook} = []"),
                        &format!("nothing; or remove the line, and write {function}"),
                    );
                }
                Some(example) => {
                    let about = format!("or \"script\" and {function}");
                    commented(&mut block, &format!("# {hook} = {example}"), &about);
                }
                None => commented(&mut block, &format!("# {hook} = \"script\""), &function),
            }
        }
        for (list, length) in &kind.lists {
            let counter = some_counter(d);
            let example = format!("# {list} = [[{{ gain = {{ {counter} = 1 }} }}]]");
            commented(&mut block, &example, &format!("up to {length} effects, each verbs or \"script\""));
        }
        if !kind.hooks.is_empty() {
            let verbs: Vec<&str> = d.verbs.keys().map(String::as_str).collect();
            remark(&mut block, &format!("verbs: {}", verbs.join(", ")));
        }
    }
    if script {
        for hook in kind.hooks.keys().filter(|hook| kind.list_of(hook).is_none() && !kind.scripted.contains(hook)) {
            commented(&mut block, &format!("{hook} = \"script\""), &format!("the function is in {kind_name}.luau"));
        }
    }
    plan.append(format!("content/{}/{kind_name}.toml", d.id), &block)?;
    if script {
        plan.add_fields(format!("scripts/{}/{kind_name}.luau", d.id), &functions(kind, id))?;
    }
    Ok(plan)
}

/// Describes where a new card starts; `None` if its kind has no tokens.
pub fn start_note(d: &Declarations, kind_name: &str, id: &str) -> Option<String> {
    let (index, _, kind) = kinds::find(d, kind_name)?;
    let card = d.definitions.iter().find(|one| one.kind == index && one.id == id).filter(|_| kind.tokens)?;
    let copies = if card.copies == 1 { "1 copy".to_owned() } else { format!("{} copies", card.copies) };
    let each = if kind.per == Holder::Player { " per player" } else { "" };
    let zone = kind.zone.and_then(|zone| d.zones.get_index(zone));
    let zone = zone.map_or_else(|| "in no zone".to_owned(), |(name, _)| format!("in `{name}`"));
    let effect = if kind.hooks.is_empty() { "" } else { "; it does nothing yet" };
    Some(format!("`{id}` starts {zone} with {copies}{each}{effect}"))
}

/// Example verbs for a hook of a kind; `None` if only scripts implement the hook.
fn effect(d: &Declarations, name: &str, kind: &Kind, hook: &str) -> Option<String> {
    let cards = d.definitions.get(kind.first..kind.first + kind.len).unwrap_or_default();
    let Some(calls) = cards.iter().find_map(|card| card.verbs.get(hook)) else {
        let unused = cards.iter().all(|card| card.verbs.is_empty()) && d.scripts_of(name).is_empty();
        return unused.then(|| format!("[{{ gain = {{ {} = 1 }} }}]", some_counter(d)));
    };
    let calls: Vec<String> = calls.iter().map(|call| call_toml(d, call)).collect();
    Some(format!("[{}]", calls.join(", ")))
}

/// A verb call in its shortest TOML form, without default values.
fn call_toml(d: &Declarations, call: &VerbCall) -> String {
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
    for (hook, args) in kind.hooks.iter().filter(|(hook, _)| kind.list_of(hook).is_none()) {
        let _ = write!(text, "        {hook} = function({})\n        end,\n", parameters(args));
    }
    text + "    },\n"
}

fn parameters(args: &[String]) -> String {
    std::iter::once("token").chain(args.iter().map(String::as_str)).collect::<Vec<_>>().join(", ")
}

/// A line that sets an attribute: a comment if it has a default, else a value as on the first card of the kind.
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
        // Amounts that name counters of the first card name those of the new card instead.
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
                    "`{name}` needs a value that does not exist yet: first make {}",
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

/// The smallest value of a type, in TOML; `None` if it must be an id and there is none.
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

/// Describes the values of a type.
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

/// A value in TOML.
pub(super) fn toml(value: &Value) -> String {
    match value {
        Value::Boolean(value) => value.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::Formula(written) => format!("{:?}", written.text),
        Value::List(list) => format!("[{}]", list.iter().map(toml).collect::<Vec<_>>().join(", ")),
        Value::Map(map) => {
            let pairs: Vec<String> = map.iter().map(|(name, value)| format!("{name} = {}", toml(value))).collect();
            if pairs.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", pairs.join(", ")) }
        }
    }
}

/// Plans a phase with an empty hook.
pub fn phase(mut plan: Plan, d: &Declarations, id: &str) -> Result<Plan, Fault> {
    if d.phases.contains_key(id) {
        return Err(taken("phase", id));
    }
    let mut block = format!("[{id}]\nname = \"{}\"\n", label(id));
    commented(&mut block, "text = \"\"", "summary for players");
    commented(&mut block, "when = \"round\"", "or setup (once, before round 1) or end (once, after the last round)");
    commented(
        &mut block,
        "turns = \"none\"",
        "or once, passes, around, sealed: these need `turn`, or `offer` and `act`",
    );
    plan.append(format!("content/{}/phases.toml", d.id), &block)?;
    let hook = "        -- Runs once each round, for no particular player.\n        run = function()\n        end,\n";
    plan.add_fields(format!("scripts/{}/phases.luau", d.id), &format!("    {id} = {{\n{hook}    }},\n"))?;
    Ok(plan)
}

/// Plans a verb with one argument.
pub fn verb(mut plan: Plan, d: &Declarations, id: &str) -> Result<Plan, Fault> {
    if d.verbs.contains_key(id) {
        return Err(taken("verb", id));
    }
    let mut block = format!("[{id}]\n");
    commented(&mut block, &format!("text = \"{} {{n:time|times}}.\"", label(id)), "the sentence on cards that use it");
    commented(&mut block, "# cost = true", "the verbs beside it run only if this one can be paid in full");
    let args = "args = { n = { type = \"integer\", min = 0, default = 1, text = \"How many\" } }";
    let _ = writeln!(block, "{args}");
    plan.append(format!("content/{}/verbs.toml", d.id), &block)?;
    let usage = format!("    -- In TOML: {{ {id} = 2 }}, or \"{id}\" for 1.\n");
    let function = format!(
        "    {id} = {{\n        -- Returns whether `run` would have an effect; must not change anything.\n        can = function(player, args)\n            \
         return true\n        end,\n\n        run = function(player, args)\n            local n = args.n\n        end,\n    }},\n"
    );
    plan.add_fields(format!("scripts/{}/verbs.luau", d.id), &(usage + &function))?;
    Ok(plan)
}

/// Adds a line and a comment behind it, or above it if both do not fit on one line.
fn commented(text: &mut String, line: &str, comment: &str) {
    if line.chars().count().max(COMMENT) + comment.chars().count() + 3 > WIDTH && !comment.is_empty() {
        remark(text, comment);
        return commented(text, line, "");
    }
    // Writing to a string does not fail.
    let _ = if comment.is_empty() { writeln!(text, "{line}") } else { writeln!(text, "{line:<COMMENT$} # {comment}") };
}

/// Adds comment lines.
fn remark(text: &mut String, comment: &str) {
    for line in paint::wrapped(comment, WIDTH - 2) {
        let _ = writeln!(text, "# {line}");
    }
}
