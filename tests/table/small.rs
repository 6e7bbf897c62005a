//! A small game with every feature of a view.

use motherlode::{Game, Match};

use motherlode_table::{Changes, ChoiceTarget, Faces, Form, Points, Text, View, points};

use crate::shipped::load_texts;

const GAME: &str = r#"
name = "Stalls"
version = "1.0.0"
players = { min = 2, max = 2 }
rounds = 3
seats = [{ name = "Ann" }, { name = "Bob", colour = "red" }]
[counters]
points = { per = "player" }
coins = { per = "player", start = 3, amount = "{n:coin|coins}" }
ware = { per = ["player", "wares"], text = "{wares} in store" }
purse = { per = "player", start = 7, visible = "owner" }
debts = { per = "player" }
tricks = { per = "player", show = "used" }
total = { per = "player", show = "end" }
helper = { per = "player", show = "never" }
day = { per = "game", values = ["fair", "market_day"] }
soil = { per = "field", values = ["bare", "corn", "rye"], symbols = [" ", "C", "R"] }
seeds = { per = "field", amount = "{n:seed|seeds}" }
stall = { per = "square", max = 9, amount = "{n:guest|guests}" }
worn = { per = "goods", max = 9 }
[grids]
field = { shape = "square", columns = 3, rows = 2, show = ["soil", "seeds"] }
square = { shape = "square", columns = 2, rows = 1, names = "places" }
[zones]
deck = { per = "game", holds = "goods", visible = "count" }
hand = { per = "player", holds = "goods", visible = "owner" }
[kinds.wares]
tokens = false
[kinds.places]
tokens = false
[kinds.goods]
text = "Goods"
zone = "deck"
hooks = { sell = ["player"] }
[kinds.goods.attributes]
coins = { type = "integer", min = 0, max = 9 }
weight = { type = "integer", min = 0, max = 9, default = 0 }
fragile = { type = "boolean", default = false }
code = { type = "integer", min = 0, max = 9, default = 5, internal = true }
[outcome]
score = "points"
parts = ["coins"]
"#;
const PHASES: &str = r#"
[bidding]
turns = "once"
prompt = "bid"
[selling]
turns = "once"
prompt = "sell"
offer = { zone = "hand" }
[planting]
turns = "once"
prompt = "plant"
"#;
const PROMPTS: &str = r#"
bid = { text = "How much, {player}?", labels = { done = "Nothing at all" } }
sell = { text = "What do you sell?", choices = "token", labels = { done = "Nothing" } }
plant = { text = "Where?", choices = "field" }
"#;
const SCRIPT: &str = r#"
return {
    bidding = {
        offer = function(player)
            for n = 0, 2 do choice(n) end
            choice("done")
        end,
        act = function(player, n)
            if n ~= "done" then
                pay(player, "coins", n)
                gain(player, "ware.wool", n)
            end
        end,
    },
    selling = {
        offer = function(player)
            choice("done")
        end,
        act = function(player, card) end,
    },
    planting = {
        offer = function(player)
            for _, cell in cells("field") do choice(cell) end
        end,
        act = function(player, cell)
            set(cell, "soil", value("soil", "corn"))
            set(cell, "seeds", 2)
        end,
    },
}
"#;
const GOODS: &str = r#"
jug = { name = "Jug", coins = 2, fragile = true, sell = [{ gain = { points = 1 } }] }
rope = { name = "Rope", coins = 1, weight = 3, copies = 3, text = "Long." }
"#;
const SETUP: &str = r#"
return {
    setup = function()
        for _, player in players() do
            for _ = 1, 2 do draw("deck", game, "hand", player) end
        end
    end,
}
"#;

fn game() -> Game {
    let content = [
        ("game", GAME),
        ("phases", PHASES),
        ("prompts", PROMPTS),
        ("wares", "wool = { name = \"Wool\" }\nsalt = { name = \"Salt\" }\n"),
        ("places", "gate = { name = \"Gate\", text = \"Draughty.\" }\nwell = { name = \"Well\" }\n"),
        ("goods", GOODS),
    ];
    load_texts("stalls", &content, &[("phases", SCRIPT), ("game", SETUP)])
}

