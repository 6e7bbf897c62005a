//! Reads the functions that a script returns: hooks of phases, of the game and of definitions, and verbs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use full_moon::ast::{
    Block, Expression, Field, FunctionArgs, FunctionBody, LastStmt, Parameter, Stmt, TableConstructor, Var,
};
use full_moon::tokenizer::TokenReference;

use crate::script::source_map::SourceMap;
use crate::script::token::{identifier, plain_call, plain_field};
use crate::types::{GAME_TYPES, PHASE_TYPES};
use motherlode::language::{EVENT_HOOKS, FINISH, VERB_PARTS};
use motherlode_content::declare::{Bearer, CAN, Declarations, Listener, ListenerAction, PickSource, Times, Verb};
use motherlode_content::source::script_stem;

/// The owner of a function that a script returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The game (`game.luau`).
    Game,
    /// The verbs (`verbs.luau`).
    Verbs,
    /// A verb (index into `verbs`) that is a table of functions.
    Verb(usize),
    /// A phase (`phases.luau`).
    Phase,
    /// The events (`reactions.luau`).
    Events,
    /// A definition of the kind with this index.
    Definition(usize),
}

impl Owner {
    /// Describes a function for messages: `` hook `turn` of a phase ``.
    pub fn describe(self, name: &str, d: &Declarations) -> String {
        match self {
            Self::Game => format!("hook `{name}` of the game"),
            Self::Verbs => format!("verb `{name}`"),
            Self::Verb(_) => format!("function `{name}` of a verb"),
            Self::Phase => format!("hook `{name}` of a phase"),
            Self::Events => format!("event or listener `{name}`"),
            Self::Definition(kind) => {
                let kind = d.kinds.get_index(kind).map_or("", |(kind, _)| kind.as_str());
                format!("hook `{name}` of kind `{kind}`")
            }
        }
    }

    /// Returns the functions that the owner can have, each with its parameters.
    pub fn functions(self, d: &Declarations) -> Vec<(Cow<'_, str>, Vec<&str>)> {
        let typed = |types: &'static [(&'static str, &'static str, &'static str)]| {
            types.iter().map(|(name, of, _)| (Cow::from(*name), parse_parameters(of))).collect()
        };
        match self {
            Self::Game => typed(&GAME_TYPES),
            Self::Phase => typed(&PHASE_TYPES),
            Self::Verbs => {
                let own = d.verbs.iter().filter(|(_, verb)| !verb.standard);
                own.map(|(name, verb)| (Cow::from(name), verb_parameters(verb, verb.picks.list.len()))).collect()
            }
            Self::Verb(verb) => {
                let Some((_, verb)) = d.verbs.get_index(verb) else { return Vec::new() };
                let picks = verb.picks.list.iter().enumerate();
                let picks = picks.map(|(place, (name, pick))| {
                    (
                        Cow::from(name),
                        verb_parameters(verb, place + usize::from(pick.source != Some(PickSource::Script))),
                    )
                });
                let parts = VERB_PARTS.iter().map(|name| {
                    let chosen = if *name == "run" { verb.picks.list.len() } else { 0 };
                    (Cow::from(*name), verb_parameters(verb, chosen))
                });
                let finish = (verb.picks.times != Times::Once).then(|| (Cow::from(FINISH), verb_parameters(verb, 0)));
                parts.chain(finish).chain(picks).collect()
            }
            Self::Events => {
                let events = d.events.iter().filter(|(_, event)| event.may_be_emitted());
                let events = events.map(|(name, _)| (Cow::from(name), vec!["event"]));
                let named =
                    |listener: &&Listener| !matches!(listener.bearer, Bearer::Definition(_)) && is_scripted(listener);
                let listeners = d.listeners.iter().filter(named);
                let listeners = listeners.map(|listener| (Cow::from(listener.name.as_str()), vec!["it"]));
                let given = EVENT_HOOKS.map(|name| (Cow::from(name), vec![]));
                events.chain(listeners).chain(given).collect()
            }
            Self::Definition(kind) => {
                let hooks = d.kinds[kind].hooks.iter();
                let can = hooks.clone().map(|(name, args)| (Cow::from(format!("{CAN}{name}")), hook_parameters(args)));
                let of_kind = |listener: &&Listener| matches!(listener.bearer, Bearer::Definition(index) if d.definitions[index].kind == kind);
                let scripted = d.listeners.iter().filter(of_kind).filter_map(|listener| match &listener.action {
                    ListenerAction::Script(name) => Some((Cow::from(name.as_str()), vec!["it"])),
                    _ => None,
                });
                hooks.map(|(name, args)| (Cow::from(name), hook_parameters(args))).chain(can).chain(scripted).collect()
            }
        }
    }
}

