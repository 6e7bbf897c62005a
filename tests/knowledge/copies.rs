//! Copies of a token are offered once. The omitted copies must not reveal hidden information to the asked seat.

use motherlode::Match;

use crate::shipped::load_texts;

const GAME: &str = r#"
name = "Copies"
version = "1.0.0"
players = { min = 2, max = 2 }
rounds = 1
seats = [{ name = "A" }, { name = "B" }]
[outcome]
score = "points"
[counters.points]
per = "player"
[counters.mark]
per = "cards"
max = 3
visible = "VISIBLE"
redeal = "range"
[zones.row]
per = "game"
holds = "cards"
visible = "ROW"
[kinds.cards]
zone = "row"
"#;
const CARDS: &str = "red = { name = \"Red\", copies = 3 }\nblue = { name = \"Blue\", copies = 2 }\n";
const PHASES: &str = "[marking]\n[taking]\nturns = \"once\"\nprompt = \"take\"\n";
const PROMPTS: &str = "[take]\ntext = \"Which?\"\nchoices = \"token\"\ndistinct = true\n";
const SCRIPT: &str = r#"
return {
    marking = {
        run = function()
            set(top("row"), "mark", 2)
        end,
    },
    taking = {
        offer = function()
            for _, card in cards("row") do
                choice(card)
            end
        end,
        act = function() end,
    },
}
"#;

/// Number of offered choices among five cards in a row of this visibility, one of them with another mark.
fn offered(row: &str, mark: &str) -> usize {
    let game = GAME.replace("ROW", row).replace("VISIBLE", mark);
    let content = [("game", game.as_str()), ("cards", CARDS), ("phases", PHASES), ("prompts", PROMPTS)];
    let game = load_texts("copies", &content, &[("phases", SCRIPT)]);
    let m = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
    m.legal().len()
}

#[test]
fn offers_do_not_reveal_hidden_copies() {
    assert_eq!(offered("count", "nobody"), 5, "each place is offered");
    assert_eq!(offered("face", "nobody"), 5, "and so is each card that lies face down");
}

#[test]
fn seen_copies_are_offered_once() {
    assert_eq!(offered("public", "nobody"), 2, "nobody sees the mark");
    assert_eq!(offered("public", "owner"), 2, "the mark belongs to no player");
    assert_eq!(offered("public", "public"), 3, "everybody sees the mark");
}
