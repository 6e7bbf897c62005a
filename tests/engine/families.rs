//! Families of counters and zones, kinds that inherit from others, products, typed values, and internal counters.

use motherlode::Replay;
use motherlode_fixtures::mod_of;

use super::*;

const FAMILIES: &str = r#"
[kinds.cards]
text = "Cards"
[kinds.scrolls]
like = "cards"
product = { of = ["fire", "ice"], force = "1..2" }
name = "{of} {force}"
[kinds.scrolls.attributes]
of = { type = "text" }
force = { type = "integer" }
[counters.raw]
text = "Raw {cards}"
per = ["player", "cards"]
start = 1
max = 9
[counters.secret]
like = "raw"
text = "Secret"
visible = "owner"
values = ["no", "yes"]
[counters.left]
per = ["game", "scrolls"]
[counters.ore]
per = ["board", "cards"]
[counters.wear]
per = "cards"
[counters.chief]
per = "game"
values = "player"
[counters.spot]
per = "player"
values = "board"
[counters.leader]
per = "game"
values = "token"
[counters.turns]
per = "game"
internal = true
[grids.board]
shape = "square"
columns = 2
rows = 2
[zones.pile]
per = ["game", "cards"]
holds = ["cards", "scrolls"]
reshuffle = "waste"
[zones.waste]
like = "pile"
[zones.hand]
per = ["player", "cards"]
holds = ["cards", "scrolls"]
visible = "owner"
[zones.aside]
per = "game"
holds = "cards"
internal = true
"#;

#[test]
fn members_are_read_and_written_by_name_number_and_id() {
    let m = after_run(
        FAMILIES,
        r#"for n, card in defs("cards") do
            gain(1, "raw", n, n)
            gain(1, "raw", card, 1)
            set(2, "raw", n, 5 + n)
            pay(2, "raw." .. card, 1)
            set(cell("board", n, 2), "ore", card, 7)
        end
        assert(get(1, "raw", 1) == 3 and get(1, "raw", "blue") == 4 and get(1, "raw.blue") == 4)
        assert(has(1, "raw", "red", 3) and not has(1, "raw", 1, 4) and get(2, "raw", 2) == 6)
        local family, card = "raw", "red"
        gain(1, family, card, 2) pay(1, family, 1, 1) set(2, family, 2, get(2, family, 2) + 1)
        assert(get(1, family, card) == 4 and has(2, family, "blue", 7) and not has(2, family, "blue", 8))
        pay(1, "raw", "red", 1)
        assert(in_family("raw", 2) == "raw.blue" and in_family("pile", "red") == "pile.red")
        assert(get(cell("board", 2, 2), "ore.blue") == 7 and count_cells("board", in_family("ore", 1), 7) == 1)
        set(1, "secret", 2, value("secret", "yes"))
        assert(name_of("secret", get(1, "secret", "blue")) == "yes")
        set(game, "left", "ice_2", 3)"#,
    );
    assert_eq!([value(&m, "raw.red", 1), value(&m, "raw.blue", 1)], [3, 4]);
    assert_eq!([value(&m, "raw.red", 2), value(&m, "raw.blue", 2)], [5, 7]);
    let (view, other) = (seen(&m, Some(0)), seen(&m, Some(1)));
    assert_eq!(view["players"][0]["counters"]["raw"], json!({ "red": 3, "blue": 4 }));
    assert_eq!(view["players"][0]["counters"]["secret"], json!({ "red": "no", "blue": "yes" }));
    assert_eq!(other["players"][0]["counters"]["secret"], json!({ "red": null, "blue": null }));
    assert_eq!(view["game"]["left"], json!({ "fire_1": 0, "fire_2": 0, "ice_1": 0, "ice_2": 3 }));
    assert_eq!(view["grids"]["board"]["cells"]["a2"], json!({ "ore": { "red": 7, "blue": 0 } }));
    let label = |name: &str| m.game().declarations().counters[name].text.clone();
    assert_eq!(
        [label("raw.blue"), label("secret.red"), label("left.ice_2")],
        ["Raw blue", "Secret: Red", "Left: ice 2"]
    );
}

