//! Names of labels that are not declared.

use crate::finding::Finding;
use crate::lints::{Finds, Lint, unknown};
use crate::script::Resolved;
use crate::script::known::Known;
use crate::script::signature::Takes;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::Sort;

pub const LINT: Lint = Lint {
    name: "unknown-label",
    severity: Severity::Error,
    why: "The label is not declared in the `labels` of the prompt in prompts.toml, so the script fails when it reaches this line.",
    bad: r#"return {
    play = {
        turn = function(player)
            choose(player, "pick", { "doen" })
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            choose(player, "pick", { "done" })
        end,
    },
}
"#,
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Finding> {
    unknown(script, known, |takes| matches!(takes, Takes::Choices | Takes::Name(Sort::Label)), "label")
}
