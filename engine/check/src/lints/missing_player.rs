//! Calls that use a zone or grid of the players without a player.

use full_moon::ast::{Expression, Var};

use crate::finding::Finding;
use crate::lints::{ContainerArgument, Lint, LintCheck, find_container_arguments};
use crate::script::ResolvedScript;
use crate::script::call::{Argument, Callee};
use crate::script::known::DeclaredNames;
use motherlode_content::declare::Holder;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "missing-player",
    severity: Severity::Error,
    why: "Every player has a zone or grid of this name, so the call must name the player.",
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
    check: LintCheck::Script(check),
};

/// Whether an argument is `nil` or `game`, which mean no player.
fn is_nobody(script: &ResolvedScript<'_>, argument: Argument<'_>) -> bool {
    match argument {
        Argument::Expression(Expression::Symbol(token)) => token.token().to_string() == "nil",
        Argument::Expression(Expression::Var(Var::Name(token))) => script.names.free(token) == Some("game"),
        _ => false,
    }
}

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let d = known.d;
    let mut found = Vec::new();
    for call in script.calls_with_valid_counts().filter(|call| call.is_exact) {
        let Callee::Accessor(accessor, signature) = call.callee else { continue };
        // Without a player, each token goes to the zone of its owner.
        if accessor == "move_all" {
            continue;
        }
        for ContainerArgument { name, noun, at, .. } in
            find_container_arguments(call, signature, d).into_iter().filter(|one| one.per == Holder::Player)
        {
            let none = call.arguments.get(at).is_none_or(|argument| is_nobody(script, *argument));
            if none {
                let message = format!("`{accessor}` needs a player: every player has a {noun} `{name}`");
                let help = format!("call it as `{}`", signature.text);
                found.push(Finding::new(&script.source_map, call.at, message).help(help));
            }
        }
    }
    found
}
