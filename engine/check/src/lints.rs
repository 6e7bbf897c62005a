//! The lints, one per file.
//!
//! A lint has one name in code, in messages (`[unused-field]`) and in `lode check --explain unused-field`.
//! The folder of its fixtures in `tests/lints/` has the same name.
//!
//! A lint reads scripts from `crate::script` and uses no other lint. Code that several lints share is in this file.
//!
//! To add a lint, add its file and a `mod` line here. `build.rs` lists the files by name.
//!
//! Direction: self <- *

mod argument_count;
mod can_acts;
mod cost_after_effect;
mod duplicate_key;
mod event_cycle;
mod forbidden_write;
mod hidden_modifier;
mod label_values;
mod lib_method_call;
mod loop_index;
mod missing_hook;
mod missing_place;
mod missing_player;
mod missing_redeal;
mod missing_return;
mod missing_text;
mod missing_value;
mod misspelt_name;
mod needless_player;
mod needless_text;
mod never_acts;
mod never_assigned;
mod not_a_function;
pub(crate) mod not_checked;
mod number_field;
mod outside_match;
mod public_random;
mod reserved_name;
mod script;
mod secret_internal;
mod state_outside;
mod text_differs;
mod unheld_kind;
mod unknown_argument;
mod unknown_attribute;
mod unknown_counter;
mod unknown_definition;
mod unknown_direction;
mod unknown_event;
mod unknown_family;
mod unknown_field;
mod unknown_filter;
mod unknown_function;
mod unknown_grid;
mod unknown_hook;
mod unknown_id;
mod unknown_kind;
mod unknown_label;
mod unknown_lib;
mod unknown_name;
mod unknown_option;
mod unknown_phase;
mod unknown_prompt;
mod unknown_text;
mod unknown_value;
mod unknown_verb;
mod unknown_zone;
mod unread_attribute;
mod unset_field;
mod unused_definition;
mod unused_event;
mod unused_field;
mod unused_function;
mod verb_needs_player;
mod wrong_argument;
mod wrong_comparison;
mod wrong_holder;
mod wrong_parameters;
mod wrong_statement;

use full_moon::ast::Expression;

use crate::finding::{Finding, LintContext};
use crate::script::ResolvedScript;
use crate::script::call::{Argument, Call, Callee};
use crate::script::known::DeclaredNames;
use crate::script::library;
use crate::script::resolve::{FreeName, UseKind};
use crate::script::returned::Owner;
use crate::script::signature::{ExpectedName, Parameter, SIGNATURES, Signature};
use crate::script::source_map::SourceMap;
use crate::script::token::literal;
use motherlode::language::replacement;
use motherlode_content::declare::{Declarations, Definition, Event, Holder, Location};
use motherlode_content::diagnostic::{Diagnostic, Severity, nearest, suggestion};
use motherlode_content::sort::NameKind;
use motherlode_content::source::{SourceFile, line_span};

/// All lints, sorted by name.
pub static LINTS: &[&Lint] = include!(concat!(env!("OUT_DIR"), "/lints.rs"));

/// The syntax error of a script.
pub(crate) fn find_syntax_fault(source: &SourceFile, source_map: &SourceMap<'_>) -> Option<Diagnostic> {
    let lint = &script::LINT;
    let LintCheck::Text(check) = lint.check else { return None };
    check(source, source_map).map(|finding| finding.into_diagnostic(lint.name, lint.severity))
}

/// Maximum number of names compared with all others, to bound the time of a check.
const MAX_COMPARED_NAMES: usize = 200;

/// Fields of the context of verbs and listeners.
const CONTEXT: [&str; 6] = ["event", "listener", "player", "source", "target", "x"];

/// A lint: one kind of mistake, and the function that finds it.
#[derive(Debug)]
pub struct Lint {
    /// Name, and code of the diagnostics: `unused-field`.
    pub name: &'static str,
    /// Severity of the findings: an error prevents play.
    pub severity: Severity,
    /// Reason why this is a mistake.
    pub why: &'static str,
    /// Example with the mistake: a `phases.luau`, or several files under comments with their names (`-- lib.luau`).
    pub bad: &'static str,
    /// The example without the mistake.
    pub good: &'static str,
    /// Function that finds the mistake.
    pub(crate) check: LintCheck,
}

