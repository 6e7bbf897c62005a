//! What the check of scripts finds: one lint, one file, one name in code, in messages (`[unused-field]`) and in
//! `lode check --explain unused-field`; its fixtures are in `tests/lints/` under the same name.
//!
//! A lint looks at scripts that were read (`crate::script`) and uses no other lint; what several say alike stands here.
//!
//! A new lint is a file and its `mod` line here: `build.rs` lists the files, in the order of their names.
//!
//! Direction: self <- *

mod argument_count;
mod can_acts;
mod cost_after_effect;
mod forbidden_write;
mod lib_method_call;
mod missing_hook;
mod missing_player;
mod missing_redeal;
mod missing_text;
mod missing_value;
mod misspelt_name;
mod needless_player;
mod needless_text;
mod never_assigned;
mod not_a_function;
pub(crate) mod not_checked;
mod outside_match;
mod reserved_name;
mod script;
mod state_outside;
mod text_differs;
mod unknown_argument;
mod unknown_attribute;
mod unknown_counter;
mod unknown_definition;
mod unknown_direction;
mod unknown_family;
mod unknown_function;
mod unknown_grid;
mod unknown_hook;
mod unknown_id;
mod unknown_kind;
mod unknown_label;
mod unknown_lib;
mod unknown_name;
mod unknown_option;
mod unknown_prompt;
mod unknown_text;
mod unknown_value;
mod unknown_verb;
mod unknown_zone;
mod unread_attribute;
mod unset_field;
mod unused_definition;
mod unused_field;
mod unused_function;
mod wrong_argument;
mod wrong_comparison;
mod wrong_holder;
mod wrong_parameters;

use full_moon::ast::Expression;

use crate::finding::{Finding, Scripts};
use crate::script::Resolved;
use crate::script::call::{Argument, Call};
use crate::script::known::Known;
use crate::script::library;
use crate::script::place::Places;
use crate::script::resolve::{Free, Use};
use crate::script::returned::Owner;
use crate::script::signature::{Parameter, SIGNATURES, Signature, Takes};
use crate::script::token::literal;
use motherlode_content::declare::{Declarations, Definition, Holder, Location};
use motherlode_content::diagnostic::{Severity, nearest, suggestion};
use motherlode_content::sort::Sort;
use motherlode_content::source::{SourceFile, line_span};

/// All lints in the order of their names.
pub static LINTS: &[&Lint] = include!(concat!(env!("OUT_DIR"), "/lints.rs"));

/// Most names that are compared with all others, so that no script takes the check long.
const MOST_GUESSED: usize = 200;

/// A kind of finding.
#[derive(Debug)]
pub struct Lint {
    /// Its name, the code of its diagnostics: `unused-field`.
    pub name: &'static str,
    /// Whether a game with such a finding can be played.
    pub severity: Severity,
    /// Why it is a mistake.
    pub why: &'static str,
    /// A script with the mistake: a `phases.luau`, or several files behind comments with their names (`-- lib.luau`).
    pub bad: &'static str,
    /// The same without it.
    pub good: &'static str,
    /// The code.
    pub(crate) finds: Finds,
}

