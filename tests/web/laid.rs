//! Cards that lie on cells by a counter, and labels that name them: each is chosen on the table itself.

use super::browser::devtools::Tab;
use super::browser::{folder_of, no_browser};
use super::program::Program;

/// Two tiles lie on a board by a counter of its cells; a third one is in the hand of each player.
const YARD: [(&str, &str); 6] = [
    (
        "content/yard/game.toml",
        "name = \"Yard\"\nversion = \"1.0.0\"\nplayers = { min = 2, max = 2 }\nrounds = 1\n\
         seats = [{ name = \"Ann\" }, { name = \"Ben\" }]\noutcome = { score = \"gold\" }\n\
         grids.yard = { text = \"Yard\", shape = \"square\", columns = 3, rows = 2 }\n\
         kinds.tiles = { zone = \"stock\" }\n\
         zones.stock = { per = \"game\", holds = \"tiles\", visible = \"public\", show = \"never\" }\n\
         zones.hand = { per = \"player\", holds = \"tiles\", visible = \"owner\" }\n\
         counters.gold = { per = \"player\", text = \"Gold\" }\ncounters.tile = { per = \"yard\", values = \"token\" }\n",
    ),
    (
        "content/yard/tiles.toml",
        "gate = { name = \"Gate\" }\nwell = { name = \"Well\" }\nlamp = { name = \"Lamp\", copies = 2 }\n",
    ),
    ("content/yard/phases.toml", "[building]\nturns = \"once\"\n"),
    (
        "content/yard/prompts.toml",
        "[act]\ntext = \"What do you do?\"\nlabels = { move = \"{1:tiles} to {2:cell yard}\", greet = \"Greet {1:player}\" }\n\
         values = { move = [\"tiles\", \"yard\"], greet = [\"player\"] }\n\
         [which]\ntext = \"Which tile?\"\nchoices = \"token\"\n",
    ),
    (
        "scripts/yard/phases.luau",
        "return {\n    building = {\n        turn = function(player)\n            local a, b = assert(cell(\"yard\", 1, 1)), assert(cell(\"yard\", 2, 1))\n\
         \x20           choice({ \"move\", number_of(\"tiles\", \"lamp\"), a })\n            choice({ \"move\", number_of(\"tiles\", \"lamp\"), b })\n\
         \x20           choice({ \"move\", number_of(\"tiles\", \"gate\"), b })\n            choice({ \"move\", number_of(\"tiles\", \"gate\"), a })\n\
         \x20           choice({ \"greet\", 2 })\n            choice({ \"greet\", 1 })\n            ask(player, \"act\")\n\
         \x20           for _, token in cards(\"stock\") do\n                choice(token)\n            end\n\
         \x20           ask(player, \"which\")\n        end,\n    },\n}\n",
    ),
    (
        "scripts/yard/game.luau",
        "return {\n    setup = function()\n        local at = 1\n        for _, token in cards(\"stock\") do\n\
         \x20           if id(token) == \"lamp\" then\n                move(token, \"hand\", at)\n                at += 1\n\
         \x20           else\n                set(assert(cell(\"yard\", if id(token) == \"gate\" then 2 else 3, 2)), \"tile\", token)\n\
         \x20           end\n        end\n    end,\n}\n",
    ),
];

/// The things on the table that can be clicked.
const CAN: &str = "[...document.querySelectorAll('#left .can')].map((one) => one.dataset.key).sort().join(' ')";

/// Clicks the thing with a key.
fn click(tab: &mut Tab, key: &str) {
    let one = format!("document.querySelector('#left [data-key=\"{key}\"]')");
    tab.text(&format!("({one}.dispatchEvent(new MouseEvent('click', {{ bubbles: true }})), '')"));
}

#[test]
fn a_label_that_names_a_card_and_a_cell_is_chosen_by_clicks_on_both() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = folder_of(&YARD);
    let program = Program::open(folder.path(), &["yard", "--seed", "1", "--seats", "human,first"]);
    tab.resize(1280, 860, false);
    tab.go(&program.link);
    let begin = "card/hand/0/0 cell/yard/null/b2 seat/0 seat/1";
    tab.wait_for(&format!("({CAN}) === '{begin}'"));
    // A card of the hand, then a cell; Escape and a second click take the card back.
    click(&mut tab, "card/hand/0/0");
    let cells = "cell/yard/null/a1 cell/yard/null/b1";
    tab.wait_for(&format!("({CAN}) === '{cells}'"));
    assert_eq!(tab.text("document.querySelector('#left .card.clicked').dataset.key"), "card/hand/0/0");
    assert_eq!(tab.text("String(document.querySelectorAll('#ask .fits').length)"), "2");
    tab.press("Escape");
    tab.wait_for(&format!("({CAN}) === '{begin}'"));
    click(&mut tab, "card/hand/0/0");
    tab.wait_for(&format!("({CAN}) === '{cells}'"));
    click(&mut tab, "card/hand/0/0");
    tab.wait_for(&format!("({CAN}) === '{begin}'"));
    // A card that lies on a cell by a counter of the cell, then another cell.
    click(&mut tab, "cell/yard/null/b2");
    tab.wait_for(&format!("({CAN}) === '{cells}'"));
    click(&mut tab, "cell/yard/null/b1");
    tab.wait_for("document.querySelector('#log').textContent.includes('Gate to b1')");
    // The cards themselves are the choices, and their pile is not on the table.
    tab.wait_for(&format!("({CAN}) === 'cell/yard/null/b2 cell/yard/null/c2'"));
    click(&mut tab, "cell/yard/null/c2");
    tab.wait_for("document.querySelector('.result') !== null");
    assert!(tab.text("document.querySelector('#log').textContent").contains("Well"));
    assert_eq!(tab.complaints(), Vec::<String>::new());
}
