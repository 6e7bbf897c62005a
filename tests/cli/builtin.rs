//! A copy of the program far away from its sources uses its built-in copy of the shipped games.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use motherlode_fixtures::copy_folder;
use serde_json::Value;

use super::program::{Run, run, run_program};
use crate::mods::example;
use crate::shipped::{SHIPPED, root};

/// The line that says which games are used.
const NOTE: &str = "using the built-in games";

/// A copied program and an empty folder to run it in.
struct Elsewhere {
    folder: tempfile::TempDir,
    program: PathBuf,
}

impl Elsewhere {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("lode");
        // Another process copies the program: if this one held it open for writing, even in a forked test child, it
        // could not run.
        let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_lode")).arg(&program).status().unwrap();
        assert!(copied.success());
        fs::create_dir(folder.path().join("empty")).unwrap();
        Self { folder, program }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("empty")
    }

    fn lode(&self, arguments: &[&str]) -> Run {
        self.lode_with(arguments, "")
    }

    fn lode_with(&self, arguments: &[&str], input: &str) -> Run {
        run_program(Command::new(&self.program), &self.path(), arguments, input.as_bytes())
    }
}

#[test]
fn built_in_games_equal_the_shipped_games() {
    let elsewhere = Elsewhere::new();
    let ids = |run: Run| -> Vec<String> {
        let list: Vec<Value> = serde_json::from_str(&run.out).unwrap();
        list.iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect()
    };
    let games = elsewhere.lode(&["games", "--format", "json"]).code(0);
    assert_eq!(games.err.matches(NOTE).count(), 1, "{}", games.err);
    let built_in = ids(games);
    assert!(SHIPPED.iter().all(|id| built_in.iter().any(|one| one == id)), "{built_in:?}");
    let check = elsewhere.lode(&["check"]).code(0).complains(NOTE);
    let here = run(root(), &["check"], b"").code(0);
    let of_shipped = |run: &Run| -> Vec<String> {
        let lines = run.out.lines().filter(|line| SHIPPED.iter().any(|id| line.starts_with(id)));
        lines.map(str::to_owned).collect()
    };
    assert_eq!((of_shipped(&check), here.err.as_str()), (of_shipped(&here), ""));
    assert_eq!(elsewhere.path().read_dir().unwrap().count(), 0, "nothing is written");
}

#[test]
fn built_in_games_are_read_played_and_replayed() {
    let elsewhere = Elsewhere::new();
    let bots = ["play", "photon", "--seats", "random,random", "--players", "2", "--seed", "4", "--save", "match.json"];
    elsewhere.lode(&bots).code(0).complains(NOTE).says("The game is over");
    elsewhere.lode(&["replay", "match.json", "--verify"]).code(0).says("verified");
    let file = elsewhere.path().join("match.json").display().to_string();
    run(root(), &["replay", &file, "--verify"], b"").code(0).says("verified");
    let history = elsewhere.lode(&["replay", "match.json", "--history", "2"]).code(0);
    assert!(history.out.starts_with("{\"type\":\"start\",") && history.out.ends_with("{\"type\":\"end\"}\n"));
    elsewhere.lode(&["replay", "match.json", "--history", "3"]).code(2).complains("there is no player 3: use 1 to 2");
    elsewhere.lode(&["sim", "photon", "--games", "3"]).code(0).says("3 games");
    elsewhere.lode(&["rules", "photon", "P-41"]).code(0).says("P-41");
    elsewhere.lode(&["show", "photon", "mine"]).code(0).says("content/photon/buildings.toml:");
    elsewhere.lode(&["explain", "photon", "mine.cost"]).code(0).says("content/photon/buildings.toml:");
    elsewhere.lode(&["schema", "photon"]).code(0).says("\"photon\"");
    let session = elsewhere.lode_with(&["stdio", "photon", "--players", "2"], "{\"quit\":true}\n").code(0);
    session.says("{\"type\":\"start\",\"protocol\":3,\"game\":\"photon\"").keeps_quiet_about(NOTE);
}

#[test]
fn mods_change_built_in_games() {
    let elsewhere = Elsewhere::new();
    let mods = |name: &str| root().join(example(name)).display().to_string();
    let dear = mods("dear_mines");
    elsewhere.lode(&["check", "--mod", &dear]).code(0).says("photon + dear_mines 1.1.0: ok");
    elsewhere.lode(&["test", "--mod", &dear]).code(0).says("photon + dear_mines 1.1.0: 3 passed");
    elsewhere.lode(&["sim", "last_stone", "--games", "3", "--mod", &mods("last_stone")]).code(0);
    let own = elsewhere.path().join("other");
    copy_folder(Path::new(&dear), &own);
    fs::write(own.join("mod.toml"), "id = \"other\"\nversion = \"1.0.0\"\ngame = \"foton\"\n").unwrap();
    elsewhere
        .lode(&["check", "--mod", "other"])
        .code(1)
        .says("there is no game `foton`")
        .says("did you mean `photon`?");
    elsewhere.lode(&["new", "mod", "my_mod", "--game", "photon"]).code(0).says("mods/my_mod/mod.toml");
    elsewhere.lode(&["new", "building", "photon", "quarry", "--mod", "mods/my_mod"]).code(0);
    elsewhere.lode(&["check", "--mod", "mods/my_mod"]).code(0).says("photon + my_mod 0.1.0: ok");
}

