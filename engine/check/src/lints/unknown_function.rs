//! Functions that do not exist.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck, MAX_COMPARED_NAMES, report_unbound};
use crate::script::ResolvedScript;
use crate::script::call::{FunctionReference, FunctionTable};
use crate::script::known::DeclaredNames;
use crate::script::lib_file::LibFile;
use crate::script::library;
use crate::script::resolve::{UseKind, is_known};
use crate::script::token::identifier;
use motherlode::language::replacement;
use motherlode_content::diagnostic::{Severity, nearest, suggestion};

pub const LINT: Lint = Lint {
    name: "unknown-function",
    severity: Severity::Error,
    why: "No function of this name is in scope here: it is not an accessor, not in Luau's library or lib.luau, and not declared above this line.",
    bad: r#"return {
    play = {
        turn = function(player)
            gian(player, "gold", 1)
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
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let called = script.names.free.iter().filter(|free| free.use_kind == UseKind::Call && !is_known(free.name));
    let mut found: Vec<Finding> =
        called.take(MAX_COMPARED_NAMES).map(|free| report_unbound(script, free, "function")).collect();
    let libs = known.libs_seen_by(script.source_map.path());
    for FunctionReference { table, field } in &script.calls.function_references {
        let Some(name) = identifier(field) else { continue };
        let (table, help) = match *table {
            FunctionTable::Library(table) => {
                let fields = library::fields(table).unwrap_or_default();
                if fields.contains(&name) {
                    continue;
                }
                let near =
                    || nearest(name, fields.iter().copied()).map(|near| format!("did you mean `{table}.{near}`?"));
                (table, replacement(&format!("{table}.{name}")).map(str::to_owned).or_else(near))
            }
            FunctionTable::Lib => match unknown_in(libs.seen, name) {
                Some(help) => ("lib", help),
                None => continue,
            },
            FunctionTable::OwnLib => match libs.own.and_then(|own| unknown_in(std::slice::from_ref(own), name)) {
                Some(help) => ("lib", help),
                None => continue,
            },
        };
        found.push(Finding::new(&script.source_map, *field, format!("unknown function `{table}.{name}`")).help(help));
    }
    found
}

/// Returns a suggestion if none of these files has the function; the inner `None`: no name is near.
fn unknown_in(libs: &[LibFile<'_>], name: &str) -> Option<Option<String>> {
    let known = libs.iter().any(|lib| lib.is_open || lib.functions.contains_key(name));
    (!known).then(|| suggestion(name, libs.iter().flat_map(|lib| lib.functions.keys().copied())))
}
