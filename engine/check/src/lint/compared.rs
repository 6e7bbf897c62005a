//! Comparisons with texts: what an accessor returns is one of a known set, and a text that is not among them is never equal.

use std::collections::BTreeSet;

use full_moon::ast::{
    Assignment, Block, Call, CompoundAssignment, Expression, FunctionArgs, FunctionCall, FunctionDeclaration, Prefix,
    Suffix, Var,
};
use full_moon::tokenizer::TokenReference;
use full_moon::visitors::{Visit, Visitor};

use crate::lint::known::{Context, Known, Wrong};
use crate::lint::names::Holds;
use crate::lint::signature::Takes;
use crate::lint::token::{identifier, literal};
use crate::lint::walk::Walk;
use motherlode_content::declare::OptionValue;
use motherlode_content::diagnostic::suggestion;
use motherlode_content::sort::Sort;

/// A known set of texts; indices into the declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    /// The value of an option.
    Option(usize),
    /// The name of a zone.
    Zone,
    /// The name of a kind.
    Kind,
    /// The id of a definition of any kind.
    Id,
    /// The name of a value of this counter.
    Value(usize),
    /// A label of this prompt, as the answer to a question.
    Label(usize),
}

/// Names that a script assigns to.
pub fn assigned(block: &Block) -> BTreeSet<String> {
    let mut found = Assigned::default();
    block.visit(&mut found);
    found.0
}

#[derive(Default)]
struct Assigned(BTreeSet<String>);

impl Assigned {
    fn add(&mut self, variable: &Var) {
        if let Var::Name(token) = variable {
            self.0.extend(identifier(token).map(str::to_owned));
        }
    }
}

impl Visitor for Assigned {
    fn visit_assignment(&mut self, assignment: &Assignment) {
        assignment.variables().iter().for_each(|variable| self.add(variable));
    }

    fn visit_compound_assignment(&mut self, assignment: &CompoundAssignment) {
        self.add(assignment.lhs());
    }

    fn visit_function_declaration(&mut self, function: &FunctionDeclaration) {
        let first = function.name().names().iter().next();
        self.0.extend(first.and_then(identifier).map(str::to_owned));
    }
}

impl<'a> Walk<'a> {
    /// The texts that a value may be, if that is known.
    pub(super) fn texts_of(&self, value: &'a Expression) -> Option<Compared> {
        match value {
            Expression::Parentheses { expression, .. } | Expression::TypeAssertion { expression, .. } => {
                self.texts_of(expression)
            }
            Expression::Var(Var::Name(token)) => match self.constant(identifier(token)?)? {
                Holds::Text(compared) => Some(compared),
                Holds::Id => Some(Compared::Id),
                _ => None,
            },
            Expression::FunctionCall(call) => self.texts_of_call(call),
            _ => None,
        }
    }

    fn texts_of_call(&self, call: &'a FunctionCall) -> Option<Compared> {
        let mut suffixes = call.suffixes();
        let (Prefix::Name(token), Some(Suffix::Call(Call::AnonymousCall(arguments))), None) =
            (call.prefix(), suffixes.next(), suffixes.next())
        else {
            return None;
        };
        let name = identifier(token).filter(|name| self.variable(name).is_none())?;
        let d = self.known.d;
        let text = |index: usize| text_of(arguments, index).and_then(literal);
        match name {
            "option" => d.options.get_index_of(text(0)?).map(Compared::Option),
            "zone_of" => Some(Compared::Zone),
            "kind" => Some(Compared::Kind),
            "id" => Some(Compared::Id),
            "name_of" => d.counters.get_index_of(text(0)?).map(Compared::Value),
            "ask" | "choose" => d.prompts.get_index_of(text(1)?).map(Compared::Label),
            _ => None,
        }
    }

    /// Checks a text that a value is compared with.
    pub(super) fn check_comparison(&mut self, value: &'a Expression, text: &'a Expression) {
        let Expression::String(token) = text else { return };
        if let Some(name) = literal(token) {
            self.note_compared(value, name);
        }
        let (Some(name), Some(compared)) = (literal(token), self.texts_of(value)) else { return };
        if let Some(wrong) = self.known.check_compared(compared, name) {
            self.fault(token, wrong.code, wrong.message, wrong.help);
        }
    }
}

/// The argument of a call that is written out as a text.
fn text_of(arguments: &FunctionArgs, index: usize) -> Option<&TokenReference> {
    match arguments {
        FunctionArgs::Parentheses { arguments, .. } => match arguments.iter().nth(index)? {
            Expression::String(token) => Some(token),
            _ => None,
        },
        FunctionArgs::String(token) if index == 0 => Some(token),
        _ => None,
    }
}

impl Known<'_> {
    /// What is wrong with a text that one of a known set is compared with.
    fn check_compared(&self, compared: Compared, name: &str) -> Option<Wrong> {
        let (d, context) = (self.d, Context::default());
        match compared {
            Compared::Zone => self.check(Takes::Name(Sort::Zone), name, context, "=="),
            Compared::Kind => self.check(Takes::Name(Sort::Kind), name, context, "=="),
            Compared::Value(counter) => {
                let context = Context { counter: Some(counter), ..context };
                self.check(Takes::Value, name, context, "==")
            }
            Compared::Label(prompt) => {
                let context = Context { prompt: Some(prompt), ..context };
                self.check(Takes::Choices, name, context, "==")
            }
            Compared::Id => {
                if self.is_doubtful(name) || d.definitions.iter().any(|definition| definition.id == name) {
                    return None;
                }
                let ids = d.definitions.iter().map(|definition| definition.id.as_str());
                let message = format!("no definition has the id `{name}`");
                Some(Wrong { code: "unknown-id", message, help: suggestion(name, ids) })
            }
            Compared::Option(option) => {
                let (option, declared) = d.options.get_index(option)?;
                if self.is_doubtful(option) || declared.values.contains_key(name) {
                    return None;
                }
                let (code, message) = match declared.default {
                    OptionValue::Name(_) => ("unknown-value", format!("`{name}` is not a value of option `{option}`")),
                    OptionValue::Bool(_) => ("wrong-type", format!("option `{option}` is true or false, never a text")),
                    OptionValue::Integer(_) => ("wrong-type", format!("option `{option}` is a number, never a text")),
                };
                Some(Wrong { code, message, help: suggestion(name, declared.values.keys().map(String::as_str)) })
            }
        }
    }
}
