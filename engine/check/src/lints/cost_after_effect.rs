//! Costs written after an effect.

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, report_at};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "cost-after-effect",
    severity: Severity::Warning,
    why: "Verbs run in the order in which they are written. If an effect comes before a cost, the effect has already happened when \
        the player cannot pay, and the text of the card reads as if the effect were free.",
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
    check: LintCheck::WholeGame(check),
};

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let d = context.known.d;
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
                            format!("the cost `{cost}` comes after the effect `{effect}` in `{hook}` of `{id}`");
                        let help = format!("write `{cost}` first");
                        found.push(report_at(context, &call.place, message).help(help));
                        break;
                    }
                }
            }
        }
    }
    found
}
