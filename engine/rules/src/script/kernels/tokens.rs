//! Kernels that move, show and locate tokens.

use crate::script::kernels::chance::use_chance;
use crate::script::kernels::context::Context;
use crate::script::kernels::kernel::{Answer, KernelResult, all_tokens, pile, player, token};
use crate::script::machine::fact::{Fact, identified_by};
use crate::script::machine::{NIL, fixed};
use crate::state::PositionMut;

pub fn move_over(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.grants.guard.writes("move")?;
    move_token(context, position, a, 0)
}

/// `move_under(token, pile, above)`: moves a token beneath so many top tokens; without a number, beneath all.
pub fn move_under(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.grants.guard.writes("move_under")?;
    let above = match a[2] {
        NIL => usize::MAX,
        n => usize::try_from(n).map_err(|_| format!("`move_under` counts the tokens above from 0, not from {n}"))?,
    };
    move_token(context, position, a, above)
}

/// `remove(token)`: takes a token out of its zone, so that `create` may use it again.
pub fn remove(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.grants.guard.writes("remove")?;
    let token = token(position, a[0])?;
    context.grants.guard.token(&context.declarations, position, token)?;
    let kind = position.layout.tokens[token as usize - 1].kind;
    let (name, declared) = context.declarations.kinds.get_index(kind).ok_or("no such kind")?;
    if declared.zone.is_some() {
        return Err(format!(
            "tokens of kind `{name}` start in a zone: move them to another zone instead of removing them"
        ));
    }
    context.touch(position, token, None);
    context.budget.charge(all_tokens(position) / 8);
    let from = position.pile_of(token).map(|pile| position.layout.piles[pile].zone);
    mark_zones(position, [from, None]);
    let left = context.traces.departure(&context.declarations, position, token);
    position.unmix(token);
    position.lift(token);
    position.end_statements(token);
    context.traces.note_move(&context.declarations, position, token, left);
    if let Some(from) = from {
        lose_counters(context, position, token, from, None);
    }
    Ok(Answer::Nothing)
}

/// Resets the counters that count only within the zones that a token has left.
fn lose_counters(context: &Context, position: &mut PositionMut<'_>, token: i32, from: usize, to: Option<usize>) {
    let layout = position.layout;
    for counter in layout.reactions.lost_between(from, to) {
        let declared = &context.declarations.counters[counter];
        let start = declared.start.resolve(&context.options).clamp(declared.min, declared.max);
        if let Some(at) = layout.counter_word(counter, token) {
            position.words[at] = start;
        }
        if layout.reactions.is_watched(counter) {
            position.mark_stale();
        }
    }
}

/// Marks the current values as out of date if they may depend on tokens in one of these zones.
fn mark_zones(position: &mut PositionMut<'_>, zones: [Option<usize>; 2]) {
    if zones.into_iter().flatten().any(|zone| position.layout.reactions.is_watched_zone(zone)) {
        position.mark_stale();
    }
}

pub fn draw(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.grants.guard.writes("draw")?;
    let (from, to) = (pile(position, a[0])?, pile(position, a[1])?);
    context.grants.guard.pile(&context.declarations, position.layout, from)?;
    let reserve = reserve_of(context, position, from);
    let shuffles = position.tokens(from).is_empty() && reserve.is_some_and(|r| !position.tokens(r).is_empty());
    if shuffles {
        use_chance(context, "draw")?;
        context.budget.charge(all_tokens(position) * 4);
    }
    let Some(mut token) = fixed::draw(context.grants.fixed.as_mut(), position, from, reserve)? else {
        return Ok(Answer::Nothing);
    };
    if shuffles {
        mark_zones(position, [Some(from), reserve].map(|pile| pile.map(|pile| position.layout.piles[pile].zone)));
        context.traces.note(|| Fact::Shuffle { pile: from, with: reserve });
    }
    if let Some(chance) = context.grants.chance.as_mut().filter(|_| shuffles) {
        chance.shuffle(position, from);
        token = position.tokens(from).last().copied().unwrap_or(token);
    }
    place(context, position, token, to, 0, false)?;
    Ok(Answer::Number(token))
}

/// `can_draw(from, to)`: 1 if `draw` would move a token.
pub fn can_draw(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let (from, to) = (pile(position, a[0])?, pile(position, a[1])?);
    let is_empty = |pile: usize| position.tokens(pile).is_empty();
    // A token drawn into its own pile leaves it first.
    let room = from == to || position.tokens(to).len() < position.layout.piles[to].capacity;
    let refills =
        || context.grants.seat.is_none() && reserve_of(context, position, from).is_some_and(|pile| !is_empty(pile));
    Ok(Answer::Number(i32::from(room && (!is_empty(from) || refills()))))
}

