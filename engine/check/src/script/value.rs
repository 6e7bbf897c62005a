//! What values are, as far as that can be seen without running the script.

use std::collections::BTreeMap;

use full_moon::ast::{BinOp, Expression, FunctionArgs, FunctionCall, UnOp, Var};
use full_moon::tokenizer::TokenReference;

use crate::script::place::Places;
use crate::script::resolve::{Given, Names};
use crate::script::signature::{Kind, SIGNATURES, Signature, Yields};
use crate::script::token::{called, literal, plain_call};
use motherlode_content::declare::Declarations;

/// What is known of a variable's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// A number.
    Number,
    /// The id of a definition.
    Id,
    /// One of a known set of texts.
    Text(Texts),
    /// A function of the script, by its index.
    Function(usize),
    /// The arguments of this verb.
    Args(usize),
    /// It may be anything.
    Anything,
}

/// A known set of texts; indices into the declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texts {
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

/// What the variables of a script hold.
#[derive(Debug)]
pub struct Values {
    holds: Vec<Holds>,
}

impl Values {
    /// Looks at what each variable is declared with; `verb_args` are the places of parameters that get a verb's arguments.
    pub fn of(names: &Names<'_>, verb_args: &BTreeMap<usize, usize>, d: &Declarations) -> Self {
        let mut values = Self { holds: Vec::with_capacity(names.variables.len()) };
        // A value names only variables that are declared before it.
        for variable in &names.variables {
            let args = || variable.token.and_then(|token| verb_args.get(&Places::start(token)));
            let holds = match variable.given {
                Given::Value(value) => values.texts(names, d, value).map_or(Holds::Anything, Holds::Text),
                Given::Function(index) => Holds::Function(index),
                Given::Number => Holds::Number,
                Given::Element(position, list) => match element(names, list) {
                    Some(_) if position == 0 => Holds::Number,
                    Some(element) => element,
                    None => Holds::Anything,
                },
                Given::Nothing => Holds::Anything,
                Given::Anything => args().map_or(Holds::Anything, |verb| Holds::Args(*verb)),
            };
            values.holds.push(holds);
        }
        values
    }

    /// What a variable holds when it is declared.
    pub fn of_variable(&self, variable: usize) -> Holds {
        self.holds.get(variable).copied().unwrap_or(Holds::Anything)
    }

    /// What a variable holds that is never assigned to again.
    pub fn of_constant(&self, names: &Names<'_>, token: &TokenReference) -> Option<Holds> {
        names.constant(token).map(|variable| self.of_variable(variable))
    }

    /// What an expression is, if it is a number or a variable.
    pub fn of_expression(&self, names: &Names<'_>, value: &Expression) -> Holds {
        match value {
            Expression::Number(_) => Holds::Number,
            Expression::Parentheses { expression, .. } => self.of_expression(names, expression),
            Expression::Var(Var::Name(token)) => {
                names.variable(token).map_or(Holds::Anything, |variable| self.of_variable(variable))
            }
            _ => Holds::Anything,
        }
    }

    /// The texts that a value may be, if that is known.
    pub fn texts(&self, names: &Names<'_>, d: &Declarations, value: &Expression) -> Option<Texts> {
        match value {
            Expression::Parentheses { expression, .. } | Expression::TypeAssertion { expression, .. } => {
                self.texts(names, d, expression)
            }
            Expression::Var(Var::Name(token)) => match self.of_constant(names, token)? {
                Holds::Text(texts) => Some(texts),
                Holds::Id => Some(Texts::Id),
                _ => None,
            },
            Expression::FunctionCall(call) => texts_of_call(names, d, call),
            _ => None,
        }
    }

    /// What sort of value an expression is.
    pub fn kind(&self, names: &Names<'_>, value: &Expression) -> Option<Kind> {
        match value {
            Expression::Number(_) => Some(Kind::Number),
            Expression::String(_) | Expression::InterpolatedString(_) => Some(Kind::Text),
            Expression::TableConstructor(_) => Some(Kind::Table),
            Expression::Function(_) => Some(Kind::Function),
            Expression::Symbol(token) => match token.token().to_string().as_str() {
                "true" | "false" => Some(Kind::Boolean),
                "nil" => Some(Kind::Nothing),
                _ => None,
            },
            Expression::Parentheses { expression, .. } => self.kind(names, expression),
            Expression::UnaryOperator { unop, .. } => match unop {
                UnOp::Not(_) => Some(Kind::Boolean),
                UnOp::Minus(_) | UnOp::Hash(_) => Some(Kind::Number),
                _ => None,
            },
            Expression::BinaryOperator { binop, .. } => kind_of_operator(binop),
            Expression::Var(Var::Name(token)) => self.kind_of_name(names, token),
            Expression::FunctionCall(_) => accessor(names, called(value)?)?.result,
            _ => None,
        }
    }

    fn kind_of_name(&self, names: &Names<'_>, token: &TokenReference) -> Option<Kind> {
        if names.variable(token).is_none() {
            let signature = accessor(names, token)?;
            return if signature.callable { Some(Kind::Function) } else { signature.result };
        }
        match self.of_constant(names, token)? {
            Holds::Number => Some(Kind::Number),
            // The answer to a question may be a number as well as a label, the value of an option may be anything.
            Holds::Text(Texts::Label(_) | Texts::Option(_)) => None,
            Holds::Id | Holds::Text(_) => Some(Kind::Text),
            Holds::Function(_) => Some(Kind::Function),
            Holds::Args(_) | Holds::Anything => None,
        }
    }
}

fn kind_of_operator(operator: &BinOp) -> Option<Kind> {
    match operator {
        BinOp::And(_) | BinOp::Or(_) => None,
        BinOp::TwoDots(_) => Some(Kind::Text),
        BinOp::Plus(_)
        | BinOp::Minus(_)
        | BinOp::Star(_)
        | BinOp::Slash(_)
        | BinOp::DoubleSlash(_)
        | BinOp::Percent(_)
        | BinOp::Caret(_) => Some(Kind::Number),
        _ => Some(Kind::Boolean),
    }
}

/// The accessor that a name means.
fn accessor(names: &Names<'_>, token: &TokenReference) -> Option<&'static Signature> {
    SIGNATURES.get(names.free(token)?)
}

/// What the elements of a list are, if an accessor makes it and says so.
pub fn element(names: &Names<'_>, list: &Expression) -> Option<Holds> {
    match accessor(names, called(list)?)?.yields {
        Yields::Numbers => Some(Holds::Number),
        Yields::Ids => Some(Holds::Id),
        Yields::Any => None,
    }
}

fn texts_of_call(names: &Names<'_>, d: &Declarations, call: &FunctionCall) -> Option<Texts> {
    let (token, arguments) = plain_call(call)?;
    let text = |index: usize| text_of(arguments, index).and_then(literal);
    match names.free(token)? {
        "option" => d.options.get_index_of(text(0)?).map(Texts::Option),
        "zone_of" => Some(Texts::Zone),
        "kind" => Some(Texts::Kind),
        "id" => Some(Texts::Id),
        "name_of" => d.counters.get_index_of(text(0)?).map(Texts::Value),
        "ask" | "choose" => d.prompts.get_index_of(text(1)?).map(Texts::Label),
        _ => None,
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
