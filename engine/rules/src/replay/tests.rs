//! A game of dice: recorded, kept, damaged, changed.

use std::fs;

use super::*;
use motherlode_fixtures::pack;

const GAME: &str = r#"
name = "Dice"
version = "0.1.0"
text = "Throw dice for points."
players = { min = 2, max = 2, default = 2 }
rounds = 3

[[seats]]
name = "North"
[[seats]]
name = "South"

[options.bonus]
text = "Points for every throw"
default = 1
min = 0
max = 3

[counters.points]
text = "Points"
per = "player"

[outcome]
score = "points"
"#;
const PHASES: &str = r#"
[bet]
name = "Bet"
text = "Everybody bets."
turns = "sealed"
prompt = "bet"

[throw]
name = "Throw"
text = "Everybody throws dice."
turns = "once"
prompt = "dice"
"#;
const PROMPTS: &str = r#"
[bet]
text = "ContributionKind much?"
[dice]
text = "ContributionKind many dice?"
"#;
const SCRIPT: &str = r#"
return {
    bet = {
        turn = function(player)
            gain(player, "points", choose(player, "bet", { 0, 1, 2 }))
        end,
    },
    throw = {
        offer = function(_player)
            choice(1) choice(2) choice(3)
        end,
        act = function(player, dice)
            for _ = 1, dice do
                gain(player, "points", random(6) + option("bonus"))
            end
        end,
    },
}
"#;

fn game_of(script: &str) -> Game {
    let content = [("game", GAME), ("phases", PHASES), ("prompts", PROMPTS)];
    Game::load(&pack("dice", &content, &[("phases", script)])).unwrap_or_else(|faults| panic!("{faults}"))
}

fn begin(game: &Game) -> Match {
    Match::new(game, &game.setup(None, &[("bonus".to_owned(), "2".to_owned())], 7).unwrap()).unwrap()
}

/// A match with this many answers; in the sealed phase the higher seat answers first.
fn played(game: &Game, steps: usize) -> Match {
    let mut m = begin(game);
    for step in 0..steps {
        let seat = m.pending().last().unwrap().seat;
        m.answer_as(seat, step % 3).unwrap();
    }
    m
}

fn over(game: &Game) -> Match {
    let m = played(game, 12);
    assert!(m.is_over());
    m
}

#[test]
fn a_match_is_recorded_and_played_again() {
    let game = game_of(SCRIPT);
    let m = over(&game);
    let replay = Replay::record(&m);
    assert_eq!((replay.game.as_str(), replay.answers.len(), replay.hashes.len()), ("dice", 12, 12));
    assert_eq!((replay.fingerprint.as_str(), &replay.setup), (game.fingerprint(), m.setup()));
    assert_eq!(replay.answers[0].seat, 1);
    assert_eq!(replay.outcome, m.outcome());
    let verified = replay.verify(&game).unwrap();
    assert_eq!(verified, Verified { steps: 12, over: true, changed: false });
    assert_eq!(verified.to_string(), "12 steps match, and so does the result");
    assert_eq!(replay.play(&game, None).unwrap().state().words(), m.state().words());
    assert_eq!(Replay::retrace(&game, m.setup(), m.answers()).unwrap(), replay);
}

#[test]
fn every_step_can_be_reached() {
    let game = game_of(SCRIPT);
    let replay = Replay::record(&over(&game));
    for step in 0..=12 {
        let (there, expected) = (replay.play(&game, Some(step)).unwrap(), played(&game, step));
        assert_eq!(there.state().hash(), expected.state().hash());
        assert_eq!(there.answers(), expected.answers());
        assert_eq!(there.decision().map(|d| d.prompt_index()), expected.decision().map(|d| d.prompt_index()));
    }
    let error = replay.play(&game, Some(13)).unwrap_err();
    assert_eq!(error.to_string(), "there is no step 13; the match has 12 answers");
}

#[test]
fn an_unfinished_match_can_be_recorded() {
    let game = game_of(SCRIPT);
    for steps in [0, 1, 2, 5] {
        let replay = Replay::record(&played(&game, steps));
        assert_eq!(replay.outcome, None);
        assert!(!replay.verify(&game).unwrap().over);
    }
    let replay = Replay::record(&played(&game, 1));
    assert_eq!(replay.verify(&game).unwrap().to_string(), "1 step matches, the match is not finished");
}

