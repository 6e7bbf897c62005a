//! Phases, rounds, turn orders and their ends.

use motherlode::{ScoreChange, ScoreSource};

use super::*;

#[test]
fn hooks_run_in_their_order() {
    let mut m = in_phases(
        "[a]\nname = \"A\"\nwhen = \"setup\"\n[b]\nname = \"B\"\ntimes = 2\n[c]\nname = \"C\"\n[d]\nname = \"D\"\nwhen = \"end\"\n",
        "a = { run = function() assert(round() == 0) note(1) end },
        b = { start = function() note(2) end, run = function() note(3) end, finish = function() note(4) end },
        c = { applies = function() return round() == 1 end, run = function() note(5) end_after_round() end },
        d = { run = function() note(6) choose(1, \"pick\", { \"done\" }) end }",
    );
    assert_eq!((value(&m, "log", 0), m.round(), m.phase()), (123_423_456, 1, "d"));
    answer(&mut m, "done");
    assert_eq!((outcome(&m).reason.as_str(), outcome(&m).rounds), ("after round", 1));
}

#[test]
fn a_phase_that_does_not_apply_is_skipped() {
    let mut m = in_phases(
        "[a]\nname = \"A\"\nturns = \"once\"\n[b]\nname = \"B\"\n",
        "a = { applies = function() return round() ~= 1 end, turn = function(p) choose(p, \"pick\", { \"done\" }) end },
        b = { run = function() note(round()) end }",
    );
    assert_eq!((value(&m, "log", 0), m.round(), seat(&m)), (1, 2, 0));
    for next in [1, 2] {
        answer(&mut m, "done");
        assert_eq!(seat(&m), next);
    }
    answer(&mut m, "done");
    assert_eq!((value(&m, "log", 0), m.round(), seat(&m)), (12, 3, 0));
}

/// The seats asked in sequence, until one is asked twice or `most` seats were asked.
fn seats(m: &mut Match, most: usize) -> Vec<u8> {
    let mut out = Vec::new();
    while let Some(decision) = m.decision() {
        if out.len() == most {
            break;
        }
        out.push(decision.seat);
        answer(m, "done");
    }
    out
}

#[test]
fn hooks_choose_the_first_player_and_the_order() {
    let turn = "turn = function(p) choose(p, \"pick\", { \"done\" }) end";
    let once = "[a]\nname = \"A\"\nturns = \"once\"\n";
    assert_eq!(seats(&mut in_phases(once, &format!("a = {{ {turn} }}")), 3), [0, 1, 2]);
    let first = "[a]\nname = \"A\"\nturns = \"once\"\nfirst = \"starter\"\n";
    assert_eq!(seats(&mut in_phases(first, &format!("a = {{ {turn} }}")), 3), [1, 2, 0]);
    let order = "order = function() return { 3, 1 } end";
    assert_eq!(seats(&mut in_phases(first, &format!("a = {{ {order}, {turn} }}")), 4), [2, 0, 2, 0]);
    let skip = "skip = function(p) return p == 2 end";
    assert_eq!(seats(&mut in_phases(once, &format!("a = {{ {skip}, {turn} }}")), 4), [0, 2, 0, 2]);
    let out = "start = function() if round() == 1 then eliminate(2) end end";
    assert_eq!(seats(&mut in_phases(once, &format!("a = {{ {out}, {turn} }}")), 4), [0, 2, 0, 2]);
    let around = "[a]\nname = \"A\"\nturns = \"around\"\nfirst = \"starter\"\n";
    assert_eq!(seats(&mut in_phases(around, &format!("a = {{ {turn} }}")), 5), [1, 2, 0, 1, 2]);
    assert_eq!(seats(&mut in_phases(around, &format!("a = {{ {order}, {skip}, {turn} }}")), 5), [2, 0, 2, 0, 2]);
}

#[test]
fn an_eliminated_starter_is_skipped() {
    let m = in_phases(
        "[a]\nname = \"A\"\nturns = \"once\"\nfirst = \"starter\"\n",
        "a = { start = function() if round() == 1 then eliminate(2) end end, turn = function(p) choose(p, \"pick\", { \"done\" }) end }",
    );
    assert_eq!(seat(&m), 2);
    assert_eq!(seen(&m, None)["players"][1]["in"], false);
}

#[test]
fn a_phase_ends_when_all_have_passed() {
    let mut m = in_phases(
        "[a]\nname = \"A\"\nturns = \"passes\"\nprompt = \"pick\"\n[b]\nname = \"B\"\n",
        "a = {
            offer = function(p) if get(p, \"gold\") > 0 then choice(\"more\") choice(\"pass\") end end,
            act = function(p, x) if x == \"pass\" then pass(p) else pay(p, \"gold\", 1) end note(p) end,
        },
        b = { run = function() note(9) choose(1, \"pick\", { \"done\" }) end }",
    );
    // Ada plays, Bob passes, Cy plays, Ada plays, Cy plays ... Cy runs out of moves and passes unasked. Ada continues alone.
    for (who, id) in [(0, "more"), (1, "pass"), (2, "more"), (0, "more"), (2, "more"), (0, "pass"), (2, "more")] {
        assert_eq!(seat(&m), who);
        answer(&mut m, id);
    }
    assert_eq!((value(&m, "log", 0), m.phase()), (12_313_139, "b"));
    answer(&mut m, "done");
    assert_eq!((m.round(), seat(&m)), (2, 0), "passes are forgotten");
}

#[test]
fn the_last_active_player_continues_alone() {
    let mut m = in_phases(
        "[a]\nname = \"A\"\nturns = \"passes\"\nprompt = \"pick\"\n[b]\nname = \"B\"\n",
        "a = {
            offer = function() choice(\"more\") choice(\"pass\") end,
            act = function(p, x) if x == \"pass\" then pass(p) end end,
        },
        b = { run = function() end_game() end }",
    );
    for (who, id) in [(0, "pass"), (1, "more"), (2, "pass"), (1, "more"), (1, "more"), (1, "pass")] {
        assert_eq!(seat(&m), who);
        answer(&mut m, id);
    }
    assert!(m.is_over());
}

#[test]
fn scripts_can_end_a_phase_and_the_game() {
    let mut m = in_phases(
        "[a]\nname = \"A\"\nturns = \"around\"\nprompt = \"pick\"\n[b]\nname = \"B\"\nturns = \"once\"\nprompt = \"pick\"\n[c]\nname = \"C\"\nwhen = \"end\"\n",
        "a = {
            offer = function() choice(\"more\") choice(\"done\") end,
            act = function(p, x) note(p) if x == \"done\" then end_phase() end end,
            finish = function() note(7) end,
        },
        b = {
            offer = function() choice(\"more\") choice(\"done\") end,
            act = function(p, x) note(p) if x == \"done\" then end_game() end end,
            finish = function() note(8) end,
        },
        c = { run = function() note(9) end }",
    );
    for id in ["more", "more", "done", "more", "done"] {
        answer(&mut m, id);
    }
    assert_eq!(value(&m, "log", 0), 123_712, "the game ends at once: no finish, no phase of the end");
    assert_eq!((outcome(&m).reason.as_str(), outcome(&m).rounds), ("script", 1));
    assert_eq!(m.answer(0), Err(MatchError::NoDecision));
}

/// No code after `end_game` takes effect: in the hook, in a verb, in a function of `lib`, or inside `pcall`.
#[test]
fn ending_the_game_ends_the_hook() {
    let calls = [
        "end_game(\"full\")",
        "do_verb(\"stop\", p, {})",
        "lib.stop()",
        "pcall(end_game, \"full\") note(2)",
        "pcall(function() pcall(lib.stop) note(2) end) note(3)",
        "xpcall(lib.stop, function() note(4) end) note(5)",
        "table.sort({ 2, 1, 3 }, function() lib.stop() end)",
        "lib.stop() while true do note(2) end",
        "lib.stop() while true do pcall(function() while true do end end) end",
        "lib.stop() error(\"no\")",
        "lib.stop() random(6) log(\"full\") eliminate(1) choose(2, \"pick\", { 1, 2 })",
        "lib.stop() ask_all(players(), \"sure\", { \"yes\" }) end_game()",
    ];
    for (call, asks) in calls.into_iter().flat_map(|call| [(call, false), (call, true)]) {
        let ask = if asks { "choose(p, \"pick\", { \"done\", \"more\" })" } else { "" };
        let script = format!(
            "{NOTE}return {{
            a = {{ turn = function(p) {ask} note(1) {call} note(9) end, finish = function() note(8) end }},
            b = {{ run = function() note(7) end }},
        }}"
        );
        let mut m = Pieces {
            phases: "[a]\nturns = \"once\"\n[b]\n[c]\nwhen = \"end\"\n",
            texts: "full = \"the box is full\"\n",
            verbs: "[stop]\ntext = \"The game ends.\"\n",
            phases_luau: &script.replace("b = {", "c = { run = function() note(6) end }, b = {"),
            verbs_luau: "return { stop = function() lib.stop() set(1, \"gold\", 9) end }",
            lib_luau: "return { stop = function() end_game(\"full\") set(1, \"gold\", 9) end }",
            game_luau: &format!("{NOTE}return {{ finish = function() pcall(end_game) note(5) end }}"),
            ..Pieces::default()
        }
        .play(2);
        if asks {
            answer(&mut m, "done");
        }
        let end = outcome(&m);
        assert_eq!(
            (end.reason.as_str(), end.scores, value(&m, "log", 0)),
            ("the box is full", vec![3, 3], 1),
            "{call}"
        );
    }
}

/// The script's reason wins even if the last round ends at the same time and ends the game.
#[test]
fn the_reason_of_an_end_outlives_the_last_round() {
    for (end, reason, rounds) in [
        ("end_game(\"full\")", "the box is full", 1),
        ("end_game()", "script", 1),
        ("if round() == 2 then end_game(\"full\") end", "the box is full", 2),
        ("if round() == 2 then end_after_round(\"full\") end", "the box is full", 2),
        ("if round() == 2 then end_after_round() end", "after round", 2),
        ("", "last round", 2),
    ] {
        let m = Pieces {
            game: "rounds = 2\n",
            phases: "[a]\n",
            texts: "full = \"the box is full\"\n",
            phases_luau: &format!("return {{ a = {{ run = function() end, finish = function() {end} end }} }}"),
            ..Pieces::default()
        }
        .play(2);
        assert_eq!((outcome(&m).reason.as_str(), outcome(&m).rounds), (reason, rounds), "{end}");
    }
}

#[test]
fn a_last_round_is_played_to_its_end() {
    let mut m = in_phases_of(
        2,
        "[a]\nname = \"A\"\nturns = \"once\"\n",
        "a = { turn = function(p) choose(p, \"pick\", { \"done\" }) if round() == 2 and p == 1 then end_after_round() end note(p) end }",
    );
    for _ in 0..4 {
        assert!(!m.is_over());
        answer(&mut m, "done");
    }
    assert_eq!((value(&m, "log", 0), outcome(&m).reason.as_str(), outcome(&m).rounds), (1212, "after round", 2));
}

#[test]
fn turns_of_a_phase_are_limited_by_a_counter() {
    let turns = |turns: &str, more: &str| {
        let pieces = Pieces {
            game: "rounds = 2\n[counters.turns]\nper = \"game\"\nmax = 5\n",
            phases: &format!("[a]\nname = \"A\"\nturns = \"{turns}\"\nlimit = \"turns\"\n"),
            phases_luau: &format!(
                "return {{ a = {{ turn = function(p) choose(p, \"pick\", {{ \"done\" }}) {more} end, \
                finish = function() gain(game, \"log\", get(game, \"turns\")) end }} }}"
            ),
            ..Pieces::default()
        };
        let mut m = pieces.play(2);
        (seats(&mut m, 99).len(), value(&m, "log", 0), outcome(&m).reason.as_str().to_owned())
    };
    assert_eq!(turns("around", ""), (10, 10, "last round".into()), "five turns in each of two rounds");
    assert_eq!(turns("passes", ""), (10, 10, "last round".into()));
    assert_eq!(turns("around", "if get(game, \"turns\") == 3 then end_phase() end"), (6, 6, "last round".into()));
}

#[test]
fn rounds_are_limited_by_the_game_and_by_the_engine() {
    let pieces = Pieces {
        game: "rounds = \"length\"\n[options.length]\ntext = \"Rounds\"\ndefault = 3\nmin = 1\nmax = 9\n",
        phases: "[a]\nname = \"A\"\nturns = \"once\"\n[z]\nname = \"Z\"\nwhen = \"end\"\n",
        phases_luau: "return { a = { turn = function(p) choose(p, \"pick\", { \"done\" }) end }, z = { run = function() gain(1, \"gold\", round()) end } }",
        ..Pieces::default()
    };
    let mut m = pieces.play(1);
    assert_eq!(seats(&mut m, 99).len(), 3);
    assert_eq!((outcome(&m).reason.as_str(), outcome(&m).rounds, outcome(&m).scores), ("last round", 3, vec![6]));
    assert_eq!(seats(&mut pieces.play_with(1, &[("length", "5")]), 99).len(), 5);
    let endless = Pieces {
        game: "",
        phases: "[a]\nname = \"A\"\nturns = \"once\"\n",
        phases_luau: "return { a = { turn = function(p) choose(p, \"pick\", { \"done\" }) end } }",
        ..Pieces::default()
    };
    let mut m = endless.play(1);
    m.limits_mut().rounds = 4;
    for _ in 0..3 {
        m.answer(0).unwrap();
    }
    let hash = m.state().hash();
    assert_eq!(m.answer(0).unwrap_err().to_string(), "the match did not end within 4 rounds");
    assert_eq!((m.state().hash(), m.round(), m.choices().len()), (hash, 4, 1));
}

#[test]
fn elimination_ends_with_the_last_player() {
    let mut m = in_phases(
        "[a]\nname = \"A\"\nturns = \"around\"\nprompt = \"whom\"\n",
        "a = {
            offer = function(p) for _, q in players() do if q ~= p then choice(q) end end end,
            act = function(p, q)
                eliminate(q)
                assert(not is_in(q) and is_in(p) and player_count() == 3 and next_player(p) ~= q)
                if #players() == 1 then assert(next_player(p) == p) end_game() end
            end,
        }",
    );
    assert_eq!(choices(&m), ["2", "3"]);
    answer(&mut m, "2");
    assert_eq!((seat(&m), choices(&m)), (2, vec!["1".to_owned()]));
    answer(&mut m, "1");
    assert!(m.is_over());
}

#[test]
fn all_players_can_be_eliminated() {
    for turns in ["once", "around", "passes", "sealed"] {
        let game = in_phases(
            &format!("[a]\nname = \"A\"\nturns = \"{turns}\"\n[z]\nname = \"Z\"\n"),
            "a = {
                start = function() for p = 1, 3 do eliminate(p) end assert(#players() == 0) end,
                turn = function(p) error(\"nobody is in\") end,
            },
            z = { run = function() choose(1, \"pick\", { \"done\" }) end }",
        );
        assert_eq!((game.phase(), game.round()), ("z", 1), "{turns}");
    }
}

/// A step may end a phase, run others and end the game: each point belongs to its own phase, and a retried step counts
/// once.
#[test]
fn a_step_tells_the_phase_of_each_point() {
    let script = "return {
        deal = { run = function() gain(1, \"gold\", 1) end },
        dig = { turn = function(p)
            gain(p, \"gold\", 2)
            if choose(p, \"pick\", { \"done\", \"more\" }) == \"more\" then error(\"no more\") end
            gain(p, \"gold\", 3)
        end },
        rain = { run = function() end },
        feast = { run = function()
            gain(2, \"gold\", 4)
            if choose(2, \"sure\", { \"yes\" }) == \"yes\" then gain(2, \"gold\", 1) end
        end },
        tax = { run = function() set(1, \"gold\", 0) end },
    }";
    let phases = "[deal]\nname = \"Deal\"\nwhen = \"setup\"\n[dig]\nname = \"Dig\"\nturns = \"once\"\n[rain]\nname = \"Rain\"\n[feast]\nname = \"Feast\"\n[tax]\nname = \"Tax\"\nwhen = \"end\"\n";
    let game = "rounds = 2\n";
    let finish = "return { setup = function() gain(1, \"gold\", 5) end, finish = function() gain(2, \"gold\", 7) end }";
    let pieces = Pieces { game, phases, phases_luau: script, game_luau: finish, ..Pieces::default() };
    let mut m = pieces.play(2);
    let changes = |m: &Match| {
        let phases = &m.game().declarations().phases;
        let source = |change: &ScoreChange| match change.source {
            ScoreSource::Setup => "setup",
            ScoreSource::Phase(index) => phases.get_index(index).unwrap().0,
            ScoreSource::Finish => "finish",
        };
        let of = |change: &ScoreChange| format!("{} {}: {} {}", source(change), change.round, change.seat, change.by);
        m.score_changes().iter().map(of).collect::<Vec<_>>()
    };
    assert!(changes(&m).is_empty(), "the transcript is off");
    m.set_logging(true);
    m.restart(&m.setup().clone()).unwrap();
    assert_eq!(changes(&m), ["setup 0: 0 8", "setup 0: 1 3", "deal 0: 0 1", "dig 1: 0 2"]);
    m.answer(1).unwrap_err();
    assert!(changes(&m).is_empty(), "a failed step changes nothing");
    m.answer(0).unwrap();
    assert_eq!(changes(&m), ["dig 1: 0 3", "dig 1: 1 2"]);
    m.answer(0).unwrap();
    assert_eq!(changes(&m), ["dig 1: 1 3", "feast 1: 1 5", "dig 2: 0 2"]);
    m.answer(0).unwrap();
    m.answer(0).unwrap();
    assert!(m.is_over());
    assert_eq!(changes(&m), ["dig 2: 1 3", "feast 2: 1 5", "tax 2: 0 -19", "finish 2: 1 7"]);
    m.set_logging(false);
    assert!(changes(&m).is_empty());
}
