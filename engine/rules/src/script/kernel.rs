//! Kernels: what accessors do in one call into Rust, because it is rare, intricate or loops.
//!
//! A kernel takes whole numbers (missing ones are [`NIL`]) and returns one, a list (in [`Context::list`]) or nothing. The header
//! (`std/accessors.luau`) turns names into numbers before it calls one.

use crate::script::budget::{EXHAUSTED, charge, cut, refund};
use crate::script::choices::{MAX_CHOICES, list_cells, too_many};
use crate::script::context::{Context, NIL};
use crate::script::fixed;
use crate::state::layout::{flag, reason, word};
use crate::state::sight::Sight;
use crate::state::{Position, PositionMut};
use crate::text::TextArg;
use crate::transcript::Line;
use motherlode_content::declare::{Declarations, Holder};
use motherlode_content::diagnostic::nearest;
use motherlode_content::geometry::ways;

/// Steps that are left to a hook that has ended the game, to return.
const STEPS_AFTER_END: i64 = 100;

/// What raising an error and catching it costs, in steps.
const CAUGHT: i64 = 2000;

/// Longest wrong name that is shown and compared with others, in letters.
const NAME: usize = 64;

/// Returned by a kernel whose result is the list in the context.
pub const LIST: i32 = i32::MIN;

