use std::fs;
use std::path::Path;

use motherlode_fixtures::{copy_folder, write};

use super::program::{Run, run};
use crate::mods::example;
use crate::shipped::{SHIPPED, root};

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
    for command in ["check", "games"] {
        let missing = lode(&[command, "--mod", "tests/mods/nothing"]).code(2);
        let why = "error: there is no mod `tests/mods/nothing`: name a folder with mod.toml, or a zip of one\n";
        assert_eq!((missing.out.as_str(), missing.err.as_str()), ("", why));
    }
}

/// A file name cannot forge an output line, neither in a folder nor in a zip.
#[cfg(unix)]
#[test]
fn file_names_cannot_forge_lines() {
    let forged = "photon + evil 1.0.0: ok";
    for mark in ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'] {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            ("mod.toml".to_owned(), "id = \"evil\"\nversion = \"1.0.0\"\ngame = \"photon\"\n"),
            (format!("content/photon/a{mark}{forged}{mark}.toml"), "x = 1\n"),
            (format!("scripts/photon/b{mark}{forged}{mark}.luau"), "return {}\n"),
            (format!("tests/photon/c{mark}{forged}{mark}.luau"), "return { a = function(t) t.equal(1, 2) end }\n"),
        ];
        let mut zip = zip::ZipWriter::new(fs::File::create(folder.path().join("evil.zip")).unwrap());
        for (path, text) in &files {
            write(folder.path().join("evil").join(path), text);
            zip.start_file(path, zip::write::SimpleFileOptions::default()).unwrap();
            std::io::Write::write_all(&mut zip, text.as_bytes()).unwrap();
        }
        zip.finish().unwrap();
        for path in ["evil", "evil.zip"] {
            let path = folder.path().join(path).display().to_string();
            for arguments in [&["check", "photon"][..], &["check", "photon", "--format", "json"], &["test", "photon"]] {
                let run = lode(&[arguments, &["--mod", &path]].concat());
                let said = format!("{}{}", run.out, run.err);
                let lines = || said.split(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']);
                assert!(!lines().any(|line| line.starts_with(forged)), "{mark:?} {arguments:?}: {said}");
            }
        }
    }
}

#[test]
fn tests_of_a_mod_run_with_or_without_the_games_tests() {
    let path = example("dear_mines");
    lode(&["test", "--mod", &path]).code(0).says("photon + dear_mines 1.1.0: 3 passed, 0 failed");
    lode(&["test", "photon", "--all", "--mod", &path]).code(1).says("failed P-17").says("tests/photon/building.luau");
}

#[test]
fn every_playing_command_accepts_mods() {
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
fn a_recorded_match_needs_its_mods() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.json").display().to_string();
    let path = example("lucky_strike");
    let play = ["play", "photon", "--seats", "random,random", "--players", "2", "--seed", "4", "--save", &file];
    lode(&[play.as_slice(), &["--mod", &path]].concat()).code(0);
    lode(&["replay", &file, "--verify", "--mod", &path]).code(0).says("verified");
    lode(&["replay", &file, "--verify"]).code(1).complains(
        "the match was played with the mods lucky_strike 1.0.0, not without mods: `lucky_strike` is missing",
    );
    let dear = example("dear_mines");
    lode(&["replay", &file, "--verify", "--mod", &path, "--mod", &dear])
        .code(1)
        .complains("`dear_mines` was not active");
    let own = folder.path().join("lucky");
    copy_folder(&root().join(&path), &own);
    let given = own.display().to_string();
    let edit = |file: &str, from: &str, to: &str| {
        let text = fs::read_to_string(own.join(file)).unwrap();
        fs::write(own.join(file), text.replace(from, to)).unwrap();
    };
    lode(&["replay", &file, "--verify", "--mod", &given]).code(0).says("verified");
    edit("scripts/photon/phases.luau", "== 0 then", ">= 0 then");
    lode(&["replay", &file, "--verify", "--mod", &given]).code(1).complains("the content has changed since");
    let half = folder.path().join("half.json").display().to_string();
    let play = ["play", "photon", "--seats", "human,random", "--players", "2", "--seed", "4", "--save", &half];
    run(root(), &[play.as_slice(), &["--mod", &path]].concat(), b"1\n").code(0).says("saved; ");
    let resume = ["play", "photon", "--seats", "random,random", "--resume", &half, "--mod"];
    edit("mod.toml", "1.0.0", "1.1.0");
    lode(&[resume.as_slice(), &[&given]].concat())
        .code(1)
        .complains("cannot be resumed")
        .complains("`lucky_strike` was version 1.0.0, and is 1.1.0");
    lode(&resume[..resume.len() - 1]).code(1).complains("`lucky_strike` is missing");
    edit("mod.toml", "1.1.0", "1.0.0");
    lode(&[resume.as_slice(), &[&given]].concat())
        .code(0)
        .says("the content has changed, but the match so far is the same");
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
        .says("function that wraps it  lucky_strike/scripts/photon/phases.luau:4:");
    let nearest_function = "nothing sets `collection.rn`; did you mean `collection.run`?";
    lode(&["explain", "photon", "collection.rn"]).code(2).complains(nearest_function);
    lode(&["explain", "photon", "mine.cots"]).code(2).complains("nothing sets `mine.cots`; did you mean `cost`?");
}

