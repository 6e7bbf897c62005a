//! Kernels for events, and for current values of attributes.

use crate::script::kernels::context::Context;
use crate::script::kernels::kernel::{Answer, KernelResult, token};
use crate::script::machine::NIL;
use crate::state::PositionMut;
use crate::state::hearing::{EventArgs, Heard, Viewpoint};
use crate::state::layout::{MAX_PLAYERS, word};
use motherlode_content::declare::{Declarations, Event, EventArg, Holder, MAX_ARGS, Moment};

/// Second argument of `hear`: listeners before and instead of the event.
const BEFORE: i32 = 0;
/// Second argument of `hear`: listeners after it that look back, to be found before it happens.
const BACK: i32 = 1;

/// `hear(event, when, ...)`: the player whom the event concerns, then listener, token, player and x of each listener that
/// it reaches; nothing if it reaches none. `when` is 0 for those before and instead of the event, 1 for those after it
/// that look back, 2 for the others.
pub fn hear(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    refresh_values(context, position);
    let Context { declarations: d, heard, more_heard, traces, budget, .. } = context;
    let event = usize::try_from(a[0]).ok().filter(|&event| event < d.events.len()).ok_or("no such event")?;
    let args = event_args(&d.events[event], a, 2);
    match a[1] {
        BEFORE => {
            position.hear(d, event, Moment::Before, args, None, heard);
            position.hear(d, event, Moment::Instead, args, None, more_heard);
            heard.append(more_heard);
        }
        when => position.hear(d, event, Moment::On, args, Some(when == BACK), heard),
    }
    budget.charge(1 + heard.len() as i64);
    if heard.is_empty() {
        return Ok(Answer::Nothing);
    }
    traces.list.clear();
    traces.list.push(position.concerned(&d.events[event], &args));
    for &Heard { listener, token, player, x } in heard.iter() {
        if let Some(reached) = traces.reached.get_mut(listener) {
            *reached = true;
        }
        traces.list.extend([listener as i32 + 1, token, player, x]);
    }
    Ok(Answer::List)
}

/// `arguments(listener, token, player, ...)`: the arguments that a listener changes, each with its new value.
pub fn arguments(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let d = context.declarations.clone();
    refresh_values(context, position);
    let listener = usize::try_from(a[0] - 1).ok().and_then(|index| d.listeners.get(index)).ok_or("no such listener")?;
    let (_, event) = d.events.get_index(listener.event).ok_or("no such event")?;
    let args = event_args(event, a, 3);
    let you = player_given(position, a[2]);
    let mut from = Viewpoint { this: a[1], you, args, x: 0 };
    from.x = listener.x.as_ref().map_or(0, |x| position.number(x, &from));
    let list = &mut context.traces.list;
    list.clear();
    for (arg, formula) in &listener.set {
        list.extend([*arg as i32 + 1, position.number(formula, &from)]);
    }
    Ok(Answer::List)
}

/// `tokens_where(filter, player, source)`: the tokens that a declared filter selects.
pub fn tokens_where(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    refresh_values(context, position);
    let Context { declarations, traces, .. } = context;
    let filter = filter_at(declarations, a[0])?;
    position.select(declarations, filter, given(a[2]), player_given(position, a[1]), &mut traces.list);
    context.budget.charge(position.layout.tokens.len() as i64 / 8);
    Ok(Answer::List)
}

/// `targets(aim, token, player)`: the targets that a player may choose, players as negative numbers.
pub fn targets(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    refresh_values(context, position);
    let Context { declarations, traces, .. } = context;
    let aim = usize::try_from(a[0]).ok().filter(|index| *index < declarations.aims.len()).ok_or("no such target")?;
    position.targets(declarations, aim, given(a[1]), player_given(position, a[2]), &mut traces.list);
    context.budget.charge(position.layout.tokens.len() as i64 / 8);
    Ok(Answer::List)
}

