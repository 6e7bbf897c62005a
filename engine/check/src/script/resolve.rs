//! The one pass over a script: each name is resolved to its variable, and what lints look at is sorted into lists.
//!
//! It is a walk of its own and no [`full_moon::visitors::Visitor`]: the lists borrow from the script, which a visitor's methods
//! cannot, and a variable begins in the middle of a statement (behind the values of `local`, behind the list of a `for`).

use std::collections::{BTreeMap, BTreeSet};

use full_moon::ast::luau::{IfExpression, InterpolatedString};
use full_moon::ast::{
    Assignment, BinOp, Block, Call, Expression, Field, FunctionArgs, FunctionBody, FunctionDeclaration, GenericFor, If,
    Index, LastStmt, Parameter, Prefix, Return, Stmt, Suffix, TableConstructor, Var,
};
use full_moon::tokenizer::{TokenReference, TokenType};

use crate::script::library;
use crate::script::place::Places;
use crate::script::signature::SIGNATURES;
use crate::script::token::{identifier, literal};
use motherlode_content::diagnostic::nearest;

/// A variable.
#[derive(Debug)]
pub struct Variable<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where it is declared; `None`: it is the `self` of a method.
    pub token: Option<&'a TokenReference>,
    /// It belongs to no function: it lives as long as the script.
    pub outside: bool,
    /// What it is declared with.
    pub given: Given<'a>,
    /// Whether something is assigned to it later.
    pub assigned: bool,
}

/// What a variable is declared with.
#[derive(Debug, Clone, Copy)]
pub enum Given<'a> {
    /// `local x = value`
    Value(&'a Expression),
    /// `local x`
    Nothing,
    /// `local function x() ... end`; an index into the functions.
    Function(usize),
    /// The number of a counting loop.
    Number,
    /// The n-th variable of `for ... in list`, from 0.
    Element(usize, &'a Expression),
    /// A parameter, or what comes behind the first value of a call.
    Anything,
}

/// A function of the script.
#[derive(Debug)]
pub struct Function<'a> {
    /// Its parameters and statements.
    pub body: &'a FunctionBody,
    /// The variables of its parameters; none for `...`.
    pub parameters: Vec<Option<usize>>,
    /// The first value of each of its `return`s.
    pub returns: Vec<&'a Expression>,
}

/// How a name is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// `name(...)`
    Call,
    /// Any other reading.
    Read,
    /// `name = ...`
    Write,
}

/// A name that is no variable: of an accessor, of the library, or unknown.
#[derive(Debug)]
pub struct Free<'a> {
    /// Where it stands.
    pub token: &'a TokenReference,
    /// The name.
    pub name: &'a str,
    /// How it is used.
    pub how: Use,
    /// A variable in sight that may be meant, if the name is unknown.
    pub near: Option<&'a str>,
}

/// An assignment to a variable.
#[derive(Debug)]
pub struct Write<'a> {
    /// Where it is named.
    pub token: &'a TokenReference,
    /// The variable.
    pub variable: usize,
    /// Whether a function does it.
    pub inside: bool,
}

/// A name with the calls and fields that follow it.
#[derive(Debug)]
pub struct Chain<'a> {
    /// The name.
    pub token: &'a TokenReference,
    /// The same as text.
    pub name: &'a str,
    /// The variable it means.
    pub variable: Option<usize>,
    /// What follows.
    pub suffixes: Vec<&'a Suffix>,
}

