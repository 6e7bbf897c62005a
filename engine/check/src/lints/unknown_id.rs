//! Ids of definitions that do not exist.

use crate::finding::Finding;
use crate::lints::{Finds, Lint, unknown};
use crate::script::Resolved;
use crate::script::known::Known;
use crate::script::signature::Takes;
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
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Finding> {
    let mut found = unknown(script, known, |takes| takes == Takes::Id, "definition");
    for mention in script.mentions.iter().filter(|mention| mention.takes == Takes::AnyId) {
        if !known.knows(mention.takes, mention.name, mention.context) {
            let ids = known.names(mention.takes, mention.context).unwrap_or_default();
            let message = format!("no definition has the id `{}`", mention.name);
            let help = suggestion(mention.name, ids);
            found.push(Finding::new(&script.places, mention.token, message).help(help));
        }
    }
    found
}
