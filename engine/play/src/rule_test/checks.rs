//! The methods of `t` that assert something.

use mlua::{Lua, Value};
use motherlode::Choice;

use super::case::{self, Args, Case};
use super::steps;
use super::values::{self, Word};

type Done = Result<Value, String>;

const HOLDS: Done = Ok(Value::Nil);

/// `t.expect(1, "towers", 4)`: checks the value of a counter.
pub(super) fn expect(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(3)?;
    let (value, counter, holder) = steps::counter(case, args)?;
    let word = args.word(2, "value")?;
    case.names(|names| {
        let expected = names.value(counter, &word)?;
        if value == expected {
            return HOLDS;
        }
        let (value, expected) = (names.show_value(counter, value), names.show_value(counter, expected));
        Err(format!("{} is {value}, expected {expected}", names.show_counter(counter, &holder)))
    })
}

/// `t.choices(2, { "raid", "defend" })`: checks the exact set of choices, in any order.
pub(super) fn choices(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(2)?;
    let seat = steps::seat(case, args)?;
    let mut expected = values::words(&args.get(1), "choices")?;
    expected.iter_mut().for_each(|word| *word = case.choice_word(word));
    // An automatic answer comes before the pending decision.
    if let [word] = &expected[..]
        && case::find(&singles(case, seat), word).is_some()
    {
        return HOLDS;
    }
    let mut offered = case.choices(seat)?;
    let all = case::ids(&offered);
    let mut missing = Vec::new();
    for word in &expected {
        match case::find(&offered, word) {
            Some(index) => drop(offered.remove(index)),
            None => missing.push(word.to_string()),
        }
    }
    if missing.is_empty() && offered.is_empty() {
        return HOLDS;
    }
    let mut message = format!("player {} is offered {all}", u16::from(seat) + 1);
    if !missing.is_empty() {
        message += &format!("; missing: {}", missing.join(", "));
    }
    if !offered.is_empty() {
        message += &format!("; not expected: {}", case::ids(&offered));
    }
    Err(message)
}

/// Whether a choice is offered; also the player, the choice and all choices. With `single`, automatic answers count
/// too.
fn offer(case: &mut Case, args: &Args, single: bool) -> Result<(bool, u16, Word, String), String> {
    args.at_most(2)?;
    let seat = steps::seat(case, args)?;
    let word = args.word(1, "choice")?;
    let meant = case.choice_word(&word);
    let singles = singles(case, seat);
    let choices = match case::find(&singles, &meant) {
        Some(_) if single => singles,
        _ if !singles.is_empty() && !case.is_asked(seat)? => singles,
        _ => case.choices(seat)?,
    };
    Ok((case::find(&choices, &meant).is_some(), u16::from(seat) + 1, word, case::ids(&choices)))
}

/// The choices that the engine took automatically for a seat.
fn singles(case: &Case, seat: u8) -> Vec<Choice> {
    case.singles(seat).into_iter().map(|single| single.choice).collect()
}

/// `t.offers(2, "raid")`: checks that a choice is offered.
pub(super) fn offers(case: &mut Case, _: &Lua, args: &Args) -> Done {
    match offer(case, args, true)? {
        (true, ..) => HOLDS,
        (false, player, word, all) => Err(format!("player {player} is not offered `{word}`; offered: {all}")),
    }
}

/// `t.refuses(2, "raid")`: checks that a choice is not offered.
pub(super) fn refuses(case: &mut Case, _: &Lua, args: &Args) -> Done {
    match offer(case, args, false)? {
        (false, ..) => HOLDS,
        (true, player, word, all) => Err(format!("player {player} is offered `{word}`; offered: {all}")),
    }
}

/// `t.why(1, "mine", "no miner")`: checks the reason why a choice is not offered.
pub(super) fn why(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(3)?;
    let seat = steps::seat(case, args)?;
    let (word, reason) = (args.word(1, "choice")?.to_string(), args.text(2, "reason")?);
    let found = case.engine(|played| played.refusals(seat))?;
    match found.iter().find(|refusal| refusal.id == word || refusal.label == word) {
        Some(refusal) if refusal.reason.contains(&reason) => HOLDS,
        Some(refusal) => Err(format!("`{word}` is refused for another reason: {}", refusal.reason)),
        None => {
            let all = join_or_nothing(found.iter().map(|refusal| refusal.id.clone()));
            Err(format!("player {} is not refused `{word}`; refused: {all}", u16::from(seat) + 1))
        }
    }
}

/// `t.zone("hand", 2, { "mine" })`: checks the exact tokens of a zone, bottom first.
pub(super) fn zone(case: &mut Case, _: &Lua, args: &Args) -> Done {
    let (zone, holder, list) = steps::zone(case, args, 0, true)?;
    let expected = values::words(&list, "tokens")?;
    let tokens = tokens(case, zone, holder)?;
    case.names(|names| {
        let same = |(token, word): (&i32, &Word)| match word {
            Word::Number(number) => number == token,
            Word::Text(id) => id == names.id(*token),
            Word::Boolean(_) => false,
        };
        if tokens.len() == expected.len() && tokens.iter().zip(&expected).all(same) {
            return HOLDS;
        }
        let held = join_or_nothing(tokens.iter().map(|token| names.id(*token).to_owned()));
        let expected = join_or_nothing(expected.iter().map(Word::to_string));
        Err(format!("{} holds {held}; expected {expected}", names.show_zone(zone, holder)))
    })
}

