//! Functions that decide or list something and return nothing.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::returned::{Hook, Owner};
use motherlode_content::declare::{CAN, Declarations, PickSource};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "missing-return",
    severity: Severity::Warning,
    why: "The engine reads what this function returns. Without `return`, the function has no effect.",
    bad: r#"return {
    play = {
        skip = function(player)
            local is_poor = get(player, "gold") == 0
        end,
        turn = function(player)
            gain(player, "gold", 1)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        skip = function(player)
            return get(player, "gold") == 0
        end,
        turn = function(player)
            gain(player, "gold", 1)
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let finding = |hook: &Hook<'_>| {
        let body = hook.body?;
        let result = result_of(hook, known.d)?;
        let function = &script.names.functions[script.names.function_of(body)?];
        let message = format!("`{}` returns nothing", hook.name);
        let help = format!("return {result}");
        function.returns.is_empty().then(|| Finding::new(&script.source_map, hook.key, message).help(help))
    };
    script.returned.hooks.iter().filter_map(finding).collect()
}

/// The result that the engine reads from a function; `None`: none.
fn result_of(hook: &Hook<'_>, d: &Declarations) -> Option<&'static str> {
    match (hook.owner, hook.name) {
        (Owner::Phase, "applies") => Some("whether the phase is played"),
        (Owner::Phase, "skip") => Some("whether the turn is skipped"),
        (Owner::Phase, "order") => Some("the players in turn order"),
        (Owner::Verb(_), "can") => Some("whether the verb is possible"),
        (Owner::Verb(verb), name) => {
            let pick = d.verbs.get_index(verb)?.1.picks.list.get(name)?;
            (pick.source != Some(PickSource::Script)).then_some("whether the candidate can be chosen")
        }
        (Owner::Definition(_), name) if name.starts_with(CAN) => Some("whether the hook may run"),
        _ => None,
    }
}
