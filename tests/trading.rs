//! A trading card game of events, listeners and modifiers, and mods that listen to the shipped games.

use std::path::PathBuf;

use motherlode_fixtures::copy;

use crate::cli::program::{Run, run};
use crate::shipped::root;

/// Mods of the trading card game, which foresaw none of them.
const MODS: [&str; 5] = ["brawl", "landing", "shields", "thorns", "veiled"];

/// Mods that listen to a shipped game, and change none of its scripts.
const LISTENING: [(&str, &str); 5] = [
    ("atacama", "bounty"),
    ("imperial_miners", "widows_fund"),
    ("krysis", "reliquary"),
    ("miners_lagoon", "dockhands"),
    ("photon", "insurance"),
];

fn fixture(path: &str) -> PathBuf {
    root().join("tests/fixtures").join(path)
}

/// Runs the program in the folder of the trading card game.
fn duel(arguments: &[&str]) -> Run {
    run(&fixture("trading"), arguments, b"")
}

#[test]
fn the_trading_card_game_passes_its_tests_and_random_games() {
    duel(&["check", "duel"]).code(0).says("duel: ok");
    duel(&["test", "duel"]).code(0).says("36 passed, 0 failed");
    duel(&["sim", "duel", "--games", "100", "--seed", "5"]).code(0).says("100 games");
}

#[test]
fn the_table_shows_current_values_beside_printed_ones() {
    duel(&["play", "duel", "--seats", "random,random", "--seed", "5"]).code(0).says("instead of");
}

#[test]
fn sentences_compare_a_new_amount_with_the_old_one() {
    duel(&["show", "duel", "oak_guardian"]).code(0).says("if the player is you: the amount is 1 less.");
    duel(&["show", "duel", "war_furnace"]).code(0).says("the amount is doubled.");
}

#[test]
fn a_kind_that_no_zone_holds_hides_no_current_values() {
    let folder = tempfile::tempdir().unwrap();
    copy(&fixture("trading"), folder.path(), &["content", "scripts"].map(str::to_owned));
    let game = folder.path().join("content/duel/game.toml");
    let declared = std::fs::read_to_string(&game).unwrap() + "\n[kinds.relics]\n";
    std::fs::write(&game, declared).unwrap();
    std::fs::write(game.with_file_name("relics.toml"), "[lamp]\nname = \"Lamp\"\n").unwrap();
    run(folder.path(), &["check", "duel"], b"").code(0).keeps_quiet_about("hidden-modifier");
}

#[test]
fn sentences_list_the_values_of_which_one_must_fit() {
    duel(&["show", "duel", "snare", "--mod", "mods/brawl"]).code(0).says("Aim at one of the wolves and strays: ");
    duel(&["show", "duel", "packs", "--mod", "mods/brawl"])
        .code(0)
        .says("While this has tribe none or wolf: this gets +1 attack.")
        .says("While your life is 3 or 5: this gets +1");
}

#[test]
fn sentences_say_which_player_a_condition_means() {
    let mods = tempfile::tempdir().unwrap();
    copy(&fixture("trading/mods"), mods.path(), &["brawl"]);
    let herald = "[herald]\nname = \"Herald\"\ntype = \"creature\"\nmodifies = [{ while = { \"game.active\" = \"you\" }, \
                  of = { whose = \"yours\" }, add = { attack = 1 } }]\n";
    std::fs::write(mods.path().join("brawl/content/duel/cards.toml"), herald).unwrap();
    let path = mods.path().join("brawl").display().to_string();
    duel(&["show", "duel", "herald", "--mod", &path]).code(0).says("While you are on turn: yours get +1 attack.");
}

/// The same game with its triggers, replacements and continuous effects written in Luau.
#[test]
fn the_trading_card_game_equals_its_twin_without_events() {
    let folder = tempfile::tempdir().unwrap();
    copy(&fixture("trading_twin"), folder.path(), &["content", "scripts"].map(str::to_owned));
    copy(&fixture("trading"), folder.path(), &["tests".to_owned()]);
    run(folder.path(), &["test", "duel"], b"").code(0).says("36 passed, 0 failed");
    let sim = ["sim", "duel", "--games", "60", "--seed", "9"];
    // The last line has the time.
    let results =
        |run: Run| run.code(0).out.lines().filter(|line| !line.contains("games/s")).map(str::to_owned).collect();
    let (own, twin): (Vec<String>, Vec<String>) = (results(duel(&sim)), results(run(folder.path(), &sim, b"")));
    assert_eq!(own, twin);
}

#[test]
fn mods_change_rules_of_the_trading_card_game() {
    for id in MODS {
        let path = format!("mods/{id}");
        duel(&["check", "duel", "--mod", &path]).code(0).says("ok");
        duel(&["test", "duel", "--mod", &path]).code(0).says("0 failed");
        duel(&["sim", "duel", "--games", "20", "--mod", &path]).code(0).says("20 games");
    }
}

#[test]
fn mods_listen_to_the_shipped_games() {
    for (game, id) in LISTENING {
        let path = fixture("listening").join(id).display().to_string();
        let lode = |arguments: &[&str]| run(root(), &[arguments, &[game, "--mod", &path]].concat(), b"");
        lode(&["check"]).code(0).says("ok");
        lode(&["test"]).code(0).says("0 failed");
        lode(&["sim", "--games", "20"]).code(0).says("20 games");
    }
}
