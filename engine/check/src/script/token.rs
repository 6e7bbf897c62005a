//! Helpers to read tokens and plain expressions.

use full_moon::ast::{BinOp, Call, Expression, FunctionArgs, FunctionCall, Index, Prefix, Suffix, Var};
use full_moon::tokenizer::{TokenReference, TokenType};

/// Returns the name of an identifier token.
pub fn identifier(token: &TokenReference) -> Option<&str> {
    match token.token_type() {
        TokenType::Identifier { identifier } => Some(identifier.as_str()),
        _ => None,
    }
}

/// Returns the text of a string token without escapes.
pub fn literal(token: &TokenReference) -> Option<&str> {
    match token.token_type() {
        TokenType::StringLiteral { literal, .. } if !literal.contains('\\') => Some(literal.as_str()),
        _ => None,
    }
}

/// Returns the name and the arguments of a plain call, `name(...)`.
pub fn plain_call(call: &FunctionCall) -> Option<(&TokenReference, &FunctionArgs)> {
    let mut suffixes = call.suffixes();
    match (call.prefix(), suffixes.next(), suffixes.next()) {
        (Prefix::Name(token), Some(Suffix::Call(Call::AnonymousCall(arguments))), None) => Some((token, arguments)),
        _ => None,
    }
}

/// Returns the two names of `name.field`.
pub fn plain_field(target: &Var) -> Option<(&TokenReference, &TokenReference)> {
    let Var::Expression(target) = target else { return None };
    let mut suffixes = target.suffixes();
    match (target.prefix(), suffixes.next(), suffixes.next()) {
        (Prefix::Name(name), Some(Suffix::Index(Index::Dot { name: field, .. })), None) => Some((name, field)),
        _ => None,
    }
}

/// Returns the name of the function if the expression is a plain call.
pub fn callee(expression: &Expression) -> Option<&TokenReference> {
    let Expression::FunctionCall(call) = expression else { return None };
    plain_call(call).map(|(token, _)| token)
}

/// Returns the possible values of an expression: `if x then a else b`, `x and a or b`, `(a)`.
pub fn branches(value: &Expression) -> Vec<&Expression> {
    match value {
        Expression::Parentheses { expression, .. } | Expression::TypeAssertion { expression, .. } => vec![expression],
        Expression::IfExpression(inner) => {
            let others = inner.else_if_expressions().into_iter().flatten().map(|other| other.expression());
            let first = std::iter::once(inner.if_expression());
            first.chain(others).chain(std::iter::once(inner.else_expression())).collect()
        }
        // A false left side of `and` is no name.
        Expression::BinaryOperator { binop: BinOp::And(_), rhs, .. } => vec![rhs],
        Expression::BinaryOperator { lhs, binop: BinOp::Or(_), rhs } => vec![lhs, rhs],
        _ => Vec::new(),
    }
}
