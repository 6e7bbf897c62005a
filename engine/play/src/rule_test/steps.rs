//! The methods of `t` that do something or read something.

use mlua::{Lua, Value};
use motherlode::Fixed;

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
    let mut options = Vec::new();
    let given = match args.get(0) {
        Value::Nil => Vec::new(),
        given => values::fields(&given, "t.setup", &["players", "seed", "options"])?,
    };
    for (field, value) in given {
        match field.as_str() {
            "players" => {
                let number = values::number(&value, "players")?;
                players = Some(u8::try_from(number).map_err(|_| format!("{number} players cannot play"))?);
            }
            "seed" => {
                let number = values::number(&value, "seed")?;
                seed = u64::try_from(number).map_err(|_| "seed: expected a number from 0".to_owned())?;
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
    case.engine(|table| table.edit().set_counter(holder, counter, value))?;
    NOTHING
}

/// A zone and its holder among the arguments, `t.xxx("hand", 2, last)` or `t.xxx("deck", last)`; and the last argument.
pub(super) fn zone(case: &mut Case, args: &Args, first: usize, last: bool) -> Result<(usize, i32, Value), String> {
    let name = args.text(first, "zone")?;
    let rest = args.values.get(first + 1..).unwrap_or_default();
    let length = rest.iter().rposition(|value| !value.is_nil()).map_or(0, |end| end + 1);
    let (holder, value) = match (&rest[..length], last) {
        ([], false) => (None, Value::Nil),
        ([holder], false) => (Some(holder), Value::Nil),
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

/// `t.put("hand", 2, { "plough", "barn" })`: a zone holds exactly these, bottom first.
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
    case.engine(|table| table.edit().set_face_up(token, up))?;
    NOTHING
}

/// `t.show("mine#2", 1)`: a player has seen a token.
pub(super) fn show(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(2)?;
    let (word, player) = (args.word(0, "token")?, args.number(1, "player")?);
    let (token, seat) = case.names(|names| Ok((names.token(&word)?, names.seat(player)?)))?;
    case.engine(|table| table.edit().show(token, seat))?;
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
    case.engine(|table| table.edit().begin_phase(phase, round, first))?;
    case.note_automatic();
    NOTHING
}

/// `t.random { 3, { "plough", "barn" }, {} }`: the next results of chance.
pub(super) fn random(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(1)?;
    let mut results = Vec::new();
    for value in values::list(&args.get(0), "t.random")? {
        results.push(match &value {
            Value::Table(_) => {
                let words = values::words(&value, "t.random")?;
                let of_word = |word: &Word| case.names(|names| names.tokens(word));
                Fixed::Top(words.iter().map(of_word).collect::<Result<_, _>>()?)
            }
            _ => Fixed::Number(values::number(&value, "t.random")?),
        });
    }
    case.table()?.edit().fix_chance(results);
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

/// The seat of a player given as the first argument.
pub(super) fn seat(case: &mut Case, args: &Args) -> Result<u8, String> {
    let player = args.number(0, "player")?;
    case.names(|names| names.seat(player))
}

/// `t.answer(1, "raid")`: answers the pending decision of a player. A question that answered itself in this way counts as answered.
pub(super) fn answer(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(2)?;
    let seat = seat(case, args)?;
    let word = args.word(1, "answer")?;
    case.work(1)?;
    if case.claim(seat, &word) {
        return NOTHING;
    }
    let choices = case.choices(seat)?;
    let Some(index) = case::find(&choices, &word) else {
        return Err(format!(
            "player {} is not offered `{word}`; offered: {}{}",
            u16::from(seat) + 1,
            case::ids(&choices),
            case.by_itself(seat)
        ));
    };
    case.answer(seat, index, &choices[index].id)?;
    NOTHING
}

/// `t.play_on(20)`: answers up to so many decisions with the first choice, and returns how many there were.
pub(super) fn play_on(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(1)?;
    play(case, args.number(0, "decisions")?, &mut First)
}

/// `t.play_at_random(200, 7)`: answers up to so many decisions by chance, drawn with this seed, and returns how many there were.
pub(super) fn play_at_random(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(2)?;
    let most = args.number(0, "decisions")?;
    let seed = u64::try_from(args.number(1, "seed")?).map_err(|_| "seed: expected a number from 0".to_owned())?;
    play(case, most, &mut Random::new(seed))
}

fn play(case: &mut Case, most: i32, bot: &mut impl Bot) -> Done {
    let mut answered = 0;
    while answered < most {
        let table = case.table()?;
        let Some(decision) = table.decision() else { break };
        let index = bot.choose(table, decision).map_err(|error| error.to_string())?;
        let id = table.choices().get(index).map(|raw| table.describe(*raw).id).unwrap_or_default();
        case.answer(decision.seat, index, &id)?;
        answered += 1;
    }
    Ok(Value::Number(f64::from(answered)))
}

/// `t.offered(2)`: the ids of what a player may choose now; nil if there is nothing to choose.
pub(super) fn offered(case: &mut Case, lua: &Lua, args: &Args) -> Done {
    args.at_most(1)?;
    let seat = seat(case, args)?;
    if case.table()?.pending().iter().all(|decision| decision.seat != seat) {
        return NOTHING;
    }
    let ids = case.choices(seat)?.into_iter().map(|choice| choice.id);
    lua.create_sequence_from(ids).map(Value::Table).map_err(|error| error.to_string())
}

/// `t.left()`: decisions may be left open at the end.
pub(super) fn left(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(0)?;
    case.left = true;
    NOTHING
}

/// `t.state(1, "gold")`: the value of a counter.
pub(super) fn state(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(2)?;
    let (value, ..) = counter(case, args)?;
    Ok(Value::Number(f64::from(value)))
}

/// Value, index and holder of a counter given as the first two arguments.
pub(super) fn counter(case: &mut Case, args: &Args) -> Result<(i32, usize, Word), String> {
    let (word, name) = (args.word(0, "holder")?, args.text(1, "counter")?);
    let (counter, holder) = case.names(|names| {
        let counter = names.counter(&name)?;
        Ok((counter, names.holder(&word, counter)?))
    })?;
    let value = case.table()?.counter(holder, counter).ok_or_else(|| format!("`{word}` holds no counter `{name}`"))?;
    Ok((value, counter, word))
}

/// `t.seen(1, "hand", 2)`: what a player sees of a zone: ids, `"?"` for what is hidden; nil if not even how many.
pub(super) fn seen(case: &mut Case, lua: &Lua, args: &Args) -> Done {
    let seat = seat(case, args)?;
    let (zone, holder, _) = zone(case, args, 1, false)?;
    case.work(10)?;
    // A zone that this setup does not use is absent: nothing lies there.
    let view = case.table()?.observe_zone(Some(seat), zone, holder);
    let view = view.as_ref();
    if view.is_some_and(|view| view.count.is_none()) {
        return NOTHING;
    }
    let ids = view.into_iter().flat_map(|view| &view.tokens).map(|id| id.as_deref().unwrap_or("?"));
    let list = lua.create_sequence_from(ids).map_err(|error| error.to_string())?;
    Ok(Value::Table(list))
}
