use std::fs;
use std::path::Path;

use super::design::workshop;
use super::program::{lode, lode_with, run};
use crate::shipped::root;

const BOTS: [&str; 6] = ["play", "harvest", "--seed", "5", "--seats", "random,random"];
const PERSON: [&str; 6] = ["play", "harvest", "--seed", "5", "--seats", "human,first"];

fn with<'a>(arguments: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [arguments, more].concat()
}

fn file(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_string()
}

#[test]
fn bots_play_and_the_match_is_printed_in_words() {
    lode(&BOTS)
        .code(0)
        .says("harvest: 2 players, seed 5, rounds=2, weather=calm")
        .says("How much do you bid?")
        .says("North bids ")
        .says("The game is over after 2 rounds")
        .says(" wins by ")
        .says("Played by");
}

#[test]
fn the_same_seed_is_the_same_match() {
    assert_eq!(lode(&BOTS).code(0).out, lode(&BOTS).code(0).out);
}

#[test]
fn output_to_a_file_has_no_colour() {
    lode(&BOTS).code(0).keeps_quiet_about("\x1b");
    lode(&["games"]).code(0).keeps_quiet_about("\x1b");
}

#[test]
fn a_person_plays_by_number_name_or_cell() {
    lode_with(&PERSON, "2\nb2\n1\nrest\n")
        .code(0)
        .says("How much do you bid?")
        .says("a number from 0 to 2")
        .says("North (you)")
        .says("North bids 2.")
        .says("North plants b2.")
        .says("North bids 1.")
        .says("The game is over after 2 rounds");
}

#[test]
fn boards_are_drawn_as_boards() {
    lode_with(&PERSON, "0\nb2\n0\n").code(0).says("     a b c").says("   1  S · ·\n   2  · N ·\n   3  · · ·");
    lode_with(&["play", "boards", "--seats", "human,human"], "a1\n")
        .code(0)
        .says("   a   · ·")
        .says("   b  ·   ·")
        .says("   a    B11 ·    2\n   b  ·       ·    3")
        .says("Bob: Wall");
}

#[test]
fn hidden_things_stay_hidden_from_the_person() {
    // The other seat has bid, but nothing is revealed yet. Its card stays hidden.
    lode_with(&["play", "harvest", "--seed", "5", "--seats", "first,human"], "")
        .code(0)
        .says("hand: 1 card")
        .keeps_quiet_about("bids");
}

#[test]
fn wrong_answers_are_explained_and_asked_again() {
    lode_with(&PERSON, "9\n3\nx\n\n-1\nu\n?\nl\no\n2\nq\n")
        .code(0)
        .says("there is no choice 9; type a number from 0 to 2")
        .says("there is no choice 3")
        .says("there is no choice -1")
        .says("`x` is not a choice")
        .says("this is your first decision")
        .says("undo: go back to your previous decision")
        .says("nothing has happened yet")
        .says("North bids 2.");
    lode_with(&PERSON, "2\nzzz\nq\n")
        .code(0)
        .says("`zzz` is not a choice; type a choice as shown above, such as `a1`, or ? for help");
    lode_with(&PERSON, [0xff, 0xfe, b'\n', b'q', b'\n']).code(0).says("is not a choice");
}

#[test]
fn undo_goes_back_to_the_decision_before() {
    // Undoes the bid of 2 after the reveal, and undoes the second planting.
    lode_with(&PERSON, "2\nu\n0\nb2\nu\nc3\nq\n")
        .code(0)
        .says("North bids 2.")
        .says("North bids 0.")
        .says("North plants b2.")
        .says("North plants c3.");
    let folder = tempfile::tempdir().unwrap();
    let save = file(&folder, "match.json");
    lode_with(&with(&PERSON, &["--save", &save]), "2\nu\n0\nb2\nu\nu\n1\nq\n").code(0);
    lode(&["replay", &save]).code(0).says("North bids 1.").keeps_quiet_about("North bids 2.").keeps_quiet_about("b2");
}

