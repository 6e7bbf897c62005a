//! Sorts of values: a text is no number, wherever that can be seen without running the script.

use full_moon::ast::{BinOp, Call, Expression, FunctionArgs, Index, Suffix, UnOp, Var};
use full_moon::tokenizer::TokenReference;

use crate::lint::calls::{Argument, Counts};
use crate::lint::compared::Compared;
use crate::lint::library;
use crate::lint::names::Holds;
use crate::lint::signature::{Kind, SIGNATURES, Signature};
use crate::lint::token::{called, identifier};
use crate::lint::walk::Walk;

impl<'a> Walk<'a> {
    /// What sort of value an expression is, as far as that can be seen.
    fn kind_of(&self, value: &'a Expression) -> Option<Kind> {
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
            Expression::Parentheses { expression, .. } => self.kind_of(expression),
            Expression::UnaryOperator { unop, .. } => match unop {
                UnOp::Not(_) => Some(Kind::Boolean),
                UnOp::Minus(_) | UnOp::Hash(_) => Some(Kind::Number),
                _ => None,
            },
            Expression::BinaryOperator { binop, .. } => match binop {
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
            },
            Expression::Var(Var::Name(token)) => self.kind_of_name(identifier(token)?),
            Expression::FunctionCall(_) => {
                let name = called(value).filter(|name| self.variable(name).is_none())?;
                SIGNATURES.get(name)?.result
            }
            _ => None,
        }
    }

    fn kind_of_name(&self, name: &str) -> Option<Kind> {
        match self.constant(name) {
            Some(Holds::Number) => Some(Kind::Number),
            // The answer to a question may be a number as well as a label, the value of an option may be anything.
            Some(Holds::Text(Compared::Label(_) | Compared::Option(_))) => None,
            Some(Holds::Id | Holds::Text(_)) => Some(Kind::Text),
            Some(Holds::Function(_)) => Some(Kind::Function),
            Some(_) => None,
            None if self.variable(name).is_some() => None,
            None => match SIGNATURES.get(name) {
                Some(signature) if signature.callable => Some(Kind::Function),
                Some(signature) => signature.result,
                None => None,
            },
        }
    }

    fn kind_of_argument(&self, argument: Argument<'a>) -> Option<Kind> {
        match argument {
            Argument::Expression(expression) => self.kind_of(expression),
            Argument::Text(_) => Some(Kind::Text),
            Argument::Table(_) => Some(Kind::Table),
        }
    }

    /// Checks the sorts of the arguments of an accessor.
    pub(super) fn check_kinds(&mut self, name: &str, signature: &Signature, list: &[Argument<'a>]) {
        for (argument, parameter) in list.iter().zip(&signature.parameters) {
            let Some((found, wanted)) = self.kind_of_argument(*argument).zip(parameter.of) else { continue };
            if found != wanted && !(found == Kind::Nothing && parameter.optional) {
                let message = format!("`{}` of `{name}` is {}, not {}", parameter.name, wanted.word(), found.word());
                self.fault_of(*argument, "wrong-type", message, Some(format!("call it as `{}`", signature.text)));
            }
        }
    }

    /// Checks a call of a function of Luau's library; one of no table is plain.
    pub(super) fn check_library_call(&mut self, table: &str, at: &'a TokenReference, arguments: &'a FunctionArgs) {
        let Some(field) = identifier(at) else { return };
        let (Some((list, exact)), Some((least, most))) = (self.list(arguments), library::counts(table, field)) else {
            return;
        };
        let shown = if table.is_empty() { field.to_owned() } else { format!("{table}.{field}") };
        if !self.count_arguments(at, &shown, &Counts { least, most, text: "" }, list.len(), exact) {
            return;
        }
        for (index, argument) in list.iter().enumerate() {
            let Some((found, wanted)) = self.kind_of_argument(*argument).zip(library::takes(table, index)) else {
                continue;
            };
            // `table.create(n)` makes a table.
            if found != wanted && field != "create" && field != "pack" {
                let message = format!("`{shown}` takes {}, not {}", wanted.word(), found.word());
                self.fault_of(*argument, "wrong-type", message, None);
            }
        }
    }

    fn fault_of(&mut self, argument: Argument<'a>, code: &'static str, message: String, help: Option<String>) {
        match argument {
            Argument::Expression(expression) => self.fault(expression, code, message, help),
            Argument::Text(token) => self.fault(token, code, message, help),
            Argument::Table(table) => self.fault(table, code, message, help),
        }
    }

    /// The function of Luau's library that a chain calls: `math.max(...)`.
    pub(super) fn called_in_library(suffixes: &[&'a Suffix]) -> Option<(&'a TokenReference, &'a FunctionArgs)> {
        match suffixes {
            [Suffix::Index(Index::Dot { name, .. }), Suffix::Call(Call::AnonymousCall(arguments)), ..] => {
                Some((name, arguments))
            }
            _ => None,
        }
    }
}
