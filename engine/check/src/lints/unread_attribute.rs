//! Attributes that a definition sets but nothing reads.

use std::collections::BTreeSet;

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, accessor_name, literal_argument, report_at_field};
use crate::reactions::ReactionUses;
use motherlode_content::declare::{AskChoices, Declarations, Value};
use motherlode_content::diagnostic::Severity;
use motherlode_content::placeholder::placeholders;
use motherlode_content::sort::NameKind;

pub const LINT: Lint = Lint {
    name: "unread-attribute",
    severity: Severity::Warning,
    why: "Scripts read this attribute only for other definitions, by their ids. For this definition its value has no effect.",
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
    check: LintCheck::WholeGame(check),
};

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let d = context.known.d;
    if context.uses.is_any_name_used || context.uses.dynamic.contains(&NameKind::Attribute) {
        return Vec::new();
    }
    let reads = AttributeReads::of(context);
    let reactions = ReactionUses::of(d);
    let mut found = Vec::new();
    for (index, (kind_name, kind)) in d.kinds.iter().enumerate() {
        for (at, (attribute, declared)) in kind.attributes.iter().enumerate() {
            let named: Vec<&str> =
                reads.named.iter().filter(|one| one.0 == kind_name && one.2 == attribute).map(|one| one.1).collect();
            let read = reads.kinds.contains(&(kind_name, attribute))
                || kind.tokens && reads.of_tokens.contains(attribute.as_str())
                || reactions.attributes.contains(attribute.as_str())
                || read_by_engine(d, index, at, attribute);
            if named.is_empty() || read {
                continue;
            }
            for one in &d.definitions[kind.first..kind.first + kind.len] {
                let value = one.attributes.get(at);
                if named.contains(&one.id.as_str())
                    || value.is_none_or(|value| is_empty_or_default(value, declared.default.as_ref()))
                {
                    continue;
                }
                let message = format!("`{attribute}` of `{}` is never read", one.id);
                let others: Vec<String> = named.iter().map(|id| format!("`{id}`")).collect();
                let help = format!("remove it: scripts read it only for {}", others.join(", "));
                found.push(report_at_field(context, kind_name, one, attribute, message).help(help));
            }
        }
    }
    found
}

/// Whether a value is the default or empty.
fn is_empty_or_default(value: &Value, default: Option<&Value>) -> bool {
    default == Some(value)
        || match value {
            Value::Integer(n) => *n == 0,
            Value::Boolean(set) => !set,
            Value::Text(text) => text.is_empty(),
            Value::List(list) => list.is_empty(),
            Value::Map(map) => map.is_empty(),
            Value::Formula(_) => false,
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

/// Attributes that scripts read.
#[derive(Default)]
struct AttributeReads<'a> {
    /// Attributes of one definition: kind, id, attribute.
    named: BTreeSet<(&'a str, &'a str, &'a str)>,
    /// Attributes of any definition of a kind: kind, attribute.
    kinds: BTreeSet<(&'a str, &'a str)>,
    /// Attributes of tokens.
    of_tokens: BTreeSet<&'a str>,
}

impl<'a> AttributeReads<'a> {
    fn of(context: &'a LintContext<'_>) -> Self {
        let d = context.known.d;
        let mut reads = Self::default();
        for call in context.scripts.iter().flat_map(|script| &script.calls.list) {
            let texts: Vec<Option<&str>> = call.arguments.iter().map(|argument| literal_argument(*argument)).collect();
            match (accessor_name(call), &texts[..]) {
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
