//! Names of families that do not exist.

use crate::finding::Finding;
use crate::lints::{Finds, Lint, unknown};
use crate::script::Resolved;
use crate::script::known::Known;
use crate::script::signature::Takes;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::Sort;

pub const LINT: Lint = Lint {
    name: "unknown-family",
    severity: Severity::Error,
    why: "game.toml declares no family of this name: a family has a kind in its `per`, as in `[\"player\", \"spots\"]`. A plain counter takes no index.",
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
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Finding> {
    unknown(script, known, |takes| matches!(takes, Takes::Name(Sort::CounterFamily | Sort::Family)), "family")
}
