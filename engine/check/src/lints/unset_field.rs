//! Fields that are read but never set.

use std::collections::BTreeSet;

use crate::finding::{Finding, LintContext};
use crate::lints::{CONTEXT, Lint, LintCheck, MAX_COMPARED_NAMES};
use crate::script::token::identifier;
use motherlode_content::diagnostic::{Severity, suggestion};

pub const LINT: Lint = Lint {
    name: "unset-field",
    severity: Severity::Warning,
    why: "No script and no content sets a field of this name, so it is always nil.",
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
    check: LintCheck::AllScripts(check),
};

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let (known, uses) = (context.known, &context.uses);
    let args = || known.d.verbs.values().flat_map(|verb| verb.args.keys()).map(String::as_str);
    let events = known.d.events.values().flat_map(|event| event.args.keys()).map(String::as_str);
    let targets: Vec<String> =
        known.d.aims.iter().flat_map(|aim| [aim.name.clone(), format!("{}_player", aim.name)]).collect();
    let targets = targets.iter().map(String::as_str);
    let args: BTreeSet<&str> = args().chain(events).chain(CONTEXT).chain(targets).collect();
    let is_set = |name: &str| {
        uses.assigned_fields.contains(name)
            || uses.texts.contains(name)
            || context.values.contains(name)
            || args.contains(name)
    };
    let mut found = Vec::new();
    for script in context.scripts {
        let mut reported = BTreeSet::new();
        for field in &script.calls.fields {
            let Some(name) = identifier(field) else { continue };
            if is_set(name) || known.is_doubtful(name) {
                continue;
            }
            let finding = Finding::new(&script.source_map, *field, format!("no script sets the field `{name}`"));
            // Report each name once per file.
            if context.is_reported(&finding) || !reported.insert(name) {
                continue;
            }
            if found.len() >= MAX_COMPARED_NAMES {
                return found;
            }
            let help = suggestion(name, uses.assigned_fields.iter().copied().chain(args.iter().copied()));
            found.push(finding.help(help));
        }
    }
    found
}
