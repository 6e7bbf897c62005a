//! Rule tests that pass, and rule tests that fail with exact messages.

mod reactions;
mod runs;

use std::collections::BTreeSet;

use super::files::MOST_BYTES;
use super::result::WHOLE_FILE;
use super::{TestFiles, TestFilter, TestResult};
use crate::samples;
use motherlode::{Game, SourceFile};

fn run_text(game: &Game, file: &str, text: &str, filter: Option<&str>) -> Vec<TestResult> {
    let file = SourceFile { path: file.to_owned(), text: text.to_owned() };
    TestFiles::of([file]).run(game, filter.map_or(TestFilter::All, TestFilter::Named))
}

/// Runs the body of one test after `t.setup {}` and returns its message.
fn message(game: &Game, body: &str) -> String {
    let results = run_text(
        game,
        "tests/x.luau",
        &format!("return {{ [\"x\"] = function(t) t.setup {{ seed = 1 }}\n{body}\nend }}"),
        None,
    );
    let [result] = results.as_slice() else { panic!("one result: {results:?}") };
    assert_eq!(result.passed, result.message.is_empty());
    result.message.clone()
}

/// The first line of the message, without the position.
fn wrong(game: &Game, body: &str) -> String {
    message(game, body).lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_whole_game_passes() {
    let noughts = samples::noughts();
    let source = r#"return {
        ["N-1 three in a row win"] = function(t)
            t.setup { players = 2, seed = 1, options = { faulty = false } }
            t.phase("play") t.round(1) t.prompt(1, "place")
            t.choices(1, { "a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3" })
            t.answer(1, "b2")
            t.refuses(2, "b2") t.offers(2, "a1")
            t.answer(2, "a1")
            t.expect("b2", "mark", "cross") t.expect("a1", "mark", 2) t.expect("c3", "mark", "none")
            t.set("b1", "mark", "cross")
            t.refuses(1, "b1")
            t.answer(1, "b3")
            t.over { ranks = { 1, 2 }, scores = { 1, 0 }, reason = "script" }
            t.equal(t.state(1, "won"), 1, "wins of cross")
            t.equal({ 1, { a = "x" } }, { 1, { a = "x" } })
        end,
        ["N-2 a game may stop half way"] = function(t)
            t.setup()
            t.equal(t.play_on(2), 2)
            t.error("nothing to answer", function() t.answer(2, "c3") end)
            t.error("unknown counter `wn`", function() t.expect(1, "wn", 1) end)
            t.left()
        end,
        ["N-3 the first free cell is enough"] = function(t)
            t.setup { seed = 2 }
            t.equal(t.play_on(20), 7)
            t.over()
        end,
    }"#;
    for result in run_text(&noughts, "tests/noughts.luau", source, None) {
        assert!(result.passed, "{result:?}");
    }
}

#[test]
fn the_transcript_is_read_line_by_line() {
    let noughts = samples::noughts();
    let source = r#"return {
        ["N-1 answers are told"] = function(t)
            t.setup { players = 2, seed = 1 }
            t.told("b2", 0)
            t.answer(1, "b2")
            t.told("b2")
            t.told("b2", 1)
            t.told("a1", 0)
            t.setup { players = 2, seed = 1 }
            t.told("b2", 0)
            t.left()
        end,
    }"#;
    for result in run_text(&noughts, "tests/noughts.luau", source, None) {
        assert!(result.passed, "{result:?}");
    }
    for (body, message) in [
        ("t.told('b2')", "transcript lines with `b2`: 0, expected at least 1"),
        ("t.answer(1, 'b2') t.told('b2', 2)", "transcript lines with `b2`: 1, expected 2"),
        ("t.told('b2', 'x')", "times: expected a whole number, got \"x\""),
        ("t.told()", "text: expected a name, got nil"),
    ] {
        assert_eq!(wrong(&noughts, body), message, "{body}");
    }
}

