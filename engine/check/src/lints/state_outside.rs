//! Functions that store values outside the match state.

use std::collections::BTreeSet;

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::resolve::{Variable, VariableWrite};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "state-outside",
    severity: Severity::Error,
    why: "A match can be saved, forked and replayed. Its state consists of counters, zones and grids. A variable at the top of a script \
        is not part of the state, so a value in it is lost or belongs to another match.",
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
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, _: &DeclaredNames<'_>) -> Vec<Finding> {
    let names = &script.names;
    let mut reported = BTreeSet::new();
    let mut found = Vec::new();
    for VariableWrite { token, variable, is_in_function } in &names.writes {
        let Variable { name, is_top_level, .. } = names.variables[*variable];
        // Report each variable once.
        if *is_in_function && is_top_level && reported.insert(variable) {
            let message = format!("`{name}` is not part of the state: its value is lost when a match is restored");
            let help = "use a counter or a zone for lasting values, and a `local` in the function for others";
            found.push(Finding::new(&script.source_map, *token, message).help(help.to_owned()));
        }
    }
    found
}
