//! Names of counters that are not declared.

use crate::finding::Finding;
use crate::lints::{Finds, Lint, unknown};
use crate::script::Resolved;
use crate::script::known::Known;
use crate::script::signature::Takes;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::Sort;

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
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Finding> {
    unknown(script, known, |takes| matches!(takes, Takes::Name(Sort::Counter) | Takes::CounterOrFamily), "counter")
}
