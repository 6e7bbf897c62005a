//! Lists of verbs: their conditions, effects, texts, and the blame for a fault.

use motherlode::Pack;
use motherlode::declare::Definition;
use motherlode_fixtures::mod_of;

use super::*;

const GAME: &str = r#"
[counters.iron]
text = "Iron"
per = "player"
start = 2
max = 9
amount = "{n:bar|bars} of iron"
[counters.power]
text = "Power"
per = "player"
max = 3
[kinds.cards]
text = "Cards"
zone = "deck"
[kinds.cards.hooks]
operate = ["player"]
[kinds.metals]
text = "Metals"
tokens = false
[zones.deck]
text = "Deck"
per = "game"
holds = "cards"
visible = "count"
[zones.hand]
text = "Hand"
per = "player"
holds = "cards"
visible = "owner"
size = 3
"#;

const VERBS: &str = r#"
[light]
text = "Light a lamp."
[dig]
text = "Dig {n:hole|holes}[ for {metal}][, {deep|deep down|flat}]."
[dig.args]
n = { type = "integer", min = 1, max = 9 }
metal = { type = "metals", default = "" }
deep = { type = "boolean", default = false }
[burn]
text = "Burn {n:card|cards}."
cost = true
args = { n = { type = "integer", min = 1, max = 9, default = 1 } }
"#;

/// `dig` needs power, `burn` takes cards, `light` always works. Each appends its digit to the log.
const VERBS_LUAU: &str = r#"
local function note(n) set(game, "log", get(game, "log") * 10 + n) end
return {
    light = function() note(1) end,
    dig = {
        can = function(player, args) return get(player, "power") >= args.n end,
        run = function(player, args) pay(player, "power", args.n) note(2) end,
    },
    burn = {
        can = function(player, args) return count("hand", player) >= args.n end,
        run = function(player, args)
            for _ = 1, args.n do move(top("hand", player), "deck") end
            note(3)
        end,
    },
}
"#;

const METALS: &str = "[tin]\nname = \"Tin\"\n";

/// A game with these cards. Its only phase runs the script and then asks.
fn pack(cards: &str, cards_luau: &str, run: &str) -> Pack {
    let phases = format!("return {{ p = {{ run = function()\n{run}\nchoose(1, \"pick\", {{ \"done\" }})\nend }} }}");
    let pieces = Pieces {
        game: GAME,
        cards,
        cards_luau,
        verbs: VERBS,
        verbs_luau: VERBS_LUAU,
        phases: "[p]\nname = \"P\"\n",
        phases_luau: &phases,
        ..Pieces::default()
    };
    let pack = pieces.pack();
    let files = pack.files.iter().map(|file| (file.path.as_str(), file.text.as_str()));
    Pack::from_files("pieces", files.chain([("content/pieces/metals.toml", METALS)]))
}

/// A copy of the pack with these replacements in all files.
fn with(of: &Pack, changes: &[(&str, &str)]) -> Pack {
    let change = |text: &str| changes.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    Pack::from_files("pieces", of.files.iter().map(|file| (file.path.clone(), change(&file.text))))
}

fn start(pack: &Pack) -> Result<Match, MatchError> {
    let game = Game::load(pack).unwrap_or_else(|faults| panic!("{faults}"));
    Match::new(&game, &game.setup(Some(2), &[], 5).unwrap())
}

fn play(cards: &str, cards_luau: &str, run: &str) -> Match {
    start(&pack(cards, cards_luau, run)).unwrap_or_else(|error| panic!("{error}"))
}

fn faults(pack: &Pack) -> String {
    Game::load(pack).map(|_| ()).unwrap_err().to_string()
}

/// A card whose hook is this list of verbs.
fn card(id: &str, verbs: &str) -> String {
    format!("[{id}]\nname = \"{id}\"\noperate = {verbs}\n")
}

