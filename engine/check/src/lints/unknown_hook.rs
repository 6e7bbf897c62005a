//! Hooks that a phase, the game or a kind does not have.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck, find_unknown_functions, find_unknown_names};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::returned::Owner;
use crate::script::signature::ExpectedName;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::NameKind;

pub const LINT: Lint = Lint {
    name: "unknown-hook",
    severity: Severity::Error,
    why: "The engine calls hooks by name and never calls this one. The engine defines the hooks of phases and of the game; game.toml \
        declares the hooks of kinds.",
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
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let mut found =
        find_unknown_names(script, known, |expected| expected == ExpectedName::Name(NameKind::Hook), "hook");
    let is_list = |expected| expected == ExpectedName::Name(NameKind::HookList);
    found.extend(find_unknown_names(script, known, is_list, "list of hooks"));
    found.extend(find_unknown_functions(script, known, |owner| owner != Owner::Verbs));
    found
}
