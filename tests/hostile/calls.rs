//! Wrong values, questions and return values that scripts pass to the engine.

use super::*;

/// Plays `act` of a script whose offer lists numbers. Choice n calls `attacks[n](player)`; each attack has its own line.
fn start_numbered(attacks: &[String]) -> (Match, Vec<u32>) {
    let mut script = String::from("local attacks = {\n");
    let mut lines = Vec::new();
    for attack in attacks {
        writeln!(script, "    function(player) {attack} end,").unwrap();
        lines.push(script.matches('\n').count() as u32);
    }
    script.push_str(
        r#"}
return {
    act = {
        offer = function() for n = 1, #attacks do choice(n) end choice("fine") end,
        act = function(player, n)
            gain(player, "gold", 1)
            if n ~= "fine" then attacks[n](player) end
        end,
    },
}
"#,
    );
    let game = Game::load(&pack(ACT, &script)).unwrap_or_else(|e| panic!("{e}"));
    let m = Match::new(&game.native(), &game.setup(Some(2), &[], 1).unwrap()).unwrap();
    (m, lines)
}

/// Checks that every attack fails at its line without a trace. Returns the attacks without an error.
fn expect_refusals(attacks: &[String]) -> (Vec<String>, String) {
    let (mut m, lines) = start_numbered(attacks);
    let mut through = Vec::new();
    let mut faults = String::new();
    m.set_logging(true);
    for (n, attack) in attacks.iter().enumerate() {
        let before = position(&mut m);
        let snapshot = m.snapshot();
        match m.answer(n) {
            Ok(()) => {
                through.push(attack.clone());
                m.restore(&snapshot).unwrap();
            }
            Err(error) => match script_fault(error) {
                Ok(fault) => {
                    let bad = ["engine/", "panicked", "-2147483648", "out of bounds"];
                    let bad = bad.iter().any(|bad| fault.message.contains(bad) && !attack.contains(bad));
                    if fault.file != SCRIPT || fault.line != lines[n] || bad {
                        writeln!(faults, "{attack}: {}:{}: {}", fault.file, fault.line, fault.message).unwrap();
                    }
                }
                Err(message) => writeln!(faults, "{attack}: {message}").unwrap(),
            },
        }
        if position(&mut m) != before {
            writeln!(faults, "{attack}: left a trace").unwrap();
        }
    }
    m.answer(attacks.len()).unwrap();
    (through, faults)
}

const VALUES: [&str; 15] = [
    "0.5",
    "0/0",
    "math.huge",
    "-math.huge",
    "9007199254740993",
    "4294967295",
    "-1",
    "-2147483648",
    "2147483647",
    "\"12\"",
    "\"0x10\"",
    "nil",
    "{}",
    "true",
    "pairs",
];

const CALLS: [&str; 57] = [
    "set(player, \"gold\", X)",
    "gain(player, \"gold\", X)",
    "pay(player, \"gold\", X)",
    "set(game, \"clock\", X)",
    "gain(game, \"clock\", X)",
    "set(1, \"ore\", X)",
    "get(X, \"gold\")",
    "get(X, \"mark\")",
    "get(X, \"ore\")",
    "get(player, X)",
    "set(X, \"gold\", 1)",
    "set(player, X, 1)",
    "gain(X, \"gold\", 1)",
    "has(X, \"gold\", 1)",
    "value(\"ore\", X)",
    "value(X, \"gold\")",
    "name_of(\"ore\", X)",
    "option(X)",
    "random(X)",
    "shuffle(X)",
    "shuffle(\"hand\", X)",
    "count(X)",
    "count(\"hand\", X)",
    "top(X)",
    "top(\"hand\", X)",
    "cards(X)",
    "cards(\"hand\", X)",
    "at(X, 1)",
    "move(X, \"pile\")",
    "move(1, X)",
    "move(1, \"hand\", X)",
    "move_under(X, \"pile\")",
    "draw(X, nil, \"pile\")",
    "draw(\"deck\", nil, X)",
    "draw(\"deck\", nil, \"hand\", X)",
    "zone_of(X)",
    "holder_of(X)",
    "is_at(X, \"deck\")",
    "id(X)",
    "kind(X)",
    "owner(X)",
    "attr(1, X)",
    "tokens(X)",
    "def(\"cards\", X, \"cost\")",
    "def(\"cards\", \"red\", X)",
    "number_of(\"cards\", X)",
    "turn_up(X)",
    "is_up(X)",
    "show(1, X)",
    "show(X, 1)",
    "eliminate(X)",
    "pass(X)",
    "do_verb(X, player, {})",
    "longest(X, \"ore\")",
    "choose(X, \"pick\", { 1, 2 })",
    "choose(player, X, { 1, 2 })",
    "log(X)",
];

