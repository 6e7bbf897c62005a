//! The transcript and its readers.

use motherlode::Line;

use super::*;

const PROMPTS: &str = r#"
[hide]
text = "Where is the treasure?"
labels = { cave = "In the cave", wreck = "In the wreck" }
secret = true
"#;

const TEXTS: &str = r#"
found = "You found {1} gold."
met = "{1:player} came by."
"#;

const SCRIPT: &str = r#"return {
    a = {
        turn = function(p)
            local where = choose(p, "hide", { "cave", "wreck" })
            log_to(p, "found", if where == "cave" then 7 else 8)
            log("met", p)
        end,
    },
}"#;

fn begin(turns: &str) -> Match {
    let phases = format!("[a]\nname = \"A\"\nturns = \"{turns}\"\n");
    let pieces = Pieces { phases: &phases, prompts: PROMPTS, texts: TEXTS, phases_luau: SCRIPT, ..Pieces::default() };
    let mut m = pieces.play(3);
    m.set_logging(true);
    m
}

/// The lines that a seat reads.
fn read_by(log: &[Line], seat: u8) -> Vec<String> {
    log.iter().filter_map(|line| line.seen_by(seat)).map(str::to_owned).collect()
}

#[test]
fn only_their_player_reads_secret_answers_and_private_lines() {
    let mut m = begin("once");
    answer(&mut m, "cave");
    let log = m.take_log();
    assert_eq!(
        read_by(&log, 0),
        ["Ada: Where is the treasure? In the cave", "You found 7 gold.", "Ada came by."],
        "the one who answered"
    );
    for other in [1, 2] {
        assert_eq!(read_by(&log, other), ["Ada has decided.", "Ada came by."]);
    }
    assert_eq!(log.iter().filter_map(Line::public).collect::<Vec<_>>(), ["Ada has decided.", "Ada came by."]);
    assert_eq!(log.iter().map(Line::seat).collect::<Vec<_>>(), [Some(0), Some(0), None]);
}

#[test]
fn a_secret_sealed_answer_stays_secret_after_the_reveal() {
    let mut m = begin("sealed");
    for (who, where_) in [(2, "wreck"), (0, "cave"), (1, "cave")] {
        assert!(m.take_log().is_empty());
        m.focus(who).unwrap();
        answer(&mut m, where_);
    }
    let log = m.take_log();
    for seat in 0..3 {
        let read = read_by(&log, seat);
        assert_eq!(read.iter().filter(|line| line.contains("treasure")).count(), 1, "{read:?}");
        assert_eq!(read.iter().filter(|line| line.contains("found")).count(), 1, "{read:?}");
        assert_eq!(read.iter().filter(|line| line.ends_with("has decided.")).count(), 2, "{read:?}");
        assert_eq!(read.iter().any(|line| line.contains("wreck") || line.contains("8 gold")), seat == 2, "{read:?}");
    }
}

/// The others' secret answers do not change the lines that a seat reads.
#[test]
fn a_secret_answer_does_not_change_the_lines_of_others() {
    for turns in ["once", "sealed"] {
        let played = |secret: &str| {
            let mut m = begin(turns);
            for who in 0..3 {
                m.focus(who).unwrap();
                answer(&mut m, if who == 1 { secret } else { "cave" });
            }
            m.take_log()
        };
        let (one, other) = (played("cave"), played("wreck"));
        for seat in 0..3 {
            assert_eq!(read_by(&one, seat) == read_by(&other, seat), seat != 1, "{turns}, seat {seat}");
        }
    }
}

/// A match takes the same course with and without listeners.
#[test]
fn a_private_line_needs_a_player() {
    for (who, says) in [("4", "no player 4"), ("0", "no player 0"), ("1.5", "no player 1.5"), ("game", "no player 17")]
    {
        let script = format!("return {{ a = {{ turn = function(p) log_to({who}, \"met\", p) end }} }}");
        let phases = "[a]\nname = \"A\"\nturns = \"once\"\n";
        let said = error(&Pieces { phases, texts: TEXTS, phases_luau: &script, ..Pieces::default() }, 3);
        assert!(said.contains(says), "{said}");
    }
}

