//! Arguments that a verb does not take, or an event does not have.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::token::identifier;
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
    for call in &script.calls.list {
        let Some((event, declared)) = call.emitted_event().and_then(|event| known.d.events.get_key_value(event)) else {
            continue;
        };
        for argument in call.emitted_arguments(event, known.d).iter().filter(|argument| argument.of.is_none()) {
            let Some(name) = identifier(argument.name) else { continue };
            if !known.is_doubtful(name) && !known.is_doubtful(event) {
                let none = || Some(format!("declare it: `args = {{ {name} = \"integer\" }}`"));
                let help = suggestion(name, declared.args.keys().map(String::as_str)).or_else(none);
                let message = format!("event `{event}` has no argument `{name}`");
                found.push(Finding::new(&script.source_map, argument.name, message).help(help));
            }
        }
    }
    found
}
