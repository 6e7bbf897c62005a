//! What a script returns: hooks of phases, of the game and of definitions, verbs. Their names are checked, and what they take.

use std::collections::{BTreeMap, BTreeSet};

use full_moon::ast::{Block, Expression, Field, FunctionBody, LastStmt, Parameter, Stmt, TableConstructor, Var};
use full_moon::tokenizer::TokenReference;

use crate::lint::place::Places;
use crate::lint::token::identifier;
use crate::lint::walk::Walk;
use crate::types::{GAME_TYPES, PHASE_TYPES};
use motherlode_content::declare::Declarations;
use motherlode_content::diagnostic::{Diagnostic, nearest};
use motherlode_content::source::{SourceFile, line_span};

/// The hooks of each definition that has a section in its script, by kind and id; `None`: they cannot be read off.
pub type Sections = BTreeMap<(String, String), Option<BTreeSet<String>>>;

/// A sort of function, and what it gets.
struct Hooks<'d> {
    noun: &'static str,
    /// Name, and how it is called.
    known: Vec<(&'d str, Vec<&'d str>)>,
}

/// What a script returns under a name.
#[derive(Clone, Copy)]
struct Given<'a> {
    key: &'a TokenReference,
    value: Option<&'a Expression>,
    body: Option<&'a FunctionBody>,
}

/// What a script returns: the fields of a table that is written out, or what is put into the variable that it returns.
fn returned(block: &Block) -> Vec<Given<'_>> {
    let Some(LastStmt::Return(last)) = block.last_stmt() else { return Vec::new() };
    match last.returns().iter().next() {
        Some(Expression::TableConstructor(table)) => fields(table),
        Some(Expression::Var(Var::Name(token))) => {
            let table = identifier(token);
            block.stmts().filter_map(|statement| filled(statement, table?)).collect()
        }
        _ => Vec::new(),
    }
}

fn fields<'a>(table: &'a TableConstructor) -> Vec<Given<'a>> {
    let given = |field: &'a Field| match field {
        Field::NameKey { key, value, .. } => Some(Given { key, value: Some(value), body: body(value) }),
        _ => None,
    };
    table.fields().iter().filter_map(given).collect()
}

/// `function verbs.load(player) ... end`
fn filled<'a>(statement: &'a Stmt, table: &str) -> Option<Given<'a>> {
    let Stmt::FunctionDeclaration(function) = statement else { return None };
    let names: Vec<&TokenReference> = function.name().names().iter().collect();
    match names[..] {
        [first, key] if identifier(first) == Some(table) => {
            Some(Given { key, value: None, body: Some(function.body()) })
        }
        _ => None,
    }
}

fn body(value: &Expression) -> Option<&FunctionBody> {
    match value {
        Expression::Function(function) => Some(function.body()),
        _ => None,
    }
}

