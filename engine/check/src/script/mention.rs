//! Texts that stand, or end up, where a name is expected.

use full_moon::ast::{Expression, Field};
use full_moon::tokenizer::TokenReference;

use crate::script::call::{Argument, Call, Callee, Calls};
use crate::script::known::Context;
use crate::script::resolve::Names;
use crate::script::signature::Takes;
use crate::script::token::{branches, literal};
use crate::script::value::{Holds, Texts, Values, element};
use motherlode_content::declare::Declarations;
use motherlode_content::sort::Sort;

/// A text that must be a name.
#[derive(Debug)]
pub struct Mention<'a> {
    /// Where it stands.
    pub token: &'a TokenReference,
    /// The same as text.
    pub name: &'a str,
    /// What it must name.
    pub takes: Takes,
    /// What the other arguments of the call say about it.
    pub context: Context,
    /// The accessor that wants the name; `==`: it is compared with one.
    pub by: &'static str,
}

/// A value that an accessor takes as a name, and that is not written out there.
#[derive(Debug)]
pub struct Open<'a> {
    /// The value.
    pub value: &'a Expression,
    /// What it must name.
    pub sort: Sort,
    /// The accessor.
    pub accessor: &'static str,
    /// The value is a list of such names.
    pub elements: bool,
}

/// What accessors are called with.
#[derive(Debug, Default)]
pub struct Mentions<'a> {
    /// Texts that are written out.
    pub closed: Vec<Mention<'a>>,
    /// All other values.
    pub open: Vec<Open<'a>>,
    /// Sorts of names that may come from anywhere.
    pub dynamic: Vec<Sort>,
}

/// The texts an argument may be.
#[derive(Debug, Default)]
pub struct Written<'a> {
    /// Those that are written out.
    pub tokens: Vec<&'a TokenReference>,
    /// Whether it may be something else, too.
    pub more: bool,
}

impl<'a> Written<'a> {
    /// Reads them off an argument.
    pub fn of(argument: Argument<'a>) -> Self {
        let mut written = Self::default();
        match argument {
            Argument::Text(token) => written.tokens.push(token),
            Argument::Expression(expression) => written.read(expression),
            Argument::Table(_) => written.more = true,
        }
        written
    }

    fn read(&mut self, expression: &'a Expression) {
        match expression {
            Expression::String(token) => {
                self.more |= literal(token).is_none();
                self.tokens.push(token);
            }
            // `nil` in place of an optional name.
            Expression::Symbol(token) => self.more |= token.token().to_string() == "...",
            Expression::Number(_) => {}
            _ => {
                let branches = branches(expression);
                self.more |= branches.is_empty();
                branches.into_iter().for_each(|branch| self.read(branch));
            }
        }
    }

    /// The texts, with where they stand.
    pub fn names(&self) -> impl Iterator<Item = (&'a TokenReference, &'a str)> {
        self.tokens.iter().filter_map(|token| Some((*token, literal(token)?)))
    }
}

/// What the accessors of a script are called with.
pub fn in_calls<'a>(names: &Names<'a>, values: &Values, calls: &Calls<'a>, d: &Declarations) -> Mentions<'a> {
    let mut reading = Reading { mentions: Mentions::default(), names, values };
    for call in &calls.list {
        if let Callee::Accessor(accessor, signature) = call.callee {
            reading.call(call, accessor, &signature.takes, d);
        }
    }
    reading.mentions
}

struct Reading<'r, 'a> {
    mentions: Mentions<'a>,
    names: &'r Names<'a>,
    values: &'r Values,
}

