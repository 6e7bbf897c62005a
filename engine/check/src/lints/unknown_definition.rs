//! Hooks for phases and definitions that do not exist.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::returned::{Owner, Section};
use motherlode_content::diagnostic::{Severity, nearest};

pub const LINT: Lint = Lint {
    name: "unknown-definition",
    severity: Severity::Error,
    why: "A script returns hooks for a phase or a definition that no TOML file declares, so the engine never calls them.",
    bad: r#"return {
    plya = {
        turn = function(player)
            gain(player, "gold", 1)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", 1)
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let (d, stem) = (known.d, script.returned.stem);
    let mut found = Vec::new();
    for Section { key, name, owner, .. } in &script.returned.sections {
        let (what, ids): (String, Vec<&str>) = match *owner {
            Owner::Definition(kind) => {
                let kind = &d.kinds[kind];
                let definitions = &d.definitions[kind.first..kind.first + kind.len];
                let ids = definitions.iter().map(|one| one.id.as_str()).collect();
                (format!("unknown definition `{name}` of kind `{stem}`"), ids)
            }
            _ => (format!("unknown phase `{name}`"), d.phases.keys().map(String::as_str).collect()),
        };
        if !ids.contains(name) && !known.is_gone(stem, name) {
            let help = nearest(name, ids).map(|near| format!("did you mean `{near}`?"));
            found.push(Finding::new(&script.source_map, *key, what).help(help));
        }
    }
    found
}
