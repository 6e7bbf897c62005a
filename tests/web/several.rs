//! Several choices that are marked and given at once, and choices made one after the other.

use motherlode_table::server::Limits;
use serde_json::json;

use super::browser::devtools::Tab;
use super::browser::{folder_of, no_browser};
use super::client::{Client, beside, decision};
use super::program::Program;
use super::{Open, load, seat};

/// Each player keeps two of four tools, digs twice, and sells up to two of four tools.
const KEEPER: [(&str, &str); 5] = [
    (
        "content/keeper/game.toml",
        "name = \"Keeper\"\nversion = \"1.0.0\"\nplayers = { min = 2, max = 2 }\nrounds = 1\n\
         seats = [{ name = \"Ann\" }, { name = \"Ben\" }]\nkinds.tools = { tokens = false }\n\
         counters.gold = { per = \"player\", text = \"Gold\" }\noutcome = { score = \"gold\" }\n",
    ),
    (
        "content/keeper/tools.toml",
        "axe = { name = \"Axe\" }\nbow = { name = \"Bow\" }\ncart = { name = \"Cart\" }\ndrill = { name = \"Drill\" }\n",
    ),
    ("content/keeper/phases.toml", "[keeping]\nturns = \"once\"\n"),
    (
        "content/keeper/prompts.toml",
        "[keep]\ntext = \"Which {1:tool|tools} do you keep?\"\nchoices = \"tools\"\nseveral = true\n\
         [dig]\ntext = \"How deep do you dig ({1} left)?\"\nchoices = \"1..3\"\n\
         [sell]\ntext = \"What do you sell (up to {1})?\"\nchoices = \"tools\"\nseveral = true\n\
         labels = { done = \"Nothing\" }\n",
    ),
    (
        "scripts/keeper/phases.luau",
        "local function list(used)\n    for tool = 1, 4 do\n        if not used[tool] then choice(tool) end\n    end\nend\n\n\
         return {\n    keeping = {\n        turn = function(player)\n            local kept, sold = {}, {}\n\
         \x20           for left = 2, 1, -1 do\n                list(kept)\n\
         \x20               local tool = ask(player, \"keep\", left)\n                kept[tool] = true\n\
         \x20               gain(player, \"gold\", tool)\n            end\n\
         \x20           for left = 2, 1, -1 do\n                choice_numbers(1, 3)\n\
         \x20               gain(player, \"gold\", ask(player, \"dig\", left))\n            end\n\
         \x20           for left = 2, 1, -1 do\n                list(sold)\n                choice(\"done\")\n\
         \x20               local tool = ask(player, \"sell\", left)\n                if tool == \"done\" then break end\n\
         \x20               sold[tool] = true\n                gain(player, \"gold\", 10 * tool)\n            end\n\
         \x20       end,\n    },\n}\n",
    ),
];

/// Clicks the button of a choice.
fn click(tab: &mut Tab, name: &str) {
    let find = "[...document.querySelectorAll('#ask .choices button')].find((one) => one.textContent.includes('NAME'))";
    tab.text(&format!("({}.click(), '')", find.replace("NAME", name)));
}

/// The text of the button that confirms, and whether it can be pressed.
fn confirm(tab: &mut Tab) -> String {
    tab.text(
        "((one) => one ? `${one.textContent} ${!one.disabled}` : '')(document.querySelector('[data-key=confirm]'))",
    )
}

fn wait_for_question(tab: &mut Tab, text: &str) {
    tab.wait_for(&format!("document.querySelector('#question')?.textContent === '{text}'"));
}

