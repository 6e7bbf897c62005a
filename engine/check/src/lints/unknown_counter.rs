//! Names of counters that are not declared.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck, find_unknown_names};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::signature::ExpectedName;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::NameKind;

pub const LINT: Lint = Lint {
    name: "unknown-counter",
    severity: Severity::Error,
    why: "The counter is not declared in game.toml, so the script fails when it reaches this line.",
    bad: r#"return {
    play = {
        turn = function(player)
            gain(player, "gild", 2)
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

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    find_unknown_names(
        script,
        known,
        |expected| matches!(expected, ExpectedName::Name(NameKind::Counter) | ExpectedName::CounterOrFamily),
        "counter",
    )
}
