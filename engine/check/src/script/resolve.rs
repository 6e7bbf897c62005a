//! Resolves each name of a script to its variable and collects lists for the lints, in one pass.
//!
//! The pass is not a [`full_moon::visitors::Visitor`] for two reasons. The lists borrow from the script, which the methods of a
//! visitor cannot do. And the scope of a variable begins inside a statement: after the values of `local`, after the list of a `for`.

use std::collections::{BTreeMap, BTreeSet};

use full_moon::ast::luau::{IfExpression, InterpolatedString};
use full_moon::ast::{
    Assignment, BinOp, Block, Call, Expression, Field, FunctionArgs, FunctionBody, FunctionDeclaration, GenericFor, If,
    Index, LastStmt, Parameter, Prefix, Return, Stmt, Suffix, TableConstructor, Var,
};
use full_moon::tokenizer::{TokenReference, TokenType};

use crate::script::library;
use crate::script::signature::SIGNATURES;
use crate::script::source_map::SourceMap;
use crate::script::token::{identifier, literal};
use motherlode_content::diagnostic::nearest;

/// A variable of a script.
#[derive(Debug)]
pub struct Variable<'a> {
    /// Name.
    pub name: &'a str,
    /// Token of the declaration; `None` for the `self` of a method.
    pub token: Option<&'a TokenReference>,
    /// Whether the variable is outside all functions, so it lives as long as the script.
    pub is_top_level: bool,
    /// Value in the declaration.
    pub initializer: Initializer<'a>,
    /// Whether a later statement assigns a value.
    pub is_assigned: bool,
}

/// The initial value of a variable.
#[derive(Debug, Clone, Copy)]
pub enum Initializer<'a> {
    /// Value in `local x = value`.
    Value(&'a Expression),
    /// No value, as in `local x`.
    Nothing,
    /// Function in `local function x() ... end`, by its index.
    Function(usize),
    /// Counter of a numeric `for`.
    Number,
    /// Variable of `for ... in list`: its index from 0, and the list.
    Element(usize, &'a Expression),
    /// Unknown: a parameter, or a further result of a call.
    Unknown,
}

/// A function of the script.
#[derive(Debug)]
pub struct Function<'a> {
    /// Parameters and statements.
    pub body: &'a FunctionBody,
    /// Variable of each parameter; `None` for `...`.
    pub parameters: Vec<Option<usize>>,
    /// First value of each `return`.
    pub returns: Vec<&'a Expression>,
}

/// The way a script uses a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UseKind {
    /// Call: `name(...)`.
    Call,
    /// Any other read.
    Read,
    /// Assignment: `name = ...`.
    Write,
}

/// A use of a name that is no variable: an accessor, a library name, or an unknown name.
#[derive(Debug)]
pub struct FreeName<'a> {
    /// Token of the name.
    pub token: &'a TokenReference,
    /// Name.
    pub name: &'a str,
    /// Way the name is used.
    pub use_kind: UseKind,
    /// Variable in scope with a similar name, if the name is unknown.
    pub near: Option<&'a str>,
}

/// An assignment to a variable.
#[derive(Debug)]
pub struct VariableWrite<'a> {
    /// Token of the name.
    pub token: &'a TokenReference,
    /// Index of the variable.
    pub variable: usize,
    /// Whether the assignment is in a function.
    pub is_in_function: bool,
}

/// A name with its suffixes: calls and fields.
#[derive(Debug)]
pub struct Chain<'a> {
    /// Token of the name.
    pub token: &'a TokenReference,
    /// Name.
    pub name: &'a str,
    /// Index of the variable; `None`: no variable.
    pub variable: Option<usize>,
    /// Calls and fields after the name.
    pub suffixes: Vec<&'a Suffix>,
}

impl<'a> Chain<'a> {
    /// The field that the first suffix reads.
    pub fn first_field(&self) -> Option<&'a TokenReference> {
        match self.suffixes.first()? {
            Suffix::Index(Index::Dot { name, .. }) => Some(name),
            _ => None,
        }
    }
}

