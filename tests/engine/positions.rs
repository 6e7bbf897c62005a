//! Outcomes, options, edited positions, and redeals.

use super::*;

#[test]
fn ties_are_broken_in_order_and_ranks_are_shared() {
    let game = "
[counters.wood]\ntext = \"Wood\"\nper = \"player\"
[counters.won]\ntext = \"Won\"\nper = \"player\"\nmin = -5
[outcome]\nscore = \"gold\"\nrank = [\"won\", \"gold\", \"wood\"]";
    let rank = |rows: [[i32; 3]; 4]| {
        let sets: String = (1..)
            .zip(rows)
            .map(|(p, [won, gold, wood])| {
                format!("set({p}, \"won\", {won}) set({p}, \"gold\", {gold}) set({p}, \"wood\", {wood})\n")
            })
            .collect();
        let script = format!("return {{ p = {{ run = function()\n{sets} end_game()\nend }} }}");
        let m = Pieces { game, phases: "[p]\nname = \"P\"\n", phases_luau: &script, ..Pieces::default() }.play(4);
        (outcome(&m).ranks, outcome(&m).scores)
    };
    assert_eq!(rank([[0, 5, 1], [1, 0, 0], [0, 5, 2], [0, 4, 9]]), (vec![3, 1, 2, 4], vec![5, 0, 5, 4]));
    assert_eq!(rank([[0, 5, 1], [0, 5, 1], [0, 4, 0], [-1, 9, 9]]).0, [1, 1, 3, 4]);
    assert_eq!(rank([[2, 2, 2]; 4]).0, [1, 1, 1, 1]);
}

