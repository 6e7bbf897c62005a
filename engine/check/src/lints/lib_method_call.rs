//! Functions of `lib` that are called as methods.

use full_moon::tokenizer::TokenReference;

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::Resolved;
use crate::script::known::Known;
use crate::script::token::identifier;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "lib-method-call",
    severity: Severity::Error,
    why: "A call with a colon passes the table itself as the first argument, and the functions of lib.luau do not expect it.",
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
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, _: &Known<'_>) -> Vec<Finding> {
    let finding = |token: &&TokenReference| {
        let name = identifier(token).unwrap_or_default();
        let message = format!("`lib:{name}` passes `lib` itself as the first argument");
        Finding::new(&script.places, *token, message).help(format!("write `lib.{name}(...)`"))
    };
    script.calls.lib_methods.iter().map(finding).collect()
}