/// The result of the pass.
#[derive(Debug, Default)]
pub struct ResolvedNames<'a> {
    /// Variables, in order of declaration.
    pub variables: Vec<Variable<'a>>,
    /// Functions, in source order.
    pub functions: Vec<Function<'a>>,
    /// Functions in tables: table if it has a name, field and function. `function lib.price()`, `{ price = function() ... end }`.
    pub in_tables: Vec<(Option<&'a str>, &'a str, usize)>,
    /// Uses of names that are no variables.
    pub free: Vec<FreeName<'a>>,
    /// Reads of variables.
    pub reads: Vec<(&'a TokenReference, usize)>,
    /// Assignments to variables.
    pub writes: Vec<VariableWrite<'a>>,
    /// Targets and values of all assignments.
    pub assignments: Vec<(&'a Var, &'a Expression)>,
    /// Fields among the targets of assignments.
    pub field_targets: Vec<&'a Var>,
    /// Names with suffixes.
    pub chains: Vec<Chain<'a>>,
    /// Operands of `==` and `~=`, in both orders.
    pub comparisons: Vec<(&'a Expression, &'a Expression)>,
    /// Table constructors.
    pub tables: Vec<&'a TableConstructor>,
    /// String literals, without the operands of `..`.
    pub texts: Vec<&'a TokenReference>,
    /// Fields that the script assigns.
    pub assigned_fields: BTreeSet<&'a str>,
    /// Keys in table constructors, without those that the engine reads.
    pub keys: Vec<&'a TokenReference>,
    /// Prefix and suffix of each text that the script builds.
    pub affixes: Vec<(String, String)>,
    /// The first value that the script returns.
    pub returned: Option<&'a Expression>,
    /// Variable of each name, by the byte offset of the name.
    meaning: BTreeMap<usize, usize>,
}

impl<'a> ResolvedNames<'a> {
    /// Resolves the names of a script. `read_by_engine`: byte offsets of the hooks' names.
    pub fn resolve(block: &'a Block, read_by_engine: &BTreeSet<usize>) -> Self {
        let (names, scope, enclosing) = (Self::default(), Vec::new(), Vec::new());
        let mut pass = Resolver { names, scope, enclosing, read_by_engine };
        pass.resolve_block(block);
        pass.names
    }

    /// Returns the variable of a name; `None`: no variable.
    pub fn variable(&self, token: &TokenReference) -> Option<usize> {
        self.meaning.get(&SourceMap::start(token)).copied()
    }

    /// Returns the variable of a name if no later statement assigns to it.
    pub fn constant(&self, token: &TokenReference) -> Option<usize> {
        self.variable(token).filter(|variable| !self.variables[*variable].is_assigned)
    }

    /// Returns the index of the function with this body.
    pub fn function_of(&self, body: &FunctionBody) -> Option<usize> {
        self.functions.iter().position(|function| std::ptr::eq(function.body, body))
    }

    /// Returns the name of a token that is no variable.
    pub fn free<'t>(&self, token: &'t TokenReference) -> Option<&'t str> {
        identifier(token).filter(|_| self.variable(token).is_none())
    }
}

/// The state of the pass.
struct Resolver<'a, 'k> {
    names: ResolvedNames<'a>,
    /// Variables in scope, innermost last.
    scope: Vec<usize>,
    /// Enclosing functions, innermost last.
    enclosing: Vec<usize>,
    read_by_engine: &'k BTreeSet<usize>,
}

