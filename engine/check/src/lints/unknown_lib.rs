//! Uses of `lib` where there is none.

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::Resolved;
use crate::script::known::Known;
use crate::script::resolve::Use;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "unknown-lib",
    severity: Severity::Error,
    why: "`lib` is what lib.luau returns. A game without lib.luau has none, and the functions of lib.luau cannot see it \
        because it is not there until the script has returned it.",
    bad: r#"return {
    play = {
        turn = function(player)
            lib.pay(player)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            lib.pay(player)
        end,
    },
}

-- lib.luau
return {
    pay = function(player)
        gain(player, "gold", 1)
    end,
}
"#,
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Finding> {
    let (message, help) = if known.libs.is_empty() {
        let help = format!("put functions that scripts share into scripts/{}/lib.luau", known.d.id);
        ("unknown name `lib`: this game has no lib.luau", help)
    } else if known.libs_seen_by(script.places.path()).seen.is_empty() {
        let help = "declare the function with `local function` and call it by its name".to_owned();
        ("lib.luau cannot use `lib`: it is what this script returns", help)
    } else {
        return Vec::new();
    };
    let named = script.names.free.iter().filter(|free| free.name == "lib" && free.how != Use::Write);
    named.map(|free| Finding::new(&script.places, free.token, message).help(help.clone())).collect()
}
