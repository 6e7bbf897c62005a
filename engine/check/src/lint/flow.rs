//! What flows into a script's own variables, tables and functions: a text that ends up where an accessor wants the name of a zone
//! must be one, wherever it is written.
//!
//! Variables that hand values to each other are one node; a table has a node for its elements and one for each field. A text that a
//! variable is compared with somewhere may be one that never gets to the accessor, and is left alone.

use std::collections::{BTreeMap, BTreeSet};

use full_moon::ast::{
    BinOp, Call, Expression, Field, FunctionArgs, FunctionCall, Index, Prefix, Suffix, TableConstructor, Var,
};
use full_moon::tokenizer::TokenReference;

use crate::lint::calls::Argument;
use crate::lint::known::Context;
use crate::lint::names::Holds;
use crate::lint::signature::Takes;
use crate::lint::token::{identifier, literal};
use crate::lint::walk::Walk;
use motherlode_content::sort::Sort;

/// Sorts of names that are wanted somewhere, each with the accessor that wants it.
pub type Wants = BTreeMap<Sort, &'static str>;

/// What is known of variables that hold the same.
#[derive(Debug, Default)]
struct Node<'a> {
    /// The node it was united with.
    same: Option<usize>,
    wants: Wants,
    texts: Vec<&'a TokenReference>,
    compared: BTreeSet<&'a str>,
    element: Option<usize>,
    fields: BTreeMap<&'a str, usize>,
}

/// A function of the script.
#[derive(Debug)]
pub struct OwnFunction {
    /// Nodes of its parameters.
    pub parameters: Vec<usize>,
    /// Node of what it returns.
    pub result: usize,
    /// Fewest and most arguments.
    pub counts: (usize, usize),
    /// How it is called: `take(player, prompt)`.
    pub text: String,
}

/// All nodes of a script.
#[derive(Debug, Default)]
pub struct Flow<'a> {
    nodes: Vec<Node<'a>>,
}

impl<'a> Flow<'a> {
    /// A variable of which nothing is known.
    pub fn node(&mut self) -> usize {
        self.nodes.push(Node::default());
        self.nodes.len() - 1
    }

    fn find(&self, mut node: usize) -> usize {
        while let Some(same) = self.nodes[node].same {
            node = same;
        }
        node
    }

    /// Two variables that hold the same.
    pub fn unite(&mut self, a: usize, b: usize) {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            let Node { wants, texts, compared, element, fields, .. } = std::mem::take(&mut self.nodes[b]);
            self.nodes[b].same = Some(a);
            let into = &mut self.nodes[a];
            into.wants.extend(wants);
            into.texts.extend(texts);
            into.compared.extend(compared);
            match (into.element, element) {
                (Some(one), Some(other)) => open.push((one, other)),
                (None, other) => into.element = other,
                _ => {}
            }
            for (name, node) in fields {
                match into.fields.get(name) {
                    Some(&other) => open.push((other, node)),
                    None => drop(into.fields.insert(name, node)),
                }
            }
        }
    }

    /// The elements of a table.
    pub fn element(&mut self, of: usize) -> usize {
        let of = self.find(of);
        if let Some(element) = self.nodes[of].element {
            return element;
        }
        let node = self.node();
        self.nodes[of].element = Some(node);
        node
    }

    fn field(&mut self, of: usize, name: &'a str) -> usize {
        let of = self.find(of);
        if let Some(&field) = self.nodes[of].fields.get(name) {
            return field;
        }
        let node = self.node();
        self.nodes[of].fields.insert(name, node);
        node
    }

    /// An accessor wants a name of this sort there.
    fn want(&mut self, node: usize, sort: Sort, accessor: &'static str) {
        let node = self.find(node);
        self.nodes[node].wants.entry(sort).or_insert(accessor);
    }

    /// What is wanted of a variable.
    pub fn wants(&self, node: usize) -> &Wants {
        &self.nodes[self.find(node)].wants
    }
}

impl<'a> Walk<'a> {
    /// The node of a value, if it is a variable, a part of one, or what a function of the script returns.
    fn node_of(&mut self, value: &'a Expression) -> Option<usize> {
        match value {
            Expression::Parentheses { expression, .. } | Expression::TypeAssertion { expression, .. } => {
                self.node_of(expression)
            }
            Expression::Var(variable) => self.node_of_variable(variable),
            Expression::FunctionCall(call) => self.node_of_call(call),
            _ => None,
        }
    }

    fn node_of_variable(&mut self, variable: &'a Var) -> Option<usize> {
        match variable {
            Var::Name(token) => self.node_of_name(identifier(token)?),
            Var::Expression(inner) => {
                let Prefix::Name(token) = inner.prefix() else { return None };
                let mut node = self.node_of_name(identifier(token)?)?;
                for suffix in inner.suffixes() {
                    node = match suffix {
                        Suffix::Index(Index::Dot { name, .. }) => self.flow.field(node, identifier(name)?),
                        Suffix::Index(Index::Brackets { .. }) => self.flow.element(node),
                        _ => return None,
                    };
                }
                Some(node)
            }
            _ => None,
        }
    }

    fn node_of_call(&mut self, call: &'a FunctionCall) -> Option<usize> {
        let (Prefix::Name(token), suffixes) = (call.prefix(), call.suffixes().collect::<Vec<_>>()) else { return None };
        let [Suffix::Call(Call::AnonymousCall(_))] = suffixes[..] else { return None };
        match self.constant(identifier(token)?)? {
            Holds::Function(index) => Some(self.functions[index].result),
            _ => None,
        }
    }

