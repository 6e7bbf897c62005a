//! Unknown directions of lines, ways out of a cell and sets of neighbours.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck, find_unknown_names};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::signature::ExpectedName;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "unknown-direction",
    severity: Severity::Error,
    why: "The directions of lines and the ways out of a cell depend on the shape of the grid. This grid does not have this one.",
    bad: r#"return {
    play = {
        turn = function(player)
            log("calm", #lines("board", "colum"))
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            log("calm", #lines("board", "column"))
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let mut found =
        find_unknown_names(script, known, |expected| matches!(expected, ExpectedName::Direction), "direction");
    found.extend(find_unknown_names(script, known, |expected| matches!(expected, ExpectedName::Way), "way"));
    found.extend(find_unknown_names(
        script,
        known,
        |expected| matches!(expected, ExpectedName::Neighbours),
        "neighbours",
    ));
    found
}