#[test]
fn definitions_without_tokens_have_printed_names() {
    let game = "[kinds.cards]\ntokens = false\n[kinds.cards.attributes]\ncost = { type = \"integer\", default = 1 }\n";
    let script = "return { p = { run = function()
        choose(1, \"spot\", { 2 }, 2)
        assert(name(\"cards\", \"red\") == \"Red\" and name(\"cards\", 2) == \"Blue\")
        assert(def(\"cards\", \"blue\", \"name\") == \"Blue\")
        log(\"spots\", number_of(\"cards\", \"red\"), 2, 3, name(\"cards\", 1))
        choose(1, \"pick\", { \"done\" })
        name(\"cards\", 3)
    end } }";
    let mut m = Pieces {
        game,
        prompts: "[spot]\nauto = false\ntext = \"Go to {1:cards}?\"\nchoices = \"cards\"\n",
        texts: "spots = \"{1:cards} {2:cards} {3:cards} {4}\"\n",
        cards: "[red]\nname = \"Red\"\n[blue]\nname = \"Blue\"\n",
        phases: "[p]\nname = \"P\"\n",
        phases_luau: script,
        ..Pieces::default()
    }
    .play(2);
    m.set_logging(true);
    assert_eq!(m.decision().unwrap().text(m.game()), "Go to Blue?");
    answer(&mut m, "blue");
    assert_eq!(m.take_log().last().unwrap().text(), "Red Blue 3 Red");
    let said = m.answer(0).unwrap_err().to_string();
    assert!(said.contains("no definition `3` of `cards`"), "{said}");
}

/// `{1:coin|coins}` shows a number with its noun and `{1|coin|coins}` the noun alone, in questions and in lines.
#[test]
fn nouns_agree_with_their_numbers() {
    let script = "return { a = { turn = function(p)
        choose(p, \"pay\", { \"yes\" }, 1, 2)
        for n = 0, 2 do log(\"takes\", p, n) end
        for n = 1, 2 do log(\"left\", n) end
        log(\"said\", \"some\")
        choose(p, \"pay\", { \"yes\" }, 0, 1)
    end } }";
    let mut m = Pieces {
        phases: "[a]\nname = \"A\"\nturns = \"once\"\n",
        prompts: "[pay]\nauto = false\ntext = \"{player}: {1:coin|coins} for {2} red {2|card|cards}?\"\nlabels = { yes = \"Yes\" }\n",
        texts: "takes = \"{1:player} take {2:coin|coins}.\"\nleft = \"{1} gold {1|coin|coins} {1 | is | are} left.\"\nsaid = \"{1:coin|coins}, {1|coin|coins}\"\n",
        phases_luau: script,
        ..Pieces::default()
    }
    .play(1);
    m.set_logging(true);
    assert_eq!(m.decision().unwrap().text(m.game()), "Ada: 1 coin for 2 red cards?");
    answer(&mut m, "yes");
    assert_eq!(m.decision().unwrap().text(m.game()), "Ada: 0 coins for 1 red card?");
    let log = m.take_log();
    assert_eq!(
        read_by(&log, 0)[1..],
        [
            "Ada take 0 coins.",
            "Ada take 1 coin.",
            "Ada take 2 coins.",
            "1 gold coin is left.",
            "2 gold coins are left.",
            "some coins, coins",
        ]
    );
}

/// The engine takes a single choice without asking, and logs it in order: secretly if the question is secret, with the
/// other answers if it is sealed.
#[test]
fn a_single_choice_is_logged_in_order() {
    let script = "return {
        a = { turn = function(p)
            log(\"met\", p)
            choose(p, \"hide\", { \"cave\" })
            log_to(p, \"found\", p)
            choose(p, \"sure\", { \"yes\" })
            if p ~= 3 then choose(p, \"pick\", { \"done\", \"more\" }) end
        end },
    }";
    let expected: Vec<String> = [("Ada", 1), ("Bob", 2), ("Cy", 3)]
        .into_iter()
        .flat_map(|(name, number)| {
            let mut told = vec![
                format!("{name} came by."),
                format!("{name}: Where is the treasure? In the cave"),
                format!("You found {number} gold."),
                format!("{name}: Sure? Yes"),
            ];
            told.extend((number < 3).then(|| format!("{name}: {name}, pick. Done")));
            told
        })
        .collect();
    for (turns, first) in [("once", 1), ("sealed", 3)] {
        let phases = format!("[a]\nname = \"A\"\nturns = \"{turns}\"\n");
        let pieces =
            Pieces { phases: &phases, prompts: PROMPTS, texts: TEXTS, phases_luau: script, ..Pieces::default() };
        let mut m = pieces.play(3);
        m.set_logging(true);
        m.restart(&m.setup().clone()).unwrap();
        let automatic = m.automatic();
        let asked: Vec<(u8, &str)> =
            automatic.iter().map(|one| (one.decision.seat, one.decision.prompt(m.game()))).collect();
        assert_eq!(asked, (0..first).flat_map(|seat| [(seat, "hide"), (seat, "sure")]).collect::<Vec<_>>(), "{turns}");
        let mut log = m.take_log();
        assert_eq!(log.len(), if turns == "once" { 4 } else { 0 }, "sealed answers are logged at the reveal");
        answer(&mut m, "done");
        answer(&mut m, "done");
        log.extend(m.take_log());
        assert_eq!(log.iter().take(expected.len()).map(Line::text).collect::<Vec<_>>(), expected, "{turns}");
        assert_eq!(log[11].seen_by(0), Some("Cy has decided."), "{turns}");
        assert_eq!(log[11].seen_by(2), Some("Cy: Where is the treasure? In the cave"), "{turns}");
    }
}
