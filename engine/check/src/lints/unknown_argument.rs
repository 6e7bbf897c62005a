//! Arguments that a verb does not take, or an event does not have.

use full_moon::ast::{Expression, Field};
use full_moon::tokenizer::TokenReference;

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::call::{Argument, Call, Callee};
use crate::script::known::DeclaredNames;
use crate::script::token::{identifier, literal};
use motherlode_content::diagnostic::{Severity, suggestion};

pub const LINT: Lint = Lint {
    name: "unknown-argument",
    severity: Severity::Error,
    why: "verbs.toml does not declare this argument of the verb, or reactions.toml this argument of the event. A call with it fails, \
        and reading it yields nil.",
    bad: r#"return {
    play = {
        turn = function(player)
            do_verb("advance", player, { stesp = 1 })
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            do_verb("advance", player, { steps = 1 })
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let read = script.calls.verb_args.iter().copied();
    let given = script.calls.list.iter().flat_map(|call| call.given_arguments(known.d));
    let mut found = Vec::new();
    for (verb, field) in read.chain(given) {
        let (Some(name), Some((verb, declared))) = (identifier(field), known.d.verbs.get_index(verb)) else { continue };
        if !declared.args.contains_key(name) && !known.is_doubtful(name) && !known.is_doubtful(verb) {
            let help = suggestion(name, declared.args.keys().map(String::as_str));
            let message = format!("verb `{verb}` takes no argument `{name}`");
            found.push(Finding::new(&script.source_map, field, message).help(help));
        }
    }
    for (event, field) in script.calls.list.iter().flat_map(emitted) {
        let (Some(name), Some(declared)) = (identifier(field), known.d.events.get(event)) else { continue };
        if !declared.args.contains_key(name) && !known.is_doubtful(name) && !known.is_doubtful(event) {
            let none = || Some(format!("declare it: `args = {{ {name} = \"integer\" }}`"));
            let help = suggestion(name, declared.args.keys().map(String::as_str)).or_else(none);
            let message = format!("event `{event}` has no argument `{name}`");
            found.push(Finding::new(&script.source_map, field, message).help(help));
        }
    }
    found
}

/// Returns the event and each argument name in `emit("storm", { player = player })`.
fn emitted<'a>(call: &Call<'a>) -> Vec<(&'a str, &'a TokenReference)> {
    let (
        Callee::Accessor("emit", _),
        [Argument::Expression(Expression::String(event)), Argument::Expression(Expression::TableConstructor(table))],
    ) = (call.callee, &call.arguments[..])
    else {
        return Vec::new();
    };
    let event = literal(event);
    let key = |field: &'a Field| match field {
        Field::NameKey { key, .. } => Some((event?, key)),
        _ => None,
    };
    table.fields().iter().filter_map(key).collect()
}
