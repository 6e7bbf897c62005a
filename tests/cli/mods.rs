use super::program::{Run, run};
use crate::mods::example;
use crate::shipped::root;

fn lode(arguments: &[&str]) -> Run {
    run(root(), arguments, b"")
}

#[test]
fn check_shows_the_order_of_the_mods() {
    let (one, other, third) = (example("cheap_watchtowers"), example("watchtowers"), example("lucky_strike"));
    lode(&["check", "--mod", &one, "--mod", &other, "--mod", &third])
        .code(0)
        .says("photon + lucky_strike 1.0.0 + watchtowers 1.0.0 + cheap_watchtowers 0.2.0: ok");
    lode(&["check", "photon", "--mod", &one])
        .code(1)
        .says("cheap_watchtowers/mod.toml:7:28")
        .says("mod `cheap_watchtowers` requires `watchtowers` >=1.0, <2, which is not active");
    let atacama = example("bitter_copper");
    lode(&["check", "photon", "--mod", &atacama])
        .code(2)
        .complains("mod `bitter_copper` is for `atacama`, not for `photon`");
    lode(&["check", "--mod", "tests/mods/nothing"]).code(1).complains("there is no such folder or zip");
}

#[test]
fn tests_of_a_mod_run_alone_or_with_those_of_the_game() {
    let path = example("dear_mines");
    lode(&["test", "--mod", &path]).code(0).says("photon + dear_mines 1.1.0: 3 passed, 0 failed");
    lode(&["test", "photon", "--all", "--mod", &path]).code(1).says("failed P-17").says("tests/photon/building.luau");
}

#[test]
fn everything_that_plays_takes_mods() {
    let path = example("last_stone");
    let bots = ["--mod", &path, "--seed", "1"];
    lode(&[&["play", "last_stone", "--seats", "random,random"], bots.as_slice()].concat())
        .code(0)
        .says("last_stone + last_stone 1.0.0: 2 players, seed 1, stones=21");
    let sim = lode(&[&["sim", "last_stone", "--games", "20", "--format", "json"], bots.as_slice()].concat()).code(0);
    sim.says("\"id\": \"last_stone\"").says("\"fingerprint\"");
    lode(&["rules", "last_stone", "S-3", "--mod", &path]).code(0).says("Whoever takes the last stone wins.");
    lode(&["games", "--mod", &path]).code(0).says("last_stone  Last Stone 1.0.0").says("mods: last_stone 1.0.0");
    lode(&["stdio", "last_stone", "--seats", "random,random", "--mod", &path])
        .code(0)
        .says("\"mods\":[{\"id\":\"last_stone\",\"version\":\"1.0.0\",");
    lode(&["sim", "last_stone"]).code(2).complains("there is no game `last_stone`");
    let dear = example("dear_mines");
    lode(&["rules", "photon", "P-17", "--mod", &dear]).code(0).says("a mine costs 2 gold");
}

#[test]
fn a_recorded_match_wants_its_mods() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.json").display().to_string();
    let path = example("lucky_strike");
    let play = ["play", "photon", "--seats", "random,random", "--players", "2", "--seed", "4", "--save", &file];
    lode(&[play.as_slice(), &["--mod", &path]].concat()).code(0);
    lode(&["replay", &file, "--verify", "--mod", &path]).code(0).says("verified");
    lode(&["replay", &file, "--verify"])
        .code(1)
        .complains("the match was played with the mods lucky_strike 1.0.0, not without mods");
}

#[test]
fn explain_names_the_layer() {
    let path = example("dear_mines");
    lode(&["explain", "photon", "mine.cost", "--mod", &path])
        .code(0)
        .says("buildings.mine.cost.gold")
        .says("photon            1  content/photon/buildings.toml:")
        .says("dear_mines 1.1.0  2  dear_mines/content/photon/buildings.toml:3:17");
    lode(&["explain", "photon", "options.deed_price.default", "--mod", &path, "--format", "json"])
        .code(0)
        .says("\"mod\": \"dear_mines\"")
        .says("\"value\": \"20\"");
    let lucky = example("lucky_strike");
    lode(&["explain", "photon", "collection.run", "--mod", &lucky])
        .code(0)
        .says("phases.collection.run")
        .says("function around it  lucky_strike/scripts/photon/phases.luau:4:");
    lode(&["explain", "photon", "mine.cots"]).code(2).complains("nothing sets `mine.cots`; did you mean `cost`?");
}