/// What a kernel returns: a number, [`LIST`], or nothing.
pub type KernelResult = Result<Option<i32>, String>;
/// A kernel on whole numbers: context, state, choice buffer (word 0 is the count), arguments.
pub type Kernel = fn(&mut Context, &mut PositionMut<'_>, &mut [i32], &[i32]) -> KernelResult;
/// A kernel that takes texts.
pub type TextKernel = fn(&mut Context, &mut PositionMut<'_>, &[TextArg]) -> Result<(), String>;

/// All kernels: the name in the header, the function, the number of arguments, and as bits those of them that the header takes from its own
/// tables, where nothing but numbers stands.
pub const KERNELS: &[(&str, Kernel, usize, u8)] = &[
    ("__random", random, 2, 0b10),
    ("__shuffle", shuffle, 1, 0b1),
    ("__move", move_over, 2, 0b10),
    ("__move_under", move_under, 2, 0b10),
    ("__draw", draw, 2, 0b11),
    ("__can_draw", can_draw, 2, 0b11),
    ("__cards", cards, 1, 0b1),
    ("__pile_of", pile_of, 1, 0),
    ("__seen", seen, 1, 0),
    ("__set_seen", set_seen, 3, 0b100),
    ("__eliminate", eliminate, 1, 0),
    ("__pass", pass, 1, 0),
    ("__flag", raise_flag, 2, 0b11),
    ("__longest", longest, 2, 0b1),
    ("__ray", ray, 3, 0b101),
    ("__staying", staying, 1, 0b1),
    ("__around", around, 3, 0b101),
    ("__count_cells", count_cells, 3, 0b1),
    ("__choice_cells", choice_cells, 3, 0b1),
    ("__choice_zone", choice_zone, 1, 0b1),
    ("__choice_numbers", choice_numbers, 2, 0),
    ("__nobody", nobody, 0, 0),
    ("__also", also, 2, 0b10),
    ("__may_write", may_write, 1, 0),
    ("__caught", caught, 0, 0),
    ("__exhausted", exhausted, 0, 0),
];

/// All kernels that take texts: the name in the header, and the function.
pub const TEXT_KERNELS: &[(&str, TextKernel)] = &[
    ("__unknown", unknown),
    ("__bad_value", bad_value),
    ("__bad_choice", bad_choice),
    ("__log", log),
    ("__log_to", log_to),
];

fn token(position: &PositionMut<'_>, n: i32) -> Result<i32, String> {
    if n >= 1 && n as usize <= position.layout.tokens.len() { Ok(n) } else { Err(format!("no token {}", shown(n))) }
}

fn player(position: &PositionMut<'_>, n: i32) -> Result<i32, String> {
    if (1..=position.words[word::PLAYERS]).contains(&n) { Ok(n) } else { Err(format!("no player {}", shown(n))) }
}

fn shown(n: i32) -> String {
    if n == NIL { "nil".into() } else { n.to_string() }
}

fn pile(position: &PositionMut<'_>, n: i32) -> Result<usize, String> {
    let pile = usize::try_from(n).ok().filter(|&n| n < position.layout.piles.len()).ok_or("no such zone")?;
    // Games have zones for more players than a match may have.
    let holder = position.layout.piles[pile].holder;
    if holder > position.words[word::PLAYERS] { Err(format!("no player {holder} in this match")) } else { Ok(pile) }
}

/// What touching every token costs, in steps: moves between hidden places make those that look alike indistinguishable.
fn all_tokens(position: &PositionMut<'_>) -> i64 {
    position.layout.tokens.len() as i64
}

fn use_chance(context: &mut Context, accessor: &str) -> Result<(), String> {
    context.guard.writes(accessor)?;
    if context.sealed.is_some() {
        return Err("a sealed phase draws no random numbers".into());
    }
    context.used_random = true;
    Ok(())
}

fn random(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    use_chance(context, "random")?;
    match u32::try_from(a[0]) {
        Ok(n) if n > 0 => {
            context.drew = true;
            let fallen = fixed::random(context.fixed.as_ref(), position, n, a[1])?;
            let drawn = context.chance.as_mut().map(|chance| chance.draw(n, fallen.cast_unsigned()).cast_signed());
            Ok(Some(drawn.unwrap_or(fallen)))
        }
        _ => Err(format!("random({}): expected a number from 1", shown(a[0]))),
    }
}

fn shuffle(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    use_chance(context, "shuffle")?;
    let pile = pile(position, a[0])?;
    charge(all_tokens(position) + position.tokens(pile).len() as i64 * 4);
    fixed::shuffle(context.fixed.as_ref(), position, pile)?;
    if let Some(chance) = &mut context.chance {
        chance.shuffle(position, pile);
    }
    Ok(None)
}

fn move_over(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.guard.writes("move")?;
    move_token(context, position, a, false)
}

fn move_under(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.guard.writes("move_under")?;
    move_token(context, position, a, true)
}

fn move_token(context: &mut Context, position: &mut PositionMut<'_>, a: &[i32], beneath: bool) -> KernelResult {
    let (token, pile) = (token(position, a[0])?, pile(position, a[1])?);
    context.guard.token(&context.declarations, position, token)?;
    let drew = context.drew;
    place(context, position, token, pile, beneath, drew)?;
    Ok(None)
}

fn place(
    context: &mut Context,
    position: &mut PositionMut<'_>,
    token: i32,
    pile: usize,
    beneath: bool,
    chance: bool,
) -> Result<(), String> {
    context.touch(position, token, Some(pile));
    let d = &context.declarations;
    charge(all_tokens(position) / 8);
    context.guard.pile(d, position.layout, pile)?;
    let zone = position.layout.piles[pile].zone;
    let info = position.layout.tokens[token as usize - 1];
    if !d.zones[zone].holds.contains(&info.kind) {
        let id = &d.definitions[info.definition].id;
        let (zone, kind) = (&d.zones.keys()[zone], &d.kinds.keys()[info.kind]);
        return Err(format!("zone `{zone}` does not hold `{kind}`, the kind of `{id}`"));
    }
    // What a sealed hook moves, everybody learns of when all are done.
    let placed = if context.sealed.is_some() {
        position.put(token, pile, beneath)
    } else {
        position.carry(token, pile, beneath, chance)
    };
    if placed {
        Ok(())
    } else {
        let (name, room) = (&d.zones.keys()[zone], position.layout.piles[pile].capacity);
        Err(format!("zone `{name}` is full ({room} tokens): ask `count` or `can_draw` before, or raise its `size`"))
    }
}

/// The pile that is shuffled into this one when it is empty.
fn reserve_of(context: &Context, position: &PositionMut<'_>, pile: usize) -> Option<usize> {
    let at = position.layout.piles[pile];
    let zone = context.declarations.zones[at.zone].reshuffle?;
    position.layout.pile(zone, at.holder).or_else(|| position.layout.pile(zone, 0))
}

/// `can_draw(from, to)`: 1 if `draw` would move a token.
fn can_draw(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let (from, to) = (pile(position, a[0])?, pile(position, a[1])?);
    let is_empty = |pile: usize| position.tokens(pile).is_empty();
    // A token that is drawn into its own pile leaves it first.
    let room = from == to || position.tokens(to).len() < position.layout.piles[to].capacity;
    let refills =
        || context.sealed.is_none() && reserve_of(context, position, from).is_some_and(|pile| !is_empty(pile));
    Ok(Some(i32::from(room && (!is_empty(from) || refills()))))
}

fn draw(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.guard.writes("draw")?;
    let (from, to) = (pile(position, a[0])?, pile(position, a[1])?);
    context.guard.pile(&context.declarations, position.layout, from)?;
    let reserve = reserve_of(context, position, from);
    let shuffles = position.tokens(from).is_empty() && reserve.is_some_and(|r| !position.tokens(r).is_empty());
    if shuffles {
        use_chance(context, "draw")?;
        charge(all_tokens(position) * 4);
    }
    let Some(mut token) = fixed::draw(context.fixed.as_ref(), position, from, reserve)? else { return Ok(None) };
    if let Some(chance) = context.chance.as_mut().filter(|_| shuffles) {
        chance.shuffle(position, from);
        token = position.tokens(from).last().copied().unwrap_or(token);
    }
    place(context, position, token, to, false, false)?;
    Ok(Some(token))
}

fn cards(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let tokens = position.tokens(pile(position, a[0])?);
    charge(tokens.len() as i64);
    context.list.clear();
    context.list.extend_from_slice(tokens);
    Ok(Some(LIST))
}

fn pile_of(_: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let token = token(position, a[0])?;
    Ok(Some(position.pile_of(token).map_or(0, |pile| pile as i32 + 1)))
}

fn seen(_: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let token = token(position, a[0])?;
    Ok(Some(position.seen(token)))
}

/// Third argument of `set_seen` that shows a token to a player: its second argument must not be the face.
const SHOW: i32 = 3;

/// `set_seen(token, bit, on)`: bit 0 is the face, bit p the player's knowledge.
fn set_seen(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.guard.writes(match a[2] {
        SHOW => "show",
        0 => "turn_down",
        _ => "turn_up",
    })?;
    let token = token(position, a[0])?;
    context.guard.token(&context.declarations, position, token)?;
    if a[1] != 0 || a[2] == SHOW {
        player(position, a[1])?;
    }
    context.touch(position, token, None);
    let bit = 1 << a[1];
    let seen = position.seen(token);
    let bits = if a[2] == 0 { seen & !bit } else { seen | bit };
    if context.sealed.is_some() {
        position.set_seen(token, bits)
    } else {
        position.turn(token, bits)
    }
    Ok(None)
}

fn eliminate(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.guard.steers("eliminate")?;
    let player = player(position, a[0])?;
    position.words[word::OUT] |= 1 << (player - 1);
    Ok(None)
}

fn pass(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.guard.steers("pass")?;
    let player = player(position, a[0])?;
    position.words[word::PASSED] |= 1 << (player - 1);
    Ok(None)
}

/// `flag(bits, text)`: what a script requests, and the number of the text that says why (from 1; 0: none).
fn raise_flag(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.guard.steers(match a[0] {
        flag::END_PHASE => "end_phase",
        flag::END_GAME => "end_game",
        _ => "end_after_round",
    })?;
    if a[1] > 0 && position.words[word::REASON] == reason::NONE {
        position.words[word::REASON] = reason::TEXT + a[1] - 1;
    }
    position.words[word::FLAGS] |= a[0] & (flag::END_PHASE | flag::END_GAME | flag::END_AFTER_ROUND);
    // A hook whose `pcall` has caught that it cannot ask is run again in a coroutine, and ends the game then.
    if a[0] & flag::END_GAME != 0 && !context.ended && !context.needs_coroutine {
        // To leave the hook here, an error would have to be raised, which takes longer than most hooks. So it goes on a little, and
        // what it does is taken back.
        context.ended = true;
        charge(position.words.len() as i64 / 16);
        context.end_state.clear();
        context.end_state.extend_from_slice(position.words);
        context.end_said = context.said();
        cut(STEPS_AFTER_END);
    }
    Ok(None)
}

/// `may_write(place)`: whether the hook may write at this byte of the state; only the careful VM asks.
fn may_write(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    context.guard.word(&context.declarations, position.layout, usize::try_from(a[0]).unwrap_or(0) / 4)?;
    Ok(None)
}

/// A script has caught an error: raising it took as long as so many steps.
fn caught(_: &mut Context, _: &mut PositionMut<'_>, _: &mut [i32], _: &[i32]) -> KernelResult {
    charge(CAUGHT);
    Ok(None)
}

/// A script has caught a memory error: the VM must not continue.
fn exhausted(context: &mut Context, _: &mut PositionMut<'_>, _: &mut [i32], _: &[i32]) -> KernelResult {
    context.fatal = Some(EXHAUSTED.into());
    charge(i64::MAX);
    Err(EXHAUSTED.into())
}

/// Grid of a cell counter, and its first word for a player (ignored if the grid belongs to the game).
fn cells_of(
    context: &Context,
    position: &PositionMut<'_>,
    counter: i32,
    player: i32,
) -> Result<(usize, usize), String> {
    let slot = usize::try_from(counter).ok().and_then(|counter| position.layout.counters.get(counter));
    let Some((slot, grid)) = slot.and_then(|slot| Some((slot, slot.grid?))) else {
        let name =
            context.declarations.counters.get_index(counter.max(0) as usize).map_or("", |(name, _)| name.as_str());
        return Err(format!("counter `{name}` does not belong to cells"));
    };
    if slot.len == slot.places {
        return Ok((grid, slot.offset));
    }
    if !(1..=position.layout.players as i32).contains(&player) {
        return Err(format!("no player {}: this grid belongs to players", shown(player)));
    }
    Ok((grid, slot.offset + (player as usize - 1) * slot.places))
}

/// `longest(counter, cell)`; cells are numbered through all players' copies of a grid.
fn longest(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let (grid, base) = cells_of(context, position, a[0], 1)?;
    let slot = &position.layout.counters[a[0] as usize];
    let index = match usize::try_from(a[1]) {
        Ok(cell) if (1..=slot.len).contains(&cell) => cell - 1,
        _ => return Err(format!("no cell {}", shown(a[1]))),
    };
    let cell = if slot.len == slot.places { index } else { index % slot.places };
    let values = &position.words[base + index - cell..base + index - cell + slot.places];
    Ok(Some(position.layout.grids[grid].longest(cell, |c| values[c]).cast_signed()))
}

/// A grid, the index of a cell in it, and how many cells are numbered before this copy of the grid.
fn place_in(
    context: &Context,
    position: &PositionMut<'_>,
    grid: i32,
    cell: i32,
) -> Result<(usize, usize, i32), String> {
    let d = &context.declarations;
    let at = usize::try_from(grid).ok().and_then(|grid| Some((grid, position.layout.grids.get(grid)?)));
    let Some((grid, geometry)) = at else { return Err("no such grid".into()) };
    let copies = if d.grids[grid].per == Holder::Player { position.layout.players } else { 1 };
    let places = geometry.places();
    match usize::try_from(cell) {
        Ok(number) if (1..=places * copies).contains(&number) && !geometry.is_hole((number - 1) % places) => {
            let index = (number - 1) % places;
            Ok((grid, index, cell - 1 - index as i32))
        }
        _ => Err(format!("grid `{}` has no cell {}", d.grids.keys()[grid], shown(cell))),
    }
}

/// `staying(key)`: the players still in the game, by seats at the table and bits of the seats that have left.
fn staying(context: &mut Context, _: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    /// Safepoints that making a list takes, in the prelude.
    const MAKING: usize = 4;
    let (seats, left) = (a[0] >> 16, a[0] & 0xffff);
    context.list.clear();
    context.list.extend((1..=seats.min(16)).filter(|player| left & 1 << (player - 1) == 0));
    // A VM makes each list once: the hook that happens to need it first must not pay for it.
    (0..MAKING).for_each(|_| refund());
    Ok(Some(LIST))
}

/// `ray(grid, cell, way)`
fn ray(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let (grid, cell, before) = place_in(context, position, a[0], a[1])?;
    let way = usize::try_from(a[2]).map_err(|_| "no such way".to_owned())?;
    context.list.clear();
    context.list.extend(position.layout.grids[grid].ray(cell, way).map(|cell| before + cell as i32 + 1));
    charge(context.list.len() as i64);
    Ok(Some(LIST))
}

/// `around(grid, cell, which)`: 1 for cells with a common corner alone, 2 for these and those with a common edge.
fn around(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let (grid, cell, before) = place_in(context, position, a[0], a[1])?;
    let geometry = &position.layout.grids[grid];
    let number = |cell: usize| before + cell as i32 + 1;
    context.list.clear();
    context.list.extend(geometry.diagonals(cell).map(number));
    if a[2] == 2 {
        context.list.extend(geometry.neighbours(cell).iter().map(|&cell| number(usize::from(cell))));
        context.list.sort_unstable();
    }
    Ok(Some(LIST))
}

fn count_cells(context: &mut Context, position: &mut PositionMut<'_>, _: &mut [i32], a: &[i32]) -> KernelResult {
    let (grid, base) = cells_of(context, position, a[0], a[2])?;
    value(a[1])?;
    let cells = position.layout.grids[grid].cells();
    charge(cells.len() as i64 / 4);
    Ok(Some(cells.iter().filter(|&&c| position.words[base + usize::from(c)] == a[1]).count() as i32))
}

fn choice_cells(context: &mut Context, position: &mut PositionMut<'_>, choices: &mut [i32], a: &[i32]) -> KernelResult {
    let (grid, base) = cells_of(context, position, a[0], a[2])?;
    let before = choices[0].max(0);
    let shift = base - position.layout.counters[a[0] as usize].offset;
    charge(position.layout.grids[grid].cells().len() as i64 / 4);
    if !list_cells(position, choices, grid, base, shift, a[1]) {
        return Err(too_many());
    }
    Ok(Some(choices[0] - before))
}

fn choice_zone(_: &mut Context, position: &mut PositionMut<'_>, choices: &mut [i32], a: &[i32]) -> KernelResult {
    let tokens = position.tokens(pile(position, a[0])?);
    let n = choices[0].max(0) as usize;
    if n + tokens.len() > MAX_CHOICES {
        return Err(too_many());
    }
    charge(tokens.len() as i64 / 16);
    choices[n + 1..=n + tokens.len()].copy_from_slice(tokens);
    choices[0] = (n + tokens.len()) as i32;
    Ok(Some(tokens.len() as i32))
}

/// `choice_numbers(from, to)`
fn choice_numbers(_: &mut Context, _: &mut PositionMut<'_>, choices: &mut [i32], a: &[i32]) -> KernelResult {
    let (from, to) = (a[0], a[1]);
    if let Some(wrong) = a[..2].iter().find(|&&n| n == NIL) {
        return Err(format!("choice_numbers: expected two whole numbers, not {}", shown(*wrong)));
    }
    if from < 0 {
        return Err(format!("choice_numbers({from}, {to}): a choice is a whole number from 0"));
    }
    let n = choices[0].max(0) as usize;
    let count = (i64::from(to) - i64::from(from) + 1).max(0);
    let fits = usize::try_from(count).ok().filter(|count| n + count <= MAX_CHOICES);
    let Some(count) = fits else { return Err(too_many()) };
    charge(count as i64 / 16);
    for (place, number) in choices[n + 1..=n + count].iter_mut().zip(from..) {
        *place = number;
    }
    choices[0] = (n + count) as i32;
    Ok(Some(count as i32))
}

/// `nobody()`: begins a question to several players.
fn nobody(context: &mut Context, _: &mut PositionMut<'_>, _: &mut [i32], _: &[i32]) -> KernelResult {
    context.together.clear();
    Ok(None)
}

/// `also(player, prompt)`: this player is asked, too, with the choices listed.
fn also(context: &mut Context, position: &mut PositionMut<'_>, choices: &mut [i32], a: &[i32]) -> KernelResult {
    let player = player(position, a[0]).map_err(|error| format!("cannot ask: {error}"))?;
    let prompt = usize::try_from(a[1]).unwrap_or(usize::MAX);
    let Position { layout, words } = position.as_read();
    let sight = Sight { declared: &context.declarations, layout, words, seat: Some(player as u8 - 1) };
    context.choosable.settle(&sight, prompt, choices)?;
    let n = choices[0].clamp(0, MAX_CHOICES as i32) as usize;
    charge(n as i64 / 16);
    if n > 0 && !context.together.add(player as u8 - 1, &choices[1..=n]) {
        return Err(format!("player {player} is asked twice"));
    }
    choices[0] = 0;
    Ok(None)
}

fn value(n: i32) -> Result<(), String> {
    if n == NIL { Err("expected the value of the cells, not nil".into()) } else { Ok(()) }
}

/// `unknown(what, name)`: reports a name that is not declared.
fn unknown(context: &mut Context, position: &mut PositionMut<'_>, a: &[TextArg]) -> Result<(), String> {
    let d = context.declarations.clone();
    let what = a.first().map(ToString::to_string).unwrap_or_default();
    let name = a.get(1).map(ToString::to_string).unwrap_or_default();
    let of = a.get(2).filter(|of| **of != TextArg::Nil).map(ToString::to_string).unwrap_or_default();
    let known: Vec<&str> = match what.as_str() {
        "counter" => d.counters.keys().map(String::as_str).collect(),
        "zone" => d.zones.keys().map(String::as_str).collect(),
        "family" => d.counter_families.keys().chain(d.zone_families.keys()).map(String::as_str).collect(),
        "member" => {
            let family = d.counter_families.get(&of).or_else(|| d.zone_families.get(&of));
            family.map_or_else(Vec::new, |family| d.definitions_of(family.kind).iter().map(|x| x.id.as_str()).collect())
        }
        "grid" => d.grids.keys().map(String::as_str).collect(),
        "kind" => d.kinds.keys().map(String::as_str).collect(),
        "option" => d.options.keys().map(String::as_str).collect(),
        "prompt" => d.prompts.keys().map(String::as_str).collect(),
        "text" => d.texts.keys().map(String::as_str).collect(),
        "verb" => d.verbs.keys().map(String::as_str).collect(),
        "label" => d.prompts.values().flat_map(|p| p.labels.keys()).map(String::as_str).collect(),
        "attribute" => d.kinds.values().flat_map(|k| k.attributes.keys()).map(String::as_str).collect(),
        "hook" => d.kinds.values().flat_map(|k| k.hooks.keys()).map(String::as_str).collect(),
        "value" => d.counters.get(&of).map(|c| c.values.iter().map(String::as_str).collect()).unwrap_or_default(),
        "way" => d.grids.get(&of).map(|grid| ways(grid.shape)).unwrap_or_default(),
        "neighbourhood" => vec!["diagonal", "all"],
        "direction" => {
            d.grids.get_index_of(&of).map(|grid| position.layout.grids[grid].directions().collect()).unwrap_or_default()
        }
        "definition" => d
            .kinds
            .get(&of)
            .map(|k| d.definitions[k.first..k.first + k.len].iter().map(|x| x.id.as_str()).collect())
            .unwrap_or_default(),
        _ => Vec::new(),
    };
    // Every name that is known is compared with this one, letter by letter.
    let letters = name.chars().take(NAME).count() + 16;
    charge((2000 + known.len() * letters * 8) as i64);
    let name: String = name.chars().take(NAME).collect();
    let tail = if of.is_empty() { String::new() } else { format!(" of `{of}`") };
    let help =
        nearest(&name, known.iter().copied()).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let is_family = |name: &str| d.counter_families.contains_key(name) || d.zone_families.contains_key(name);
    Err(match what.as_str() {
        "counter" if d.counter_families.contains_key(&name) => {
            format!("`{name}` is a family of counters: say which one, as in get(holder, \"{name}\", index)")
        }
        "zone" if d.zone_families.contains_key(&name) => {
            format!("`{name}` is a family of zones: name one of them with in_family(\"{name}\", index)")
        }
        "family" if d.counters.contains_key(&name) && !is_family(&name) => {
            format!("counter `{name}` is not a family: leave out the index")
        }
        "member" => format!("family `{of}` has no member {name}{help}"),
        "holder" => format!("counter `{of}` has no holder {name}"),
        "owner" => wrong_owner(&d, &of, &name),
        "cell" => format!("grid `{of}` has no cell {name}"),
        "token" => format!("no token {name}"),
        "player" => format!("no player {name}"),
        "label" => match kind_of(&d, &name) {
            Some(kind) => {
                format!("no label `{name}`; a definition is chosen by its number: number_of(\"{kind}\", \"{name}\")")
            }
            None => format!("no label `{name}`{help}"),
        },
        "way" => format!("no way `{name}` out of a cell{tail}{help}"),
        "neighbourhood" => format!("neighbours are \"diagonal\" or \"all\", not `{name}`{help}"),
        _ => format!("no {what} `{name}`{tail}{help}"),
    })
}

/// The kind that has a definition of this id.
fn kind_of<'d>(d: &'d Declarations, id: &str) -> Option<&'d str> {
    let definition = d.definitions.iter().find(|definition| definition.id == id)?;
    d.kinds.get_index(definition.kind).map(|(name, _)| name.as_str())
}

