//! Reads `lib.luau`: the functions that all scripts of a game share as `lib`.

use full_moon::ast::luau::TypeInfo;
use full_moon::ast::{
    Block, Expression, Field, FunctionBody, Index, LastStmt, Parameter, Stmt, Suffix, TableConstructor, Var,
};
use full_moon::tokenizer::TokenReference;
use indexmap::IndexMap;

use crate::script::token::identifier;
use motherlode::language;

/// The functions that a `lib.luau` returns, as far as its source shows them.
#[derive(Debug, Default)]
pub struct LibFile<'a> {
    /// Path of the script, for messages.
    pub path: &'a str,
    /// Functions by name.
    pub functions: IndexMap<&'a str, LibFunction<'a>>,
    /// Whether the script may return other functions too.
    pub is_open: bool,
    /// Variable that holds the returned table, if the script fills one.
    pub table_variable: Option<&'a str>,
}

/// A function of a `lib.luau`.
#[derive(Debug)]
pub struct LibFunction<'a> {
    /// Token of the function's name.
    pub token: &'a TokenReference,
    /// Body, if the script contains it.
    pub body: Option<&'a FunctionBody>,
    /// Variable that holds the function, as in `{ price = price_of }`.
    pub variable: Option<&'a TokenReference>,
    /// Word by which its own script calls the function, and the number of occurrences of that word that are no calls.
    pub word: (&'a str, usize),
}

impl<'a> LibFile<'a> {
    /// Reads `return { name = function ... }`, or a table that the script fills at the top level and returns at the end.
    /// `block`: `None` if the script cannot be parsed.
    pub fn read(path: &'a str, block: Option<&'a Block>) -> Self {
        let mut lib = Self { path, ..Self::default() };
        let last = block.and_then(|block| Some((block, block.last_stmt()?)));
        let Some((block, LastStmt::Return(last))) = last else {
            lib.is_open = true;
            return lib;
        };
        let bodies = local_functions(block);
        match last.returns().iter().next() {
            Some(Expression::TableConstructor(table)) => lib.read_table(table, &bodies),
            Some(Expression::Var(Var::Name(token))) => {
                let table = identifier(token).unwrap_or_default();
                lib.table_variable = Some(table);
                block.stmts().for_each(|statement| lib.read_statement(table, statement, &bodies));
            }
            _ => lib.is_open = true,
        }
        lib
    }

    fn read_table(&mut self, table: &'a TableConstructor, bodies: &IndexMap<&str, &'a FunctionBody>) {
        for field in table.fields() {
            match field {
                Field::NameKey { key, value, .. } => self.add(key, Some(value), body_of(value, bodies)),
                _ => self.is_open = true,
            }
        }
    }

    /// Reads the functions that a statement puts into the table of this name.
    fn read_statement(&mut self, table: &str, statement: &'a Stmt, bodies: &IndexMap<&str, &'a FunctionBody>) {
        match statement {
            Stmt::LocalAssignment(local) => {
                for (name, value) in local.names().iter().zip(local.expressions()) {
                    match value {
                        _ if identifier(name) != Some(table) => {}
                        Expression::TableConstructor(fields) => self.read_table(fields, bodies),
                        _ => self.is_open = true,
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
                        _ => self.is_open = true,
                    }
                }
            }
            Stmt::LocalFunction(_) => {}
            // Other statements, such as loops, may put anything into the table.
            other => self.is_open |= language::words(&other.to_string()).any(|(_, word)| word == table),
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
            // `wrap(...)` and `replace(...)`: calls of the function below also call this one.
            None if matches!(value, Some(Expression::FunctionCall(_))) => (name, 0),
            None => (name, 1),
        };
        self.functions.insert(name, LibFunction { token, body, variable, word });
    }
}

/// The `lib.luau` files that a script can use.
#[derive(Debug, Clone, Copy)]
pub struct VisibleLibs<'k, 'a> {
    /// Files whose functions the script calls as `lib`: those of the layers beneath, and of its own folder `lib`.
    pub seen: &'k [LibFile<'a>],
    /// The script itself, if it is a `lib.luau`.
    pub own: Option<&'k LibFile<'a>>,
}

impl<'k, 'a> VisibleLibs<'k, 'a> {
    /// Returns the body of a function of `lib`, from the lowest layer. Wrappers in mods take the same arguments.
    pub fn body(self, name: &str) -> Option<&'a FunctionBody> {
        self.seen.iter().find_map(|lib| lib.functions.get(name).and_then(|function| function.body))
    }
}

/// Collects the `local` functions at the top level of a script.
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

/// Returns the body of a function value, if it is known.
fn body_of<'e>(value: &'e Expression, bodies: &IndexMap<&str, &'e FunctionBody>) -> Option<&'e FunctionBody> {
    match value {
        Expression::Function(function) => Some(function.body()),
        Expression::Var(Var::Name(token)) => identifier(token).and_then(|name| bodies.get(name).copied()),
        _ => None,
    }
}

/// Returns the minimum and maximum number of arguments. An optional parameter has an optional type: `n: number?`.
pub fn argument_limits(body: &FunctionBody) -> (usize, usize) {
    let (mut min_arguments, mut max_arguments) = (0, 0);
    for (parameter, is_optional) in parameters(body) {
        match parameter {
            Parameter::Name(_) => {
                max_arguments += 1;
                if !is_optional {
                    min_arguments = max_arguments;
                }
            }
            _ => max_arguments = usize::MAX,
        }
    }
    (min_arguments, max_arguments)
}

/// Formats the signature of a function: `lib.can_buy(player, n?)`.
pub fn usage(name: &str, body: &FunctionBody) -> String {
    let shown = parameters(body).map(|(parameter, is_optional)| match parameter {
        Parameter::Name(token) => format!("{}{}", identifier(token).unwrap_or("_"), if is_optional { "?" } else { "" }),
        _ => "...".to_owned(),
    });
    format!("{name}({})", shown.collect::<Vec<_>>().join(", "))
}

/// Iterates over the parameters, and whether each is optional.
fn parameters(body: &FunctionBody) -> impl Iterator<Item = (&Parameter, bool)> {
    let mut types = body.type_specifiers();
    body.parameters().iter().map(move |parameter| {
        let is_optional = types.next().flatten().is_some_and(|of| {
            matches!(of.type_info(), TypeInfo::Optional { .. }) || of.type_info().to_string().trim() == "any"
        });
        (parameter, is_optional)
    })
}
