//! Hooks that a phase, the game or a kind does not have.

use crate::finding::Finding;
use crate::lints::{Finds, Lint, unknown, unknown_functions};
use crate::script::Resolved;
use crate::script::known::Known;
use crate::script::returned::Owner;
use crate::script::signature::Takes;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::Sort;

pub const LINT: Lint = Lint {
    name: "unknown-hook",
    severity: Severity::Error,
    why: "The engine calls hooks by name: those of phases and of the game are its own, those of kinds are declared in game.toml. \
        It never calls a function with another name.",
    bad: r#"return {
    play = {
        trun = function(player)
            gain(player, "gold", 1)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", 1)
        end,
    },
}
"#,
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Finding> {
    let mut found = unknown(script, known, |takes| takes == Takes::Name(Sort::Hook), "hook");
    found.extend(unknown_functions(script, known, |owner| owner != Owner::Verbs));
    found
}
