//! Names of variables that do not exist.

use crate::finding::Finding;
use crate::lints::{Finds, Lint, MOST_GUESSED, unbound};
use crate::script::Resolved;
use crate::script::known::Known;
use crate::script::resolve::{Free, Use, is_known};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "unknown-name",
    severity: Severity::Error,
    why: "No variable of this name is in scope here: it is misspelt, or declared further down or in another block. \
        Scripts cannot make global variables, so a new one begins with `local`.",
    bad: r#"return {
    play = {
        turn = function(player)
            local price = 3
            gain(player, "gold", prize)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            local price = 3
            gain(player, "gold", price)
        end,
    },
}
"#,
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, _: &Known<'_>) -> Vec<Finding> {
    let unknown = |free: &&Free<'_>| free.how != Use::Call && (!is_known(free.name) || is_written_lib(free));
    script.names.free.iter().filter(unknown).take(MOST_GUESSED).map(|free| unbound(script, free, "name")).collect()
}

/// `lib = ...`
fn is_written_lib(free: &Free<'_>) -> bool {
    free.name == "lib" && free.how == Use::Write
}
