//! Names that begin with two underscores.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::source_map::SourceMap;
use motherlode::language::{self, is_underscores};
use motherlode_content::diagnostic::Severity;
use motherlode_content::source::SourceFile;

pub const LINT: Lint = Lint {
    name: "reserved-name",
    severity: Severity::Error,
    why: "Names that start with two underscores belong to the engine. Scripts must not read or change them.",
    bad: r#"return {
    play = {
        turn = function(player)
            local __gold = 1
            gain(player, "gold", __gold)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            local gold = 1
            gain(player, "gold", gold)
        end,
    },
}
"#,
    check: LintCheck::Text(check),
};

fn check(source: &SourceFile, source_map: &SourceMap<'_>) -> Option<Finding> {
    let reserved = |(_, word): &(usize, &str)| word.starts_with("__") && !is_underscores(word);
    let (at, word) = language::words(&source.text).find(reserved)?;
    let message = format!("`{word}`: names that start with two underscores are reserved");
    Some(Finding::at_span(source_map, (at, at + word.len()), message))
}
