//! Calls that need a match while the script loads.

use full_moon::node::Node;

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::call::Callee;
use crate::script::known::DeclaredNames;
use crate::script::source_map::SourceMap;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "outside-match",
    severity: Severity::Error,
    why: "Code outside functions runs once, when the script is loaded. At that time there is no match: no players, no options, \
        no state and no random numbers. Only calls that read the content work there.",
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
    check: LintCheck::Script(check),
};

/// Accessors that need only the content.
const OF_CONTENT: [&str; 24] = [
    "in_family",
    "in_list",
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

fn check(script: &ResolvedScript<'_>, _: &DeclaredNames<'_>) -> Vec<Finding> {
    let bodies: Vec<(usize, usize)> = (script.names.functions.iter())
        .filter_map(|function| function.body.range())
        .map(|(start, end)| (start.bytes(), end.bytes()))
        .collect();
    let mut found = Vec::new();
    for call in &script.calls.list {
        let Callee::Accessor(name, _) = call.callee else { continue };
        let at = SourceMap::start(call.at);
        if OF_CONTENT.contains(&name) || bodies.iter().any(|(start, end)| (*start..*end).contains(&at)) {
            continue;
        }
        let message = format!("`{name}` needs a match, but is called while the script is loaded");
        found.push(Finding::new(&script.source_map, call.at, message).help("call it in a function".to_owned()));
    }
    found
}