#[test]
fn files_are_read_as_they_were_written() {
    let game = game_of(SCRIPT);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.json");
    let replay = Replay::record(&over(&game));
    replay.save(&path).unwrap();
    let loaded = Replay::load(&path).unwrap();
    assert_eq!(Replay { checksum: String::new(), ..loaded.clone() }, replay);
    assert_eq!(loaded.checksum.len(), 64);
    loaded.save(&path).unwrap();
    assert_eq!(Replay::load(&path).unwrap(), loaded, "a checksum is not part of what it sums");
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["match.json"], "no temporary name is left");
    // The checksum does not depend on the layout of the JSON.
    let value: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(Replay::parse(&serde_json::to_vec_pretty(&value).unwrap()).unwrap(), loaded);
    let hash = value["hashes"][0].as_str().unwrap();
    assert_eq!((hash.len(), &value["engine"], &value["mlua"]), (16, &env!("CARGO_PKG_VERSION").into(), &MLUA.into()));
}

#[test]
fn a_file_that_cannot_be_written_keeps_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let replay = Replay::record(&begin(&game_of(SCRIPT)));
    let error = replay.save(&folder.path().join("missing/match.json")).unwrap_err();
    assert!(matches!(error, ReplayError::Io(_)));
    assert!(replay.save(folder.path()).is_err(), "a folder is not replaced");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn damage_is_noticed() {
    let game = game_of(SCRIPT);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.json");
    Replay::record(&over(&game)).save(&path).unwrap();
    let whole = fs::read_to_string(&path).unwrap();
    Replay::parse(whole.as_bytes()).unwrap();
    for end in 0..whole.trim_end().len() {
        assert!(Replay::parse(&whole.as_bytes()[..end]).is_err(), "cut off at {end}");
    }
    for at in 0..whole.trim_end().len() {
        let mut bytes = whole.clone().into_bytes();
        bytes[at] ^= 1;
        assert!(Replay::parse(&bytes).is_err(), "changed at {at}");
    }
    let changed = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from}");
        Replay::parse(whole.replacen(from, to, 1).as_bytes()).unwrap_err()
    };
    assert!(matches!(changed("\"seed\":7", "\"seed\":8"), ReplayError::Checksum));
    assert!(matches!(changed("\"game\":\"dice\"", "\"game\":\"mice\""), ReplayError::Checksum));
    assert!(matches!(changed("\"format\":1", "\"format\":2"), ReplayError::Format(2)));
    assert!(matches!(changed("\"answers\":", "\"run\":1,\"answers\":"), ReplayError::Malformed(_)));
    assert!(matches!(changed("\"seat\":1", "\"seat\":-1"), ReplayError::Malformed(_)));
    assert!(matches!(changed("\"start\":\"", "\"start\":\"+"), ReplayError::Malformed(_)));
    for text in ["", "{}", "[]", "null", "1", "{\"format\":\"1\"}", "\u{1b}Lua"] {
        assert!(matches!(Replay::parse(text.as_bytes()), Err(ReplayError::Malformed(_))), "{text}");
    }
    assert!(matches!(Replay::parse(&[b'['; 100_000]), Err(ReplayError::Malformed(_))));
}

#[test]
fn an_error_quotes_little_of_a_file() {
    let long = format!("{{\"format\":1,\"{}\":0}}", "x".repeat(1 << 20));
    let error = Replay::parse(long.as_bytes()).unwrap_err().to_string();
    assert!(error.starts_with("this is not a recorded match: unknown field `xxx") && error.len() < 600, "{error}");
    let error = ReplayError::Begin(MatchError::Endless { message: "x".repeat(1 << 20), phase: None });
    assert!(error.to_string().len() < 2100);
}

#[test]
fn huge_files_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.json");
    fs::File::create(&path).unwrap().set_len(MAX_FILE + 1).unwrap();
    let error = Replay::load(&path).unwrap_err();
    assert!(matches!(error, ReplayError::TooLarge));
    assert_eq!(error.to_string(), "the file is larger than 64 MiB");
    assert!(matches!(Replay::load(&folder.path().join("none")), Err(ReplayError::Io(_))));
}

#[test]
fn hashes_and_answers_must_match() {
    let mut replay = Replay::record(&over(&game_of(SCRIPT)));
    replay.hashes.pop();
    replay.checksum = replay.sum().unwrap();
    let error = Replay::parse(&replay.text().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "this is not a recorded match: it needs one hash for each answer");
}

