//! The page as a player sees it: the transcript, the end with its rematch, the designer's tools, places that stay.

use serde_json::Value;

use super::browser::devtools::Tab;
use super::browser::{PlayedGame, folder_of, games, no_browser, play};
use super::program::Program;

/// Where the question and this player's hand begin; -1: it is not there.
const TOPS: &str = "JSON.stringify([document.querySelector('#ask'), document.querySelector('.pile.hand')]
    .map((one) => one ? Math.round(one.getBoundingClientRect().top) : -1))";

fn tops(tab: &mut Tab) -> Vec<i64> {
    let text = tab.text(TOPS);
    serde_json::from_str::<Value>(&text).unwrap().as_array().unwrap().iter().map(|top| top.as_i64().unwrap()).collect()
}

/// How often and how far the question and the hand moved between answers.
#[derive(Debug, Default)]
struct Moves {
    answers: usize,
    question: (usize, i64),
    hand: (usize, i64),
}

fn measure(tab: &mut Tab, game: &PlayedGame) -> Moves {
    let program = game.open("11");
    tab.resize(1280, 900, false);
    tab.go(&program.link);
    tab.wait_for("document.querySelector('#ask .choices button') !== null");
    let mut moves = Moves::default();
    let mut before = tops(tab);
    while moves.answers < 120 && play(tab, 1) == 1 {
        tab.wait_for("document.querySelector('#ask:not(.sent) .choices button, #over') !== null");
        if tab.text("String(document.getElementById('over') !== null)") == "true" {
            break;
        }
        moves.answers += 1;
        let now = tops(tab);
        for (at, of) in [(0, &mut moves.question), (1, &mut moves.hand)] {
            let by = (now[at] - before[at]).abs();
            if now[at] >= 0 && before[at] >= 0 && by > 3 {
                *of = (of.0 + 1, of.1.max(by));
            }
        }
        before = now;
    }
    tab.go("about:blank");
    moves
}

#[test]
fn the_question_and_the_hand_stay_in_their_places() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    for game in games() {
        let moves = measure(&mut tab, &game);
        println!("{}: {moves:?}", game.id);
        assert!(moves.answers > 2, "{}: {moves:?}", game.id);
        assert_eq!(moves.question.0, 0, "{}: {moves:?}", game.id);
        assert!(moves.hand.0 * 4 <= moves.answers, "{}: {moves:?}", game.id);
    }
}

/// Two secret bids, and a public answer that gains gold.
const BIDS: [(&str, &str); 4] = [
    (
        "content/bids/game.toml",
        "name = \"Bids\"\nversion = \"1.0.0\"\nplayers = { min = 2, max = 2 }\nrounds = 1\n\
         seats = [{ name = \"Ann\" }, { name = \"Ben\" }]\n\
         counters.bid = { per = \"player\", text = \"Bid\" }\ncounters.gold = { per = \"player\", text = \"Gold\" }\n\
         outcome = { score = \"gold\" }\n",
    ),
    (
        "content/bids/phases.toml",
        "[bidding]\nturns = \"sealed\"\nprompt = \"bid\"\n[taking]\nturns = \"once\"\ntimes = 2\nprompt = \"take\"\n",
    ),
    (
        "content/bids/prompts.toml",
        "[bid]\ntext = \"How much do you bid?\"\nchoices = \"number\"\n[take]\ntext = \"Take gold.\"\nchoices = \"number\"\n",
    ),
    (
        "scripts/bids/phases.luau",
        "return {\n    bidding = {\n        offer = function() choice_numbers(1, 3) end,\n\
         \x20       act = function(player, n) set(player, \"bid\", n) end,\n    },\n    taking = {\n\
         \x20       offer = function() choice_numbers(1, 3) end,\n\
         \x20       act = function(player, n) gain(player, \"gold\", n) end,\n    },\n}\n",
    ),
];

#[test]
fn the_transcript_puts_effects_below_their_questions_and_a_rematch_begins_again() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = folder_of(&BIDS);
    let program = Program::open(folder.path(), &["bids", "--seed", "1", "--seats", "human,random"]);
    tab.resize(1280, 860, false);
    tab.go(&program.link);
    tab.wait_for("document.querySelectorAll('#ask .choices button').length === 3");
    let lines = "[...document.querySelectorAll('#log p')].map((one) => one.textContent).join('|')";
    // The designer's tools are behind their switch, which the browser remembers.
    let tools = "String(document.querySelectorAll('[data-key=\"time\"], [data-key=\"position\"]').length)";
    assert_eq!(tab.text(tools), "0");
    tab.text("(document.querySelector('[data-key=\"designer\"]').click(), '')");
    assert_eq!(tab.text(tools), "2");
    assert_eq!(tab.text("localStorage.getItem('lode.designer')"), "open");
    tab.text("(document.querySelector('[data-key=\"designer\"]').click(), '')");
    // A preview is a sentence.
    tab.text("(document.querySelector('#ask .choices button').dispatchEvent(new MouseEvent('mouseenter')), '')");
    tab.wait_for("document.querySelector('#preview').textContent.includes('You: +1 bid')");
    tab.text("(document.querySelectorAll('#ask .choices button')[1].click(), '')");
    tab.wait_for("document.querySelector('#question')?.textContent === 'Take gold. 1 of 2'");
    let said = tab.text(lines);
    assert!(said.starts_with("Ann How much do you bid? 2|"), "{said}");
    assert_eq!(said.matches("Ann How much").count(), 1, "{said}");
    tab.text("(document.querySelectorAll('#ask .choices button')[2].click(), '')");
    tab.wait_for("document.querySelector('#question')?.textContent === 'Take gold. 2 of 2'");
    tab.text("(document.querySelectorAll('#ask .choices button')[2].click(), '')");
    tab.wait_for("document.getElementById('over') !== null");
    let said = tab.text(lines);
    let answer = said.find("Ann Take gold: 3|").unwrap_or_else(|| panic!("{said}"));
    assert!(said[answer..].contains("gold +3"), "the effect comes below its answer: {said}");
    let effects = "String(document.querySelectorAll('#log .effect.change').length > 0)";
    assert_eq!(tab.text(effects), "true", "{said}");
    let winner = tab.text("document.querySelector('#over').textContent");
    assert!(winner.starts_with("You win by "), "three is the most: {winner}");
    tab.text("(document.querySelector('[data-key=\"rematch\"]').click(), '')");
    tab.wait_for("document.querySelectorAll('#ask .choices button').length === 3");
    let said = tab.text(lines);
    assert!(!said.contains("Take gold") && said.contains("A rematch begins."), "{said}");
    assert_eq!(tab.complaints(), Vec::<String>::new());
}