/// Calls without an error: a valid value, or a missing optional argument.
const RIGHT: [&str; 3] = ["gain(player, \"gold\", -1)", "pay(player, \"gold\", -1)", "random(2147483647)"];

#[test]
fn wrong_numbers_and_names_are_refused() {
    let outcome = guarded(|| {
        let mut wrong = String::new();
        for calls in CALLS.chunks(8) {
            let attacks: Vec<String> =
                calls.iter().flat_map(|call| VALUES.iter().map(|value| call.replace('X', value))).collect();
            let (through, faults) = expect_refusals(&attacks);
            wrong.push_str(&faults);
            for attack in through.iter().filter(|attack| !RIGHT.contains(&attack.as_str())) {
                writeln!(wrong, "{attack}: went through").unwrap();
            }
        }
        wrong
    });
    assert_eq!(outcome.unwrap(), "");
}

#[test]
fn invalid_questions_are_refused() {
    let attacks = [
        ("choose(player, \"pick\", {})", "no choices for prompt `pick`"),
        ("choose(player, \"pick\", 5)", "expected a list of choices"),
        ("choose(player, \"pik\", { 1, 2 })", "no prompt `pik`; did you mean `pick`?"),
        ("choose(0, \"pick\", { 1, 2 })", "no player 0"),
        ("choose(3, \"pick\", { 1, 2 })", "no player 3"),
        ("choose(game, \"pick\", { 1, 2 })", "no player 17"),
        ("choose(player, \"pick\", table.create(5000, 1))", "more than 4095 choices"),
        ("choose(player, \"pick\", { \"fien\", \"fine\" })", "no label `fien`; did you mean `fine`?"),
        ("choose(player, \"pick\", { 1, 1.5 })", "`1.5` is not a choice"),
        ("choose(player, \"pick\", { 1, -1 })", "`-1` is not a choice"),
        ("choose(player, \"pick\", { 1, 4294967295 })", "`4294967295` is not a choice"),
        ("choose(player, \"pick\", { 1, 0 / 0 })", "is not a choice"),
        ("choose(player, \"pick\", { 1, true })", "`true` is not a choice"),
        ("choose(player, \"pick\", { 1, {} })", "is not a choice"),
        ("table.sort({ 2, 1 }, function() return choose(player, \"pick\", { 1, 2 }) == 1 end)", "cannot ask here"),
        ("string.gsub(\"x\", \"x\", function() choose(player, \"pick\", { 1, 2 }) end)", "cannot ask here"),
        ("for n = 1, 5000 do choice(n) end", "more than 4095 choices"),
        ("for _ = 1, 4095 do choice(1) end choice_zone(\"deck\")", "more than 4095 choices"),
        ("choice(1) choice_numbers(1, 4095)", "more than 4095 choices"),
        ("choice_numbers(0, 2147483647)", "more than 4095 choices"),
        ("choice_numbers(-1, 3)", "choice_numbers(-1, 3): a choice is a whole number from 0"),
        ("choice_numbers(1)", "choice_numbers: expected two whole numbers, not nil"),
        ("choice_numbers(1.5, 2)", "expected a whole number"),
        ("for _ = 1, 4095 do choice(1) end choice_cells(\"board\", \"ore\", 0)", "more than 4095 choices"),
        ("error({})", "raised a table instead of a text"),
        ("error()", "raised a nil instead of a text"),
        ("error(7)", "7"),
        ("error(\"of my own\")", "of my own"),
        ("error(\"scripts/hostile/phases.luau:99: lies\", 0)", "lies"),
        ("error(string.rep(\"x\", 60000))", "xxx"),
        ("assert(false, \"asserted\")", "asserted"),
        ("player.x = 1", "attempt to index number"),
    ];
    let source: Vec<String> = attacks.iter().map(|(attack, _)| (*attack).to_owned()).collect();
    let (through, faults) = expect_refusals(&source);
    assert_eq!((through, faults.as_str()), (Vec::new(), ""));
    let (mut m, _) = start_numbered(&source);
    for (n, (attack, text)) in attacks.iter().enumerate() {
        let error = m.answer(n).unwrap_err().to_string();
        assert!(error.contains(text) && error.len() < 5000, "{attack}: expected `{text}`, got `{error}`");
    }
}

