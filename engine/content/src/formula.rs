//! Formulas: numbers computed from the state, written as `2 * this.attack + count.goblins`.

use super::declare::{
    AttributeType, Bounds, Condition, Declarations, Event, EventArg, Field, Formula, Holder, MAX_EVENT_ARGS, Reference,
    Term, Thing, ValueRange, WrittenFormula,
};
use super::diagnostic::suggestion;
use super::document::{Key, Node, Table};
use super::names::{ATTRIBUTE, Names, OPTION};

/// Maximum terms of a formula.
const MAX_TERMS: usize = 8;

/// The names that a formula or a filter may use.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) d: &'a Declarations,
    pub(crate) names: &'a Names,
    /// The event, whose arguments are known.
    pub(crate) event: Option<&'a Event>,
    /// Whether a token or a player has it, so that `this` and `your` have a meaning.
    pub(crate) borne: bool,
    /// Names of the targets, which are known.
    pub(crate) targets: &'a [String],
}

/// The type of a thing, which has values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ThingType {
    Token,
    Player,
    Game,
}

/// Reads a formula: a whole number, or a text.
pub(crate) fn read(node: &Node<'_>, scope: Scope<'_>) -> Option<Formula> {
    if node.is_integer() {
        return Some(Formula { constant: node.integer(i32::MIN..=i32::MAX)?, terms: Vec::new() });
    }
    if !node.is_text() {
        node.wrong_type_with("a whole number or a formula", Some("write `\"2 * this.attack + 1\"`".to_owned()));
        return None;
    }
    parse(node, node.text()?, scope)
}

/// The help for an unknown filter: the nearest known one or one of these words, or how to declare it.
pub(crate) fn unknown_filter_help(name: &str, names: &Names, words: &[&str]) -> Option<String> {
    suggestion(name, words.iter().copied().chain(names.filters.keys().map(String::as_str)))
        .or_else(|| Some(format!("declare `[filters.{name}]` in reactions.toml")))
}

/// Reads the table of conditions under `while`.
pub(crate) fn conditions(table: &Table<'_>, scope: Scope<'_>) -> Vec<Condition> {
    let Some(section) = table.table("while", format!("`while` in {}", table.what)) else { return Vec::new() };
    let one = |(key, node): (Key<'_>, Node<'_>)| {
        let formula = parse_at(&node, key.text, scope, &|code, message, help| key.fault(code, message, help))?;
        let field = only_field(&formula);
        if node.is_text() && !field.is_some_and(|field| has_words(field, scope)) {
            let equals = Some(reference(&node, scope)?);
            return Some(Condition { formula, range: ValueRange::new(0, 0), equals });
        }
        Some(Condition { formula, range: read_range(&node, field, scope)?, equals: None })
    };
    section.entries().into_iter().filter_map(one).collect()
}

/// The value that the formula is, if it is only that.
fn only_field(formula: &Formula) -> Option<Field> {
    match formula.terms.as_slice() {
        [(1, Term::Read(_, field))] if formula.constant == 0 => Some(*field),
        _ => None,
    }
}

/// Whether a text is one of the values of a field: an attribute, or a counter with named values.
fn has_words(field: Field, scope: Scope<'_>) -> bool {
    match field {
        Field::Attribute(_) => true,
        Field::Counter(counter) => scope.d.counters.get_index(counter).is_some_and(|(_, one)| !one.values.is_empty()),
        _ => false,
    }
}

/// Reads a range or a list of numbers alone.
pub(crate) fn read_plain_range(node: &Node<'_>, scope: Scope<'_>) -> Option<ValueRange> {
    let range = read_range(node, None, scope)?;
    if range.bounds.is_some() {
        let help = "write numbers here, and compare with a formula in `while`".to_owned();
        node.fault("wrong-type", format!("{} must not be computed", node.what), Some(help));
        return None;
    }
    Some(range)
}

