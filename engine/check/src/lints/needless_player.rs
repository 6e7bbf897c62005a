//! Calls that pass a player for a zone or grid of the game.

use full_moon::ast::{Expression, Var};
use full_moon::tokenizer::TokenReference;

use crate::finding::Finding;
use crate::lints::{ContainerArgument, Lint, LintCheck, find_container_arguments};
use crate::script::ResolvedScript;
use crate::script::call::{Argument, Callee};
use crate::script::known::DeclaredNames;
use crate::script::resolve::Initializer;
use crate::script::token::callee;
use motherlode_content::declare::Holder;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "needless-player",
    severity: Severity::Error,
    why: "The game has a single zone or grid of this name, which belongs to no player.",
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
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let d = known.d;
    let mut found = Vec::new();
    for call in script.calls_with_valid_counts() {
        let Callee::Accessor(accessor, signature) = call.callee else { continue };
        // `owner_in` accepts any player, also for a zone of the game.
        if accessor == "owner_in" {
            continue;
        }
        for ContainerArgument { name, noun, at, player, .. } in find_container_arguments(call, signature, d)
            .into_iter()
            .filter(|one| one.per == Holder::Game && !known.is_doubtful(one.name))
        {
            let Some(Argument::Expression(given)) = call.arguments.get(at) else { continue };
            if is_player(script, given) {
                let message = format!("`{accessor}` gets a player, but {noun} `{name}` belongs to the game");
                let last = at + 1 == call.arguments.len() && player.is_optional;
                let help = if last { "leave the player out" } else { "pass `game`" };
                found.push(Finding::new(&script.source_map, *given, message).help(help.to_owned()));
            }
        }
    }
    found
}

/// Whether an expression is certainly a player.
fn is_player(script: &ResolvedScript<'_>, given: &Expression) -> bool {
    match given {
        Expression::Number(_) => true,
        Expression::FunctionCall(_) => callee(given).and_then(|token| script.names.free(token)) == Some("next_player"),
        Expression::Var(Var::Name(token)) => {
            let Some(variable) = script.names.constant(token) else { return false };
            let variable = &script.names.variables[variable];
            match variable.initializer {
                Initializer::Unknown => variable.name == "player",
                Initializer::Element(1, list) => {
                    let list: Option<&TokenReference> = callee(list);
                    list.and_then(|token| script.names.free(token)) == Some("players")
                }
                Initializer::Number => true,
                _ => false,
            }
        }
        _ => false,
    }
}