/// Everything that the pass finds.
#[derive(Debug, Default)]
pub struct Names<'a> {
    /// Variables in the order of their declarations.
    pub variables: Vec<Variable<'a>>,
    /// Functions, in the order in which they begin.
    pub functions: Vec<Function<'a>>,
    /// Functions that are put into a table, with its name if it has one: `function lib.price()`, `{ price = function() ... end }`.
    pub in_tables: Vec<(Option<&'a str>, &'a str, usize)>,
    /// Names that are no variable.
    pub free: Vec<Free<'a>>,
    /// Variables that are read.
    pub reads: Vec<(&'a TokenReference, usize)>,
    /// Variables that are assigned to.
    pub writes: Vec<Write<'a>>,
    /// Each target of an assignment, with its value.
    pub assignments: Vec<(&'a Var, &'a Expression)>,
    /// Names with what follows them.
    pub chains: Vec<Chain<'a>>,
    /// Values that are compared with `==` or `~=`, both ways round.
    pub comparisons: Vec<(&'a Expression, &'a Expression)>,
    /// Texts that are written out, without those that a longer one is put together of.
    pub texts: Vec<&'a TokenReference>,
    /// Fields that something sets.
    pub set: BTreeSet<&'a str>,
    /// Keys of tables that are written out, without those that the engine reads.
    pub keys: Vec<&'a TokenReference>,
    /// How texts begin and end that are put together.
    pub made: Vec<(String, String)>,
    /// The first value that the script returns.
    pub returned: Option<&'a Expression>,
    /// Variables by the place of a name that means them.
    meaning: BTreeMap<usize, usize>,
}

impl<'a> Names<'a> {
    /// Resolves the names of a script; the keys at `read_by_engine` are those of its hooks.
    pub fn resolve(block: &'a Block, read_by_engine: &BTreeSet<usize>) -> Self {
        let (names, scope, around) = (Self::default(), Vec::new(), Vec::new());
        let mut pass = Pass { names, scope, around, read_by_engine };
        pass.block(block);
        pass.names
    }

    /// The variable that a name means; `None`: it is no variable.
    pub fn variable(&self, token: &TokenReference) -> Option<usize> {
        self.meaning.get(&Places::start(token)).copied()
    }

    /// The same of one that keeps the value it is declared with.
    pub fn constant(&self, token: &TokenReference) -> Option<usize> {
        self.variable(token).filter(|variable| !self.variables[*variable].assigned)
    }

    /// The name of a token that is no variable.
    pub fn free<'t>(&self, token: &'t TokenReference) -> Option<&'t str> {
        identifier(token).filter(|_| self.variable(token).is_none())
    }
}

/// The pass, where it is.
struct Pass<'a, 'k> {
    names: Names<'a>,
    /// Variables in sight, the innermost last.
    scope: Vec<usize>,
    /// Functions around this place, the innermost last.
    around: Vec<usize>,
    read_by_engine: &'k BTreeSet<usize>,
}