#[test]
fn several_choices_are_marked_and_confirmed_and_single_ones_are_taken_back() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = folder_of(&KEEPER);
    let program = Program::open(folder.path(), &["keeper", "--seed", "1", "--seats", "human,random"]);
    tab.resize(1280, 860, false);
    tab.go(&program.link);
    wait_for_question(&mut tab, "Which 2 tools do you keep?");
    assert_eq!(confirm(&mut tab), "Confirm 0 of 2 false");
    // The order of the clicks does not matter; a second click takes a mark back, and a third tool cannot be marked.
    for (name, text) in [
        ("Drill", "Confirm 1 of 2 false"),
        ("Axe", "Confirm 2 of 2 true"),
        ("Drill", "Confirm 1 of 2 false"),
        ("Cart", "Confirm 2 of 2 true"),
        ("Bow", "Confirm 2 of 2 true"),
    ] {
        click(&mut tab, name);
        assert_eq!(confirm(&mut tab), text, "after {name}");
    }
    // Keys mark, too.
    for (key, text) in [("3", "Confirm 1 of 2 false"), ("3", "Confirm 2 of 2 true")] {
        tab.press(key);
        assert_eq!(confirm(&mut tab), text, "after the key {key}");
    }
    let pressed = "[...document.querySelectorAll('#ask .choices [aria-pressed=true] .name')].map((one) => one.textContent).join()";
    assert_eq!(tab.text(pressed), "Axe,Cart");
    // A mark too many is refused with a reason.
    click(&mut tab, "Bow");
    let note = "document.querySelector('#ask .picks [role=status]').textContent";
    assert_eq!(tab.text(note), "Only 2 can be chosen: take a mark back first.");
    tab.text(
        "(globalThis.asked = new Set(), new MutationObserver(() => \
         asked.add(document.querySelector('#question')?.textContent)).observe(document.body, \
         { childList: true, subtree: true }), document.querySelector('[data-key=confirm]').click(), '')",
    );
    wait_for_question(&mut tab, "How deep do you dig (2 left)?");
    assert_eq!(tab.text("[...asked].join()"), "How deep do you dig (2 left)?", "no question between the choices");
    assert_eq!(confirm(&mut tab), "", "this question takes one choice");
    let kept = "[...document.querySelectorAll('#log p')].map((one) => one.textContent).join('|')";
    let said = tab.text(kept);
    assert!(said.contains("Axe") && said.contains("Cart") && !said.contains("Bow"), "{said}");
    // Choices made one after the other are listed, and the last one can be taken back.
    click(&mut tab, "3");
    wait_for_question(&mut tab, "How deep do you dig (1 left)?");
    let picks = "document.querySelector('#ask .picks')?.textContent ?? ''";
    assert_eq!(tab.text(picks), "1 chosen:3Take back");
    tab.text("(document.querySelector('#ask .picks button').click(), '')");
    wait_for_question(&mut tab, "How deep do you dig (2 left)?");
    assert_eq!(tab.text(picks), "");
    // Undo takes all choices back that were confirmed together.
    tab.press("u");
    wait_for_question(&mut tab, "Which 2 tools do you keep?");
    let said = tab.text(kept);
    assert!(!said.contains("keep: Axe|") && !said.contains("keep? Axe|"), "{said}");
    click(&mut tab, "Axe");
    click(&mut tab, "Cart");
    tab.text("(document.querySelector('[data-key=confirm]').click(), '')");
    wait_for_question(&mut tab, "How deep do you dig (2 left)?");
    click(&mut tab, "1");
    wait_for_question(&mut tab, "How deep do you dig (1 left)?");
    click(&mut tab, "2");
    // Fewer than the most are enough where a label ends the question: the label gives what is marked.
    wait_for_question(&mut tab, "What do you sell (up to 2)?");
    assert_eq!(confirm(&mut tab), "Confirm 0 of up to 2 false");
    click(&mut tab, "Bow");
    assert_eq!(confirm(&mut tab), "Confirm 1 of up to 2 true");
    click(&mut tab, "Nothing");
    tab.wait_for("document.getElementById('over') !== null");
    let result = tab.text("document.querySelector('#ask').textContent");
    assert!(result.contains("27"), "1 and 3 kept, 1 and 2 dug, 2 sold for 20: {result}");
    assert_eq!(tab.complaints(), Vec::<String>::new());
}

#[test]
fn several_choices_that_do_not_fit_the_question_change_nothing() {
    let folder = folder_of(&KEEPER);
    let game = load(folder.path(), "keeper");
    let table = Open::of(&game, 2, &[0, 1], &[seat(0), seat(1)], Limits::default());
    let mut ann = Client::new(&table, 0, None);
    ann.hear().unwrap();
    let first = ann.hear().unwrap();
    let number = decision(&first);
    assert_eq!(first["table"]["view"]["question"]["several"], json!({ "most": 2, "end": null }));
    for wrong in [json!([]), json!([1]), json!([1, 1]), json!([0, 1, 2]), json!([0, 4])] {
        ann.say(&json!({ "several": { "decision": number, "indices": wrong } }));
        assert_eq!(ann.refusal(), "no_choice", "{wrong}");
    }
    ann.say(&json!({ "several": { "decision": number + 1, "indices": [0, 1] } }));
    assert_eq!(ann.refusal(), "not_asked");
    let mut ben = Client::new(&table, 1, None);
    ben.hear().unwrap();
    ben.hear().unwrap();
    ben.say(&json!({ "several": { "decision": number, "indices": [0, 1] } }));
    assert_eq!(ben.refusal(), "not_asked");
    ann.say(&json!({ "several": { "decision": number, "indices": [3, 0] } }));
    let mut asked = ann.hear().unwrap();
    while beside(&asked)["decision"].as_u64().unwrap() < number + 2 {
        asked = ann.hear().unwrap();
    }
    // A question for one choice takes no list.
    ann.say(&json!({ "several": { "decision": decision(&asked), "indices": [0, 1] } }));
    assert_eq!(ann.refusal(), "no_choice");
}
