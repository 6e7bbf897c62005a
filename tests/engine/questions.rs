//! Questions in every hook, and sealed phases.

use super::*;

#[test]
fn every_writing_hook_can_ask() {
    let mut m = Pieces {
        phases: "[a]\nname = \"A\"\nturns = \"once\"\n[b]\nname = \"B\"\nwhen = \"end\"\n",
        phases_luau: &format!(
            "{NOTE}return {{
            a = {{
                start = function() note(choose(1, \"pick\", {{ 1, 2 }})) end,
                turn = function(p) note(choose(p, \"pick\", {{ 3, 4 }})) note(choose(3 - p, \"pick\", {{ 5, 6 }})) end,
                finish = function() note(choose(2, \"pick\", {{ 7, 8 }})) end_after_round() end,
            }},
            b = {{ run = function() note(choose(2, \"whom\", {{ 1, 2 }})) end }},
        }}"
        ),
        game_luau: &format!(
            "{NOTE}return {{
            setup = function() note(choose(2, \"pick\", {{ 8, 9 }})) end,
            finish = function() set(1, \"gold\", choose(1, \"pick\", {{ 50, 60 }})) end,
        }}"
        ),
        ..Pieces::default()
    }
    .play(2);
    for (who, id) in [(1, "9"), (0, "2"), (0, "3"), (1, "6"), (1, "4"), (0, "5"), (1, "8"), (1, "1"), (0, "60")] {
        assert_eq!(seat(&m), who, "{:?}", value(&m, "log", 0));
        answer(&mut m, id);
    }
    assert_eq!((value(&m, "log", 0), outcome(&m).scores), (92_364_581, vec![60, 3]));
}

/// Machine code may become ready while a hook waits for its answer. Each part of the hook takes some 300,000 steps.
#[test]
fn a_waiting_hook_continues_beside_machine_code() {
    let script = "local function stir(n, times) for i = 1, times do n = (n * 31 + i) % 1000003 end return n end
        return { p = { run = function()
            local n = 0
            for _ = 1, 12 do n = stir(n, 60_000) + choose(1, \"pick\", { 1, 2 }) end
            set(game, \"log\", n)
        end } }";
    let game = Pieces { phases: "[p]\nname = \"P\"\n", phases_luau: script, ..Pieces::default() }.game();
    let played = |game: Game| {
        let mut m = Match::new(&game, &game.setup(Some(2), &[], 5).unwrap()).unwrap();
        for index in 0..12 {
            m.answer(index % 2).unwrap();
        }
        m.state().hash()
    };
    let played_as_usual = played(game.clone());
    assert_eq!((played(game.native()), played(game.interpreted())), (played_as_usual, played_as_usual));
}

#[test]
fn single_choices_are_taken_unless_the_prompt_says_otherwise() {
    let mut m = after_run(
        "",
        "assert(choose(1, \"sure\", { \"yes\" }) == \"yes\")
        if choose(2, \"sure\", { \"no\", \"yes\" }) == \"yes\" then gain(2, \"gold\", 1) end
        assert(choose(1, \"sure\", { 7 }) == 7)",
    );
    assert_eq!((seat(&m), choices(&m)), (1, vec!["no".to_owned(), "yes".to_owned()]));
    answer(&mut m, "yes");
    assert_eq!((seat(&m), value(&m, "gold", 2)), (0, 4));
    let auto = "offer = function(p) choice(\"yes\") if get(p, \"gold\") > 4 then choice(\"no\") end end, act = function(p, x) assert(x == \"yes\") gain(p, \"gold\", 1) end";
    let mut m = in_phases("[a]\nname = \"A\"\nturns = \"around\"\nprompt = \"sure\"\n", &format!("a = {{ {auto} }}"));
    assert_eq!((seat(&m), value(&m, "gold", 1), value(&m, "gold", 3)), (0, 5, 5));
    answer(&mut m, "yes");
    assert_eq!((seat(&m), value(&m, "gold", 1)), (1, 6));
}

#[test]
fn one_list_mixes_numbers_labels_and_tokens() {
    let mut m = {
        let game = DECK;
        let prompts = "[take]\nauto = false\ntext = \"Take\"\nchoices = \"token\"\nlabels = { none = \"Nothing\" }\n";
        let script = "return { p = { run = function()
            for _, t in cards(\"deck\") do show(t, 1) show(t, 2) end
            local x = choose(1, \"take\", { \"none\", top(\"deck\"), at(\"deck\", 1) })
            if x ~= \"none\" then move_under(x, \"deck\") end
            choose(2, \"take\", { x })
        end } }";
        Pieces { game, prompts, phases: "[p]\nname = \"P\"\n", phases_luau: script, ..Pieces::default() }.play(2)
    };
    assert_eq!(choices(&m), ["none", "blue", "red"]);
    assert_eq!(m.describe(m.choices()[0]).label, "Nothing");
    assert!(matches!(m.legal()[1].what, ChoiceItem::Token { token: 5, .. }));
    let snapshot = m.snapshot();
    answer(&mut m, "none");
    assert_eq!((seat(&m), choices(&m)), (1, vec!["none".to_owned()]));
    m.restore(&snapshot).unwrap();
    answer(&mut m, "blue");
    assert_eq!((choices(&m), ids(&m, "deck", 0)[0].as_str()), (vec!["blue".to_owned()], "blue"));
}

#[test]
fn question_texts_fill_their_placeholders() {
    let m = after_run("", "");
    assert_eq!(m.decision().unwrap().text(m.game()), "Ada, pick.");
}

#[test]
fn sealed_answers_come_in_any_order_and_are_revealed_together() {
    let script = "return {
        a = { turn = function(p)
            local n = choose(p, \"pick\", { 10, 20 })
            if n == 20 then n += choose(p, \"pick\", { 1, 2 }) end
            gain(p, \"gold\", n)
        end },
    }";
    let pieces = Pieces { phases: "[a]\nname = \"A\"\nturns = \"sealed\"\n", phases_luau: script, ..Pieces::default() };
    let reached: BTreeSet<u64> = [[0, 1, 2], [2, 1, 0], [1, 2, 0]]
        .into_iter()
        .map(|order| {
            let mut m = pieces.play(3);
            assert_eq!(m.pending().len(), 3);
            let before = seen(&m, Some(2));
            for who in order {
                m.focus(who).unwrap();
                if who == 1 {
                    answer(&mut m, "20");
                    assert_eq!(m.decision().map(|d| d.seat), Some(who), "the same seat is asked again");
                    answer(&mut m, "2");
                } else {
                    answer(&mut m, "10");
                }
                if m.round() == 1 {
                    assert_eq!(m.answer_as(who, 0), Err(MatchError::NotPending { seat: who }));
                    if who != 2 && !order[..order.iter().position(|&w| w == who).unwrap()].contains(&2) {
                        assert_eq!(seen(&m, Some(2)), before, "nothing shows before the end");
                    }
                }
            }
            assert_eq!(m.round(), 2);
            assert_eq!([value(&m, "gold", 1), value(&m, "gold", 2), value(&m, "gold", 3)], [13, 25, 13]);
            m.state().hash()
        })
        .collect();
    assert_eq!(reached.len(), 1, "the order of answers does not matter");
}

/// A game with a sealed phase of one offer and one `act`.
fn sealed(offer: &str, act: &str) -> (String, String) {
    let phases = format!("[a]\nname = \"A\"\nturns = \"sealed\"\nprompt = \"sure\"\n{offer}");
    (phases, format!("{NOTE}return {{ a = {{ {act} }} }}"))
}

#[test]
fn a_sealed_act_may_ask() {
    // When `act` asks for the first time, it has already written and logged. The engine undoes this and runs the hook again.
    let (phases, script) = sealed(
        "",
        "offer = function(p) choice(\"yes\") if p > 1 then choice(\"no\") choice(get(p, \"gold\")) end end,
        act = function(p, x)
            gain(p, \"gold\", 1)
            log(\"took\", get(p, \"gold\"))
            if x == \"no\" then gain(p, \"gold\", choose(p, \"pick\", { 10, 20 })) end
            if x == 3 then choose(p, \"pick\", { \"done\" }) end
        end",
    );
    let texts = "took = \"Now {1}.\"\n";
    let pieces = Pieces { phases: &phases, phases_luau: &script, texts, ..Pieces::default() };
    for order in [[1, 2], [2, 1]] {
        let mut m = pieces.play(3);
        m.set_logging(true);
        let open = |m: &mut Match| m.pending().iter().map(|d| d.seat).collect::<Vec<_>>();
        assert_eq!(open(&mut m), [1, 2], "the only choice of the first is taken");
        assert_eq!(choices(&m), ["yes", "no", "3"]);
        for who in order {
            m.focus(who).unwrap();
            answer(&mut m, if who == 1 { "no" } else { "3" });
            assert_eq!(m.decision().map(|d| d.seat), Some(who), "the same seat is asked again");
            assert_eq!(seen(&m, Some(who))["players"][usize::from(who)]["counters"]["gold"], 4);
            assert_eq!(seen(&m, Some(0))["players"][usize::from(who)]["counters"]["gold"], 3, "sealed");
            answer(&mut m, if who == 1 { "20" } else { "done" });
        }
        assert_eq!((m.round(), value(&m, "gold", 1), value(&m, "gold", 2), value(&m, "gold", 3)), (2, 4, 24, 4));
        let said: Vec<String> = m
            .take_log()
            .into_iter()
            .map(|line| line.text().to_owned())
            .filter(|text| text.starts_with("Now"))
            .collect();
        assert_eq!(said.len(), 2, "{said:?}");
    }
}

#[test]
fn a_declared_sealed_offer_needs_only_act() {
    let (phases, script) = sealed("offer = { zone = \"deck\" }", "act = function(p, card) set(p, \"gold\", card) end");
    let phases = phases.replace("sure", "take");
    let prompts = "[take]\nauto = false\ntext = \"Take\"\nchoices = \"token\"\n";
    let mut m = Pieces { game: DECK, prompts, phases: &phases, phases_luau: &script, ..Pieces::default() }.play(2);
    assert_eq!(choices(&m).len(), 5);
    let wanted = [m.choices()[4], m.choices()[1]];
    m.answer_as(1, 1).unwrap();
    m.answer_as(0, 4).unwrap();
    assert_eq!([value(&m, "gold", 1), value(&m, "gold", 2)], wanted);
}

#[test]
fn faults_of_sealed_offers_name_their_hook() {
    let fault = |hooks: &str| {
        let (phases, script) = sealed("", hooks);
        let game = Pieces { phases: &phases, phases_luau: &script, ..Pieces::default() }.game();
        match Match::new(&game, &game.setup(Some(2), &[], 5).unwrap()) {
            Err(error) => error.to_string(),
            Ok(mut m) => {
                let before = (m.state().hash(), choices(&m));
                let error = m.answer(0).unwrap_err().to_string();
                assert_eq!((m.state().hash(), choices(&m)), before, "as it was");
                error
            }
        }
    };
    let offer = "offer = function() choice(\"no\") choice(\"yes\") end, ";
    for (hooks, says) in [
        (
            "offer = function(p) choice(random(6)) end, act = function() end".to_owned(),
            "phases.luau:2: `offer` must not call `random`",
        ),
        ("offer = function(p) choose(p, \"sure\", { 1, 2 }) end, act = function() end".to_owned(), "(in `a.offer`"),
        (
            format!("{offer}act = function(p, x)\n  gain(3 - p, \"gold\", 1) end"),
            "phases.luau:3: a hook of a sealed phase may change only what belongs to its player, not counter `gold` of",
        ),
        (
            format!("{offer}act = function(p, x)\n  error(\"no \" .. x) end"),
            "phases.luau:3: no no (in `a.act` of `pieces`, player 1)",
        ),
        (
            format!("{offer}act = function(p, x) gain(p, \"gold\", random(2)) end"),
            "cannot draw random numbers (in `a.act`",
        ),
        (
            format!("{offer}act = function(p, x) choose(3 - p, \"sure\", {{ 1, 2 }}) end"),
            "may ask only its own player (in `a.act`",
        ),
    ] {
        let said = fault(&hooks);
        assert!(said.contains(says), "{hooks}: {said}");
    }
    let asks = format!("{offer}act = function(p, x)\n  choose(p, \"sure\", {{ 1, 2 }})\n  error(\"no \" .. x) end");
    let (phases, script) = sealed("", &asks);
    let mut m = Pieces { phases: &phases, phases_luau: &script, ..Pieces::default() }.play(2);
    answer(&mut m, "yes");
    let said = m.answer(1).unwrap_err().to_string();
    assert!(said.contains("phases.luau:4: no yes (in `a.act` of `pieces`, player 1)"), "{said}");
    assert_eq!(choices(&m), ["1", "2"], "as it was");
}

/// The engine lists an offer again when `act` asks for the first time. The list is the same: scripts cannot count calls.
#[test]
fn an_offer_cannot_count_its_calls() {
    let script = "local memo = { times = 0 }
return { a = {
    offer = function(p)
        memo.times += 1
        for n = 1, 5 - memo.times do choice(n) end
    end,
    act = function(p, n) gain(p, \"gold\", n + choose(p, \"pick\", { 10, 20 })) end,
} }";
    let phases = "[a]\nname = \"A\"\nturns = \"once\"\nprompt = \"pick\"\n";
    let game = Pieces { phases, phases_luau: script, ..Pieces::default() }.game();
    let failed = Match::new(&game, &game.setup(Some(2), &[], 1).unwrap()).map(drop).unwrap_err();
    assert!(failed.to_string().contains("phases.luau:4: attempt to modify a readonly table"), "{failed}");
}

/// Prompts with placeholders for values.
const SITES: &str = r#"
[site]
text = "{player}: where does {1:token} go for {2}?"
auto = false
labels = { left = "Left", right = "Right" }
[rival]
text = "Stop {1:player} and {3:player}?"
auto = false
labels = { yes = "Yes", no = "No" }
"#;

fn text(m: &Match) -> String {
    m.decision().unwrap().text(m.game())
}

#[test]
fn questions_show_values() {
    let script = "return { p = { run = function()
        local card = top(\"deck\")
        choose(1, \"site\", { \"left\", \"right\" }, card, 7)
        choice(\"yes\") choice(\"no\")
        local x = ask(2, \"rival\", 1, nil, 3)
        choose(1, \"site\", { \"left\" }, at(\"deck\", 1), if x == \"yes\" then 1 else 2)
        choose(1, \"pick\", { \"done\" })
    end } }";
    let mut m =
        Pieces { game: DECK, prompts: SITES, phases: "[p]\nname = \"P\"\n", phases_luau: script, ..Pieces::default() }
            .play(3);
    assert_eq!(text(&m), "Ada: where does Blue go for 7?");
    answer(&mut m, "left");
    assert_eq!(text(&m), "Stop Ada and Cy?");
    let snapshot = m.snapshot();
    answer(&mut m, "no");
    assert_eq!(text(&m), "Ada: where does Red go for 2?");
    m.restore(&snapshot).unwrap();
    assert_eq!(text(&m), "Stop Ada and Cy?");
    assert_eq!(text(&m.fork().unwrap()), "Stop Ada and Cy?");
    answer(&mut m, "yes");
    assert_eq!(text(&m), "Ada: where does Red go for 1?");
    answer(&mut m, "left");
    assert_eq!(text(&m), "Ada, pick.", "the next has none");
}

#[test]
fn each_seat_of_a_sealed_phase_reads_its_own_values() {
    let script = "return { a = { turn = function(p)
        local x = choose(p, \"site\", { \"left\", \"right\" }, p, 10 * p)
        choose(p, \"site\", { \"left\" }, p, if x == \"left\" then 1 else 2)
    end } }";
    let phases = "[a]\nname = \"A\"\nturns = \"sealed\"\n";
    let mut m = Pieces { game: DECK, prompts: SITES, phases, phases_luau: script, ..Pieces::default() }.play(3);
    let texts = |m: &mut Match| {
        let pending = m.pending();
        pending.iter().map(|decision| decision.text(m.game())).collect::<Vec<_>>()
    };
    let first = ["Ada: where does Red go for 10?", "Bob: where does Red go for 20?", "Cy: where does Red go for 30?"];
    assert_eq!(texts(&mut m), first);
    m.focus(1).unwrap();
    answer(&mut m, "right");
    assert_eq!(texts(&mut m), [first[0], "Bob: where does Red go for 2?", first[2]]);
    assert_eq!(text(&m), "Bob: where does Red go for 2?");
}

#[test]
fn the_values_of_questions_are_whole_numbers() {
    // The check finds literal mistakes.
    for (value, says) in [
        ("1.5", "whole numbers"),
        ("tostring(1)", "whole numbers"),
        ("table.create(1)", "whole numbers"),
        ("2^40", "whole"),
    ] {
        let script =
            format!("return {{ p = {{ run = function() choose(1, \"site\", {{ \"left\" }}, 1, {value}) end }} }}");
        let pieces =
            Pieces { prompts: SITES, phases: "[p]\nname = \"P\"\n", phases_luau: &script, ..Pieces::default() };
        let said = error(&pieces, 3);
        assert!(said.contains(says), "{value}: {said}");
    }
}

/// The engine calls `skip` in the position in which a sealed phase begins. A skipped player has no question and no turn.
#[test]
fn sealed_phases_skip() {
    let skip = "skip = function(p) assert(get(1, \"gold\") == 3) return p == round() or get(p, \"gold\") == 0 end,";
    let start = "start = function() if round() == 2 then for p = 1, 3 do set(p, \"gold\", 0) end end end,";
    let turn = "turn = function(p) gain(p, \"gold\", choose(p, \"pick\", { 1, 2 })) end";
    let offer = "offer = function() choice(1) choice(2) end, act = function(p, n) gain(p, \"gold\", n) end";
    for (asks, hooks) in [("", turn), ("prompt = \"pick\"\n", offer)] {
        let phases = format!("[a]\nturns = \"sealed\"\n{asks}");
        let skip = skip.replace("assert(get(1, \"gold\") == 3)", "assert(round() == 2 or get(1, \"gold\") == 3)");
        let mut m = in_phases(
            &phases,
            &format!(
                "a = {{ {start} {skip} {hooks}, finish = function() note(round()) if round() == 2 then end_game() end end }}"
            ),
        );
        let open = |m: &Match| m.pending().iter().map(|d| d.seat).collect::<Vec<_>>();
        assert_eq!((open(&m), m.answer_as(0, 0)), (vec![1, 2], Err(MatchError::NotPending { seat: 0 })));
        m.focus(2).unwrap();
        answer(&mut m, "2");
        assert_eq!(open(&m), [1]);
        answer(&mut m, "1");
        // In the second round everybody is skipped, so the phase ends at once.
        assert!(m.is_over());
        assert_eq!((value(&m, "log", 0), value(&m, "gold", 3)), (12, 0));
    }
}

#[test]
fn declared_questions_are_skipped_too() {
    let bid = "[counters.bid]\nper = \"player\"\nmax = 9\n";
    let m = Pieces {
        game: bid,
        prompts: "[bid]\ntext = \"How much?\"\n",
        phases: "[a]\nturns = \"sealed\"\nasks = [{ prompt = \"bid\", choices = { upto = \"gold\" }, store = \"bid\" }]\n",
        phases_luau: "return { a = { skip = function(p) return p ~= 2 end } }",
        ..Pieces::default()
    }
    .play(3);
    assert_eq!(m.pending().iter().map(|d| d.seat).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_sealed_skip_neither_asks_nor_draws() {
    for (skip, says) in [
        ("choose(p, \"sure\", { \"yes\" })", "this hook must not ask"),
        ("random(6)", "`skip` must not call `random`"),
        ("error(\"no idea\")", "no idea"),
    ] {
        let said = error(
            &Pieces {
                phases: "[a]\nturns = \"sealed\"\n",
                phases_luau: &format!(
                    "return {{ a = {{\nskip = function(p)\n{skip}\nend,\nturn = function(p) choose(p, \"pick\", {{ 1, 2 }}) end }} }}"
                ),
                ..Pieces::default()
            },
            2,
        );
        assert!(said.contains(says) && said.contains("phases.luau:3") && said.contains("a.skip"), "{said}");
    }
}

/// A phase without choices ends at once, sealed or not. Many such phases in a row spend the budget.
#[test]
fn phases_without_choices_end_within_a_budget() {
    for turns in ["once", "around", "passes", "sealed"] {
        let mut m = in_phases(
            &format!("[a]\nturns = \"{turns}\"\nprompt = \"sure\"\n[b]\n"),
            "a = { offer = function(p) if get(p, \"gold\") < 5 then choice(\"yes\") end end, act = function(p) gain(p, \"gold\", 1) end },
            b = { run = function() if get(1, \"gold\") == 5 then choose(1, \"pick\", { \"done\" }) end end }",
        );
        assert_eq!(
            [value(&m, "gold", 1), value(&m, "gold", 3), m.round()],
            [5, 5, if turns == "around" || turns == "passes" { 1 } else { 2 }],
            "{turns}"
        );
        answer(&mut m, "done");
    }
    for (phases, script, says) in [
        (
            "[a]\nturns = \"sealed\"\n",
            "turn = function(p) choose(p, \"sure\", { \"yes\" }) end",
            "the match did not end within 1000 rounds",
        ),
        (
            "[a]\nturns = \"around\"\nprompt = \"sure\"\n",
            "offer = function() choice(\"yes\") end, act = function() end",
            "too many hooks ran in phase `a`",
        ),
        (
            "[a]\nturns = \"once\"\n",
            "turn = function(p) while true do choose(p, \"sure\", { \"yes\" }) end end",
            "spent its budget",
        ),
        (
            "[a]\nturns = \"sealed\"\n",
            "turn = function(p) while true do choose(p, \"sure\", { \"yes\" }) end end",
            "spent its budget",
        ),
    ] {
        let script = format!("return {{ a = {{ {script} }} }}");
        let said = error(&Pieces { phases, phases_luau: &script, ..Pieces::default() }, 3);
        assert!(said.contains(says), "{said}");
    }
}

/// The end of a sealed phase reveals the secret choices and draws for players without a choice, before the next turn.
#[test]
fn the_end_of_a_sealed_phase_draws_before_the_turns() {
    let zones =
        "[zones.hand]\nper = \"player\"\nholds = \"cards\"\n[zones.discard]\nper = \"game\"\nholds = \"cards\"\n";
    let game = format!("{}reshuffle = \"discard\"\n{zones}", DECK);
    let script = "return {
        a = {
            turn = function(p) set(p, \"gold\", if choose(p, \"pick\", { \"done\", \"more\" }) == \"more\" then 9 else 0) end,
            finish = function()
                while count(\"deck\") > 1 do move(top(\"deck\"), \"discard\") end
                for _, p in players() do
                    if get(p, \"gold\") == 9 then draw(\"deck\", nil, \"hand\", p) end
                end
                set(game, \"log\", random(6) * 10 + choose(2, \"pick\", { 3, 4 }))
            end,
        },
        b = { turn = function(p)
            if p == 1 then assert(count(\"hand\", 1) == 1 and count(\"hand\", 2) == 0 and count(\"hand\", 3) == 1) end
            choose(p, \"pick\", { \"done\" })
        end },
    }";
    let mut m = Pieces {
        game: &game,
        phases: "[a]\nturns = \"sealed\"\n[b]\nturns = \"once\"\n",
        phases_luau: script,
        ..Pieces::default()
    }
    .play(3);
    for (who, id) in [(1, "done"), (2, "more"), (0, "more")] {
        m.focus(who).unwrap();
        answer(&mut m, id);
    }
    assert_eq!((seat(&m), m.phase()), (1, "a"));
    answer(&mut m, "4");
    assert_eq!((seat(&m), m.phase(), value(&m, "log", 0) % 10), (0, "b", 4));
    answer(&mut m, "done");
}
/// `choose` takes its own list, so earlier `choice` calls would be lost.
#[test]
fn choices_before_choose_are_an_error() {
    let script = "return { a = { turn = function(p)
        choice(\"done\")
        choose(p, \"pick\", { \"more\", \"pass\" })
    end } }";
    let pieces = Pieces { phases: "[a]\nname = \"A\"\nturns = \"once\"\n", phases_luau: script, ..Pieces::default() };
    let said = error(&pieces, 2);
    let expected =
        "phases.luau:3: choose: choices were listed before it, but it offers its own list: ask about them with `ask`";
    assert!(said.contains(expected), "{said}");
}

/// A wrong holder of a zone or grid is an error.
#[test]
fn a_wrong_holder_of_a_zone_is_an_error() {
    let game = format!(
        "{DECK}[zones.hand]\ntext = \"Hand\"\nper = \"player\"\nholds = \"cards\"\n[grids.board]\nshape = \"square\"\ncolumns = 2\nrows = 2\n"
    );
    for (does, says) in [
        ("draw(\"deck\", p, \"hand\", p)", "zone `deck` belongs to the game: there is none of player 1"),
        ("shuffle(\"hand\")", "every player has a zone `hand`: pass a player from 1 to 4"),
        ("move(1, \"deck\", 2)", "zone `deck` belongs to the game: there is none of player 2"),
        ("draw(\"deck\", game, \"hand\", game)", "every player has a zone `hand`: pass a player"),
    ] {
        let script = format!("return {{ a = {{ turn = function(p)\n    {does}\nend }} }}");
        let phases = "[a]\nname = \"A\"\nturns = \"once\"\n";
        let said = error(&Pieces { game: &game, phases, phases_luau: &script, ..Pieces::default() }, 2);
        assert!(said.contains(&format!("phases.luau:2: {says}")), "{does}: {said}");
    }
}

/// A hook's question before `end_game` is asked, whether or not the engine already knows that the hook asks.
#[test]
fn the_end_of_the_game_waits_for_a_question_inside_pcall() {
    let script = "return { a = {
        offer = function() choice(\"more\") choice(\"done\") end,
        act = function(p, x)
            pcall(function() gain(p, \"gold\", choose(p, \"pick\", { 5, 6 })) end)
            if x == \"done\" then end_game() end
        end,
    } }";
    let pieces =
        Pieces { phases: "[a]\nturns = \"around\"\nprompt = \"pick\"\n", phases_luau: script, ..Pieces::default() };
    for turns in 0..2 {
        let mut m = pieces.play(2);
        for _ in 0..turns {
            answer(&mut m, "more");
            answer(&mut m, "5");
        }
        answer(&mut m, "done");
        assert_eq!(choices(&m), ["5", "6"], "after {turns} turns");
        answer(&mut m, "6");
        assert!(m.is_over());
    }
}