#[test]
fn amounts_and_scripts_can_use_options() {
    let pieces = Pieces {
        game: "
[options.purse]\ntext = \"Gold at the start\"\ndefault = 4\nmin = 0\nmax = 9
[options.fast]\ntext = \"Fast\"\ndefault = false
[options.map]\ntext = \"Map\"\ndefault = \"small\"\nvalues = { small = \"Small\", large = \"Large\" }\nplayers = [2]
[counters.silver]\ntext = \"Silver\"\nper = \"player\"\nstart = \"purse\"",
        phases: "[p]\nname = \"P\"\n",
        phases_luau: "return { p = { run = function()
            gain(1, \"gold\", if option(\"fast\") then 1 else 0)
            if option(\"map\") == \"large\" then gain(1, \"gold\", 10) end
            choose(1, \"pick\", { \"done\" })
        end } }",
        ..Pieces::default()
    };
    let m = pieces.play(2);
    assert_eq!((value(&m, "silver", 1), value(&m, "silver", 2), value(&m, "gold", 1)), (4, 4, 3));
    let mut m = pieces.play_with(2, &[("purse", "7"), ("fast", "on"), ("map", "large")]);
    assert_eq!((value(&m, "silver", 1), value(&m, "gold", 1)), (7, 14));
    // The same host with other options.
    let setup = m.game().setup(Some(3), &[("purse".into(), "0".into())], 9).unwrap();
    m.restart(&setup).unwrap();
    assert_eq!((value(&m, "silver", 3), value(&m, "gold", 1)), (0, 3));
    let game = pieces.game();
    let refused = |players, key: &str, text: &str| {
        game.setup(Some(players), &[(key.into(), text.into())], 1).unwrap_err().to_string()
    };
    assert_eq!(refused(2, "purs", "1"), "unknown option `purs`; did you mean `purse`?");
    assert_eq!(refused(2, "purse", "10"), "option `purse` takes 0 to 9, not 10");
    assert_eq!(refused(2, "purse", "x"), "option `purse` takes a whole number, not `x`");
    assert_eq!(
        refused(2, "purse", "99999999999999999999"),
        "option `purse` takes a whole number, not `99999999999999999999`"
    );
    assert_eq!(refused(2, "fast", "perhaps"), "option `fast` is on or off (true or false), not `perhaps`");
    assert_eq!(refused(2, "map", "larg"), "option `map` has no value `larg`; did you mean `large`?");
    assert_eq!(refused(3, "map", "large"), "option `map` = large needs 2 players, not 3");
    assert_eq!(refused(5, "purse", "1"), "Pieces takes 1 to 4 players, not 5");
    assert_eq!(refused(0, "purse", "1"), "Pieces takes 1 to 4 players, not 0");
    // A setup with tampered values.
    let mut setup = game.setup(None, &[], 1).unwrap();
    setup.players = 9;
    assert!(matches!(Match::new(&game, &setup), Err(MatchError::Setup(_))));
    let mut setup = game.setup(None, &[], 1).unwrap();
    setup.options.shift_remove("fast");
    assert!(matches!(Match::new(&game, &setup), Err(MatchError::Setup(_))));
    assert!(m.restart(&setup).is_err());
}

#[test]
fn positions_can_be_set_up() {
    let game = format!(
        "{DECK}\n[zones.hand]\ntext = \"Hand\"\nper = \"player\"\nholds = \"cards\"\nvisible = \"owner\"\nsize = 3\n[zones.stones]\nper = \"game\"\ntext = \"Stones\"\nholds = \"stones\"\n[kinds.stones]\ntext = \"Stones\""
    );
    let script = "return {
        a = { offer = function(p) for n = 1, get(p, \"gold\") do choice(n) end end, act = function(p, n) pay(p, \"gold\", n) end },
        b = { turn = function(p) choose(p, \"pick\", { round(), 7 }) end },
        c = { turn = function(p) gain(p, \"gold\", choose(p, \"pick\", { 1, 2 })) end },
        d = { run = function() error(\"broken\") end },
    }";
    let phases = "[a]\nname = \"A\"\nturns = \"once\"\nprompt = \"pick\"\n[b]\nname = \"B\"\nturns = \"once\"\n[c]\nname = \"C\"\nturns = \"sealed\"\n[d]\nname = \"D\"\n";
    let pieces = Pieces { game: &game, phases, phases_luau: script, ..Pieces::default() };
    let files = pieces.pack().files.into_iter().map(|f| (f.path, f.text));
    let stones = ("content/pieces/stones.toml".to_owned(), "[stone]\nname = \"Stone\"\n".to_owned());
    let game = Game::load(&Pack::from_files("pieces", files.chain([stones]))).unwrap_or_else(|e| panic!("{e}"));
    let mut m = Match::new(&game, &game.setup(Some(2), &[], 1).unwrap()).unwrap();
    let gold = counter(&m, "gold");
    assert_eq!(choices(&m), ["1", "2", "3"]);
    m.edit().set_counter(1, gold, 5).unwrap();
    assert_eq!(choices(&m).len(), 5, "the offer is listed again");
    for (holder, counter, value) in
        [(1, gold, 101), (1, gold, -1), (0, gold, 1), (9, gold, 1), (-1, gold, 1), (i32::MIN, gold, 1), (1, 99, 1)]
    {
        let hash = m.state().hash();
        assert!(matches!(m.edit().set_counter(holder, counter, value), Err(MatchError::Position(_))));
        assert_eq!(m.state().hash(), hash);
    }
    let zone = |name: &str| game.declarations().zones.get_index_of(name).unwrap();
    m.edit().set_zone(zone("hand"), 1, &[1, 5]).unwrap();
    assert_eq!((ids(&m, "hand", 1), ids(&m, "deck", 0).len()), (vec!["red".to_owned(), "blue".to_owned()], 3));
    m.edit().set_zone(zone("hand"), 1, &[2]).unwrap();
    assert_eq!((ids(&m, "hand", 1).len(), ids(&m, "deck", 0).len()), (1, 2), "removed tokens are in no zone");
    for (zone, holder, tokens) in [
        (zone("hand"), 1, vec![1, 2, 3, 4]),
        (zone("hand"), 0, vec![1]),
        (zone("hand"), 9, vec![1]),
        (99, 0, vec![1]),
        (zone("hand"), 1, vec![0]),
        (zone("hand"), 1, vec![-1]),
        (zone("hand"), 1, vec![99]),
        (zone("hand"), 1, vec![1, 1]),
        (zone("stones"), 0, vec![1]),
    ] {
        let hash = m.state().hash();
        assert!(
            matches!(m.edit().set_zone(zone, holder, &tokens), Err(MatchError::Position(_))),
            "{tokens:?} into {zone}"
        );
        assert_eq!(m.state().hash(), hash);
    }
    m.edit().begin_phase(1, Some(4), Some(1)).unwrap();
    assert_eq!((m.phase(), m.round(), seat(&m), choices(&m)), ("b", 4, 1, vec!["4".to_owned(), "7".to_owned()]));
    answer(&mut m, "7");
    assert_eq!((m.phase(), seat(&m)), ("c", 0), "the seat that began was the second of two");
    let before = (m.state().hash(), m.pending());
    assert!(m.edit().begin_phase(99, None, None).is_err());
    let error = m.edit().begin_phase(3, None, None).unwrap_err().to_string();
    assert!(error.contains("broken"), "{error}");
    assert_eq!((m.state().hash(), m.pending()), before);
    m.edit().set_counter(2, gold, 50).unwrap();
    answer(&mut m, "2");
    m.edit().begin_phase(2, None, None).unwrap();
    assert_eq!((m.pending().len(), value(&m, "gold", 1)), (2, 5), "sealed answers were forgotten");
}

#[test]
fn hidden_counters_are_dealt_as_declared() {
    let game = "
[counters.bid]\ntext = \"Bid\"\nper = \"player\"\nvisible = \"owner\"\nmax = 20\nredeal = \"pool\"
[counters.die]\ntext = \"Die\"\nper = \"player\"\nvisible = \"owner\"\nmin = 1\nmax = 6\nstart = 1
[counters.vault]\ntext = \"Vault\"\nper = \"player\"\nvisible = \"owner\"\nredeal = \"keep\"
[counters.order]\ntext = \"Order\"\nper = \"player\"\nvisible = \"owner\"\nmax = 9\nredeal = \"hook\"
[counters.other]\ntext = \"Other\"\nper = \"player\"";
    let phases = "[a]\nname = \"A\"\n[p]\nname = \"P\"\n";
    let script = "return {
        a = { run = function() for p = 1, 4 do set(p, \"bid\", p) set(p, \"die\", p) set(p, \"vault\", 7) set(p, \"order\", p) end end },
        p = { run = function() choose(1, \"pick\", { \"done\" }) end },
    }";
    // The order starts from any player, but keeps the seating: the sum and the asking player's place are known.
    let hook = "return { redeal = function(player)
        for p = 1, 4 do
            if p ~= player then assert(get(p, \"order\") == 0, \"the truth\") set(p, \"order\", (get(player, \"order\") + p - player - 1) % 4 + 1) end
        end
    end }";
    let pieces = |hook| Pieces { game, phases, phases_luau: script, game_luau: hook, ..Pieces::default() };
    let m = pieces(hook).play(4);
    let (mut bids, mut dice) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..30 {
        let mut other = m.fork().unwrap();
        assert_eq!(other.redeal(0, &mut Pcg64Mcg::seed_from_u64(seed)), Ok(1));
        assert_eq!(seen(&other, Some(0)), seen(&m, Some(0)));
        let of = |counter| [1, 2, 3, 4].map(|p| value(&other, counter, p));
        let bid = of("bid");
        assert_eq!((bid[0], bid[1..].iter().sum::<i32>()), (1, 9));
        bids.insert(bid);
        dice.extend(&of("die")[1..]);
        assert_eq!((of("die")[0], of("vault"), of("order")), (1, [7; 4], [1, 2, 3, 4]));
    }
    assert!(bids.len() > 10, "{bids:?}");
    assert_eq!(dice, (1..=6).collect());
    let faults = Game::load(&pieces("").pack()).expect_err("nothing deals the order").to_string();
    assert!(faults.contains("counter `order` has `redeal = \"hook\"`, but there is no hook `redeal` here"), "{faults}");
    for (hook, fault) in [
        ("set(2, 'other', 1)", "counter `other` of Bob"),
        ("set(player, 'order', 4)", "counter `order` of Ada"),
        ("set(2, 'order', 10)", "cannot go above 9"),
        ("choose(2, 'pick', { 'done' })", "must not ask"),
    ] {
        let hook = format!("return {{ redeal = function(player) {hook} end }}");
        let mut m = Pieces { game_luau: &hook, ..pieces("") }.play(4);
        let before = (m.state().bytes(), choices(&m));
        let error = m.redeal(0, &mut Pcg64Mcg::seed_from_u64(1)).expect_err("the hook may not do this");
        assert!(error.to_string().contains(fault), "{error}");
        assert_eq!((m.state().bytes(), choices(&m)), before);
    }
}

#[test]
fn a_redealt_match_plays_on() {
    let game =
        format!("{DECK}\n[zones.hand]\ntext = \"Hand\"\nper = \"player\"\nholds = \"cards\"\nvisible = \"owner\"");
    let script = "return { p = { turn = function(p)
        local t = draw(\"deck\", nil, \"hand\", p)
        if t == nil then end_game() return end
        if choose(p, \"pick\", { \"done\", \"more\" }) == \"more\" then gain(p, \"gold\", choose(p, \"pick\", { 1, 2 })) end
    end } }";
    let mut m = Pieces {
        game: &game,
        phases: "[p]\nname = \"P\"\nturns = \"around\"\n",
        phases_luau: script,
        ..Pieces::default()
    }
    .play(2);
    answer(&mut m, "more");
    m.redeal(1, &mut Pcg64Mcg::seed_from_u64(3)).unwrap();
    let redealt = (m.state().bytes(), choices(&m));
    m.restore(&m.snapshot()).unwrap();
    assert_eq!((m.state().bytes(), choices(&m)), redealt, "in the middle of a hook, too");
    m.answer(1).unwrap();
    m.restore(&m.snapshot()).unwrap();
    let all = |m: &Match| {
        let mut all = [ids(m, "deck", 0), ids(m, "hand", 1), ids(m, "hand", 2)].concat();
        all.sort();
        all
    };
    assert_eq!(all(&m), ["blue", "blue", "red", "red", "red"]);
    while !m.is_over() {
        m.answer(0).unwrap();
    }
    assert_eq!(all(&m).len(), 5);
}

#[test]
fn invalid_answers_are_refused() {
    let mut m = after_run("", "");
    assert_eq!(m.answer(2), Err(MatchError::BadChoice { index: 2, count: 2 }));
    assert_eq!(m.answer(usize::MAX), Err(MatchError::BadChoice { index: usize::MAX, count: 2 }));
    assert_eq!(m.answer_as(1, 0), Err(MatchError::NotPending { seat: 1 }));
    assert_eq!(m.answer_as(200, 0), Err(MatchError::NotPending { seat: 200 }));
    assert!(m.answers().is_empty());
    let other = after_run(ZONES, "");
    assert!(matches!(m.restore(&other.snapshot()), Err(MatchError::OtherMatch)));
    assert_eq!(m.choices().len(), 2);
}

#[test]
fn each_match_has_its_own_generator() {
    let run = "for _ = 1, 200 do local n = random(6) assert(n >= 1 and n <= 6 and n % 1 == 0) set(game, \"log\", (get(game, \"log\") * 7 + n) % 1000003) end assert(random(1) == 1)";
    let m = after_run("", run);
    let mut fork = m.fork().unwrap();
    assert_eq!(fork.state().hash(), m.state().hash());
    let mut setup = m.setup().clone();
    fork.restart(&setup).unwrap();
    assert_eq!(fork.state().hash(), m.state().hash());
    setup.seed += 1;
    fork.restart(&setup).unwrap();
    assert_ne!(value(&fork, "log", 0), value(&m, "log", 0));
    setup.seed -= 1;
    fork.restart(&setup).unwrap();
    assert_eq!(fork.state().hash(), m.state().hash());
}

/// The error of a failure shows the state in which the failing hook began, not the state of the answer or of the failure.
#[test]
fn later_failures_are_explained() {
    let script = "return {
        a = { offer = function() choice(1) choice(2) end, act = function(p, n) gain(p, \"gold\", n) end },
        b = { run = function()
            gain(1, \"gold\", 90)
            if get(1, \"gold\") == 95 then
                pay(1, \"gold\", 95)
                pay(1, \"gold\", 1)
            end
            set(1, \"gold\", 1)
        end },
    }";
    let phases = "[a]\nname = \"A\"\nturns = \"once\"\nprompt = \"pick\"\n[b]\nname = \"B\"\n";
    let mut m = Pieces { phases, phases_luau: script, ..Pieces::default() }.play(1);
    let error = m.answer(1).unwrap_err().to_string();
    assert!(error.contains("phases.luau:7: counter `gold` cannot go below 0, it would be -1: check `can_pay` first, or lower its `min` (in `b.run`"), "{error}");
    answer(&mut m, "1");
    assert_eq!(value(&m, "gold", 1), 1);
}

/// An edit that makes the pending script fail is undone, wherever the match waits.
#[test]
fn an_edit_that_makes_a_script_fail_is_undone() {
    let offer = "return { a = {
        offer = function(p) if get(p, \"gold\") == 7 then error(\"seven\") end choice(\"more\") choice(\"done\") end,
        act = function() end,
    } }";
    let turn = "return { a = { turn = function(p)
        gain(p, \"gold\", if choose(p, \"pick\", { \"more\", \"done\" }) == \"more\" then 1 else 2)
        if get(p, \"gold\") == 9 then error(\"nine\") end
        choose(p, \"pick\", { \"more\", \"done\" })
    end } }";
    let pieces = |phases, phases_luau| Pieces { phases, phases_luau, ..Pieces::default() };
    let offered = pieces("[a]\nturns = \"around\"\nprompt = \"pick\"\n", offer).play(2);
    let mut sealed = pieces("[a]\nturns = \"sealed\"\n", turn).play(3);
    answer(&mut sealed, "more");
    sealed.focus(1).unwrap();
    for (mut m, gold) in [(offered, 7), (sealed, 8)] {
        let now =
            |m: &Match| (m.state().hash(), m.decision(), m.pending(), m.choices().to_vec(), m.state().words().to_vec());
        let (before, counter) = (now(&m), m.game().declarations().counters.get_index_of("gold").unwrap());
        assert!(matches!(m.edit().set_counter(1, counter, gold), Err(MatchError::Script(_))));
        assert_eq!(now(&m), before);
        m.edit().set_counter(1, counter, 5).unwrap();
        answer(&mut m, "more");
    }
}

/// A deck of two kinds, secret hands of one card, a simultaneous phase in which red cards ask, and a turn that asks.
const RED_ASKS: &str = "return { s = { turn = function(p)
        if count(\"hand\", p) > 0 and id(top(\"hand\", p)) == \"red\" then choose(p, \"pick\", { \"done\", \"more\" }) end
    end },
    t = { turn = function(p) choose(p, \"pick\", { \"done\", \"more\" }) end } }";

/// A redeal runs a step twice if a hook asks for the first time. The second run must deal the same.
#[test]
fn a_redeal_does_not_depend_on_the_hosts_experience() {
    let hand = "[zones.hand]\ntext = \"Hand\"\nper = \"player\"\nholds = \"cards\"\nvisible = \"owner\"";
    let pieces = Pieces {
        game: &format!("{DECK}\n{hand}"),
        phases: "[s]\nname = \"S\"\nturns = \"sealed\"\n[t]\nname = \"T\"\nturns = \"once\"\n",
        phases_luau: RED_ASKS,
        game_luau: "return { setup = function() shuffle(\"deck\") for p = 1, 2 do draw(\"deck\", nil, \"hand\", p) end end }",
        ..Pieces::default()
    };
    let game = pieces.game();
    let (mut passed, mut retried) = (0, 0);
    for seed in 0..40 {
        let setup = game.setup(Some(2), &[], seed).unwrap();
        let cold = Match::new(&game, &setup).unwrap();
        if !cold.is_simultaneous() || cold.pending().iter().any(|decision| decision.seat == 0) {
            continue;
        }
        passed += 1;
        let mut warm = Match::new(&game, &setup).unwrap();
        while warm.is_simultaneous() {
            warm.answer(0).unwrap();
        }
        warm.restart(&setup).unwrap();
        for deal in 0..20 {
            let mut cold = cold.fork().unwrap();
            let mut rngs = [deal; 2].map(Pcg64Mcg::seed_from_u64);
            warm.restart(&setup).unwrap();
            let deals = [cold.redeal(0, &mut rngs[0]).unwrap(), warm.redeal(0, &mut rngs[1]).unwrap()];
            assert_eq!(deals[0], deals[1]);
            assert_eq!(cold.state().bytes(), warm.state().bytes(), "seed {seed}, deal {deal}");
            assert_eq!(rngs[0], rngs[1]);
            retried += usize::from(!cold.is_simultaneous());
        }
    }
    assert!(passed > 3 && retried > 4, "{passed} {retried}");
}

/// A redeal whose offer writes is refused.
#[test]
fn an_offer_that_writes_fails_a_redeal() {
    let pieces = Pieces {
        game: DECK,
        phases: "[p]\nname = \"P\"\nturns = \"around\"\nprompt = \"pick\"\n",
        phases_luau: "return { p = {
            offer = function(p)
                if id(top(\"deck\")) == \"blue\" then set(game, \"log\", 7) end
                choice(\"done\") choice(\"more\")
            end,
            act = function() end,
        } }",
        game_luau: "return { setup = function() shuffle(\"deck\") end }",
        ..Pieces::default()
    };
    let game = pieces.game();
    let red = |m: &Match| ids(m, "deck", 0).pop().unwrap() == "red";
    let setups = (0..20).map(|seed| game.setup(Some(2), &[], seed).unwrap());
    let mut m = setups.into_iter().find_map(|setup| Match::new(&game, &setup).ok()).unwrap();
    assert!(red(&m));
    for seat in [0, 1] {
        let mut dealt = 0;
        for seed in 0..20 {
            dealt = dealt.max(m.redeal(seat, &mut Pcg64Mcg::seed_from_u64(seed)).unwrap());
            assert!(value(&m, "log", 0) == 0 && red(&m), "seat {seat}, deal {seed}");
        }
        assert!(dealt > 1, "some deals have blue on top");
    }
}

#[test]
fn a_snapshot_of_another_game_or_setup_is_refused() {
    let option = "[options.map]\ntext = \"Map\"\ndefault = \"a\"\nvalues = { a = \"A\", b = \"B\" }\n";
    let script =
        |choices: &str| format!("return {{ p = {{ run = function() choose(1, \"pick\", {{ {choices} }}) end }} }}");
    let (one, two) = (script("\"done\", \"more\""), script("\"more\", \"done\""));
    let pieces =
        |script| Pieces { game: option, phases: "[p]\nname = \"P\"\n", phases_luau: script, ..Pieces::default() };
    let mut m = pieces(&one).play(2);
    for other in [pieces(&two).play(2), pieces(&one).play(3), pieces(&one).play_with(2, &[("map", "b")])] {
        assert_eq!(other.state().words().len(), m.state().words().len());
        let before = (m.state().bytes(), choices(&m));
        let said = m.restore(&other.snapshot()).unwrap_err().to_string();
        assert!(said.contains("another game or setup"), "{said}");
        assert_eq!((m.state().bytes(), choices(&m)), before);
    }
    // Another match of the same game and setup, loaded separately with another seed.
    let game = pieces(&one).game();
    let other = Match::new(&game, &game.setup(Some(2), &[], 99).unwrap()).unwrap();
    m.restore(&other.snapshot()).unwrap();
    assert_eq!(m.state().bytes(), other.state().bytes());
}
