//! Fields that are read but never set.

use std::collections::BTreeSet;

use crate::finding::{Finding, Scripts};
use crate::lints::{Finds, Lint, MOST_GUESSED};
use crate::script::token::identifier;
use motherlode_content::diagnostic::{Severity, suggestion};

pub const LINT: Lint = Lint {
    name: "unset-field",
    severity: Severity::Warning,
    why: "No script sets a field of this name, and the content has none, so it is always nil.",
    bad: r#"return {
    play = {
        turn = function(player)
            local ship = { speed = 2 }
            gain(player, "gold", ship.sped)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            local ship = { speed = 2 }
            gain(player, "gold", ship.speed)
        end,
    },
}
"#,
    finds: Finds::InScripts(check),
};

fn check(scripts: &Scripts<'_>) -> Vec<Finding> {
    let (known, uses) = (scripts.known, &scripts.uses);
    let args = || known.d.verbs.values().flat_map(|verb| verb.args.keys()).map(String::as_str);
    let args: BTreeSet<&str> = args().collect();
    let is_set = |name: &str| {
        uses.set.contains(name) || uses.texts.contains(name) || scripts.values.contains(name) || args.contains(name)
    };
    let mut found = Vec::new();
    for script in scripts.list {
        let mut told = BTreeSet::new();
        for field in &script.calls.fields {
            let Some(name) = identifier(field) else { continue };
            // Once in a file is enough.
            if is_set(name) || known.is_doubtful(name) || !told.insert(name) {
                continue;
            }
            if found.len() >= MOST_GUESSED {
                return found;
            }
            let help = suggestion(name, uses.set.iter().copied().chain(args.iter().copied()));
            let message = format!("no script sets the field `{name}`");
            found.push(Finding::new(&script.places, *field, message).help(help));
        }
    }
    found
}
