//! Keys that a table has twice.

use std::collections::BTreeSet;

use full_moon::ast::{Expression, Field, TableConstructor};
use full_moon::tokenizer::TokenReference;

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::token::{identifier, literal};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "duplicate-key",
    severity: Severity::Error,
    why: "The table has this key twice, so the first value is lost.",
    bad: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", 1)
        end,
        turn = function(player)
            gain(player, "gold", 2)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", 3)
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, _: &DeclaredNames<'_>) -> Vec<Finding> {
    let repeated = script.names.tables.iter().flat_map(|table| repeated(table));
    let finding = |(key, name): (&TokenReference, &str)| {
        let message = format!("`{name}` is twice in this table, so the first one is lost");
        Finding::new(&script.source_map, key, message).help("delete one, join the two, or rename one".to_owned())
    };
    repeated.map(finding).collect()
}

/// The keys of a table that occur earlier in it, with their names.
fn repeated<'a>(table: &'a TableConstructor) -> Vec<(&'a TokenReference, &'a str)> {
    let key = |field: &'a Field| match field {
        Field::NameKey { key, .. } => Some((key, identifier(key)?)),
        Field::ExpressionKey { key: Expression::String(key), .. } => Some((key, literal(key)?)),
        _ => None,
    };
    let mut seen = BTreeSet::new();
    table.fields().iter().filter_map(key).filter(|(_, name)| !seen.insert(*name)).collect()
}