#[test]
fn wrong_members_are_faults_with_a_line() {
    let fault = |line: &str| {
        let script = format!(
            "return {{ p = {{ run = function()\nlocal family, gold, f = \"raw\", \"gold\", \"pile\"\n{line}\nend }} }}"
        );
        let pieces = Pieces { game: FAMILIES, phases: "[p]\n", phases_luau: &script, ..Pieces::default() };
        let told = error(&pieces, 2);
        let (place, message) = told.split_once(": ").unwrap();
        assert_eq!(place, "scripts/pieces/phases.luau:3", "{told}");
        message.split_once(" (in").map_or(message, |(message, _)| message).to_owned()
    };
    for (line, expected) in [
        ("gain(1, \"raw\", \"red\", 9)", "counter `raw.red` cannot go above 9, it would be 10"),
        (
            "local n = 2 pay(1, \"raw\", n, 2)",
            "counter `raw.blue` cannot go below 0, it would be -1: check `can_pay` first, or lower its `min`",
        ),
        (
            "pay(1, family, 2, 2)",
            "counter `raw.blue` cannot go below 0, it would be -1: check `can_pay` first, or lower its `min`",
        ),
        ("set(1, family, \"red\", 0.5)", "counter `raw.red` takes whole numbers, not 0.5"),
        ("gain(1, family, 1, gold)", "counter `raw.red` takes a whole number, not gold"),
        ("local n = 3 set(1, \"raw\", n, 1)", "family `raw` has no member 3"),
        ("local n = 1.5 return get(1, \"raw\", n)", "family `raw` has no member 1.5"),
        ("local n = 0 return has(1, family, n, 1)", "family `raw` has no member 0"),
        ("local id = \"rde\" return get(1, \"raw\", id)", "family `raw` has no member rde; did you mean `red`?"),
        (
            "local p = 9 return get(p, \"raw\", 1)",
            "`raw.red` is a counter of the players, and 9 is not one: give a player from 1 to 2",
        ),
        ("return get(1, family)", "`raw` is a family of counters: add an index, as in get(holder, \"raw\", index)"),
        ("set(1, family, 2)", "`raw` is a family of counters: add an index, as in get(holder, \"raw\", index)"),
        ("return get(1, gold, 1)", "counter `gold` is not a family: leave out the index"),
        ("gain(1, gold, 1, 1)", "counter `gold` is not a family: leave out the index"),
        ("return count(f)", "`pile` is a family of zones: name one of them with in_family(\"pile\", index)"),
        ("return in_family(f, 5)", "family `pile` has no member 5"),
        ("return in_family(gold, 5)", "counter `gold` is not a family: leave out the index"),
    ] {
        assert_eq!(fault(line), expected, "{line}");
    }
}

#[test]
fn zones_of_a_family_have_their_own_discard_piles() {
    let m = after_run(
        FAMILIES,
        r#"local t = tokens("cards")
        for n = 1, 2 do
            move(t[n], in_family("waste", n))
            local drawn = draw(in_family("pile", n), nil, in_family("hand", "blue"), n)
            assert(drawn == t[n] and zone_of(drawn) == "hand.blue")
        end
        assert(count("hand.blue", 2) == 1 and count("waste.red") == 0)
        local scroll = tokens("scrolls")[4]
        move(scroll, "pile.red") gain(scroll, "wear", 2) gain(t[1], "wear", 1)"#,
    );
    let view = seen(&m, Some(0));
    let hands = &view["players"][0]["zones"]["hand"];
    assert_eq!(hands["red"], json!({ "count": 0, "tokens": [] }));
    assert_eq!(hands["blue"], json!({ "count": 1, "tokens": ["red"], "numbers": [1] }));
    assert_eq!(
        view["players"][1]["zones"]["hand"]["blue"],
        json!({ "count": 1, "tokens": [null], "backs": ["cards"] })
    );
    assert_eq!(view["zones"]["pile"]["red"], json!({ "count": 1, "tokens": ["ice_2"], "numbers": [9] }));
    assert_eq!(
        view["tokens"],
        json!({ "1": { "wear": 1 }, "9": { "wear": 2 } }),
        "a counter of a kind and of one like it"
    );
}

#[test]
fn typed_values_have_names() {
    let run = r#"set(game, "chief", 2) set(1, "spot", cell("board", 2, 1))
        assert(name_of("chief", 2) == "Bob" and name_of("spot", get(1, "spot")) == "b1" and name_of("spot", 0) == "none")
        move(tokens("cards")[4], "hand.red", 1) set(game, "leader", tokens("cards")[4])
        log("told", 2, get(1, "spot"), get(game, "leader"), 0)
        gain(game, "turns", 4) move(tokens("cards")[1], "aside")
        choose(1, "pick", { "done", "more" })"#;
    let script = format!("return {{ p = {{ run = function() {run} end }} }}");
    let texts = "told = '{1:counter chief}, {2:counter spot}, {3:counter leader}, {4:counter chief}'\n";
    let pieces = Pieces { game: FAMILIES, phases: "[p]\n", texts, phases_luau: &script, ..Pieces::default() };
    let game = pieces.game();
    let mut m = pieces.play(2);
    m.set_logging(true);
    m.restart(&game.setup(Some(2), &[], 5).unwrap()).unwrap();
    let told: Vec<String> = m.take_log().iter().map(|line| line.text().to_owned()).collect();
    assert_eq!(told, ["Bob, b1, Blue, none"]);
    let (mine, yours, all) = (seen(&m, Some(0)), seen(&m, Some(1)), seen(&m, None));
    assert_eq!(mine["game"]["chief"], json!({ "seat": 1 }));
    assert_eq!(mine["players"][0]["counters"]["spot"], "b1");
    assert_eq!(mine["players"][1]["counters"]["spot"], "none");
    assert_eq!((&mine["game"]["leader"], &yours["game"]["leader"]), (&json!("blue"), &json!("hand.red.1#1")));
    // Seats cannot observe internal state. An omniscient observer can.
    assert!(mine["game"].get("turns").is_none() && mine["zones"].get("aside").is_none());
    assert_eq!((&all["game"]["turns"], &all["zones"]["aside"]["tokens"]), (&json!(4), &json!(["red"])));
    // A redeal keeps internal state.
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for _ in 0..8 {
        m.redeal(0, &mut rng).unwrap();
        assert_eq!((value(&m, "turns", 0), ids(&m, "aside", 0)), (4, vec!["red".to_owned()]));
        assert_eq!(seen(&m, Some(0)), mine);
    }
}

