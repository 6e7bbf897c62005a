//! Calls with too few arguments or too many.

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::Resolved;
use crate::script::call::{Call, Counts};
use crate::script::known::Known;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "argument-count",
    severity: Severity::Error,
    why: "The function takes a different number of arguments. Missing ones are nil, and the call fails or does something other than it seems to.",
    bad: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold")
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", 1)
        end,
    },
}
"#,
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, _: &Known<'_>) -> Vec<Finding> {
    let finding = |call: &Call<'_>| {
        let Counts { least, most, usage } = call.miscounted(&script.names)?;
        let given = match call.arguments.len() {
            0 => "none are given".to_owned(),
            1 => "1 is given".to_owned(),
            n => format!("{n} are given"),
        };
        let takes = match (least, most) {
            (_, 0) => "takes no arguments".to_owned(),
            (least, most) if least == most => format!("takes {}", arguments(least)),
            (least, _) if call.arguments.len() < least => format!("takes at least {}", arguments(least)),
            (_, most) => format!("takes at most {}", arguments(most)),
        };
        let message = format!("`{}` {takes}, but {given}", call.shown());
        let help = usage.map(|usage| format!("call it as `{usage}`"));
        Some(Finding::new(&script.places, call.at, message).help(help))
    };
    script.calls.list.iter().filter_map(finding).collect()
}

fn arguments(n: usize) -> String {
    if n == 1 { "1 argument".to_owned() } else { format!("{n} arguments") }
}
