//! Zones and grids of the game that are used with a player.

use full_moon::ast::{Expression, Var};
use full_moon::tokenizer::TokenReference;

use crate::finding::Finding;
use crate::lints::{Finds, Lint, Owned, owned};
use crate::script::Resolved;
use crate::script::call::{Argument, Callee};
use crate::script::known::Known;
use crate::script::resolve::Given;
use crate::script::token::called;
use motherlode_content::declare::Holder;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "needless-player",
    severity: Severity::Error,
    why: "There is one zone or grid of this name, and it belongs to the game: no player has one.",
    bad: r#"return {
    play = {
        turn = function(player)
            draw("deck", player, "hand", player)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            draw("deck", game, "hand", player)
        end,
    },
}
"#,
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Finding> {
    let d = known.d;
    let mut found = Vec::new();
    for call in script.right_calls() {
        let Callee::Accessor(accessor, signature) = call.callee else { continue };
        // That one may well be asked about a zone of the game.
        if accessor == "owner_in" {
            continue;
        }
        for Owned { name, noun, at, player, .. } in
            owned(call, signature, d).into_iter().filter(|one| one.per == Holder::Game && !known.is_doubtful(one.name))
        {
            let Some(Argument::Expression(given)) = call.arguments.get(at) else { continue };
            if is_player(script, given) {
                let message = format!("`{accessor}` is given a player, and {noun} `{name}` belongs to the game");
                let last = at + 1 == call.arguments.len() && player.optional;
                let help = if last { "leave the player out" } else { "pass `game`" };
                found.push(Finding::new(&script.places, *given, message).help(help.to_owned()));
            }
        }
    }
    found
}

/// Whether an expression is surely a player.
fn is_player(script: &Resolved<'_>, given: &Expression) -> bool {
    match given {
        Expression::Number(_) => true,
        Expression::FunctionCall(_) => called(given).and_then(|token| script.names.free(token)) == Some("next_player"),
        Expression::Var(Var::Name(token)) => {
            let Some(variable) = script.names.constant(token) else { return false };
            let variable = &script.names.variables[variable];
            match variable.given {
                Given::Anything => variable.name == "player",
                Given::Element(1, list) => {
                    let list: Option<&TokenReference> = called(list);
                    list.and_then(|token| script.names.free(token)) == Some("players")
                }
                Given::Number => true,
                _ => false,
            }
        }
        _ => false,
    }
}
