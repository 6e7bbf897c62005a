//! A walk through a script: which names are bound where, and which are not bound at all.

use std::collections::{BTreeMap, BTreeSet};

use full_moon::ast::{
    BinOp, Block, Call, Expression, Field, FunctionArgs, FunctionBody, FunctionCall, Index, LastStmt, Parameter,
    Prefix, Stmt, Suffix, TableConstructor, Var,
};
use full_moon::node::Node;
use full_moon::tokenizer::{TokenReference, TokenType};
use indexmap::IndexMap;

use crate::content::diagnostic::{Diagnostic, nearest};
use crate::content::source::SourceFile;
use crate::content::unused::Uses;
use crate::script::lint::compared::{self, Compared};
use crate::script::lint::fields::Gathered;
use crate::script::lint::flow::{Flow, OwnFunction};
use crate::script::lint::known::Known;
use crate::script::lint::library;
use crate::script::lint::place::Places;
use crate::script::lint::shared::takes;
use crate::script::lint::signature::{SIGNATURES, Takes, Yields};

/// What is known of a variable's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// A number.
    Number,
    /// The id of a definition.
    Id,
    /// One of a known set of texts.
    Text(Compared),
    /// A function of the script, by its index.
    Function(usize),
    /// The arguments of this verb.
    Args(usize),
    /// `nil`, for ever.
    Nothing,
    /// It may be anything.
    Anything,
}

/// How a name is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Call,
    Read,
    Write,
}

