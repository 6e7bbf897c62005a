//! What flows into a script's own variables, tables and functions: a text that ends up where an accessor wants the name of a zone
//! must be one, wherever it is written.
//!
//! Variables that hand values to each other are one node; a table has a node for its elements and one for each field. A text that a
//! variable is compared with somewhere may be one that never gets to the accessor, and is left alone.

use std::collections::{BTreeMap, BTreeSet};

use full_moon::ast::{Expression, Field, Index, Prefix, Suffix, TableConstructor, Var};
use full_moon::tokenizer::TokenReference;

use crate::script::call::{Argument, Call, Callee, Calls};
use crate::script::known::{Context, Known};
use crate::script::lib_file::Lib;
use crate::script::mention::{Mention, Open};
use crate::script::resolve::{Given, Names};
use crate::script::signature::Takes;
use crate::script::token::{branches, identifier, literal, plain_call};
use crate::script::value::{Holds, Values};
use motherlode_content::sort::Sort;

/// Sorts of names that are wanted somewhere, each with the accessor that wants it.
pub type Wants = BTreeMap<Sort, &'static str>;

/// What functions want of each of their arguments.
pub type WantsByName<'a> = BTreeMap<&'a str, Vec<Wants>>;

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

/// All nodes of a script: first one for each variable, then one for what each function returns.
#[derive(Debug, Default)]
pub struct Flow<'a> {
    nodes: Vec<Node<'a>>,
}

