//! Names of families that are not declared.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck, find_unknown_names};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::signature::ExpectedName;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::NameKind;

pub const LINT: Lint = Lint {
    name: "unknown-family",
    severity: Severity::Error,
    why: "game.toml declares no family of this name. A family has a kind in its `per`, as in `[\"player\", \"spots\"]`. A plain counter takes no index.",
    bad: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", "hill", 1)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            gain(player, "haunts", "hill", 1)
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
        |expected| matches!(expected, ExpectedName::Name(NameKind::CounterFamily | NameKind::Family)),
        "family",
    )
}
