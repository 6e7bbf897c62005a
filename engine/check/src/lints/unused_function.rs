//! Functions of lib.luau that no script calls.

use crate::finding::{Finding, Scripts};
use crate::lints::{Finds, Lint};
use crate::script::lib_file::LibFunction;
use motherlode::language;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "unused-function",
    severity: Severity::Warning,
    why: "No script calls this function of lib.luau. It may be left over, or a script may call another one by mistake.",
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
    finds: Finds::Unused(check),
};

fn check(scripts: &Scripts<'_>) -> Vec<Finding> {
    let uses = &scripts.uses;
    let mut found = Vec::new();
    for lib in scripts.known.libs.iter().filter(|_| !uses.any_function) {
        let Some(script) = scripts.list.iter().find(|script| script.places.path() == lib.path) else { continue };
        for (name, LibFunction { token, word: (word, plain), .. }) in &lib.functions {
            let named = || language::words(script.places.text()).filter(|(_, other)| other == word).count();
            if !uses.functions.contains(name) && named() <= *plain {
                found.push(Finding::new(&script.places, *token, format!("function `{name}` is never used")));
            }
        }
    }
    found
}