/// A zone or grid that was named with a holder that has none.
fn wrong_owner(d: &Declarations, of: &str, holder: &str) -> String {
    let (noun, per) = match (d.zones.get(of), d.grids.get(of)) {
        (Some(zone), _) => ("zone", zone.per),
        (None, Some(grid)) => ("grid", grid.per),
        (None, None) => return format!("zone `{of}` has no owner {holder}"),
    };
    if per == Holder::Player {
        format!("every player has a {noun} `{of}`: say whose, with a player from 1 to {}", d.players.max)
    } else {
        format!("{noun} `{of}` belongs to the game: there is none of player {holder}")
    }
}

/// `bad_value(holder, counter, value)`: reports a value that a counter cannot take.
fn bad_value(context: &mut Context, _: &mut PositionMut<'_>, a: &[TextArg]) -> Result<(), String> {
    charge(1000);
    let name = a.get(1).map(ToString::to_string).unwrap_or_default();
    let value = a.get(2).cloned().unwrap_or(TextArg::Nil);
    let Some(counter) = context.declarations.counters.get(&name) else {
        return Err(format!("no counter `{name}`"));
    };
    // Luau's arithmetic would turn an amount that is a text into a number.
    let value = a.get(3).filter(|amount| !matches!(amount, TextArg::Number(_))).cloned().unwrap_or(value);
    let TextArg::Number(n) = value else {
        return Err(format!("counter `{name}` takes a whole number, not {value}"));
    };
    Err(if n.fract() != 0.0 || !n.is_finite() {
        format!("counter `{name}` takes whole numbers, not {n}")
    } else if n < f64::from(counter.min) {
        format!("counter `{name}` cannot go below {}, it would be {n}", counter.min)
    } else {
        format!("counter `{name}` cannot go above {}, it would be {n}", counter.max)
    })
}