fn arguments(of: &'static str) -> Vec<&'static str> {
    let inside = of.trim_start_matches('(').split(')').next().unwrap_or_default();
    inside.split(", ").filter_map(|one| one.split(':').next()).filter(|one| !one.is_empty()).collect()
}

impl<'a> Walk<'a> {
    /// Stem of this script.
    fn stem(&self) -> &str {
        let name = self.path().rsplit('/').next().unwrap_or_default();
        name.strip_suffix(".luau").unwrap_or(name)
    }

    /// Checks the table that the script returns.
    pub(super) fn check_returned(&mut self, block: &'a Block) {
        let table = returned(block);
        for given in &table {
            self.given_keys.insert(Places::start(given.key));
            if let Some(Expression::TableConstructor(section)) = given.value {
                self.given_keys.extend(fields(section).iter().map(|given| Places::start(given.key)));
            }
        }
        let d = self.known.d;
        let stem = self.stem().to_owned();
        match stem.as_str() {
            "game" => self.functions_of(&table, &stem, &of_types("hook of a game", &GAME_TYPES)),
            "verbs" => {
                let own = d.verbs.iter().filter(|(_, verb)| !verb.standard);
                let known = own.map(|(name, _)| (name.as_str(), vec!["player", "args"])).collect();
                self.functions_of(&table, &stem, &Hooks { noun: "verb", known });
                self.note_verb_args(&table);
            }
            "phases" => {
                let known: Vec<&str> = d.phases.keys().map(String::as_str).collect();
                let hooks = of_types("hook of a phase", &PHASE_TYPES);
                self.sections_of(&table, &stem, "phase", &known, &hooks);
            }
            kind => {
                let Some(declared) = d.kinds.get(kind) else { return };
                let definitions = &d.definitions[declared.first..declared.first + declared.len];
                let known: Vec<&str> = definitions.iter().map(|one| one.id.as_str()).collect();
                let takes = |args: &'a [String]| ["token"].into_iter().chain(args.iter().map(String::as_str)).collect();
                let known_hooks = declared.hooks.iter().map(|(name, args)| (name.as_str(), takes(args))).collect();
                self.sections_of(&table, &stem, kind, &known, &Hooks { noun: "hook", known: known_hooks });
            }
        }
    }

    fn sections_of(&mut self, table: &[Given<'a>], stem: &str, noun: &str, known: &[&str], hooks: &Hooks<'_>) {
        for &Given { key, value, .. } in table {
            let Some(name) = identifier(key) else { continue };
            if !known.contains(&name) && !self.is_gone(stem, name) {
                let help = nearest(name, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
                self.fault(key, "unknown-definition", format!("no {noun} `{name}` is declared"), help);
            }
            let found = match value {
                Some(Expression::TableConstructor(section)) => {
                    let section = fields(section);
                    self.functions_of(&section, stem, hooks);
                    Some(section.iter().filter_map(|given| identifier(given.key)).map(str::to_owned).collect())
                }
                _ => None,
            };
            self.gathered.sections.insert((stem.to_owned(), name.to_owned()), found);
        }
    }

    fn functions_of(&mut self, table: &[Given<'a>], stem: &str, hooks: &Hooks<'_>) {
        for &Given { key, body, .. } in table {
            let Some(name) = identifier(key) else { continue };
            match hooks.known.iter().find(|(known, _)| *known == name) {
                Some((_, args)) => {
                    if let Some(body) = body {
                        self.check_parameters(key, body, hooks.noun, args);
                    }
                }
                None if self.is_gone(stem, name) => {}
                None => {
                    let known: Vec<&str> = hooks.known.iter().map(|(known, _)| *known).collect();
                    let help = nearest(name, known.iter().copied()).map_or_else(
                        || format!("known: {}", known.join(", ")),
                        |near| format!("did you mean `{near}`?"),
                    );
                    self.fault(key, "unknown-hook", format!("unknown {} `{name}`", hooks.noun), Some(help));
                }
            }
        }
    }

    /// The second parameter of a verb's function gets its arguments.
    fn note_verb_args(&mut self, table: &[Given<'a>]) {
        for Given { key, body, .. } in table {
            let verb = identifier(key).and_then(|name| self.known.d.verbs.get_index_of(name));
            let args = body.and_then(|body| body.parameters().iter().nth(1));
            if let (Some(verb), Some(Parameter::Name(args))) = (verb, args) {
                self.verb_args.insert(Places::start(args), verb);
            }
        }
    }

    /// A mod took it away, or a fault of the content may have.
    fn is_gone(&self, stem: &str, name: &str) -> bool {
        self.known.is_doubtful(name) || self.known.d.removed.contains(&format!("{stem}.{name}"))
    }

    fn check_parameters(&mut self, key: &'a TokenReference, body: &'a FunctionBody, noun: &str, args: &[&str]) {
        let named: Vec<&Parameter> = body.parameters().iter().collect();
        if named.len() <= args.len() || named.iter().any(|parameter| !matches!(parameter, Parameter::Name(_))) {
            return;
        }
        let name = identifier(key).unwrap_or_default();
        let many = |n: usize, noun: &str| if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") };
        let gets = if args.is_empty() { "nothing".to_owned() } else { many(args.len(), "argument") };
        let has = many(named.len(), "parameter");
        let message = format!("{noun} `{name}` gets {gets}, but this function has {has}");
        self.fault(key, "wrong-arguments", message, Some(format!("write `{name} = function({})`", args.join(", "))));
    }
}

fn of_types<'d>(noun: &'static str, types: &'d [(&'static str, &'static str, &'static str)]) -> Hooks<'d> {
    Hooks { noun, known: types.iter().map(|(name, of, _)| (*name, arguments(of))).collect() }
}

/// Warns of a definition that alone of its kind has not the hook that all others have in their script. A card may be without an effect:
/// only kinds without tokens are looked at.
pub fn uneven(d: &Declarations, sections: &Sections, sources: &[SourceFile]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (name, kind) in d.kinds.iter().filter(|(_, kind)| !kind.tokens) {
        let definitions = &d.definitions[kind.first..kind.first + kind.len];
        let scripted = |hook: &&String| !definitions.iter().any(|one| one.verbs.contains_key(*hook));
        for hook in kind.hooks.keys().filter(scripted).filter(|_| definitions.len() > 2) {
            let has = |id: &str| match sections.get(&(name.clone(), id.to_owned())) {
                Some(hooks) => hooks.as_ref().is_none_or(|hooks| hooks.contains(hook)),
                None => false,
            };
            let mut without = definitions.iter().filter(|one| !has(&one.id));
            let (Some(one), None) = (without.next(), without.next()) else { continue };
            let message = format!("`{}` has no `{hook}`, which all others of kind `{name}` have", one.id);
            let mut fault = Diagnostic::of_file("missing-script", one.place.file.clone(), message).as_warning();
            fault.line = one.place.line;
            if let Some(source) = sources.iter().find(|source| source.path == fault.file) {
                ((fault.start, fault.end), fault.column) = line_span(&source.text, fault.line);
            }
            found.push(fault);
        }
    }
    found
}