#[test]
fn undo_keeps_the_bots_answers() {
    let once = lode_with(&PERSON, "2\nb2\n1\nc3\n").code(0).out;
    let again = lode_with(&PERSON, "2\nb2\nu\nu\n2\nb2\n1\nc3\n").code(0).out;
    let end = |text: &str| text[text.find("The game is over").unwrap()..].to_string();
    assert_eq!(end(&once), end(&again));
}

#[test]
fn the_end_of_input_saves_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let save = file(&folder, "match.json");
    lode_with(&with(&PERSON, &["--save", &save]), "2").code(0).says("saved");
    lode(&["replay", &save]).code(0).says("North bids 2.").says("not finished");
    lode_with(&["play", "--resume", &save, "--seats", "human,first"], "b2\n0\nrest\n")
        .code(0)
        .says("resumed after 2 answers")
        .says("The game is over");
    // The match continues in the same file.
    lode(&["replay", &save, "--verify"]).code(0).says("verified");
    lode(&["replay", &save]).code(0).says("North plants b2.").says("The game is over");
}

/// A resumed match keeps the bots of the save file. `--seats` replaces them.
#[test]
fn a_resumed_match_keeps_its_bots() {
    let folder = tempfile::tempdir().unwrap();
    let save = file(&folder, "match.json");
    lode_with(&with(&PERSON, &["--save", &save]), "2").code(0);
    lode_with(&["play", "--resume", &save], "").code(0).says("players: human, first");
    lode_with(&["play", "--resume", &save, "--seats", "human,rollout:2"], "").code(0).says("players: human, rollout:2");
    lode_with(&["play", "--resume", &save], "").code(0).says("players: human, rollout:2");
    lode(&["replay", &save, "--verify"]).code(0).says("verified");
}

#[test]
fn undo_works_across_a_resume() {
    let folder = tempfile::tempdir().unwrap();
    let save = file(&folder, "match.json");
    lode_with(&with(&PERSON, &["--save", &save]), "2\n").code(0);
    lode_with(&["play", "--resume", &save, "--seats", "human,first"], "u\n0\n").code(0).says("North bids 0.");
}

#[test]
fn a_saved_match_is_never_overwritten_silently() {
    let folder = tempfile::tempdir().unwrap();
    let save = file(&folder, "match.json");
    lode(&with(&BOTS, &["--save", &save])).code(0).says("saved in");
    let before = fs::read(&save).unwrap();
    lode(&with(&BOTS, &["--save", &save])).code(2).complains("exists: overwrite it with --force");
    assert_eq!(fs::read(&save).unwrap(), before);
    lode(&with(&BOTS, &["--save", &save, "--force"])).code(0);
    lode(&with(&BOTS, &["--save", "/nowhere/at/all.json"])).code(2).complains("cannot write");
}

#[test]
fn resume_checks_what_it_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let save = file(&folder, "match.json");
    lode_with(&with(&PERSON, &["--save", &save]), "2\n").code(0);
    lode(&["play", "--resume", "nowhere.json"]).code(2).complains("there is no file `nowhere.json`");
    lode(&["play", "boards", "--resume", &save]).code(2).complains("is a match of `harvest`");
    lode(&["play", "--resume", &save, "--seed", "3"]).code(2).complains("--seed");
    fs::write(&save, "{}").unwrap();
    lode(&["play", "--resume", &save]).code(1);
}

