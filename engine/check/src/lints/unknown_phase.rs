//! Names of phases that are not declared.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck, find_unknown_names};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::signature::ExpectedName;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::NameKind;

pub const LINT: Lint = Lint {
    name: "unknown-phase",
    severity: Severity::Error,
    why: "phases.toml declares no phase of this name. A comparison with it is never true, and an event with it fails.",
    bad: r#"return {
    play = {
        turn = function(player)
            if phase() == "paly" then gain(player, "gold", 1) end
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            if phase() == "play" then gain(player, "gold", 1) end
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    find_unknown_names(script, known, |expected| matches!(expected, ExpectedName::Name(NameKind::Phase)), "phase")
}
