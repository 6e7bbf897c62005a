//! Hooks with more parameters than the engine passes arguments.

use full_moon::ast::Parameter;

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::returned::Hook;
use crate::script::token::identifier;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "wrong-parameters",
    severity: Severity::Error,
    why: "The engine calls a hook with a fixed number of arguments. Additional parameters are always nil.",
    bad: r#"return {
    play = {
        turn = function(player, round)
            gain(player, "gold", round)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", round())
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for Hook { key, name, body, owner, .. } in &script.returned.hooks {
        let functions = owner.functions(known.d);
        let (Some((_, args)), Some(body)) = (functions.iter().find(|(known, _)| known == name), body) else { continue };
        let parameters: Vec<&Parameter> = body.parameters().iter().collect();
        let named = parameters.iter().all(|parameter| matches!(parameter, Parameter::Name(_)));
        found.extend(find_misplaced_args(script, &parameters, args, (owner.describe(name, known.d), name)));
        if parameters.len() <= args.len() || !named {
            continue;
        }
        let gets = if args.is_empty() { "no arguments".to_owned() } else { count(args.len(), "argument") };
        let has = count(parameters.len(), "parameter");
        let message = format!("{} gets {gets}, but this function has {has}", owner.describe(name, known.d));
        let help = format!("write `{name} = function({})`", args.join(", "));
        let finding = Finding::new(&script.source_map, *key, message).help(help);
        // Luau passes nil for the others.
        found.push(Finding { is_guess: true, ..finding });
    }
    found
}

/// Finds `args` in the place of a choice: a verb's choices come before its arguments.
fn find_misplaced_args(
    script: &ResolvedScript<'_>,
    parameters: &[&Parameter],
    args: &[&str],
    (what, name): (String, &str),
) -> Option<Finding> {
    let expected = args.iter().position(|arg| *arg == "args")?;
    let (place, token) = parameters.iter().enumerate().find_map(|(place, parameter)| match parameter {
        Parameter::Name(token) if identifier(token) == Some("args") => Some((place, token)),
        _ => None,
    })?;
    if place == expected {
        return None;
    }
    let message = format!("{what} gets `{}` here, not the arguments", args.get(place)?);
    let help = format!("write `{name} = function({})`", args.get(..=expected)?.join(", "));
    Some(Finding::new(&script.source_map, token, message).help(help))
}

fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
