//! Functions that do not exist.

use crate::finding::Finding;
use crate::lints::{Finds, Lint, MOST_GUESSED, unbound};
use crate::script::Resolved;
use crate::script::call::{Named, Table};
use crate::script::known::Known;
use crate::script::lib_file::Lib;
use crate::script::library;
use crate::script::resolve::{Use, is_known};
use crate::script::token::identifier;
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
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Finding> {
    let called = script.names.free.iter().filter(|free| free.how == Use::Call && !is_known(free.name));
    let mut found: Vec<Finding> = called.take(MOST_GUESSED).map(|free| unbound(script, free, "function")).collect();
    let libs = known.libs_seen_by(script.places.path());
    for Named { table, field } in &script.calls.named {
        let Some(name) = identifier(field) else { continue };
        let (table, help) = match *table {
            Table::Library(table) => {
                let fields = library::fields(table).unwrap_or_default();
                if fields.contains(&name) {
                    continue;
                }
                let near = nearest(name, fields.iter().copied());
                (table, near.map(|near| format!("did you mean `{table}.{near}`?")))
            }
            Table::Lib => match unknown_in(libs.seen, name) {
                Some(help) => ("lib", help),
                None => continue,
            },
            Table::OwnLib => match libs.own.and_then(|own| unknown_in(std::slice::from_ref(own), name)) {
                Some(help) => ("lib", help),
                None => continue,
            },
        };
        found.push(Finding::new(&script.places, *field, format!("unknown function `{table}.{name}`")).help(help));
    }
    found
}

/// Help, if none of these has the function.
fn unknown_in(libs: &[Lib<'_>], name: &str) -> Option<Option<String>> {
    let known = libs.iter().any(|lib| lib.open || lib.functions.contains_key(name));
    (!known).then(|| suggestion(name, libs.iter().flat_map(|lib| lib.functions.keys().copied())))
}
