//! Special files in place of a regular file: pipes, devices, sockets, folders, endless files. Every command refuses the
//! file at once, by its name.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use motherlode::SourceFile;
use motherlode_fixtures::write;
use motherlode_play::rule_test::{TestFiles, TestFilter};

use crate::cli::program::{Run, packs, run_program};

/// Runs `lode` with limits on time (exit code 124) and memory.
fn lode(arguments: &[&str]) -> Run {
    let mut shell = Command::new("bash");
    shell.args(["-c", "ulimit -v 4000000; exec timeout 60 \"$0\" \"$@\"", env!("CARGO_BIN_EXE_lode")]);
    run_program(shell, &packs(), arguments, b"")
}

/// Puts something at a path.
type Put = fn(&Path);

/// The expected error for each special or oversized file.
const STRANGE: [(&str, Put); 5] = [
    ("not a regular file", |path| {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }),
    ("not a regular file", |path| drop(UnixListener::bind(path).unwrap())),
    ("not a regular file", |path| symlink("/dev/zero", path).unwrap()),
    ("not a regular file", |path| fs::create_dir(path).unwrap()),
    ("larger than|its checksum is wrong", |path| fs::File::create(path).unwrap().set_len(1 << 40).unwrap()),
];

/// Checks that a command names the file and its fault, for every special file.
#[track_caller]
fn refuses(file: &Path, arguments: &[&str]) {
    let kept = file.with_extension("kept");
    let there = fs::rename(file, &kept).is_ok();
    for (expected, put) in STRANGE {
        put(file);
        let run = lode(arguments);
        let name = file.file_name().unwrap().to_str().unwrap();
        let told = format!("{}{}", run.out, run.err);
        assert!([1, 2].contains(&run.code), "{arguments:?}: {run:?}");
        assert!(told.contains(name), "{arguments:?} does not name `{name}`: {run:?}");
        assert!(expected.split('|').any(|why| told.contains(why)), "{arguments:?} does not say `{expected}`: {run:?}");
        if file.is_dir() { fs::remove_dir(file) } else { fs::remove_file(file) }.unwrap();
    }
    if there {
        fs::rename(&kept, file).unwrap();
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn special_files_in_a_kept_run_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let sim = ["sim", "harvest", "--games", "20", "--out", text(&runs)];
    lode(&sim).code(0);
    let own: PathBuf = fs::read_dir(&runs).unwrap().next().unwrap().unwrap().path();
    for name in ["manifest.json", "0-0.jsonl"] {
        for command in [&["merge", text(&runs)][..], &["merge", text(&own)], &sim] {
            refuses(&own.join(name), command);
        }
    }
    refuses(&own.join("manifest.json"), &[&sim[..], &["--shard", "1/2"]].concat());
    // The command looks at neighbouring runs, too.
    fs::create_dir(runs.join("other")).unwrap();
    refuses(&runs.join("other/manifest.json"), &sim);
    fs::remove_dir(runs.join("other")).unwrap();
    lode(&["merge", text(&runs)]).code(0).says("20 games");
}

#[test]
fn special_files_as_matches_and_values_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (save, value) = (at("save.json"), at("learned.value"));
    lode(&["play", "harvest", "--seats", "random", "--seed", "1", "--save", text(&save)]).code(0);
    for command in
        [&["replay", text(&save)][..], &["replay", text(&save), "--verify"], &["play", "--resume", text(&save)]]
    {
        refuses(&save, command);
    }
    lode(&["replay", text(&save), "--verify"]).code(0);
    let learned = format!("learned:{}", text(&value));
    refuses(&value, &["sim", "harvest", "--games", "1", "--bots", &learned]);
    refuses(&value, &["sim", "harvest", "--games", "1", "--bots", &learned, "--out", text(&at("runs"))]);
}

#[cfg(feature = "table")]
#[test]
fn a_special_file_as_journal_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().join("keep");
    fs::create_dir(&keep).unwrap();
    refuses(&keep.join("matches.log"), &["table", "--keep", text(&keep)]);
    refuses(&keep.join("matches.log"), &["table", "harvest", "--keep", text(&keep)]);
}

#[test]
fn special_files_as_outputs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    lode(&["schema", "harvest", "--out", text(folder.path())]).code(0);
    let mut made: Vec<PathBuf> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path()).collect();
    made.sort();
    let file = made.iter().find(|path| path.is_file()).unwrap();
    refuses(file, &["schema", "harvest", "--out", text(folder.path())]);
    let rows = folder.path().join("rows.csv");
    for (_, put) in &STRANGE[..4] {
        put(&rows);
        let run = lode(&["sim", "harvest", "--games", "1", "--force", "--out", text(&rows)]).code(2);
        assert!(run.err.contains("cannot write `") && run.err.contains("rows.csv"), "{run:?}");
        if rows.is_dir() { fs::remove_dir(&rows) } else { fs::remove_file(&rows) }.unwrap();
    }
}

