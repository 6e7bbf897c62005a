//! Lists and texts of choices: filters, equal copies, labels with values, offer values, spelled numbers.

use super::*;

const PROMPTS: &str = r#"
[sum]
text = "Which pair?"
labels = { one = "only {1}", sum = "{1} + {2}", three = "{1}, {2}, {3}", done = "Done, {player}" }
[card]
text = "Which card?"
choices = "token"
distinct = true
labels = { done = "Done" }
[only]
text = "Which card?"
choices = "token"
distinct = true
auto = true
[raid]
text = "What do you do with {1:coin|coins} of {2:player}?"
choices = "player"
reads = "{player} raid {choice}"
labels = { rest = "Rest" }
[bid]
text = "How much?"
reads = "Bid {choice:coin|coins}"
"#;

const TURN: &str = "[a]\nname = \"A\"\nturns = \"once\"\n";

fn cards() -> String {
    format!("{DECK}[zones.hand]\nper = \"player\"\nholds = \"cards\"\n[counters.worn]\nper = \"cards\"\n")
}

fn labels(m: &Match) -> Vec<String> {
    m.legal().iter().map(|choice| choice.label.clone()).collect()
}

#[test]
fn a_filter_selects_choices() {
    let script = "return { a = { turn = function(p)
        local n = choice_where(\"deck\", function(card) return id(card) == \"blue\" end)
        n += choice_where({ 1, 2, 3, 4, \"done\", \"more\" }, function(x) return x == \"done\" or x == 2 end)
        n += choice_where(cards(\"hand\", p), function() return true end)
        n += choice_where(\"hand\", function() return true end, p)
        set(game, \"log\", n)
        ask(p, \"pick\")
    end } }";
    let game = cards();
    let m = Pieces { game: &game, phases: TURN, phases_luau: script, ..Pieces::default() }.play(2);
    assert_eq!((value(&m, "log", 0), choices(&m)), (4, ["4", "5", "2", "done"].map(str::to_owned).to_vec()));
    for (call, says) in [
        ("choice_where({ 1 })", "expected a function that says yes or no"),
        ("choice_where(3, function() end)", "expected a list, or the name of a zone"),
        ("choice_where({ 1.5 }, function() return true end)", "`1.5` is not a choice"),
        ("choice_where({ \"dne\" }, function() return true end)", "no label `dne`; did you mean `done`?"),
        ("choice_where(\"dek\", function() return true end)", "no zone `dek`; did you mean `deck`?"),
    ] {
        let script = format!("return {{ a = {{ turn = function(p)\n{call}\nask(p, \"pick\") end }} }}");
        let said = error(&Pieces { game: &game, phases: TURN, phases_luau: &script, ..Pieces::default() }, 2);
        assert!(said.contains("phases.luau:2: ") && said.contains(says), "{call}: {said}");
    }
}

#[test]
fn equal_copies_are_offered_once() {
    let script = "return {
        a = {
            offer = function(p) choice_zone(\"hand\", p) choice(\"done\") end,
            act = function(p, card)
                if card ~= \"done\" then
                    move(card, \"deck\")
                    choice_zone(\"hand\", p)
                    local next = ask(p, \"card\")
                    if next ~= \"done\" then move(next, \"deck\") end
                end
            end,
        },
        b = { run = function()
            choice_zone(\"hand\", 1)
            set(1, \"gold\", ask(1, \"only\"))
        end },
    }";
    let phases = "[a]\nname = \"A\"\nturns = \"once\"\nprompt = \"card\"\n[b]\nname = \"B\"\n";
    // Three red cards, one of them worn, and two blue ones.
    let setup = "return { setup = function()
        for card = 1, 5 do move(card, \"hand\", 1) end
        set(2, \"worn\", 3)
    end }";
    let game = cards();
    let pieces =
        Pieces { game: &game, phases, prompts: PROMPTS, phases_luau: script, game_luau: setup, ..Pieces::default() };
    let mut m = pieces.play(1);
    assert_eq!(m.choices().len(), 4);
    assert_eq!(choices(&m), ["red", "red", "blue", "done"]);
    answer(&mut m, "blue");
    assert_eq!(choices(&m), ["red", "red", "blue"]);
    m.answer(1).unwrap();
    assert_eq!(m.counter(2, counter(&m, "worn")), Some(3));
    assert_eq!(choices(&m), ["red", "blue"], "the worn card is gone, the others are equal");
    // The engine takes a single remaining choice without asking.
    let script = script.replace("choice_zone(\"hand\", 1)\n            set", "choice(1) choice(3)\n            set");
    let pieces = Pieces { phases_luau: &script, ..pieces };
    let mut m = pieces.play(1);
    answer(&mut m, "done");
    assert_eq!((value(&m, "gold", 1), m.decision().is_some()), (1, true), "the phases begin anew");
}

#[test]
fn labels_have_values() {
    let script = "return {
        a = {
            offer = function(p)
                choice({ \"one\", 1000000 })
                choice({ \"sum\", 7, 9 })
                choice(\"done\")
            end,
            act = function(p, x)
                if x == \"done\" then return end
                if x[1] == \"sum\" then
                    set(p, \"gold\", x[2] * 10 + x[3])
                    local list = { { \"sum\", 1, 2 }, { \"three\", 3, 100, 0 }, \"done\" }
                    local y = choose(p, \"sum\", list)
                    set(game, \"log\", if y == \"done\" then 1 else #y * 1000 + y[#y - 1])
                    choice({ \"sum\", 1023, 5 })
                    choice({ \"one\", 0 })
                    local z = ask(p, \"sum\")
                    gain(game, \"log\", 1000000 * #z + z[2])
                else
                    set(game, \"log\", x[2])
                end
            end,
        },
    }";
    for turns in ["once", "sealed"] {
        let phases = format!("[a]\nname = \"A\"\nturns = \"{turns}\"\nprompt = \"sum\"\n");
        let script = if turns == "once" {
            script.to_owned()
        } else {
            // A sealed hook cannot write the game's counters.
            script.replace("game, \"log\"", "p, \"own\"")
        };
        let game = "[counters.own]\nper = \"player\"\nmax = 2000000000\n";
        let pieces = Pieces { game, phases: &phases, prompts: PROMPTS, phases_luau: &script, ..Pieces::default() };
        let log = |m: &Match| if turns == "once" { value(m, "log", 0) } else { value(m, "own", 1) };
        let mut m = pieces.play(1);
        m.set_logging(true);
        assert_eq!(labels(&m), ["only 1000000", "7 + 9", "Done, Ada"]);
        let keys: Vec<String> = m.legal().iter().map(|choice| choice.key().to_owned()).collect();
        assert_eq!(keys, ["label:one 1000000", "label:sum 7 9", "label:done"]);
        answer(&mut m, "sum 7 9");
        assert_eq!(labels(&m), ["1 + 2", "3, 100, 0", "Done, Ada"]);
        answer(&mut m, "three 3 100 0");
        assert_eq!(labels(&m), ["1023 + 5", "only 0"]);
        answer(&mut m, "sum 1023 5");
        assert_eq!((value(&m, "gold", 1), log(&m)), (79, 3_000_000 + 1023 + 4000 + 100), "{turns}");
        let said: Vec<String> = m.take_log().iter().map(|line| line.text().to_owned()).collect();
        assert!(said.contains(&"Ada: Which pair? 7 + 9".to_owned()), "{said:?}");
        let mut m = pieces.play(1);
        answer(&mut m, "one 1000000");
        assert_eq!(log(&m), 1_000_000);
    }
}

#[test]
fn labels_with_wrong_values_are_errors() {
    for (list, says) in [
        ("{ \"sum\", 7, 1024 }", "values of label \"sum\": expected whole numbers from 0 to 1023"),
        ("{ \"one\", -1 }", "values of label \"one\": expected whole numbers from 0 to 1048575"),
        ("{ \"three\", 1, 2, 101 }", "from 0 to 100"),
        ("{ \"one\", \"x\" }", "expected whole numbers"),
        ("{ \"one\", 1, 2, 3, 4 }", "label \"one\" takes up to three values, not 4"),
        ("{ \"sum\", 7 }", "label `sum` of prompt `sum` takes 2 values, but is offered with 1"),
        ("\"one\"", "label `one` of prompt `sum` takes 1 value, but is offered with 0"),
        ("{ \"done\", 7 }", "label `done` of prompt `sum` takes no values, but is offered with 1"),
        ("\"rest\"", "prompt `sum` offers `rest`, a label of another prompt: it has one, sum, three, done"),
        ("{ \"summ\", 7, 9 }", "no label `summ`; did you mean `sum`?"),
        ("{ 7, 9 }", "is not a choice"),
        ("{}", "is not a choice"),
    ] {
        for call in [format!("choice({list}) ask(p, \"sum\")"), format!("choose(p, \"sum\", {{ {list} }})")] {
            let script = format!("return {{ a = {{ turn = function(p)\n{call} end }} }}");
            let said = error(&Pieces { phases: TURN, prompts: PROMPTS, phases_luau: &script, ..Pieces::default() }, 2);
            assert!(said.contains("phases.luau:2: ") && said.contains(says), "{call}: {said}");
        }
    }
}

#[test]
fn missing_items_cannot_be_chosen() {
    for (prompt, list, says) in [
        ("card", "99", "prompt `card` offers 99, which is not a token: use 1 to "),
        ("raid", "0", "prompt `raid` offers 0, which is not a player: use 1 to 2"),
        ("raid", "3", "prompt `raid` offers 3, which is not a player: use 1 to 2"),
    ] {
        let script =
            format!("return {{ a = {{ turn = function(p)\nchoose(p, \"{prompt}\", {{ {list}, 1 }}, 1, 1) end }} }}");
        let said = error(&Pieces { phases: TURN, prompts: PROMPTS, phases_luau: &script, ..Pieces::default() }, 2);
        assert!(said.contains("phases.luau:2: ") && said.contains(says), "{said}");
    }
}

#[test]
fn a_single_label_with_values_is_taken() {
    let script = "return { a = { turn = function(p)
        choice({ \"one\", 4 })
        local x = ask(p, \"sum\")
        set(p, \"gold\", x[2])
        choose(p, \"sum\", { \"done\", { \"one\", 1 } })
    end } }";
    let m = Pieces { phases: TURN, prompts: PROMPTS, phases_luau: script, ..Pieces::default() }.play(1);
    assert_eq!(value(&m, "gold", 1), 4);
}

#[test]
fn an_offer_returns_the_values_of_its_question() {
    let script = "return { a = {
        offer = function(p)
            for _, q in players() do if q ~= p then choice(q) end end
            choice(\"rest\")
            return { get(p, \"gold\"), p % 3 + 1 }
        end,
        act = function(p, x) if x ~= \"rest\" then gain(x, \"gold\", 1) end end,
    } }";
    for turns in ["once", "sealed"] {
        let phases = format!("[a]\nname = \"A\"\nturns = \"{turns}\"\nprompt = \"raid\"\n");
        let script = script.replace("gain(x", if turns == "once" { "gain(x" } else { "gain(p" });
        let mut m = Pieces { phases: &phases, prompts: PROMPTS, phases_luau: &script, ..Pieces::default() }.play(3);
        let text = |m: &Match| m.decision().unwrap().text(m.game());
        assert_eq!(text(&m), "What do you do with 3 coins of Bob?");
        assert_eq!(labels(&m), ["Ada raid Bob", "Ada raid Cy", "Rest"], "numbers in the words of the prompt");
        let snapshot = m.snapshot();
        answer(&mut m, "2");
        assert_eq!(text(&m), format!("What do you do with {} coins of Cy?", if turns == "once" { 4 } else { 3 }));
        m.restore(&snapshot).unwrap();
        assert_eq!(text(&m), "What do you do with 3 coins of Bob?");
        let gold = counter(&m, "gold");
        m.edit().set_counter(1, gold, 1).unwrap();
        assert_eq!(text(&m), "What do you do with 1 coin of Bob?", "it follows the position");
    }
    let phases = "[a]\nname = \"A\"\nturns = \"once\"\nprompt = \"raid\"\n";
    for (returns, says) in [
        ("", "phases.luau:1: prompt `raid` shows 2 values: `offer` returns them, as a list of whole numbers"),
        ("return 3", "prompt `raid` shows 2 values"),
        ("return { 1, 2, 3, 4 }", "prompt `raid` shows 2 values"),
        ("return { 1, \"x\" }", "`offer` returned a list of values other than whole numbers"),
    ] {
        let script =
            format!("return {{ a = {{ offer = function(p) choice(1) {returns} end, act = function() end }} }}");
        let said = error(&Pieces { phases, prompts: PROMPTS, phases_luau: &script, ..Pieces::default() }, 2);
        assert!(said.contains(says), "{returns}: {said}");
    }
    let script = "return { a = { turn = function() end } }";
    let pieces = Pieces { phases, prompts: PROMPTS, phases_luau: script, ..Pieces::default() };
    let said = Game::load(&pieces.pack()).unwrap_err().to_string();
    assert!(said.contains("prompt `raid` shows values, but phase `a` has no hook `offer` that returns them"), "{said}");
}

#[test]
fn number_choices_have_labels() {
    let script = "return { a = { turn = function(p) choice_numbers(0, 2) ask(p, \"bid\") end } }";
    let mut m = Pieces { phases: TURN, prompts: PROMPTS, phases_luau: script, ..Pieces::default() }.play(2);
    assert_eq!(labels(&m), ["Bid 0 coins", "Bid 1 coin", "Bid 2 coins"]);
    assert_eq!(choices(&m), ["0", "1", "2"], "ids stay");
    m.set_logging(true);
    answer(&mut m, "1");
    assert_eq!(m.take_log()[0].text(), "Ada: How much? Bid 1 coin");
    for (prompt, says) in [
        ("text = \"?\"\nreads = \"Bid\"", "does not name the choice"),
        ("text = \"?\"\nreads = \"Bid {chioce}\"", "unknown placeholder `{chioce}`"),
        (
            "text = \"?\"\nchoices = \"player\"\nreads = \"{choice:coin|coins}\"",
            "needs a number, and `choice` is not one",
        ),
        ("text = \"?\"\ndistinct = true", "has no effect: only tokens have equal copies"),
        ("text = \"?\"\nseveral = true", "needs a number in the text of the question"),
        ("text = \"?\"\nlabels = { a = \"{4}\" }", "unknown placeholder `{4}`"),
    ] {
        let prompts = format!("[x]\n{prompt}\n");
        let pieces = Pieces { phases: TURN, prompts: &prompts, phases_luau: script, ..Pieces::default() };
        let said = Game::load(&pieces.pack()).unwrap_err().to_string();
        assert!(said.contains(says), "{prompt}: {said}");
    }
}

#[test]
fn rays_and_diagonals_are_lists_of_cells() {
    let grids = "[grids.board]\nshape = \"square\"\ncolumns = 4\nrows = 4\nholes = [\"d4\"]\n\
        [grids.hive]\nshape = \"hex\"\nside = 2\nper = \"player\"\n\
        [counters.mark]\nper = \"board\"\n[counters.bee]\nper = \"hive\"\n";
    let run =
        "local function note(list) local n = 0 for _, c in list do n = n * 100 + c end set(game, \"log\", n) end\n";
    for (list, cells) in [
        ("ray(\"board\", cell(\"board\", 2, 2), \"right\")", 708),
        ("ray(\"board\", cell(\"board\", 2, 2), \"up_left\")", 1),
        ("ray(\"board\", cell(\"board\", 2, 2), \"down_right\")", 11),
        ("ray(\"board\", cell(\"board\", 1, 1), \"up\")", 0),
        ("neighbours(\"board\", cell(\"board\", 1, 1))", 205),
        ("neighbours(\"board\", cell(\"board\", 1, 1), \"diagonal\")", 6),
        ("neighbours(\"board\", cell(\"board\", 1, 1), \"all\")", 20_506),
        // The second player's copy of the hexagon of seven cells.
        ("ray(\"hive\", cell(\"hive\", 1, 2, 2), \"right\")", 1_112),
        ("neighbours(\"hive\", cell(\"hive\", 1, 1, 2), \"all\")", 9_101_100),
        ("neighbours(\"hive\", cell(\"hive\", 1, 1, 2), \"diagonal\")", 0),
    ] {
        let run = format!("{run}note({list})");
        if list.contains("hive\", cell(\"hive\", 1, 1, 2), \"all\"") {
            let m = after_run(grids, &format!("{run} assert(#{list} == 3)"));
            assert_eq!(value(&m, "log", 0), 91_011);
            continue;
        }
        assert_eq!(value(&after_run(grids, &run), "log", 0), cells, "{list}");
    }
    for (call, says) in [
        ("ray(\"board\", 1, \"upp\")", "no way `upp` out of a cell of `board`; did you mean `up`?"),
        ("ray(\"hive\", 1, \"up\")", "no way `up` out of a cell of `hive`"),
        ("ray(\"board\", 16, \"up\")", "grid `board` has no cell 16"),
        ("ray(\"board\", 0, \"up\")", "grid `board` has no cell 0"),
        ("neighbours(\"board\", 1, \"diagonall\")", "neighbours are \"diagonal\" or \"all\", not `diagonall`"),
        ("neighbours(\"bord\", 1, \"all\")", "no grid `bord`; did you mean `board`?"),
    ] {
        let script = format!("return {{ p = {{ run = function()\n{call}\nend }} }}");
        let said =
            error(&Pieces { game: grids, phases: "[p]\nname = \"P\"\n", phases_luau: &script, ..Pieces::default() }, 2);
        assert!(said.contains("phases.luau:2: ") && said.contains(says), "{call}: {said}");
    }
}
