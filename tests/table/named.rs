//! A small game with men of two players on named cells.

use motherlode::{Game, Match};

use motherlode_table::{CellTarget, Changes, ChoiceTarget, Faces, PlaceTarget, Text, View};

use crate::shipped::load_texts;

const GAME: &str = r#"
name = "Points"
version = "1.0.0"
players = { min = 2, max = 2 }
seats = [{ name = "White", colour = "white" }, { name = "Red", colour = "red" }]
[counters]
won = { per = "player" }
side = { per = "board", values = ["nobody", "white", "red"], symbols = [" ", "W", "R"], colours = ["", "white", "red"] }
men = { per = "board", max = 15, amount = "{n:man|men}" }
pips = { per = "player", start = 9, transcript = "always" }
dice = { per = "game", max = 6, start = 6, transcript = "never" }
secret = { per = "player", start = 7, visible = "owner" }
last = { per = "game", values = "board" }
[grids.board]
shape = "square"
columns = 3
rows = 2
holes = ["b1"]
names = "spaces"
show = ["side", "men"]
[kinds.spaces]
tokens = false
[outcome]
score = "won"
"#;
const SPACES: &str =
    "[p1]\nname = \"Bar\"\n[p2]\nname = \"24\"\n[p3]\nname = \"Home\"\n[p4]\nname = \"6\"\n[p5]\nname = \"Home\"\n";
const PHASES: &str = "[move]\nturns = \"around\"\nprompt = \"man\"\n";
const PROMPTS: &str = r#"
[man]
text = "Which man do you move?"
choices = "board"
labels = { move = "{1:cell board} to {2:cell board} (die {3})", pass = "Pass" }
values = { move = ["board", "board", "1..6"] }
"#;
const TEXTS: &str = "moved = \"{1:player} move to {2:cell board}, after {3:counter last}.\"\n";
const SCRIPT: &str = r#"
return {
    move = {
        offer = function(player)
            local from, to = assert(cell("board", 3, 1)), assert(cell("board", 2, 2))
            choice({ "move", from, to, 3 })
            choice({ "move", from, assert(cell("board", 3, 2)), 3 })
            choice("pass")
            choice(from)
        end,
        act = function(player, what)
            pay(player, "pips", 1)
            pay(game, "dice", 1)
            if what == "pass" then
                end_game()
            else
                set(game, "last", assert(cell("board", 2, 2)))
                log("moved", player, assert(cell("board", 3, 2)), get(game, "last"))
            end
        end,
    },
}
"#;
const SETUP: &str = r#"
return {
    setup = function()
        local at = assert(cell("board", 3, 1))
        set(at, "side", 1)
        set(at, "men", 2)
    end,
}
"#;

fn game() -> Game {
    let content = [("game", GAME), ("spaces", SPACES), ("phases", PHASES), ("prompts", PROMPTS), ("texts", TEXTS)];
    load_texts("points", &content, &[("phases", SCRIPT), ("game", SETUP)])
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
fn choices_and_lines_call_cells_by_their_names() {
    let game = game();
    let mut played = begin(&game);
    let labels: Vec<String> = played.legal().into_iter().map(|choice| choice.label).collect();
    assert_eq!(labels, ["24 to 6 (die 3)", "24 to Home (c2) (die 3)", "Pass", "24"], "two cells are called Home");
    assert_eq!(played.legal()[0].key(), "label:move c1 b2 3", "keys keep the coordinates");
    played.answer(0).unwrap();
    let lines: Vec<String> = played.take_log().iter().map(|line| line.text().to_owned()).collect();
    assert!(lines.iter().any(|line| line == "White move to Home (c2), after 6."), "{lines:?}");
}

#[test]
fn a_label_acts_on_the_cells_among_its_values() {
    let game = game();
    let view = View::of(&begin(&game), &Faces::new(&game), Some(0));
    let cell = |cell: &str| PlaceTarget::Cell(CellTarget { board: "board".into(), seat: None, cell: cell.into() });
    let choices = view.question.unwrap().choices;
    assert_eq!(choices[0].on, ChoiceTarget::Steps(vec![vec![cell("c1")], vec![cell("b2")]]));
    assert_eq!(choices[2].on, ChoiceTarget::Nothing);
}

#[test]
fn a_table_of_names_has_even_columns_and_a_box_for_each_hole() {
    let game = game();
    let faces = Faces::new(&game);
    let view = View::of(&begin(&game), &faces, Some(0));
    let wide = plain(&Text::new(&faces, 60).whole(&view));
    let table = "\
┌──────┬──────┬──────┐
│ Bar  ┆      ┆ 24   │
│      ┆      ┆ W2   │
│ Home ┆ 6    ┆ Home │
└──────┴──────┴──────┘
     W white; number: men
";
    assert!(wide.contains(table), "{wide}");
    let narrow = plain(&Text::new(&faces, 20).whole(&view));
    assert!(narrow.contains(" Bar       24\n ·         W2\n Home 6    Home\n"), "{narrow}");
    let list = plain(&Text::new(&faces, 14).whole(&view));
    assert!(list.contains("24 – white, 2 men"), "{list}");
}

#[test]
fn the_transcript_names_the_changes_that_its_counters_allow() {
    let game = game();
    let faces = Faces::new(&game);
    let mut played = begin(&game);
    let before = View::of(&played, &faces, Some(0));
    played.answer(0).unwrap();
    let now = View::of(&played, &faces, Some(0));
    let changes = Changes::between(&before, &now);
    assert_eq!(changes.told(&now, false), ["White: pips -1 (now 8)"]);
    assert_eq!(changes.told(&now, true), ["White: pips -1 (now 8)", "last: 6"]);
    let mut shown = before.clone();
    shown.learn(&now, &before, false);
    let text = plain(&Text::new(&faces, 60).changes(&shown, &now));
    assert!(!text.contains("Pips") && text.contains("Dice: 5 (-1)"), "the table still shows the dice: {text}");
}

#[test]
fn hidden_counters_are_shown_after_the_match() {
    let game = game();
    let faces = Faces::new(&game);
    let mut played = begin(&game);
    let secret = |played: &Match| {
        let view = View::of(played, &faces, Some(0));
        view.rows.iter().find(|row| row.id == "secret").unwrap().values[1].text.clone()
    };
    assert_eq!(secret(&played), "?");
    played.answer(2).unwrap();
    assert!(played.is_over());
    assert_eq!(secret(&played), "7");
}

#[test]
fn a_legend_merges_symbols_that_differ_in_a_number() {
    let content = GAME
        .replace("\"nobody\", \"white\", \"red\"]", "\"none\", \"white_1\", \"white_2\"]")
        .replace("\"W\", \"R\"", "\"W1\", \"W2\"")
        .replace("[\"\", \"white\", \"red\"] }", "[\"\", \"white\", \"white\"] }")
        .replace("[\"side\", \"men\"]", "\"side\"");
    let setup = SETUP.replace("set(at, \"men\", 2)", "set(assert(cell(\"board\", 1, 1)), \"side\", 2)");
    let texts =
        [("game", content.as_str()), ("spaces", SPACES), ("phases", PHASES), ("prompts", PROMPTS), ("texts", TEXTS)];
    let game = load_texts("points", &texts, &[("phases", SCRIPT), ("game", &setup)]);
    let faces = Faces::new(&game);
    let text = plain(&Text::new(&faces, 60).whole(&View::of(&begin(&game), &faces, Some(0))));
    assert!(text.contains("    W1, W2 white\n"), "{text}");
}