/// Reads a range: a number, `true` or `false`, a table with `min` and `max`, a text that the value may have, or a list of
/// numbers or texts.
pub(crate) fn read_range(node: &Node<'_>, field: Option<Field>, scope: Scope<'_>) -> Option<ValueRange> {
    let exactly = |value: i32| ValueRange::new(value, value);
    if node.is_boolean() {
        let value = i32::from(node.boolean()?);
        return Some(ValueRange::new(value, if value == 1 { i32::MAX } else { 0 }));
    }
    if node.is_table() {
        return read_ends(node, scope);
    }
    if node.is_list() {
        return read_values(node, field, scope);
    }
    match (field, node.as_text()) {
        (Some(Field::Attribute(attribute)), Some(text)) if !is_number(attribute, scope) => {
            return word(node, attribute, text, scope).map(exactly);
        }
        (Some(field @ Field::Counter(counter)), Some(text)) if has_words(field, scope) => {
            let (name, declared) = scope.d.counters.get_index(counter)?;
            let Some(at) = declared.values.iter().position(|value| value == text) else {
                let help = suggestion(text, declared.values.iter().map(String::as_str));
                node.fault("unknown-value", format!("`{text}` is not a value of counter `{name}`"), help);
                return None;
            };
            return i32::try_from(at).ok().map(exactly);
        }
        (Some(_), Some(text)) => {
            let formula = parse(node, text, scope)?;
            let bounds = Some(Box::new(Bounds { min: Some(formula.clone()), max: Some(formula) }));
            return Some(ValueRange { bounds, ..ValueRange::new(i32::MIN, i32::MAX) });
        }
        _ => {}
    }
    if !node.is_integer() {
        let help = Some("write `2`, `true`, `{ min = 1, max = 3 }` or `[1, 3]`".to_owned());
        node.wrong_type_with("a number, a boolean, a range or a list", help);
        return None;
    }
    node.integer(i32::MIN..=i32::MAX).map(exactly)
}

/// Reads a list of values, each a number or a text that the value may have.
fn read_values(node: &Node<'_>, field: Option<Field>, scope: Scope<'_>) -> Option<ValueRange> {
    let value = |one: &Node<'_>| {
        if one.is_text() || one.is_integer() {
            let range = read_range(one, field, scope)?;
            if range.bounds.is_none() {
                return Some(range.min);
            }
        }
        let help = "list values here, and write a range without a list: `{ min = 1, max = 3 }`".to_owned();
        one.wrong_type_with("a number, or a text that the value may have", Some(help));
        None
    };
    let found: Vec<Option<i32>> = node.list(false)?.iter().map(value).collect();
    let one_of: Vec<i32> = found.into_iter().collect::<Option<_>>()?;
    let (Some(&min), Some(&max)) = (one_of.iter().min(), one_of.iter().max()) else {
        node.fault("empty", format!("{} is an empty list", node.what), Some("list the values that pass".to_owned()));
        return None;
    };
    Some(ValueRange { one_of, ..ValueRange::new(min, max) })
}

/// Reads a table with `min` and `max`, each a number or a formula.
fn read_ends(node: &Node<'_>, scope: Scope<'_>) -> Option<ValueRange> {
    let table = node.table(node.what.clone())?;
    let mut bounds = Bounds::default();
    let mut end = |key: &str| {
        let node = table.get(key)?;
        if !node.is_text() {
            return node.integer(i32::MIN..=i32::MAX);
        }
        let formula = parse(&node, node.text()?, scope);
        *(if key == "min" { &mut bounds.min } else { &mut bounds.max }) = formula;
        None
    };
    let (min, max) = (end("min"), end("max"));
    if !table.has("min") && !table.has("max") {
        let help = Some("write `{ min = 1 }`, `{ max = 3 }` or both".to_owned());
        node.fault("empty", format!("{} has no `min` and no `max`", node.what), help);
    }
    let (min, max) = (min.unwrap_or(i32::MIN), max.unwrap_or(i32::MAX));
    if min > max {
        let message = format!("`min` {min} is greater than `max` {max} in {}", table.what);
        node.fault("out-of-range", message, None);
    }
    table.finish_names();
    let bounds = (bounds != Bounds::default()).then(|| Box::new(bounds));
    Some(ValueRange { bounds, ..ValueRange::new(min, max) })
}

/// Whether an attribute (index into `read_attributes`) is a number everywhere.
fn is_number(attribute: usize, scope: Scope<'_>) -> bool {
    let all = scope.names.read_attributes.borrow();
    let Some((name, _)) = all.get_index(attribute) else { return false };
    let mut kinds = scope.d.kinds.values().filter_map(|kind| kind.attributes.get(name.as_str()));
    kinds.all(|attribute| matches!(attribute.of, AttributeType::Integer { .. }))
}

