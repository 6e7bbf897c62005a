//! Finds accessors that a function calls, directly or through other functions.

use std::collections::BTreeSet;

use full_moon::ast::FunctionBody;
use full_moon::node::Node;
use full_moon::tokenizer::TokenReference;

use crate::finding::LintContext;
use crate::script::ResolvedScript;
use crate::script::call::{Callee, FunctionTable};
use crate::script::returned::Hook;
use crate::script::source_map::SourceMap;
use crate::script::token::identifier;
use crate::script::value::KnownValue;
use motherlode::language::{ACCESSORS, Accessor};

/// Stem of the script with shared functions.
const LIB: &str = "lib";

/// A call, in a hook, of an accessor that the hook must not call.
pub struct ForbiddenCall<'a> {
    /// Call in the hook: of the accessor, or of the function that calls it.
    pub token: &'a TokenReference,
    /// Name of the accessor.
    pub accessor: &'static str,
    /// Function that the hook calls, and the place of its call of the accessor; `None`: the hook calls the accessor itself. Such a
    /// function may call it only for other hooks.
    pub through: Option<(String, String)>,
}

impl ForbiddenCall<'_> {
    /// Makes the message of the finding.
    pub fn message(&self, hook: &str, because: &str) -> String {
        let Self { accessor, through, .. } = self;
        match through {
            None => format!("`{hook}` must not call `{accessor}`: {because}"),
            Some((called, place)) => format!("`{hook}` must not call `{called}`, which calls `{accessor}` ({place})"),
        }
    }
}

/// A use of an accessor or a function in a part of a script.
#[derive(Clone, Copy)]
enum Reference<'s, 'a> {
    /// A call of a forbidden accessor.
    Accessor(&'static str),
    /// A mention of a function, with its script and body.
    Function(&'s ResolvedScript<'a>, &'a FunctionBody),
}

/// Finds the forbidden accessors that a hook calls, in source order.
pub fn find_forbidden_calls<'a>(
    context: &LintContext<'a>,
    script: &ResolvedScript<'a>,
    hook: &Hook<'a>,
    forbids: &dyn Fn(&'static str, &Accessor) -> bool,
) -> Vec<ForbiddenCall<'a>> {
    let Some(span) = hook.value.map_or_else(|| hook.body.map(span), |value| Some(span(value))) else {
        return Vec::new();
    };
    let found = find_references(context, script, span, forbids).into_iter().filter_map(|(token, used)| match used {
        Reference::Accessor(accessor) => Some(ForbiddenCall { token, accessor, through: None }),
        Reference::Function(at, body) => {
            let (accessor, place) = find_first_forbidden(context, at, body, forbids)?;
            let lib = if at.returned.stem == LIB { "lib." } else { "" };
            Some(ForbiddenCall { token, accessor, through: Some((format!("{lib}{}", token.token()), place)) })
        }
    });
    found.collect()
}

fn span(node: &impl Node) -> (usize, usize) {
    node.range().map_or((0, 0), |(start, end)| (start.bytes(), end.bytes()))
}

/// Finds the uses of forbidden accessors and of functions in a byte range, in source order.
fn find_references<'s, 'a>(
    context: &'s LintContext<'a>,
    script: &'s ResolvedScript<'a>,
    (start, end): (usize, usize),
    forbids: &dyn Fn(&'static str, &Accessor) -> bool,
) -> Vec<(&'a TokenReference, Reference<'s, 'a>)> {
    let inside = |token: &TokenReference| (start..end).contains(&SourceMap::start(token));
    let mut found = Vec::new();
    for call in script.calls.list.iter().filter(|call| inside(call.at)) {
        if let Callee::Accessor(accessor, _) = call.callee
            && let Some((accessor, declared)) = ACCESSORS.get_key_value(accessor)
            && forbids(accessor, declared)
        {
            found.push((call.at, Reference::Accessor(accessor)));
        }
    }
    for (token, variable) in script.names.reads.iter().filter(|(token, _)| inside(token)) {
        if let KnownValue::Function(index) = script.values.of_variable(*variable) {
            found.push((*token, Reference::Function(script, script.names.functions[index].body)));
        }
    }
    for named in script.calls.function_references.iter().filter(|named| inside(named.field)) {
        let Some(name) = identifier(named.field).filter(|_| !matches!(named.table, FunctionTable::Library(_))) else {
            continue;
        };
        let libs = context
            .known
            .libs
            .iter()
            .filter(|lib| named.table == FunctionTable::Lib || lib.path == script.source_map.path());
        for lib in libs {
            let body = lib.functions.get(name).and_then(|function| function.body);
            let file = context.scripts.iter().find(|script| script.source_map.path() == lib.path);
            found.extend(file.zip(body).map(|(file, body)| (named.field, Reference::Function(file, body))));
        }
    }
    found.sort_by_key(|(token, _)| SourceMap::start(token));
    found
}

/// Finds a forbidden accessor that a function calls, directly or not, and its place.
fn find_first_forbidden<'a>(
    context: &LintContext<'a>,
    script: &ResolvedScript<'a>,
    body: &'a FunctionBody,
    forbids: &dyn Fn(&'static str, &Accessor) -> bool,
) -> Option<(&'static str, String)> {
    let mut open = vec![(script, body)];
    let mut seen = BTreeSet::new();
    while let Some((script, body)) = open.pop() {
        let span = span(body);
        if !seen.insert((script.source_map.path(), span)) {
            continue;
        }
        for (token, used) in find_references(context, script, span, forbids) {
            match used {
                Reference::Accessor(accessor) => {
                    let line = script.source_map.position(SourceMap::start(token)).0;
                    return Some((accessor, format!("{}:{line}", script.source_map.path())));
                }
                Reference::Function(script, body) => open.push((script, body)),
            }
        }
    }
    None
}
