//! Internal zones that get tokens which not everybody sees.

use full_moon::ast::Expression;

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::call::{Argument, Callee};
use crate::script::known::DeclaredNames;
use crate::script::token::literal;
use motherlode_content::declare::Visibility;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "secret-internal",
    severity: Severity::Error,
    why: "An internal zone must follow from what every player sees: no observation shows it, and a redeal keeps it. A shuffle makes \
        its order secret, and a card drawn from a hidden zone is secret, so bots would know too much. Declare who sees the zone \
        instead: `visible = \"nobody\"` also hides the number of its tokens.",
    bad: r#"-- game.toml
name = "Demo"
version = "1.0.0"
players = { min = 2, max = 2 }
seats = [{ name = "Ada" }, { name = "Bob" }]
counters.gold = { per = "player" }
zones.deck = { per = "game", holds = "tiles", visible = "count" }
zones.burnt = { per = "game", holds = "tiles", internal = true }
kinds.tiles = { zone = "deck", hooks = { operate = ["player"] } }
kinds.places = { tokens = false, hooks = { visit = ["player"] } }
outcome = { score = "gold" }
-- phases.luau
return {
    play = {
        turn = function(player)
            draw("deck", game, "burnt", game)
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
zones.deck = { per = "game", holds = "tiles", visible = "count" }
zones.burnt = { per = "game", holds = "tiles", visible = "count" }
kinds.tiles = { zone = "deck", hooks = { operate = ["player"] } }
kinds.places = { tokens = false, hooks = { visit = ["player"] } }
outcome = { score = "gold" }
-- phases.luau
return {
    play = {
        turn = function(player)
            draw("deck", game, "burnt", game)
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for call in script.calls_with_valid_counts() {
        let Callee::Accessor(accessor, _) = call.callee else { continue };
        let zone = |at: usize| {
            let (Argument::Text(token) | Argument::Expression(Expression::String(token))) = *call.arguments.get(at)?
            else {
                return None;
            };
            let name = literal(token)?;
            Some((token, name, known.d.zones.get(name)?))
        };
        let message = match accessor {
            "shuffle" => zone(0).filter(|(_, _, declared)| declared.internal).map(|(token, name, _)| {
                (token, format!("zone `{name}` is internal, and `shuffle` makes its order secret"))
            }),
            "draw" => zone(2).filter(|(_, _, declared)| declared.internal).and_then(|(token, name, _)| {
                let (_, from, declared) = zone(0)?;
                let is_hidden = !declared.internal && declared.visible != Visibility::Public;
                is_hidden.then(|| {
                    (
                        token,
                        format!(
                            "zone `{name}` is internal, but gets cards of zone `{from}`, which not all players see"
                        ),
                    )
                })
            }),
            _ => None,
        };
        let help = "remove `internal` from the zone, and set `visible`: \"nobody\", \"count\" or \"owner\"";
        found.extend(
            message.map(|(token, message)| Finding::new(&script.source_map, token, message).help(help.to_owned())),
        );
    }
    found
}
