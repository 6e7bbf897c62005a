//! Attributes that a definition sets and nothing reads of it.

use std::collections::BTreeSet;

use full_moon::ast::Expression;

use crate::finding::{Finding, Scripts};
use crate::lints::{Finds, Lint, at_field};
use crate::script::call::{Argument, Call, Callee};
use crate::script::token::literal;
use motherlode_content::declare::{AskChoices, Declarations, Value};
use motherlode_content::diagnostic::Severity;
use motherlode_content::placeholder::placeholders;
use motherlode_content::sort::Sort;

pub const LINT: Lint = Lint {
    name: "unread-attribute",
    severity: Severity::Warning,
    why: "Scripts read this attribute of other definitions only, which they name one by one. Here it does nothing, whatever its value.",
    bad: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", def("places", "hill", "height") + def("places", "lake", "height"))
        end,
    },
}

-- places.toml
hill = { name = "Hill", height = 2 }
lake = { name = "Lake", height = 1 }
moor = { name = "Moor", height = 3 }
"#,
    good: r#"return {
    play = {
        turn = function(player)
            for _, place in defs("places") do
                gain(player, "gold", def("places", place, "height"))
            end
        end,
    },
}

-- places.toml
hill = { name = "Hill", height = 2 }
lake = { name = "Lake", height = 1 }
moor = { name = "Moor", height = 3 }
"#,
    finds: Finds::Unused(check),
};

fn check(scripts: &Scripts<'_>) -> Vec<Finding> {
    let d = scripts.known.d;
    if scripts.uses.any_name || scripts.uses.dynamic.contains(&Sort::Attribute) {
        return Vec::new();
    }
    let reads = Reads::of(scripts);
    let mut found = Vec::new();
    for (index, (kind_name, kind)) in d.kinds.iter().enumerate() {
        for (at, (attribute, declared)) in kind.attributes.iter().enumerate() {
            let named: Vec<&str> =
                reads.named.iter().filter(|one| one.0 == kind_name && one.2 == attribute).map(|one| one.1).collect();
            let read = reads.kinds.contains(&(kind_name, attribute))
                || kind.tokens && reads.of_tokens.contains(attribute.as_str())
                || read_by_engine(d, index, at, attribute);
            if named.is_empty() || read {
                continue;
            }
            for one in &d.definitions[kind.first..kind.first + kind.len] {
                let value = one.attributes.get(at);
                if named.contains(&one.id.as_str())
                    || value.is_none_or(|value| says_nothing(value, declared.default.as_ref()))
                {
                    continue;
                }
                let message = format!("`{attribute}` of `{}` does nothing", one.id);
                let others: Vec<String> = named.iter().map(|id| format!("`{id}`")).collect();
                let help = format!("scripts read it of {} only", others.join(", "));
                found.push(at_field(scripts, kind_name, one, attribute, message).help(help));
            }
        }
    }
    found
}

/// Whether a value is one that stands for nothing.
fn says_nothing(value: &Value, default: Option<&Value>) -> bool {
    default == Some(value)
        || match value {
            Value::Integer(n) => *n == 0,
            Value::Boolean(set) => !set,
            Value::Text(text) => text.is_empty(),
            Value::List(list) => list.is_empty(),
            Value::Map(map) => map.is_empty(),
        }
}

/// Whether the engine itself reads an attribute of a kind: for purchases, or for texts.
fn read_by_engine(d: &Declarations, kind: usize, at: usize, name: &str) -> bool {
    let buys = d.phases.values().flat_map(|phase| &phase.asks).any(|ask| {
        matches!(&ask.choices, AskChoices::Buy { kind: of, attributes, .. } if *of == kind && attributes.contains(&at))
    });
    let reads = d.kinds.get_index(kind).and_then(|(_, kind)| kind.reads.as_deref()).unwrap_or_default();
    buys || placeholders(reads).any(|placeholder| placeholder.value == name)
}

/// Which attributes scripts read.
#[derive(Default)]
struct Reads<'a> {
    /// Of one definition: kind, id, attribute.
    named: BTreeSet<(&'a str, &'a str, &'a str)>,
    /// Of any definition of a kind.
    kinds: BTreeSet<(&'a str, &'a str)>,
    /// Of tokens.
    of_tokens: BTreeSet<&'a str>,
}

impl<'a> Reads<'a> {
    fn of(scripts: &'a Scripts<'_>) -> Self {
        let d = scripts.known.d;
        let mut reads = Self::default();
        for call in scripts.list.iter().flat_map(|script| &script.calls.list) {
            let texts: Vec<Option<&str>> = call.arguments.iter().map(|argument| text(*argument)).collect();
            match (name(call), &texts[..]) {
                ("attr", [_, Some(attribute)]) => drop(reads.of_tokens.insert(attribute)),
                ("def", [Some(kind), Some(id), Some(attribute)]) => drop(reads.named.insert((kind, id, attribute))),
                ("def", [Some(kind), None, Some(attribute)]) => drop(reads.kinds.insert((kind, attribute))),
                ("def", [None, _, Some(attribute)]) => {
                    reads.kinds.extend(d.kinds.keys().map(|kind| (kind.as_str(), *attribute)));
                }
                _ => {}
            }
        }
        reads
    }
}

/// The accessor that is called.
fn name(call: &Call<'_>) -> &'static str {
    match call.callee {
        Callee::Accessor(name, _) => name,
        _ => "",
    }
}

/// An argument that is written out as a text.
fn text(argument: Argument<'_>) -> Option<&str> {
    match argument {
        Argument::Expression(Expression::String(token)) => literal(token),
        _ => None,
    }
}