/// The number of a text that an attribute may have.
fn word(node: &Node<'_>, attribute: usize, text: &str, scope: Scope<'_>) -> Option<i32> {
    let mut all = scope.names.read_attributes.borrow_mut();
    let (name, words) = all.get_index_mut(attribute)?;
    let types = || scope.d.kinds.iter().filter_map(|(_, kind)| kind.attributes.get(name.as_str()));
    let listed = |of: &AttributeType| match of {
        AttributeType::Text(values) => Some(values.clone()),
        AttributeType::Id(kind) => scope.names.ids.get(*kind).map(|ids| ids.iter().cloned().collect()),
        _ => None,
    };
    let known: Vec<Vec<String>> = types().filter_map(|attribute| listed(&attribute.of)).collect();
    if known.is_empty() {
        let is_switch = types().any(|attribute| attribute.of == AttributeType::Boolean);
        let help = if is_switch { "write `true` or `false`" } else { "write a number, or `{ min = 1, max = 3 }`" };
        node.fault("wrong-type", format!("{} is a text, and no value of `{name}`", node.what), Some(help.to_owned()));
        return None;
    }
    if !known.iter().any(|values| values.is_empty() || values.iter().any(|value| value == text)) {
        let help = suggestion(text, known.iter().flatten().map(String::as_str));
        node.fault("unknown-value", format!("`{text}` is not a value of `{name}`"), help);
        return None;
    }
    let at = words.iter().position(|word| word == text).unwrap_or_else(|| {
        words.push(text.to_owned());
        words.len() - 1
    });
    i32::try_from(at + 1).ok()
}

/// Reads a formula in the arguments of a verb.
pub(crate) fn written(node: &Node<'_>, scope: Scope<'_>) -> Option<WrittenFormula> {
    let text = node.text()?;
    let formula = parse(node, text, scope)?;
    let mut all = scope.names.formulas.borrow_mut();
    all.push(formula.clone());
    Some(WrittenFormula { text: text.to_owned(), formula, index: all.len() - 1 })
}

fn parse(node: &Node<'_>, text: &str, scope: Scope<'_>) -> Option<Formula> {
    parse_at(node, text, scope, &|code, message, help| node.fault(code, message, help))
}

/// Reports a fault: code, message, help.
type Report<'r> = &'r dyn Fn(&'static str, String, Option<String>);

/// Parses a formula; faults are reported with `report`.
fn parse_at(node: &Node<'_>, text: &str, scope: Scope<'_>, report: Report<'_>) -> Option<Formula> {
    let refuse = |why: String, help: String| {
        report("bad-formula", format!("`{text}` in {} is no formula: {why}", node.what), Some(help));
        None
    };
    let bad = |why: String| {
        refuse(why, "write a sum of numbers and values, such as `2 * this.attack + your.life - 1`".to_owned())
    };
    if text.contains(['/', '%']) {
        return refuse("formulas do not divide".to_owned(), "compute it in a script: `do = \"script\"`".to_owned());
    }
    let mut formula = Formula::default();
    let mut rest = text.trim();
    let mut sign = 1;
    if let Some(after) = rest.strip_prefix('-') {
        (sign, rest) = (-1, after.trim_start());
    }
    loop {
        let end = find_outside(rest, &['+', '-']).unwrap_or(rest.len());
        let (term, after) = rest.split_at(end);
        let factors: Vec<&str> = split_outside(term, '*');
        match factors.as_slice() {
            [""] => return bad("a term is missing".to_owned()),
            [number] if number.parse::<i32>().is_ok() => {
                let number: i32 = number.parse().unwrap_or(0);
                formula.constant = formula.constant.saturating_add(sign * number);
            }
            [path] => formula.terms.push((sign, term_of(node, path, scope, report)?)),
            [factor, path] => match factor.parse::<i32>() {
                Ok(factor) => formula.terms.push((sign * factor, term_of(node, path, scope, report)?)),
                Err(_) => {
                    let why = format!("`{factor}` is not a whole number");
                    let is_swapped = path.parse::<i32>().is_ok();
                    return if is_swapped { refuse(why, format!("write `{path} * {factor}`")) } else { bad(why) };
                }
            },
            _ => return bad("a term has at most one `*`".to_owned()),
        }
        if formula.terms.len().max(text.matches('(').count()) > MAX_TERMS {
            return bad(format!("it has more than {MAX_TERMS} terms"));
        }
        if after.is_empty() {
            return Some(formula);
        }
        sign = if after.starts_with('-') { -1 } else { 1 };
        rest = after[1..].trim_start();
    }
}

/// The first of these characters outside of brackets.
fn find_outside(text: &str, wanted: &[char]) -> Option<usize> {
    let mut depth = 0_i32;
    text.char_indices().find_map(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        (depth == 0 && wanted.contains(&c)).then_some(at)
    })
}

/// The parts of a text between separators outside of brackets.
fn split_outside(mut text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    while let Some(at) = find_outside(text, &[separator]) {
        parts.push(text[..at].trim());
        text = &text[at + separator.len_utf8()..];
    }
    parts.push(text.trim());
    parts
}