fn bad_choice(_: &mut Context, _: &mut PositionMut<'_>, a: &[TextArg]) -> Result<(), String> {
    if a.len() > 1 {
        return Err(too_many());
    }
    Err(format!("`{}` is not a choice: expected a whole number from 0, or a label", a.first().unwrap_or(&TextArg::Nil)))
}

/// `log(key, arguments ...)`.
fn log(context: &mut Context, position: &mut PositionMut<'_>, a: &[TextArg]) -> Result<(), String> {
    context.guard.writes("log")?;
    add_line(context, position, a, Line::public_line)
}

/// `log_to(player, key, arguments ...)`.
fn log_to(context: &mut Context, position: &mut PositionMut<'_>, a: &[TextArg]) -> Result<(), String> {
    context.guard.writes("log_to")?;
    let seat = match a.first() {
        Some(TextArg::Number(n)) if (1.0..=f64::from(position.words[word::PLAYERS])).contains(n) => *n as u8 - 1,
        other => return Err(format!("no player {}", other.unwrap_or(&TextArg::Nil))),
    };
    add_line(context, position, &a[1..], |text| Line::private(seat, text, None))
}

/// Adds a line to the transcript: a text by name, filled with values.
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
    refund();
    let (round, phase) = (position.words[word::ROUND], position.words[word::PHASE]);
    // A value that breaks the line could say what nobody has said.
    let text = || crate::text::fill(&d, position.layout, template, &a[1..]).replace(['\n', '\t'], " ");
    context.say(|| line(text()).at(round, phase));
    Ok(())
}