impl<'a> Resolver<'a, '_> {
    fn lookup(&self, name: &str) -> Option<usize> {
        self.scope.iter().rev().copied().find(|variable| self.names.variables[*variable].name == name)
    }

    fn declare(&mut self, token: &'a TokenReference, initializer: Initializer<'a>) -> Option<usize> {
        let name = identifier(token)?;
        Some(self.declare_named(name, Some(token), initializer))
    }

    fn declare_named(
        &mut self,
        name: &'a str,
        token: Option<&'a TokenReference>,
        initializer: Initializer<'a>,
    ) -> usize {
        let is_top_level = self.enclosing.is_empty() && token.is_some();
        let variable = self.names.variables.len();
        self.names.variables.push(Variable { name, token, is_top_level, initializer, is_assigned: false });
        if let Some(token) = token {
            self.names.meaning.insert(SourceMap::start(token), variable);
        }
        self.scope.push(variable);
        variable
    }

    /// Resolves a name.
    fn resolve_name(&mut self, token: &'a TokenReference, use_kind: UseKind) {
        let Some(name) = identifier(token) else { return };
        match self.lookup(name) {
            Some(variable) => {
                self.names.meaning.insert(SourceMap::start(token), variable);
                if use_kind == UseKind::Write {
                    self.names.variables[variable].is_assigned = true;
                    self.names.writes.push(VariableWrite {
                        token,
                        variable,
                        is_in_function: !self.enclosing.is_empty(),
                    });
                } else {
                    self.names.reads.push((token, variable));
                }
            }
            None => {
                let near = if is_known(name) { None } else { self.find_near(name) };
                self.names.free.push(FreeName { token, name, use_kind, near });
            }
        }
    }

    /// Finds a variable in scope whose name differs by one typing error.
    fn find_near(&self, name: &str) -> Option<&'a str> {
        let in_scope = self.scope.iter().rev().map(|variable| self.names.variables[*variable].name);
        nearest(name, in_scope.filter(|_| name.len() > 2)).filter(|near| strsim::osa_distance(name, near) == 1)
    }

    fn resolve_block(&mut self, block: &'a Block) {
        let depth = self.scope.len();
        self.resolve_statements(block);
        self.scope.truncate(depth);
    }

    /// Resolves the statements of a block and keeps its variables in scope.
    fn resolve_statements(&mut self, block: &'a Block) {
        block.stmts().for_each(|statement| self.resolve_statement(statement));
        if let Some(LastStmt::Return(last)) = block.last_stmt() {
            self.resolve_return(last);
        }
    }

    fn resolve_return(&mut self, last: &'a Return) {
        self.resolve_expressions(last.returns());
        let Some(value) = last.returns().iter().next() else { return };
        match self.enclosing.last() {
            Some(function) => self.names.functions[*function].returns.push(value),
            None => self.names.returned = Some(value),
        }
    }

    fn resolve_statement(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::LocalAssignment(local) => self.resolve_local(local.names().iter(), local.expressions().iter()),
            Stmt::ConstAssignment(local) => self.resolve_local(local.names().iter(), local.expressions().iter()),
            Stmt::LocalFunction(function) => self.resolve_local_function(function.name(), function.body()),
            Stmt::ConstFunction(function) => self.resolve_local_function(function.name(), function.body()),
            Stmt::Assignment(assignment) => self.resolve_assignment(assignment),
            Stmt::CompoundAssignment(assignment) => {
                self.resolve_expression(assignment.rhs());
                self.resolve_target(assignment.lhs());
            }
            Stmt::FunctionDeclaration(function) => self.resolve_function_declaration(function),
            Stmt::FunctionCall(call) => self.resolve_chain(call.prefix(), call.suffixes()),
            Stmt::Do(inner) => self.resolve_block(inner.block()),
            Stmt::While(inner) => {
                self.resolve_expression(inner.condition());
                self.resolve_block(inner.block());
            }
            Stmt::Repeat(inner) => {
                // The condition sees the variables of the block.
                let depth = self.scope.len();
                self.resolve_statements(inner.block());
                self.resolve_expression(inner.until());
                self.scope.truncate(depth);
            }
            Stmt::If(inner) => self.resolve_if(inner),
            Stmt::NumericFor(inner) => {
                self.resolve_expressions([inner.start(), inner.end()].into_iter().chain(inner.step()));
                let depth = self.scope.len();
                self.declare(inner.index_variable(), Initializer::Number);
                self.resolve_block(inner.block());
                self.scope.truncate(depth);
            }
            Stmt::GenericFor(inner) => self.resolve_generic_for(inner),
            // Names of types are separate.
            _ => {}
        }
    }

    /// Declares the variables of `local a, b = 1, 2`.
    fn resolve_local(
        &mut self,
        names: impl Iterator<Item = &'a TokenReference>,
        values: impl Iterator<Item = &'a Expression>,
    ) {
        let mut initializer: Vec<Initializer<'a>> = Vec::new();
        for value in values {
            initializer.push(match value {
                Expression::Function(function) => {
                    let index = self.add_function(function.body());
                    self.resolve_function(index);
                    Initializer::Function(index)
                }
                _ => {
                    self.resolve_expression(value);
                    Initializer::Value(value)
                }
            });
        }
        let rest = if initializer.is_empty() { Initializer::Nothing } else { Initializer::Unknown };
        for (i, name) in names.enumerate() {
            self.declare(name, initializer.get(i).copied().unwrap_or(rest));
        }
    }

    fn resolve_local_function(&mut self, name: &'a TokenReference, body: &'a FunctionBody) {
        let index = self.add_function(body);
        self.declare(name, Initializer::Function(index));
        self.resolve_function(index);
    }

    fn resolve_assignment(&mut self, assignment: &'a Assignment) {
        self.resolve_expressions(assignment.expressions());
        assignment.variables().iter().for_each(|variable| self.resolve_target(variable));
        self.names.assignments.extend(assignment.variables().iter().zip(assignment.expressions()));
    }

    /// Resolves the target of an assignment.
    fn resolve_target(&mut self, variable: &'a Var) {
        match variable {
            Var::Name(token) => self.resolve_name(token, UseKind::Write),
            Var::Expression(inner) => {
                self.names.field_targets.push(variable);
                let mut suffixes: Vec<&Suffix> = inner.suffixes().collect();
                if let Some(Suffix::Index(Index::Dot { name, .. })) = suffixes.last() {
                    self.names.assigned_fields.extend(identifier(name));
                    suffixes.pop();
                }
                self.resolve_chain(inner.prefix(), suffixes.into_iter());
            }
            _ => {}
        }
    }

    /// Resolves `function name.field:method() ... end`.
    fn resolve_function_declaration(&mut self, function: &'a FunctionDeclaration) {
        let name = function.name();
        let names: Vec<&TokenReference> = name.names().iter().collect();
        let plain = names.len() == 1 && name.method_name().is_none();
        if let Some(first) = names.first() {
            self.resolve_name(first, if plain { UseKind::Write } else { UseKind::Read });
        }
        let fields = names.iter().skip(1).copied().chain(name.method_name());
        self.names.assigned_fields.extend(fields.filter_map(identifier));
        let index = self.add_function(function.body());
        if let ([table, field], None) = (&names[..], name.method_name())
            && let (Some(table), Some(field)) = (identifier(table), identifier(field))
        {
            self.names.in_tables.push((Some(table), field, index));
        }
        let depth = self.scope.len();
        if name.method_name().is_some() {
            self.declare_named("self", None, Initializer::Unknown);
        }
        self.resolve_function(index);
        self.scope.truncate(depth);
    }

    fn resolve_if(&mut self, inner: &'a If) {
        self.resolve_expression(inner.condition());
        self.resolve_block(inner.block());
        for other in inner.else_if().into_iter().flatten() {
            self.resolve_expression(other.condition());
            self.resolve_block(other.block());
        }
        inner.else_block().into_iter().for_each(|block| self.resolve_block(block));
    }

    fn resolve_generic_for(&mut self, inner: &'a GenericFor) {
        self.resolve_expressions(inner.expressions());
        let depth = self.scope.len();
        let list = inner.expressions().iter().next();
        for (i, name) in inner.names().iter().enumerate() {
            self.declare(name, list.map_or(Initializer::Unknown, |list| Initializer::Element(i, list)));
        }
        self.resolve_block(inner.block());
        self.scope.truncate(depth);
    }

    fn add_function(&mut self, body: &'a FunctionBody) -> usize {
        self.names.functions.push(Function { body, parameters: Vec::new(), returns: Vec::new() });
        self.names.functions.len() - 1
    }

    /// Resolves the parameters and statements of a function.
    fn resolve_function(&mut self, index: usize) {
        let body = self.names.functions[index].body;
        let depth = self.scope.len();
        self.enclosing.push(index);
        for parameter in body.parameters() {
            let variable = match parameter {
                Parameter::Name(name) => self.declare(name, Initializer::Unknown),
                _ => None,
            };
            self.names.functions[index].parameters.push(variable);
        }
        self.resolve_block(body.block());
        self.enclosing.pop();
        self.scope.truncate(depth);
    }

    fn resolve_expressions(&mut self, expressions: impl IntoIterator<Item = &'a Expression>) {
        expressions.into_iter().for_each(|expression| self.resolve_expression(expression));
    }

    fn resolve_expression(&mut self, expression: &'a Expression) {
        match expression {
            Expression::BinaryOperator { binop: BinOp::TwoDots(_), .. } => self.resolve_concatenation(expression),
            Expression::BinaryOperator { lhs, rhs, binop } => {
                if matches!(binop, BinOp::TwoEqual(_) | BinOp::TildeEqual(_)) {
                    self.names.comparisons.extend([(&**lhs, &**rhs), (&**rhs, &**lhs)]);
                }
                self.resolve_expression(lhs);
                self.resolve_expression(rhs);
            }
            Expression::Parentheses { expression, .. }
            | Expression::UnaryOperator { expression, .. }
            | Expression::TypeAssertion { expression, .. } => self.resolve_expression(expression),
            Expression::Function(function) => {
                let index = self.add_function(function.body());
                self.resolve_function(index);
            }
            Expression::FunctionCall(call) => self.resolve_chain(call.prefix(), call.suffixes()),
            Expression::IfExpression(inner) => self.resolve_if_expression(inner),
            Expression::InterpolatedString(text) => self.resolve_interpolation(text),
            Expression::TableConstructor(table) => self.resolve_table(table),
            Expression::String(token) => self.names.texts.push(token),
            Expression::Var(Var::Name(token)) => self.resolve_name(token, UseKind::Read),
            Expression::Var(Var::Expression(inner)) => self.resolve_chain(inner.prefix(), inner.suffixes()),
            _ => {}
        }
    }

    fn resolve_if_expression(&mut self, inner: &'a IfExpression) {
        self.resolve_expressions([inner.condition(), inner.if_expression()]);
        for other in inner.else_if_expressions().into_iter().flatten() {
            self.resolve_expressions([other.condition(), other.expression()]);
        }
        self.resolve_expression(inner.else_expression());
    }

    /// Resolves `name(...)`, `name.field`, `(expression):method(...)` and longer chains.
    fn resolve_chain(&mut self, prefix: &'a Prefix, suffixes: impl Iterator<Item = &'a Suffix>) {
        let suffixes: Vec<&Suffix> =
            suffixes.filter(|suffix| !matches!(suffix, Suffix::TypeInstantiation(_))).collect();
        match prefix {
            Prefix::Expression(inner) => self.resolve_expression(inner),
            Prefix::Name(token) => {
                let is_called = matches!(suffixes.first(), Some(Suffix::Call(Call::AnonymousCall(_))));
                self.resolve_name(token, if is_called { UseKind::Call } else { UseKind::Read });
            }
            _ => {}
        }
        for suffix in &suffixes {
            match suffix {
                Suffix::Index(Index::Brackets { expression, .. }) => self.resolve_expression(expression),
                Suffix::Call(Call::AnonymousCall(arguments)) => self.resolve_arguments(arguments),
                Suffix::Call(Call::MethodCall(call)) => self.resolve_arguments(call.args()),
                _ => {}
            }
        }
        if let Prefix::Name(token) = prefix
            && let (Some(name), false) = (identifier(token), suffixes.is_empty())
        {
            let variable = self.names.variable(token);
            self.names.chains.push(Chain { token, name, variable, suffixes });
        }
    }

    fn resolve_arguments(&mut self, arguments: &'a FunctionArgs) {
        match arguments {
            FunctionArgs::Parentheses { arguments, .. } => self.resolve_expressions(arguments),
            FunctionArgs::String(token) => self.names.texts.push(token),
            FunctionArgs::TableConstructor(table) => self.resolve_table(table),
            _ => {}
        }
    }

    fn resolve_table(&mut self, table: &'a TableConstructor) {
        self.names.tables.push(table);
        for field in table.fields() {
            match field {
                Field::ExpressionKey { key, value, .. } => self.resolve_expressions([key, value]),
                Field::NameKey { key, value, .. } => {
                    self.record_key(key);
                    match (value, identifier(key)) {
                        (Expression::Function(function), Some(name)) if self.enclosing.is_empty() => {
                            let index = self.add_function(function.body());
                            self.names.in_tables.push((None, name, index));
                            self.resolve_function(index);
                        }
                        _ => self.resolve_expression(value),
                    }
                }
                Field::NoKey(value) => self.resolve_expression(value),
                _ => {}
            }
        }
    }

    fn record_key(&mut self, key: &'a TokenReference) {
        self.names.assigned_fields.extend(identifier(key));
        if !self.read_by_engine.contains(&SourceMap::start(key)) {
            self.names.keys.push(key);
        }
    }

    /// Resolves a concatenation such as `"enriched_" .. mineral`, and records its prefix and suffix.
    fn resolve_concatenation(&mut self, whole: &'a Expression) {
        let (mut open, mut parts) = (vec![whole], Vec::new());
        while let Some(part) = open.pop() {
            match part {
                Expression::BinaryOperator { lhs, binop: BinOp::TwoDots(_), rhs } => open.extend([&**rhs, &**lhs]),
                other => parts.push(other),
            }
        }
        let text = |part: Option<&&'a Expression>| match part {
            Some(Expression::String(token)) => literal(token).unwrap_or_default().to_owned(),
            _ => String::new(),
        };
        self.names.affixes.push((text(parts.first()), text(parts.last())));
        self.resolve_expressions(parts.into_iter().filter(|part| !matches!(part, Expression::String(_))));
    }

    /// Resolves an interpolated string such as `` `enriched_{mineral}` ``.
    fn resolve_interpolation(&mut self, text: &'a InterpolatedString) {
        let segment = |token: &TokenReference| match token.token_type() {
            TokenType::InterpolatedString { literal, .. } => literal.to_string(),
            _ => String::new(),
        };
        let first = text.segments().next().map_or_else(String::new, |one| segment(&one.literal));
        self.names.affixes.push((first, segment(text.last_string())));
        self.resolve_expressions(text.expressions());
    }
}

/// Whether a name is an accessor, a library name or `lib`.
pub fn is_known(name: &str) -> bool {
    name == "lib" || SIGNATURES.contains_key(name) || library::has(name)
}