/// Parses the two values of `min(a, b)` and `max(a, b)`.
fn pair(node: &Node<'_>, inside: &str, scope: Scope<'_>, report: Report<'_>) -> Option<Box<[Formula; 2]>> {
    let [a, b] = split_outside(inside, ',')[..] else {
        let message = format!("`{inside}` in {} is not two values", node.what);
        report("bad-formula", message, Some("write `min(this.attack, 3)`".to_owned()));
        return None;
    };
    Some(Box::new([parse_at(node, a, scope, report)?, parse_at(node, b, scope, report)?]))
}

fn term_of(node: &Node<'_>, path: &str, scope: Scope<'_>, report: Report<'_>) -> Option<Term> {
    let inside = |name: &str| path.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')');
    if let Some(inside) = inside("min") {
        return pair(node, inside, scope, report).map(Term::Least);
    }
    if let Some(inside) = inside("max") {
        return pair(node, inside, scope, report).map(Term::Most);
    }
    match path {
        "x" => return Some(Term::X),
        "round" => return Some(Term::Round),
        "players" => return Some(Term::Players),
        _ => {}
    }
    if let Some(name) = path.strip_prefix("option.") {
        let found = scope.d.options.get_index_of(name);
        if found.is_none() {
            let help = suggestion(name, scope.d.options.keys().map(String::as_str));
            report(OPTION.code, format!("unknown option `{name}`"), help);
        }
        let mut read = scope.names.read_options.borrow_mut();
        return Some(Term::Option(read.insert_full(found?).0));
    }
    if let Some(name) = path.strip_prefix("count.") {
        let found = scope.names.filters.get(name);
        if found.is_none() {
            let help = unknown_filter_help(name, scope.names, &[]);
            report("unknown-filter", format!("unknown filter `{name}`"), help);
        }
        return Some(Term::Count(Box::new(found?.clone())));
    }
    let (thing, of, rest) = thing_of(path, scope, report)?;
    match (thing, rest) {
        (Thing::This | Thing::You, None) => Some(Term::Number(Reference::Thing(thing))),
        (Thing::TokenOf(index) | Thing::PlayerOf(index), None) => Some(Term::Argument(index)),
        (_, Some(name)) => Some(Term::Read(thing, field(of, name, scope, report)?)),
        (_, None) => {
            report("bad-formula", format!("`{path}` is not a number"), Some(format!("write `{path}.<counter>`")));
            None
        }
    }
}

/// Reads a reference to a token or a player: `this`, `you`, `event.token`, `this.host`.
pub(crate) fn reference(node: &Node<'_>, scope: Scope<'_>) -> Option<Reference> {
    let path = node.text()?;
    let report: Report<'_> = &|code, message, help| node.fault(code, message, help);
    let (thing, of, rest) = thing_of(path, scope, report)?;
    let Some(name) = rest else { return Some(Reference::Thing(thing)) };
    match field(of, name, scope, report)? {
        Field::Counter(counter) => Some(Reference::Counter(thing, counter)),
        _ => {
            node.fault("wrong-type", format!("`{path}` does not number a token or a player"), None);
            None
        }
    }
}

/// The thing at the start of a path, its type, and the rest of the path.
fn thing_of<'p>(path: &'p str, scope: Scope<'_>, report: Report<'_>) -> Option<(Thing, ThingType, Option<&'p str>)> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let target = |name: &str| scope.targets.iter().position(|target| target == name);
    if let Some(at) = target(first) {
        return Some((Thing::TokenOf(MAX_EVENT_ARGS + 2 * at), ThingType::Token, rest));
    }
    if let Some(at) = first.strip_suffix("_player").and_then(target) {
        return Some((Thing::PlayerOf(MAX_EVENT_ARGS + 2 * at + 1), ThingType::Player, rest));
    }
    let found = match (first, rest) {
        ("this", _) if scope.borne => (Thing::This, ThingType::Token, rest),
        ("your", Some(_)) | ("you", None) => (Thing::You, ThingType::Player, rest),
        ("game", _) => (Thing::Game, ThingType::Game, rest),
        ("event", Some(rest)) if scope.event.is_some() => {
            let Event { name: event, args, .. } = scope.event?;
            let (arg, rest) = rest.split_once('.').map_or((rest, None), |(arg, rest)| (arg, Some(rest)));
            let Some((index, _, of)) = args.get_full(arg) else {
                let help = suggestion(arg, args.keys().map(String::as_str));
                report("unknown-argument", format!("event `{event}` has no argument `{arg}`"), help);
                return None;
            };
            match of {
                EventArg::Token => (Thing::TokenOf(index), ThingType::Token, rest),
                EventArg::Player => (Thing::PlayerOf(index), ThingType::Player, rest),
                _ if rest.is_some() => {
                    let message = format!("argument `{arg}` of event `{event}` is neither a token nor a player");
                    report("wrong-type", message, None);
                    return None;
                }
                // Read as a number.
                _ => (Thing::TokenOf(index), ThingType::Token, rest),
            }
        }
        _ => {
            let this = scope.borne.then_some("this");
            let event = scope.event.map(|_| "event");
            let known = this
                .into_iter()
                .chain(["your", "game"])
                .chain(event)
                .chain(scope.targets.iter().map(String::as_str))
                .chain(["count", "max", "min", "option", "players", "round", "x"]);
            let known: Vec<&str> = known.collect();
            let help = whole_path(path, first, scope)
                .or_else(|| suggestion(first, known.iter().copied()))
                .unwrap_or_else(|| format!("write a number, or a value that begins with `{}`", known.join("`, `")));
            report("bad-formula", format!("`{path}` is not a value"), Some(help));
            return None;
        }
    };
    Some(found)
}

