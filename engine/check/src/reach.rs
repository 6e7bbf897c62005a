//! What a function comes to call, through whatever it calls.

use std::collections::BTreeSet;

use full_moon::ast::FunctionBody;
use full_moon::node::Node;
use full_moon::tokenizer::TokenReference;

use crate::finding::Scripts;
use crate::script::Resolved;
use crate::script::call::{Callee, Table};
use crate::script::place::Places;
use crate::script::returned::Hook;
use crate::script::token::identifier;
use crate::script::value::Holds;
use motherlode::language::{ACCESSORS, Accessor};

/// Stem of the script whose functions all others share.
const LIB: &str = "lib";

/// An accessor that a hook must not call.
pub struct Reached<'a> {
    /// Where the hook calls it, or the function that does.
    pub token: &'a TokenReference,
    /// Its name.
    pub accessor: &'static str,
    /// The function that the hook calls, and where that calls the accessor; `None`: the hook does so itself.
    pub through: Option<(String, String)>,
}

impl Reached<'_> {
    /// What the hook is told.
    pub fn message(&self, hook: &str, because: &str) -> String {
        let Self { accessor, through, .. } = self;
        match through {
            None => format!("`{hook}` must not call `{accessor}`: {because}"),
            Some((called, place)) => format!("`{hook}` must not call `{called}`, which calls `{accessor}` ({place})"),
        }
    }
}

/// What a stretch of a script uses.
#[derive(Clone, Copy)]
enum Used<'s, 'a> {
    /// It calls an accessor that is forbidden.
    Accessor(&'static str),
    /// It names a function that is written there.
    Function(&'s Resolved<'a>, &'a FunctionBody),
}

/// The accessors that a hook calls and must not, in the order of the text.
pub fn reached<'a>(
    scripts: &Scripts<'a>,
    script: &Resolved<'a>,
    hook: &Hook<'a>,
    forbids: &dyn Fn(&'static str, &Accessor) -> bool,
) -> Vec<Reached<'a>> {
    let Some(span) = hook.value.map_or_else(|| hook.body.map(span), |value| Some(span(value))) else {
        return Vec::new();
    };
    let reached = uses(scripts, script, span, forbids).into_iter().filter_map(|(token, used)| match used {
        Used::Accessor(accessor) => Some(Reached { token, accessor, through: None }),
        Used::Function(at, body) => {
            let (accessor, place) = first(scripts, at, body, forbids)?;
            let lib = if at.returned.stem == LIB { "lib." } else { "" };
            Some(Reached { token, accessor, through: Some((format!("{lib}{}", token.token()), place)) })
        }
    });
    reached.collect()
}

fn span(node: &impl Node) -> (usize, usize) {
    node.range().map_or((0, 0), |(start, end)| (start.bytes(), end.bytes()))
}

/// What a stretch of a script uses, in the order of the text.
fn uses<'s, 'a>(
    scripts: &'s Scripts<'a>,
    script: &'s Resolved<'a>,
    (start, end): (usize, usize),
    forbids: &dyn Fn(&'static str, &Accessor) -> bool,
) -> Vec<(&'a TokenReference, Used<'s, 'a>)> {
    let inside = |token: &TokenReference| (start..end).contains(&Places::start(token));
    let mut out = Vec::new();
    for call in script.calls.list.iter().filter(|call| inside(call.at)) {
        if let Callee::Accessor(accessor, _) = call.callee
            && let Some((accessor, declared)) = ACCESSORS.get_key_value(accessor)
            && forbids(accessor, declared)
        {
            out.push((call.at, Used::Accessor(accessor)));
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

/// The forbidden accessor that a function comes to call, and its place.
fn first<'a>(
    scripts: &Scripts<'a>,
    script: &Resolved<'a>,
    body: &'a FunctionBody,
    forbids: &dyn Fn(&'static str, &Accessor) -> bool,
) -> Option<(&'static str, String)> {
    let mut open = vec![(script, body)];
    let mut seen = BTreeSet::new();
    while let Some((script, body)) = open.pop() {
        let span = span(body);
        if !seen.insert((script.places.path(), span)) {
            continue;
        }
        for (token, used) in uses(scripts, script, span, forbids) {
            match used {
                Used::Accessor(accessor) => {
                    let line = script.places.position(Places::start(token)).0;
                    return Some((accessor, format!("{}:{line}", script.places.path())));
                }
                Used::Function(script, body) => open.push((script, body)),
            }
        }
    }
    None
}
