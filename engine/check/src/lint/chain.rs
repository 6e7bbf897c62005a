//! Chains: a name or an expression with the calls and fields that follow it.

use full_moon::ast::{Call, FunctionArgs, FunctionCall, Index, Prefix, Suffix};
use full_moon::tokenizer::TokenReference;

use crate::lint::library;
use crate::lint::names::{Holds, Use};
use crate::lint::token::identifier;
use crate::lint::walk::Walk;
use motherlode_content::diagnostic::nearest;

impl<'a> Walk<'a> {
    pub(super) fn call(&mut self, call: &'a FunctionCall) {
        self.chain(call.prefix(), call.suffixes());
    }

    /// `name(...)`, `name.field`, `(expression):method(...)` and what may follow.
    pub(super) fn chain(&mut self, prefix: &'a Prefix, suffixes: impl Iterator<Item = &'a Suffix>) {
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

    fn library_field(&mut self, table: &str, field: &'a TokenReference) {
        let (Some(known), Some(name)) = (library::fields(table), identifier(field)) else { return };
        if !known.contains(&name) {
            let help = nearest(name, known.iter().copied()).map(|near| format!("did you mean `{table}.{near}`?"));
            self.fault(field, "unknown-function", format!("there is no `{table}.{name}`"), help);
        }
    }
}
