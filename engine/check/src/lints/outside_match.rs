//! Calls that need a match, while there is none.

use full_moon::node::Node;

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::Resolved;
use crate::script::call::Callee;
use crate::script::known::Known;
use crate::script::place::Places;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "outside-match",
    severity: Severity::Error,
    why: "What stands outside of functions runs once, when the script is loaded, and there is no match then: no players, no options, \
        no state and no chance. What the content declares can be read there.",
    bad: r#"local limit = get(game, "clock")

return {
    play = {
        turn = function(player)
            gain(player, "gold", limit)
        end,
    },
}
"#,
    good: r#"local tiles = #defs("tiles")

return {
    play = {
        turn = function(player)
            gain(player, "gold", math.min(tiles, get(game, "clock")))
        end,
    },
}
"#,
    finds: Finds::InScript(check),
};

/// What follows from the content alone.
const OF_CONTENT: [&str; 23] = [
    "in_family",
    "value",
    "name_of",
    "owner_in",
    "id",
    "kind",
    "owner",
    "tokens",
    "attr",
    "def",
    "defs",
    "number_of",
    "name",
    "has_hook",
    "cell",
    "cells",
    "neighbours",
    "ray",
    "lines",
    "column_of",
    "row_of",
    "replace",
    "wrap",
];

fn check(script: &Resolved<'_>, _: &Known<'_>) -> Vec<Finding> {
    let bodies: Vec<(usize, usize)> = (script.names.functions.iter())
        .filter_map(|function| function.body.range())
        .map(|(start, end)| (start.bytes(), end.bytes()))
        .collect();
    let mut found = Vec::new();
    for call in &script.calls.list {
        let Callee::Accessor(name, _) = call.callee else { continue };
        let at = Places::start(call.at);
        if OF_CONTENT.contains(&name) || bodies.iter().any(|(start, end)| (*start..*end).contains(&at)) {
            continue;
        }
        let message = format!("`{name}` is called while the script is loaded, and there is no match then");
        found.push(Finding::new(&script.places, call.at, message).help("call it in a function".to_owned()));
    }
    found
}