fn is_scripted(listener: &Listener) -> bool {
    matches!(listener.action, ListenerAction::Script(_))
}

/// Returns the parameters of a verb's function: the player, the first choices, the arguments, and the context of the list.
fn verb_parameters(verb: &Verb, chosen: usize) -> Vec<&str> {
    let picks = verb.picks.list.keys().take(chosen).map(String::as_str);
    std::iter::once("player").chain(picks).chain(["args", "it"]).collect()
}

/// Returns the parameters of a hook of a definition.
fn hook_parameters(args: &[String]) -> Vec<&str> {
    std::iter::once("token").chain(args.iter().map(String::as_str)).collect()
}

/// Returns the parameter names in a type such as `(player: number) -> ()`.
fn parse_parameters(of: &'static str) -> Vec<&'static str> {
    let inside = of.trim_start_matches('(').split(')').next().unwrap_or_default();
    inside.split(", ").filter_map(|one| one.split(':').next()).filter(|one| !one.is_empty()).collect()
}

/// A function that a script returns.
#[derive(Debug)]
pub struct Hook<'a> {
    /// Token of the name.
    pub key: &'a TokenReference,
    /// Name.
    pub name: &'a str,
    /// Body, if the value is a function literal.
    pub body: Option<&'a FunctionBody>,
    /// Value of the field; `None` for `function table.name()`.
    pub value: Option<&'a Expression>,
    /// Owner of the function.
    pub owner: Owner,
}

/// The hooks of one phase or definition.
#[derive(Debug)]
pub struct Section<'a> {
    /// Token of the name.
    pub key: &'a TokenReference,
    /// Name of the phase, or id of the definition.
    pub name: &'a str,
    /// Phase or definition.
    pub owner: Owner,
}

/// The functions that a script returns.
#[derive(Debug, Default)]
pub struct Returned<'a> {
    /// Stem of the script: `phases`.
    pub stem: &'a str,
    /// Tables of phases and definitions.
    pub sections: Vec<Section<'a>>,
    /// All returned functions.
    pub hooks: Vec<Hook<'a>>,
    /// Byte offsets of the keys that the engine reads.
    pub keys: BTreeSet<usize>,
    /// Verb of each parameter that receives a verb's arguments, by the byte offset of the parameter.
    pub verb_args: BTreeMap<usize, usize>,
    /// Prompt of each parameter that receives the choice of a phase, by the byte offset of the parameter.
    pub choices: BTreeMap<usize, usize>,
}

impl<'a> Returned<'a> {
    /// Reads the returned table of a script.
    pub fn read(block: &'a Block, path: &'a str, d: &Declarations) -> Self {
        let table = returned_entries(block);
        let mut read = Self { stem: script_stem(path), ..Self::default() };
        for entry in &table {
            read.keys.insert(SourceMap::start(entry.key));
            if let Some(section) = entry.value.and_then(table_in) {
                read.keys.extend(entries(section).map(|entry| SourceMap::start(entry.key)));
            }
        }
        match read.stem {
            "game" => read.read_functions(table.into_iter(), Owner::Game),
            "verbs" => {
                read.note_verb_args(&table, d);
                for entry in &table {
                    if let Some(parts) = entry.value.and_then(table_in) {
                        let verb = identifier(entry.key).and_then(|name| d.verbs.get_index_of(name));
                        read.read_functions(entries(parts), Owner::Verb(verb.unwrap_or(usize::MAX)));
                    }
                }
                read.read_functions(table.into_iter(), Owner::Verbs);
            }
            "phases" => {
                read.note_choices(&table, d);
                read.read_sections(table, Owner::Phase);
            }
            "reactions" => read.read_functions(table.into_iter(), Owner::Events),
            kind => {
                if let Some(kind) = d.kinds.get_index_of(kind) {
                    read.read_sections(table, Owner::Definition(kind));
                }
            }
        }
        read
    }

    fn read_sections(&mut self, table: Vec<Entry<'a>>, owner: Owner) {
        for Entry { key, value, .. } in table {
            let Some(name) = identifier(key) else { continue };
            if let Some(Expression::TableConstructor(section)) = value {
                self.read_functions(entries(section), owner);
            }
            self.sections.push(Section { key, name, owner });
        }
    }

