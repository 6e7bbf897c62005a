//! Broken mods: each folder of `tests/fixtures/broken_mods/` but `base` holds mods over the game in `base`, and `expected.txt`,
//! every diagnostic of them. An expected file that is missing is a failure; none is ever written by the test.

mod expected;

use std::fs;
use std::path::{Path, PathBuf};

use motherlode::{Diagnostics, Mod, Pack};
use motherlode_check::{Checked, check};

use expected::difference;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/broken_mods")
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    paths.sort();
    paths
}

/// Loads these mods over the game of the fixtures.
fn load(paths: &[PathBuf]) -> Result<Checked, Diagnostics> {
    let mut unread = Diagnostics::default();
    let mut mods = Vec::new();
    for path in paths {
        match Mod::open(path) {
            Ok(one) => mods.push(one),
            Err(faults) => unread.list.extend(faults.list),
        }
    }
    if !unread.is_empty() {
        return Err(unread);
    }
    let game = if mods.iter().any(|one| one.game() == "demo") { "demo" } else { mods[0].game() }.to_owned();
    Pack::with_mods(&fixtures().join("base"), &game, mods).and_then(|pack| check(&pack))
}

fn told(paths: &[PathBuf]) -> String {
    let told = match load(paths) {
        Ok(checked) => checked.warnings.to_string(),
        Err(faults) => faults.to_string(),
    };
    told.replace(&format!("{}/", fixtures().display()), "")
}

#[test]
fn the_game_beneath_is_whole() {
    let checked = load(&[fixtures().join("duplicate/alpha")]).unwrap_or_else(|faults| panic!("{faults}"));
    assert!(checked.warnings.is_empty(), "{}", checked.warnings);
}

#[test]
fn broken_mods_are_told_all_their_faults() {
    let mut failures = String::new();
    let mut cases = 0;
    for case in folders(&fixtures()).into_iter().filter(|path| !path.ends_with("base")) {
        cases += 1;
        let name = case.file_name().unwrap().to_str().unwrap().to_owned();
        let mut mods = folders(&case);
        let actual = told(&mods);
        mods.reverse();
        if name != "manifest" && !name.starts_with("no_") {
            assert_eq!(actual, told(&mods), "{name}: the order in which mods are given shows");
        }
        failures.push_str(&difference(&case, &actual));
    }
    assert!(failures.is_empty(), "\n{failures}");
    assert!(cases >= 15, "only {cases} cases");
}
