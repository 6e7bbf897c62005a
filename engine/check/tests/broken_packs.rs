//! Broken packs: each folder of `tests/fixtures/broken/` holds a pack and `expected.txt`, every diagnostic of it.
//!
//! An expected file that is missing is a failure; none is ever written by the test.

mod expected;

use std::fs;
use std::path::{Path, PathBuf};

use motherlode::{Pack, find_packs};
use motherlode_check::check;

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

/// The diagnostics of the one pack of a case, as text.
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
fn broken_packs_are_told_all_their_faults() {
    let mut failures = String::new();
    let mut cases = 0;
    for case in sorted(&fixtures()).into_iter().filter(|path| path.is_dir()) {
        cases += 1;
        failures.push_str(&difference(&case, &diagnostics(&case)));
    }
    assert!(failures.is_empty(), "\n{failures}");
    assert!(cases >= 25, "only {cases} cases");
}

/// What ships has nothing to tell, not even a warning.
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

/// Every code of a fault that reading can report has a case, or a unit test where files cannot show it.
#[test]
fn every_code_has_a_case() {
    // `unreadable` is a fault of the disk.
    const IN_UNIT_TESTS: [&str; 6] =
        ["duplicate-file", "not-a-file", "not-checked", "outside", "too-large", "unreadable"];
    let mut seen = std::collections::BTreeSet::new();
    let of_mods = sorted(&fixtures().with_file_name("broken_mods")).into_iter().filter(|path| !path.ends_with("base"));
    for case in sorted(&fixtures()).into_iter().chain(of_mods).filter(|path| path.is_dir()) {
        let expected = fs::read_to_string(case.join("expected.txt")).unwrap();
        seen.extend(expected.lines().filter_map(|line| {
            let (_, rest) = line.split_once('[')?;
            rest.split_once(']').map(|(code, _)| code.to_owned())
        }));
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut missing = Vec::new();
    let lint = source.join("script/lint.rs");
    let folders = ["content", "content/mods", "script/lint"].map(|folder| sorted(&source.join(folder)));
    for file in folders.into_iter().flatten().chain([lint, source.join("script/layers.rs")]) {
        if file.is_dir() {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap();
        for code in codes(text) {
            if !seen.contains(code) && !IN_UNIT_TESTS.contains(&code) {
                missing.push(format!("{code} in {}", file.display()));
            }
        }
    }
    assert!(missing.is_empty(), "no case for {missing:#?}");
}

/// The codes in a source text: the first text in each call that makes a fault.
fn codes(text: &str) -> impl Iterator<Item = &str> {
    let calls = ["fault(", "of_file(", "code: "];
    calls.into_iter().flat_map(move |call| text.split(call).skip(1)).filter_map(|rest| {
        let (before, rest) = rest.split_once('"')?;
        let code = rest.split_once('"')?.0;
        let plain = !before.contains(['(', '[', ')', ';', '\n']) || before.trim().is_empty();
        (plain && !code.is_empty() && code.chars().all(|c| c.is_ascii_lowercase() || c == '-')).then_some(code)
    })
}
