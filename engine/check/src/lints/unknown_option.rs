//! Names of options that are not declared.

use crate::finding::Finding;
use crate::lints::{Finds, Lint, unknown};
use crate::script::Resolved;
use crate::script::known::Known;
use crate::script::signature::Takes;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::Sort;

pub const LINT: Lint = Lint {
    name: "unknown-option",
    severity: Severity::Error,
    why: "The option is not declared in game.toml, so the script fails when it reaches this line.",
    bad: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", option("tower"))
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", option("towers"))
        end,
    },
}
"#,
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Finding> {
    unknown(script, known, |takes| matches!(takes, Takes::Name(Sort::Option)), "option")
}
