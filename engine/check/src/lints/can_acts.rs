//! Functions that say whether something can be done, and do something.

use crate::finding::{Finding, Scripts};
use crate::lints::{Finds, Lint};
use crate::reach::reached;
use crate::script::returned::{Hook, Owner};
use motherlode_content::declare::CAN;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "can-acts",
    severity: Severity::Error,
    why: "`can` of a verb and `can_<hook>` of a definition only look: they are asked whenever choices are listed, and again before the \
        effect, so what they changed, drew or asked would happen over and over.",
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
    finds: Finds::InScripts(check),
};

/// What a function that only looks must not call.
const ACTS: [&str; 4] = ["writes", "draws", "asks", "lists"];

fn check(scripts: &Scripts<'_>) -> Vec<Finding> {
    let looks = |hook: &&Hook<'_>| match hook.owner {
        Owner::Verb => hook.name == "can",
        Owner::Definition(_) => hook.name.starts_with(CAN),
        _ => false,
    };
    let mut found = Vec::new();
    for script in scripts.list {
        for hook in script.returned.hooks.iter().filter(looks) {
            let acts = reached(scripts, script, hook, &|_, accessor| ACTS.contains(&accessor.place));
            let first = acts.into_iter().next();
            found.extend(
                first.map(|one| Finding::new(&script.places, one.token, one.message(hook.name, "it only looks"))),
            );
        }
    }
    found
}