#[test]
fn chance_can_be_fixed() {
    let fortune = samples::fortune();
    let source = r#"return {
        ["F-1 what is rolled, also in the middle of a turn that is run again"] = function(t)
            t.setup { players = 2, seed = 1 }
            t.random { 3, 3, 4, 6 }
            t.answer(1, "roll")
            t.expect(1, "points", 3)
            t.answer(2, "roll_twice")
            t.set(1, "points", 7)
            t.answer(2, "draw")
            t.expect(2, "points", 43)
            t.answer(1, "roll")
            t.expect(1, "points", 6)
            t.left()
        end,
        ["F-2 what lies on top after a shuffle, bottom first"] = function(t)
            t.setup { players = 1, seed = 1 }
            t.random { { "blue", "green", "red#2" }, 5, {} }
            t.answer(1, "shuffle")
            t.answer(1, "roll")
            t.expect(1, "points", 5)
            for _ = 1, 3 do t.answer(1, "draw") end
            t.zone("discard", { "red", "green", "blue" })
            t.answer(1, "shuffle")
            t.left()
        end,
        ["F-3 a discard pile that is shuffled into an empty deck"] = function(t)
            t.setup { players = 1, seed = 1 }
            t.put("deck", {})
            t.put("discard", { "red", "blue", "green", "red" })
            t.random { { "red", "blue" }, 2 }
            t.answer(1, "draw")
            t.zone("discard", { "blue" })
            t.answer(1, "roll")
            t.answer(1, "draw")
            t.zone("discard", { "blue", "red" })
            t.left()
        end,
        ["F-4 cells by name"] = function(t)
            t.setup { players = 2, seed = 1 }
            t.equal(t.cell("a1", nil, "map"), 1)
            t.equal(t.cell("b2", nil, "map"), 7)
            t.equal(t.cell("e5"), 25)
            t.equal(t.cell("b2", 1), 9)
            t.equal(t.cell("b2", 2), 58)
            t.equal(t.cell("b2@2"), 58)
            t.set(t.cell("g7", 2), "own", 3)
            t.expect("g7@2", "own", 3)
            t.left()
        end,
    }"#;
    for result in run_text(&fortune, "tests/fortune.luau", source, None) {
        assert!(result.passed, "{result:?}");
    }
    for (body, expected) in [
        ("t.random { 7 } t.answer(1, 'roll')", "chance is fixed to 7 here, but random(6) gives 1 to 6"),
        ("t.random { 3 } t.answer(1, 'shuffle')", "chance is fixed to 3 here, but a shuffle comes first"),
        ("t.random { {} } t.answer(1, 'roll')", "chance is fixed to a shuffle here, but random(6) comes first"),
        (
            "t.put('deck', { 'red' }) t.random { { 'blue' } } t.answer(1, 'shuffle')",
            "chance is fixed to a shuffle here, but one of its tokens is not in the zone",
        ),
        ("t.random { 3, 4 } t.answer(1, 'roll') t.round(1) t.left()", "1 result of t.random was never used"),
        ("t.random { 'x' }", "t.random: expected a whole number, got \"x\""),
        ("t.random(3)", "t.random: expected a list, got 3"),
        ("t.random { { 'rad' } }", "unknown id `rad` in cards, did you mean `red`?"),
        ("t.cell('z9')", "no grid has a cell `z9`"),
        ("t.cell('a1', 3)", "unknown player 3: use 1 to 2"),
        ("t.cell('a1', nil, 'mop')", "unknown grid `mop`, did you mean `map`?"),
    ] {
        let said = wrong(&fortune, body);
        assert!(said.contains(expected), "{body}: {said}");
    }
}

#[test]
fn zones_are_set_and_read_by_names() {
    let source = r#"return {
        ["G-1 cards are moved by id"] = function(t)
            t.setup { players = 2, seed = 5 }
            t.put("hand", 2, { "red", "red" })
            t.put("hand", 1, { "blue" })
            t.put("deck", { "red" })
            t.zone("deck", { "red" }) t.zone("hand", 2, { "red", "red" }) t.zone("shown", "game", {})
            t.count("hand", 2, 2) t.count("deck", 1)
            t.equal(t.seen(1, "hand", 2), { "?", "?" })
            t.equal(t.seen(2, "hand", 2), { "red", "red" })
            t.equal(t.seen(1, "deck"), { "?" })
            t.equal(t.attr("cards", "blue", "worth"), 2)
            t.equal(t.ids("cards"), { "red", "blue" })
            t.answer(1, "The blue one")
            t.zone("shown", { "red" })
            t.expect(1, "points", 0)
            t.left()
        end,
        ["G-2 a phase begins by name"] = function(t)
            t.setup { players = 2, seed = 5 }
            t.put("deck", { "red", "red", "blue" })
            t.go("guess", { round = 1, first = 1 })
            t.answer(1, "blue") t.answer(2, "red")
            t.over { scores = { 1, 1 }, ranks = { 1, 1 } }
        end,
    }"#;
    for result in run_text(&samples::guess(), "tests/guess.luau", source, None) {
        assert!(result.passed, "{result:?}");
    }
}