#[test]
fn commands_without_files_name_the_searched_folders() {
    let elsewhere = Elsewhere::new();
    let looked = format!("at `{}` or above it", elsewhere.path().canonicalize().unwrap().display());
    for arguments in [
        ["watch", "photon"].as_slice(),
        &["test", "photon"],
        &["test"],
        &["schema", "--install"],
        &["new", "building", "photon", "quarry"],
        &["new", "phase", "photon", "storm", "--dry-run"],
    ] {
        let run = elsewhere.lode(arguments).code(2).complains(&looked).complains("`lode games --export DIR`");
        let run = run.complains("`lode new game ID`");
        assert!(!run.err.contains(NOTE), "{}", run.err);
    }
    elsewhere.lode(&["play", "chess"]).code(2).complains("there is no game `chess`").complains(&looked);
    elsewhere.lode(&["play", "foton"]).code(2).complains("did you mean `photon`?");
    elsewhere.lode(&["games", "--root", "."]).code(2).complains("has no folder content/");
}

#[test]
fn a_new_game_makes_its_project() {
    let elsewhere = Elsewhere::new();
    for arguments in [["games"], ["check"]] {
        elsewhere.lode(&arguments).code(0).complains("begin your own with `lode new game ID`");
    }
    elsewhere.lode(&["new", "game", "chess", "--dry-run"]).code(0).says("would create content/chess/game.toml");
    assert_eq!(elsewhere.path().read_dir().unwrap().count(), 0, "nothing is written");
    elsewhere.lode(&["new", "game", "chess"]).code(0).says("created content/chess/game.toml");
    assert_eq!(elsewhere.lode(&["check"]).code(0).says("chess: ok").err, "");
    elsewhere.lode(&["new", "game", "chess"]).code(2).complains("there is already a game `chess`");
    fs::create_dir(elsewhere.path().join("other")).unwrap();
    elsewhere.lode(&["new", "game", "go", "--root", "other"]).code(0);
    elsewhere.lode(&["check", "--root", "other"]).code(0).says("go: ok");
    // A folder of that name here is not the game below the root.
    fs::create_dir_all(elsewhere.path().join("go/content")).unwrap();
    elsewhere.lode(&["test", "go", "--root", "other"]).code(0).says("go: ");
    fs::write(elsewhere.folder.path().join("mod.toml"), "id = \"a\"\n").unwrap();
    run_program(Command::new(&elsewhere.program), elsewhere.folder.path(), &["new", "game", "go"], b"")
        .code(2)
        .complains("is a mod: make the game in another folder");
}

#[test]
fn a_project_without_games_says_how_to_make_one() {
    let folder = tempfile::tempdir().unwrap();
    for room in ["content", "scripts"] {
        fs::create_dir(folder.path().join(room)).unwrap();
    }
    let lode = |arguments: &[&str]| run(folder.path(), arguments, b"");
    let hint = "/content`: make one with `lode new game ID`";
    lode(&["games"]).code(0).complains(hint);
    lode(&["check"]).code(2).complains(hint);
    lode(&["play", "chess"]).code(2).complains(hint);
}

#[test]
fn built_in_games_are_exported_for_edits() {
    let elsewhere = Elsewhere::new();
    elsewhere.lode(&["games", "--export", "mine"]).code(0).says("wrote atacama, ");
    let written = elsewhere.path().join("mine");
    for id in SHIPPED {
        let packs = [root(), written.as_path()].map(|folder| motherlode::Pack::open(folder, id).unwrap());
        assert!(
            packs[0].files == packs[1].files,
            "{id} is not as it is built in; a development build keeps the games that it was first built with, until `touch engine/cli/build.rs`"
        );
    }
    let own = run_program(Command::new(&elsewhere.program), &written, &["check"], b"").code(0);
    assert_eq!(own.err, "");
    elsewhere.lode(&["new", "building", "photon", "quarry", "--root", "mine"]).code(0);
    elsewhere.lode(&["games", "--export", "mine"]).code(2).complains("exists");
    elsewhere.lode(&["games", "--export", "other", "--root", "mine"]).code(2);
}
