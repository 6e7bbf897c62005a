//! Names: what each is bound to where the walk is, and which are bound to nothing.

use full_moon::ast::{Expression, Var};
use full_moon::tokenizer::TokenReference;

use crate::lint::compared::Compared;
use crate::lint::library;
use crate::lint::place::Places;
use crate::lint::signature::{SIGNATURES, Takes, Yields};
use crate::lint::token::{called, identifier};
use crate::lint::walk::Walk;
use motherlode_content::diagnostic::nearest;

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
pub(super) enum Use {
    Call,
    Read,
    Write,
}

/// A variable.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound<'a> {
    pub(super) name: &'a str,
    pub(super) holds: Holds,
    /// It belongs to no function: it lives as long as the script.
    pub(super) outside: bool,
    /// What flows into it.
    pub(super) node: usize,
}

impl<'a> Walk<'a> {
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

    pub(super) fn bind(&mut self, token: &'a TokenReference, holds: Holds) {
        let node = self.flow.node();
        self.bind_node(token, holds, node);
    }

    pub(super) fn bind_node(&mut self, token: &'a TokenReference, holds: Holds, node: usize) {
        let Some(name) = identifier(token) else { return };
        self.bound.entry(name).or_insert_with(|| Places::start(token));
        self.scope.push(Bound { name, holds, outside: self.depth == 0, node });
    }

    /// What the elements of a list are, as far as the accessor that makes it says.
    pub(super) fn element(&self, list: &'a Expression) -> Holds {
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

    pub(super) fn name(&mut self, token: &'a TokenReference, how: Use) {
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

    /// A function must not keep anything in a variable of the script.
    pub(super) fn check_kept(&mut self, token: &'a TokenReference) {
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

    pub(super) fn report_unbound(&mut self) {
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