/// Function of a lint, by the input that it needs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LintCheck {
    /// Reads the text of a script. After a finding, no other lint runs on the script.
    Text(fn(&SourceFile, &SourceMap<'_>) -> Option<Finding>),
    /// Reads the parser's errors. After a finding, no other lint runs on the script.
    Syntax(fn(&[full_moon::Error], &SourceMap<'_>) -> Option<Finding>),
    /// Reads one script.
    Script(fn(&ResolvedScript<'_>, &DeclaredNames<'_>) -> Vec<Finding>),
    /// Reads all scripts. Runs only if every script can be parsed.
    AllScripts(fn(&LintContext<'_>) -> Vec<Finding>),
    /// Reads all scripts and the content. Runs only if there is no error.
    WholeGame(fn(&LintContext<'_>) -> Vec<Finding>),
}

/// A zone or grid that a call names.
struct ContainerArgument<'c> {
    name: &'c str,
    /// `zone` or `grid`, for messages.
    noun: &'static str,
    per: Holder,
    /// Index of the parameter that selects the player.
    at: usize,
    player: &'static Parameter,
}

/// Finds the zones and grids in a call that a player parameter follows.
fn find_container_arguments<'c>(
    call: &Call<'c>,
    signature: &'static Signature,
    d: &Declarations,
) -> Vec<ContainerArgument<'c>> {
    let found = call.arguments.iter().zip(&signature.expected).enumerate().filter_map(|(i, (argument, expected))| {
        let (Argument::Text(token) | Argument::Expression(Expression::String(token))) = *argument else { return None };
        let name = literal(token)?;
        let (noun, per) = match expected {
            ExpectedName::Name(NameKind::Zone) => ("zone", d.zones.get(name)?.per),
            ExpectedName::Name(NameKind::Grid) => ("grid", d.grids.get(name)?.per),
            _ => return None,
        };
        let mut later = signature.parameters.iter().enumerate().skip(i + 1);
        let (at, player) = later.find(|(_, parameter)| parameter.name.ends_with("player"))?;
        Some(ContainerArgument { name, noun, per, at, player })
    });
    found.collect()
}

/// Reports names that are not valid where they are used.
fn find_unknown_names(
    script: &ResolvedScript<'_>,
    known: &DeclaredNames<'_>,
    expected: impl Fn(ExpectedName) -> bool,
    noun: &str,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for mention in script.mentions.iter().filter(|mention| expected(mention.expected)) {
        if found.len() >= MAX_COMPARED_NAMES {
            break;
        }
        let (name, expected, context) = (mention.name, mention.expected, mention.context);
        if known.is_valid(expected, name, context) {
            continue;
        }
        let mut names = known.names(expected, context).unwrap_or_default();
        if expected == ExpectedName::Name(NameKind::Event) {
            names.retain(|name| known.d.events.get(*name).is_some_and(Event::may_be_emitted));
        }
        let of = known.owner(expected, context);
        let none = names.is_empty() && !known.has_doubts();
        let help = suggest_family_form(expected, name, mention.by, known)
            .or_else(|| suggestion(name, names))
            .or_else(|| none.then(|| format!("no {noun}{of} is declared")));
        let place = if mention.is_guess { "may reach" } else { "in" };
        let message = format!("unknown {noun} `{name}`{of} {place} `{}`", mention.by);
        let finding = Finding::new(&script.source_map, mention.token, message).help(help);
        found.push(Finding { is_guess: mention.is_guess, ..finding });
    }
    found
}

/// Suggests a fix if a family is named in place of a member, or a counter in place of a family.
fn suggest_family_form(expected: ExpectedName, name: &str, by: &str, known: &DeclaredNames<'_>) -> Option<String> {
    let d = known.d;
    match expected {
        ExpectedName::Name(NameKind::Counter) if d.counter_families.contains_key(name) => {
            Some(match SIGNATURES.get(by).and_then(|signature| signature.indexed.as_deref()) {
                Some(indexed) => format!("`{name}` is a family: call it as `{}`", indexed.text),
                None => format!("`{name}` is a family: get a member with `in_family(\"{name}\", index)`"),
            })
        }
        ExpectedName::Name(NameKind::Zone) if d.zone_families.contains_key(name) => {
            Some(format!("`{name}` is a family: get a member with `in_family(\"{name}\", index)`"))
        }
        ExpectedName::Name(NameKind::CounterFamily) if d.counters.contains_key(name) => {
            Some(format!("`{name}` is a counter, not a family: leave out the index"))
        }
        ExpectedName::Name(NameKind::Attribute) if d.counters.contains_key(name) => {
            Some(format!("`{name}` is a counter: read it with `get`"))
        }
        ExpectedName::Name(NameKind::Counter) | ExpectedName::CounterOrFamily
            if d.kinds.values().any(|kind| kind.attributes.contains_key(name)) =>
        {
            Some(format!("`{name}` is an attribute: read it with `attr`"))
        }
        ExpectedName::Name(NameKind::Event) if known.d.events.values().all(|event| event.standard) => {
            Some(format!("declare it in reactions.toml: `[events.{name}]`"))
        }
        _ => None,
    }
}

/// The call that gives the number of a counter's named value; `None`: the counter has no such value.
fn value_call(known: &DeclaredNames<'_>, counter: &str, value: &str) -> Option<String> {
    let is_value = known.d.counters.get(counter)?.values.iter().any(|name| name == value);
    is_value.then(|| format!("write `value(\"{counter}\", \"{value}\")`"))
}

/// Reports functions that a script returns under a name that nothing calls.
fn find_unknown_functions(
    script: &ResolvedScript<'_>,
    known: &DeclaredNames<'_>,
    of: impl Fn(Owner) -> bool,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for hook in script.returned.hooks.iter().filter(|hook| of(hook.owner)) {
        let functions = hook.owner.functions(known.d);
        let names: Vec<&str> = functions.iter().map(|(name, _)| &**name).collect();
        if !names.contains(&hook.name) && !known.is_gone(script.returned.stem, hook.name) {
            let help = match nearest(hook.name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known: {}", names.join(", ")),
            };
            let message = format!("unknown {}", hook.owner.describe(hook.name, known.d));
            found.push(Finding::new(&script.source_map, hook.key, message).help(help));
        }
    }
    found
}

/// Reports an unknown name with a suggestion.
fn report_unbound(script: &ResolvedScript<'_>, free: &FreeName<'_>, noun: &str) -> Finding {
    let name = free.name;
    let declared = || script.names.variables.iter().filter_map(|variable| Some((variable.name, variable.token?)));
    let help = match declared().find(|(other, _)| *other == name) {
        Some(_) if free.near.is_some() => free.near.map(|near| format!("did you mean `{near}`?")),
        Some((_, token)) => {
            let line = script.source_map.position(SourceMap::start(token)).0;
            Some(format!("`{name}` in line {line} is visible only after its declaration and inside its block"))
        }
        None if free.near.is_none() && replacement(name).is_some() => replacement(name).map(str::to_owned),
        None => {
            let everywhere =
                SIGNATURES.keys().map(|name| -> &str { name }).chain(library::names().map(|name| -> &str { name }));
            // Every single letter is near every other one.
            let known = declared().map(|(other, _)| other).chain(everywhere).filter(|_| name.len() > 1);
            match (nearest(name, known), free.use_kind == UseKind::Write) {
                (Some(near), true) => Some(format!("did you mean `{near}`? A new variable begins with `local`")),
                (Some(near), false) => Some(format!("did you mean `{near}`?")),
                (None, true) => Some(format!("a new variable begins with `local`: `local {name}`")),
                (None, false) => None,
            }
        }
    };
    Finding::new(&script.source_map, free.token, format!("unknown {noun} `{name}`")).help(help)
}

/// Whether reactions.luau returns this function, or may return it.
fn has_function(context: &LintContext<'_>, name: &str) -> bool {
    let mut scripts = context.scripts.iter().filter(|script| script.returned.stem == "reactions");
    scripts.any(|script| {
        let hooks = &script.returned.hooks;
        hooks.is_empty() || hooks.iter().any(|hook| hook.name == name)
    })
}

/// Finds definitions whose effects are all verbs and that also have a text. Yields each with its kind.
fn find_definitions_with_verb_text<'s>(
    context: &'s LintContext<'_>,
) -> impl Iterator<Item = (&'s str, &'s Definition)> {
    let d = context.known.d;
    d.definitions.iter().filter_map(|one| {
        let (name, _) = d.kinds.get_index(one.kind)?;
        let both = !one.says.is_empty() && !one.written.is_empty() && !one.written.contains('{');
        (both && one.scripted.is_empty()).then_some((name.as_str(), one))
    })
}

/// Returns the accessor that is called; empty for other functions.
fn accessor_name(call: &Call<'_>) -> &'static str {
    match call.callee {
        Callee::Accessor(name, _) => name,
        _ => "",
    }
}

/// Returns an argument that is a string literal.
fn literal_argument(argument: Argument<'_>) -> Option<&str> {
    match argument {
        Argument::Expression(Expression::String(token)) => literal(token),
        _ => None,
    }
}

/// Makes a finding at a place in the content.
fn report_at(context: &LintContext<'_>, place: &Location, message: String) -> Finding {
    let (file, line) = (place.file.clone(), place.line);
    let source = context.sources.iter().find(|source| source.path == file);
    let (span, column) = source.map_or(((0, 0), 1), |source| line_span(&source.text, line));
    Finding { file, span, position: (line, column), message, help: None, related: Vec::new(), is_guess: false }
}

/// Makes a finding at a key of a definition, in the highest layer that sets it. Falls back to the definition.
fn report_at_field(
    context: &LintContext<'_>,
    kind: &str,
    definition: &Definition,
    key: &str,
    message: String,
) -> Finding {
    let found = context.documents(kind).rev().find_map(|document| {
        let key = document.root("").get(&definition.id)?.table("")?.key(key)?;
        context.at(&key, message.clone())
    });
    found.unwrap_or_else(|| report_at(context, &definition.place, message))
}

/// Makes a finding at a key path in a TOML file, in the lowest layer that has it.
fn report_at_key(context: &LintContext<'_>, stem: &str, path: &[&str], message: &str) -> Option<Finding> {
    let (last, before) = path.split_last()?;
    context.documents(stem).find_map(|document| {
        let mut table = document.root("");
        for key in before {
            table = table.get(key)?.table("")?;
        }
        context.at(&table.key(last)?, message.to_owned())
    })
}

/// Finds a name that differs by one typing error: one inserted, deleted, changed or swapped letter.
fn find_typo<'n>(name: &str, others: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let near = |other: &&str| other.len().abs_diff(name.len()) < 2 && strsim::osa_distance(name, other) == 1;
    if name.len() <= 64 { nearest(name, others.filter(near)) } else { None }
}
