//! Calls of an accessor that is a value.

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::Resolved;
use crate::script::call::{Call, Callee};
use crate::script::known::Known;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "not-a-function",
    severity: Severity::Error,
    why: "`game` is a value that stands for the game in `get(game, ...)`, and cannot be called.",
    bad: r#"return {
    play = {
        turn = function(player)
            set(game(), "clock", 1)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            set(game, "clock", 1)
        end,
    },
}
"#,
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, _: &Known<'_>) -> Vec<Finding> {
    let is_value = |call: &&Call<'_>| matches!(call.callee, Callee::Accessor(_, signature) if !signature.callable);
    let finding = |call: &Call<'_>| Finding::new(&script.places, call.at, format!("`{}` is not a function", call.name));
    script.calls.list.iter().filter(is_value).map(finding).collect()
}