#[test]
fn a_number_selects_one_of_several_tokens() {
    let source = r#"return {
        ["G-1 the very token"] = function(t)
            t.setup { players = 2, seed = 5 }
            t.put("hand", 1, { "red#2", "red" })
            t.zone("hand", 1, { "red", "red" })
            t.put("hand", 2, { "red", "red#1", "blue#1", "red#2" })
            t.count("hand", 1, 0) t.zone("hand", 2, { "red", "red", "blue", "red" })
            t.left()
        end,
        ["G-2 a token that is shown"] = function(t)
            t.setup { players = 2, seed = 5 }
            t.put("hand", 2, { "red", "red#1", "blue" })
            t.equal(t.seen(1, "hand", 2), { "?", "?", "?" })
            t.show("red#1", 1) t.show("blue", 2)
            t.equal(t.seen(1, "hand", 2), { "?", "red", "?" })
            t.left()
        end,
    }"#;
    for result in run_text(&samples::guess(), "tests/guess.luau", source, None) {
        assert!(result.passed, "{result:?}");
    }
    let guess = samples::guess();
    for (body, message) in [
        ("t.put('hand', 1, { 'red#4' })", "`red#4`: there are only 3"),
        ("t.put('hand', 1, { 'red#0' })", "`#` counts from 1"),
        ("t.put('hand', 1, { 'red#1', 'red#1' })", "the same token is listed twice"),
        ("t.show('red', 1)", "there are 3 tokens `red`: write `red#1` for the first"),
        ("t.show('blue', 3)", "unknown player 3: use 1 to 1"),
        ("t.turn_up('bleu')", "unknown id `bleu` in cards, did you mean `blue`?"),
        ("t.turn_up(99)", "no such token"),
        ("t.turn_down('blue', 1)", "t.turn_down takes 1 arguments, got 2"),
    ] {
        assert_eq!(wrong(&guess, body), message, "{body}");
    }
}

#[test]
fn faces_are_turned() {
    let source = r#"return {
        ["G-1 a face counts where faces count"] = function(t)
            t.setup { players = 2, seed = 5 }
            t.put("row", { "red#2", "blue" })
            t.equal(t.seen(1, "row"), { "?", "?" })
            t.turn_up("blue")
            t.equal(t.seen(1, "row"), { "?", "blue" })
            t.turn_up("red#2") t.turn_down("blue")
            t.equal(t.seen(2, "row"), { "red", "?" })
            t.left()
        end,
    }"#;
    for result in run_text(&samples::guess(), "tests/guess.luau", source, None) {
        assert!(result.passed, "{result:?}");
    }
}

#[test]
fn sealed_answers_come_in_any_order() {
    let source = r#"return {
        ["B-1 the highest bid wins"] = function(t)
            t.setup { players = 3 }
            t.answer(3, 3) t.answer(1, 1)
            t.error("player 1 has nothing to answer", function() t.answer(1, 2) end)
            t.expect(3, "points", 0)
            t.answer(2, 2)
            t.expect(3, "points", 1)
            t.round(2)
            t.left()
        end,
    }"#;
    for result in run_text(&samples::bids(), "tests/bids.luau", source, None) {
        assert!(result.passed, "{result:?}");
    }
}

#[test]
fn a_failure_shows_line_and_position() {
    let source = "return {\n\n  [\"x\"] = function(t)\n    t.setup {}\n    t.answer(1, \"b2\")\n    t.answer(2, \"a1\")\n    t.expect(1, \"won\", 1)\n  end,\n}";
    let expected = TestResult {
        name: "x".to_owned(),
        passed: false,
        message: "won of player 1 is 0, expected 1\n  round 1, phase play (scripts/noughts/phases.luau:3)\n  player 1 is asked place: b1, c1, a2, c2, a3, b3, c3\n  last answers: player 1 b2, player 2 a1".to_owned(),
        line: 7,
        file: "tests/x.luau".to_owned(),
    };
    assert_eq!(run_text(&samples::noughts(), "tests/x.luau", source, None), [expected]);
}

