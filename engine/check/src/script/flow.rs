//! Follows texts through variables, tables and functions of a script.
//!
//! A text that reaches an argument for a zone's name must be the name of a zone, wherever it is written.
//!
//! Variables that pass values to each other share a node. A table has one node for its elements and one for each field.
//! If a script compares a variable with a text, that text may never reach the accessor, so it is not checked.
//! The flow knows neither conditions nor the order of assignments, so all that it finds is a guess, except for constants.

use std::collections::{BTreeMap, BTreeSet};

use full_moon::ast::{Expression, Field, Index, Prefix, Suffix, TableConstructor, Var};
use full_moon::tokenizer::TokenReference;

use crate::script::call::{Argument, Call, Callee, Calls};
use crate::script::known::{DeclaredNames, NameContext};
use crate::script::lib_file::LibFile;
use crate::script::mention::{ComputedName, Mention};
use crate::script::resolve::{Initializer, ResolvedNames};
use crate::script::signature::ExpectedName;
use crate::script::token::{branches, identifier, literal, plain_call};
use crate::script::value::{KnownValue, VariableValues};
use motherlode_content::sort::NameKind;

/// Required sorts of names, each with the accessor that requires it.
pub type RequiredNames = BTreeMap<NameKind, &'static str>;

/// Required names for each argument, by function.
pub type RequiredByFunction<'a> = BTreeMap<&'a str, Vec<RequiredNames>>;

/// A set of variables with the same values (union-find).
#[derive(Debug, Default)]
struct FlowNode<'a> {
    /// Node that this one was merged into.
    same: Option<usize>,
    required: RequiredNames,
    texts: Vec<&'a TokenReference>,
    /// Whether its values are those of a variable with a single value.
    is_constant: bool,
    compared: BTreeSet<&'a str>,
    element: Option<usize>,
    fields: BTreeMap<&'a str, usize>,
}

/// All nodes of a script: one for each variable, then one for the result of each function, then the others.
#[derive(Debug, Default)]
pub struct Flow<'a> {
    nodes: Vec<FlowNode<'a>>,
}

impl<'a> Flow<'a> {
    /// Adds an empty node.
    fn add_node(&mut self) -> usize {
        self.nodes.push(FlowNode::default());
        self.nodes.len() - 1
    }

    fn find(&self, mut node: usize) -> usize {
        while let Some(same) = self.nodes[node].same {
            node = same;
        }
        node
    }

    /// Merges two nodes.
    fn unite(&mut self, a: usize, b: usize) {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            let FlowNode { required, texts, compared, element, fields, .. } = std::mem::take(&mut self.nodes[b]);
            self.nodes[b].same = Some(a);
            let into = &mut self.nodes[a];
            into.is_constant = false;
            into.required.extend(required);
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

    /// Returns the node of a table's elements.
    fn element_node(&mut self, of: usize) -> usize {
        let of = self.find(of);
        if let Some(element) = self.nodes[of].element {
            return element;
        }
        let node = self.add_node();
        self.nodes[of].element = Some(node);
        node
    }

    /// Returns the node of a table's field.
    fn field_node(&mut self, of: usize, name: &'a str) -> usize {
        let of = self.find(of);
        if let Some(&field) = self.nodes[of].fields.get(name) {
            return field;
        }
        let node = self.add_node();
        self.nodes[of].fields.insert(name, node);
        node
    }

    /// Records that an accessor requires a name of this sort in a node.
    fn require_at(&mut self, node: usize, sort: NameKind, accessor: &'static str) {
        let node = self.find(node);
        self.nodes[node].required.entry(sort).or_insert(accessor);
    }
}

/// Builds the flow of a script.
struct FlowBuilder<'f, 'a> {
    flow: &'f mut Flow<'a>,
    names: &'f ResolvedNames<'a>,
    values: &'f VariableValues,
}

impl<'a> Flow<'a> {
    /// Builds the flow. `required`: names that functions of `lib.luau` require of their arguments.
    pub fn of(
        names: &ResolvedNames<'a>,
        values: &VariableValues,
        calls: &Calls<'a>,
        required: &RequiredByFunction<'a>,
    ) -> Self {
        let mut flow = Self::default();
        flow.nodes.resize_with(names.variables.len() + names.functions.len(), FlowNode::default);
        let mut builder = FlowBuilder { flow: &mut flow, names, values };
        for (variable, declared) in names.variables.iter().enumerate() {
            match declared.initializer {
                Initializer::Value(value) => {
                    builder.flow.nodes[variable].is_constant =
                        matches!(value, Expression::String(_)) && !declared.is_assigned;
                    builder.enter(value, variable);
                }
                Initializer::Element(1, list) => {
                    let element = builder.element_node_of(list);
                    builder.flow.unite(variable, element);
                }
                _ => {}
            }
        }
        for (function, declared) in names.functions.iter().enumerate() {
            declared.returns.iter().for_each(|value| builder.enter(value, names.variables.len() + function));
        }
        for (target, value) in &names.assignments {
            if let Some(node) = builder.node_of_variable(target) {
                builder.enter(value, node);
            }
        }
        calls.list.iter().for_each(|call| builder.enter_call(call, required));
        for (value, other) in &names.comparisons {
            if let Expression::String(token) = other
                && let (Some(text), Some(node)) = (literal(token), builder.node_of(value))
            {
                let node = builder.flow.find(node);
                builder.flow.nodes[node].compared.insert(text);
            }
        }
        flow
    }

