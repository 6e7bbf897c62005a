//! Calls with too few arguments or too many.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::call::{ArgumentLimits, Call, Callee};
use crate::script::known::DeclaredNames;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "argument-count",
    severity: Severity::Error,
    why: "The function takes a different number of arguments. Missing arguments are nil, so the call fails or does something unexpected.",
    bad: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold")
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", 1)
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, _: &DeclaredNames<'_>) -> Vec<Finding> {
    let finding = |call: &Call<'_>| {
        let ArgumentLimits { min_arguments, max_arguments, usage } = call.violated_limits(&script.names)?;
        let given = match call.arguments.len() {
            0 => "none are given".to_owned(),
            1 => "1 is given".to_owned(),
            n => format!("{n} are given"),
        };
        let takes = match (min_arguments, max_arguments) {
            (_, 0) => "takes no arguments".to_owned(),
            (min_arguments, max_arguments) if min_arguments == max_arguments => {
                format!("takes {}", arguments(min_arguments))
            }
            (min_arguments, _) if call.arguments.len() < min_arguments => {
                format!("takes at least {}", arguments(min_arguments))
            }
            (_, max_arguments) => format!("takes at most {}", arguments(max_arguments)),
        };
        let message = format!("`{}` {takes}, but {given}", call.callee_name());
        // Luau passes nil for a missing argument, and drops one too many.
        let is_guess = matches!(call.callee, Callee::Own(_) | Callee::Lib(_));
        let is_short = is_guess && call.arguments.len() < min_arguments;
        let or = if is_short { ", or declare that the last one may be missing: `name: number?`" } else { "" };
        let help = usage.map(|usage| format!("call it as `{usage}`{or}"));
        Some(Finding { is_guess, ..Finding::new(&script.source_map, call.at, message).help(help) })
    };
    script.calls.list.iter().filter_map(finding).collect()
}

fn arguments(n: usize) -> String {
    if n == 1 { "1 argument".to_owned() } else { format!("{n} arguments") }
}