/// Help for a value that is written without its owner: `damage` in place of `event.damage`.
fn whole_path(path: &str, first: &str, scope: Scope<'_>) -> Option<String> {
    let d = scope.d;
    let this = scope.borne.then_some("this");
    let of_holder = |per: Holder| match per {
        Holder::Game => Some("game"),
        Holder::Player => Some("your"),
        Holder::Token(_) => this,
        Holder::Cell(_) => None,
    };
    let of_event = scope.event.filter(|event| event.args.contains_key(first)).map(|_| "event");
    let of_counter = || of_holder(d.counters.get(first)?.per);
    let of_zone = || of_holder(d.zones.get(first)?.per);
    let of_attribute = || this.filter(|_| d.kinds.values().any(|kind| kind.attributes.contains_key(first)));
    let owner = of_event.or_else(of_counter).or_else(of_zone).or_else(of_attribute)?;
    Some(format!("write `{owner}.{path}`"))
}

/// A value of a thing, by its name.
pub(crate) fn field(of: ThingType, name: &str, scope: Scope<'_>, report: Report<'_>) -> Option<Field> {
    let d = scope.d;
    let has = |holder: Holder| match of {
        ThingType::Token => matches!(holder, Holder::Token(_)),
        ThingType::Player => holder == Holder::Player,
        ThingType::Game => holder == Holder::Game,
    };
    if let Some((index, _, _)) = d.counters.get_full(name).filter(|(_, _, counter)| has(counter.per)) {
        return Some(Field::Counter(index));
    }
    if of != ThingType::Token
        && let Some((index, _, _)) = d.zones.get_full(name).filter(|(_, _, zone)| has(zone.per))
    {
        return Some(Field::Zone(index));
    }
    let kinds = || d.kinds.values().filter_map(|kind| kind.attributes.get(name));
    if of == ThingType::Token && kinds().next().is_some() {
        if kinds().all(|attribute| matches!(attribute.of, AttributeType::List(..) | AttributeType::Amounts(_))) {
            report("wrong-type", format!("attribute `{name}` is a list, which is not a number"), None);
            return None;
        }
        return Some(Field::Attribute(attribute(name, scope.names)));
    }
    if of == ThingType::Token && ["owner", "holder"].contains(&name) {
        return Some(if name == "owner" { Field::Owner } else { Field::Holder });
    }
    let noun = match of {
        ThingType::Token => "a token",
        ThingType::Player => "a player",
        ThingType::Game => "the game",
    };
    let counters = d.counters.iter().filter(|(_, counter)| has(counter.per)).map(|(name, _)| name.as_str());
    let zones = d.zones.iter().filter(|(_, zone)| has(zone.per)).map(|(name, _)| name.as_str());
    let attributes = d.kinds.values().filter(|_| of == ThingType::Token);
    let attributes = attributes.flat_map(|kind| kind.attributes.keys().map(String::as_str));
    let help = suggestion(name, counters.chain(zones).chain(attributes));
    report(ATTRIBUTE.code, format!("{noun} has no counter, zone or attribute `{name}`"), help);
    None
}

/// The index of an attribute that the engine reads.
pub(crate) fn attribute(name: &str, names: &Names) -> usize {
    let mut all = names.read_attributes.borrow_mut();
    let entry = all.entry(name.to_owned());
    let index = entry.index();
    entry.or_default();
    index
}