#[test]
fn failed_checks_show_actual_and_expected_values() {
    let noughts = samples::noughts();
    let wrong = |body: &str| wrong(&noughts, body);
    assert_eq!(wrong("t.expect('c3', 'mark', 'cross')"), "mark of c3 is none, expected cross");
    assert_eq!(
        wrong("t.expect('c3', 'mark', 'crosss')"),
        "counter `mark` has no value `crosss`, did you mean `cross`?; use one of: none, cross, nought"
    );
    assert_eq!(wrong("t.expect('d4', 'mark', 'cross')"), "grid `board` has no cell `d4`");
    assert_eq!(wrong("t.expect(3, 'won', 1)"), "counter `won` belongs to players: unknown player 3: use 1 to 2");
    assert_eq!(wrong("t.expect(1, 'wn', 1)"), "unknown counter `wn`, did you mean `won`?");
    assert_eq!(
        wrong("t.answer(1, 'b2') t.choices(2, { 'a1', 'b2' })"),
        "player 2 is offered a1, b1, c1, a2, c2, a3, b3, c3; missing: b2; not expected: b1, c1, a2, c2, a3, b3, c3"
    );
    assert_eq!(wrong("t.offers(1, 'z9')"), "player 1 is not offered `z9`; offered: a1, b1, c1, a2, b2, c2, a3, b3, c3");
    assert_eq!(wrong("t.refuses(1, 'a1')"), "player 1 is offered `a1`; offered: a1, b1, c1, a2, b2, c2, a3, b3, c3");
    assert_eq!(wrong("t.offers(2, 'a1')"), "player 2 has nothing to answer");
    assert_eq!(wrong("t.answer(1, 'x')"), "player 1 is not offered `x`; offered: a1, b1, c1, a2, b2, c2, a3, b3, c3");
    assert_eq!(wrong("t.round(2)"), "the round is 1, expected 2");
    assert_eq!(wrong("t.phase('pley')"), "unknown phase `pley`, did you mean `play`?");
    assert_eq!(wrong("t.prompt(1, 'x')"), "unknown prompt `x`; use one of: place");
    assert_eq!(wrong("t.over()"), "the game is not over");
    assert_eq!(wrong("t.play_on(9) t.over { scores = { 0, 1 } }"), "scores: got 1, 0, expected 0, 1");
    assert_eq!(
        wrong("t.play_on(9) t.over { score = { 0, 1 } }"),
        "t.over: unknown field `score`, did you mean `scores`?; use one of: ranks, scores, teams, won, rounds, reason"
    );
    assert_eq!(wrong("t.equal(1 + 1, 3, 'the sum')"), "the sum: got 2, expected 3");
    assert_eq!(wrong("t.equal({ 1, a = 'x' }, { 1 })"), "the values: got { 1, a = \"x\" }, expected { 1 }");
    assert_eq!(wrong("t.error('x', function() end)"), "expected a failure with `x`, but nothing failed");
    assert_eq!(
        wrong("t.error('zzz', function() t.round(7) end)"),
        "expected a failure with `zzz`, but it failed with: the round is 1, expected 7"
    );
    assert_eq!(wrong("t.set(1, 'won', 9999999)"), "counter `won` takes 0 to 1000000, not 9999999");
    assert_eq!(wrong("t.set(1, 'won', 1.5)"), "won: expected a whole number or a name, got 1.5");
    assert_eq!(wrong("t.expekt(1)"), "unknown t.expekt, did you mean `expect`?");
    assert_eq!(wrong("t:round(1)"), "write t.round(...), not t:round(...)");
    assert_eq!(wrong("t.round(1, 2)"), "t.round takes 1 arguments, got 2");
    assert_eq!(
        wrong("t.setup { playrs = 2 }"),
        "t.setup: unknown field `playrs`, did you mean `players`?; use one of: players, seed, options, auto"
    );
    assert_eq!(wrong("t.setup { players = 5 }"), "Noughts takes 2 players, not 5");
    assert_eq!(wrong("local x = nil + 1"), "attempt to perform arithmetic (add) on nil and number");
    assert_eq!(wrong("error('my own words')"), "my own words");
}

