//! Variables that are read but never get a value.

use std::collections::BTreeSet;

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::Resolved;
use crate::script::known::Known;
use crate::script::resolve::{Given, Variable};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "never-assigned",
    severity: Severity::Error,
    why: "The variable is declared without a value and nothing is ever assigned to it, so it is always nil.",
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
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, _: &Known<'_>) -> Vec<Finding> {
    let names = &script.names;
    let mut told = BTreeSet::new();
    let mut found = Vec::new();
    for (token, variable) in &names.reads {
        let Variable { name, given, assigned, .. } = names.variables[*variable];
        // Once for each variable is enough.
        if matches!(given, Given::Nothing) && !assigned && told.insert(variable) {
            let message = format!("`{name}` is read but never assigned");
            found.push(
                Finding::new(&script.places, *token, message).help(format!("give it a value: `local {name} = ...`")),
            );
        }
    }
    found
}
