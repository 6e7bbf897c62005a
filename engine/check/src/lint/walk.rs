//! A walk through a script, statement by statement.

use std::collections::{BTreeMap, BTreeSet};

use full_moon::ast::{
    BinOp, Block, Expression, Field, FunctionBody, Index, LastStmt, Parameter, Stmt, Suffix, TableConstructor, Var,
};
use full_moon::node::Node;
use full_moon::tokenizer::TokenReference;
use indexmap::IndexMap;

use crate::lint::compared;
use crate::lint::fields::Gathered;
use crate::lint::flow::{Flow, OwnFunction};
use crate::lint::known::Known;
use crate::lint::names::{Bound, Holds, Use};
use crate::lint::place::Places;
use crate::lint::shared::takes;
use crate::lint::token::{identifier, literal};
use crate::unused::Uses;
use motherlode_content::diagnostic::Diagnostic;
use motherlode_content::source::SourceFile;

/// The walk, with what it has found so far.
#[derive(Debug)]
pub struct Walk<'a> {
    pub(super) known: &'a Known<'a>,
    pub(super) places: Places<'a>,
    pub(super) uses: &'a mut Uses,
    pub(super) faults: Vec<Diagnostic>,
    pub(super) gathered: &'a mut Gathered,
    pub(super) flow: Flow<'a>,
    /// Functions of the script.
    pub(super) functions: Vec<OwnFunction>,
    /// Those that it returns, or puts into the table that it returns, if it is a `lib.luau`.
    pub(super) shared_functions: BTreeMap<&'a str, usize>,
    /// Verbs by the place of the parameter that gets their arguments.
    pub(super) verb_args: BTreeMap<usize, usize>,
    /// Places of the keys of what the script returns: the engine reads them.
    pub(super) given_keys: BTreeSet<usize>,
    /// What the functions return around the place where the walk is.
    results: Vec<usize>,
    pub(super) scope: Vec<Bound<'a>>,
    /// Functions around the place where the walk is.
    pub(super) depth: usize,
    /// Where each name is bound first, anywhere in the file.
    pub(super) bound: IndexMap<&'a str, usize>,
    /// Names that are assigned to anywhere in the file, after they were bound.
    pub(super) assigned: BTreeSet<String>,
    /// Variables outside functions that were reported.
    pub(super) lost: BTreeSet<&'a str>,
    /// Names that mean nothing, each with a variable of that place that may be meant.
    pub(super) unbound: Vec<(&'a TokenReference, &'a str, Use, Option<&'a str>)>,
}

impl<'a> Walk<'a> {
    /// Walks through a script.
    pub fn through(
        block: &'a Block,
        source: &'a SourceFile,
        known: &'a Known<'a>,
        uses: &'a mut Uses,
        gathered: &'a mut Gathered,
    ) -> Vec<Diagnostic> {
        let places = Places::new(source);
        let (scope, bound, unbound, faults) = (Vec::new(), IndexMap::new(), Vec::new(), Vec::new());
        let (assigned, lost) = (compared::assigned(block), BTreeSet::new());
        let mut walk = Walk {
            known,
            places,
            uses,
            faults,
            gathered,
            flow: Flow::default(),
            functions: Vec::new(),
            shared_functions: BTreeMap::new(),
            verb_args: BTreeMap::new(),
            given_keys: BTreeSet::new(),
            results: Vec::new(),
            scope,
            depth: 0,
            bound,
            assigned,
            lost,
            unbound,
        };
        walk.check_returned(block);
        walk.block(block);
        walk.report_unbound();
        walk.report_flow();
        walk.keep_wants();
        walk.faults
    }

    /// Path of the script as shown.
    pub(super) fn path(&self) -> &str {
        self.places.path()
    }

    /// A function of the script, by the name it is called by.
    fn own_function(&mut self, name: &str, body: &FunctionBody) -> usize {
        let (counts, text) = takes(name, body);
        let parameters = body.parameters().iter().map(|_| self.flow.node()).collect();
        let result = self.flow.node();
        self.functions.push(OwnFunction { parameters, result, counts, text });
        self.functions.len() - 1
    }

    /// `local a, b = 1, 2`
    fn local(&mut self, names: impl Iterator<Item = &'a TokenReference>, values: impl Iterator<Item = &'a Expression>) {
        let names: Vec<&TokenReference> = names.collect();
        let values: Vec<&Expression> = values.collect();
        let mut held = Vec::new();
        for (i, value) in values.iter().copied().enumerate() {
            let name = names.get(i).and_then(|name| identifier(name));
            held.push(match (value, name) {
                (Expression::Function(function), Some(name)) => {
                    let index = self.own_function(name, function.body());
                    self.function(function.body(), Some(index));
                    Holds::Function(index)
                }
                _ => {
                    self.expression(value);
                    self.texts_of(value).map_or(Holds::Anything, Holds::Text)
                }
            });
        }
        for (i, name) in names.iter().copied().enumerate() {
            let never = values.is_empty() && identifier(name).is_some_and(|name| !self.assigned.contains(name));
            let holds = if never { Holds::Nothing } else { held.get(i).copied().unwrap_or(Holds::Anything) };
            let node = self.flow.node();
            if let Some(value) = values.get(i).copied() {
                self.flow_into(value, node);
            }
            self.bind_node(name, holds, node);
        }
    }

