//! Ids of definitions that do not exist.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck, find_unknown_names};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::signature::ExpectedName;
use motherlode_content::diagnostic::{Severity, suggestion};

pub const LINT: Lint = Lint {
    name: "unknown-id",
    severity: Severity::Error,
    why: "No definition has this id. A call with it fails, and a comparison with it is never true.",
    bad: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", def("tiles", "mien", "cost"))
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
    let mut found = find_unknown_names(script, known, |expected| expected == ExpectedName::Id, "definition");
    for mention in script.mentions.iter().filter(|mention| mention.expected == ExpectedName::AnyId) {
        if !known.is_valid(mention.expected, mention.name, mention.context) {
            let ids = known.names(mention.expected, mention.context).unwrap_or_default();
            let message = format!("no definition has the id `{}`", mention.name);
            let help = suggestion(mention.name, ids);
            found.push(Finding::new(&script.source_map, mention.token, message).help(help));
        }
    }
    found
}
