//! Names that begin with two underscores.

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::place::Places;
use motherlode::language::{self, is_underscores};
use motherlode_content::diagnostic::Severity;
use motherlode_content::source::SourceFile;

pub const LINT: Lint = Lint {
    name: "reserved-name",
    severity: Severity::Error,
    why: "The engine uses names with two underscores for itself, and no script may see or change what it keeps under them.",
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
    finds: Finds::InText(check),
};

fn check(source: &SourceFile, places: &Places<'_>) -> Option<Finding> {
    let reserved = |(_, word): &(usize, &str)| word.starts_with("__") && !is_underscores(word);
    let (at, word) = language::words(&source.text).find(reserved)?;
    let message = format!("`{word}`: names that start with two underscores are reserved");
    Some(Finding::of_span(places, (at, at + word.len()), message))
}
