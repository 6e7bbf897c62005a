//! Zones and grids of players that are used without a player.

use full_moon::ast::{Expression, Var};

use crate::finding::Finding;
use crate::lints::{Finds, Lint, Owned, owned};
use crate::script::Resolved;
use crate::script::call::{Argument, Callee};
use crate::script::known::Known;
use motherlode_content::declare::Holder;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "missing-player",
    severity: Severity::Error,
    why: "Every player has a zone or grid of this name, so the call must say whose is meant.",
    bad: r#"return {
    play = {
        turn = function(player)
            shuffle("hand")
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            shuffle("hand", player)
        end,
    },
}
"#,
    finds: Finds::InScript(check),
};

/// Whether an argument is written as `nil` or `game`, which stand for no player.
fn is_nobody(script: &Resolved<'_>, argument: Argument<'_>) -> bool {
    match argument {
        Argument::Expression(Expression::Symbol(token)) => token.token().to_string() == "nil",
        Argument::Expression(Expression::Var(Var::Name(token))) => script.names.free(token) == Some("game"),
        _ => false,
    }
}

fn check(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Finding> {
    let d = known.d;
    let mut found = Vec::new();
    for call in script.right_calls().filter(|call| call.exact) {
        let Callee::Accessor(accessor, signature) = call.callee else { continue };
        for Owned { name, noun, at, .. } in
            owned(call, signature, d).into_iter().filter(|one| one.per == Holder::Player)
        {
            let none = call.arguments.get(at).is_none_or(|argument| is_nobody(script, *argument));
            if none {
                let message = format!("`{accessor}` needs a player: every player has a {noun} `{name}`");
                let help = format!("call it as `{}`", signature.text);
                found.push(Finding::new(&script.places, call.at, message).help(help));
            }
        }
    }
    found
}
