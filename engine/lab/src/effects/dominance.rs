//! Definitions that are worse than another one of their kind by declaration alone, without games.
//!
//! Declarations say which way a number is better: `better` of an attribute or of a verb's argument, and the price of a
//! verb that is a cost. Definitions are comparable if everything else is equal: other attributes, verbs and their other
//! arguments. A definition with a function, listener, modifier or target of its own is comparable with none, nor is one
//! whose id is a word of a script.

use std::collections::BTreeSet;

use motherlode::Game;
use motherlode::declare::{Attribute, AttributeType, Bearer, Better, Declarations, Definition, Value, Verb};

/// How two definitions differ.
#[derive(Debug, Default, PartialEq)]
struct Differences {
    /// Numbers in which the first is worse, in words: `cost 3 > 2`.
    worse: Vec<String>,
    /// Whether the first is better in any number.
    is_better: bool,
    /// Numbers without a direction, in words.
    other: Vec<String>,
    /// Whether anything else differs.
    is_other_item: bool,
}

/// A definition and a better one, or one that is the same but for one number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredPair {
    /// Index of the definition.
    pub definition: usize,
    /// Index of the other definition.
    pub than: usize,
    /// The numbers that differ: `cost 3 > 2`.
    pub differences: String,
    /// Whether the other definition is better. If not, nothing declares which way the number is better.
    pub is_worse: bool,
}

/// Returns a better definition for each one that has any, and the pairs that differ in one number without a direction.
pub fn declared_pairs(game: &Game) -> Vec<DeclaredPair> {
    let d = game.declarations();
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let words: BTreeSet<&str> =
        d.all_scripts().flat_map(|script| script.source.split(|letter: char| !is_letter(letter))).collect();
    let is_named = |index: usize| words.contains(d.definitions[index].id.as_str());
    let mut pairs = Vec::new();
    for kind in d.kinds.values() {
        let all = (kind.first..kind.first + kind.len).filter(|index| is_comparable(d, *index) && !is_named(*index));
        let all: Vec<usize> = all.collect();
        for (at, definition) in all.iter().enumerate() {
            let pair = |than: usize, differences: String, is_worse| DeclaredPair {
                definition: *definition,
                than,
                differences,
                is_worse,
            };
            let mut worse = None;
            for (number, than) in all.iter().enumerate().filter(|(number, _)| *number != at) {
                let found = differences(d, &d.definitions[*definition], &d.definitions[*than]);
                if found.is_other_item {
                    continue;
                }
                match (found.worse.is_empty(), found.is_better, found.other.as_slice()) {
                    (false, false, []) if worse.is_none() => worse = Some(pair(*than, found.worse.join(", "), true)),
                    (true, false, [only]) if at < number => pairs.push(pair(*than, only.clone(), false)),
                    _ => {}
                }
            }
            pairs.extend(worse);
        }
    }
    pairs
}

/// Whether declarations tell all about a definition.
fn is_comparable(d: &Declarations, index: usize) -> bool {
    let definition = &d.definitions[index];
    let own = Bearer::Definition(index);
    definition.scripted.iter().all(|hook| d.kinds[definition.kind].scripted.contains(hook))
        && definition.aims.is_empty()
        && definition.hook_aims.values().all(Vec::is_empty)
        && !d.listeners.iter().any(|listener| listener.bearer == own)
        && !d.modifiers.iter().any(|modifier| modifier.bearer == own)
}

fn differences(d: &Declarations, one: &Definition, other: &Definition) -> Differences {
    let mut found = Differences::default();
    let kind = &d.kinds[one.kind];
    for ((name, attribute), (one, other)) in kind.attributes.iter().zip(one.attributes.iter().zip(&other.attributes)) {
        found.compare(name, attribute.better, one, other);
    }
    found.is_other_item |= one.scripted != other.scripted || !one.verbs.keys().eq(other.verbs.keys());
    if found.is_other_item {
        return found;
    }
    for (calls, others) in one.verbs.values().zip(other.verbs.values()) {
        let names = |calls: &[motherlode::declare::VerbCall]| -> Vec<String> {
            calls.iter().map(|call| call.verb.clone()).collect()
        };
        if names(calls) != names(others) {
            found.is_other_item = true;
            return found;
        }
        for (call, other) in calls.iter().zip(others) {
            let Some(verb) = d.verbs.get(&call.verb) else { continue };
            for (name, arg) in &verb.args {
                if let (Some(one), Some(other)) = (call.args.get(name), other.args.get(name)) {
                    found.compare(&format!("{} of {}", name, call.verb), direction(verb, arg), one, other);
                }
            }
        }
    }
    found
}

/// The direction of a verb's argument: declared, or the price of a cost, which is its only number.
fn direction(verb: &Verb, arg: &Attribute) -> Option<Better> {
    let is_number = |arg: &Attribute| matches!(arg.of, AttributeType::Integer { .. } | AttributeType::Amounts(_));
    let is_price = verb.cost && is_number(arg) && verb.args.values().filter(|arg| is_number(arg)).count() == 1;
    arg.better.or(is_price.then_some(Better::Less))
}

impl Differences {
    fn compare(&mut self, name: &str, better: Option<Better>, one: &Value, other: &Value) {
        match (one, other) {
            (one, other) if one == other => {}
            (Value::Integer(one), Value::Integer(other)) => self.number(name, better, (*one, *other)),
            (Value::Map(one), Value::Map(other)) if better.is_some() => {
                let number = |amount: Option<&Value>| match amount {
                    Some(Value::Integer(number)) => Some(*number),
                    None => Some(0),
                    Some(_) => None,
                };
                for key in one.keys().chain(other.keys().filter(|key| !one.contains_key(*key))) {
                    match (number(one.get(key)), number(other.get(key))) {
                        (Some(one), Some(other)) => self.number(&format!("{name} {key}"), better, (one, other)),
                        _ => self.is_other_item = true,
                    }
                }
            }
            _ => self.is_other_item = true,
        }
    }

    fn number(&mut self, name: &str, better: Option<Better>, (one, other): (i32, i32)) {
        if one == other {
            return;
        }
        let text = format!("{name} {one} {} {other}", if one < other { "<" } else { ">" });
        match better {
            None => self.other.push(text),
            Some(better) if (better == Better::More) == (one > other) => self.is_better = true,
            Some(_) => self.worse.push(text),
        }
    }
}