/// `t.count("hand", 2, 1)`: checks the number of tokens in a zone.
pub(super) fn count(case: &mut Case, _: &Lua, args: &Args) -> Done {
    let (zone, holder, value) = steps::zone(case, args, 0, true)?;
    let expected = values::number(&value, "count")?;
    let count = tokens(case, zone, holder)?.len();
    if usize::try_from(expected) == Ok(count) {
        return HOLDS;
    }
    case.names(|names| Err(format!("{} holds {count} tokens, expected {expected}", names.show_zone(zone, holder))))
}

fn tokens(case: &mut Case, zone: usize, holder: i32) -> Result<Vec<i32>, String> {
    case.current_match()?.zone(zone, holder).ok_or_else(|| format!("`{holder}` has no such zone"))
}

fn join_or_nothing(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

/// `t.prompt(2, "target")`: checks the prompt of a pending decision.
pub(super) fn prompt(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(2)?;
    let seat = steps::seat(case, args)?;
    let name = args.text(1, "prompt")?;
    case.names(|names| names.prompt(&name))?;
    if case.singles(seat).iter().any(|single| single.decision.prompt(&case.game) == name) {
        return HOLDS;
    }
    let decision = case.pending(seat)?;
    let asked = decision.prompt(&case.game);
    if asked == name {
        return HOLDS;
    }
    Err(format!("player {} is asked `{asked}`, expected `{name}`", u16::from(seat) + 1))
}

/// `t.phase("action")`: checks the current phase.
pub(super) fn phase(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(1)?;
    let expected = args.text(0, "phase")?;
    case.names(|names| names.phase(&expected))?;
    let phase = case.current_match()?.phase();
    if phase == expected { HOLDS } else { Err(format!("the phase is `{phase}`, expected `{expected}`")) }
}

/// `t.round(2)`: checks the current round.
pub(super) fn round(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(1)?;
    let expected = args.number(0, "round")?;
    let round = case.current_match()?.round();
    if round == expected { HOLDS } else { Err(format!("the round is {round}, expected {expected}")) }
}

/// Number of last transcript lines that a failure shows.
const LAST_LINES: usize = 8;

/// `t.told("make off", 1)`: checks how many transcript lines contain a text; without a number, at least one.
pub(super) fn told(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(2)?;
    let text = args.text(0, "text")?;
    let expected = match args.get(1) {
        Value::Nil => None,
        times => Some(values::number(&times, "times")?),
    };
    let lines = case.transcript()?;
    let found = lines.iter().filter(|line| line.text().contains(&text)).count();
    let holds = match expected {
        None => found > 0,
        Some(expected) => usize::try_from(expected) == Ok(found),
    };
    if holds {
        return HOLDS;
    }
    let expected = expected.map_or_else(|| "at least 1".to_owned(), |expected| expected.to_string());
    let last = lines[lines.len().saturating_sub(LAST_LINES)..].iter().map(|line| format!("\n  line: {}", line.text()));
    Err(format!("transcript lines with `{text}`: {found}, expected {expected}{}", last.collect::<String>()))
}

/// `t.over { ranks = { 1, 2 }, scores = { 15, 3 } }`: checks that the game is over with this outcome.
pub(super) fn over(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(1)?;
    let Some(outcome) = case.current_match()?.outcome() else { return Err("the game is not over".to_owned()) };
    if args.get(0).is_nil() {
        return HOLDS;
    }
    for (field, value) in
        values::fields(&args.get(0), "t.over", &["ranks", "scores", "teams", "won", "rounds", "reason"])?
    {
        let (got, expected) = match field.as_str() {
            "ranks" => (join(&outcome.ranks), join(&values::numbers(&value, "ranks")?)),
            "scores" => (join(&outcome.scores), join(&values::numbers(&value, "scores")?)),
            "teams" => (join(&outcome.teams), join(&values::numbers(&value, "teams")?)),
            "won" => {
                let Value::Boolean(expected) = value else {
                    return Err(format!("won: expected true or false, not {}", values::show(&value)));
                };
                let Some(won) = outcome.won else {
                    return Err("won: the game is not cooperative (`shared` in outcome)".to_owned());
                };
                (won.to_string(), expected.to_string())
            }
            "rounds" => (outcome.rounds.to_string(), values::number(&value, "rounds")?.to_string()),
            _ => (outcome.reason.clone(), values::text(&value, "reason")?),
        };
        if got != expected {
            return Err(format!("{field}: got {got}, expected {expected}"));
        }
    }
    HOLDS
}

fn join(numbers: &[impl ToString]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// `t.equal(got, expected, "what")`: checks that two values are equal; tables are compared by content.
pub(super) fn equal(case: &mut Case, _: &Lua, args: &Args) -> Done {
    args.at_most(3)?;
    let (got, expected) = (args.get(0), args.get(1));
    let (equal, fields) = values::equal(&got, &expected);
    case.work(fields as u64)?;
    if equal? {
        return HOLDS;
    }
    let what = match args.get(2) {
        Value::Nil => "the values".to_owned(),
        what => values::word(&what, "what")?.to_string(),
    };
    Err(format!("{what}: got {}, expected {}", values::show(&got), values::show(&expected)))
}
