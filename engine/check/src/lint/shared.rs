//! The functions that the scripts of a game share: those of `lib.luau`, which all others know as `lib`.

use full_moon::LuaVersion;
use full_moon::ast::luau::TypeInfo;
use full_moon::ast::{
    Call, Expression, Field, FunctionBody, Index, LastStmt, Parameter, Stmt, Suffix, TableConstructor, Var,
};
use full_moon::tokenizer::TokenReference;
use indexmap::IndexMap;

use crate::lint::known::Known;
use crate::lint::names::Holds;
use crate::lint::place::Places;
use crate::lint::token::identifier;
use crate::lint::walk::Walk;
use crate::unused::Uses;
use motherlode::language;
use motherlode_content::diagnostic::{Diagnostic, suggestion};
use motherlode_content::source::SourceFile;

/// What `lib.luau` returns, as far as it can be read off.
#[derive(Debug, Default)]
pub struct Shared {
    /// Its functions by name.
    pub functions: IndexMap<String, Function>,
    /// There may be others.
    open: bool,
    path: String,
    /// The variable that is filled and returned, if it is made so.
    filled: Option<String>,
}

/// One of its functions.
#[derive(Debug)]
pub struct Function {
    /// Fewest and most arguments, if known.
    pub takes: Option<(usize, usize)>,
    /// How it is called: `lib.can_buy(player, n?)`.
    pub text: String,
    /// First and last byte of its name.
    place: (usize, usize),
    /// The word that its own script calls it by, and how often that word stands there without a call.
    word: (String, usize),
}

impl Shared {
    /// Reads `return { name = function ... }`, or a table that is filled at the top of the script and returned at its end.
    pub fn read(source: &SourceFile) -> Self {
        let mut shared = Self { path: source.path.clone(), ..Self::default() };
        let parsed = full_moon::parse_fallible(&source.text, LuaVersion::luau());
        let block = parsed.ast().nodes();
        let Some(LastStmt::Return(last)) = block.last_stmt().filter(|_| parsed.errors().is_empty()) else {
            shared.open = true;
            return shared;
        };
        let mut bodies: IndexMap<&str, &FunctionBody> = IndexMap::new();
        for statement in block.stmts() {
            match statement {
                Stmt::LocalFunction(function) => {
                    bodies.extend(identifier(function.name()).map(|name| (name, function.body())))
                }
                Stmt::LocalAssignment(local) => {
                    for (name, value) in local.names().iter().zip(local.expressions()) {
                        if let (Some(name), Expression::Function(function)) = (identifier(name), value) {
                            bodies.insert(name, function.body());
                        }
                    }
                }
                _ => {}
            }
        }
        match last.returns().iter().next() {
            Some(Expression::TableConstructor(table)) => shared.table(table, &bodies),
            Some(Expression::Var(Var::Name(token))) => {
                let filled = identifier(token).unwrap_or_default();
                shared.filled = Some(filled.to_owned());
                for statement in block.stmts() {
                    shared.filled(filled, statement, &bodies);
                }
            }
            _ => shared.open = true,
        }
        shared
    }

    fn table(&mut self, table: &TableConstructor, bodies: &IndexMap<&str, &FunctionBody>) {
        for field in table.fields() {
            match field {
                Field::NameKey { key, value, .. } => self.add(key, Some(value), body_of(value, bodies)),
                _ => self.open = true,
            }
        }
    }

    /// What a statement puts into the table of this name.
    fn filled(&mut self, table: &str, statement: &Stmt, bodies: &IndexMap<&str, &FunctionBody>) {
        match statement {
            Stmt::LocalAssignment(local) => {
                for (name, value) in local.names().iter().zip(local.expressions()) {
                    match value {
                        _ if identifier(name) != Some(table) => {}
                        Expression::TableConstructor(fields) => self.table(fields, bodies),
                        _ => self.open = true,
                    }
                }
            }
            Stmt::FunctionDeclaration(function) => {
                let names: Vec<&TokenReference> = function.name().names().iter().collect();
                if let [first, name] = names[..]
                    && identifier(first) == Some(table)
                {
                    self.add(name, None, Some(function.body()));
                }
            }
            Stmt::Assignment(assignment) => {
                for (target, value) in assignment.variables().iter().zip(assignment.expressions()) {
                    let Var::Expression(target) = target else { continue };
                    if target.prefix().to_string().trim() != table {
                        continue;
                    }
                    let suffixes: Vec<&Suffix> = target.suffixes().collect();
                    match suffixes[..] {
                        [Suffix::Index(Index::Dot { name, .. })] => {
                            self.add(name, Some(value), body_of(value, bodies));
                        }
                        _ => self.open = true,
                    }
                }
            }
            Stmt::LocalFunction(_) => {}
            // A loop, for instance, may put anything into it.
            other => self.open |= language::words(&other.to_string()).any(|(_, word)| word == table),
        }
    }

