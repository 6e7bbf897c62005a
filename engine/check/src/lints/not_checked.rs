//! Valid scripts that the checker cannot parse.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::source_map::SourceMap;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "not-checked",
    severity: Severity::Warning,
    why: "The script uses Luau syntax that the checker does not support. The script runs, but its names are not checked.",
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
    check: LintCheck::Syntax(check),
};

fn check(errors: &[full_moon::Error], source_map: &SourceMap<'_>) -> Option<Finding> {
    let (start, end) = errors.first()?.range();
    let message = "this script is not checked: the checker does not support this syntax";
    Some(Finding::at_span(source_map, (start.bytes(), end.bytes()), message))
}
