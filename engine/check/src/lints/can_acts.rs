//! Functions that say whether something can be done, and do something.

use full_moon::node::Node;

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::Resolved;
use crate::script::call::{Call, Callee};
use crate::script::known::Known;
use crate::script::place::Places;
use crate::script::returned::{Hook, Owner};
use motherlode::language::ACCESSORS;
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
    finds: Finds::InScript(check),
};

/// What a function that only looks must not call.
const ACTS: [&str; 4] = ["writes", "draws", "asks", "lists"];

fn check(script: &Resolved<'_>, _: &Known<'_>) -> Vec<Finding> {
    let looks = |hook: &&Hook<'_>| match hook.owner {
        Owner::Verb => hook.name == "can",
        Owner::Definition(_) => hook.name.starts_with(CAN),
        _ => false,
    };
    let mut found = Vec::new();
    for hook in script.returned.hooks.iter().filter(looks) {
        let Some((start, end)) = hook.body.and_then(Node::range) else { continue };
        let inside = |call: &&Call<'_>| (start.bytes()..end.bytes()).contains(&Places::start(call.at));
        let acts = |call: &Call<'_>| match call.callee {
            Callee::Accessor(name, _) => ACCESSORS.get(name).is_some_and(|one| ACTS.contains(&one.place)),
            _ => false,
        };
        if let Some(call) = script.calls.list.iter().filter(inside).find(|call| acts(call)) {
            let message = format!("`{}` must not be called in `{}`, which only looks", call.name, hook.name);
            found.push(Finding::new(&script.places, call.at, message));
        }
    }
    found
}
