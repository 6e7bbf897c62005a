//! Events that no script emits, and events without an effect.

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, has_function, report_at_key};
use motherlode_content::declare::Event;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::NameKind;

pub const LINT: Lint = Lint {
    name: "unused-event",
    severity: Severity::Warning,
    why: "No script emits this event, or nothing happens when one does: it has no function in reactions.luau, and nothing listens to it. \
        A `text` of its own says that an event is meant for mods.",
    bad: r#"-- reactions.toml
[events.storm]
args = { player = "player" }

[listeners.shelter]
on = "storm"
do = [{ gain = { gold = 1 } }]
"#,
    good: r#"return {
    play = {
        turn = function(player)
            emit("storm", { player = player })
        end,
    },
}

-- reactions.toml
[events.storm]
args = { player = "player" }

[listeners.shelter]
on = "storm"
do = [{ gain = { gold = 1 } }]
"#,
    check: LintCheck::WholeGame(check),
};

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let (d, uses) = (context.known.d, &context.uses);
    if uses.is_any_name_used {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (index, (name, event)) in d.events.iter().enumerate().filter(|(_, (_, event))| !event.standard) {
        let is_emitted = event.of.is_some()
            || uses.texts.contains(name.as_str())
            || uses.dynamic.contains(&NameKind::Event) && uses.can_build(name);
        let message = if !is_emitted {
            format!("no script emits event `{name}`")
        } else if !has_effect(context, index, name, event) {
            format!("nothing happens at event `{name}`: it has no function and no listener")
        } else {
            continue;
        };
        let finding = report_at_key(context, "reactions", &["events", name], &message);
        found.extend(
            finding.map(|finding| finding.help((!is_emitted).then(|| format!("call `emit(\"{name}\", ...)`")))),
        );
    }
    found
}

/// Whether an event has a function, a listener, a part or a text for mods.
fn has_effect(context: &LintContext<'_>, index: usize, name: &str, event: &Event) -> bool {
    let d = context.known.d;
    let has_text = || {
        let mut documents = context.documents("reactions");
        documents.any(|document| {
            let events = document.root("").get("events").and_then(|node| node.as_table());
            let table = events.and_then(|events| events.get(name)).and_then(|node| node.as_table());
            table.is_some_and(|table| table.key("text").is_some())
        })
    };
    d.listeners.iter().any(|listener| listener.event == index)
        || d.events.values().any(|part| part.of == Some(index))
        || event.of.is_none() && has_function(context, name)
        || has_function(context, "check")
        || has_text()
}
