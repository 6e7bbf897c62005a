//! The text kernels that record refused choices.

use crate::script::kernels::context::Context;
use crate::script::machine::refusal::{RefusedChoice, RefusedTest};
use crate::state::PositionMut;
use crate::text::TextArg;

/// `refuse(choice, reason, arguments ...)`: records that a choice is impossible. The reason is the name of a text or a
/// sentence.
pub fn refuse(context: &mut Context, position: &mut PositionMut<'_>, a: &[TextArg]) -> Result<(), String> {
    let choice = match a.first() {
        Some(TextArg::Text(label)) => RefusedChoice::Label(label.clone()),
        Some(TextArg::Number(number)) => RefusedChoice::Value(*number as i32),
        _ => return Ok(()),
    };
    record(context, position, choice, &a[1..]);
    Ok(())
}

/// `refuse_token(token, reason, hook)`: records that a hook of a token is impossible.
pub fn refuse_token(context: &mut Context, position: &mut PositionMut<'_>, a: &[TextArg]) -> Result<(), String> {
    if let [TextArg::Number(token), reason, TextArg::Text(hook)] = a {
        record(context, position, RefusedChoice::Token(*token as i32, hook.clone()), std::slice::from_ref(reason));
    }
    Ok(())
}

fn record(context: &mut Context, position: &PositionMut<'_>, choice: RefusedChoice, a: &[TextArg]) {
    context.budget.refund();
    let Some(TextArg::Text(reason)) = a.first() else { return };
    let d = context.declarations.clone();
    let reason = match d.texts.get(reason) {
        Some(text) => crate::text::fill(&d, position.layout, text, &a[1..]),
        None => reason.clone(),
    };
    let seat = context.grants.seat;
    context.traces.refuse(RefusedTest { seat, choice, reason: reason.replace(['\n', '\t'], " ") });
}
