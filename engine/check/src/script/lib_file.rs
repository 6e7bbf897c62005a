//! The functions that the scripts of a game share: those of `lib.luau`, which all others know as `lib`.

use full_moon::ast::luau::TypeInfo;
use full_moon::ast::{
    Block, Expression, Field, FunctionBody, Index, LastStmt, Parameter, Stmt, Suffix, TableConstructor, Var,
};
use full_moon::tokenizer::TokenReference;
use indexmap::IndexMap;

use crate::script::token::identifier;
use motherlode::language;

/// What a `lib.luau` returns, as far as it can be read off.
#[derive(Debug, Default)]
pub struct Lib<'a> {
    /// Path of the script as shown.
    pub path: &'a str,
    /// Its functions by name.
    pub functions: IndexMap<&'a str, LibFunction<'a>>,
    /// There may be others.
    pub open: bool,
    /// The variable that is filled and returned, if it is made so.
    pub filled: Option<&'a str>,
}

/// One of its functions.
#[derive(Debug)]
pub struct LibFunction<'a> {
    /// Where it is named.
    pub token: &'a TokenReference,
    /// The function, if it is written out in the script.
    pub body: Option<&'a FunctionBody>,
    /// The variable that holds it, if it is named after being declared: `{ price = price_of }`.
    pub variable: Option<&'a TokenReference>,
    /// The word that its own script calls it by, and how often that word stands there without a call.
    pub word: (&'a str, usize),
}

impl<'a> Lib<'a> {
    /// Reads `return { name = function ... }`, or a table that is filled at the top of the script and returned at its end; `None`: the
    /// script could not be parsed.
    pub fn read(path: &'a str, block: Option<&'a Block>) -> Self {
        let mut lib = Self { path, ..Self::default() };
        let last = block.and_then(|block| Some((block, block.last_stmt()?)));
        let Some((block, LastStmt::Return(last))) = last else {
            lib.open = true;
            return lib;
        };
        let bodies = local_functions(block);
        match last.returns().iter().next() {
            Some(Expression::TableConstructor(table)) => lib.table(table, &bodies),
            Some(Expression::Var(Var::Name(token))) => {
                let table = identifier(token).unwrap_or_default();
                lib.filled = Some(table);
                block.stmts().for_each(|statement| lib.statement(table, statement, &bodies));
            }
            _ => lib.open = true,
        }
        lib
    }

    fn table(&mut self, table: &'a TableConstructor, bodies: &IndexMap<&str, &'a FunctionBody>) {
        for field in table.fields() {
            match field {
                Field::NameKey { key, value, .. } => self.add(key, Some(value), body_of(value, bodies)),
                _ => self.open = true,
            }
        }
    }

    /// What a statement puts into the table of this name.
    fn statement(&mut self, table: &str, statement: &'a Stmt, bodies: &IndexMap<&str, &'a FunctionBody>) {
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

    fn add(&mut self, token: &'a TokenReference, value: Option<&'a Expression>, body: Option<&'a FunctionBody>) {
        let Some(name) = identifier(token) else { return };
        let variable = match value {
            Some(Expression::Var(Var::Name(token))) => Some(token),
            _ => None,
        };
        // `local function f`, and `f = f` or `g = f` in the table.
        let word = match variable.and_then(identifier) {
            Some(own) => (own, if own == name { 3 } else { 2 }),
            // `wrap(...)` and `replace(...)`: whoever calls the function beneath calls this one.
            None if matches!(value, Some(Expression::FunctionCall(_))) => (name, 0),
            None => (name, 1),
        };
        self.functions.insert(name, LibFunction { token, body, variable, word });
    }
}

/// The files of `lib` as one script sees them.
#[derive(Debug, Clone, Copy)]
pub struct Libs<'k, 'a> {
    /// Those whose functions it calls as `lib`.
    pub seen: &'k [Lib<'a>],
    /// It is one of them itself.
    pub own: Option<&'k Lib<'a>>,
}

impl<'k, 'a> Libs<'k, 'a> {
    /// The body of a function of `lib`: what is laid over a function takes what it takes.
    pub fn body(self, name: &str) -> Option<&'a FunctionBody> {
        self.seen.iter().find_map(|lib| lib.functions.get(name).and_then(|function| function.body))
    }
}

/// The functions that are declared `local` at the top of a script.
fn local_functions(block: &Block) -> IndexMap<&str, &FunctionBody> {
    let mut bodies: IndexMap<&str, &FunctionBody> = IndexMap::new();
    for statement in block.stmts() {
        match statement {
            Stmt::LocalFunction(function) => {
                bodies.extend(identifier(function.name()).map(|name| (name, function.body())));
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
    bodies
}

/// The function a value is, if that can be seen.
fn body_of<'e>(value: &'e Expression, bodies: &IndexMap<&str, &'e FunctionBody>) -> Option<&'e FunctionBody> {
    match value {
        Expression::Function(function) => Some(function.body()),
        Expression::Var(Var::Name(token)) => identifier(token).and_then(|name| bodies.get(name).copied()),
        _ => None,
    }
}

/// Fewest and most arguments of a function. What may be left out has a type that says so: `n: number?`.
pub fn counts(body: &FunctionBody) -> (usize, usize) {
    let (mut least, mut most) = (0, 0);
    for (parameter, optional) in parameters(body) {
        match parameter {
            Parameter::Name(_) => {
                most += 1;
                if !optional {
                    least = most;
                }
            }
            _ => most = usize::MAX,
        }
    }
    (least, most)
}

/// How a function is called: `lib.can_buy(player, n?)`.
pub fn usage(name: &str, body: &FunctionBody) -> String {
    let shown = parameters(body).map(|(parameter, optional)| match parameter {
        Parameter::Name(token) => format!("{}{}", identifier(token).unwrap_or("_"), if optional { "?" } else { "" }),
        _ => "...".to_owned(),
    });
    format!("{name}({})", shown.collect::<Vec<_>>().join(", "))
}

/// The parameters of a function, and whether each may be left out.
fn parameters(body: &FunctionBody) -> impl Iterator<Item = (&Parameter, bool)> {
    let mut types = body.type_specifiers();
    body.parameters().iter().map(move |parameter| {
        let optional = types.next().flatten().is_some_and(|of| {
            matches!(of.type_info(), TypeInfo::Optional { .. }) || of.type_info().to_string().trim() == "any"
        });
        (parameter, optional)
    })
}