fn begin(game: &Game) -> Match {
    let mut played = Match::new(game, &game.setup(None, &[], 3).unwrap()).unwrap();
    played.set_logging(true);
    played
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn rows_follow_their_declared_grouping() {
    let game = game();
    let faces = Faces::new(&game);
    let played = begin(&game);
    let view = View::of(&played, &faces, Some(0));
    let labels: Vec<&str> = view.rows.iter().map(|row| row.label.as_str()).collect();
    assert_eq!(labels, ["Points", "Coins", "In store", "Purse", "Debts"]);
    let value =
        |label: &str, seat: usize| view.rows.iter().find(|row| row.label == label).unwrap().values[seat].text.clone();
    assert_eq!((value("In store", 0), value("Purse", 0), value("Purse", 1)), ("–".into(), "7".into(), "?".into()));
    assert_eq!(view.shared[0].values[0].text, "fair");
    assert!(view.rows[0].score && !view.rows[1].score);
    let text = plain(&Text::new(&faces, 80).whole(&view));
    assert!(text.contains("Zero for all: in store, debts"), "{text}");
    assert!(text.contains("Ann (you)") && !text.contains("helper"), "{text}");
    // A reset of the colour behind the last line break would leave an empty line.
    let coloured = Text::new(&faces, 80).whole(&view);
    assert!(!coloured.contains("\n\u{1b}[0m"), "{coloured:?}");
}

#[test]
fn cards_are_printed_with_cost_and_text() {
    let game = game();
    let faces = Faces::new(&game);
    let lines: Vec<String> = faces.named("jug").iter().chain(&faces.named("ROPE")).map(|face| face.line()).collect();
    assert_eq!(lines, ["2 coins · fragile · Take 1 points.", "1 coin · weight 3 · Long."]);
    assert_eq!(faces.named("goods.jug")[0].effects["sell"], "Take 1 points.");
    assert!(faces.named("nothing").is_empty());
    let whole = plain(&Text::new(&faces, 80).card(faces.named("rop")[0]));
    assert_eq!(whole, "Rope  Goods\n  1 coin\n  weight: 3\n  Long.\n");
}

#[test]
fn an_offered_number_is_typed_as_itself() {
    let game = game();
    let faces = Faces::new(&game);
    let mut played = begin(&game);
    let view = View::of(&played, &faces, Some(0));
    let question = view.question.clone().unwrap();
    let typed: Vec<&str> = question.choices.iter().map(|choice| choice.typed.as_str()).collect();
    assert_eq!(typed, ["0", "1", "2", "a"]);
    let text = plain(&Text::new(&faces, 80).question(&view, &question));
    assert!(text.contains("a number from 0 to 2\n  a  Nothing at all"), "{text}");
    played.answer(2).unwrap();
    played.answer(0).unwrap();
    let cards = View::of(&played, &faces, Some(0)).question.unwrap();
    assert_eq!(cards.choices[0].on, ChoiceTarget::Card { zone: Some("hand".into()), seat: Some(0) });
    assert_eq!(cards.choices.iter().map(|choice| choice.typed.as_str()).collect::<Vec<_>>(), ["1", "2", "3"]);
    played.answer(0).unwrap();
    played.answer(0).unwrap();
    let cells = View::of(&played, &faces, Some(0)).question.unwrap();
    assert_eq!(cells.choices[4].typed, "b2", "a cell is typed by its name");
}

#[test]
fn hands_are_hidden_from_other_seats() {
    let game = game();
    let faces = Faces::new(&game);
    let played = begin(&game);
    let hand = |view: &View, seat| {
        view.piles.iter().find(|pile| pile.id == "hand" && pile.seat == Some(seat)).unwrap().clone()
    };
    let view = View::of(&played, &faces, Some(1));
    assert!(hand(&view, 1).cards.iter().all(|card| card.face.is_some()));
    assert_eq!((hand(&view, 0).count, hand(&view, 0).form), (Some(2), Form::Hand));
    assert!(hand(&view, 0).cards.iter().all(|card| card.face.is_none() && card.name.is_empty()));
    assert!(view.question.is_none(), "another seat is asked");
    let onlooker = View::of(&played, &faces, Some(u8::MAX));
    assert!((0..2).all(|seat| hand(&onlooker, seat).cards.iter().all(|card| card.face.is_none())));
}

#[test]
fn only_changes_are_sent_and_printed_again() {
    let game = game();
    let faces = Faces::new(&game);
    let mut played = begin(&game);
    let before = View::of(&played, &faces, Some(0));
    assert!(Changes::between(&before, &before).is_empty());
    played.answer(2).unwrap();
    let after = View::of(&played, &faces, Some(0));
    let changes = Changes::between(&before, &after);
    assert_eq!(changes.told(&after, true), ["Ann: coins -2 (now 1), in store wool +2 (now 2)"]);
    let text = plain(&Text::new(&faces, 80).changes(&before, &after));
    assert!(text.contains("1 (-2)") && text.contains("wool 2") && !text.contains("Purse"), "{text}");
    for _ in 0..4 {
        played.answer(0).unwrap();
    }
    let planted = View::of(&played, &faces, Some(0));
    let text = plain(&Text::new(&faces, 80).changes(&after, &planted));
    assert!(text.contains("Field\n") && text.contains("C2"), "{text}");
    assert!(text.contains("C corn; number: seeds"), "{text}");
}

#[test]
fn a_board_shows_its_names() {
    let game = game();
    let faces = Faces::new(&game);
    let played = begin(&game);
    let view = View::of(&played, &faces, Some(0));
    let board = view.board("square", None).unwrap();
    assert_eq!((board.cells[0].name.as_str(), board.cells[0].id.as_str()), ("Gate", "a1"));
    assert_eq!(board.cells[0].face.as_deref(), Some("places.gate"));
}

#[test]
fn views_are_plain_data() {
    let game = game();
    let view = View::of(&begin(&game), &Faces::new(&game), Some(0));
    let json = serde_json::to_string(&view).unwrap();
    assert_eq!(serde_json::from_str::<View>(&json).unwrap(), view);
}

const RACE: &str = r#"
name = "Race"
version = "1.0.0"
players = { min = 2, max = 2 }
seats = [{ name = "Ann" }, { name = "Bob" }]
[counters]
points = { per = "player" }
medals = { per = "player" }
[outcome]
score = "points"
rank = ["medals", "points"]
"#;

#[test]
fn a_deciding_counter_appears_if_points_do_not_decide() {
    let shown = |one: i32, other: i32| {
        let run = format!(
            "return {{ run = {{ run = function() set(1, 'points', {one}) set(2, 'points', {other}) set(1, 'medals', 1) end_game() end }} }}"
        );
        let game = load_texts("race", &[("game", RACE), ("phases", "[run]\n")], &[("phases", &run)]);
        points::parts(&game, &begin(&game), &Points::new())
    };
    assert!(shown(3, 2).is_empty(), "the points already decide");
    assert_eq!(shown(2, 3)["Medals"], ["1", "0"]);
}

#[test]
fn points_belong_to_the_phases_that_gave_them() {
    let script = "return {
        bid = { turn = function(p) gain(p, 'points', choose(p, 'bid', { 1, 2 })) end },
        rest = { run = function() end },
        tea = { run = function() gain(1, 'points', 10) end },
        fair = { run = function() gain(2, 'points', 20) end_game() end },
        never = { run = function() gain(2, 'points', 40) end },
    }";
    let phases = "[bid]\nname = \"Bids\"\nturns = \"sealed\"\n[rest]\nname = \"Rest\"\n[tea]\nname = \"Tea\"\n\
        [fair]\nname = \"Fair\"\n[never]\nname = \"Never\"\n";
    let race = RACE.replacen("per = \"player\"", "per = \"player\", start = 4", 1);
    let content = [("phases", phases), ("prompts", "bid = { text = \"How much?\" }\n")];
    let finish = "return { finish = function() gain(1, 'points', 80) end }";
    let game = load_texts("race", &[("game", &race), content[0], content[1]], &[("phases", script), ("game", finish)]);
    let mut played = begin(&game);
    // The seats answer in any order.
    played.answer_as(1, 1).unwrap();
    played.answer_as(0, 0).unwrap();
    assert!(played.is_over());
    let by_phase = points::by_phase(&played).unwrap();
    let sums: Vec<(&str, &[i32])> = by_phase.iter().map(|(name, of)| (name.as_str(), of.as_slice())).collect();
    let expected: [(&str, &[i32]); 5] = [
        ("Start of the game", &[4, 4]),
        ("Bids", &[1, 2]),
        ("Tea", &[10, 0]),
        ("Fair", &[0, 20]),
        ("End of the game", &[80, 0]),
    ];
    assert_eq!(sums, expected);
    assert_eq!(played.outcome().unwrap().scores, [95, 26], "the sums");
}

#[test]
fn a_table_names_the_end_of_a_long_path() {
    let shown = |spec: &str| motherlode_table::paint::bot(spec);
    assert_eq!(shown("search:9+learned:/home/ann/games/v2/miner.value"), "search:9+learned:…/v2/miner.value");
    assert_eq!(shown("learned:/home/ann/games/v2/a.value+base=plan:hit"), "learned:…/v2/a.value+base=plan:hit");
    assert_eq!(shown("learned:v2/miner.value"), "learned:v2/miner.value");
}
