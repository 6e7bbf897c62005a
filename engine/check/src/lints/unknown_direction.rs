//! Directions that a grid does not have: those of lines, the ways out of a cell, and which neighbours are meant.

use crate::finding::Finding;
use crate::lints::{Finds, Lint, unknown};
use crate::script::Resolved;
use crate::script::known::Known;
use crate::script::signature::Takes;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "unknown-direction",
    severity: Severity::Error,
    why: "The lines of a grid and the ways out of a cell depend on its shape, and this is none of them.",
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
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Finding> {
    let mut found = unknown(script, known, |takes| matches!(takes, Takes::Direction), "direction");
    found.extend(unknown(script, known, |takes| matches!(takes, Takes::Way), "way"));
    found.extend(unknown(script, known, |takes| matches!(takes, Takes::Which), "neighbours"));
    found
}
