//! Choices that verbs declare.

use super::*;

const GAME: &str = r#"
[counters.apples]
text = "Apples"
per = ["player", "goods"]
max = 9
[kinds.goods]
text = "Goods"
tokens = false
[kinds.cards]
text = "Cards"
zone = "deck"
[kinds.cards.hooks]
use = ["player"]
[zones.deck]
text = "Deck"
per = "game"
holds = "cards"
"#;

const GOODS: &str = "[pip]\nname = \"Pip\"\n[stone]\nname = \"Stone\"\n[core]\nname = \"Core\"\n";

const PROMPTS: &str = r#"
[good]
text = "Which, {1} of {2}, {3} gold?"
choices = "goods"
labels = { done = "Done" }
auto = false
[to]
text = "To whom?"
choices = "player"
auto = false
[way]
text = "Which way?"
labels = { give = "Give", rest = "Rest", leave = "Leave" }
auto = false
"#;

const VERBS: &str = r#"
[give]
text = "Give up to {most}."
args = { most = { type = "integer", min = 1, max = 9 } }
times = "most"
done = "done"
[give.choose]
good = { kind = "goods", same = 2, shows = ["time", "most", "gold"] }
to = { players = "others" }
[rest]
text = "Rest."
[turn]
text = "Give or rest."
choose = { way = { verbs = { give = { give = 3 }, rest = "rest" }, labels = ["leave"] } }
[bid]
text = "Bid."
choose = { gold = { prompt = "amount", from = 1, upto = "gold" } }
"#;

/// Nobody takes what they have more than one of.
const VERBS_LUAU: &str = r#"
return {
    give = {
        good = function(player, good) return get(player, "apples", good) > 0 end,
        to = function(player, good, to) return get(to, "apples", good) < 2 end,
        run = function(player, good, to, args)
            pay(player, "apples", good, 1)
            gain(to, "apples", good, 1)
            set(game, "log", get(game, "log") * 100 + good * 10 + to)
        end,
    },
    rest = { can = function(player) return get(player, "gold") > 0 end, run = function(player) pay(player, "gold", 1) end },
    turn = function(player, way) if way == "leave" then set(player, "gold", 9) end end,
    bid = function(player, gold) set(player, "gold", gold) end,
}
"#;

fn game(verbs: &str, prompts: &str, verbs_luau: &str, run: &str) -> Result<Game, String> {
    let phases = format!("return {{ p = {{ run = function()\n{run}\nchoose(1, \"pick\", {{ \"done\" }})\nend }} }}");
    let prompts = format!("[amount]\ntext = \"How much?\"\nauto = false\n{prompts}");
    let pieces = Pieces {
        game: GAME,
        phases: "[p]\nname = \"P\"\n",
        prompts: &prompts,
        verbs,
        cards: "[act]\nname = \"Act\"\nuse = [\"turn\"]\n",
        phases_luau: &phases,
        verbs_luau,
        ..Pieces::default()
    };
    let pack = pieces.pack();
    let files = pack.files.iter().map(|file| (file.path.as_str(), file.text.as_str()));
    let pack = Pack::from_files("pieces", files.chain([("content/pieces/goods.toml", GOODS)]));
    Game::load(&pack).map_err(|faults| faults.to_string())
}

fn play(run: &str) -> Match {
    let game = game(VERBS, PROMPTS, VERBS_LUAU, run).unwrap_or_else(|faults| panic!("{faults}"));
    Match::new(&game, &game.setup(Some(3), &[], 5).unwrap()).unwrap_or_else(|error| panic!("{error}"))
}

fn question(m: &Match) -> String {
    m.decision().map(|decision| decision.text(m.game()).to_string()).unwrap_or_default()
}

#[test]
fn a_verb_is_possible_while_its_choices_have_candidates() {
    play(
        r#"
        local function expect(yes) assert(can_do("give", 1, { most = 3 }) == yes) end
        expect(false)
        set(1, "apples.stone", 1)
        expect(true)
        set(2, "apples.stone", 2) expect(true)
        set(3, "apples.stone", 2) expect(false)
        set(1, "apples.core", 1) expect(true)
        assert(can_do("turn", 1, {}) and can_run(tokens("cards")[1], "use", 1))
        assert(can_do("bid", 1, {}))
        set(1, "gold", 0) assert(not can_do("bid", 1, {}))
        "#,
    );
}

