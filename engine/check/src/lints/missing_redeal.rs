//! Hidden counters of which the content does not say how they are dealt again.

use crate::finding::{Finding, Scripts};
use crate::lints::{Finds, Lint, at_key};
use motherlode_content::declare::Visibility;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "missing-redeal",
    severity: Severity::Warning,
    why: "A bot may not know what its seat does not see, so it plays on matches in which that was dealt again. Without \
        `redeal`, each hidden value may be any number of the counter's range. Say so, or say what is known of it: \
        \"pool\" if everybody knows the sum, \"hook\" if game.luau deals it, \"keep\" if everybody can conclude it.",
    bad: r#"-- game.toml
name = "Demo"
version = "1.0.0"
players = { min = 2, max = 2 }
seats = [{ name = "Ada" }, { name = "Bob" }]
counters.gold = { per = "player" }
counters.clock = { per = "player", visible = "owner", min = 1, max = 6, start = 1 }
zones.deck = { per = "game", holds = "tiles" }
kinds.tiles = { zone = "deck", hooks = { operate = ["player"] } }
kinds.places = { tokens = false, hooks = { visit = ["player"] } }
outcome = { score = "gold" }
"#,
    good: r#"-- game.toml
name = "Demo"
version = "1.0.0"
players = { min = 2, max = 2 }
seats = [{ name = "Ada" }, { name = "Bob" }]
counters.gold = { per = "player" }
counters.clock = { per = "player", visible = "owner", min = 1, max = 6, start = 1, redeal = "range" }
zones.deck = { per = "game", holds = "tiles" }
kinds.tiles = { zone = "deck", hooks = { operate = ["player"] } }
kinds.places = { tokens = false, hooks = { visit = ["player"] } }
outcome = { score = "gold" }
"#,
    finds: Finds::Unused(check),
};

fn check(scripts: &Scripts<'_>) -> Vec<Finding> {
    let hidden = |visible: Visibility| visible != Visibility::Public;
    let counters = scripts.known.d.counters.iter();
    let silent = counters.filter(|(_, counter)| hidden(counter.visible) && counter.redeal.is_none());
    let findings = silent.filter_map(|(name, counter)| {
        let message = format!("counter `{name}` is hidden, but does not say how a bot deals it again");
        let range = match counter.values.as_slice() {
            [] => format!("any number from {} to {}", counter.min, counter.max),
            values => format!("any of its {} values", values.len()),
        };
        let help = format!(
            "add `redeal = \"range\"` ({range}), \"pool\" (everybody knows the sum), \"hook\" or \"keep\" (everybody can conclude it)"
        );
        Some(at_key(scripts, "game", &["counters", name], &message)?.help(help))
    });
    findings.collect()
}