#[test]
fn failed_zone_checks_show_the_tokens() {
    let guess = samples::guess();
    let wrong = |body: &str| wrong(&guess, body);
    assert_eq!(
        wrong("t.put('hand', 1, { 'red', 'blue' }) t.zone('hand', 1, { 'blue', 'red' })"),
        "hand of player 1 holds red, blue; expected blue, red"
    );
    assert_eq!(wrong("t.zone('hand', 1, { 'red' })"), "hand of player 1 holds nothing; expected red");
    assert_eq!(wrong("t.count('deck', 3)"), "deck holds 4 tokens, expected 3");
    assert_eq!(wrong("t.put('deck', { 'rad' })"), "unknown id `rad` in cards, did you mean `red`?");
    assert_eq!(
        wrong("t.put('deck', { 'blue', 'blue' })"),
        "no token `blue` is left: this test has put all 1 into zones, where they stay"
    );
    assert_eq!(
        wrong("t.put('hand', 1, { 'blue' }) t.put('deck', { 'blue' })"),
        "no token `blue` is left: this test has put all 1 into zones, where they stay"
    );
    assert_eq!(wrong("t.zone('hand', { 'red' })"), "every player has a zone `hand`: name the player, from 1 to 1");
    assert_eq!(
        wrong("t.put('hand', 'game', { 'red' })"),
        "every player has a zone `hand`: use 1 to 1 instead of `game`"
    );
    assert_eq!(wrong("t.put('hand', 1, nil)"), "t.put: the last argument is nil");
    assert_eq!(
        wrong("t.expect(1, 'worth', 1)"),
        "`worth` is an attribute: use `t.current` for its current value, `t.attr` for a definition's"
    );
    assert_eq!(wrong("t.zone('deck', 1, { 'red' })"), "zone `deck` belongs to the game: leave out 1");
    assert_eq!(wrong("t.attr('cards', 'red', 'wort')"), "cards have no attribute `wort`, did you mean `worth`?");
}

#[test]
fn a_wrong_place_lists_the_right_ones() {
    let shelves = samples::shelves();
    let wrong = |body: &str| wrong(&shelves, body);
    assert_eq!(wrong("t.put('attic', { 'red' })"), "unknown zone `attic`; use one of: deck, hand, shelf");
    assert_eq!(wrong("t.put('shelf', { 'red' })"), "zone `shelf` does not hold `red` (cards): use deck, hand");
    assert_eq!(wrong("t.put('hand', 1, { 'marsh#1' })"), "zone `hand` does not hold `marsh` (tiles): use shelf");
    assert_eq!(wrong("t.put('deck', { 'wine' })"), "unknown id `wine` in cards; use one of: red, blue");
}

#[test]
fn a_test_must_assert_something_and_answer_all_decisions() {
    let noughts = samples::noughts();
    let position = "\n  round 1, phase play (scripts/noughts/phases.luau:3)\n  player 1 is asked place: a1, b1, c1, a2, b2, c2, a3, b3, c3";
    assert_eq!(message(&noughts, "t.left()"), format!("the test asserts nothing{position}"));
    assert_eq!(
        message(&noughts, "t.round(1)"),
        format!("the test ends with an open decision: answer it, or call t.left(){position}")
    );
    assert_eq!(message(&noughts, "t.round(1) t.left()"), "");
    let results = run_text(&noughts, "tests/x.luau", "return { [\"x\"] = function(t) end }", None);
    assert_eq!((results[0].message.as_str(), results[0].line), ("the test asserts nothing", 1));
    let results = run_text(&noughts, "tests/x.luau", "return { [\"x\"] = function(t) t.round(1) end }", None);
    assert_eq!(results[0].message, "no match yet: call t.setup first");
    let results = run_text(&noughts, "tests/x.luau", "return { [\"x\"] = function(t) t.random { 1 } end }", None);
    assert!(results[0].message.contains("call t.setup first; then `t.random` and `t.go`"), "{}", results[0].message);
}

