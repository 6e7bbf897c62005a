//! Names of attributes that are not declared.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck, find_unknown_names};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::signature::ExpectedName;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::NameKind;

pub const LINT: Lint = Lint {
    name: "unknown-attribute",
    severity: Severity::Error,
    why: "The attribute is not declared in the `attributes` of the kind, so the script fails when it reaches this line.",
    bad: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", def("tiles", "mine", "cots"))
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", def("tiles", "mine", "cost"))
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    find_unknown_names(
        script,
        known,
        |expected| matches!(expected, ExpectedName::Name(NameKind::Attribute)),
        "attribute",
    )
}