impl<'a> Flow<'a> {
    /// A variable of which nothing is known.
    fn node(&mut self) -> usize {
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
    fn unite(&mut self, a: usize, b: usize) {
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
    fn element(&mut self, of: usize) -> usize {
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
    fn want_node(&mut self, node: usize, sort: Sort, accessor: &'static str) {
        let node = self.find(node);
        self.nodes[node].wants.entry(sort).or_insert(accessor);
    }
}

/// A script as the flow through it is followed.
struct Following<'f, 'a> {
    flow: &'f mut Flow<'a>,
    names: &'f Names<'a>,
    values: &'f Values,
}

impl<'a> Flow<'a> {
    /// Follows every value; `wants` is what the functions of `lib.luau` want.
    pub fn of(names: &Names<'a>, values: &Values, calls: &Calls<'a>, wants: &WantsByName<'a>) -> Self {
        let mut flow = Self::default();
        flow.nodes.resize_with(names.variables.len() + names.functions.len(), Node::default);
        let mut following = Following { flow: &mut flow, names, values };
        for (variable, declared) in names.variables.iter().enumerate() {
            match declared.given {
                Given::Value(value) => following.enter(value, variable),
                Given::Element(1, list) => {
                    let element = following.elements(list);
                    following.flow.unite(variable, element);
                }
                _ => {}
            }
        }
        for (function, declared) in names.functions.iter().enumerate() {
            declared.returns.iter().for_each(|value| following.enter(value, names.variables.len() + function));
        }
        for (target, value) in &names.assignments {
            if let Some(node) = following.node_of_variable(target) {
                following.enter(value, node);
            }
        }
        calls.list.iter().for_each(|call| following.call(call, wants));
        for (value, other) in &names.comparisons {
            if let Expression::String(token) = other
                && let (Some(text), Some(node)) = (literal(token), following.node_of(value))
            {
                let node = following.flow.find(node);
                following.flow.nodes[node].compared.insert(text);
            }
        }
        flow
    }

    /// Accessors want names of what is not written out where they are called.
    pub fn want(&mut self, names: &Names<'a>, values: &Values, open: &[Open<'a>]) {
        let mut following = Following { flow: self, names, values };
        for Open { value, sort, accessor, elements } in open {
            if !elements {
                following.want(value, *sort, accessor);
            } else if let Some(node) = following.node_of(value) {
                let element = following.flow.element(node);
                following.flow.want_node(element, *sort, accessor);
            }
        }
    }

    /// What the functions of this `lib.luau` want of their arguments.
    pub fn wants_of(&self, names: &Names<'a>, values: &Values, lib: &Lib<'a>) -> WantsByName<'a> {
        let mut found = WantsByName::new();
        for (name, function) in &lib.functions {
            let own = function.variable.and_then(|variable| values.of_constant(names, variable));
            let index = match (own, function.body) {
                (Some(Holds::Function(index)), _) => Some(index),
                (_, Some(body)) => names.functions.iter().position(|one| std::ptr::eq(one.body, body)),
                _ => None,
            };
            let Some(index) = index else { continue };
            let wants =
                |node: &Option<usize>| node.map_or_else(Wants::new, |node| self.nodes[self.find(node)].wants.clone());
            found.insert(name, names.functions[index].parameters.iter().map(wants).collect());
        }
        found
    }

    /// Texts that come to an accessor and are not what it wants. A variable may hold names of several sorts at different times.
    pub fn mentions(&self, known: &Known<'_>) -> Vec<Mention<'a>> {
        let mut found = Vec::new();
        for node in self.nodes.iter().filter(|node| node.same.is_none()) {
            let Some((sort, by)) = node.wants.iter().next() else { continue };
            for token in &node.texts {
                let Some(name) = literal(token).filter(|name| !node.compared.contains(name)) else { continue };
                let context = Context::default();
                if node.wants.keys().all(|sort| !known.knows(Takes::Name(*sort), name, context)) {
                    found.push(Mention { token, name, takes: Takes::Name(*sort), context, by });
                }
            }
        }
        found
    }
}

impl<'a> Following<'_, 'a> {
    /// The node of a value, if it is a variable, a part of one, or what a function of the script returns.
    fn node_of(&mut self, value: &'a Expression) -> Option<usize> {
        match value {
            Expression::Parentheses { expression, .. } | Expression::TypeAssertion { expression, .. } => {
                self.node_of(expression)
            }
            Expression::Var(variable) => self.node_of_variable(variable),
            Expression::FunctionCall(call) => {
                let (token, _) = plain_call(call)?;
                match self.values.of_constant(self.names, token)? {
                    Holds::Function(index) => Some(self.names.variables.len() + index),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn node_of_variable(&mut self, variable: &'a Var) -> Option<usize> {
        match variable {
            Var::Name(token) => self.names.variable(token),
            Var::Expression(inner) => {
                let Prefix::Name(token) = inner.prefix() else { return None };
                let mut node = self.names.variable(token)?;
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

    /// A value goes into a variable.
    fn enter(&mut self, value: &'a Expression, node: usize) {
        match value {
            Expression::String(token) => self.text(token, node),
            Expression::TableConstructor(table) => self.table(table, node),
            _ => {
                let branches = branches(value);
                if branches.is_empty()
                    && let Some(other) = self.node_of(value)
                {
                    self.flow.unite(node, other);
                }
                branches.into_iter().for_each(|value| self.enter(value, node));
            }
        }
    }

    fn text(&mut self, token: &'a TokenReference, node: usize) {
        let node = self.flow.find(node);
        self.flow.nodes[node].texts.push(token);
    }

    fn table(&mut self, table: &'a TableConstructor, node: usize) {
        for field in table.fields() {
            let value = match field {
                Field::NameKey { key, value, .. } => {
                    if let Some(name) = identifier(key) {
                        let field = self.flow.field(node, name);
                        self.enter(value, field);
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
            self.enter(value, element);
        }
    }

    /// The elements of a list.
    fn elements(&mut self, list: &'a Expression) -> usize {
        let node = self.flow.node();
        self.enter(list, node);
        self.flow.element(node)
    }

    /// What a call hands over.
    fn call(&mut self, call: &Call<'a>, wants: &WantsByName<'a>) {
        match call.callee {
            Callee::Own(index) => self.arguments(call, &self.names.functions[index].parameters),
            Callee::Lib(body) => {
                let own = body.and_then(|body| self.names.functions.iter().find(|one| std::ptr::eq(one.body, body)));
                match (own, wants.get(call.name)) {
                    (Some(own), _) => self.arguments(call, &own.parameters),
                    (None, Some(wants)) => {
                        let mut handed = |wants: &Wants| {
                            let node = self.flow.node();
                            self.flow.nodes[node].wants = wants.clone();
                            Some(node)
                        };
                        let nodes: Vec<Option<usize>> = wants.iter().map(&mut handed).collect();
                        self.arguments(call, &nodes);
                    }
                    (None, None) => {}
                }
            }
            Callee::Library("table") if call.name == "insert" => {
                if let [Argument::Expression(into), .., Argument::Expression(value)] = call.arguments[..] {
                    let element = self.elements(into);
                    self.enter(value, element);
                }
            }
            Callee::Accessor(..) | Callee::Library(_) => {}
        }
    }

    fn arguments(&mut self, call: &Call<'a>, parameters: &[Option<usize>]) {
        for (argument, node) in call.arguments.iter().zip(parameters) {
            let Some(node) = *node else { continue };
            match argument {
                Argument::Expression(expression) => self.enter(expression, node),
                Argument::Text(token) => self.text(token, node),
                Argument::Table(table) => self.table(table, node),
            }
        }
    }

    /// An accessor wants a name; what is written out right there is looked at elsewhere.
    fn want(&mut self, value: &'a Expression, sort: Sort, accessor: &'static str) {
        let branches = branches(value);
        if branches.is_empty()
            && let Some(node) = self.node_of(value)
        {
            self.flow.want_node(node, sort, accessor);
        }
        branches.into_iter().for_each(|value| self.want(value, sort, accessor));
    }
}
