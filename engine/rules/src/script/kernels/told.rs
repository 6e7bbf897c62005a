//! Text kernels that record events and listeners while the transcript is on. They cost no steps: a match must play the
//! same with and without a transcript.

use crate::script::kernels::context::Context;
use crate::script::machine::fact::{Fact, known_args};
use crate::script::machine::guard::Guard;
use crate::state::PositionMut;
use crate::state::hearing::EventArgs;
use crate::state::layout::word;
use crate::state::position::EVERYBODY;
use crate::text::TextArg;
use crate::transcript::Line;
use motherlode_content::declare::{Bearer, Declarations, Event, EventArg, MAX_ARGS};
use motherlode_content::reaction_text::listener_start;

/// `happened(event, is_early, arguments ...)`: records an event and its parts. With `is_early`, before the event, only the
/// parts that ask where a token came from.
pub fn happened(context: &mut Context, position: &mut PositionMut<'_>, a: &[TextArg]) -> Result<(), String> {
    context.budget.refund();
    let (Some(TextArg::Number(event)), Some(TextArg::Bool(is_early))) = (a.first(), a.get(1)) else {
        return Err("happened: expected an event".into());
    };
    if matches!(context.grants.guard, Guard::Looks(_)) {
        return Ok(());
    }
    let d = context.declarations.clone();
    let number = *event as usize;
    let Some((_, event)) = d.events.get_index(number) else { return Err("no such event".into()) };
    let args = event_args(&d, event, &a[2..]);
    for part in position.parts(&d, number, args, *is_early) {
        context.traces.emit(part, args);
        context.traces.note(|| Fact::Event { event: part, args, known: known_args(&d, position, part, args) });
    }
    if !is_early {
        context.traces.emit(number, args);
        context.traces.note(|| Fact::Event { event: number, args, known: known_args(&d, position, number, args) });
    }
    Ok(())
}

fn event_args(d: &Declarations, event: &Event, given: &[TextArg]) -> EventArgs {
    let mut args = [0; MAX_ARGS];
    for ((into, of), value) in args.iter_mut().zip(event.args.values()).zip(given) {
        let named = |index: Option<usize>| index.map_or(0, |index| index as i32 + 1);
        *into = match (value, of) {
            (TextArg::Text(name), EventArg::Zone) => named(d.zones.get_index_of(name)),
            (TextArg::Text(name), EventArg::Counter) => named(d.counters.get_index_of(name)),
            (TextArg::Text(name), EventArg::Phase) => named(d.phases.get_index_of(name)),
            (TextArg::Number(number), _) => *number as i32,
            _ => 0,
        };
    }
    args
}

/// `acts(listener, token)`: adds the line of a listener that acts, for those who see its token.
pub fn acts(context: &mut Context, position: &mut PositionMut<'_>, a: &[TextArg]) -> Result<(), String> {
    context.budget.refund();
    let (Some(TextArg::Number(listener)), token) = (a.first(), a.get(1)) else {
        return Err("acts: expected a listener".into());
    };
    let token = if let Some(TextArg::Number(token)) = token { *token as i32 } else { 0 };
    let d = context.declarations.clone();
    let Some(listener) = d.listeners.get(*listener as usize - 1) else { return Err("no such listener".into()) };
    if matches!(context.grants.guard, Guard::Looks(_)) {
        return Ok(());
    }
    let name = match listener.bearer {
        _ if token > 0 => crate::text::token_name(&d, position.layout, token),
        Bearer::Definition(definition) => d.definitions[definition].name.clone(),
        Bearer::Game | Bearer::Players | Bearer::Kind(_) => return Ok(()),
    };
    say(context, position, token, format!("{name}: {}", listener_start(&d, listener)));
    Ok(())
}

/// `fizzles(token)`: adds the line of a token whose target is gone.
pub fn fizzles(context: &mut Context, position: &mut PositionMut<'_>, a: &[TextArg]) -> Result<(), String> {
    context.budget.refund();
    let Some(TextArg::Number(token)) = a.first() else { return Err("fizzles: expected a token".into()) };
    if !matches!(context.grants.guard, Guard::Looks(_)) {
        let (token, d) = (*token as i32, context.declarations.clone());
        let name = crate::text::token_name(&d, position.layout, token);
        say(context, position, token, format!("{name}: the target is gone"));
    }
    Ok(())
}

/// Adds a line for those who see a token; for everybody, if it is 0.
fn say(context: &mut Context, position: &PositionMut<'_>, token: i32, text: String) {
    let (round, phase) = (position.words[word::ROUND], position.words[word::PHASE]);
    let text = text.replace(['\n', '\t'], " ");
    let seers = match position.pile_of(token) {
        None if token > 0 => return,
        None => EVERYBODY,
        Some(_) => position.identified_by(token),
    };
    if seers == EVERYBODY {
        context.traces.say(|| Line::public_line(text).at(round, phase));
        return;
    }
    for seat in 0..position.words[word::PLAYERS] as u8 {
        if seers >> (seat + 1) & 1 == 1 {
            context.traces.say(|| Line::private(seat, text.clone(), None).at(round, phase));
        }
    }
}
