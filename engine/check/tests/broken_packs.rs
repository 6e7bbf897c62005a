//! Tests of broken packs.
//!
//! Each folder of `tests/fixtures/broken/` holds a pack and `expected.txt` with all its diagnostics. The test fails if the file is
//! missing and never writes it.

mod expected;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use motherlode::{Pack, find_packs};
use motherlode_check::check;
use motherlode_check::codes::explanation;

use expected::difference;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/broken")
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Returns the diagnostics of a case's only pack as text.
fn diagnostics(case: &Path) -> String {
    let packs = sorted(&case.join("content"));
    let [folder] = packs.as_slice() else { panic!("{} must hold one pack", case.display()) };
    let id = folder.file_name().unwrap().to_str().unwrap();
    match Pack::open(case, id) {
        Ok(pack) => match check(&pack) {
            Ok(checked) => checked.warnings.to_string(),
            Err(faults) => faults.to_string(),
        },
        Err(faults) => faults.to_string(),
    }
}

#[test]
fn all_faults_of_broken_packs_are_reported() {
    let mut failures = String::new();
    let mut cases = 0;
    for case in sorted(&fixtures()).into_iter().filter(|path| path.is_dir()) {
        cases += 1;
        failures.push_str(&difference(&case, &diagnostics(&case)));
    }
    assert!(failures.is_empty(), "\n{failures}");
    assert!(cases >= 25, "only {cases} cases");
}

/// The shipped games have no diagnostics, not even warnings.
#[test]
fn shipped_packs_have_no_finding() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let ids = find_packs(&root).unwrap();
    assert!(ids.len() >= 2, "{ids:?}");
    for id in ids {
        let checked = Pack::open(&root, &id).and_then(|pack| check(&pack)).unwrap_or_else(|faults| panic!("{faults}"));
        assert!(checked.warnings.is_empty(), "{}", checked.warnings);
    }
}

/// Every code of reading and loading has an explanation, and a case or a unit test.
#[test]
fn every_code_has_a_case_and_an_explanation() {
    // `unreadable` is a fault of the disk, and `host` is a fault of the engine.
    const IN_UNIT_TESTS: [&str; 9] = [
        "duplicate-file",
        "hidden-character",
        "host",
        "not-a-file",
        "outside",
        "too-large",
        "unknown-pack",
        "unreadable",
        "wrong-cell",
    ];
    let mut seen = BTreeSet::new();
    let mod_cases =
        sorted(&fixtures().with_file_name("broken_mods")).into_iter().filter(|path| !path.ends_with("base"));
    for case in sorted(&fixtures()).into_iter().chain(mod_cases).filter(|path| path.is_dir()) {
        let expected = fs::read_to_string(case.join("expected.txt")).unwrap();
        seen.extend(expected.lines().filter_map(|line| {
            let (_, rest) = line.split_once('[')?;
            rest.split_once(']').map(|(code, _)| code.to_owned())
        }));
    }
    let unexplained: Vec<&String> = seen.iter().filter(|code| explanation(code).is_none()).collect();
    assert!(unexplained.is_empty(), "no explanation of {unexplained:?}");
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut missing = Vec::new();
    for file in [engine.join("content/src"), engine.join("rules/src/script")].into_iter().flat_map(rust_files) {
        let text = fs::read_to_string(&file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap();
        // Other texts in the place of a code are single words.
        for code in codes(text).filter(|code| code.contains('-') || explanation(code).is_some()) {
            let is_seen = seen.contains(code) || IN_UNIT_TESTS.contains(&code);
            if !is_seen || explanation(code).is_none() {
                missing.push(format!("{code} in {}", file.display()));
            }
        }
    }
    assert!(missing.is_empty(), "no case for, or no explanation of, {missing:#?}");
}

fn rust_files(folder: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in sorted(&folder) {
        if path.is_dir() {
            found.extend(rust_files(path));
        } else if path.extension().is_some_and(|kind| kind == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
    found
}

/// Iterates over the codes in a source file: the first text in each call that makes a fault.
fn codes(text: &str) -> impl Iterator<Item = &str> {
    let calls = ["fault(", "of_file(", "code: "];
    calls.into_iter().flat_map(move |call| text.split(call).skip(1)).filter_map(|rest| {
        let (before, rest) = rest.split_once('"')?;
        let code = rest.split_once('"')?.0;
        let plain = !before.contains(['(', '[', ')', ';', '\n']) || before.trim().is_empty();
        (plain && !code.is_empty() && code.chars().all(|c| c.is_ascii_lowercase() || c == '-')).then_some(code)
    })
}