    fn add(&mut self, name: &TokenReference, value: Option<&Expression>, body: Option<&FunctionBody>) {
        let Some(word) = identifier(name) else { return };
        let start = Places::start(name);
        let (takes, text) = match body.map(|body| takes(&format!("lib.{word}"), body)) {
            Some((counts, text)) => (Some(counts), text),
            None => (None, String::new()),
        };
        let own = match value {
            Some(Expression::Var(Var::Name(token))) => identifier(token),
            _ => None,
        };
        // `local function f`, and `f = f` or `g = f` in the table.
        let word = match own {
            Some(own) => (own.to_owned(), if own == word { 3 } else { 2 }),
            // `wrap(...)` and `replace(...)`: whoever calls the function beneath calls this one.
            None if matches!(value, Some(Expression::FunctionCall(_))) => (word.to_owned(), 0),
            None => (word.to_owned(), 1),
        };
        let place = (start, start + name.token().to_string().len());
        self.functions.insert(name.token().to_string(), Function { takes, text, place, word });
    }

    /// Warnings of the functions that nobody calls.
    pub fn unused(&self, source: &SourceFile, uses: &Uses) -> Vec<Diagnostic> {
        let places = Places::new(source);
        let named = |name: &str| language::words(&source.text).filter(|(_, word)| *word == name).count();
        let unused = |name: &str, function: &Function| {
            let (word, plain) = &function.word;
            !uses.any_function && !uses.functions.contains(name) && named(word) <= *plain
        };
        let warning = |(name, function): (&String, &Function)| {
            let message = format!("function `{name}` is never used");
            places.fault_of(function.place.0, function.place.1, "unused-definition", message).as_warning()
        };
        self.functions.iter().filter(|(name, function)| unused(name, function)).map(warning).collect()
    }
}

/// The function a value is, if that can be seen.
fn body_of<'e>(value: &'e Expression, bodies: &IndexMap<&str, &'e FunctionBody>) -> Option<&'e FunctionBody> {
    match value {
        Expression::Function(function) => Some(function.body()),
        Expression::Var(Var::Name(token)) => identifier(token).and_then(|name| bodies.get(name).copied()),
        _ => None,
    }
}

/// How many arguments a function takes, and how it is called. What may be left out has a type that says so: `n: number?`.
pub fn takes(name: &str, body: &FunctionBody) -> ((usize, usize), String) {
    let (mut shown, mut least, mut most) = (Vec::new(), 0, 0);
    let mut types = body.type_specifiers();
    for parameter in body.parameters() {
        let optional = types.next().flatten().is_some_and(|of| {
            matches!(of.type_info(), TypeInfo::Optional { .. }) || of.type_info().to_string().trim() == "any"
        });
        match parameter {
            Parameter::Name(token) => {
                most += 1;
                if !optional {
                    least = most;
                }
                shown.push(format!("{}{}", identifier(token).unwrap_or("_"), if optional { "?" } else { "" }));
            }
            _ => {
                most = usize::MAX;
                shown.push("...".to_owned());
            }
        }
    }
    ((least, most), format!("{name}({})", shown.join(", ")))
}

impl Known<'_> {
    /// Whether this variable of a `lib.luau` is the table that it fills and returns.
    pub fn fills(&self, path: &str, variable: &str) -> bool {
        self.shared.iter().any(|shared| shared.path == path && shared.filled.as_deref() == Some(variable))
    }
}

