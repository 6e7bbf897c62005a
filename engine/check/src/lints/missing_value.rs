//! Calls that pass too few values for a text or prompt.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::call::{Argument, Callee};
use crate::script::known::DeclaredNames;
use crate::script::mention::LiteralNames;
use motherlode_content::diagnostic::Severity;
use motherlode_content::placeholder::values_shown;

pub const LINT: Lint = Lint {
    name: "missing-value",
    severity: Severity::Error,
    why: "A text with `{3}` shows the third value of the call. If the call passes fewer values, the text has a gap.",
    bad: r#"return {
    play = {
        turn = function(player)
            log("raid", player, next_player(player))
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            log("raid", player, next_player(player), 3)
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for call in script.calls.list.iter().filter(|call| call.is_exact) {
        // Index of the argument with the text's name, and of the first value.
        let (is_prompt, text, first) = match call.callee {
            Callee::Accessor("log" | "end_game", _) => (false, 0, 1),
            Callee::Accessor("log_to", _) => (false, 1, 2),
            Callee::Accessor("ask", _) => (true, 1, 2),
            Callee::Accessor("choose" | "ask_all" | "ask_in_turn", _) => (true, 1, 3),
            _ => continue,
        };
        let Some(key @ Argument::Expression(_)) = call.arguments.get(text) else { continue };
        let given = call.arguments.len().saturating_sub(first);
        for (token, name) in LiteralNames::of(*key).names() {
            let text =
                if is_prompt { known.d.prompts.get(name).map(|prompt| &prompt.text) } else { known.d.texts.get(name) };
            let shown = text.map_or(0, |text| values_shown(text));
            if shown > given {
                if call.name == "end_game" {
                    let message = format!("text `{name}` shows `{{{shown}}}`, but an end has no values");
                    let help = "name a text without values, and `log` what happened before";
                    found.push(Finding::new(&script.source_map, token, message).help(help.to_owned()));
                    continue;
                }
                let noun = if is_prompt { "prompt" } else { "text" };
                let (passed, by) = (values(given), call.name);
                let message = format!("{noun} `{name}` shows `{{{shown}}}`, but `{by}` passes {passed}");
                let help = format!("pass {}", values(shown));
                found.push(Finding::new(&script.source_map, token, message).help(help));
            }
        }
    }
    found
}

fn values(n: usize) -> String {
    if n == 1 { "1 value".to_owned() } else { format!("{n} values") }
}
