//! Hidden counters without `redeal`.

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, report_at_key};
use motherlode_content::declare::Visibility;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "missing-redeal",
    severity: Severity::Warning,
    why: "A bot must not know hidden values, so it plays on copies of the match in which they are redealt (determinization). Without \
        `redeal`, a bot draws each hidden value from the whole range of the counter. State that with \"range\", or choose a rule that \
        knows more: \"pool\" if everybody knows the sum, \"hook\" if game.luau sets it, \"keep\" if everybody can infer it.",
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
    check: LintCheck::WholeGame(check),
};

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let hidden = |visible: Visibility| visible != Visibility::Public;
    let counters = context.known.d.counters.iter();
    let silent = counters.filter(|(_, counter)| hidden(counter.visible) && counter.redeal.is_none());
    let findings = silent.filter_map(|(name, counter)| {
        let message = format!("counter `{name}` is hidden but has no `redeal`, so bots guess its values from the whole range");
        let range = match counter.values.as_slice() {
            [] => format!("any number from {} to {}", counter.min, counter.max),
            values => format!("any of its {} values", values.len()),
        };
        let help = format!(
            "add `redeal = \"range\"` ({range}), \"pool\" (everybody knows the sum), \"hook\" (game.luau sets it) or \"keep\" (everybody can infer it)"
        );
        Some(report_at_key(context, "game", &["counters", name], &message)?.help(help))
    });
    findings.collect()
}
