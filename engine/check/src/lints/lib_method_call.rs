//! Method calls of `lib` functions: `lib:pay()`.

use full_moon::tokenizer::TokenReference;

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::token::identifier;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "lib-method-call",
    severity: Severity::Error,
    why: "A call with a colon passes `lib` as the first argument, which functions of lib.luau do not expect.",
    bad: r#"return {
    play = {
        turn = function(player)
            lib:pay(player)
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

fn check(script: &ResolvedScript<'_>, _: &DeclaredNames<'_>) -> Vec<Finding> {
    let finding = |token: &&TokenReference| {
        let name = identifier(token).unwrap_or_default();
        let message = format!("`lib:{name}` passes `lib` itself as the first argument");
        Finding::new(&script.source_map, *token, message).help(format!("write `lib.{name}(...)`"))
    };
    script.calls.lib_methods.iter().map(finding).collect()
}