#[test]
fn a_fault_of_the_game_is_a_failure_with_its_place() {
    let body = "t.setup { options = { faulty = true } } for _ = 1, 200 do t.setup { seed = _, options = { faulty = true } } t.play_on(9) end";
    let message = message(&samples::noughts(), body);
    assert!(message.contains("phases.luau") && message.contains("the pencil broke"), "{message}");
}

#[test]
fn tests_keep_the_order_of_the_file_and_can_be_chosen() {
    let source = "return {\n[\"P-2 b\"] = function(t) t.equal(1, 1) end,\n[\"P-1 a\"] = function(t) t.equal(1, 2) end,\n[\"P-10 c\"] = function(t) t.equal(1, 1) end }";
    let noughts = samples::noughts();
    let names = |filter| {
        run_text(&noughts, "tests/x.luau", source, filter).into_iter().map(|result| result.name).collect::<Vec<_>>()
    };
    assert_eq!(names(None), ["P-2 b", "P-1 a", "P-10 c"]);
    assert_eq!(names(Some("p-1")), ["P-1 a", "P-10 c"]);
    assert_eq!(names(Some("nothing")), [""; 0]);
}

#[test]
fn a_faulty_file_is_a_failure_of_its_own() {
    let noughts = samples::noughts();
    let only = |source: &str| {
        let results = run_text(&noughts, "tests/x.luau", source, Some("P-1"));
        let [result] = results.as_slice() else { panic!("one result: {results:?}") };
        assert_eq!((result.name.as_str(), result.passed), (WHOLE_FILE, false));
        (result.line, result.message.clone())
    };
    assert_eq!(only("return {\n  x = = 1 }"), (2, "Expected identifier when parsing expression, got '='".to_owned()));
    assert_eq!(only("return 3"), (0, "the file must return a table of tests by name, not 3".to_owned()));
    assert_eq!(only("return {}"), (0, "the file has no tests".to_owned()));
    assert_eq!(only("\nlocal x = nil\nreturn x.y"), (3, "attempt to index nil with 'y'".to_owned()));
    assert_eq!(
        only(&format!("return {{}} --{}", "x".repeat(MOST_BYTES))).1,
        "the file is larger than 512 KiB: split it"
    );
    let results = run_text(
        &noughts,
        "tests/x.luau",
        "return {\n[\"a\"] = 3,\n[\"b\"] = function(t) t.equal(1, 1) end,\n[\"b\"] = function(t) t.equal(1, 1) end }",
        None,
    );
    let shown: Vec<(&str, u32, &str)> =
        results.iter().map(|result| (result.name.as_str(), result.line, result.message.as_str())).collect();
    assert_eq!(shown[0], ("a", 2, "a test must be a function"));
    assert!(
        shown.contains(&("b", 4, "duplicate test name in lines 3 and 4: only one of the tests would run")),
        "{shown:?}"
    );
}

/// The test that exceeds the budget fails; later tests of all files are not run.
#[test]
fn all_tests_share_a_step_budget() {
    let noughts = samples::noughts();
    let file = |name: &str, body: &str| {
        let test = |n: i32| format!("[\"{name}{n}\"] = function(t) t.setup() {body} t.equal(1, 1) t.left() end,\n");
        let text = format!("return {{\n{}}}", (1..=9).map(test).collect::<String>());
        SourceFile { path: format!("tests/{name}.luau"), text }
    };
    let files = TestFiles::of([file("a", "for _ = 1, 1e5 do end"), file("b", "for _ = 1, 2e3 do t.equal(1, 1) end")]);
    let run = |steps: u64, filter| files.run_within(steps, &noughts, filter, &mut |_| {});
    assert!(run(100_000_000, TestFilter::All).iter().all(|one| one.passed));
    for (steps, last, filter) in [
        (500_000, ("a5", 6), TestFilter::All),
        (2_000_000, ("b3", 4), TestFilter::All),
        (1_000_000, ("b3", 4), TestFilter::Named("b")),
    ] {
        let results = run(steps, filter);
        let (end, before) = results.split_last().unwrap();
        assert!(before.iter().all(|one| one.passed), "{results:?}");
        assert_eq!((end.name.as_str(), end.line), last, "{results:?}");
        assert!(!end.passed && end.message.starts_with("the tests together take too many steps"), "{end:?}");
    }
}