#[test]
fn questions_work_inside_pcall() {
    let attacks = [
        "pcall(function() gain(player, \"gold\", choose(player, \"pick\", { 5, 6 })) end)".to_owned(),
        "for _ = 1, 2000 do choose(player, \"pick\", { 1, 2 }) end".to_owned(),
    ];
    let (mut m, _) = start_numbered(&attacks);
    m.answer(0).unwrap();
    assert_eq!(m.choices(), [5, 6]);
    m.answer(1).unwrap();
    assert_eq!(m.counter(1, 0), Some(3 + 1 + 6));
    // Too many questions in one hook: the answer that leads to one more is refused.
    m.answer(1).unwrap();
    let mut asked = 0;
    let error = loop {
        match m.answer(0) {
            Ok(()) => asked += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(
        (asked, error.to_string().as_str()),
        (999, "scripts/hostile/phases.luau:3: a hook asked more than 1000 times (in `act.act` of `hostile`, player 2)")
    );
    let hash = m.state().hash();
    assert!(m.answer(1).is_err());
    assert_eq!((m.state().hash(), m.choices()), (hash, [1, 2].as_slice()));
}

/// Hooks that must not ask, each in a pack that only asks.
#[test]
fn read_only_hooks_cannot_ask() {
    let ask = "choose(1, \"pick\", { 1, 2 })";
    for (hook, player) in [("applies", ""), ("order", ""), ("skip", "player"), ("offer", "player")] {
        let offer = if hook == "offer" { String::new() } else { "offer = function() choice(1) end,".to_owned() };
        let script = format!(
            "return {{ act = {{\n    {hook} = function({player}) {ask} end,\n    {offer} act = function() end,\n}} }}"
        );
        for inside in [script.clone(), script.replace(ask, &format!("pcall(function() {ask} end)"))] {
            let game = Game::load(&pack(ACT, &inside)).unwrap();
            let error = Match::new(&game, &game.setup(None, &[], 1).unwrap()).map(|_| ()).unwrap_err();
            let fault = script_fault(error).unwrap();
            assert_eq!((fault.hook.as_str(), fault.line), (format!("act.{hook}").as_str(), 2), "{fault}");
            assert!(fault.message.contains("must not ask"), "{fault}");
        }
    }
}

/// The engine checks the return values of hooks.
#[test]
fn wrong_return_values_are_refused() {
    let order = |list: &str| {
        format!(
            "return {{ act = {{\n    order = function()\n        return {list}\n    end,\n    offer = function() choice(1) end, act = function() end,\n}} }}"
        )
    };
    for list in
        ["{ 3 }", "{ 1, 1 }", "{ 0 }", "{ 1.5 }", "{ \"1\" }", "5", "\"x\"", "true", "pairs", "table.create(5000, 1)"]
    {
        let game = Game::load(&pack(ACT, &order(list))).unwrap();
        let Err(error) = Match::new(&game, &game.setup(None, &[], 1).unwrap()) else { panic!("{list} is no order") };
        let fault = script_fault(error).unwrap();
        assert_eq!((fault.hook.as_str(), fault.file.as_str()), ("act.order", SCRIPT), "{list}: {fault}");
        assert_eq!(fault.line, 2, "{list}: {fault}");
        assert!(fault.message.contains("order"), "{list}: {fault}");
    }
    // Nobody has a turn, and the rounds pass.
    let game = Game::load(&pack(ACT, &order("{}"))).unwrap();
    assert!(Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap().is_over());
}

#[test]
fn sealed_hooks_change_only_their_own_player() {
    let phases = "[sealed]\nname = \"Sealed\"\nturns = \"sealed\"\n";
    let attacks = [
        ("gain(3 - player, \"gold\", 1)", "counter `gold` of"),
        ("set(game, \"clock\", 1)", "counter `clock`"),
        ("set(1, \"ore\", 1)", "counter `ore`"),
        ("set(1, \"mark\", 1)", "counter `mark`"),
        ("move(top(\"deck\"), \"hand\", player)", "not token Blue"),
        ("move(1, \"hand\", 3 - player)", "not token Red"),
        ("random(6)", "cannot draw random numbers"),
        ("shuffle(\"hand\", player)", "cannot draw random numbers"),
        ("end_phase()", "the flow of the game"),
        ("end_game()", "the flow of the game"),
        ("end_after_round()", "the flow of the game"),
        ("eliminate(player)", "the flow of the game"),
        ("pass(player)", "the flow of the game"),
        ("turn_up(1)", "not token Red"),
        ("show(1, player)", "not token Red"),
        ("choose(3 - player, \"pick\", { 1, 2 })", "may ask only its own player"),
        ("choose(3, \"pick\", { 1, 2 })", "no player 3"),
        ("error(\"mine\")", "mine"),
        ("while true do end", "spent its budget"),
    ];
    for (attack, text) in attacks {
        let script = format!(
            "return {{ sealed = {{ turn = function(player)\n    if choose(player, \"pick\", {{ \"fine\", \"attack\" }}) == \"attack\" then\n        gain(player, \"gold\", 1)\n        {attack}\n    end\n    gain(player, \"gold\", 1)\nend }} }}"
        );
        let game = Game::load(&pack(phases, &script)).unwrap();
        let mut m = Match::new(&game, &game.setup(Some(2), &[], 1).unwrap()).unwrap();
        for seat in [1, 0] {
            m.focus(seat).unwrap();
            let before = position(&mut m);
            let fault = script_fault(m.answer(1).unwrap_err()).unwrap();
            assert!(fault.message.contains(text), "{attack}: {fault}");
            assert_eq!((fault.file.as_str(), fault.player), (SCRIPT, Some(i32::from(seat) + 1)), "{attack}");
            assert_eq!(position(&mut m), before, "{attack}");
            assert_eq!(m.round(), 1);
            m.answer_as(seat, 0).unwrap();
        }
        assert_eq!((m.counter(1, 0), m.counter(2, 0), m.round()), (Some(4), Some(4), 2), "{attack}");
    }
}

/// Addresses and hash order must not make two runs differ.
#[test]
fn scripts_cannot_observe_addresses() {
    let attacks = [
        "string.format(\"%s\", {})",
        "string.format(\"%*\", pairs)",
        "local _ = `{({})}`",
        "(\"%s\"):format(player == 1 and {} or {})",
    ];
    let attacks: Vec<String> = attacks.iter().map(|a| (*a).to_owned()).collect();
    assert_eq!(expect_refusals(&attacks), (Vec::new(), String::new()));
    let harmless = [
        "assert(tostring({}) == \"table\" and tostring(pairs) == \"function\")".to_owned(),
        "assert(tostring(1) == \"1\" and tostring(nil) == \"nil\" and `{1} {true}` == \"1 true\")".to_owned(),
    ];
    assert_eq!(expect_refusals(&harmless).0.len(), 2);
}

/// A VM without memory is replaced. Options, transcript and limits stay.
#[test]
fn a_match_continues_after_memory_runs_out() {
    let (mut m, _) = start_numbered(&[
        "local last while true do last = { last, {}, {}, {}, {}, {}, {}, {} } end".into(),
        "gain(player, \"gold\", option(\"limit\")) log(\"line\", 1, 2, 3, 4, 1)".into(),
    ]);
    m.set_logging(true);
    m.limits_mut().steps = 1_000_000;
    for _ in 0..3 {
        assert!(m.answer(0).unwrap_err().to_string().contains("ran out of memory"));
        m.answer(1).unwrap();
        assert!(m.take_log().iter().any(|line| line.text() == "Line 1 Bob Red a2 gold."), "the transcript goes on");
        assert_eq!(m.limits_mut().steps, 1_000_000);
    }
    let mut fork = m.fork().unwrap();
    assert!(fork.answer(0).is_err());
    fork.answer(1).unwrap();
    assert!(m.answer(0).is_err());
    m.answer(1).unwrap();
    assert_eq!(fork.state().hash(), m.state().hash());
    m.restart(&m.setup().clone()).unwrap();
    assert!(m.answer(0).is_err());
    m.restart(&m.setup().clone()).unwrap();
    m.answer(1).unwrap();
}

/// A hook's memory limit does not depend on garbage from earlier hooks.
#[test]
fn the_memory_limit_ignores_earlier_garbage() {
    let outcome = guarded(|| {
        let attack = |tables: u32| {
            format!("local last for _ = 1, {tables} do last = {{ last, {{}}, {{}}, {{}}, {{}}, {{}}, {{}}, {{}} }} end")
        };
        // Each table takes about 64 bytes.
        let sizes = [5_000, 30_000, 50_000, 70_000, 90_000, 140_000, 1_000_000];
        let (mut m, _) = start_numbered(&sizes.map(attack));
        let fits = |m: &mut Match, n: usize| {
            let snapshot = m.snapshot();
            let fits = m.answer(n).is_ok();
            m.restore(&snapshot).unwrap();
            fits
        };
        let alone: Vec<bool> = (0..sizes.len()).map(|n| fits(&mut start_numbered(&sizes.map(attack)).0, n)).collect();
        assert!(alone[0] && !alone[sizes.len() - 1], "{alone:?}");
        for round in 0..4 {
            let after: Vec<bool> = (0..sizes.len()).map(|n| fits(&mut m, n)).collect();
            assert_eq!(after, alone, "in round {round}");
        }
    });
    outcome.unwrap();
}

/// A script that lists different choices at each call needs its own state, and the engine refuses that.
#[test]
fn an_offer_that_changes_is_refused() {
    let script = r#"
local asked = 0
return {
    act = {
        offer = function()
            asked = asked + 1
            for n = 1, 1 + asked * 7 % 5 do choice(n) end
        end,
        act = function(player, n)
            if n % 2 == 0 then error("even") end
            gain(player, "gold", 1)
        end,
    },
}
"#;
    let game = Game::load(&pack(ACT, script)).unwrap();
    let setup = game.setup(Some(2), &[], 1).unwrap();
    let told = Match::new(&game, &setup).unwrap_err().to_string();
    assert!(told.contains("phases.luau:5:") && told.contains("a variable that changed"), "{told}");
}

/// If a script keeps nearly all memory, the match fails to begin, or it runs.
#[test]
fn little_memory_left_after_loading_is_an_error() {
    let prompts = PROMPTS.replace("attack = \"Attack\"", &{
        let labels = (0..3000).map(|n| format!("l{n} = \"x\"")).collect::<Vec<_>>().join(", ");
        format!("attack = \"Attack\", {labels}")
    });
    let end = |kept: u32| {
        let script = format!(
            "local kept\nfor i = 1, {kept} do kept = {{ kept, {{}}, {{}}, {{}}, {{}}, {{}}, {{}}, {{}} }} end\nreturn {{ act = {{ offer = function() choice(\"l2999\") end, act = function(player, x) gain(player, \"gold\", #kept - 7) end }} }}"
        );
        let content = [("game", GAME), ("cards", CARDS), ("phases", ACT), ("prompts", &prompts), ("texts", TEXTS)];
        let pack = motherlode_fixtures::pack("hostile", &content, &[("phases", &script)]);
        guarded(move || {
            let Ok(game) = Game::load(&pack) else { return 0 };
            let Ok(mut m) = Match::new(&game, &game.setup(Some(2), &[], 1).unwrap()) else { return 1 };
            assert!(m.answer(0).is_ok() || m.answer(0).is_err());
            2
        })
    };
    let ends: Vec<usize> = (30_000..=70_000).step_by(5000).map(|kept| end(kept).unwrap()).collect();
    assert!(ends.contains(&0) && ends.contains(&2), "{ends:?}");
}

/// A transcript line stays short, however long and many the script's values are.
#[test]
fn lines_of_the_transcript_are_short() {
    let attack =
        "local long = string.rep(\"x\", 500) for _ = 1, 2000 do log(\"line\", long, long, long, long, long) end";
    let (mut m, _) = start_numbered(&[attack.to_owned()]);
    m.set_logging(true);
    m.answer(0).unwrap();
    let log = m.take_log();
    assert!(log.len() > 1000 && log.iter().all(|line| line.text().len() < 2100));
}

/// A value cannot imitate a second transcript line.
#[test]
fn a_line_of_the_transcript_is_one_line() {
    let (mut m, _) = start_numbered(&["log(\"line\", \"a\\nBob wins\\u{200b}.\")".to_owned()]);
    m.set_logging(true);
    m.answer(0).unwrap();
    let log: Vec<String> = m.take_log().iter().map(|line| line.text().to_owned()).collect();
    assert!(log.iter().any(|line| line.contains("a Bob wins\u{fffd}.")), "{log:?}");
    assert!(log.iter().all(|line| !line.contains('\n')), "{log:?}");
}

/// Many cheap hooks in a row spend the budget as one long hook does.
#[test]
fn hooks_without_a_decision_end() {
    let game =
        Game::load(&pack("[act]\nname = \"Act\"\nturns = \"around\"\n", "return { act = { turn = function() end } }"))
            .unwrap();
    let error = Match::new(&game, &game.setup(None, &[], 1).unwrap()).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("hooks ran in phase `act` without a decision"), "{error}");
    let heavy = "return { act = { turn = function() for _ = 1, 1000000 do end end } }";
    let game = Game::load(&pack("[act]\nname = \"Act\"\nturns = \"around\"\n", heavy)).unwrap();
    let start = Instant::now();
    let error = Match::new(&game, &game.setup(None, &[], 1).unwrap()).map(|_| ()).unwrap_err();
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    assert!(
        error.to_string().contains("without a decision") || error.to_string().contains("spent its budget"),
        "{error}"
    );
}
