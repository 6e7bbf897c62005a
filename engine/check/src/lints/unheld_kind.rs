//! Kinds of tokens that can lie nowhere.

use motherlode_content::declare::{Domain, Kind};
use motherlode_content::diagnostic::Severity;

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, accessor_name, literal_argument, report_at_key};

pub const LINT: Lint = Lint {
    name: "unheld-kind",
    severity: Severity::Warning,
    why: "Cards of a kind that no zone holds lie nowhere: nobody sees them, and they do nothing.",
    bad: r#"-- game.toml
name = "Demo"
version = "1.0.0"
players = { min = 2, max = 2 }
seats = [{ name = "Ada" }, { name = "Bob" }]
counters.gold = { per = "player" }
zones.hand = { per = "player", holds = "tiles" }
kinds.tiles = { per = "player", zone = "hand" }
kinds.places = { tokens = false, hooks = { visit = ["player"] } }
kinds.relics = { attributes.worth = { type = "integer" } }
outcome = { score = "gold" }
-- tiles.toml
[mine]
name = "Mine"
-- relics.toml
[idol]
name = "Idol"
worth = 2
-- phases.luau
return {
    play = {
        turn = function(player)
            gain(player, "gold", def("relics", "idol", "worth"))
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
zones.hand = { per = "player", holds = "tiles" }
kinds.tiles = { per = "player", zone = "hand" }
kinds.places = { tokens = false, hooks = { visit = ["player"] } }
kinds.relics = { tokens = false, attributes.worth = { type = "integer" } }
outcome = { score = "gold" }
-- tiles.toml
[mine]
name = "Mine"
-- relics.toml
[idol]
name = "Idol"
worth = 2
-- phases.luau
return {
    play = {
        turn = function(player)
            gain(player, "gold", def("relics", "idol", "worth"))
        end,
    },
}
"#,
    check: LintCheck::WholeGame(check),
};

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let d = context.known.d;
    // A script may run hooks of tokens that lie nowhere.
    let calls = context.scripts.iter().flat_map(|script| &script.calls.list);
    let reached: Vec<Option<&str>> = calls
        .filter(|call| accessor_name(call) == "tokens")
        .map(|call| call.arguments.first().and_then(|argument| literal_argument(*argument)))
        .collect();
    let is_reached = |name: &str| reached.iter().any(|one| one.is_none_or(|one| one == name));
    let has_place = |kind: usize| {
        d.is_held(kind)
            // A token may be a record beside the zones.
            || d.counters.values().any(|counter| matches!(counter.means, Domain::Token) || d.is_of(counter.per, kind))
    };
    let is_unheld = |(index, (name, kind)): &(usize, (&String, &Kind))| {
        kind.tokens && kind.len > 0 && !has_place(*index) && !is_reached(name)
    };
    let report = |(_, (name, _)): (usize, (&String, &Kind))| {
        let message = format!("no zone holds the tokens of kind `{name}`");
        let help = format!("add `{name}` to `holds` of a zone, or set `tokens = false`");
        Some(report_at_key(context, "game", &["kinds", name], &message)?.help(help))
    };
    d.kinds.iter().enumerate().filter(is_unheld).filter_map(report).collect()
}
