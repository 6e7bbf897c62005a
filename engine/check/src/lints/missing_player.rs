//! Zones and grids of players that are used without a player.

use full_moon::ast::{Expression, Var};

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::Resolved;
use crate::script::call::{Argument, Callee};
use crate::script::known::Known;
use crate::script::signature::Takes;
use crate::script::token::literal;
use motherlode_content::declare::Holder;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::Sort;

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
        for (i, (argument, takes)) in call.arguments.iter().zip(&signature.takes).enumerate() {
            let token = match *argument {
                Argument::Text(token) | Argument::Expression(Expression::String(token)) => token,
                _ => continue,
            };
            let Some(name) = literal(token) else { continue };
            let (noun, per) = match takes {
                Takes::Name(Sort::Zone) => ("zone", d.zones.get(name).map(|zone| zone.per)),
                Takes::Name(Sort::Grid) => ("grid", d.grids.get(name).map(|grid| grid.per)),
                _ => continue,
            };
            let mut behind = signature.parameters.iter().enumerate().skip(i + 1);
            let player = behind.find(|(_, parameter)| parameter.name.ends_with("player"));
            let Some((player, _)) = player.filter(|_| per == Some(Holder::Player)) else { continue };
            let none = call.arguments.get(player).is_none_or(|argument| is_nobody(script, *argument));
            if none {
                let message = format!("`{accessor}` needs a player: every player has a {noun} `{name}`");
                let help = format!("call it as `{}`", signature.text);
                found.push(Finding::new(&script.places, call.at, message).help(help));
            }
        }
    }
    found
}
