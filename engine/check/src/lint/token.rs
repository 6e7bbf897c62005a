//! What a token or a plain expression says as it is written.

use full_moon::ast::{Call, Expression, Prefix, Suffix};
use full_moon::tokenizer::{TokenReference, TokenType};

/// The name a token is.
pub(super) fn identifier(token: &TokenReference) -> Option<&str> {
    match token.token_type() {
        TokenType::Identifier { identifier } => Some(identifier.as_str()),
        _ => None,
    }
}

/// The text a token is, if it is written as it is.
pub(super) fn literal(token: &TokenReference) -> Option<&str> {
    match token.token_type() {
        TokenType::StringLiteral { literal, .. } if !literal.contains('\\') => Some(literal.as_str()),
        _ => None,
    }
}

/// The function called by a plain name, if the expression is such a call.
pub(super) fn called(expression: &Expression) -> Option<&str> {
    let Expression::FunctionCall(call) = expression else { return None };
    let mut suffixes = call.suffixes();
    match (call.prefix(), suffixes.next(), suffixes.next()) {
        (Prefix::Name(token), Some(Suffix::Call(Call::AnonymousCall(_))), None) => identifier(token),
        _ => None,
    }
}
