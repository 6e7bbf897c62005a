//! Arguments of a wrong type.

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::Resolved;
use crate::script::call::{Call, Callee};
use crate::script::known::Known;
use crate::script::library;
use crate::script::signature::Kind;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "wrong-argument",
    severity: Severity::Error,
    why: "The function takes another type of value here: a number is not text, and a table is neither. The call fails when it is reached.",
    bad: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", "2")
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", 2)
        end,
    },
}
"#,
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, _: &Known<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for call in script.right_calls() {
        for (index, argument) in call.arguments.iter().enumerate() {
            let Some(kind) = argument.kind(&script.names, &script.values) else { continue };
            if let Some((message, help)) = wrong(call, index, kind) {
                found.push(Finding::of_span(&script.places, argument.span(), message).help(help));
            }
        }
    }
    found
}

/// What is wrong with an argument of this kind, and how the function is called.
fn wrong(call: &Call<'_>, index: usize, kind: Kind) -> Option<(String, Option<String>)> {
    match call.callee {
        Callee::Accessor(accessor, signature) => {
            let parameter = signature.parameters.get(index)?;
            let wanted = parameter.of.filter(|of| *of != kind && !(kind == Kind::Nothing && parameter.optional))?;
            let (wanted, kind) = (wanted.word(), kind.word());
            let message = format!("`{}` of `{accessor}` must be {wanted}, not {kind}", parameter.name);
            Some((message, Some(format!("call it as `{}`", signature.text))))
        }
        // `table.create(n)` makes a table, and others are known by the number of their arguments alone.
        Callee::Library(table) if !matches!(call.name, "create" | "pack") => {
            library::counts(table, call.name)?;
            let wanted = library::takes(table, index).filter(|wanted| *wanted != kind)?;
            Some((format!("`{}` takes {}, not {}", call.shown(), wanted.word(), kind.word()), None))
        }
        _ => None,
    }
}
