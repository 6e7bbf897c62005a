//! References in scripts and rule tests.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::catch_unwind;

use full_moon::ast::{Expression, Var};
use full_moon::tokenizer::{TokenReference, TokenType};
use full_moon::visitors::Visitor;
use full_moon::{LuaVersion, parse_fallible};
use motherlode_content::declare::Declarations;
use motherlode_content::pack::Pack;
use motherlode_content::source::SourceFile;

use super::arguments::Arguments;
use super::{Reference, SHARED, Symbol};
use crate::lint::{for_each_script, on_deep_stack};
use crate::schema::{sort_of_kind, sort_word};
use crate::script::ResolvedScript;
use crate::script::call::{Argument, Callee};
use crate::script::known::NameContext;
use crate::script::returned::Owner;
use crate::script::signature::ExpectedName;
use crate::script::source_map::SourceMap;
use crate::script::token::{identifier, literal};
use crate::script::value::KnownValue;

/// Adds the references of all scripts.
pub(super) fn read(
    pack: &Pack,
    (d, arguments): (&Declarations, &Arguments<'_>),
    unique: &BTreeMap<&str, &Symbol>,
    found: &mut BTreeSet<Reference>,
) {
    let sources = motherlode_content::read(pack).1;
    let done = on_deep_stack(|| {
        for_each_script(d, &sources, &mut |script| {
            read_script(script, d, unique, found);
            read_arguments(script, d, arguments, found);
        });
    });
    // A script that cannot be read has no references.
    done.unwrap_or_default();
}

fn read_script(
    script: &ResolvedScript<'_>,
    d: &Declarations,
    unique: &BTreeMap<&str, &Symbol>,
    found: &mut BTreeSet<Reference>,
) {
    let file = script.source_map.path();
    let text = script.source_map.text();
    let mut seen = BTreeSet::new();
    for mention in &script.mentions {
        for sort in sorts(mention.expected, mention.context, mention.name, d) {
            seen.insert(SourceMap::start(mention.token));
            found.extend(of_literal(file, mention.token, mention.name, Symbol::new(sort, mention.name)));
        }
    }
    for token in script.names.texts.iter().filter(|token| !seen.contains(&SourceMap::start(token))) {
        let Some(name) = literal(token) else { continue };
        found.extend(unique.get(name).and_then(|symbol| of_literal(file, token, name, (*symbol).clone())));
    }
    let mut add = |key: &TokenReference, name: &str, sort: String| {
        let start = SourceMap::start(key);
        let start = start + text.get(start..).and_then(|text| text.find(name)).unwrap_or(0);
        let (file, span) = (file.to_owned(), (start, start + name.len()));
        found.insert(Reference { file, span, symbol: Symbol::new(sort, name), declares: true });
    };
    for section in &script.returned.sections {
        match section.owner {
            Owner::Phase => add(section.key, section.name, "phase".to_owned()),
            Owner::Definition(kind) => add(section.key, section.name, sort_of_kind(d, kind)),
            _ => {}
        }
    }
    for hook in &script.returned.hooks {
        match hook.owner {
            Owner::Verbs if d.verbs.contains_key(hook.name) => add(hook.key, hook.name, "verb".to_owned()),
            Owner::Events if d.events.contains_key(hook.name) => add(hook.key, hook.name, "event".to_owned()),
            Owner::Definition(kind) if d.kinds[kind].hooks.contains_key(hook.name) => {
                add(hook.key, hook.name, "hook".to_owned());
            }
            _ => {}
        }
    }
}

/// Adds the arguments of verbs: those that a script gives to a verb, and those that the function of a verb, or a function that it calls,
/// reads. If the verbs of such a function do not agree on the argument, it has the sort [`SHARED`].
fn read_arguments(
    script: &ResolvedScript<'_>,
    d: &Declarations,
    arguments: &Arguments<'_>,
    found: &mut BTreeSet<Reference>,
) {
    let mut add = |token: &TokenReference, symbol: Option<Symbol>| {
        let (Some(symbol), start) = (symbol, SourceMap::start(token)) else { return };
        let (file, span) = (script.source_map.path().to_owned(), (start, start + symbol.name.len()));
        found.insert(Reference { file, span, symbol, declares: false });
    };
    let given = script.calls.list.iter().flat_map(|call| call.given_arguments(d));
    for (verb, field) in script.calls.verb_args.iter().copied().chain(given) {
        let verb = d.verbs.get_index(verb).map(|(verb, _)| verb);
        add(field, verb.zip(identifier(field)).and_then(|(verb, name)| arguments.symbol(verb, name)));
    }
    let holders = holders(script);
    for chain in &script.names.chains {
        let (Some(verbs), Some(field)) = (chain.variable.and_then(|one| holders.get(&one)), chain.first_field()) else {
            continue;
        };
        let Some(name) = identifier(field) else { continue };
        let verbs = verbs.iter().filter_map(|verb| d.verbs.get_index(*verb));
        let symbols: BTreeSet<Symbol> = verbs.filter_map(|(verb, _)| arguments.symbol(verb, name)).collect();
        let is_shared = symbols.len() > 1;
        add(field, if is_shared { Some(Symbol::new(SHARED, name)) } else { symbols.into_iter().next() });
    }
}

/// The variables that hold arguments, with the verbs (indices) that they are for: a function passes them on to another one.
fn holders(script: &ResolvedScript<'_>) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut holders: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for variable in 0..script.names.variables.len() {
        if let KnownValue::Args(verb) = script.values.of_variable(variable) {
            holders.entry(variable).or_default().insert(verb);
        }
    }
    // A function is at most as far away as there are functions.
    for _ in 0..script.names.functions.len() {
        let before = holders.clone();
        for call in &script.calls.list {
            let Callee::Own(function) = call.callee else { continue };
            for (parameter, argument) in script.names.functions[function].parameters.iter().zip(&call.arguments) {
                let Argument::Expression(Expression::Var(Var::Name(name))) = argument else { continue };
                let verbs = script.names.variable(name).and_then(|variable| before.get(&variable));
                if let (Some(parameter), Some(verbs)) = (parameter, verbs) {
                    holders.entry(*parameter).or_default().extend(verbs);
                }
            }
        }
        if holders == before {
            break;
        }
    }
    holders
}