#[test]
fn a_redeal_deals_each_family_member_separately() {
    let game = "
[kinds.cards]\ntext = \"Cards\"
[counters.raw]\nper = [\"player\", \"cards\"]\nmax = 9\nvisible = \"owner\"\nredeal = \"pool\"";
    let run = "for p = 1, 3 do set(p, \"raw\", \"red\", p) set(p, \"raw\", \"blue\", 2 * p) end";
    let script = format!(
        "return {{ s = {{ run = function() {run} end }}, p = {{ run = function() choose(1, \"pick\", {{ \"done\" }}) end }} }}"
    );
    let mut m = Pieces { game, phases: "[s]\n[p]\n", phases_luau: &script, ..Pieces::default() }.play(3);
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut dealt = BTreeSet::new();
    for _ in 0..20 {
        m.redeal(0, &mut rng).unwrap();
        let of = |name: &str| [1, 2, 3].map(|player| value(&m, name, player));
        let (red, blue) = (of("raw.red"), of("raw.blue"));
        assert_eq!((red[0], blue[0]), (1, 2), "the own ones stay");
        assert_eq!((red.iter().sum::<i32>(), blue.iter().sum::<i32>()), (6, 12), "each member has its own total");
        dealt.insert((red, blue));
    }
    assert!(dealt.len() > 5, "{dealt:?}");
}

#[test]
fn mods_add_members_and_matches_with_them_are_replayed() {
    let script = r#"return { p = { run = function()
        for n, id in defs("cards") do gain(1, "raw", n, 1) gain(2, "raw", id, 2) end
        local card = choose(1, "which", { 1, 2, 3 })
        gain(1, "raw", card, 4)
        choose(1, "pick", { "done", "more" })
        end_game()
    end } }"#;
    let pieces = Pieces {
        game: FAMILIES,
        phases: "[p]\n",
        prompts: "[which]\ntext = \"Which?\"\nchoices = \"cards\"\n",
        phases_luau: script,
        ..Pieces::default()
    };
    let content = [("cards", "[green]\nname = 'Green'\n"), ("game", "[kinds.scrolls]\nproduct = { of = ['fire'] }\n")];
    let pack = pieces.pack().over(vec![mod_of("green", "pieces", &content, &[])]);
    let game = Game::load(&pack).unwrap_or_else(|faults| panic!("{faults}"));
    let setup = game.setup(Some(2), &[], 5).unwrap();
    let mut m = Match::new(&game, &setup).unwrap();
    answer(&mut m, "green");
    answer(&mut m, "more");
    assert_eq!((value(&m, "raw.green", 1), value(&m, "raw.green", 2), value(&m, "raw.red", 1)), (6, 3, 2));
    assert_eq!(game.declarations().counters["raw.green"].text, "Raw green");
    let scrolls: Vec<&str> =
        game.declarations().counters.keys().filter_map(|name| name.strip_prefix("left.")).collect();
    assert_eq!(scrolls, ["fire_1", "fire_2"], "a mod sets an axis");
    let replay = Replay::record(&m);
    assert_eq!(replay.play(&game, None).unwrap().state().hash(), m.state().hash());
}

#[test]
fn token_numbers_are_contiguous_in_inheriting_kinds() {
    let game = "
[kinds.cards]\ntext = \"Cards\"
[kinds.odds]\nproduct = { n = [\"one\", \"two\"] }
[kinds.odds.attributes]\nn = { type = \"text\" }
[kinds.scrolls]\nlike = \"cards\"\nproduct = { n = [\"three\"] }
[kinds.scrolls.attributes]\nn = { type = \"text\" }
[kinds.rolls]\nlike = \"scrolls\"\nproduct = { n = [\"four\"] }
[counters.wear]\nper = \"cards\"
[counters.ink]\nper = \"scrolls\"
[zones.deck]\nper = \"game\"\nholds = [\"cards\", \"odds\", \"scrolls\", \"rolls\"]";
    let m = after_run(
        game,
        "assert(tokens(\"cards\")[5] == 5 and tokens(\"scrolls\")[1] == 6 and tokens(\"rolls\")[1] == 7 and tokens(\"odds\")[1] == 8)
        for t = 1, 7 do set(t, \"wear\", t) move(t, \"deck\") end
        set(6, \"ink\", 1) set(7, \"ink\", 2)
        local t = 8 local ok = pcall(set, t, \"wear\", 1) assert(not ok)
        t = 5 ok = pcall(set, t, \"ink\", 1) assert(not ok)",
    );
    assert_eq!((value(&m, "wear", 7), value(&m, "ink", 6)), (7, 1));
}
