//! The methods of `t` that act or read.

use mlua::{Lua, Value};
use motherlode::FixedResult;

use super::case::{self, Args, Case};
use super::places;
use super::values::{self, Word};
use crate::bots::bot::Bot;
use crate::bots::first::First;
use crate::bots::random::Random;

type Done = Result<Value, String>;

const NOTHING: Done = Ok(Value::Nil);

/// `t.setup { players = 3, seed = 1, options = { towers = 6 } }`: begins a match.
pub(super) fn setup(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(1)?;
    let mut players = None;
    let mut seed = 1;
    let mut auto = true;
    let mut options = Vec::new();
    let given = match args.get(0) {
        Value::Nil => Vec::new(),
        given => values::fields(&given, "t.setup", &["players", "seed", "options", "auto"])?,
    };
    for (field, value) in given {
        match field.as_str() {
            "players" => {
                let number = values::number(&value, "players")?;
                players = Some(u8::try_from(number).map_err(|_| format!("{number} is not a number of players"))?);
            }
            "seed" => {
                let number = values::number(&value, "seed")?;
                seed = u64::try_from(number).map_err(|_| "seed: expected a number from 0".to_owned())?;
            }
            "auto" => {
                auto =
                    value.as_boolean().ok_or_else(|| format!("auto is {}: use true or false", values::show(&value)))?;
            }
            _ => {
                for (name, value) in values::fields(&value, "options", &[])? {
                    options.push((name.clone(), values::word(&value, &name)?.to_string()));
                }
            }
        }
    }
    case.work(100)?;
    let setup = case.game.setup(players, &options, seed).map_err(|error| error.to_string())?;
    case.set_auto(auto);
    case.set_up(&setup)?;
    NOTHING
}

/// `t.set(1, "gold", 3)`, `t.set("c4", "ore", "silver")`: sets a counter.
pub(super) fn set(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(3)?;
    case.work(2)?;
    let (holder, counter) = (args.word(0, "holder")?, args.text(1, "counter")?);
    let value = args.word(2, &counter)?;
    let (counter, holder, value) = case.names(|names| {
        let counter = names.counter(&counter)?;
        Ok((counter, names.holder(&holder, counter)?, names.value(counter, &value)?))
    })?;
    case.engine(|m| m.edit().set_counter(holder, counter, value))?;
    NOTHING
}

/// Parses a zone with its holder, as in `t.xxx("hand", 2, last)` or `t.xxx("deck", last)`, and the last argument.
pub(super) fn zone(case: &mut Case, args: &Args, first: usize, last: bool) -> Result<(usize, i32, Value), String> {
    let name = args.text(first, "zone")?;
    let rest = args.values.get(first + 1..).unwrap_or_default();
    let length = rest.iter().rposition(|value| !value.is_nil()).map_or(0, |end| end + 1);
    let (holder, value) = match (&rest[..length], last) {
        ([], false) => (None, Value::Nil),
        ([holder], false) => (Some(holder), Value::Nil),
        ([Value::Integer(_) | Value::Number(_)], true) if rest.len() > 1 => {
            return Err(format!("t.{}: the last argument is nil", args.method));
        }
        ([value], true) => (None, value.clone()),
        ([holder, value], true) => (Some(holder), value.clone()),
        ([], true) => return Err(format!("t.{}: the last argument is missing", args.method)),
        _ => return Err(format!("t.{}: too many arguments", args.method)),
    };
    let holder = match holder {
        None | Some(Value::Nil) => None,
        Some(holder) => Some(values::word(holder, "holder")?),
    };
    case.names(|names| {
        let zone = names.zone(&name)?;
        Ok((zone, names.zone_holder(zone, holder.as_ref())?, value))
    })
}