#[test]
fn show_names_the_layer_of_each_field() {
    let path = example("dear_mines");
    lode(&["show", "photon", "mine", "--mod", &path])
        .code(0)
        .says("Two gold come up at every collection.")
        .says("content/photon/buildings.toml:11")
        .says("dear_mines/content/photon/buildings.toml:2")
        .says(" name    Mine        photon            buildings.toml:12")
        .says(" cost    2 gold      dear_mines 1.1.0  buildings.toml:3 ");
    lode(&["show", "photon", "mine", "--mod", &path, "--format", "json"])
        .code(0)
        .says("\"field\": \"cost\",\n        \"mod\": \"dear_mines\"");
    let towers = example("watchtowers");
    lode(&["show", "photon", "--mod", &towers]).code(0).says("photon + watchtowers 1.0.0").says("Watchtower");
}

/// An editable project with the shipped games.
fn workshop() -> tempfile::TempDir {
    let own = tempfile::tempdir().unwrap();
    for folder in ["content", "scripts"] {
        std::os::unix::fs::symlink(root().join(folder), own.path().join(folder)).unwrap();
    }
    own
}

#[test]
fn a_new_mod_is_checked_and_tested_at_once() {
    let own = workshop();
    let lode = |arguments: &[&str]| run(own.path(), arguments, b"");
    for game in SHIPPED {
        let id = format!("my_{game}");
        let path = format!("mods/{id}");
        lode(&["new", "mod", &id, "--game", game]).code(0).says(&format!("created {path}/mod.toml"));
        let check = lode(&["check", "--mod", &path]).code(0);
        assert_eq!(check.out, format!("{game} + {id} 0.1.0: ok\n"));
        lode(&["test", "--mod", &path]).code(0).says("1 passed, 0 failed");
    }
    lode(&["new", "mod", "my_photon", "--game", "photon"]).code(2).complains("already exists: choose another id");
    lode(&["new", "mod", "other", "--game", "foton"]).code(2).complains("did you mean `photon`?");
    lode(&["new", "mod", "photon", "--game", "photon"]).code(2).complains("is the id of the game");
    lode(&["new", "mod", "Other", "--game", "photon"]).code(2).complains("snake_case");
    lode(&["new", "mod", "content", "--game", "photon"]).code(2).complains("is reserved by the engine for a folder");
    lode(&["new", "mod", "other", "--game", "photon", "--dir", "deep/down"]).code(0).says("created deep/down/mod.toml");
    lode(&["check", "--mod", "deep/down"]).code(0).says("photon + other 0.1.0: ok");
    // The commented examples must be valid once the comment signs are removed.
    for file in ["content/photon/actions.toml", "scripts/photon/phases.luau"] {
        assert!(fs::read_to_string(own.path().join("mods/my_photon").join(file)).is_ok(), "{file}");
    }
    let script = own.path().join("mods/my_photon/scripts/photon/phases.luau");
    let text = fs::read_to_string(&script).unwrap();
    let example: String =
        text.lines().filter_map(|line| line.strip_prefix("--     ")).map(|l| l.to_owned() + "\n").collect();
    fs::write(&script, format!("return {{\n{example}}}\n")).unwrap();
    lode(&["test", "--mod", "mods/my_photon"]).code(0).says("1 passed, 0 failed");
    lode(&["explain", "photon", "opening.run", "--mod", "mods/my_photon"]).code(0).says("function that wraps it");
}

#[test]
fn new_items_go_to_the_named_mod() {
    let own = workshop();
    let lode = |arguments: &[&str]| run(own.path(), arguments, b"");
    lode(&["new", "mod", "my_mod", "--game", "miners_lagoon"]).code(0);
    let path = "mods/my_mod";
    lode(&["new", "equipment", "miners_lagoon", "steam_pump", "--mod", path])
        .code(0)
        .says("created mods/my_mod/content/miners_lagoon/equipment.toml");
    lode(&["new", "card", "miners_lagoon", "equipment", "winch", "--script", "--mod", path])
        .code(0)
        .says("added to mods/my_mod/content/miners_lagoon/equipment.toml")
        .says("created mods/my_mod/scripts/miners_lagoon/equipment.luau");
    lode(&["new", "verb", "miners_lagoon", "dredge", "--mod", path])
        .code(0)
        .says("mods/my_mod/scripts/miners_lagoon/verbs.luau");
    lode(&["new", "phase", "miners_lagoon", "storm", "--mod", path]).code(0);
    lode(&["new", "kind", "miners_lagoon", "storms", "--mod", path]).code(0);
    lode(&["new", "equipment", "miners_lagoon", "steam_pump", "--mod", path]).code(2).complains("already");
    lode(&["new", "equipment", "photon", "steam_pump", "--mod", path]).code(2).complains("is for `miners_lagoon`");
    lode(&["check", "--mod", path]).code(0);
    lode(&["test", "--mod", path]).code(0);
    lode(&["show", "miners_lagoon", "winch", "--mod", path])
        .code(0)
        .says("my_mod/scripts/miners_lagoon/equipment.luau:");
    let zip = own.path().join("my_mod.zip");
    super::super::mods::zip(&own.path().join(path), &zip);
    lode(&["check", "--mod", "my_mod.zip"]).code(0);
    lode(&["new", "equipment", "miners_lagoon", "hoist", "--mod", "my_mod.zip"])
        .code(2)
        .complains("cannot edit the zip");
    assert!(!Path::new(&root().join("mods")).exists(), "the shipped games stay untouched");
}
