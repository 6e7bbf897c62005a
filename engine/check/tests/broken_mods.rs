//! Tests of broken mods.
//!
//! Each folder of `tests/fixtures/broken_mods/` except `base` holds mods of the game in `base`. Its `expected.txt` lists all
//! diagnostics. The test fails if the file is missing and never writes it.

mod expected;

use std::fs;
use std::path::{Path, PathBuf};

use motherlode::{Diagnostics, Mod, Pack};
use motherlode_check::{CheckedGame, check};

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

/// Loads the game of the fixtures with these mods.
fn load(paths: &[PathBuf]) -> Result<CheckedGame, Diagnostics> {
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

fn diagnostics(paths: &[PathBuf]) -> String {
    let text = match load(paths) {
        Ok(checked) => checked.warnings.to_string(),
        Err(faults) => faults.to_string(),
    };
    text.replace(&format!("{}/", fixtures().display()), "")
}

#[test]
fn the_base_game_has_no_fault() {
    let checked = load(&[fixtures().join("duplicate/alpha")]).unwrap_or_else(|faults| panic!("{faults}"));
    assert!(checked.warnings.is_empty(), "{}", checked.warnings);
}

#[test]
fn all_faults_of_broken_mods_are_reported() {
    let mut failures = String::new();
    let mut cases = 0;
    for case in folders(&fixtures()).into_iter().filter(|path| !path.ends_with("base")) {
        cases += 1;
        let name = case.file_name().unwrap().to_str().unwrap().to_owned();
        let mut mods = folders(&case);
        let actual = diagnostics(&mods);
        mods.reverse();
        if name != "manifest" && !name.starts_with("no_") {
            assert_eq!(actual, diagnostics(&mods), "{name}: the order of the mods changes the diagnostics");
        }
        failures.push_str(&difference(&case, &actual));
    }
    assert!(failures.is_empty(), "\n{failures}");
    assert!(cases >= 15, "only {cases} cases");
}
