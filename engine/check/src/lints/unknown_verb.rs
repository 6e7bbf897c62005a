//! Verbs that are not declared.

use crate::finding::Finding;
use crate::lints::{Finds, Lint, unknown, unknown_functions};
use crate::script::Resolved;
use crate::script::known::Known;
use crate::script::returned::Owner;
use crate::script::signature::Takes;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::Sort;

pub const LINT: Lint = Lint {
    name: "unknown-verb",
    severity: Severity::Error,
    why: "No verb of this name is declared in verbs.toml, nor has the engine one: it is misspelt where it is called, in a hook of a card as in a script, or its declaration is missing. A function of verbs.luau without a declaration never runs.",
    bad: r#"return {
    play = {
        turn = function(player)
            do_verb("advanse", player, { steps = 1 })
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            do_verb("advance", player, { steps = 1 })
        end,
    },
}
"#,
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Finding> {
    let mut found = unknown(script, known, |takes| takes == Takes::Name(Sort::Verb), "verb");
    found.extend(unknown_functions(script, known, |owner| owner == Owner::Verbs));
    found
}