/// `passes(token, filter, player, source)`: 1 if a token passes a declared filter.
pub fn passes(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    refresh_values(context, position);
    let d = &context.declarations;
    let filter = &d.filters[filter_at(d, a[1])?];
    let from = Viewpoint { this: given(a[3]), you: player_given(position, a[2]), ..Viewpoint::default() };
    Ok(Answer::Number(i32::from(position.token_passes(filter, token(position, a[0])?, &from))))
}

fn filter_at(d: &Declarations, index: i32) -> Result<usize, String> {
    usize::try_from(index).ok().filter(|index| *index < d.filters.len()).ok_or_else(|| "no such filter".to_owned())
}

/// A token or a number that a script may omit.
fn given(n: i32) -> i32 {
    if n == NIL { 0 } else { n }
}

/// A player that a script may omit.
fn player_given(position: &PositionMut<'_>, n: i32) -> i32 {
    let n = given(n);
    if n <= position.words[word::PLAYERS] { n } else { 0 }
}

/// `player_on_turn()`: the player from whom listeners are ordered.
pub fn player_on_turn(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], _: &[i32]) -> KernelResult {
    Ok(Answer::Number(position.player_on_turn(&context.declarations).max(1)))
}

/// `refresh()`: computes the current values of attributes.
pub fn refresh(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], _: &[i32]) -> KernelResult {
    refresh_values(context, position);
    Ok(Answer::Nothing)
}

fn refresh_values(context: &Context, position: &mut PositionMut<'_>) {
    if position.layout.reactions.has_current() {
        let work = position.refresh(&context.declarations);
        context.budget.charge(work as i64 / 4);
    }
}

/// `formula(index, token, player, x, ...)`: the value of a formula in the arguments of a verb. Then come the arguments of the event,
/// and a token and a player for each target.
pub fn formula(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let d = context.declarations.clone();
    refresh_values(context, position);
    let formula = usize::try_from(a[0]).ok().and_then(|index| d.formulas.get(index)).ok_or("no such formula")?;
    let from = Viewpoint { this: a[1], you: a[2], args: plain_args(a, 4), x: a[3] };
    context.budget.charge(1 + formula.terms.len() as i64);
    Ok(Answer::Number(position.number(formula, &from)))
}

/// `reset(counter, player)`: sets all holders of a counter to their value at the start, or those of a player.
pub fn reset(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.grants.guard.writes("set")?;
    let counter = usize::try_from(a[0]).ok().filter(|&index| index < position.layout.counters.len());
    let counter = counter.ok_or("no such counter")?;
    let (slot, declared) = (&position.layout.counters[counter], &context.declarations.counters[counter]);
    let start = declared.start.resolve(&context.options).clamp(declared.min, declared.max);
    context.budget.charge(slot.len as i64 / 4);
    let (first, offset) = (slot.first, slot.offset);
    // Mostly all are at their start.
    if position.words[offset..offset + slot.len].iter().fold(0, |bits, value| bits | (value ^ start)) == 0 {
        return Ok(Answer::Nothing);
    }
    let of_token = matches!(declared.per, Holder::Token(_));
    let mut is_stale = false;
    for (holder, at) in (first..).zip(offset..offset + slot.len) {
        if position.words[at] == start {
            continue;
        }
        let player = if of_token { position.player_of(holder) } else { holder };
        if !declared.ends_own || player == a[1] {
            position.words[at] = start;
            is_stale = position.layout.reactions.is_watched(counter);
        }
    }
    if is_stale {
        position.mark_stale();
    }
    Ok(Answer::Nothing)
}

/// The arguments of an event, after others. The holder `game` is no player.
fn event_args(event: &Event, a: &[i32], others: usize) -> EventArgs {
    let mut args = plain_args(a, others);
    for (arg, of) in args.iter_mut().zip(event.args.values()) {
        if *of == EventArg::Player && *arg > MAX_PLAYERS as i32 {
            *arg = 0;
        }
    }
    args
}

fn plain_args(a: &[i32], others: usize) -> EventArgs {
    let mut args = [0; MAX_ARGS];
    for (into, value) in args.iter_mut().zip(a.iter().skip(others)) {
        *into = given(*value);
    }
    args
}
