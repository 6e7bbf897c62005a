//! Costs written after an effect.

use crate::finding::{Finding, Scripts};
use crate::lints::{Finds, Lint, at_place};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "cost-after-effect",
    severity: Severity::Warning,
    why: "Verbs run in the order in which they are written. An effect in front of a cost has happened already if the cost can then no \
        longer be paid, and the text of a card reads as if the effect were free.",
    bad: r#"-- tiles.toml
[mine]
name = "Mine"
operate = [{ advance = { steps = 2 } }, { pay = { gold = 1 } }]
"#,
    good: r#"-- tiles.toml
[mine]
name = "Mine"
operate = [{ pay = { gold = 1 } }, { advance = { steps = 2 } }]
"#,
    finds: Finds::Unused(check),
};

fn check(scripts: &Scripts<'_>) -> Vec<Finding> {
    let d = scripts.known.d;
    let is_cost = |verb: &str| d.verbs.get(verb).is_some_and(|verb| verb.cost);
    let mut found = Vec::new();
    for definition in &d.definitions {
        for (hook, calls) in &definition.verbs {
            let mut effect = None;
            for call in calls {
                match (is_cost(&call.verb), effect) {
                    (false, _) => effect = effect.or(Some(&call.verb)),
                    (true, None) => {}
                    (true, Some(effect)) => {
                        let (id, cost) = (&definition.id, &call.verb);
                        let message =
                            format!("the cost `{cost}` stands after the effect `{effect}` in `{hook}` of `{id}`");
                        let help = format!("write `{cost}` first");
                        found.push(at_place(scripts, &call.place, message).help(help));
                        break;
                    }
                }
            }
        }
    }
    found
}
