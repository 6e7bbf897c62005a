//! `can` functions that change the match.

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck};
use crate::reach::find_forbidden_calls;
use crate::script::returned::{Hook, Owner};
use motherlode::language::{Accessor, FINISH};
use motherlode_content::declare::{CAN, Declarations, PickSource};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "can-acts",
    severity: Severity::Error,
    why: "`can` of a verb, the functions of its choices and `can_<hook>` of a definition are read-only. The engine calls them whenever it lists choices, and again before \
        the effect, so a change, a random draw or a question in them would happen again and again.",
    bad: r#"-- verbs.luau
return {
    advance = {
        can = function(player, args)
            pay(player, "gold", args.steps)
            return true
        end,
        run = function(player, args)
            gain(player, "gold", 1)
        end,
    },
}
"#,
    good: r#"-- verbs.luau
return {
    advance = {
        can = function(player, args)
            return has(player, "gold", args.steps)
        end,
        run = function(player, args)
            pay(player, "gold", args.steps)
        end,
    },
}
"#,
    check: LintCheck::AllScripts(check),
};

/// Effects of accessors that a read-only function must not call.
const FORBIDDEN_EFFECTS: [&str; 4] = ["writes", "draws", "asks", "lists"];

/// Whether a function lists the candidates of a choice.
fn is_list(hook: &Hook<'_>, d: &Declarations) -> bool {
    let Owner::Verb(verb) = hook.owner else { return false };
    let pick = d.verbs.get_index(verb).and_then(|(_, verb)| verb.picks.list.get(hook.name));
    pick.is_some_and(|pick| pick.source == Some(PickSource::Script))
}

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let is_read_only = |hook: &&Hook<'_>| match hook.owner {
        Owner::Verb(_) => !["run", FINISH].contains(&hook.name),
        Owner::Definition(_) => hook.name.starts_with(CAN),
        _ => false,
    };
    let mut found = Vec::new();
    for script in context.scripts {
        for hook in script.returned.hooks.iter().filter(is_read_only) {
            let lists = is_list(hook, context.known.d);
            let forbids = |accessor: &Accessor| {
                FORBIDDEN_EFFECTS.contains(&accessor.place) && !(lists && accessor.place == "lists")
            };
            let calls = find_forbidden_calls(context, script, hook, &|_, accessor| forbids(accessor));
            let first = calls.into_iter().next();
            found.extend(first.map(|one| {
                let effect = hook.name.strip_prefix(CAN).unwrap_or("run");
                let message = one.message(hook.name, "it is read-only");
                let finding = Finding::new(&script.source_map, one.token, message).help(format!("do it in `{effect}`"));
                Finding { is_guess: one.through.is_some(), ..finding }
            }));
        }
    }
    found
}