#[test]
fn the_first_step_that_differs_is_named() {
    let game = game_of(SCRIPT);
    let replay = Replay::record(&over(&game));
    let mut wrong = replay.clone();
    wrong.hashes[4] = StateHash(0);
    wrong.hashes[5] = StateHash(0);
    let error = wrong.verify(&game).unwrap_err();
    let player = replay.answers[4].seat + 1;
    let found = replay.hashes[4];
    let message = format!(
        "steps 1 to 4 match, but step 5, an answer of player {player}, leads to another position: \
         expected state 0000000000000000, found {found}"
    );
    assert_eq!(error.to_string(), message);
    assert!(wrong.play(&game, Some(4)).is_ok());
    assert_eq!(wrong.play(&game, Some(5)).unwrap_err().to_string(), message);
    let wrong = Replay { start: StateHash(1), ..replay.clone() };
    let error = wrong.verify(&game).unwrap_err();
    assert!(matches!(error, ReplayError::Differs { step: 0, seat: None, .. }));
    let message = "the match begins with another position: expected state 0000000000000001, found ";
    assert_eq!(error.to_string(), format!("{message}{}", replay.start));
    let mut wrong = replay.clone();
    wrong.answers[2].index = 9;
    let error = wrong.verify(&game).unwrap_err();
    assert!(error.to_string().starts_with("step 3, player 1: there is no choice 9"), "{error}");
    let mut wrong = replay.clone();
    wrong.answers[0].seat = 77;
    assert!(wrong.verify(&game).unwrap_err().to_string().starts_with("step 1, player 78: "));
    let mut wrong = replay.clone();
    wrong.answers.push(Answer { seat: 0, index: 0 });
    wrong.hashes.push(StateHash(0));
    assert!(matches!(wrong.verify(&game), Err(ReplayError::Refused { step: 13, .. })));
    let error = Replay { outcome: None, ..replay.clone() }.verify(&game).unwrap_err();
    assert!(error.to_string().starts_with("the result differs: expected none yet, found scores ["), "{error}");
    let mut wrong = replay;
    wrong.setup.players = 5;
    assert!(wrong.verify(&game).unwrap_err().to_string().starts_with("the match cannot begin: "));
}

#[test]
fn content_may_change_as_long_as_the_match_is_the_same() {
    let game = game_of(SCRIPT);
    let replay = Replay::record(&over(&game));
    let same = game_of(&format!("-- Dice.\n{SCRIPT}"));
    let verified = replay.verify(&same).unwrap();
    assert!(verified.changed && verified.to_string().contains("does not affect this match"));
    assert!(matches!(replay.play(&same, None), Err(ReplayError::OtherContent(game)) if game == "dice"));
    let other = game_of(&SCRIPT.replace("random(6)", "random(5)"));
    let error = replay.verify(&other).unwrap_err();
    assert!(matches!(error, ReplayError::Differs { changed: true, .. }));
    assert!(error.to_string().ends_with("(the content has changed since the match was recorded)"));
    let faulty =
        game_of(&SCRIPT.replace("for _ = 1, dice do", "if dice == 2 then error(\"no\") end for _ = 1, dice do"));
    assert!(matches!(replay.verify(&faulty), Err(ReplayError::Refused { .. })));
    let error = Replay { game: "cards".to_owned(), ..replay }.verify(&game).unwrap_err();
    assert_eq!(error.to_string(), "this is a match of `cards`, not of `dice`");
}

#[test]
fn an_edited_position_cannot_be_verified() {
    let game = game_of(SCRIPT);
    let mut m = played(&game, 3);
    m.edit().set_counter(1, 0, 500).unwrap();
    let error = Replay::record(&m).verify(&game).unwrap_err();
    assert!(matches!(error, ReplayError::Differs { step: 3, .. }));
    let mut m = begin(&game);
    m.edit().set_counter(1, 0, 500).unwrap();
    assert!(matches!(Replay::record(&m).verify(&game), Err(ReplayError::Differs { step: 0, .. })));
}

#[test]
fn the_recorded_version_is_the_one_in_use() {
    let manifest = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml")).unwrap();
    assert!(manifest.contains(&format!("mlua = {{ version = \"={MLUA}\"")));
}
