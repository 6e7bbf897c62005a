//! Texts and prompts that show a value which the call does not pass.

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::Resolved;
use crate::script::call::{Argument, Callee};
use crate::script::known::Known;
use crate::script::mention::Written;
use motherlode_content::diagnostic::Severity;
use motherlode_content::placeholder::values_shown;

pub const LINT: Lint = Lint {
    name: "missing-value",
    severity: Severity::Error,
    why: "A text with `{3}` shows the third value that the script passes with it. Without one, the line has a hole.",
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
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for call in script.calls.list.iter().filter(|call| call.exact) {
        // The text's name, and the first value that it shows.
        let (is_prompt, text, first) = match call.callee {
            Callee::Accessor("log", _) => (false, 0, 1),
            Callee::Accessor("log_to", _) => (false, 1, 2),
            Callee::Accessor("ask", _) => (true, 1, 2),
            Callee::Accessor("choose" | "ask_all" | "ask_in_turn", _) => (true, 1, 3),
            _ => continue,
        };
        let Some(key @ Argument::Expression(_)) = call.arguments.get(text) else { continue };
        let given = call.arguments.len().saturating_sub(first);
        for (token, name) in Written::of(*key).names() {
            let text =
                if is_prompt { known.d.prompts.get(name).map(|prompt| &prompt.text) } else { known.d.texts.get(name) };
            let shown = text.map_or(0, |text| values_shown(text));
            if shown > given {
                let noun = if is_prompt { "prompt" } else { "text" };
                let values = if given == 1 { "1 value".to_owned() } else { format!("{given} values") };
                let message = format!("{noun} `{name}` shows `{{{shown}}}`, but `{}` passes {values}", call.name);
                found.push(Finding::new(&script.places, token, message));
            }
        }
    }
    found
}
