//! Hooks with more parameters than they get arguments.

use full_moon::ast::Parameter;

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::Resolved;
use crate::script::known::Known;
use crate::script::returned::Hook;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "wrong-parameters",
    severity: Severity::Error,
    why: "The engine calls a hook with fixed arguments. Further parameters are always nil.",
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
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for Hook { key, name, body, owner, .. } in &script.returned.hooks {
        let functions = owner.functions(known.d);
        let (Some((_, args)), Some(body)) = (functions.iter().find(|(known, _)| known == name), body) else { continue };
        let parameters: Vec<&Parameter> = body.parameters().iter().collect();
        let named = parameters.iter().all(|parameter| matches!(parameter, Parameter::Name(_)));
        if parameters.len() <= args.len() || !named {
            continue;
        }
        let gets = if args.is_empty() { "no arguments".to_owned() } else { many(args.len(), "argument") };
        let has = many(parameters.len(), "parameter");
        let message = format!("{} gets {gets}, but this function has {has}", owner.shown(name, known.d));
        let help = format!("write `{name} = function({})`", args.join(", "));
        found.push(Finding::new(&script.places, *key, message).help(help));
    }
    found
}

fn many(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