impl<'a> Pass<'a, '_> {
    fn lookup(&self, name: &str) -> Option<usize> {
        self.scope.iter().rev().copied().find(|variable| self.names.variables[*variable].name == name)
    }

    fn declare(&mut self, token: &'a TokenReference, given: Given<'a>) -> Option<usize> {
        let name = identifier(token)?;
        Some(self.declare_named(name, Some(token), given))
    }

    fn declare_named(&mut self, name: &'a str, token: Option<&'a TokenReference>, given: Given<'a>) -> usize {
        let outside = self.around.is_empty() && token.is_some();
        let variable = self.names.variables.len();
        self.names.variables.push(Variable { name, token, outside, given, assigned: false });
        if let Some(token) = token {
            self.names.meaning.insert(Places::start(token), variable);
        }
        self.scope.push(variable);
        variable
    }

    /// A name is used.
    fn name(&mut self, token: &'a TokenReference, how: Use) {
        let Some(name) = identifier(token) else { return };
        match self.lookup(name) {
            Some(variable) => {
                self.names.meaning.insert(Places::start(token), variable);
                if how == Use::Write {
                    self.names.variables[variable].assigned = true;
                    self.names.writes.push(Write { token, variable, inside: !self.around.is_empty() });
                } else {
                    self.names.reads.push((token, variable));
                }
            }
            None => {
                let near = if is_known(name) { None } else { self.near(name) };
                self.names.free.push(Free { token, name, how, near });
            }
        }
    }

    /// A variable in sight with a name one slip away.
    fn near(&self, name: &str) -> Option<&'a str> {
        let in_sight = self.scope.iter().rev().map(|variable| self.names.variables[*variable].name);
        nearest(name, in_sight.filter(|_| name.len() > 2)).filter(|near| strsim::osa_distance(name, near) == 1)
    }

    fn block(&mut self, block: &'a Block) {
        let outside = self.scope.len();
        self.statements(block);
        self.scope.truncate(outside);
    }

    /// The statements of a block, whose variables stay.
    fn statements(&mut self, block: &'a Block) {
        block.stmts().for_each(|statement| self.statement(statement));
        if let Some(LastStmt::Return(last)) = block.last_stmt() {
            self.returned(last);
        }
    }

    fn returned(&mut self, last: &'a Return) {
        self.expressions(last.returns());
        let Some(value) = last.returns().iter().next() else { return };
        match self.around.last() {
            Some(function) => self.names.functions[*function].returns.push(value),
            None => self.names.returned = Some(value),
        }
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::LocalAssignment(local) => self.local(local.names().iter(), local.expressions().iter()),
            Stmt::ConstAssignment(local) => self.local(local.names().iter(), local.expressions().iter()),
            Stmt::LocalFunction(function) => self.local_function(function.name(), function.body()),
            Stmt::ConstFunction(function) => self.local_function(function.name(), function.body()),
            Stmt::Assignment(assignment) => self.assignment(assignment),
            Stmt::CompoundAssignment(assignment) => {
                self.expression(assignment.rhs());
                self.target(assignment.lhs());
            }
            Stmt::FunctionDeclaration(function) => self.function_declaration(function),
            Stmt::FunctionCall(call) => self.chain(call.prefix(), call.suffixes()),
            Stmt::Do(inner) => self.block(inner.block()),
            Stmt::While(inner) => {
                self.expression(inner.condition());
                self.block(inner.block());
            }
            Stmt::Repeat(inner) => {
                // The condition sees the variables of the block.
                let outside = self.scope.len();
                self.statements(inner.block());
                self.expression(inner.until());
                self.scope.truncate(outside);
            }
            Stmt::If(inner) => self.if_statement(inner),
            Stmt::NumericFor(inner) => {
                self.expressions([inner.start(), inner.end()].into_iter().chain(inner.step()));
                let outside = self.scope.len();
                self.declare(inner.index_variable(), Given::Number);
                self.block(inner.block());
                self.scope.truncate(outside);
            }
            Stmt::GenericFor(inner) => self.generic_for(inner),
            // Types have names of their own.
            _ => {}
        }
    }

    /// `local a, b = 1, 2`
    fn local(&mut self, names: impl Iterator<Item = &'a TokenReference>, values: impl Iterator<Item = &'a Expression>) {
        let mut given: Vec<Given<'a>> = Vec::new();
        for value in values {
            given.push(match value {
                Expression::Function(function) => {
                    let index = self.new_function(function.body());
                    self.function(index);
                    Given::Function(index)
                }
                _ => {
                    self.expression(value);
                    Given::Value(value)
                }
            });
        }
        let rest = if given.is_empty() { Given::Nothing } else { Given::Anything };
        for (i, name) in names.enumerate() {
            self.declare(name, given.get(i).copied().unwrap_or(rest));
        }
    }

    fn local_function(&mut self, name: &'a TokenReference, body: &'a FunctionBody) {
        let index = self.new_function(body);
        self.declare(name, Given::Function(index));
        self.function(index);
    }

    fn assignment(&mut self, assignment: &'a Assignment) {
        self.expressions(assignment.expressions());
        assignment.variables().iter().for_each(|variable| self.target(variable));
        self.names.assignments.extend(assignment.variables().iter().zip(assignment.expressions()));
    }

    /// What is assigned to is set, not read.
    fn target(&mut self, variable: &'a Var) {
        match variable {
            Var::Name(token) => self.name(token, Use::Write),
            Var::Expression(inner) => {
                let mut suffixes: Vec<&Suffix> = inner.suffixes().collect();
                if let Some(Suffix::Index(Index::Dot { name, .. })) = suffixes.last() {
                    self.names.set.extend(identifier(name));
                    suffixes.pop();
                }
                self.chain(inner.prefix(), suffixes.into_iter());
            }
            _ => {}
        }
    }

    /// `function name.field:method() ... end`
    fn function_declaration(&mut self, function: &'a FunctionDeclaration) {
        let name = function.name();
        let names: Vec<&TokenReference> = name.names().iter().collect();
        let plain = names.len() == 1 && name.method_name().is_none();
        if let Some(first) = names.first() {
            self.name(first, if plain { Use::Write } else { Use::Read });
        }
        let fields = names.iter().skip(1).copied().chain(name.method_name());
        self.names.set.extend(fields.filter_map(identifier));
        let index = self.new_function(function.body());
        if let ([table, field], None) = (&names[..], name.method_name())
            && let (Some(table), Some(field)) = (identifier(table), identifier(field))
        {
            self.names.in_tables.push((Some(table), field, index));
        }
        let outside = self.scope.len();
        if name.method_name().is_some() {
            self.declare_named("self", None, Given::Anything);
        }
        self.function(index);
        self.scope.truncate(outside);
    }

    fn if_statement(&mut self, inner: &'a If) {
        self.expression(inner.condition());
        self.block(inner.block());
        for other in inner.else_if().into_iter().flatten() {
            self.expression(other.condition());
            self.block(other.block());
        }
        inner.else_block().into_iter().for_each(|block| self.block(block));
    }

    fn generic_for(&mut self, inner: &'a GenericFor) {
        self.expressions(inner.expressions());
        let outside = self.scope.len();
        let list = inner.expressions().iter().next();
        for (i, name) in inner.names().iter().enumerate() {
            self.declare(name, list.map_or(Given::Anything, |list| Given::Element(i, list)));
        }
        self.block(inner.block());
        self.scope.truncate(outside);
    }

    fn new_function(&mut self, body: &'a FunctionBody) -> usize {
        self.names.functions.push(Function { body, parameters: Vec::new(), returns: Vec::new() });
        self.names.functions.len() - 1
    }

    /// The parameters and statements of a function.
    fn function(&mut self, index: usize) {
        let body = self.names.functions[index].body;
        let outside = self.scope.len();
        self.around.push(index);
        for parameter in body.parameters() {
            let variable = match parameter {
                Parameter::Name(name) => self.declare(name, Given::Anything),
                _ => None,
            };
            self.names.functions[index].parameters.push(variable);
        }
        self.block(body.block());
        self.around.pop();
        self.scope.truncate(outside);
    }

    fn expressions(&mut self, expressions: impl IntoIterator<Item = &'a Expression>) {
        expressions.into_iter().for_each(|expression| self.expression(expression));
    }

    fn expression(&mut self, expression: &'a Expression) {
        match expression {
            Expression::BinaryOperator { binop: BinOp::TwoDots(_), .. } => self.joined(expression),
            Expression::BinaryOperator { lhs, rhs, binop } => {
                if matches!(binop, BinOp::TwoEqual(_) | BinOp::TildeEqual(_)) {
                    self.names.comparisons.extend([(&**lhs, &**rhs), (&**rhs, &**lhs)]);
                }
                self.expression(lhs);
                self.expression(rhs);
            }
            Expression::Parentheses { expression, .. }
            | Expression::UnaryOperator { expression, .. }
            | Expression::TypeAssertion { expression, .. } => self.expression(expression),
            Expression::Function(function) => {
                let index = self.new_function(function.body());
                self.function(index);
            }
            Expression::FunctionCall(call) => self.chain(call.prefix(), call.suffixes()),
            Expression::IfExpression(inner) => self.if_expression(inner),
            Expression::InterpolatedString(text) => self.interpolated(text),
            Expression::TableConstructor(table) => self.table(table),
            Expression::String(token) => self.names.texts.push(token),
            Expression::Var(Var::Name(token)) => self.name(token, Use::Read),
            Expression::Var(Var::Expression(inner)) => self.chain(inner.prefix(), inner.suffixes()),
            _ => {}
        }
    }

    fn if_expression(&mut self, inner: &'a IfExpression) {
        self.expressions([inner.condition(), inner.if_expression()]);
        for other in inner.else_if_expressions().into_iter().flatten() {
            self.expressions([other.condition(), other.expression()]);
        }
        self.expression(inner.else_expression());
    }

    /// `name(...)`, `name.field`, `(expression):method(...)` and what may follow.
    fn chain(&mut self, prefix: &'a Prefix, suffixes: impl Iterator<Item = &'a Suffix>) {
        let suffixes: Vec<&Suffix> =
            suffixes.filter(|suffix| !matches!(suffix, Suffix::TypeInstantiation(_))).collect();
        match prefix {
            Prefix::Expression(inner) => self.expression(inner),
            Prefix::Name(token) => {
                let is_called = matches!(suffixes.first(), Some(Suffix::Call(Call::AnonymousCall(_))));
                self.name(token, if is_called { Use::Call } else { Use::Read });
            }
            _ => {}
        }
        for suffix in &suffixes {
            match suffix {
                Suffix::Index(Index::Brackets { expression, .. }) => self.expression(expression),
                Suffix::Call(Call::AnonymousCall(arguments)) => self.arguments(arguments),
                Suffix::Call(Call::MethodCall(call)) => self.arguments(call.args()),
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

    fn arguments(&mut self, arguments: &'a FunctionArgs) {
        match arguments {
            FunctionArgs::Parentheses { arguments, .. } => self.expressions(arguments),
            FunctionArgs::String(token) => self.names.texts.push(token),
            FunctionArgs::TableConstructor(table) => self.table(table),
            _ => {}
        }
    }

    fn table(&mut self, table: &'a TableConstructor) {
        for field in table.fields() {
            match field {
                Field::ExpressionKey { key, value, .. } => self.expressions([key, value]),
                Field::NameKey { key, value, .. } => {
                    self.key(key);
                    match (value, identifier(key)) {
                        (Expression::Function(function), Some(name)) if self.around.is_empty() => {
                            let index = self.new_function(function.body());
                            self.names.in_tables.push((None, name, index));
                            self.function(index);
                        }
                        _ => self.expression(value),
                    }
                }
                Field::NoKey(value) => self.expression(value),
                _ => {}
            }
        }
    }

    fn key(&mut self, key: &'a TokenReference) {
        self.names.set.extend(identifier(key));
        if !self.read_by_engine.contains(&Places::start(key)) {
            self.names.keys.push(key);
        }
    }

    /// `"enriched_" .. mineral`: names may begin or end so.
    fn joined(&mut self, whole: &'a Expression) {
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
        self.names.made.push((text(parts.first()), text(parts.last())));
        self.expressions(parts.into_iter().filter(|part| !matches!(part, Expression::String(_))));
    }

    /// `` `enriched_{mineral}` ``
    fn interpolated(&mut self, text: &'a InterpolatedString) {
        let segment = |token: &TokenReference| match token.token_type() {
            TokenType::InterpolatedString { literal, .. } => literal.to_string(),
            _ => String::new(),
        };
        let first = text.segments().next().map_or_else(String::new, |one| segment(&one.literal));
        self.names.made.push((first, segment(text.last_string())));
        self.expressions(text.expressions());
    }
}

/// Whether a name means something without being a variable.
pub fn is_known(name: &str) -> bool {
    name == "lib" || SIGNATURES.contains_key(name) || library::has(name)
}
