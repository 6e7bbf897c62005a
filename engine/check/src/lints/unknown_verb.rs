//! Verbs that are not declared.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck, find_unknown_functions, find_unknown_names};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::returned::Owner;
use crate::script::signature::ExpectedName;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::NameKind;

pub const LINT: Lint = Lint {
    name: "unknown-verb",
    severity: Severity::Error,
    why: "Neither verbs.toml nor the engine declares a verb of this name: the call is misspelt or the declaration is missing. \
        A function of verbs.luau without a declaration never runs.",
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
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let mut found =
        find_unknown_names(script, known, |expected| expected == ExpectedName::Name(NameKind::Verb), "verb");
    found.extend(find_unknown_functions(script, known, |owner| owner == Owner::Verbs));
    found
}
