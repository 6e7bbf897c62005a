//! Arguments that a verb does not take.

use full_moon::ast::{Expression, Field};
use full_moon::tokenizer::TokenReference;

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::Resolved;
use crate::script::call::{Argument, Call, Callee};
use crate::script::known::Known;
use crate::script::token::{identifier, literal};
use motherlode_content::diagnostic::{Severity, suggestion};

pub const LINT: Lint = Lint {
    name: "unknown-argument",
    severity: Severity::Error,
    why: "A verb takes the arguments that verbs.toml declares. Others cannot be given to it, and its function finds nil in their place.",
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
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Finding> {
    let read = script.calls.verb_args.iter().copied();
    let given = script.calls.list.iter().flat_map(|call| given(call, known));
    let mut found = Vec::new();
    for (verb, field) in read.chain(given) {
        let (Some(name), Some((verb, declared))) = (identifier(field), known.d.verbs.get_index(verb)) else { continue };
        if !declared.args.contains_key(name) && !known.is_doubtful(name) && !known.is_doubtful(verb) {
            let help = suggestion(name, declared.args.keys().map(String::as_str));
            let message = format!("verb `{verb}` takes no argument `{name}`");
            found.push(Finding::new(&script.places, field, message).help(help));
        }
    }
    found
}

/// The arguments that `do_verb("advance", player, { steps = 1 })` gives, with the verb.
fn given<'a>(call: &Call<'a>, known: &Known<'_>) -> Vec<(usize, &'a TokenReference)> {
    let Callee::Accessor("do_verb" | "can_do", _) = call.callee else { return Vec::new() };
    let [Argument::Expression(Expression::String(verb)), _, Argument::Expression(Expression::TableConstructor(table))] =
        call.arguments[..]
    else {
        return Vec::new();
    };
    let verb = literal(verb).and_then(|name| known.d.verbs.get_index_of(name));
    let key = |field: &'a Field| match field {
        Field::NameKey { key, .. } => Some((verb?, key)),
        _ => None,
    };
    table.fields().iter().filter_map(key).collect()
}