/// What a lint looks at.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Finds {
    /// The text of a script; if there is a finding, nothing else is said of the script.
    InText(fn(&SourceFile, &Places<'_>) -> Option<Finding>),
    /// What the parser says of it, in the same way.
    InSyntax(fn(&[full_moon::Error], &Places<'_>) -> Option<Finding>),
    /// One script.
    InScript(fn(&Resolved<'_>, &Known<'_>) -> Vec<Finding>),
    /// All scripts, if all could be read.
    InScripts(fn(&Scripts<'_>) -> Vec<Finding>),
    /// All scripts and the content, if there is no error anywhere.
    Unused(fn(&Scripts<'_>) -> Vec<Finding>),
}

/// A zone or grid that a call names.
struct Owned<'c> {
    name: &'c str,
    /// What it is called in messages.
    noun: &'static str,
    per: Holder,
    /// The parameter behind it that says whose, by its index.
    at: usize,
    player: &'static Parameter,
}

/// The zones and grids that a call of an accessor names before a player.
fn owned<'c>(call: &Call<'c>, signature: &'static Signature, d: &Declarations) -> Vec<Owned<'c>> {
    let owned = call.arguments.iter().zip(&signature.takes).enumerate().filter_map(|(i, (argument, takes))| {
        let (Argument::Text(token) | Argument::Expression(Expression::String(token))) = *argument else { return None };
        let name = literal(token)?;
        let (noun, per) = match takes {
            Takes::Name(Sort::Zone) => ("zone", d.zones.get(name)?.per),
            Takes::Name(Sort::Grid) => ("grid", d.grids.get(name)?.per),
            _ => return None,
        };
        let mut behind = signature.parameters.iter().enumerate().skip(i + 1);
        let (at, player) = behind.find(|(_, parameter)| parameter.name.ends_with("player"))?;
        Some(Owned { name, noun, per, at, player })
    });
    owned.collect()
}

/// Names that are not among those that may stand where they do.
fn unknown(script: &Resolved<'_>, known: &Known<'_>, takes: impl Fn(Takes) -> bool, noun: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for mention in script.mentions.iter().filter(|mention| takes(mention.takes)) {
        if found.len() >= MOST_GUESSED {
            break;
        }
        let (name, takes, context) = (mention.name, mention.takes, mention.context);
        if known.knows(takes, name, context) {
            continue;
        }
        let names = known.names(takes, context).unwrap_or_default();
        let of = known.owner(takes, context);
        let none = names.is_empty() && !known.has_doubts();
        let help = near_family(takes, name, mention.by, known)
            .or_else(|| suggestion(name, names))
            .or_else(|| none.then(|| format!("no {noun}{of} is declared")));
        let message = format!("unknown {noun} `{name}`{of} in `{}`", mention.by);
        found.push(Finding::new(&script.places, mention.token, message).help(help));
    }
    found
}

/// What to write where the name of a family stands in place of that of a member, or the other way round.
fn near_family(takes: Takes, name: &str, by: &str, known: &Known<'_>) -> Option<String> {
    let d = known.d;
    match takes {
        Takes::Name(Sort::Counter) if d.counter_families.contains_key(name) => {
            Some(match SIGNATURES.get(by).and_then(|signature| signature.indexed.as_deref()) {
                Some(indexed) => format!("`{name}` is a family: call it as `{}`", indexed.text),
                None => format!("`{name}` is a family: name a member of it with `in_family(\"{name}\", index)`"),
            })
        }
        Takes::Name(Sort::Zone) if d.zone_families.contains_key(name) => {
            Some(format!("`{name}` is a family: name a member of it with `in_family(\"{name}\", index)`"))
        }
        Takes::Name(Sort::CounterFamily) if d.counters.contains_key(name) => {
            Some(format!("`{name}` is a counter and no family: leave out the index"))
        }
        _ => None,
    }
}

/// Functions that a script returns and nothing calls by such a name.
fn unknown_functions(script: &Resolved<'_>, known: &Known<'_>, of: impl Fn(Owner) -> bool) -> Vec<Finding> {
    let mut found = Vec::new();
    for hook in script.returned.hooks.iter().filter(|hook| of(hook.owner)) {
        let functions = hook.owner.functions(known.d);
        let names: Vec<&str> = functions.iter().map(|(name, _)| &**name).collect();
        if !names.contains(&hook.name) && !known.is_gone(script.returned.stem, hook.name) {
            let help = match nearest(hook.name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known: {}", names.join(", ")),
            };
            let message = format!("unknown {}", hook.owner.shown(hook.name, known.d));
            found.push(Finding::new(&script.places, hook.key, message).help(help));
        }
    }
    found
}

/// What is wrong with a name, and which one may be meant.
fn unbound(script: &Resolved<'_>, free: &Free<'_>, noun: &str) -> Finding {
    let name = free.name;
    let declared = || script.names.variables.iter().filter_map(|variable| Some((variable.name, variable.token?)));
    let help = match declared().find(|(other, _)| *other == name) {
        Some(_) if free.near.is_some() => free.near.map(|near| format!("did you mean `{near}`?")),
        Some((_, token)) => {
            let line = script.places.position(Places::start(token)).0;
            Some(format!("`{name}` in line {line} is visible only after its declaration and inside its block"))
        }
        None => {
            let everywhere =
                SIGNATURES.keys().map(|name| -> &str { name }).chain(library::names().map(|name| -> &str { name }));
            // Every other single letter is near.
            let known = declared().map(|(other, _)| other).chain(everywhere).filter(|_| name.len() > 1);
            match (nearest(name, known), free.how == Use::Write) {
                (Some(near), true) => Some(format!("did you mean `{near}`? A new variable begins with `local`")),
                (Some(near), false) => Some(format!("did you mean `{near}`?")),
                (None, true) => Some(format!("a new variable begins with `local`: `local {name}`")),
                (None, false) => None,
            }
        }
    };
    Finding::new(&script.places, free.token, format!("unknown {noun} `{name}`")).help(help)
}

/// Whether a script returns this hook for a definition, or may do so.
fn has_hook(scripts: &Scripts<'_>, kind: usize, id: &str, hook: &str) -> bool {
    let sections = scripts.list.iter().flat_map(|script| &script.returned.sections);
    let mut of_definition = sections.filter(|one| one.owner == Owner::Definition(kind) && one.name == id);
    of_definition.any(|section| section.hooks.as_ref().is_none_or(|hooks| hooks.contains(hook)))
}

/// Definitions that are verbs alone and have a text of their own besides, each with its kind.
fn repeated<'s>(scripts: &'s Scripts<'_>) -> impl Iterator<Item = (&'s str, &'s Definition)> {
    let d = scripts.known.d;
    d.definitions.iter().filter_map(|one| {
        let (name, kind) = d.kinds.get_index(one.kind)?;
        let alone = || kind.hooks.keys().all(|hook| !has_hook(scripts, one.kind, &one.id, hook));
        let both = !one.says.is_empty() && !one.written.is_empty() && !one.written.contains('{');
        (both && !scripts.uses.any_name && alone()).then_some((name.as_str(), one))
    })
}

/// A finding at a place of the content.
fn at_place(scripts: &Scripts<'_>, place: &Location, message: String) -> Finding {
    let (file, line) = (place.file.clone(), place.line);
    let source = scripts.sources.iter().find(|source| source.path == file);
    let (span, column) = source.map_or(((0, 0), 1), |source| line_span(&source.text, line));
    Finding { file, span, position: (line, column), message, help: None }
}

/// A finding at a key of a definition, in the highest layer that has it; at the definition if none has.
fn at_field(scripts: &Scripts<'_>, kind: &str, definition: &Definition, key: &str, message: String) -> Finding {
    let found = scripts.documents(kind).rev().find_map(|document| {
        let key = document.root("").get(&definition.id)?.table("")?.key(key)?;
        scripts.at(&key, message.clone())
    });
    found.unwrap_or_else(|| at_place(scripts, &definition.place, message))
}

/// A finding at the key of this path in a TOML file, in the lowest layer that has it.
fn at_key(scripts: &Scripts<'_>, stem: &str, path: &[&str], message: &str) -> Option<Finding> {
    let (last, before) = path.split_last()?;
    scripts.documents(stem).find_map(|document| {
        let mut table = document.root("");
        for key in before {
            table = table.get(key)?.table("")?;
        }
        scripts.at(&table.key(last)?, message.to_owned())
    })
}

/// A name that is one slip of the fingers away.
fn slip<'n>(name: &str, others: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let near = |other: &&str| other.len().abs_diff(name.len()) < 2 && strsim::osa_distance(name, other) == 1;
    if name.len() <= 64 { nearest(name, others.filter(near)) } else { None }
}
