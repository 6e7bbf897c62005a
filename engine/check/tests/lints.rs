//! Runs the fixtures of the lints.
//!
//! Every lint has a folder with its name in `tests/lints/`. `ok*.luau` has no finding, and `err*.luau` has the finding of the lint.
//! `expected.txt` lists all diagnostics of the scripts. The test fails if the file is missing and never writes it.
//!
//! A script is the `phases.luau` of the game in `tests/lints/game/`. It may contain further files under comments with their names
//! (`-- lib.luau`, `-- places.toml`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use motherlode::Pack;
use motherlode_check::check;
use motherlode_check::lints::{LINTS, Lint};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lints")
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Splits a fixture or an example into files. Each file keeps its line numbers.
fn split(script: &str) -> BTreeMap<String, String> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut path = None;
    for (line, text) in script.lines().enumerate() {
        let header = text.strip_prefix("-- ").filter(|name| name.ends_with(".luau") || name.ends_with(".toml"));
        if let Some(name) = header.filter(|name| !name.contains(' ')) {
            let folder = if name.ends_with(".toml") { "content" } else { "scripts" };
            path = Some(format!("{folder}/demo/{name}"));
            continue;
        }
        if path.is_none() && text.trim().is_empty() {
            continue;
        }
        let file = files.entry(path.get_or_insert_with(|| "scripts/demo/phases.luau".to_owned()).clone()).or_default();
        if file.is_empty() {
            file.push_str(&"\n".repeat(line));
        }
        file.push_str(text);
        file.push('\n');
    }
    files
}

/// Returns the code and the text (`line:column: error[code]: message; help: ...`) of all diagnostics.
fn findings(script: &str) -> Vec<(&'static str, String)> {
    let mut files = BTreeMap::new();
    for folder in ["content", "scripts"] {
        for path in sorted(&fixtures().join("game").join(folder).join("demo")) {
            files.insert(format!("{folder}/demo/{}", name(&path)), read(&path));
        }
    }
    let own = split(script);
    files.extend(own.clone());
    let found = match check(&Pack::from_files("demo", files)) {
        Ok(checked) => checked.warnings,
        Err(faults) => faults,
    };
    let mut list = found.list;
    list.sort_by_key(|one| (one.file.ends_with(".toml"), one.line, one.column));
    let shown = |text: String, file: &str| match text.strip_prefix(file).filter(|_| own.contains_key(file)) {
        Some(rest) => rest.trim_start_matches(':').to_owned(),
        None => text,
    };
    list.iter().map(|one| (one.code, shown(one.to_string(), &one.file))).collect()
}

#[test]
fn each_lint_has_its_file_and_its_fixtures() {
    let names: Vec<&str> = LINTS.iter().map(|lint| lint.name).collect();
    assert!(names.is_sorted(), "{names:?}");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lints");
    let files: Vec<String> =
        sorted(&source).iter().map(|path| name(path).trim_end_matches(".rs").replace('_', "-")).collect();
    assert_eq!(names, files, "one lint, one file");
    let folders: Vec<String> =
        sorted(&fixtures()).iter().map(|path| name(path).to_owned()).filter(|name| name != "game").collect();
    assert_eq!(names, folders, "one lint, one folder of fixtures");
}

#[test]
fn fixtures_have_the_expected_findings() {
    let mut failures = String::new();
    for lint in LINTS {
        let folder = fixtures().join(lint.name);
        let scripts: Vec<PathBuf> =
            sorted(&folder).into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "luau")).collect();
        let mut actual = String::new();
        let mut kinds = BTreeSet::new();
        for path in &scripts {
            let (file, found) = (name(path), findings(&read(path)));
            let is_ok = file.starts_with("ok");
            kinds.insert(is_ok);
            if is_ok && !found.is_empty() || !is_ok && !found.iter().any(|(code, _)| *code == lint.name) {
                failures.push_str(&format!("{}/{file}: {found:#?}\n", lint.name));
            }
            actual.extend(found.iter().map(|(_, text)| format!("{file}:{text}\n")));
        }
        if kinds.len() != 2 {
            failures.push_str(&format!("{}: no ok*.luau or no err*.luau\n", lint.name));
        }
        match fs::read_to_string(folder.join("expected.txt")) {
            Ok(expected) if expected == actual => {}
            Ok(expected) => failures.push_str(&format!("--- {}: expected\n{expected}--- actual\n{actual}", lint.name)),
            Err(error) => failures.push_str(&format!("--- {}/expected.txt: {error}\n--- actual\n{actual}", lint.name)),
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn examples_have_the_finding_or_none() {
    let mut failures = String::new();
    for Lint { name, why, bad, good, .. } in LINTS {
        let (of_bad, of_good) = (findings(bad), findings(good));
        if of_bad.is_empty() || of_bad.iter().any(|(code, _)| code != name) {
            failures.push_str(&format!("{name}: the bad example has {of_bad:#?}\n"));
        }
        if !of_good.is_empty() {
            failures.push_str(&format!("{name}: the good example has {of_good:#?}\n"));
        }
        if !why.ends_with('.') || why.contains("  ") {
            failures.push_str(&format!("{name}: {why:?}\n"));
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}
