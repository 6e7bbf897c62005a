//! Refusals: the choices that a seat does not have, and why.

use super::*;

const GAME: &str = r#"
[counters.secret]
per = "player"
visible = "owner"
max = 9
start = 4
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

const PROMPTS: &str = r#"
[act]
text = "What?"
choices = "token"
auto = false
labels = { red = "The red one", dear = "The dear one", spare = "Spare", done = "Done" }
[way]
text = "Which way?"
labels = { give = "Give", pay = "Pay", rest = "Rest", leave = "Leave" }
auto = false
"#;

const TEXTS: &str = r#"
no_rival = "Nobody is as rich."
nobody_poor = "Nobody is poor, either."
not_now = "It is not the time."
spared = "{1:player} has spared it for {2} rounds."
dark = "It is dark: {1}."
"#;

const VERBS: &str = r#"
[rob]
text = "Rob a rival."
[rob.choose]
rich = { prompt = "whom", players = "others", none = "no_rival" }
poor = { prompt = "whom", players = "all", none = "nobody_poor" }
[sleep]
text = "Sleep."
none = "not_now"
[wake]
text = "Wake {n:player|players}."
args = { n = { type = "integer", min = 1, max = 9 } }
[turn]
text = "Turn."
choose = { way = { verbs = { give = "rob", pay = { wake = 2 }, rest = "sleep" }, labels = ["leave"] } }
"#;

const VERBS_LUAU: &str = r#"
local never = { can = function() return false end, run = function() end }
return {
    rob = {
        rich = function(player, other) return get(other, "gold") > get(player, "gold") end,
        poor = function(player, rich, other) return get(other, "gold") == 0 end,
        run = function() end,
    },
    sleep = never,
    wake = never,
}
"#;

const CARDS: &str = r#"
[red]
name = "Red"
use = ["rob"]
[dear]
name = "Dear"
use = [{ pay = { gold = 4 } }, { pay = { gold = 3 } }, { gain = { gold = 1 } }]
[blue]
name = "Blue"
use = ["sleep", { wake = 3 }]
"#;

const PHASES_LUAU: &str = r#"
return { p = {
    offer = function(player)
        for _, card in tokens("cards") do
            if can_run(card, "use", player) then choice(card) end
        end
        refuse("spare", "spared", 2, 7)
        if get(2, "secret") > 4 then refuse("rest", "dark", 1) else refuse("rest", "dark", 0) end
        choice("done")
    end,
    act = function(player) do_verb("turn", player, {}) end,
} }
"#;

fn play() -> Match {
    let pieces = Pieces {
        game: GAME,
        phases: "[p]\nname = \"P\"\nturns = \"once\"\nprompt = \"act\"\n",
        prompts: PROMPTS,
        texts: TEXTS,
        verbs: VERBS,
        cards: CARDS,
        phases_luau: PHASES_LUAU,
        verbs_luau: VERBS_LUAU,
        ..Pieces::default()
    };
    pieces.play(2)
}

/// The refusals of a seat: `id: reason`.
fn why(m: &Match, seat: u8) -> Vec<String> {
    m.refusals(seat).unwrap().into_iter().map(|one| format!("{}: {}", one.id, one.reason)).collect()
}

#[test]
fn an_offer_tells_what_is_refused_and_why() {
    let m = play();
    assert_eq!(choices(&m), ["done"]);
    let expected = [
        "red: Nobody is as rich.",
        "dear: You cannot pay 7 gold.",
        "blue: It is not the time. You cannot wake 3 players.",
        "spare: Bob has spared it for 7 rounds.",
        "rest: It is dark: 0.",
    ];
    assert_eq!(why(&m, 0), expected);
    let labels: Vec<String> = m.refusals(0).unwrap().into_iter().map(|one| one.label).collect();
    assert_eq!(labels[..4], ["The red one", "The dear one", "Blue", "Spare"]);
    assert_eq!(why(&m, 1), [""; 0], "a seat without a decision is refused nothing");
}

#[test]
fn the_first_choice_without_a_candidate_gives_the_reason() {
    let mut m = play();
    let gold = |m: &mut Match, player: i32, amount| {
        let index = counter(m, "gold");
        m.edit().set_counter(player, index, amount).unwrap();
    };
    gold(&mut m, 2, 9);
    assert_eq!(why(&m, 0)[0], "red: Nobody is poor, either.");
    gold(&mut m, 1, 8);
    assert!(!why(&m, 0).iter().any(|one| one.starts_with("dear")), "the price can be paid");
}

#[test]
fn a_question_within_a_hook_tells_why_labels_are_missing() {
    let mut m = play();
    answer(&mut m, "done");
    assert_eq!(choices(&m), ["leave"]);
    let expected = ["give: Nobody is as rich.", "pay: You cannot wake 2 players.", "rest: It is not the time."];
    assert_eq!(why(&m, 0), expected);
}

#[test]
fn a_reason_does_not_tell_what_its_seat_cannot_see() {
    let reasons = |secret| {
        let mut m = play();
        let index = counter(&m, "secret");
        m.edit().set_counter(2, index, secret).unwrap();
        why(&m, 0)
    };
    let all: BTreeSet<Vec<String>> = (0..10).map(reasons).collect();
    assert_eq!(all.len(), 1, "{all:?}");
}

#[test]
fn asking_changes_nothing() {
    let m = play();
    let before = m.state().hash();
    assert_eq!(why(&m, 0), why(&m, 0));
    assert_eq!(m.state().hash(), before);
}

#[test]
fn a_prompt_tells_why_cells_are_missing() {
    let pieces = Pieces {
        game: "[grids.land]\ntext = \"Land\"\nper = \"player\"\nshape = \"square\"\ncolumns = 3\nrows = 1\n[counters.rock]\nper = \"land\"\nmax = 1\n",
        phases: "[p]\nname = \"P\"\nturns = \"once\"\nprompt = \"dig\"\n",
        prompts: "[dig]\ntext = \"Where?\"\nchoices = \"land\"\nnone = \"stony\"\nauto = false\nlabels = { rest = \"Rest\" }\n",
        texts: "stony = \"Rock lies there.\"\nrooted = \"Roots grow there.\"\n",
        phases_luau: r#"return { p = {
            offer = function(player)
                choice_cells("land", "rock", 1, player)
                refuse(cells("land", player)[3], "rooted")
                choice("rest")
            end,
            act = function(player, chosen) end,
        } }"#,
        ..Pieces::default()
    };
    let mut m = pieces.play(2);
    let missing = |why: [String; 3]| why.map(|line| line.split_once(": ").unwrap().1.to_owned());
    assert_eq!(missing(why(&m, 0).try_into().unwrap()), ["Roots grow there.", "Rock lies there.", "Rock lies there."]);
    answer(&mut m, "rest");
    let rock = counter(&m, "rock");
    m.edit().set_counter(4, rock, 1).unwrap();
    assert_eq!(why(&m, 1).len(), 2, "the first cell of the second player is a choice: {:?}", why(&m, 1));
}