#[test]
fn a_list_is_usable_if_its_costs_and_an_effect_are_possible() {
    let cards = [
        card("always", r#"["light"]"#),
        card("two_pays", "[{ pay = { iron = 1 } }, { pay = { iron = 1, gold = 1 } }, \"light\"]"),
        card("three_pays", "[{ pay = { iron = 1 } }, { pay = { iron = 2 } }, \"light\"]"),
        card("powerless", "[{ dig = 1 }]"),
        card("one_of_two", "[{ dig = 1 }, \"light\"]"),
        card("no_cards", "[\"burn\", \"light\"]"),
        card("cost_alone", "[{ pay = { iron = 2 } }]"),
        card("gain_alone", "[{ gain = { power = 9 } }]"),
        card("nothing", "[]"),
        "[plain]\nname = \"Plain\"\n".to_owned(),
    ]
    .concat();
    play(
        &cards,
        "return { always = { can_operate = function(token, player) return player == 1 end } }",
        r#"
        local function can(id, player) return can_run(tokens("cards")[number_of("cards", id)], "operate", player or 1) end
        local function expect(id, yes)
            assert(can(id) == yes, id)
            assert(can_run_def("cards", id, "operate", 1) == yes, id)
        end
        for id, yes in {
            always = true, two_pays = true, three_pays = false, powerless = false, one_of_two = true, no_cards = false,
            cost_alone = true, gain_alone = true, nothing = true, plain = false,
        } do expect(id, yes) end
        assert(not can("always", 2), "what a function says more")
        set(1, "power", 1) expect("powerless", true)
        set(1, "power", 3) expect("gain_alone", true)
        set(1, "gold", 0) expect("two_pays", false)
        set(1, "gold", 3) set(1, "iron", 3) expect("three_pays", true)
        move(top("deck"), "hand", 1) expect("no_cards", true)
        assert(can_do("pay", 1, { amounts = { iron = 3 } }) and not can_do("pay", 1, { amounts = { iron = 4 } }))
        assert(can_do("dig", 1, { n = 3 }) and not can_do("dig", 2, { n = 1 }) and can_do("light", 2, {}))
        "#,
    );
}

#[test]
fn impossible_effects_are_skipped_and_unpaid_costs_end_the_list() {
    let cards = [
        card("effects", r#"[{ dig = 1 }, "light", { dig = 1 }]"#),
        card("costs", r#"["light", { pay = { iron = 1 } }, "light", "burn", "light"]"#),
        card("full", "[{ gain = { power = 2 } }, { gain = { power = 2 } }, { draw = { from = \"deck\", to = \"hand\", count = 9 } }]"),
    ]
    .concat();
    let m = play(
        &cards,
        "",
        r#"
        run_def("cards", "effects", "operate", 1)
        assert(get(game, "log") == 1, "no power")
        set(1, "power", 1)
        run_def("cards", "effects", "operate", 1)
        assert(get(game, "log") == 121, "one hole, one lamp")
        set(game, "log", 0)
        run_def("cards", "costs", "operate", 2)
        assert(get(game, "log") == 11 and get(2, "iron") == 1, "no cards")
        set(2, "iron", 0) set(game, "log", 0)
        run_def("cards", "costs", "operate", 2)
        assert(get(game, "log") == 1)
        run_def("cards", "full", "operate", 1)
        "#,
    );
    assert_eq!((value(&m, "power", 1), ids(&m, "hand", 1).len()), (3, 3), "as much as it can");
    assert_eq!(value(&m, "iron", 1), 2);
}

#[test]
fn draws_stop_at_an_empty_deck_and_at_a_full_hand() {
    let m = after_run(
        &format!("{DECK}\n[zones.hand]\nper = \"player\"\nholds = \"cards\"\nsize = 2\n"),
        r#"
        local two = { from = "deck", to = "hand", count = 2 }
        assert(can_draw("deck", game, "hand", 1) and can_do("draw", 1, two))
        assert(do_verb("draw", 1, two) and not can_draw("deck", game, "hand", 1) and not do_verb("draw", 1, two))
        assert(do_verb("draw", 2, two) and count("deck") == 1)
        move(at("hand", 1, 2), "deck") move(at("hand", 1, 2), "deck")
        assert(do_verb("draw", 2, { from = "hand", to = "deck", count = 1 }) == false, "an empty hand")
        assert(not can_do("draw", 2, { from = "deck", to = "hand", count = 0 }))
        assert(gain_up_to(1, "gold", 500) == 97 and get(1, "gold") == 100 and gain_up_to(1, "gold", -300) == -100)
        assert(can_pay(2, "gold", 3) and not can_pay(2, "gold", 4) and not can_pay(2, "gold", -98))
        "#,
    );
    assert_eq!(ids(&m, "hand", 1).len(), 2);
}

#[test]
fn a_fault_names_the_card_the_hook_the_verb_and_its_line() {
    let cards = card("a", "[\"light\"]") + &card("broken", "[\n    \"light\",\n    { dig = { n = 1 } },\n]");
    let script = "set(1, \"power\", 1) run_def(\"cards\", \"broken\", \"operate\", 1)";
    let failing =
        |from: &str, to: &str| start(&with(&pack(&cards, "", script), &[(from, to)])).map(|_| ()).unwrap_err();
    let run = failing("pay(player, \"power\", args.n) note(2)", "\n pay(player, \"power\", 2)");
    let MatchError::Script(fault) = &run else { panic!("{run}") };
    let verb = fault.verb.clone().expect("a verb was running");
    assert_eq!((fault.file.as_str(), fault.line), ("scripts/pieces/verbs.luau", 8), "{run}");
    assert_eq!(
        (verb.kind.as_str(), verb.id.as_str(), verb.hook.as_str(), verb.verb.as_str()),
        ("cards", "broken", "operate", "dig")
    );
    assert_eq!((verb.place.file.as_str(), verb.place.line), ("content/pieces/cards.toml", 8));
    assert_eq!(
        run.to_string(),
        "scripts/pieces/verbs.luau:8: counter `power` cannot go below 0, it would be -1: check `can_pay` first, or lower its `min` (in verb `dig` in `operate` of \
         `broken` (cards), content/pieces/cards.toml:8; in `p.run` of `pieces`)"
    );
    let can = failing("return get(player, \"power\") >= args.n", "error(\"lost\")").to_string();
    assert!(can.contains("verbs.luau:6: lost (in verb `dig` in `operate` of `broken`"), "{can}");
    // An error that a script has caught is not blamed for a later failure.
    let script = "pcall(function() run_def(\"cards\", \"broken\", \"operate\", 1) end) error(\"later\")";
    let caught = with(&pack(&cards, "", script), &[("note(2)", "error(\"x\")")]);
    let later = start(&caught).map(|_| ()).unwrap_err().to_string();
    assert!(later.contains("later (in `p.run`"), "{later}");
}

#[test]
fn verbs_need_valid_functions() {
    let of = pack(&card("a", "[\"light\"]"), "", "");
    for (from, to, says) in [
        (
            "light = function() note(1) end",
            "light = 7",
            "`light`: expected a function, or a table with `can` and `run`, found a ",
        ),
        ("light = function() note(1) end", "light = { cann = note, run = note }", "unknown function of a verb `cann`"),
        (
            "light = function() note(1) end",
            "light = { can = note }",
            "verb `light` has no function in verbs.luau; help: write `run = function(player, args) ... end` beside `can`",
        ),
        ("light = function() note(1) end", "light = { run = 1 }", "`run`: expected a function, found a "),
        ("light = function() note(1) end", "ligth = { run = note }", "unknown verb `ligth`"),
        (
            "can = function(player, args) return count",
            "-- can = function(player, args) return count",
            "verb `burn` is a cost, but nothing says when it can be paid",
        ),
    ] {
        let told = faults(&with(&of, &[(from, to)]));
        assert!(told.contains(says), "{to}: {told}");
    }
    let alone = faults(&pack("[a]\nname = \"A\"\n", "return { a = { can_operate = function() end } }", ""));
    assert!(alone.contains("`a` has `can_operate`, but no `operate`"), "{alone}");
}

fn with_mod(script: &str, run: &str) -> Result<Game, String> {
    let more = mod_of("more", "pieces", &[], &[("verbs", script)]);
    let pack = pack(&card("a", "[{ dig = 1 }]"), "", run).over(vec![more]);
    Game::load(&pack).map_err(|faults| faults.to_string())
}

#[test]
fn mods_wrap_and_replace_verbs_and_their_parts() {
    let expect = |script: &str, run: &str| {
        let game = with_mod(script, run).unwrap_or_else(|faults| panic!("{script}: {faults}"));
        Match::new(&game, &game.setup(Some(2), &[], 5).unwrap()).unwrap_or_else(|error| panic!("{script}: {error}"));
    };
    let can = "assert(not can_run_def(\"cards\", \"a\", \"operate\", 1)) set(1, \"power\", 1) assert(can_run_def(\"cards\", \"a\", \"operate\", 1))";
    let log = |n: i32| {
        format!("run_def(\"cards\", \"a\", \"operate\", 1) assert(get(game, \"log\") == {n}, get(game, \"log\"))")
    };
    let note = "local function note(n) set(game, \"log\", get(game, \"log\") * 10 + n) end\n";
    let of = |script: &str| format!("{note}return {{ {script} }}");
    // Wrapping `run` keeps `can`.
    expect(&of("dig = wrap(function(run, player, args) note(7) run(player, args) end)"), &format!("{can} {}", log(72)));
    expect(
        &of("dig = { run = wrap(function(run, player, args) run(player, args) note(8) end) }"),
        &format!("{can} {}", log(28)),
    );
    expect(&of("dig = { run = replace(function() note(9) end) }"), &format!("{can} {}", log(9)));
    expect(
        &of("dig = { can = wrap(function(can, player, args) return not can(player, args) end) }"),
        "assert(can_run_def(\"cards\", \"a\", \"operate\", 1))",
    );
    expect(
        &of("dig = { can = replace(function() return true end) }"),
        "assert(can_run_def(\"cards\", \"a\", \"operate\", 1))",
    );
    // A replaced verb loses its `can`, unless the replacement has one.
    expect(&of("dig = replace(function() note(6) end)"), &log(6));
    expect(&of("dig = replace { run = function() note(6) end }"), &log(6));
    expect(
        &of("dig = replace { can = function() return false end, run = function() end }"),
        "assert(not can_run_def(\"cards\", \"a\", \"operate\", 1))",
    );
    expect(
        &of("light = replace { can = function() return false end, run = function() end }"),
        "assert(not can_do(\"light\", 1, {}))",
    );
    expect(&of("light = { can = function() return false end }"), "assert(not can_do(\"light\", 1, {}))");
    for (script, says) in [
        ("dig = { can = function() end }", "function `verbs.dig.can` already exists"),
        ("light = { can = wrap(function() end) }", "there is no function `verbs.light.can` to wrap"),
        ("dig = replace { can = function() end }", "verb `dig` is replaced by a table without `run`"),
    ] {
        let told = with_mod(&of(script), "").map(|_| ()).unwrap_err();
        assert!(told.contains(says), "{script}: {told}");
    }
}

/// Ids and texts of the cards whose kind has these keys and attributes.
fn texts(cards: &str, keys: &str, attributes: &str) -> Vec<(String, String)> {
    let kind = format!("[kinds.cards]\n{keys}");
    let hooks = format!("[kinds.cards.attributes]\n{attributes}[kinds.cards.hooks]");
    let of = with(&pack(cards, "", ""), &[("[kinds.cards]\n", &kind), ("[kinds.cards.hooks]", &hooks)]);
    let game = Game::load(&of).unwrap_or_else(|faults| panic!("{faults}"));
    let d = game.declarations();
    let cards = &d.kinds["cards"];
    let said = |one: &Definition| (one.id.clone(), one.text.clone());
    d.definitions[cards.first..cards.first + cards.len].iter().map(said).collect()
}

/// The text of the only card.
fn text(card: &str) -> String {
    texts(card, "", "").remove(0).1
}

#[test]
fn cards_say_what_their_verbs_say() {
    for (verbs, says) in [
        (r#"["light"]"#, "Light a lamp."),
        ("[{ dig = 1 }]", "Dig 1 hole."),
        ("[{ dig = 2 }]", "Dig 2 holes."),
        ("[{ dig = { n = 3, metal = \"tin\" } }]", "Dig 3 holes for Tin."),
        ("[{ dig = { n = 3, deep = true } }]", "Dig 3 holes, deep down."),
        ("[{ burn = 2 }, { dig = 1 }]", "Burn 2 cards: dig 1 hole."),
        ("[\"burn\", { pay = { iron = 1 } }, \"light\"]", "Burn 1 card. Pay 1 bar of iron: light a lamp."),
        ("[\"light\", { pay = { iron = 2 } }]", "Light a lamp. Pay 2 bars of iron."),
        ("[{ gain = { gold = 2, iron = 1 } }]", "Take 2 gold and 1 bar of iron."),
        ("[{ gain = { gold = 2, iron = 1, power = 3 } }]", "Take 2 gold, 1 bar of iron and 3 power."),
        ("[{ draw = { from = \"deck\", to = \"hand\" } }]", "Draw 1 from the deck to the hand."),
    ] {
        assert_eq!(text(&card("a", verbs)), says, "{verbs}");
    }
    let with_text = |text: &str| format!("{}text = \"{text}\"\n", card("a", "[{ dig = 2 }]"));
    for (written, says) in [
        ("Bright. {verbs} Mind the lamps.", "Bright. Dig 2 holes. Mind the lamps."),
        ("{operate}", "Dig 2 holes."),
        ("Anything else.", "Anything else."),
        ("", "Dig 2 holes."),
    ] {
        assert_eq!(text(&with_text(written)), says, "{written}");
    }
}

#[test]
fn a_kind_says_how_attributes_and_verbs_make_a_text() {
    let reads = "reads = \"[Speed {speed}. ][Pay {price:coin|coins}[, 1 less for {metal}]: ]{operate}\"\n";
    let attributes = "speed = { type = \"integer\", default = 0 }\nprice = { type = \"integer\", default = 0 }\n\
                      metal = { type = \"metals\", default = \"\" }\n";
    let cards = "[a]\nname = \"A\"\noperate = [\"light\"]\nspeed = 3\n\
                 [b]\nname = \"B\"\noperate = [\"light\"]\nprice = 1\n\
                 [c]\nname = \"C\"\noperate = [\"light\"]\nprice = 2\nmetal = \"tin\"\n\
                 [d]\nname = \"D\"\nspeed = 1\n[e]\nname = \"E\"\nmetal = \"tin\"\n";
    let said: Vec<String> = texts(cards, reads, attributes).into_iter().map(|(_, text)| text).collect();
    assert_eq!(
        said,
        [
            "Speed 3. Light a lamp.",
            "Pay 1 coin: Light a lamp.",
            "Pay 2 coins, 1 less for Tin: Light a lamp.",
            "Speed 1.",
            ""
        ]
    );
    let silent = texts(&card("a", "[\"light\"]"), "reads = \"\"\n", "");
    assert_eq!(silent, [("a".to_owned(), String::new())], "these texts are about something else");
}
