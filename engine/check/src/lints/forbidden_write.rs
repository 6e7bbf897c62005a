//! Hooks that only look, and write all the same.

use std::collections::BTreeSet;

use full_moon::ast::FunctionBody;
use full_moon::node::Node;
use full_moon::tokenizer::TokenReference;

use crate::finding::{Finding, Scripts};
use crate::lints::{Finds, Lint};
use crate::script::Resolved;
use crate::script::call::{Callee, Table};
use crate::script::place::Places;
use crate::script::returned::{Hook, Owner};
use crate::script::token::identifier;
use crate::script::value::Holds;
use motherlode::language::{ACCESSORS, LOOKING_HOOKS};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "forbidden-write",
    severity: Severity::Error,
    why: "`applies`, `order`, `skip` and `offer` only look at the position: the engine may call them as often as it likes. \
        What they change, draw or write to the transcript belongs in `start`, `run`, `turn`, `act` or `finish`.",
    bad: r#"return {
    play = {
        skip = function(player)
            gain(player, "gold", 1)
            return get(player, "gold") > 3
        end,
        turn = function(player)
            gain(player, "gold", 1)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        skip = function(player)
            return get(player, "gold") > 3
        end,
        turn = function(player)
            gain(player, "gold", 1)
        end,
    },
}
"#,
    finds: Finds::InScripts(check),
};

/// Stem of the script whose functions all others share.
const LIB: &str = "lib";

/// What a stretch of a script uses.
#[derive(Clone, Copy)]
enum Used<'s, 'a> {
    /// It calls an accessor that writes.
    Writes(&'static str),
    /// It names a function that is written there.
    Function(&'s Resolved<'a>, &'a FunctionBody),
}

fn check(scripts: &Scripts<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for script in scripts.list {
        let of_phases = script.returned.hooks.iter().filter(|hook| hook.owner == Owner::Phase);
        for Hook { name, body, value, .. } in of_phases.filter(|hook| LOOKING_HOOKS.contains(&hook.name)) {
            let span = value.map_or_else(|| body.map(span), |value| Some(span(value)));
            for (token, used) in span.map(|span| uses(scripts, script, span)).unwrap_or_default() {
                let message = match used {
                    Used::Writes(accessor) => format!("`{name}` must not call `{accessor}`: it changes nothing"),
                    Used::Function(at, body) => {
                        let Some((accessor, place)) = first_write(scripts, at, body) else { continue };
                        let lib = if at.returned.stem == LIB { "lib." } else { "" };
                        let called = token.token();
                        format!("`{name}` must not call `{lib}{called}`, which calls `{accessor}` ({place})")
                    }
                };
                let help = "write in `start`, `run`, `turn`, `act` or `finish` of a phase";
                found.push(Finding::new(&script.places, token, message).help(help.to_owned()));
            }
        }
    }
    found
}

fn span(node: &impl Node) -> (usize, usize) {
    node.range().map_or((0, 0), |(start, end)| (start.bytes(), end.bytes()))
}

/// What a stretch of a script uses, in the order of the text.
fn uses<'s, 'a>(
    scripts: &'s Scripts<'a>,
    script: &'s Resolved<'a>,
    (start, end): (usize, usize),
) -> Vec<(&'a TokenReference, Used<'s, 'a>)> {
    let inside = |token: &TokenReference| (start..end).contains(&Places::start(token));
    let mut out = Vec::new();
    for call in script.calls.list.iter().filter(|call| inside(call.at)) {
        if let Callee::Accessor(accessor, _) = call.callee
            && matches!(ACCESSORS[accessor].place, "writes" | "draws")
        {
            out.push((call.at, Used::Writes(accessor)));
        }
    }
    for (token, variable) in script.names.reads.iter().filter(|(token, _)| inside(token)) {
        if let Holds::Function(index) = script.values.of_variable(*variable) {
            out.push((*token, Used::Function(script, script.names.functions[index].body)));
        }
    }
    for named in script.calls.named.iter().filter(|named| inside(named.field)) {
        let Some(name) = identifier(named.field).filter(|_| !matches!(named.table, Table::Library(_))) else {
            continue;
        };
        let libs =
            scripts.known.libs.iter().filter(|lib| named.table == Table::Lib || lib.path == script.places.path());
        for lib in libs {
            let body = lib.functions.get(name).and_then(|function| function.body);
            let file = scripts.list.iter().find(|script| script.places.path() == lib.path);
            out.extend(file.zip(body).map(|(file, body)| (named.field, Used::Function(file, body))));
        }
    }
    out.sort_by_key(|(token, _)| Places::start(token));
    out
}

/// The accessor that a function comes to write with, through whatever it calls, and its place.
fn first_write<'a>(
    scripts: &Scripts<'a>,
    script: &Resolved<'a>,
    body: &'a FunctionBody,
) -> Option<(&'static str, String)> {
    let mut open = vec![(script, body)];
    let mut seen = BTreeSet::new();
    while let Some((script, body)) = open.pop() {
        let span = span(body);
        if !seen.insert((script.places.path(), span)) {
            continue;
        }
        for (token, used) in uses(scripts, script, span) {
            match used {
                Used::Writes(accessor) => {
                    let line = script.places.position(Places::start(token)).0;
                    return Some((accessor, format!("{}:{line}", script.places.path())));
                }
                Used::Function(script, body) => open.push((script, body)),
            }
        }
    }
    None
}