pub fn cards(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let tokens = position.tokens(pile(position, a[0])?);
    context.budget.charge(tokens.len() as i64);
    context.traces.list.clear();
    context.traces.list.extend_from_slice(tokens);
    Ok(Answer::List)
}

pub fn pile_of(_: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let token = token(position, a[0])?;
    Ok(Answer::Number(position.pile_of(token).map_or(0, |pile| pile as i32 + 1)))
}

pub fn seen(_: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let token = token(position, a[0])?;
    Ok(Answer::Number(position.seen(token)))
}

/// Third argument of `set_seen` that shows a token to a player. Its second argument must then be a player, not the
/// face.
const SHOW: i32 = 3;

/// `set_seen(token, bit, on)`: bit 0 is the face, bit p is set if player p has seen the token.
pub fn set_seen(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.grants.guard.writes(match a[2] {
        SHOW => "show",
        0 => "turn_down",
        _ => "turn_up",
    })?;
    let token = token(position, a[0])?;
    context.grants.guard.token(&context.declarations, position, token)?;
    if a[1] != 0 || a[2] == SHOW {
        player(position, a[1])?;
    }
    context.touch(position, token, None);
    let bit = 1 << a[1];
    let seen = position.seen(token);
    let bits = if a[2] == 0 { seen & !bit } else { seen | bit };
    if context.grants.seat.is_some() {
        position.set_seen(token, bits);
        return Ok(Answer::Nothing);
    }
    let pile = position.pile_of(token).filter(|_| context.traces.watching && seen != bits);
    let before = pile.map_or(0, |_| identified_by(&context.declarations, position, token));
    position.turn(token, bits);
    if let Some(pile) = pile {
        let place = position.tokens(pile).iter().position(|&other| other == token).unwrap_or_default();
        let known = [before, identified_by(&context.declarations, position, token)];
        context.traces.note(|| Fact::Seen { token, pile, place, known, seen: [seen, bits] });
    }
    Ok(Answer::Nothing)
}

fn move_token(context: &mut Context, position: &mut PositionMut<'_>, a: &[i32], above: usize) -> KernelResult {
    let (token, pile) = (token(position, a[0])?, pile(position, a[1])?);
    context.grants.guard.token(&context.declarations, position, token)?;
    let drew = context.drew;
    place(context, position, token, pile, above, drew)?;
    Ok(Answer::Nothing)
}

fn place(
    context: &mut Context,
    position: &mut PositionMut<'_>,
    token: i32,
    pile: usize,
    above: usize,
    chance: bool,
) -> Result<(), String> {
    context.touch(position, token, Some(pile));
    let d = &context.declarations;
    context.budget.charge(all_tokens(position) / 8);
    context.grants.guard.pile(d, position.layout, pile)?;
    let reactions = &position.layout.reactions;
    let from = if reactions.has_within() || reactions.has_current() { position.pile_of(token) } else { None };
    let from = from.map(|pile| position.layout.piles[pile].zone);
    let zone = position.layout.piles[pile].zone;
    mark_zones(position, [from, Some(zone)]);
    let info = position.layout.tokens[token as usize - 1];
    if !d.zones[zone].holds.contains(&info.kind) {
        let id = &d.definitions[info.definition].id;
        let (zone, kind) = (&d.zones.keys()[zone], &d.kinds.keys()[info.kind]);
        return Err(format!("zone `{zone}` does not hold `{kind}`, the kind of `{id}`"));
    }
    let left = context.traces.departure(d, position, token);
    // Moves in a simultaneous phase become public when all seats are done.
    let placed = if context.grants.seat.is_some() {
        position.put_under(token, pile, above)
    } else {
        position.carry_under(token, pile, above, chance)
    };
    if placed {
        context.traces.note_move(&context.declarations, position, token, left);
        if let Some(from) = from.filter(|from| *from != zone) {
            lose_counters(context, position, token, from, Some(zone));
        }
        Ok(())
    } else {
        let (name, room) = (&d.zones.keys()[zone], position.layout.piles[pile].capacity);
        Err(format!("zone `{name}` is full ({room} tokens): ask `count` or `can_draw` before, or raise its `size`"))
    }
}

/// The pile that is shuffled into this one when this one is empty.
fn reserve_of(context: &Context, position: &PositionMut<'_>, pile: usize) -> Option<usize> {
    let at = position.layout.piles[pile];
    let zone = context.declarations.zones[at.zone].reshuffle?;
    position.layout.pile(zone, at.holder).or_else(|| position.layout.pile(zone, 0))
}