    /// A value goes into a variable.
    pub(super) fn flow_into(&mut self, value: &'a Expression, node: usize) {
        match value {
            Expression::String(token) => {
                let node = self.flow.find(node);
                self.flow.nodes[node].texts.push(token);
            }
            Expression::Parentheses { expression, .. } | Expression::TypeAssertion { expression, .. } => {
                self.flow_into(expression, node);
            }
            Expression::IfExpression(inner) => {
                self.flow_into(inner.if_expression(), node);
                for other in inner.else_if_expressions().into_iter().flatten() {
                    self.flow_into(other.expression(), node);
                }
                self.flow_into(inner.else_expression(), node);
            }
            Expression::BinaryOperator { binop: BinOp::And(_), rhs, .. } => self.flow_into(rhs, node),
            Expression::BinaryOperator { lhs, binop: BinOp::Or(_), rhs } => {
                self.flow_into(lhs, node);
                self.flow_into(rhs, node);
            }
            Expression::TableConstructor(table) => self.flow_table(table, node),
            _ => {
                if let Some(other) = self.node_of(value) {
                    self.flow.unite(node, other);
                }
            }
        }
    }

    fn flow_table(&mut self, table: &'a TableConstructor, node: usize) {
        for field in table.fields() {
            let value = match field {
                Field::NameKey { key, value, .. } => {
                    if let Some(name) = identifier(key) {
                        let field = self.flow.field(node, name);
                        self.flow_into(value, field);
                    }
                    // A table goes one way only, or tables in tables would take twice the time for each level.
                    if matches!(value, Expression::TableConstructor(_)) {
                        continue;
                    }
                    value
                }
                Field::NoKey(value) | Field::ExpressionKey { value, .. } => value,
                _ => continue,
            };
            let element = self.flow.element(node);
            self.flow_into(value, element);
        }
    }

    /// A value goes into a variable or a part of one.
    pub(super) fn flow_to(&mut self, value: &'a Expression, target: &'a Var) {
        if let Some(node) = self.node_of_variable(target) {
            self.flow_into(value, node);
        }
    }

    /// The elements of a list that a loop goes through.
    pub(super) fn elements_of(&mut self, list: &'a Expression) -> usize {
        let node = self.flow.node();
        self.flow_into(list, node);
        self.flow.element(node)
    }

    /// What is handed to a function of the script, or of `lib`.
    pub(super) fn flow_arguments(&mut self, parameters: &[usize], arguments: &'a FunctionArgs) {
        let Some((list, _)) = self.list(arguments) else { return };
        for (argument, node) in list.into_iter().zip(parameters) {
            match argument {
                Argument::Expression(expression) => self.flow_into(expression, *node),
                Argument::Text(token) => {
                    let node = self.flow.find(*node);
                    self.flow.nodes[node].texts.push(token);
                }
                Argument::Table(table) => self.flow_table(table, *node),
            }
        }
    }

    /// What a function of `lib` in another file wants of its arguments.
    pub(super) fn flow_shared(&mut self, wants: &[Wants], arguments: &'a FunctionArgs) {
        let nodes: Vec<usize> = wants.iter().map(|_| self.flow.node()).collect();
        for (node, wants) in nodes.iter().zip(wants) {
            self.flow.nodes[*node].wants = wants.clone();
        }
        self.flow_arguments(&nodes, arguments);
    }

    /// An accessor wants a name; what is written out right there is checked at once.
    pub(super) fn want(&mut self, value: &'a Expression, sort: Sort, accessor: &'static str) {
        match value {
            Expression::Parentheses { expression, .. } | Expression::TypeAssertion { expression, .. } => {
                self.want(expression, sort, accessor);
            }
            Expression::IfExpression(inner) => {
                self.want(inner.if_expression(), sort, accessor);
                for other in inner.else_if_expressions().into_iter().flatten() {
                    self.want(other.expression(), sort, accessor);
                }
                self.want(inner.else_expression(), sort, accessor);
            }
            Expression::BinaryOperator { binop: BinOp::And(_), rhs, .. } => self.want(rhs, sort, accessor),
            Expression::BinaryOperator { lhs, binop: BinOp::Or(_), rhs } => {
                self.want(lhs, sort, accessor);
                self.want(rhs, sort, accessor);
            }
            _ => {
                if let Some(node) = self.node_of(value) {
                    self.flow.want(node, sort, accessor);
                }
            }
        }
    }

    /// The elements of a list are wanted.
    pub(super) fn want_elements(&mut self, list: &'a Expression, sort: Sort, accessor: &'static str) {
        if let Some(node) = self.node_of(list) {
            let element = self.flow.element(node);
            self.flow.want(element, sort, accessor);
        }
    }

    /// A variable is compared with a text.
    pub(super) fn note_compared(&mut self, value: &'a Expression, text: &'a str) {
        if let Some(node) = self.node_of(value) {
            let node = self.flow.find(node);
            self.flow.nodes[node].compared.insert(text);
        }
    }

    /// Reports the texts that come to an accessor and are not what it wants.
    pub(super) fn report_flow(&mut self) {
        let mut wrong = Vec::new();
        for node in self.flow.nodes.iter().filter(|node| node.same.is_none() && !node.wants.is_empty()) {
            for token in &node.texts {
                let Some(name) = literal(token).filter(|name| !node.compared.contains(name)) else { continue };
                let faults: Vec<_> = node
                    .wants
                    .iter()
                    .map(|(sort, accessor)| self.known.check(Takes::Name(*sort), name, Context::default(), accessor))
                    .collect();
                // A variable may hold names of several sorts at different times.
                if faults.iter().all(Option::is_some) {
                    wrong.extend(faults.into_iter().next().flatten().map(|fault| (*token, fault)));
                }
            }
        }
        for (token, fault) in wrong {
            self.fault(token, fault.code, fault.message, fault.help);
        }
    }
}