impl<'a> Walk<'a> {
    /// Checks a function of the `lib` that the script fills itself.
    pub(super) fn own_shared(&mut self, field: &'a TokenReference, next: Option<&'a Suffix>) {
        let known = self.known;
        let (Some(name), Some(own)) = (identifier(field), known.shared.iter().find(|one| one.path == self.path()))
        else {
            return;
        };
        match (own.functions.get(name), next) {
            (Some(_), Some(Suffix::Call(Call::AnonymousCall(arguments)))) => match self.shared_functions.get(name) {
                Some(&index) => self.check_own_call(field, &format!("lib.{name}"), index, arguments),
                None => self.check_shared_call(field, name, arguments),
            },
            (None, _) if !own.open => {
                let help = suggestion(name, own.functions.keys().map(String::as_str));
                self.fault(field, "unknown-function", format!("lib.luau has no function `{name}`"), help);
            }
            _ => {}
        }
    }

    /// Whether this script is a `lib.luau`.
    pub(super) fn is_shared(&self) -> bool {
        self.known.shared.iter().any(|shared| shared.path == self.path())
    }

    /// The functions that a `lib.luau` returns in a table.
    pub(super) fn note_shared(&mut self, table: &'a TableConstructor) {
        for field in table.fields() {
            let Field::NameKey { key, value: Expression::Var(Var::Name(token)), .. } = field else { continue };
            if let (Some(key), Some(Holds::Function(index))) =
                (identifier(key), identifier(token).and_then(|name| self.constant(name)))
            {
                self.shared_functions.insert(key, index);
            }
        }
    }

    /// Keeps what the functions of a `lib.luau` want of their arguments, for the other scripts.
    pub(super) fn keep_wants(&mut self) {
        if !self.is_shared() {
            return;
        }
        for (name, index) in &self.shared_functions {
            let wants = self.functions[*index].parameters.iter().map(|node| self.flow.wants(*node).clone()).collect();
            self.gathered.wants.insert((*name).to_owned(), wants);
        }
    }

    /// The functions of `lib` that this script sees: a `lib.luau` those of the layers under it, all others everything.
    fn seen(&self) -> &'a [Shared] {
        let known = self.known;
        let own = known.shared.iter().position(|shared| shared.path == self.path());
        &known.shared[..own.unwrap_or(known.shared.len())]
    }

    /// Whether this script sees a `lib`, and not one of its own.
    pub(super) fn sees_shared(&self) -> bool {
        self.variable("lib").is_none() && !self.seen().is_empty()
    }

    /// Checks what follows on a `lib` that the script has not made itself.
    pub(super) fn shared(&mut self, token: &'a TokenReference, suffixes: &[&'a Suffix]) {
        let (known, seen) = (self.known, self.seen());
        if known.shared.is_empty() {
            let help = format!("put the functions that scripts share into scripts/{}/lib.luau", known.d.id);
            return self.fault(token, "unknown-name", "there is no lib.luau to call `lib` of".to_owned(), Some(help));
        }
        if seen.is_empty() {
            let help = "name them `local function`, and call them by their names".to_owned();
            let message = "`lib` is what this script returns: its own functions do not see it yet".to_owned();
            return self.fault(token, "unknown-name", message, Some(help));
        }
        match suffixes.first() {
            Some(Suffix::Index(Index::Dot { name: field, .. })) => {
                let Some(name) = identifier(field) else { return };
                self.uses.functions.insert(name.to_owned());
                if seen.iter().any(|shared| shared.functions.contains_key(name)) {
                    if let Some(Suffix::Call(Call::AnonymousCall(arguments))) = suffixes.get(1) {
                        self.check_shared_call(field, name, arguments);
                    }
                } else if !seen.iter().any(|shared| shared.open) {
                    let functions = seen.iter().flat_map(|shared| shared.functions.keys());
                    let help = suggestion(name, functions.map(String::as_str));
                    self.fault(field, "unknown-function", format!("lib.luau has no function `{name}`"), help);
                }
            }
            Some(Suffix::Call(Call::MethodCall(call))) => {
                let name = identifier(call.name()).unwrap_or_default();
                let message = format!("`lib:{name}` would hand over `lib` itself");
                self.fault(call.name(), "wrong-arguments", message, Some(format!("write `lib.{name}(...)`")));
            }
            _ => self.uses.any_function = true,
        }
    }
}