/// `t.put("hand", 2, { "plough", "barn" })`: sets the exact tokens of a zone, bottom first.
pub(super) fn put(case: &mut Case, _: &Lua, args: &Args) -> Done {
    let (zone, holder, list) = zone(case, args, 0, true)?;
    let words = values::words(&list, "tokens")?;
    places::put(case, zone, holder, &words)?;
    NOTHING
}

/// `t.turn_up("mine#2")`: turns a token face up.
pub(super) fn turn_up(case: &mut Case, _: &Lua, args: &Args) -> Done {
    turn(case, args, true)
}

/// `t.turn_down("mine#2")`: turns a token face down.
pub(super) fn turn_down(case: &mut Case, _: &Lua, args: &Args) -> Done {
    turn(case, args, false)
}

fn turn(case: &mut Case, args: &Args, up: bool) -> Done {
    args.at_most(1)?;
    let word = args.word(0, "token")?;
    let token = case.names(|names| names.token(&word))?;
    case.engine(|m| m.edit().set_face_up(token, up))?;
    NOTHING
}

/// `t.show("mine#2", 1)`: marks a token as seen by a player.
pub(super) fn show(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(2)?;
    let (word, player) = (args.word(0, "token")?, args.number(1, "player")?);
    let (token, seat) = case.names(|names| Ok((names.token(&word)?, names.seat(player)?)))?;
    case.engine(|m| m.edit().show(token, seat))?;
    NOTHING
}

/// `t.go("action", { round = 3, first = 2 })`: begins a phase now.
pub(super) fn go(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(2)?;
    let phase = args.text(0, "phase")?;
    let mut round = None;
    let mut first = None;
    if !args.get(1).is_nil() {
        for (field, value) in values::fields(&args.get(1), "t.go", &["round", "first"])? {
            let number = values::number(&value, &field)?;
            if field == "round" {
                round = Some(number);
            } else {
                first = Some(case.names(|names| names.seat(number))?);
            }
        }
    }
    let phase = case.names(|names| names.phase(&phase))?;
    case.work(10)?;
    case.engine(|m| m.edit().begin_phase(phase, round, first))?;
    case.note_automatic();
    NOTHING
}

/// `t.random { 3, { "plough", "barn" }, {} }`: fixes the next random results.
pub(super) fn random(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(1)?;
    let mut results = Vec::new();
    for value in values::list(&args.get(0), "t.random")? {
        results.push(match &value {
            Value::Table(_) => {
                let words = values::words(&value, "t.random")?;
                let of_word = |word: &Word| case.names(|names| names.tokens(word));
                FixedResult::Top(words.iter().map(of_word).collect::<Result<_, _>>()?)
            }
            _ => FixedResult::Number(values::number(&value, "t.random")?),
        });
    }
    let no_match =
        "no match yet: call t.setup first; then `t.random` and `t.go` fix the results of a phase, even of the first";
    case.current_match().map_err(|_| no_match.to_owned())?.edit().fix_chance(results);
    NOTHING
}

/// `t.cell("e5")`, `t.cell("e5", 2)`: the number of a cell.
pub(super) fn cell(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(3)?;
    let name = args.text(0, "cell")?;
    let player = if args.get(1).is_nil() { None } else { Some(args.number(1, "player")?) };
    let grid = if args.get(2).is_nil() { None } else { Some(args.text(2, "grid")?) };
    let cell = case.names(|names| names.any_cell(&name, player, grid.as_deref()))?;
    Ok(Value::Number(f64::from(cell)))
}

/// The seat of the player in the first argument.
pub(super) fn seat(case: &mut Case, args: &Args) -> Result<u8, String> {
    let player = args.number(0, "player")?;
    case.names(|names| names.seat(player))
}

