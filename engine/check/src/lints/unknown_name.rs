//! Names of variables that do not exist.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck, MAX_COMPARED_NAMES, report_unbound};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::resolve::{FreeName, UseKind, is_known};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "unknown-name",
    severity: Severity::Error,
    why: "No variable of this name is in scope here: it is misspelt, or declared further down or in another block. \
        Scripts cannot create global variables: declare a new variable with `local`.",
    bad: r#"return {
    play = {
        turn = function(player)
            local price = 3
            gain(player, "gold", prize)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            local price = 3
            gain(player, "gold", price)
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, _: &DeclaredNames<'_>) -> Vec<Finding> {
    let unknown =
        |free: &&FreeName<'_>| free.use_kind != UseKind::Call && (!is_known(free.name) || is_written_lib(free));
    script
        .names
        .free
        .iter()
        .filter(unknown)
        .take(MAX_COMPARED_NAMES)
        .map(|free| report_unbound(script, free, "name"))
        .collect()
}

/// Whether this is `lib = ...`.
fn is_written_lib(free: &FreeName<'_>) -> bool {
    free.name == "lib" && free.use_kind == UseKind::Write
}