    fn block(&mut self, block: &'a Block) {
        let outside = self.scope.len();
        self.statements(block);
        self.scope.truncate(outside);
    }

    /// The statements of a block, whose variables stay.
    fn statements(&mut self, block: &'a Block) {
        for statement in block.stmts() {
            self.statement(statement);
        }
        if let Some(LastStmt::Return(last)) = block.last_stmt() {
            self.expressions(last.returns().iter());
            if let (Some(node), Some(value)) = (self.results.last().copied(), last.returns().iter().next()) {
                self.flow_into(value, node);
            } else if let Some(Expression::TableConstructor(table)) = last.returns().iter().next() {
                self.note_shared(table);
            }
        }
    }

    fn statement(&mut self, statement: &'a Stmt) {
        let outside = self.scope.len();
        match statement {
            Stmt::LocalAssignment(local) => {
                self.local(local.names().iter(), local.expressions().iter());
                return;
            }
            Stmt::ConstAssignment(local) => {
                self.local(local.names().iter(), local.expressions().iter());
                return;
            }
            Stmt::LocalFunction(function) => {
                let index = self.own_function(identifier(function.name()).unwrap_or("_"), function.body());
                self.bind(function.name(), Holds::Function(index));
                self.function(function.body(), Some(index));
                return;
            }
            Stmt::ConstFunction(function) => {
                let index = self.own_function(identifier(function.name()).unwrap_or("_"), function.body());
                self.bind(function.name(), Holds::Function(index));
                self.function(function.body(), Some(index));
                return;
            }
            Stmt::Assignment(assignment) => {
                self.expressions(assignment.expressions().iter());
                assignment.variables().iter().for_each(|variable| self.target(variable));
                for (target, value) in assignment.variables().iter().zip(assignment.expressions()) {
                    self.flow_to(value, target);
                }
            }
            Stmt::CompoundAssignment(assignment) => {
                self.expression(assignment.rhs());
                self.target(assignment.lhs());
            }
            Stmt::FunctionDeclaration(function) => {
                let name = function.name();
                let plain = name.names().len() == 1 && name.method_name().is_none();
                if let Some(first) = name.names().iter().next() {
                    self.name(first, if plain { Use::Write } else { Use::Read });
                    if plain {
                        self.check_kept(first);
                    }
                }
                if name.method_name().is_some() {
                    let node = self.flow.node();
                    self.scope.push(Bound { name: "self", holds: Holds::Anything, outside: false, node });
                }
                let fields = name.names().iter().skip(1).chain(name.method_name());
                self.gathered.set.extend(fields.filter_map(identifier).map(str::to_owned));
                let names: Vec<&str> = name.names().iter().filter_map(identifier).collect();
                let index = match names[..] {
                    [table, field] if self.known.fills(self.path(), table) => {
                        let index = self.own_function(&format!("{table}.{field}"), function.body());
                        self.shared_functions.insert(field, index);
                        Some(index)
                    }
                    _ => None,
                };
                self.function(function.body(), index);
            }
            Stmt::FunctionCall(call) => self.call(call),
            Stmt::Do(inner) => self.block(inner.block()),
            Stmt::While(inner) => {
                self.expression(inner.condition());
                self.block(inner.block());
            }
            Stmt::Repeat(inner) => {
                // The condition sees the variables of the block.
                self.statements(inner.block());
                self.expression(inner.until());
            }
            Stmt::If(inner) => {
                self.expression(inner.condition());
                self.block(inner.block());
                for other in inner.else_if().into_iter().flatten() {
                    self.expression(other.condition());
                    self.block(other.block());
                }
                if let Some(block) = inner.else_block() {
                    self.block(block);
                }
            }
            Stmt::NumericFor(inner) => {
                self.expressions([inner.start(), inner.end()].into_iter().chain(inner.step()));
                self.bind(inner.index_variable(), Holds::Number);
                self.block(inner.block());
            }
            Stmt::GenericFor(inner) => {
                self.expressions(inner.expressions().iter());
                let list = inner.expressions().iter().next();
                let element = list.map_or(Holds::Anything, |list| self.element(list));
                let node = list.map(|list| self.elements_of(list));
                for (i, name) in inner.names().iter().enumerate() {
                    let number = i == 0 && element != Holds::Anything;
                    let node = node.filter(|_| i == 1).unwrap_or_else(|| self.flow.node());
                    self.bind_node(name, if number { Holds::Number } else { element }, node);
                }
                self.block(inner.block());
            }
            // Types have names of their own.
            _ => {}
        }
        self.scope.truncate(outside);
    }

