//! Text kernels that write the transcript.

use crate::script::kernels::context::Context;
use crate::script::kernels::faults::unknown;
use crate::state::PositionMut;
use crate::state::layout::word;
use crate::text::TextArg;
use crate::transcript::Line;

/// `log(key, arguments ...)`.
pub fn log(context: &mut Context, position: &mut PositionMut<'_>, a: &[TextArg]) -> Result<(), String> {
    context.grants.guard.writes("log")?;
    add_line(context, position, a, Line::public_line)
}

/// `log_to(player, key, arguments ...)`.
pub fn log_to(context: &mut Context, position: &mut PositionMut<'_>, a: &[TextArg]) -> Result<(), String> {
    context.grants.guard.writes("log_to")?;
    let seat = match a.first() {
        Some(TextArg::Number(n)) if (1.0..=f64::from(position.words[word::PLAYERS])).contains(n) => *n as u8 - 1,
        other => return Err(format!("no player {}", other.unwrap_or(&TextArg::Nil))),
    };
    add_line(context, position, &a[1..], |text| Line::private(seat, text, None))
}

/// Adds a line to the transcript: a declared text, filled with arguments.
fn add_line(
    context: &mut Context,
    position: &mut PositionMut<'_>,
    a: &[TextArg],
    line: impl Fn(String) -> Line,
) -> Result<(), String> {
    let Some(TextArg::Text(key)) = a.first() else { return Err("log: expected the name of a text".into()) };
    let d = context.declarations.clone();
    let Some(template) = d.texts.get(key) else {
        return unknown(context, position, &[TextArg::Text("text".into()), TextArg::Text(key.clone())]);
    };
    context.budget.refund();
    let (round, phase) = (position.words[word::ROUND], position.words[word::PHASE]);
    // A line break in an argument could forge another line.
    let text = || crate::text::fill(&d, position.layout, template, &a[1..]).replace(['\n', '\t'], " ");
    context.traces.say(|| line(text()).at(round, phase));
    Ok(())
}
