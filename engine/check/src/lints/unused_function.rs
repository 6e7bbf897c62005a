//! Functions of lib.luau that no script calls.

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck};
use crate::script::lib_file::LibFunction;
use motherlode::language;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "unused-function",
    severity: Severity::Warning,
    why: "No script calls this function of lib.luau. It may be a leftover, or a script may call another function by mistake.",
    bad: r#"return {
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
    charge = function(player)
        gain(player, "gold", -1)
    end,
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
    check: LintCheck::WholeGame(check),
};

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let uses = &context.uses;
    let mut found = Vec::new();
    for lib in context.known.libs.iter().filter(|_| !uses.is_any_function_used) {
        let Some(script) = context.scripts.iter().find(|script| script.source_map.path() == lib.path) else { continue };
        for (name, LibFunction { token, word: (word, plain), .. }) in &lib.functions {
            let named = || language::words(script.source_map.text()).filter(|(_, other)| other == word).count();
            if !uses.functions.contains(name) && named() <= *plain {
                found.push(Finding::new(&script.source_map, *token, format!("function `{name}` is never used")));
            }
        }
    }
    found
}
