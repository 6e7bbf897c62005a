//! Hooks that a single definition of a kind lacks.

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, report_at};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "missing-hook",
    severity: Severity::Warning,
    why: "All other definitions of the kind have this hook in their script. This one was probably forgotten.",
    bad: r#"-- places.luau
return {
    hill = { visit = function(player) gain(player, "gold", 1) end },
    moor = { visit = function(player) gain(player, "gold", 2) end },
}

-- places.toml
hill = { name = "Hill", visit = "script" }
lake = { name = "Lake" }
moor = { name = "Moor", visit = "script" }
"#,
    good: r#"-- places.luau
return {
    hill = { visit = function(player) gain(player, "gold", 1) end },
    lake = { visit = function(player) gain(player, "gold", 3) end },
    moor = { visit = function(player) gain(player, "gold", 2) end },
}

-- places.toml
hill = { name = "Hill", visit = "script" }
lake = { name = "Lake", visit = "script" }
moor = { name = "Moor", visit = "script" }
"#,
    check: LintCheck::WholeGame(check),
};

/// Checks only kinds without tokens: a card may have no effect.
fn check(context: &LintContext<'_>) -> Vec<Finding> {
    if context.uses.is_any_name_used {
        return Vec::new();
    }
    let d = context.known.d;
    let mut found = Vec::new();
    for (name, kind) in d.kinds.iter().filter(|(_, kind)| !kind.tokens) {
        let definitions = &d.definitions[kind.first..kind.first + kind.len];
        let scripted = |hook: &&String| !definitions.iter().any(|one| one.verbs.contains_key(*hook));
        for hook in kind.hooks.keys().filter(scripted).filter(|_| definitions.len() > 2) {
            let mut without = definitions.iter().filter(|one| !one.scripted.contains(hook));
            if let (Some(one), None) = (without.next(), without.next()) {
                let message = format!("`{}` is the only definition of kind `{name}` without a hook `{hook}`", one.id);
                let help = format!("write `{hook} = \"script\"` here, and the function in {name}.luau");
                found.push(report_at(context, &one.place, message).help(help));
            }
        }
    }
    found
}
