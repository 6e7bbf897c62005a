//! Public random numbers stored in hidden counters.

use full_moon::ast::Expression;

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::call::{Argument, Callee};
use crate::script::known::DeclaredNames;
use crate::script::token::{callee, literal};
use motherlode_content::declare::Visibility;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "public-random",
    severity: Severity::Warning,
    why: "All players see the numbers of `random`. A counter that hides such a number hides nothing from them, but bots guess it. Draw \
        the number with `random_hidden(n)`, or with `random_hidden(n, player)` if one player sees it.",
    bad: r#"-- game.toml
name = "Demo"
version = "1.0.0"
players = { min = 2, max = 2 }
seats = [{ name = "Ada" }, { name = "Bob" }]
counters.gold = { per = "player" }
counters.die = { per = "player", visible = "owner", min = 1, max = 6, start = 1, redeal = "range" }
zones.deck = { per = "game", holds = "tiles" }
kinds.tiles = { zone = "deck", hooks = { operate = ["player"] } }
kinds.places = { tokens = false, hooks = { visit = ["player"] } }
outcome = { score = "gold" }
-- phases.luau
return {
    play = {
        turn = function(player)
            set(player, "die", random(6))
        end,
    },
}
"#,
    good: r#"-- game.toml
name = "Demo"
version = "1.0.0"
players = { min = 2, max = 2 }
seats = [{ name = "Ada" }, { name = "Bob" }]
counters.gold = { per = "player" }
counters.die = { per = "player", visible = "owner", min = 1, max = 6, start = 1, redeal = "range" }
zones.deck = { per = "game", holds = "tiles" }
kinds.tiles = { zone = "deck", hooks = { operate = ["player"] } }
kinds.places = { tokens = false, hooks = { visit = ["player"] } }
outcome = { score = "gold" }
-- phases.luau
return {
    play = {
        turn = function(player)
            set(player, "die", random_hidden(6, player))
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for call in script.calls_with_valid_counts() {
        let Callee::Accessor("set" | "gain" | "pay", _) = call.callee else { continue };
        let [_, Argument::Expression(Expression::String(counter)), Argument::Expression(value)] = call.arguments[..]
        else {
            continue;
        };
        let declared = literal(counter).and_then(|name| Some((name, known.d.counters.get(name)?)));
        let Some((name, declared)) = declared else { continue };
        let is_random = callee(value).and_then(|token| script.names.free(token)) == Some("random");
        if is_random && !declared.internal && declared.visible != Visibility::Public {
            let message = format!("counter `{name}` is hidden, but all players see the numbers of `random`");
            let help = "draw with `random_hidden(n)`, or `random_hidden(n, player)` if one player sees the number";
            found.push(Finding::new(&script.source_map, value, message).help(help.to_owned()));
        }
    }
    found
}