/// The sorts of a name in a call.
fn sorts(expected: ExpectedName, context: NameContext, name: &str, d: &Declarations) -> Vec<String> {
    let kinds_with = || {
        let of = d.definitions.iter().filter(|definition| definition.id == name).map(|definition| definition.kind);
        of.map(|kind| sort_of_kind(d, kind)).collect()
    };
    match expected {
        ExpectedName::Name(sort) => vec![sort_word(sort).to_owned()],
        ExpectedName::CounterOrFamily => {
            let word = if d.counters.contains_key(name) { "counter" } else { "family" };
            vec![word.to_owned()]
        }
        ExpectedName::Id => context.kind.map(|kind| sort_of_kind(d, kind)).into_iter().collect(),
        ExpectedName::AnyId => kinds_with(),
        // The values of a counter may be the definitions of a kind.
        ExpectedName::Value => {
            let values =
                context.counter.and_then(|counter| d.counters.get_index(counter)).map(|(_, one)| one.values.len());
            let of = d.kinds.values().enumerate().filter(|(_, kind)| kind.len > 0 && values == Some(kind.len + 1));
            let has = |kind: usize| d.definitions.iter().any(|one| one.kind == kind && one.id == name);
            of.filter(|(kind, _)| has(*kind)).map(|(kind, _)| sort_of_kind(d, kind)).collect()
        }
        ExpectedName::Choices => vec!["label".to_owned()],
        _ => Vec::new(),
    }
}

fn of_literal(file: &str, token: &TokenReference, name: &str, symbol: Symbol) -> Option<Reference> {
    let TokenType::StringLiteral { multi_line_depth: 0, quote_type, .. } = token.token_type() else { return None };
    let open = if *quote_type == full_moon::tokenizer::StringLiteralQuoteType::Brackets { 2 } else { 1 };
    let start = SourceMap::start(token) + open;
    Some(Reference { file: file.to_owned(), span: (start, start + name.len()), symbol, declares: false })
}

/// Adds the names in a rule test: each text that is the name of one symbol.
pub(super) fn read_test(test: &SourceFile, unique: &BTreeMap<&str, &Symbol>, found: &mut BTreeSet<Reference>) {
    let read = || {
        let parsed = catch_unwind(|| parse_fallible(&test.text, LuaVersion::luau()).into_ast()).ok()?;
        let mut literals = Literals::default();
        literals.visit_ast(&parsed);
        Some(literals.found)
    };
    let literals = on_deep_stack(read).flatten();
    for (name, start) in literals.into_iter().flatten() {
        if let Some(symbol) = unique.get(name.as_str()) {
            let (file, span) = (test.path.clone(), (start, start + name.len()));
            found.insert(Reference { file, span, symbol: (*symbol).clone(), declares: false });
        }
    }
}

/// Collects the string literals of a script, with the place of their text.
#[derive(Default)]
struct Literals {
    found: Vec<(String, usize)>,
}

impl Visitor for Literals {
    fn visit_string_literal(&mut self, token: &full_moon::tokenizer::Token) {
        if let TokenType::StringLiteral { literal, multi_line_depth: 0, .. } = token.token_type() {
            self.found.push((literal.to_string(), token.start_position().bytes() + 1));
        }
    }
}
