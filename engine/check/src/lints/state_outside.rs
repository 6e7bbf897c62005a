//! Functions that keep something outside the state of the match.

use std::collections::BTreeSet;

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::Resolved;
use crate::script::known::Known;
use crate::script::resolve::{Variable, Write};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "state-outside",
    severity: Severity::Error,
    why: "A match can be saved, forked and played again, and what it consists of is its state: counters, zones and grids. \
        A variable of a script is no part of it, so what a function keeps there is lost or belongs to another match.",
    bad: r#"local turns = 0

return {
    play = {
        turn = function(player)
            turns += 1
            gain(player, "gold", turns)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            gain(game, "clock", 1)
            gain(player, "gold", get(game, "clock"))
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
    for Write { token, variable, inside } in &names.writes {
        let Variable { name, outside, .. } = names.variables[*variable];
        // Once for each variable is enough.
        if *inside && outside && told.insert(variable) {
            let message = format!(
                "`{name}` is not part of the state: what a function assigns to it is lost when a match is restored"
            );
            let help =
                "keep what must last in a counter or a zone, and what one call needs in a `local` inside the function";
            found.push(Finding::new(&script.places, *token, message).help(help.to_owned()));
        }
    }
    found
}
