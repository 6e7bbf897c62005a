//! Events that `emit` cannot emit: undeclared ones, parts of others, and those of the engine.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck, find_unknown_names};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::signature::ExpectedName;
use motherlode_content::diagnostic::Severity;
use motherlode_content::sort::NameKind;

pub const LINT: Lint = Lint {
    name: "unknown-event",
    severity: Severity::Error,
    why: "A script emits the events that reactions.toml declares, but no parts of others and none that the engine itself emits. \
        Any other call fails.",
    bad: r#"return {
    play = {
        turn = function(player)
            emit("strom", { player = player })
        end,
    },
}

-- reactions.toml
[events.storm]
args = { player = "player" }

[listeners.shelter]
on = "storm"
do = [{ gain = { gold = 1 } }]
"#,
    good: r#"return {
    play = {
        turn = function(player)
            emit("storm", { player = player })
        end,
    },
}

-- reactions.toml
[events.storm]
args = { player = "player" }

[listeners.shelter]
on = "storm"
do = [{ gain = { gold = 1 } }]
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let is_event = |expected| matches!(expected, ExpectedName::Name(NameKind::Event));
    let mut found = find_unknown_names(script, known, is_event, "event");
    for mention in script.mentions.iter().filter(|mention| mention.by == "emit" && is_event(mention.expected)) {
        let Some(event) = known.d.events.get(mention.name) else { continue };
        let whole = event.of.and_then(|of| known.d.events.get_index(of)).map(|(name, of)| (name.as_str(), of.standard));
        let (message, help) = match whole {
            _ if event.standard => {
                (format!("the engine itself emits `{}`", mention.name), "remove the call".to_owned())
            }
            Some((whole, standard)) => {
                let help =
                    if standard { "remove the call".to_owned() } else { format!("call `emit(\"{whole}\", ...)`") };
                (format!("`{}` is a part of `{whole}` and happens with it", mention.name), help)
            }
            None => continue,
        };
        found.push(Finding::new(&script.source_map, mention.token, message).help(help));
    }
    found
}