    fn read_functions(&mut self, table: impl Iterator<Item = Entry<'a>>, owner: Owner) {
        let hook = |Entry { key, body, value }| Some(Hook { key, name: identifier(key)?, body, value, owner });
        self.hooks.extend(table.filter_map(hook));
    }

    /// Records the parameter of each hook `act` that receives the choice.
    fn note_choices(&mut self, table: &[Entry<'a>], d: &Declarations) {
        for Entry { key, value, .. } in table {
            let prompt = identifier(key).and_then(|phase| d.phases.get(phase)).and_then(|phase| phase.prompt);
            let acts = value.and_then(table_in).into_iter().flat_map(entries);
            let acts = acts.filter(|entry| identifier(entry.key) == Some("act"));
            for body in acts.filter_map(|entry| entry.body) {
                if let (Some(prompt), Some(Parameter::Name(choice))) = (prompt, body.parameters().iter().nth(1)) {
                    self.choices.insert(SourceMap::start(choice), prompt);
                }
            }
        }
    }

    /// Records the parameter of each verb's functions that receives the verb's arguments.
    fn note_verb_args(&mut self, table: &[Entry<'a>], d: &Declarations) {
        for Entry { key, value, body } in table {
            let Some((index, _, verb)) = identifier(key).and_then(|name| d.verbs.get_full(name)) else { continue };
            let picks = verb.picks.list.len();
            let parts = value.and_then(table_in).into_iter().flat_map(entries);
            let parts = parts.filter_map(|entry| {
                let chosen = match identifier(entry.key) {
                    Some("run") => picks,
                    name => name
                        .and_then(|name| verb.picks.list.get_full(name))
                        .map_or(0, |(place, _, pick)| place + usize::from(pick.source != Some(PickSource::Script))),
                };
                Some((entry.body?, chosen))
            });
            for (body, chosen) in body.iter().copied().map(|body| (body, picks)).chain(parts) {
                if let Some(Parameter::Name(args)) = body.parameters().iter().nth(1 + chosen) {
                    self.verb_args.insert(SourceMap::start(args), index);
                }
            }
        }
    }
}

/// A named field of a table.
#[derive(Clone, Copy)]
struct Entry<'a> {
    key: &'a TokenReference,
    value: Option<&'a Expression>,
    body: Option<&'a FunctionBody>,
}

/// Returns the fields of the returned table literal, or the fields assigned to the returned variable.
fn returned_entries(block: &Block) -> Vec<Entry<'_>> {
    let Some(LastStmt::Return(last)) = block.last_stmt() else { return Vec::new() };
    match last.returns().iter().next() {
        Some(Expression::TableConstructor(table)) => entries(table).collect(),
        Some(Expression::Var(Var::Name(token))) => {
            let table = identifier(token);
            block.stmts().filter_map(|statement| assigned_entry(statement, table?)).collect()
        }
        _ => Vec::new(),
    }
}

fn entries(table: &TableConstructor) -> impl Iterator<Item = Entry<'_>> {
    table.fields().iter().filter_map(|field| match field {
        Field::NameKey { key, value, .. } => Some(Entry { key, value: Some(value), body: body(value) }),
        _ => None,
    })
}

/// Reads `function verbs.load(player) ... end` or `verbs.load = ...`.
fn assigned_entry<'a>(statement: &'a Stmt, table: &str) -> Option<Entry<'a>> {
    match statement {
        Stmt::FunctionDeclaration(function) => {
            let names: Vec<&TokenReference> = function.name().names().iter().collect();
            match names[..] {
                [first, key] if identifier(first) == Some(table) => {
                    Some(Entry { key, value: None, body: Some(function.body()) })
                }
                _ => None,
            }
        }
        Stmt::Assignment(assignment) => {
            let (first, key) = plain_field(assignment.variables().iter().next()?)?;
            let value = assignment.expressions().iter().next()?;
            (identifier(first) == Some(table)).then(|| Entry { key, value: Some(value), body: body(value) })
        }
        _ => None,
    }
}

/// Returns the table literal in a value, also inside `replace { ... }`.
fn table_in(value: &Expression) -> Option<&TableConstructor> {
    match value {
        Expression::TableConstructor(table) => Some(table),
        Expression::FunctionCall(call) => match plain_call(call)? {
            (_, FunctionArgs::TableConstructor(table)) => Some(table),
            _ => None,
        },
        _ => None,
    }
}

fn body(value: &Expression) -> Option<&FunctionBody> {
    match value {
        Expression::Function(function) => Some(function.body()),
        _ => None,
    }
}