/// Every writing command refuses an impossible file name before the first game.
#[test]
fn too_long_names_are_refused_before_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join(".rows.csv.part");
    fs::create_dir(&taken).unwrap();
    let draft =
        lode(&["sim", "harvest", "--games", "100000000", "--out", text(&folder.path().join("rows.csv"))]).code(2);
    assert!(draft.err.contains("the name of its draft, ending in .part, is not a regular file"), "{draft:?}");
    for length in [246, 300] {
        let name = |ending: &str| folder.path().join(format!("{}{ending}", "x".repeat(length))).display().to_string();
        let (rows, page, value, save) = (name(".csv"), name(".html"), name(".value"), name(".json"));
        for arguments in [
            vec!["sim", "harvest", "--games", "100000000", "--out", &rows],
            vec!["arena", "harvest", "--blocks", "100000000", "--bots", "random,first", "--out", &rows],
            vec!["effects", "harvest", "--blocks", "100000000", "--out", &rows],
            vec!["report", "harvest", "--blocks", "100000000", "--out", &page],
            vec!["train", "harvest", "--games", "1000000", "--out", &value],
            vec!["exploit", "harvest", "--blocks", "100000000", "--save", &save],
            vec!["play", "harvest", "--seats", "random,random", "--save", &save],
            vec!["table", "harvest", "--save", &save],
        ] {
            let run = lode(&arguments);
            assert!(run.code == 2 && run.err.contains("its name is too long"), "{arguments:?}: {run:?}");
        }
    }
}

/// `lode test` and `lode check` both report special files among a mod's tests.
#[test]
fn links_among_the_tests_of_a_mod_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own");
    let manifest = "id = \"own\"\nversion = \"1.0.0\"\ngame = \"harvest\"\n";
    fs::create_dir_all(folder.path().join("elsewhere")).unwrap();
    for (made, link) in [("", "tests"), ("tests", "tests/harvest"), ("tests/harvest", "tests/harvest/a.luau")] {
        write(own.join("mod.toml"), manifest);
        fs::create_dir_all(own.join(made)).unwrap();
        symlink(folder.path().join("elsewhere"), own.join(link)).unwrap();
        for command in ["check", "test"] {
            let run = lode(&[command, "harvest", "--mod", text(&own)]);
            let told = format!("{}{}", run.out, run.err);
            let why = format!("`{link}` leads out of the mod");
            assert!(run.code == 1 && told.contains(&why), "{command} {link}: {run:?}");
        }
        fs::remove_dir_all(&own).unwrap();
    }
    write(own.join("mod.toml"), manifest);
    let run = lode(&["test", "harvest", "--mod", text(&own)]).code(2);
    assert!(run.err.contains("there are no tests in `") && run.err.contains("own/tests"), "{run:?}");
}

/// A game whose `game.toml` is a special file is reported as such, not as missing.
#[test]
fn a_special_file_as_game_toml_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content/odd");
    fs::create_dir_all(&content).unwrap();
    fs::create_dir_all(folder.path().join("scripts/odd")).unwrap();
    let file = content.join("game.toml");
    let nowhere: Put = |path| symlink("nowhere", path).unwrap();
    for put in STRANGE[..4].iter().map(|(_, put)| *put).chain([nowhere]) {
        put(&file);
        let linked = file.is_symlink();
        for given in [&["--root", text(folder.path()), "odd"][..], &[text(&content)]] {
            let run = lode(&[&["check"], given].concat()).code(1);
            let why = if linked { "this is not a file of the pack" } else { "this is not a regular file" };
            assert!(run.out.contains("content/odd/game.toml") && run.out.contains(why), "{run:?}");
        }
        if file.is_dir() { fs::remove_dir(&file) } else { fs::remove_file(&file) }.unwrap();
    }
}

/// A link among the tests of a game may point to a private file of the reader.
#[test]
fn links_among_tests_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let tests = folder.path().join("tests/demo");
    fs::create_dir_all(&tests).unwrap();
    fs::write(folder.path().join("secret"), "root:x:0").unwrap();
    symlink(folder.path().join("secret"), tests.join("a.luau")).unwrap();
    symlink(folder.path().join("secret"), tests.join("balance.toml")).unwrap();
    let game = crate::shipped::load(&packs(), "harvest");
    let read = TestFiles::read(folder.path(), "demo").unwrap();
    let results = read.run(&game, TestFilter::All);
    let [fault] = results.as_slice() else { panic!("{results:?}") };
    assert_eq!(
        (fault.file.as_str(), fault.message.as_str()),
        ("tests/demo/a.luau", "cannot be read: the path is a link: replace it with the file")
    );
    let beside =
        motherlode_play::rule_test::read_beside(&tests.join("balance.toml"), "tests/demo/balance.toml").unwrap_err();
    assert!(beside.to_string().contains("the path is a link"), "{beside}");
}

/// Test names and the lines shown with a failure may come from strangers.
#[test]
fn control_characters_in_test_output_are_replaced() {
    let game = crate::shipped::load(&packs(), "harvest");
    let text = "return { [\"a\\27[8mb\\nok: 99 passed\"] = function(t)\nt.equal(1, 2) -- \u{1b}[8m\nend }";
    let path = "tests/harvest/a.luau".to_owned();
    let files = TestFiles::of([SourceFile { path: path.clone(), text: text.replace('\u{1b}', "") }]);
    let results = files.run(&game, TestFilter::All);
    assert_eq!(results[0].name, "a\u{fffd}[8mb\u{fffd}ok: 99 passed");
    let files = TestFiles::of([SourceFile { path: path.clone(), text: text.to_owned() }]);
    assert_eq!(files.line(&path, 2).unwrap(), "t.equal(1, 2) -- \u{fffd}[8m");
}
