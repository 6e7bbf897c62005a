//! Variables that are read but never assigned.

use std::collections::BTreeSet;

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::resolve::{Initializer, Variable};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "never-assigned",
    severity: Severity::Warning,
    why: "The variable is declared without a value and never assigned, so it is always nil.",
    bad: r#"return {
    play = {
        turn = function(player)
            local bonus
            gain(player, "gold", bonus)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            local bonus = 2
            gain(player, "gold", bonus)
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, _: &DeclaredNames<'_>) -> Vec<Finding> {
    let names = &script.names;
    let mut reported = BTreeSet::new();
    let mut found = Vec::new();
    for (token, variable) in &names.reads {
        let Variable { name, initializer, is_assigned, .. } = names.variables[*variable];
        // Report each variable once.
        if matches!(initializer, Initializer::Nothing) && !is_assigned && reported.insert(variable) {
            let message = format!("`{name}` is read but never assigned");
            found.push(
                Finding::new(&script.source_map, *token, message)
                    .help(format!("give it a value: `local {name} = ...`")),
            );
        }
    }
    found
}