#[test]
fn a_match_resumes_once_an_edit_that_changes_it_is_taken_back() {
    let own = workshop();
    let lode = |arguments: &[&str], input: &str| run(own.path(), arguments, input.as_bytes());
    let save = file(&own, "match.json");
    lode(&["play", "harvest", "--seed", "5", "--seats", "human,human", "--save", &save], "2\n1\nb2\n").code(0);
    let bytes = fs::read(&save).unwrap();
    let script = own.path().join("scripts/harvest/phases.luau");
    let old = fs::read_to_string(&script).unwrap();
    let (bid, plant) = ("\"corn\", get(player, \"bid\")", "\"corn\", 1)\n                log");
    for (from, to, answer) in
        [(bid, "\"corn\", 7", "2 (South)"), (plant, "\"corn\", 7)\n                log", "3 (North)")]
    {
        assert!(old.contains(from));
        fs::write(&script, old.replace(from, to)).unwrap();
        let refused = lode(&["play", "--resume", &save], "").code(1);
        assert!(!refused.err.contains("expected state"), "{}", refused.err);
        refused.complains(&format!(
            "cannot be resumed: the rules have changed, and the match differs from answer {answer} on; revert the edit to \
             resume it, or view the part before with `lode table --replay {save}`"
        ));
        assert_eq!(fs::read(&save).unwrap(), bytes);
    }
    fs::write(&script, &old).unwrap();
    lode(&["play", "--resume", &save], "").code(0).says("resumed after 3 answers");
}

#[test]
fn replays_are_verified_shown_and_stopped_at_a_step() {
    let folder = tempfile::tempdir().unwrap();
    let save = file(&folder, "match.json");
    lode(&with(&BOTS, &["--save", &save])).code(0);
    lode(&["replay", &save])
        .code(0)
        .says("   2  North: How much do you bid? 2\n      South: How much do you bid? 0\n      North bids 2.")
        .says("   3  North: Where")
        .says("The game is over");
    lode(&["replay", &save, "--verify"]).code(0).says("verified");
    lode(&["replay", &save, "--step", "0"])
        .code(0)
        .says("step 0 of 8")
        .says("North is asked: How much")
        .says("South is asked: How much");
    lode(&["replay", &save, "--step", "8"]).code(0).says("The game is over");
    lode(&["replay", &save, "--step", "9"]).code(2).complains("there is no step 9; the match has 8 answers");
    lode(&["replay", "nowhere"]).code(2).complains("there is no file");
    lode(&["replay", "content/harvest/game.toml"]).code(1).complains(
        "`content/harvest/game.toml` is not a recorded match (line 1 is not JSON): name a file that `lode play GAME --save FILE`",
    );
    let sheet = file(&folder, "cards.xlsx");
    fs::write(&sheet, "PK").unwrap();
    lode(&["replay", &sheet])
        .code(1)
        .complains(
            "cards.xlsx` is not a recorded match: name a file that `lode play GAME --save FILE` or `lode report` wrote",
        )
        .complains("; import cards with `lode cards import GAME FILE`")
        .keeps_quiet_about("JSON");
}

#[test]
fn a_damaged_replay_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let save = file(&folder, "match.json");
    lode(&with(&BOTS, &["--save", &save])).code(0);
    let whole = fs::read_to_string(&save).unwrap();
    let damage = |text: &str| {
        fs::write(Path::new(&save), text).unwrap();
        lode(&["replay", &save, "--verify"]).code(1);
        lode(&["replay", &save]).code(1);
    };
    damage(&whole[..whole.len() / 2]);
    damage("");
    damage(&whole.replacen("harvest", "harvets", 1));
    damage(&whole.replacen("\"seed\":5", "\"seed\":6", 1).replacen("\"seed\": 5", "\"seed\": 6", 1));
}

#[test]
fn a_failing_script_ends_a_bots_match_but_not_a_persons() {
    let folder = tempfile::tempdir().unwrap();
    let save = file(&folder, "match.json");
    lode_with(&["play", "stumble", "--save", &save], "pit\n")
        .code(1)
        .complains("fell into the pit")
        .complains("scripts/stumble/phases.luau");
    lode(&["replay", &save]).code(0);
}