    /// Records the names that accessors require of computed arguments.
    pub fn require(&mut self, names: &ResolvedNames<'a>, values: &VariableValues, open: &[ComputedName<'a>]) {
        let mut builder = FlowBuilder { flow: self, names, values };
        for ComputedName { value, sort, accessor, is_list } in open {
            if !is_list {
                builder.require(value, *sort, accessor);
            } else if let Some(node) = builder.node_of(value) {
                let element = builder.flow.element_node(node);
                builder.flow.require_at(element, *sort, accessor);
            }
        }
    }

    /// Returns the names that the functions of this `lib.luau` require of their arguments.
    pub fn required_by_functions(
        &self,
        names: &ResolvedNames<'a>,
        values: &VariableValues,
        lib: &LibFile<'a>,
    ) -> RequiredByFunction<'a> {
        let mut found = RequiredByFunction::new();
        for (name, function) in &lib.functions {
            let own = function.variable.and_then(|variable| values.of_constant(names, variable));
            let index = match (own, function.body) {
                (Some(KnownValue::Function(index)), _) => Some(index),
                (_, Some(body)) => names.function_of(body),
                _ => None,
            };
            let Some(index) = index else { continue };
            let required = |node: &Option<usize>| {
                node.map_or_else(RequiredNames::new, |node| self.nodes[self.find(node)].required.clone())
            };
            found.insert(name, names.functions[index].parameters.iter().map(required).collect());
        }
        found
    }

    /// Returns texts that reach an accessor and are not valid there. A variable may hold names of several sorts at different times.
    pub fn mentions(&self, known: &DeclaredNames<'_>) -> Vec<Mention<'a>> {
        let mut found = Vec::new();
        for node in self.nodes.iter().filter(|node| node.same.is_none()) {
            let Some((sort, by)) = node.required.iter().next() else { continue };
            for token in &node.texts {
                let Some(name) = literal(token).filter(|name| !node.compared.contains(name)) else { continue };
                let context = NameContext::default();
                if node.required.keys().all(|sort| !known.is_valid(ExpectedName::Name(*sort), name, context)) {
                    let is_guess = !node.is_constant || node.texts.len() > 1;
                    let expected = ExpectedName::Name(*sort);
                    found.push(Mention { token, name, expected, context, by, is_guess, values: None });
                }
            }
        }
        found
    }
}