/// A variable.
#[derive(Debug, Clone, Copy)]
struct Bound<'a> {
    name: &'a str,
    holds: Holds,
    /// It belongs to no function: it lives as long as the script.
    outside: bool,
    /// What flows into it.
    node: usize,
}

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
    scope: Vec<Bound<'a>>,
    /// Functions around the place where the walk is.
    depth: usize,
    /// Where each name is bound first, anywhere in the file.
    bound: IndexMap<&'a str, usize>,
    /// Names that are assigned to anywhere in the file, after they were bound.
    assigned: BTreeSet<String>,
    /// Variables outside functions that were reported.
    lost: BTreeSet<&'a str>,
    /// Names that mean nothing, each with a variable of that place that may be meant.
    unbound: Vec<(&'a TokenReference, &'a str, Use, Option<&'a str>)>,
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

    /// What is known of a variable; `None` if there is none of this name here.
    pub(super) fn variable(&self, name: &str) -> Option<Holds> {
        self.scope.iter().rev().find(|bound| bound.name == name).map(|bound| bound.holds)
    }

    /// The same of one that keeps the value it was bound with.
    pub(super) fn constant(&self, name: &str) -> Option<Holds> {
        self.variable(name).filter(|_| !self.assigned.contains(name))
    }

    /// The node of a variable.
    pub(super) fn node_of_name(&self, name: &str) -> Option<usize> {
        self.scope.iter().rev().find(|bound| bound.name == name).map(|bound| bound.node)
    }

    fn bind(&mut self, token: &'a TokenReference, holds: Holds) {
        let node = self.flow.node();
        self.bind_node(token, holds, node);
    }

    fn bind_node(&mut self, token: &'a TokenReference, holds: Holds, node: usize) {
        let Some(name) = identifier(token) else { return };
        self.bound.entry(name).or_insert_with(|| Places::start(token));
        self.scope.push(Bound { name, holds, outside: self.depth == 0, node });
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

    /// What the elements of a list are, as far as the accessor that makes it says.
    fn element(&self, list: &'a Expression) -> Holds {
        match called(list).filter(|name| self.variable(name).is_none()).and_then(|name| SIGNATURES.get(name)) {
            Some(signature) if signature.yields == Yields::Numbers => Holds::Number,
            Some(signature) if signature.yields == Yields::Ids => Holds::Id,
            _ => Holds::Anything,
        }
    }

    /// What a value is, as far as that can be seen.
    pub(super) fn holds(&self, value: &'a Expression) -> Holds {
        match value {
            Expression::Number(_) => Holds::Number,
            Expression::Parentheses { expression, .. } => self.holds(expression),
            Expression::Var(Var::Name(token)) => {
                identifier(token).and_then(|name| self.variable(name)).unwrap_or(Holds::Anything)
            }
            _ => Holds::Anything,
        }
    }

    /// Whether all elements of a list are numbers or ids.
    pub(super) fn is_plain_list(&self, list: &'a Expression) -> bool {
        self.element(list) != Holds::Anything
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

    /// A function must not keep anything in a variable of the script.
    fn check_kept(&mut self, token: &'a TokenReference) {
        let Some(name) = identifier(token).filter(|_| self.depth > 0) else { return };
        let outside = self.scope.iter().rev().find(|bound| bound.name == name).is_some_and(|bound| bound.outside);
        if outside && self.lost.insert(name) {
            let message = format!(
                "`{name}` lives outside the state: what a function assigns to it is lost when a match is put back"
            );
            let help =
                "what must last belongs in a counter or a zone, what one call needs in a `local` inside the function";
            self.fault(token, "state-outside", message, Some(help.to_owned()));
        }
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

    fn expressions(&mut self, expressions: impl Iterator<Item = &'a Expression>) {
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

    fn table(&mut self, table: &'a TableConstructor) {
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

    fn text(&mut self, token: &TokenReference) {
        if let Some(text) = literal(token) {
            self.uses.texts.insert(text.to_owned());
            self.note_text(token, text);
        }
    }

    fn call(&mut self, call: &'a FunctionCall) {
        self.chain(call.prefix(), call.suffixes());
    }

    /// `name(...)`, `name.field`, `(expression):method(...)` and what may follow.
    fn chain(&mut self, prefix: &'a Prefix, suffixes: impl Iterator<Item = &'a Suffix>) {
        let suffixes: Vec<&Suffix> =
            suffixes.filter(|suffix| !matches!(suffix, Suffix::TypeInstantiation(_))).collect();
        match prefix {
            Prefix::Expression(inner) => self.expression(inner),
            Prefix::Name(token) => {
                let looked_at = self.chain_of_name(token, &suffixes);
                // Of a name that means nothing, nothing else is said.
                if looked_at {
                    self.fields(suffixes.get(1..).unwrap_or_default());
                } else if identifier(token).is_some_and(|name| self.variable(name).is_some()) {
                    self.fields(&suffixes);
                }
            }
            _ => {}
        }
        for suffix in suffixes {
            match suffix {
                Suffix::Index(Index::Brackets { expression, .. }) => self.expression(expression),
                Suffix::Call(Call::AnonymousCall(arguments)) => self.arguments(arguments),
                Suffix::Call(Call::MethodCall(call)) => self.arguments(call.args()),
                _ => {}
            }
        }
    }

    /// The name that a chain begins with; whether what follows first was looked at.
    fn chain_of_name(&mut self, token: &'a TokenReference, suffixes: &[&'a Suffix]) -> bool {
        let Some(name) = identifier(token) else { return true };
        let holds = self.variable(name);
        match (suffixes.first(), holds) {
            (Some(_), None) if name == "lib" && self.sees_shared() => self.shared(token, suffixes),
            (Some(Suffix::Call(Call::AnonymousCall(arguments))), None) => {
                self.name(token, Use::Call);
                self.check_call(token, name, arguments);
                self.check_library_call("", token, arguments);
            }
            (Some(Suffix::Index(Index::Dot { name: field, .. })), None) if library::fields(name).is_some() => {
                self.library_field(name, field);
                if let Some((field, arguments)) = Self::called_in_library(suffixes) {
                    self.check_library_call(name, field, arguments);
                    self.flow_inserted(name, field, arguments);
                }
            }
            (Some(Suffix::Call(Call::AnonymousCall(arguments))), Some(Holds::Function(index)))
                if !self.assigned.contains(name) =>
            {
                self.check_own_call(token, name, index, arguments);
            }
            (Some(Suffix::Index(Index::Dot { name: field, .. })), Some(Holds::Args(verb))) => {
                self.check_verb_argument(verb, field);
            }
            (Some(Suffix::Index(Index::Dot { name: field, .. })), Some(_)) if self.known.fills(self.path(), name) => {
                self.own_shared(field, suffixes.get(1).copied());
            }
            _ => {
                self.name(token, Use::Read);
                return false;
            }
        }
        true
    }

    fn arguments(&mut self, arguments: &'a FunctionArgs) {
        match arguments {
            FunctionArgs::Parentheses { arguments, .. } => self.expressions(arguments.iter()),
            FunctionArgs::String(token) => self.text(token),
            FunctionArgs::TableConstructor(table) => self.table(table),
            _ => {}
        }
    }

    fn name(&mut self, token: &'a TokenReference, how: Use) {
        let Some(name) = identifier(token) else { return };
        if how != Use::Write && self.variable(name) == Some(Holds::Nothing) && self.lost.insert(name) {
            let message = format!("`{name}` is never given a value");
            self.fault(token, "unknown-name", message, Some(format!("say what it is: `local {name} = ...`")));
        }
        if self.variable(name).is_some() {
            return;
        }
        if let Some(signature) = SIGNATURES.get(name) {
            // An accessor that is handed on may be called with any name.
            for takes in signature.takes.iter().filter(|_| how != Use::Call) {
                if let Takes::Name(sort) = takes {
                    self.uses.dynamic.insert(*sort);
                }
            }
        } else if name == "lib" && how != Use::Write {
            self.shared(token, &[]);
        } else if !library::has(name) {
            let here = self.scope.iter().rev().map(|bound| bound.name).filter(|_| name.len() > 2);
            let near = nearest(name, here).filter(|near| strsim::osa_distance(name, near) == 1);
            self.unbound.push((token, name, how, near));
        }
    }

    fn library_field(&mut self, table: &str, field: &'a TokenReference) {
        let (Some(known), Some(name)) = (library::fields(table), identifier(field)) else { return };
        if !known.contains(&name) {
            let help = nearest(name, known.iter().copied()).map(|near| format!("did you mean `{table}.{near}`?"));
            self.fault(field, "unknown-function", format!("there is no `{table}.{name}`"), help);
        }
    }

    pub(super) fn fault(&mut self, at: &impl Node, code: &'static str, message: String, help: Option<String>) {
        self.faults.push(self.places.fault(at, code, message, help));
    }

    fn report_unbound(&mut self) {
        let everywhere: Vec<&'static str> = SIGNATURES.keys().copied().chain(library::names()).collect();
        for (token, name, how, near) in std::mem::take(&mut self.unbound) {
            let known = self.bound.keys().copied().chain(everywhere.iter().map(|name| -> &'a str { name }));
            // Of a single letter every other one is near.
            let known = known.filter(|_| name.len() > 1);
            let help = match self.bound.get(name) {
                Some(_) if near.is_some() => near.map(|near| format!("did you mean `{near}`?")),
                Some(&at) => {
                    let line = self.places.position(at).0;
                    Some(format!("`{name}` of line {line} is known only behind its declaration and within its block"))
                }
                None if how == Use::Write => match nearest(name, known) {
                    Some(near) => Some(format!("did you mean `{near}`? A new variable begins with `local`")),
                    None => Some(format!("a new variable begins with `local`: `local {name}`")),
                },
                None => nearest(name, known).map(|near| format!("did you mean `{near}`?")),
            };
            let (code, noun) =
                if how == Use::Call { ("unknown-function", "function") } else { ("unknown-name", "name") };
            self.fault(token, code, format!("unknown {noun} `{name}`"), help);
        }
    }
}

/// The name a token is.
pub(super) fn identifier(token: &TokenReference) -> Option<&str> {
    match token.token_type() {
        TokenType::Identifier { identifier } => Some(identifier.as_str()),
        _ => None,
    }
}

/// The text a token is, if it is written as it is.
pub(super) fn literal(token: &TokenReference) -> Option<&str> {
    match token.token_type() {
        TokenType::StringLiteral { literal, .. } if !literal.contains('\\') => Some(literal.as_str()),
        _ => None,
    }
}

/// The function called by a plain name, if the expression is such a call.
pub(super) fn called(expression: &Expression) -> Option<&str> {
    let Expression::FunctionCall(call) = expression else { return None };
    let mut suffixes = call.suffixes();
    match (call.prefix(), suffixes.next(), suffixes.next()) {
        (Prefix::Name(token), Some(Suffix::Call(Call::AnonymousCall(_))), None) => identifier(token),
        _ => None,
    }
}