#[test]
fn candidates_need_a_candidate_of_each_later_choice() {
    let run = r#"
        for _, one in { "pip", "stone" } do set(1, "apples." .. one, 3) end
        set(2, "apples.stone", 2) set(3, "apples.stone", 2)
        set(3, "apples.pip", 1)
        do_verb("give", 1, { most = 4 })
    "#;
    let mut m = play(run);
    assert_eq!(choices(&m), ["pip"], "nobody takes a stone");
    assert!(question(&m).contains("Which, 1 of 4, 3 gold?"), "{}", question(&m));
    answer(&mut m, "pip");
    assert_eq!(choices(&m), ["2", "3"]);
    answer(&mut m, "3");
    assert_eq!(choices(&m), ["pip", "done"], "after the first time the player may stop");
    assert!(question(&m).contains("2 of 4"), "{}", question(&m));
    answer(&mut m, "pip");
    assert_eq!(choices(&m), ["2"], "player 3 has two");
    answer(&mut m, "2");
    // `same = 2`: a third pip cannot be chosen, so the verb ends.
    assert_eq!((value(&m, "log", 0), choices(&m)), (1312, vec!["done".to_owned()]));
    assert!(question(&m).contains("pick"), "{}", question(&m));
}

#[test]
fn the_label_that_ends_a_verb_ends_it() {
    let mut m = play("set(1, \"apples.core\", 5) do_verb(\"give\", 1, { most = 2 })");
    for id in ["core", "2", "done"] {
        answer(&mut m, id);
    }
    assert_eq!((value(&m, "log", 0), value(&m, "apples.core", 1)), (32, 4));
}

#[test]
fn labels_stand_for_verbs_while_these_are_possible() {
    let run = "run(tokens(\"cards\")[1], \"use\", 1)";
    let mut m = play(run);
    assert_eq!(choices(&m), ["rest", "leave"]);
    answer(&mut m, "rest");
    assert_eq!(value(&m, "gold", 1), 2);
    let mut m = play(&format!("set(1, \"gold\", 0) set(1, \"apples.pip\", 1) {run}"));
    assert_eq!(choices(&m), ["give", "leave"]);
    answer(&mut m, "leave");
    assert_eq!(value(&m, "gold", 1), 9);
    let mut m = play(&format!("set(1, \"apples.pip\", 1) {run}"));
    for id in ["give", "pip", "2"] {
        answer(&mut m, id);
    }
    assert_eq!(value(&m, "log", 0), 12);
}

#[test]
fn numbers_are_candidates_up_to_a_counter() {
    let mut m = play("do_verb(\"bid\", 1, {})");
    assert_eq!(choices(&m), ["1", "2", "3"]);
    answer(&mut m, "2");
    assert_eq!(value(&m, "gold", 1), 2);
}

/// `least = 0`: a verb that the player may decline.
#[test]
fn a_verb_may_be_declined() {
    let verbs = VERBS.replace("done = \"done\"", "done = \"done\"\nleast = 0");
    let run = "set(1, \"apples.pip\", 1) do_verb(\"give\", 1, { most = 2 })";
    let game = game(&verbs, PROMPTS, VERBS_LUAU, run).unwrap();
    let m = Match::new(&game, &game.setup(Some(2), &[], 5).unwrap()).unwrap();
    assert_eq!(choices(&m), ["pip", "done"]);
}

#[test]
fn wrong_choices_are_refused() {
    let refused = |from: &str, to: &str| {
        let verbs = VERBS.replace(from, to);
        assert_ne!(verbs, VERBS, "{from}");
        game(&verbs, PROMPTS, VERBS_LUAU, "").map(|_| ()).unwrap_err()
    };
    for (from, to, message) in [
        ("done = \"done\"\n", "done = \"dome\"\n", "prompt `good` has no label `dome`"),
        ("times = \"most\"", "times = \"mast\"", "`mast` is not an argument of verb `give` that is a whole number"),
        ("players = \"others\"", "players = \"other\"", "`other`"),
        ("kind = \"goods\"", "zone = \"deck\"", "lists choices of prompt `good`, whose `choices` is another"),
        ("shows = [\"time\", \"most\", \"gold\"]", "shows = [\"time\"]", "prompt `good` shows 3 values"),
        ("\"most\", \"gold\"]", "\"most\", \"gild\"]", "`gild` for"),
        ("give = { give = 3 }", "gives = { give = 3 }", "prompt `way` has no label `gives`"),
        ("rest = \"rest\"", "rest = \"nest\"", "unknown verb `nest`"),
        ("upto = \"gold\"", "upto = \"log\"", "must be a player counter, and `log` is not one"),
        (", upto = \"gold\"", "", "has no effect without `upto`"),
        ("good = {", "run = { prompt = \"good\",", "also the name of a function"),
        ("choose = { gold =", "least = 0\nchoose = { gold =", "has no effect without `done`"),
        ("text = \"Rest.\"", "text = \"Rest.\"\ntimes = 2", "the verb has no choice"),
    ] {
        let faults = refused(from, to);
        assert!(faults.contains(message), "{to}: {faults}");
    }
}

#[test]
fn a_choice_without_a_function_in_its_verb_is_named() {
    let script = VERBS_LUAU.replace("good = function", "goad = function");
    let faults = game(VERBS, PROMPTS, &script, "").map(|_| ()).unwrap_err();
    assert!(faults.contains("goad") && faults.contains("good"), "{faults}");
}
