//! A trading card game of events, listeners and modifiers, and mods that listen to the shipped games.

use std::path::PathBuf;

use crate::cli::program::{Run, run};
use crate::shipped::root;

/// Mods of the trading card game, which foresaw none of them.
const MODS: [&str; 3] = ["landing", "thorns", "veiled"];

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
    duel(&["test", "duel"]).code(0).says("35 passed, 0 failed");
    duel(&["sim", "duel", "--games", "100", "--seed", "5"]).code(0).says("100 games");
}

#[test]
fn mods_change_rules_of_the_trading_card_game() {
    for id in MODS {
        let path = format!("mods/{id}");
        duel(&["check", "duel", "--mod", &path]).code(0).says("ok");
        duel(&["test", "duel", "--mod", &path]).code(0).says("1 passed, 0 failed");
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
