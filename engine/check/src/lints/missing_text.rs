//! Definitions that do something and do not say what.

use crate::finding::{Finding, Scripts};
use crate::lints::{Finds, Lint, at_place, has_hook};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "missing-text",
    severity: Severity::Warning,
    why: "What verbs do is said by their sentences. What a function does is known to nobody unless the definition has a text; `{verbs}` in \
        it stands for the sentences of its verbs. If the texts of a kind say nothing of its hooks, set `reads = \"\"` in the kind.",
    bad: r#"-- tiles.luau
return {
    mine = { operate = function(token, player) gain(player, "gold", 1) end },
}

-- tiles.toml
[mine]
name = "Mine"
"#,
    good: r#"-- tiles.luau
return {
    mine = { operate = function(token, player) gain(player, "gold", 1) end },
}

-- tiles.toml
[mine]
name = "Mine"
text = "Take 1 gold."
"#,
    finds: Finds::Unused(check),
};

fn check(scripts: &Scripts<'_>) -> Vec<Finding> {
    if scripts.uses.any_name {
        return Vec::new();
    }
    let d = scripts.known.d;
    let mut found = Vec::new();
    for one in d.definitions.iter().filter(|one| one.written.is_empty()) {
        let Some((_, kind)) = d.kinds.get_index(one.kind) else { continue };
        let told = kind.reads.as_deref() != Some("");
        let unsaid = |hook: &&String| !one.verbs.contains_key(*hook) && has_hook(scripts, one.kind, &one.id, hook);
        if let Some(hook) = kind.hooks.keys().find(unsaid).filter(|_| told) {
            let message = format!("`{}` has no text, and its hook `{hook}` is a function", one.id);
            let help = match one.says.as_str() {
                "" => "write `text = \"...\"`".to_owned(),
                _ => "write `text = \"{verbs} ...\"`: `{verbs}` stands for what its verbs say".to_owned(),
            };
            found.push(at_place(scripts, &one.place, message).help(help));
        }
    }
    found
}