/// `t.answer(1, "raid")`: answers the pending decision of a player, or claims a matching automatic answer.
pub(super) fn answer(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(2)?;
    let seat = seat(case, args)?;
    let word = args.word(1, "answer")?;
    case.work(1)?;
    let meant = case.choice_word(&word);
    if case.claim(seat, &meant) {
        return NOTHING;
    }
    let choices = case.choices(seat)?;
    let Some(index) = case::find(&choices, &meant) else {
        return Err(format!(
            "player {} is not offered `{word}`; offered: {}{}",
            u16::from(seat) + 1,
            case::ids(&choices),
            case.automatic_note(seat)
        ));
    };
    case.answer(seat, index, &choices[index].id)?;
    NOTHING
}

/// `t.play_on(20)`: answers up to this many decisions with the first choice, and returns their number.
pub(super) fn play_on(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(1)?;
    play(case, args.number(0, "decisions")?, &mut First)
}

/// `t.play_at_random(200, 7)`: answers up to this many decisions at random with this seed, and returns their number.
pub(super) fn play_at_random(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(2)?;
    let most = args.number(0, "decisions")?;
    let seed = u64::try_from(args.number(1, "seed")?).map_err(|_| "seed: expected a number from 0".to_owned())?;
    play(case, most, &mut Random::new(seed))
}

fn play(case: &mut Case, most: i32, bot: &mut impl Bot) -> Done {
    let mut answered = 0;
    while answered < most {
        let m = case.current_match()?;
        let Some(decision) = m.decision() else { break };
        let index = bot.choose(m, decision).map_err(|error| error.to_string())?;
        let id = m.choices().get(index).map(|raw| m.describe(*raw).id).unwrap_or_default();
        case.answer(decision.seat, index, &id)?;
        answered += 1;
    }
    Ok(Value::Number(f64::from(answered)))
}

/// `t.offered(2)`: the ids of a player's choices; nil without a pending decision.
pub(super) fn offered(case: &mut Case, lua: &Lua, args: &Args) -> Done {
    args.at_most(1)?;
    let seat = seat(case, args)?;
    if case.current_match()?.pending().iter().all(|decision| decision.seat != seat) {
        return NOTHING;
    }
    let ids = case.choices(seat)?.into_iter().map(|choice| choice.id);
    lua.create_sequence_from(ids).map(Value::Table).map_err(|error| error.to_string())
}

/// `t.left()`: allows an open decision at the end.
pub(super) fn left(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(0)?;
    case.may_end_open = true;
    NOTHING
}

/// `t.state(1, "gold")`: the value of a counter.
pub(super) fn state(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(2)?;
    let (value, ..) = counter(case, args)?;
    Ok(Value::Number(f64::from(value)))
}

/// Value, index and holder of the counter in the first two arguments.
pub(super) fn counter(case: &mut Case, args: &Args) -> Result<(i32, usize, Word), String> {
    let (word, name) = (args.word(0, "holder")?, args.text(1, "counter")?);
    let (counter, holder) = case.names(|names| {
        let counter = names.counter(&name)?;
        Ok((counter, names.holder(&word, counter)?))
    })?;
    let value =
        case.current_match()?.counter(holder, counter).ok_or_else(|| format!("`{word}` holds no counter `{name}`"))?;
    Ok((value, counter, word))
}

/// `t.seen(1, "hand", 2)`: a player's view of a zone: ids, or `"?"` for hidden tokens; nil if even their number is
/// hidden.
pub(super) fn seen(case: &mut Case, lua: &Lua, args: &Args) -> Done {
    let seat = seat(case, args)?;
    let (zone, holder, _) = zone(case, args, 1, false)?;
    case.work(10)?;
    // A zone that this setup does not use is absent and therefore empty.
    let view = case.current_match()?.observe_zone(Some(seat), zone, holder);
    let view = view.as_ref();
    if view.is_some_and(|view| view.count.is_none()) {
        return NOTHING;
    }
    let ids = view.into_iter().flat_map(|view| &view.tokens).map(|id| id.as_deref().unwrap_or("?"));
    let list = lua.create_sequence_from(ids).map_err(|error| error.to_string())?;
    Ok(Value::Table(list))
}
