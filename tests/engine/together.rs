//! Simultaneous questions in the middle of a turn, and reaction windows.

use super::*;
use motherlode::{Line, Replay};

/// In a player's turn everybody chooses a number. Players without gold are not asked. Then the first player is asked again.
const EVERYBODY: &str = "return { a = { turn = function(p)
    gain(p, \"gold\", 1)
    log(\"called\", p)
    local said = ask_all(players(), \"bid\", function(q)
        if get(q, \"gold\") > 0 then choice_numbers(1, get(q, \"gold\")) choice(\"none\") end
    end, p)
    local seats, sum = \"\", 0
    for q, n in said do
        seats ..= tostring(q)
        if n ~= \"none\" then sum += n * 10 ^ q end
    end
    set(game, \"log\", sum)
    log(\"summed\", sum, seats)
    if choose(p, \"pick\", { \"more\", \"done\" }) == \"done\" then end_game() end
end } }";

const TEXTS: &str = "called = \"{1:player} call.\"\nsummed = \"{1} of {2}\"\n";

fn everybody<'a>() -> Pieces<'a> {
    Pieces {
        phases: "[a]\nturns = \"around\"\n",
        prompts: "[bid]\ntext = \"How much for {1:player}, {player}?\"\nlabels = { none = \"Nothing\" }\n",
        texts: TEXTS,
        phases_luau: EVERYBODY,
        ..Pieces::default()
    }
}

fn open(m: &Match) -> Vec<u8> {
    m.pending().iter().map(|decision| decision.seat).collect()
}

fn lines(m: &mut Match) -> Vec<String> {
    m.take_log().iter().map(|line: &Line| line.text().to_owned()).collect()
}

#[test]
fn all_answer_in_any_order_without_seeing_other_answers() {
    let orders = [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]];
    let reached: BTreeSet<(u64, Vec<String>)> = orders
        .into_iter()
        .map(|order| {
            let mut m = everybody().play(3);
            m.set_logging(true);
            assert_eq!((open(&m), m.is_simultaneous()), (vec![0, 1, 2], true));
            assert_eq!(m.decision().unwrap().text(m.game()), "How much for Ada, Ada?");
            let before: Vec<Value> = (0..3).map(|seat| seen(&m, Some(seat))).collect();
            assert_eq!(before[0]["player"], Value::Null);
            for (at, who) in order.into_iter().enumerate() {
                m.focus(who).unwrap();
                assert_eq!(choices(&m).len(), if who == 0 { 5 } else { 4 });
                answer(&mut m, ["4", "none", "2"][usize::from(who)]);
                if at < 2 {
                    let left: Vec<u8> = (0..3).filter(|seat| !order[..=at].contains(seat)).collect();
                    assert_eq!((open(&m), seat(&m)), (left.clone(), left[0]));
                    assert_eq!(m.answer_as(who, 0), Err(MatchError::NotPending { seat: who }));
                    assert!((0..3).all(|seat| seen(&m, Some(seat)) == before[usize::from(seat)]));
                    assert!(m.take_log().is_empty(), "no line appears before all have answered");
                }
            }
            assert_eq!((open(&m), m.is_simultaneous(), value(&m, "log", 0)), (vec![0], false, 2040));
            let mut told = lines(&mut m);
            assert_eq!(told.len(), 4);
            assert_eq!(told.pop().unwrap(), "2040 of 123");
            told.sort();
            assert_eq!(told[2], "Cy: How much for Ada, Cy? 2");
            answer(&mut m, "more");
            (m.state().hash(), told)
        })
        .collect();
    assert_eq!(reached.len(), 1, "the order of answers does not matter");
}

#[test]
fn empty_and_single_choices_are_not_asked() {
    let script = EVERYBODY
        .replace("choice(\"none\") end", "end")
        .replace("log(\"called\", p)", "if p == 1 then set(2, \"gold\", 0) set(3, \"gold\", 1) end log(\"called\", p)");
    let mut m = Pieces { phases_luau: &script, ..everybody() }.play(4);
    m.set_logging(true);
    m.restart(&m.setup().clone()).unwrap();
    assert_eq!(open(&m), [0, 3]);
    assert_eq!(lines(&mut m), ["Ada call."]);
    let automatic = m.automatic();
    assert_eq!(automatic.iter().map(|one| (one.decision.seat, one.choice.id.as_str())).collect::<Vec<_>>(), [(2, "1")]);
    m.focus(3).unwrap();
    answer(&mut m, "3");
    answer(&mut m, "4");
    assert_eq!(
        lines(&mut m),
        ["Cy: How much for Ada, Cy? 1", "Di: How much for Ada, Di? 3", "Ada: How much for Ada, Ada? 4", "31040 of 134"]
    );
    assert_eq!(m.automatic().len(), 1, "until the next answer");
    answer(&mut m, "more");
    assert!(m.automatic().iter().all(|one| one.decision.phase(m.game()) == "a"));
}

/// If nobody has a choice, nobody is asked, and the hook needs no coroutine.
#[test]
fn a_question_to_nobody_ends_at_once() {
    let m = after_run(
        "",
        "local said = ask_all({ 2, 1 }, \"sure\", { \"yes\" })
        assert(said[1] == \"yes\" and said[2] == \"yes\")
        local first = nil
        for p in said do first = first or p end
        assert(first == 1)
        assert(next(ask_all(players(), \"sure\", function() end)) == nil)
        assert(next(ask_all({}, \"sure\", { \"yes\", \"no\" })) == nil)
        local who, what = ask_in_turn(players(), \"pick\", function() end)
        assert(who == nil and what == nil)",
    );
    assert_eq!(seat(&m), 0);
}

/// Answers of one simultaneous question do not leak into the next. A snapshot in between restores correctly.
#[test]
fn simultaneous_questions_follow_one_another() {
    let script = "return { a = { turn = function(p)
        local sum = 0
        for i = 1, 3 do
            if i == 2 then sum += choose(p, \"pick\", { 1, 2 }) end
            for q, n in ask_all(players(), \"pick\", { i, i + 1, i + 2 }) do sum = sum * 3 + n end
        end
        set(game, \"log\", sum)
        if choose(p, \"pick\", { \"more\", \"done\" }) == \"done\" then end_game() end
    end } }";
    let mut m = Pieces { phases: "[a]\nturns = \"around\"\n", phases_luau: script, ..Pieces::default() }.play(3);
    let root = m.snapshot();
    let mut sums = BTreeSet::new();
    for who in [[0, 1, 2], [2, 0, 1]] {
        m.restore(&root).unwrap();
        for i in 1..=3 {
            if i == 2 {
                answer(&mut m, "2");
            }
            for seat in who {
                m.focus(seat).unwrap();
                answer(&mut m, &(i + i32::from(seat)).to_string());
            }
        }
        assert_eq!((seat(&m), m.is_simultaneous()), (0, false));
        answer(&mut m, "done");
        assert!(m.is_over());
        sums.insert(value(&m, "log", 0));
        Replay::record(&m).verify(m.game()).unwrap();
    }
    assert_eq!(sums.len(), 1);
}

#[test]
fn a_failure_on_the_last_answer_keeps_the_others() {
    let script = "return { a = { turn = function(p)
        local said = ask_all(players(), \"pick\", { 1, 2 })
        if said[1] == said[3] then error(\"both the same\") end
        set(game, \"log\", said[1])
        choose(p, \"pick\", { \"done\" })
    end } }";
    let mut m = Pieces { phases: "[a]\nturns = \"around\"\n", phases_luau: script, ..Pieces::default() }.play(3);
    for who in [2, 1] {
        m.focus(who).unwrap();
        answer(&mut m, "2");
    }
    let before = (m.state().hash(), m.pending(), m.choices().to_vec(), m.answers().len());
    let error = m.answer(1).unwrap_err().to_string();
    assert!(error.contains("phases.luau:3: both the same"), "{error}");
    assert_eq!((m.state().hash(), m.pending(), m.choices().to_vec(), m.answers().len()), before);
    answer(&mut m, "1");
    assert_eq!(value(&m, "log", 0), 1);
}

#[test]
fn a_reaction_window_closes_with_the_first_reaction() {
    let script = "return { a = { turn = function(p)
        local others = {}
        local q = next_player(p)
        while q ~= p do table.insert(others, q) q = next_player(q) end
        local who, what = ask_in_turn(others, \"window\", function(q)
            choice(\"pass\")
            if get(q, \"gold\") > 0 then choice(\"stop\") end
        end, p)
        if who then assert(what == \"stop\") pay(who, \"gold\", 3) end
        note(who or 9)
    end } }";
    let window = "[window]\ntext = \"Stop {1:player}?\"\nlabels = { stop = \"Stop\", pass = \"Pass\" }\n";
    let script = format!("{NOTE}{script}");
    let mut m =
        Pieces { phases: "[a]\nturns = \"once\"\n", prompts: window, phases_luau: &script, ..Pieces::default() }
            .play(4);
    let mut asked = Vec::new();
    for id in ["pass", "stop", "pass", "pass", "pass", "pass", "pass"] {
        asked.push(seat(&m));
        answer(&mut m, id);
    }
    // Ada: Bob passes, Cy stops and has no gold left. Bob: Di, Ada pass, Cy passes by himself. Cy: Di, Ada, Bob. Di: Ada, Bob ...
    assert_eq!((asked, value(&m, "log", 0)), (vec![1, 2, 3, 0, 3, 0, 1], 399));
    let automatic: Vec<u8> = m.automatic().iter().map(|one| one.decision.seat).collect();
    assert_eq!((seat(&m), automatic), (0, vec![]));
}

#[test]
fn invalid_simultaneous_questions_are_refused() {
    for (asks, says) in [
        ("ask_all({ 1, 2, 1 }, \"pick\", { 1, 2 })", "player 1 is asked twice"),
        ("ask_all({ 1, 7 }, \"pick\", { 1, 2 })", "cannot ask: no player 7"),
        ("ask_all({ 1, \"x\" }, \"pick\", { 1, 2 })", "expected a whole number"),
        ("ask_all(2, \"pick\", { 1, 2 })", "ask_all: expected a list of players"),
        ("ask_all(players(), \"pick\", 3)", "ask_all: expected a list of choices"),
        ("ask_all(players(), \"pick\", { 1, -2 })", "`-2` is not a choice"),
        ("ask_all(players(), \"pick\", { 1, 2 }, \"x\")", "the values of a question must be whole numbers"),
        ("ask_all(players(), \"pikc\", { 1, 2 })", "no prompt `pikc`; did you mean `pick`?"),
        ("ask_in_turn(1, \"pick\", { \"pass\", 2 })", "ask_in_turn: expected a list of players"),
        ("ask_in_turn({ 9 }, \"pick\", { \"pass\", 2 })", "cannot ask: no player 9"),
    ] {
        let script = format!("return {{ p = {{ run = function()\n{asks}\nend }} }}");
        let said = error(&Pieces { phases: "[p]\n", phases_luau: &script, ..Pieces::default() }, 2);
        assert!(said.contains(says) && said.contains("phases.luau:2"), "{asks}: {said}");
    }
    for (turns, hook, says) in [
        (
            "sealed",
            "turn = function(p)\nask_all(players(), \"pick\", { 1, 2 }) end",
            "a hook of a sealed phase may ask only its own player",
        ),
        (
            "sealed",
            "turn = function(p)\nask_all(players(), \"sure\", { \"yes\" }) end",
            "a hook of a sealed phase may ask only its own player",
        ),
        (
            "once",
            "skip = function(p)\nask_all(players(), \"sure\", { \"yes\" }) end, turn = function() end",
            "this hook must not ask",
        ),
    ] {
        let phases = format!("[p]\nturns = \"{turns}\"\n");
        let script = format!("return {{ p = {{ {hook} }} }}");
        let said = error(&Pieces { phases: &phases, phases_luau: &script, ..Pieces::default() }, 2);
        assert!(said.contains(says) && said.contains("phases.luau:2"), "{said}");
    }
}

/// A redeal keeps the seat's own answer and drops the hidden answers of the others.
#[test]
fn a_redeal_forgets_the_answers_of_the_others() {
    let mut m = everybody().play(3);
    m.answer_as(0, 0).unwrap();
    m.answer_as(2, 1).unwrap();
    let root = m.snapshot();
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    for (seat, left) in [(0, vec![1, 2]), (1, vec![0, 1, 2]), (2, vec![0, 1])] {
        let mut own = m.fork().unwrap();
        own.restore(&root).unwrap();
        own.redeal(seat, &mut rng).unwrap();
        assert_eq!(open(&own), left, "{seat}");
        assert_eq!(own.decision().unwrap().seat, if left.contains(&seat) { seat } else { left[0] });
        while own.is_simultaneous() {
            own.answer(0).unwrap();
        }
        assert_eq!(value(&own, "log", 0) / 1000, if seat == 2 { 2 } else { 1 });
    }
}
