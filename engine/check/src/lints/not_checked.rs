//! Scripts that the check cannot read although Luau can.

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::place::Places;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "not-checked",
    severity: Severity::Warning,
    why: "The check does not know a part of Luau's syntax that this script uses. The script runs, but its names are not checked.",
    bad: r#"@[deprecated {use = "pay"}]
local function charge(player)
    gain(player, "gold", 1)
end

return {
    play = {
        turn = function(player)
            charge(player)
        end,
    },
}
"#,
    good: r#"local function charge(player)
    gain(player, "gold", 1)
end

return {
    play = {
        turn = function(player)
            charge(player)
        end,
    },
}
"#,
    finds: Finds::InSyntax(check),
};

fn check(errors: &[full_moon::Error], places: &Places<'_>) -> Option<Finding> {
    let (start, end) = errors.first()?.range();
    let message = "this script is not checked: it uses syntax that the check does not know";
    Some(Finding::of_span(places, (start.bytes(), end.bytes()), message))
}