impl<'a> FlowBuilder<'_, 'a> {
    /// Returns the node of a variable, of a part of a variable, or of the result of a function.
    fn node_of(&mut self, value: &'a Expression) -> Option<usize> {
        match value {
            Expression::Parentheses { expression, .. } | Expression::TypeAssertion { expression, .. } => {
                self.node_of(expression)
            }
            Expression::Var(variable) => self.node_of_variable(variable),
            Expression::FunctionCall(call) => {
                let (token, _) = plain_call(call)?;
                match self.values.of_constant(self.names, token)? {
                    KnownValue::Function(index) => Some(self.names.variables.len() + index),
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
                        Suffix::Index(Index::Dot { name, .. }) => self.flow.field_node(node, identifier(name)?),
                        Suffix::Index(Index::Brackets { .. }) => self.flow.element_node(node),
                        _ => return None,
                    };
                }
                Some(node)
            }
            _ => None,
        }
    }

    /// Lets a value flow into a node.
    fn enter(&mut self, value: &'a Expression, node: usize) {
        match value {
            Expression::String(token) => self.add_text(token, node),
            Expression::TableConstructor(table) => self.enter_table(table, node),
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

    fn add_text(&mut self, token: &'a TokenReference, node: usize) {
        let node = self.flow.find(node);
        self.flow.nodes[node].texts.push(token);
    }

    fn enter_table(&mut self, table: &'a TableConstructor, node: usize) {
        for field in table.fields() {
            let value = match field {
                Field::NameKey { key, value, .. } => {
                    if let Some(name) = identifier(key) {
                        let field = self.flow.field_node(node, name);
                        self.enter(value, field);
                    }
                    // A nested table enters only the field: entering the elements too would double the time per level.
                    if matches!(value, Expression::TableConstructor(_)) {
                        continue;
                    }
                    value
                }
                Field::NoKey(value) | Field::ExpressionKey { value, .. } => value,
                _ => continue,
            };
            let element = self.flow.element_node(node);
            self.enter(value, element);
        }
    }

    /// Returns the node of the elements of a list.
    fn element_node_of(&mut self, list: &'a Expression) -> usize {
        let node = self.flow.add_node();
        self.enter(list, node);
        self.flow.element_node(node)
    }

    /// Lets the arguments of a call flow into the parameters.
    fn enter_call(&mut self, call: &Call<'a>, required: &RequiredByFunction<'a>) {
        match call.callee {
            Callee::Own(index) => self.enter_arguments(call, &self.names.functions[index].parameters),
            Callee::Lib(body) => {
                let own = body.and_then(|body| Some(&self.names.functions[self.names.function_of(body)?]));
                match (own, required.get(call.name)) {
                    (Some(own), _) => self.enter_arguments(call, &own.parameters),
                    (None, Some(required)) => {
                        let mut add_node = |required: &RequiredNames| {
                            let node = self.flow.add_node();
                            self.flow.nodes[node].required = required.clone();
                            Some(node)
                        };
                        let nodes: Vec<Option<usize>> = required.iter().map(&mut add_node).collect();
                        self.enter_arguments(call, &nodes);
                    }
                    (None, None) => {}
                }
            }
            Callee::Library("table") if call.name == "insert" => {
                if let [Argument::Expression(into), .., Argument::Expression(value)] = call.arguments[..] {
                    let element = self.element_node_of(into);
                    self.enter(value, element);
                }
            }
            Callee::Accessor(..) | Callee::Library(_) => {}
        }
    }

    fn enter_arguments(&mut self, call: &Call<'a>, parameters: &[Option<usize>]) {
        for (argument, node) in call.arguments.iter().zip(parameters) {
            let Some(node) = *node else { continue };
            match argument {
                Argument::Expression(expression) => self.enter(expression, node),
                Argument::Text(token) => self.add_text(token, node),
                Argument::Table(table) => self.enter_table(table, node),
            }
        }
    }

    /// Records that an accessor requires a name. `mention` checks literals in the call itself.
    fn require(&mut self, value: &'a Expression, sort: NameKind, accessor: &'static str) {
        let branches = branches(value);
        if branches.is_empty()
            && let Some(node) = self.node_of(value)
        {
            self.flow.require_at(node, sort, accessor);
        }
        branches.into_iter().for_each(|value| self.require(value, sort, accessor));
    }
}
