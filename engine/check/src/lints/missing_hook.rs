//! Definitions that alone of their kind lack a hook.

use crate::finding::{Finding, Scripts};
use crate::lints::{Finds, Lint, at_place, has_hook};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "missing-hook",
    severity: Severity::Warning,
    why: "All other definitions of the kind have this hook in their script. The one without it was probably forgotten.",
    bad: r#"-- places.luau
return {
    hill = { visit = function(player) gain(player, "gold", 1) end },
    moor = { visit = function(player) gain(player, "gold", 2) end },
}

-- places.toml
hill = { name = "Hill" }
lake = { name = "Lake" }
moor = { name = "Moor" }
"#,
    good: r#"-- places.luau
return {
    hill = { visit = function(player) gain(player, "gold", 1) end },
    lake = { visit = function(player) gain(player, "gold", 3) end },
    moor = { visit = function(player) gain(player, "gold", 2) end },
}

-- places.toml
hill = { name = "Hill" }
lake = { name = "Lake" }
moor = { name = "Moor" }
"#,
    finds: Finds::Unused(check),
};

/// A card may be without an effect: only kinds without tokens are looked at.
fn check(scripts: &Scripts<'_>) -> Vec<Finding> {
    if scripts.uses.any_name {
        return Vec::new();
    }
    let d = scripts.known.d;
    let mut found = Vec::new();
    for (index, (name, kind)) in d.kinds.iter().enumerate().filter(|(_, (_, kind))| !kind.tokens) {
        let definitions = &d.definitions[kind.first..kind.first + kind.len];
        let scripted = |hook: &&String| !definitions.iter().any(|one| one.verbs.contains_key(*hook));
        for hook in kind.hooks.keys().filter(scripted).filter(|_| definitions.len() > 2) {
            let mut without = definitions.iter().filter(|one| !has_hook(scripts, index, &one.id, hook));
            if let (Some(one), None) = (without.next(), without.next()) {
                let message = format!("`{}` is the only definition of kind `{name}` without a hook `{hook}`", one.id);
                found.push(at_place(scripts, &one.place, message));
            }
        }
    }
    found
}
