//! Uses of `lib` where it does not exist.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::resolve::UseKind;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "unknown-lib",
    severity: Severity::Error,
    why: "`lib` is the table that lib.luau returns. A game without lib.luau has no `lib`. Functions of lib.luau cannot use it \
        because it does not exist until the script has returned; files of a folder `lib` can.",
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
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let (message, help) = if known.libs.is_empty() {
        let help = format!("put functions that scripts share into scripts/{}/lib.luau", known.d.id);
        ("unknown name `lib`: this game has no lib.luau", help)
    } else if known.libs_seen_by(script.source_map.path()).seen.is_empty() {
        let help = "declare the function with `local function` and call it by its name".to_owned();
        ("lib.luau cannot use `lib`: this script returns it", help)
    } else {
        return Vec::new();
    };
    let named = script.names.free.iter().filter(|free| free.name == "lib" && free.use_kind != UseKind::Write);
    named.map(|free| Finding::new(&script.source_map, free.token, message).help(help.clone())).collect()
}
