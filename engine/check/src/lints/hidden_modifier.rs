//! Modifiers that depend on hidden facts, so that no player sees a current value.

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, report_at};
use motherlode::tools::hidden_modifier;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "hidden-modifier",
    severity: Severity::Warning,
    why: "If one modifier depends on hidden facts, players and bots see no current values at all: a changed value would reveal these facts.",
    bad: r#"-- game.toml
name = "Demo"
version = "1.0.0"
players = { min = 2, max = 2 }
seats = [{ name = "Ada" }, { name = "Bob" }]
counters.gold = { per = "player" }
zones.hand = { per = "player", holds = "tiles", visible = "owner" }
zones.field = { per = "player", holds = "tiles" }
kinds.tiles = { per = "player", zone = "hand", attributes.cost = { type = "integer", default = 1 } }
kinds.places = { tokens = false, hooks = { visit = ["player"] } }
outcome = { score = "gold" }
-- tiles.toml
[mine]
name = "Mine"
modifies = [{ of = { whose = "yours" }, add = { cost = 1 } }]
-- phases.luau
return {
    play = {
        turn = function(player)
            move(top("hand", player), "field", player)
            gain(player, "gold", attr(top("field", player), "cost"))
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
zones.hand = { per = "player", holds = "tiles", visible = "owner" }
zones.field = { per = "player", holds = "tiles" }
kinds.tiles = { per = "player", zone = "hand", active = "field", attributes.cost = { type = "integer", default = 1 } }
kinds.places = { tokens = false, hooks = { visit = ["player"] } }
outcome = { score = "gold" }
-- tiles.toml
[mine]
name = "Mine"
modifies = [{ of = { whose = "yours" }, add = { cost = 1 } }]
-- phases.luau
return {
    play = {
        turn = function(player)
            move(top("hand", player), "field", player)
            gain(player, "gold", attr(top("field", player), "cost"))
        end,
    },
}
"#,
    check: LintCheck::WholeGame(check),
};

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let Some(modifier) = hidden_modifier(context.known.d) else { return Vec::new() };
    let message = format!("nobody sees current values, because modifier `{}` depends on hidden facts", modifier.name);
    let help = "declare `active` for its kind: the zones, all public, in which it acts; and read only public facts";
    vec![report_at(context, &modifier.place, message).help(help.to_owned())]
}
