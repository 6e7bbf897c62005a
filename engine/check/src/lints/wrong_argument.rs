//! Arguments of a wrong type.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::call::{Call, Callee};
use crate::script::known::DeclaredNames;
use crate::script::library;
use crate::script::signature::ValueType;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "wrong-argument",
    severity: Severity::Error,
    why: "The function takes a value of another type here, such as a number in place of text. The call fails when it runs.",
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
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, _: &DeclaredNames<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for call in script.calls_with_valid_counts() {
        for (index, argument) in call.arguments.iter().enumerate() {
            let Some(kind) = argument.value_type(&script.names, &script.values) else { continue };
            if let Some((message, help)) = wrong(call, index, kind) {
                found.push(Finding::at_span(&script.source_map, argument.span(), message).help(help));
            }
        }
    }
    found
}

/// Returns the message and the help if the argument has a wrong type.
fn wrong(call: &Call<'_>, index: usize, kind: ValueType) -> Option<(String, Option<String>)> {
    match call.callee {
        Callee::Accessor(accessor, signature) => {
            let parameter = signature.parameters.get(index)?;
            let wanted =
                parameter.value_type.filter(|of| *of != kind && !(kind == ValueType::Nil && parameter.is_optional))?;
            let (wanted, kind) = (wanted.noun(), kind.noun());
            let message = format!("`{}` of `{accessor}` must be {wanted}, not {kind}", parameter.name);
            Some((message, Some(format!("call it as `{}`", signature.text))))
        }
        // The first argument of `table.create` and `table.pack` is no table.
        Callee::Library(table) if !matches!(call.name, "create" | "pack") => {
            library::argument_limits(table, call.name)?;
            let wanted = library::argument_type(table, index).filter(|wanted| *wanted != kind)?;
            Some((format!("`{}` takes {}, not {}", call.callee_name(), wanted.noun(), kind.noun()), None))
        }
        _ => None,
    }
}
