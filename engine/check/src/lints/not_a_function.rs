//! Calls of an accessor that is not a function.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::call::{Call, Callee};
use crate::script::known::DeclaredNames;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "not-a-function",
    severity: Severity::Error,
    why: "`game` is the holder of the game's counters, as in `get(game, ...)`. It cannot be called.",
    bad: r#"return {
    play = {
        turn = function(player)
            set(game(), "clock", 1)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            set(game, "clock", 1)
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, _: &DeclaredNames<'_>) -> Vec<Finding> {
    let is_value = |call: &&Call<'_>| matches!(call.callee, Callee::Accessor(_, signature) if !signature.is_function);
    let finding = |call: &Call<'_>| {
        let message = format!("`{}` is not a function", call.name);
        Finding::new(&script.source_map, call.at, message).help(format!("write `{}` without parentheses", call.name))
    };
    script.calls.list.iter().filter(is_value).map(finding).collect()
}