impl<'a> Reading<'_, 'a> {
    fn call(&mut self, call: &Call<'a>, by: &'static str, takes: &[Takes], d: &Declarations) {
        let mut context = Context::default();
        for (argument, takes) in call.arguments.iter().zip(takes) {
            match takes {
                Takes::Any => {}
                // A reaction window closes with the label `pass`.
                Takes::Name(Sort::Prompt) if by == "ask_in_turn" => {
                    let written = self.argument(*argument, *takes, context, by);
                    for (token, name) in written.names() {
                        context.learn(*takes, name, d);
                        self.mentions.closed.push(Mention { token, name: "pass", takes: Takes::Choices, context, by });
                    }
                }
                Takes::Choices => self.choices(*argument, context, by),
                _ => {
                    let written = self.argument(*argument, *takes, context, by);
                    if let (Some((_, name)), 1, false) = (written.names().next(), written.tokens.len(), written.more) {
                        context.learn(*takes, name, d);
                    }
                }
            }
        }
    }

    fn argument(&mut self, argument: Argument<'a>, takes: Takes, context: Context, by: &'static str) -> Written<'a> {
        let written = Written::of(argument);
        match takes {
            Takes::Name(sort) => {
                self.note_dynamic(argument, sort, written.more);
                if let Argument::Expression(value) = argument {
                    self.mentions.open.push(Open { value, sort, accessor: by, elements: false });
                }
            }
            Takes::CounterOrFamily => self.note_dynamic(argument, Sort::Counter, written.more),
            _ => {}
        }
        self.add(&written, takes, context, by);
        written
    }

    fn add(&mut self, written: &Written<'a>, takes: Takes, context: Context, by: &'static str) {
        let mention = |(token, name)| Mention { token, name, takes, context, by };
        self.mentions.closed.extend(written.names().map(mention));
    }

    /// A list of choices: the texts in it must be labels of the prompt.
    fn choices(&mut self, argument: Argument<'a>, context: Context, by: &'static str) {
        let table = match argument {
            Argument::Table(table) | Argument::Expression(Expression::TableConstructor(table)) => table,
            Argument::Expression(list) if self.is_plain_list(list) => return,
            // It lists them itself, with `choice`.
            Argument::Expression(Expression::Function(_)) => return,
            Argument::Expression(value) => {
                self.mentions.open.push(Open { value, sort: Sort::Label, accessor: by, elements: true });
                return self.mentions.dynamic.push(Sort::Label);
            }
            Argument::Text(_) => return self.mentions.dynamic.push(Sort::Label),
        };
        for field in table.fields() {
            let Field::NoKey(value) = field else { continue };
            let written = Written::of(Argument::Expression(value));
            self.note_dynamic(Argument::Expression(value), Sort::Label, written.more);
            self.add(&written, Takes::Choices, context, by);
        }
    }

    /// Whether all elements of a list are numbers or ids.
    fn is_plain_list(&self, list: &Expression) -> bool {
        element(self.names, list).is_some()
    }

    /// A name that is not written out may be any of its sort.
    fn note_dynamic(&mut self, argument: Argument<'a>, sort: Sort, more: bool) {
        let holds = match argument {
            Argument::Expression(expression) => self.values.of_expression(self.names, expression),
            _ => Holds::Anything,
        };
        if more && (sort != Sort::Label || !matches!(holds, Holds::Number | Holds::Id)) {
            self.mentions.dynamic.push(sort);
        }
    }
}

/// Texts that are compared with what is one of a known set: those that are not among them are never equal.
pub fn in_comparisons<'a>(names: &Names<'a>, values: &Values, d: &Declarations) -> Vec<Mention<'a>> {
    let mut found = Vec::new();
    for (value, other) in &names.comparisons {
        let Expression::String(token) = other else { continue };
        let (Some(name), Some(texts)) = (literal(token), values.texts(names, d, value)) else { continue };
        let mut context = Context::default();
        let takes = match texts {
            Texts::Zone => Takes::Name(Sort::Zone),
            Texts::Kind => Takes::Name(Sort::Kind),
            Texts::Id => Takes::AnyId,
            Texts::Option(option) => {
                context.option = Some(option);
                Takes::OptionValue
            }
            Texts::Value(counter) => {
                context.counter = Some(counter);
                Takes::Value
            }
            Texts::Label(prompt) => {
                context.prompt = Some(prompt);
                Takes::Choices
            }
        };
        found.push(Mention { token, name, takes, context, by: "==" });
    }
    found
}
