//! Definitions without a text for what a function does.

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, report_at};
use motherlode_content::declare::{Bearer, Declarations, ListenerAction};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "missing-text",
    severity: Severity::Warning,
    why: "Verbs have their own texts, but a function has none: players learn what it does only from the `text` of the definition. \
        `{verbs}` in that text inserts the texts of the verbs. If the texts of a kind do not describe its hooks, set `reads = \"\"` in the kind.",
    bad: r#"-- tiles.luau
return {
    mine = { operate = function(token, player) gain(player, "gold", 1) end },
}

-- tiles.toml
[mine]
name = "Mine"
operate = "script"
"#,
    good: r#"-- tiles.luau
return {
    mine = { operate = function(token, player) gain(player, "gold", 1) end },
}

-- tiles.toml
[mine]
name = "Mine"
text = "Take 1 gold."
operate = "script"
"#,
    check: LintCheck::WholeGame(check),
};

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    if context.uses.is_any_name_used {
        return Vec::new();
    }
    let d = context.known.d;
    let mut found = Vec::new();
    for (index, one) in d.definitions.iter().enumerate().filter(|(_, one)| one.written.is_empty()) {
        let Some((_, kind)) = d.kinds.get_index(one.kind) else { continue };
        let is_described = kind.reads.as_deref() != Some("");
        let hook = kind.hooks.keys().find(|hook| one.scripted.contains(*hook)).map(|hook| ("hook", hook.as_str()));
        let part = hook.or_else(|| find_scripted_listener(d, index).map(|listener| ("listener", listener)));
        if let Some((noun, part)) = part.filter(|_| is_described) {
            let message = format!("`{}` has no text, but its {noun} `{part}` is a function", one.id);
            let help = match one.says.as_str() {
                "" => format!("describe the {noun} in `text = \"...\"`"),
                _ => "write `text = \"{verbs} ...\"`: `{verbs}` inserts the texts of its verbs".to_owned(),
            };
            found.push(report_at(context, &one.place, message).help(help));
        }
    }
    found
}

/// Finds a listener of a definition that is a function and has no text of its own.
fn find_scripted_listener(d: &Declarations, definition: usize) -> Option<&str> {
    let own = d.listeners.iter().filter(|listener| listener.bearer == Bearer::Definition(definition));
    let mut scripted = own.filter(|one| one.text.is_empty() && matches!(one.action, ListenerAction::Script(_)));
    scripted.next().map(|listener| listener.name.as_str())
}
