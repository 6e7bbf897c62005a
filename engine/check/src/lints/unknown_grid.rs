//! Names of grids that are not declared.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck, find_unknown_names};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::signature::ExpectedName;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::NameKind;

pub const LINT: Lint = Lint {
    name: "unknown-grid",
    severity: Severity::Error,
    why: "The grid is not declared in game.toml, so the script fails when it reaches this line.",
    bad: r#"return {
    play = {
        turn = function(player)
            log("calm", #cells("bord"))
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            log("calm", #cells("board"))
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    find_unknown_names(script, known, |expected| matches!(expected, ExpectedName::Name(NameKind::Grid)), "grid")
}