#[test]
fn secret_answers_are_shown_to_one_person_and_in_replays() {
    lode_with(&["play", "secrets", "--seats", "human,first"], "2\n1\n")
        .code(0)
        .says("North: Where do you hide it? In the wreck")
        .says("It is worth 9.")
        .says("South has decided.")
        .keeps_quiet_about("South: Where do you hide it?")
        .keeps_quiet_about("It is worth 7.");
    // With two people, a private line appears when its reader's turn comes. The other person sees only that there was
    // an answer.
    let folder = tempfile::tempdir().unwrap();
    let saved = file(&folder, "match.json");
    let both = lode_with(&["play", "secrets", "--seats", "human,human", "--save", &saved], "2\nl\n1\n1\n1\n").code(0);
    let (before, after) = both.out.split_once("It is worth 9.").expect("North reads the line");
    assert!(before.contains("South has decided.") && !before.contains("hide it? In the wreck"), "{before}");
    assert!(after.contains("It is worth 7.") && both.out.matches("It is worth").count() == 2, "{after}");
    lode(&["replay", &saved])
        .code(0)
        .says("North: Where do you hide it? In the wreck (visible to North only)")
        .says("It is worth 9. (visible to North only)");
}

#[test]
fn only_changes_are_shown_again() {
    let out = lode_with(&PERSON, "2\nb2\nq\n").code(0).out;
    assert_eq!(out.matches("North (you)").count(), out.matches("│ Corn").count(), "{out}");
    assert_eq!(out.matches("? NAME shows a card").count(), 1, "the keys are told once: {out}");
    assert_eq!(out.matches("Bid in secret, then plant the field.").count(), 1);
    assert!(out.contains("── Round 1 · Bidding ──") && out.contains("── Round 2 · Bidding ──"), "{out}");
}

#[test]
fn a_key_explains_every_symbol_of_the_table() {
    let out = run(root(), &["play", "imperial_miners", "--players", "2", "--seed", "5"], b"k\nq\n").code(0).out;
    let key = out.rsplit_once("> Mine:").expect("the key follows the prompt").1;
    for symbol in ["1 level 1", "E egyptians", "A atlanteans", "o plain", "Signs: · an empty cell; – nothing"] {
        assert!(key.contains(symbol), "{symbol}: {key}");
    }
    assert_eq!(out.matches("Mine:").count(), 1, "one key for the boards of all players: {out}");
    lode_with(&PERSON, "k\nq\n").code(0).says("Signs: ").says("· an empty cell");
}

#[test]
fn cards_are_shown_by_name() {
    lode_with(&["play", "market", "--seed", "5"], "? rake\n? nothing at all\nq\n")
        .code(0)
        .says("Rake  Tools")
        .says("no card is called `nothing at all`, and no rule mentions it");
}

#[test]
fn words_are_explained_by_the_rules() {
    let input = "? C-29\n? scoring\n? b2\n??\n01\nl\nQuit\n";
    let out = run(root(), &["play", "krysis", "--seed", "5"], input.as_bytes()).code(0).out;
    let one = |text: &str| assert_eq!(out.matches(text).count(), 1, "{text}: {out}");
    one("C-29 The most generous bidder chooses first");
    assert!(out.contains(" score"), "rules of scoring: {out}");
    one("Root Gallery: 1 blue");
    one("show the log of the match");
    one("a number from 0 to 2");
    assert!(out.ends_with("left without saving\n"), "{out}");
}

/// Each of two people undoes only their own answers, and none that the other has answered since.
#[test]
fn undo_never_crosses_another_persons_answer() {
    lode_with(&["play", "harvest", "--seed", "5", "--seats", "human,human"], "2\nu\nq\n").code(0).says("cannot undo");
    lode_with(&PERSON, "2\nu\nq\n").code(0).says("you have seen what followed it");
}

/// A choice whose name begins with a number is typed by that number, unless the number is that of a choice.
#[test]
fn a_name_may_begin_with_a_number() {
    let own = workshop();
    let prompts = own.path().join("content/harvest/prompts.toml");
    let text = fs::read_to_string(&prompts).unwrap();
    let renamed = text.replacen("rest = \"", "rest = \"24 to 21, ", 1);
    assert_ne!(text, renamed, "{text}");
    fs::write(&prompts, renamed).unwrap();
    run(own.path(), &PERSON, b"2\nb2\n1\n24\n").code(0).says("24 to 21").says("The game is over");
}