    fn function(&mut self, body: &'a FunctionBody, own: Option<usize>) {
        let outside = self.scope.len();
        self.depth += 1;
        for (i, parameter) in body.parameters().iter().enumerate() {
            if let Parameter::Name(name) = parameter {
                let verb = self.verb_args.get(&Places::start(name)).copied();
                let node = own.and_then(|own| self.functions[own].parameters.get(i).copied());
                let node = node.unwrap_or_else(|| self.flow.node());
                self.bind_node(name, verb.map_or(Holds::Anything, Holds::Args), node);
            }
        }
        let result = own.map_or_else(|| self.flow.node(), |own| self.functions[own].result);
        self.results.push(result);
        self.block(body.block());
        self.results.pop();
        self.depth -= 1;
        self.scope.truncate(outside);
    }

    fn target(&mut self, variable: &'a Var) {
        match variable {
            Var::Name(token) => {
                self.name(token, Use::Write);
                self.check_kept(token);
            }
            Var::Expression(inner) => {
                // What is assigned to is set, not read.
                let suffixes: Vec<&Suffix> = inner.suffixes().collect();
                let read = match suffixes.last() {
                    Some(Suffix::Index(Index::Dot { name, .. })) => {
                        self.gathered.set.extend(identifier(name).map(str::to_owned));
                        &suffixes[..suffixes.len() - 1]
                    }
                    _ => &suffixes[..],
                };
                self.chain(inner.prefix(), read.iter().copied());
            }
            _ => {}
        }
    }

    pub(super) fn expressions(&mut self, expressions: impl Iterator<Item = &'a Expression>) {
        expressions.for_each(|expression| self.expression(expression));
    }

    pub(super) fn expression(&mut self, expression: &'a Expression) {
        match expression {
            Expression::BinaryOperator { lhs, rhs, binop } => {
                if matches!(binop, BinOp::TwoEqual(_) | BinOp::TildeEqual(_)) {
                    self.check_comparison(lhs, rhs);
                    self.check_comparison(rhs, lhs);
                }
                if matches!(binop, BinOp::TwoDots(_)) {
                    self.put_together(expression);
                } else {
                    self.expression(lhs);
                    self.expression(rhs);
                }
            }
            Expression::Parentheses { expression, .. }
            | Expression::UnaryOperator { expression, .. }
            | Expression::TypeAssertion { expression, .. } => self.expression(expression),
            Expression::Function(function) => self.function(function.body(), None),
            Expression::FunctionCall(call) => self.call(call),
            Expression::IfExpression(inner) => {
                self.expression(inner.condition());
                self.expression(inner.if_expression());
                for other in inner.else_if_expressions().into_iter().flatten() {
                    self.expression(other.condition());
                    self.expression(other.expression());
                }
                self.expression(inner.else_expression());
            }
            Expression::InterpolatedString(text) => {
                self.made_of(text);
                self.expressions(text.expressions());
            }
            Expression::TableConstructor(table) => self.table(table),
            Expression::String(token) => self.text(token),
            Expression::Var(Var::Name(token)) => self.name(token, Use::Read),
            Expression::Var(Var::Expression(inner)) => self.chain(inner.prefix(), inner.suffixes()),
            _ => {}
        }
    }

    pub(super) fn table(&mut self, table: &'a TableConstructor) {
        for field in table.fields() {
            match field {
                Field::ExpressionKey { key, value, .. } => self.expressions([key, value].into_iter()),
                Field::NameKey { key, value, .. } => {
                    self.note_key(key);
                    match (value, identifier(key)) {
                        // `return { price = function(player) ... end }` of a `lib.luau`
                        (Expression::Function(function), Some(name)) if self.depth == 0 && self.is_shared() => {
                            let index = self.own_function(name, function.body());
                            self.shared_functions.insert(name, index);
                            self.function(function.body(), Some(index));
                        }
                        _ => self.expression(value),
                    }
                }
                Field::NoKey(value) => self.expression(value),
                _ => {}
            }
        }
    }

    pub(super) fn text(&mut self, token: &TokenReference) {
        if let Some(text) = literal(token) {
            self.uses.texts.insert(text.to_owned());
            self.note_text(token, text);
        }
    }

    pub(super) fn fault(&mut self, at: &impl Node, code: &'static str, message: String, help: Option<String>) {
        self.faults.push(self.places.fault(at, code, message, help));
    }
}
