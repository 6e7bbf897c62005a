//! Names of filters that are not declared.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck, find_unknown_names};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::signature::ExpectedName;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::NameKind;

pub const LINT: Lint = Lint {
    name: "unknown-filter",
    severity: Severity::Error,
    why: "reactions.toml declares no filter of this name, so the script fails when it reaches this line.",
    bad: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", #tokens_where("mnes", player))
        end,
    },
}

-- reactions.toml
[filters.mines]
id = "mine"
"#,
    good: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", #tokens_where("mines", player))
        end,
    },
}

-- reactions.toml
[filters.mines]
id = "mine"
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    find_unknown_names(script, known, |expected| matches!(expected, ExpectedName::Name(NameKind::Filter)), "filter")
}
