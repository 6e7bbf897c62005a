//! The rule tests of every pack, and their coverage of the numbered rules.
//!
//! A rule test is a Luau function in `tests/<game>/`. Its name begins with the rule numbers that it proves. A Rust test
//! may prove rules about the engine instead; its name contains the number: `p_25_nobody_sees_...`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use motherlode::{Game, Pack};
use motherlode_play::rule_test::{TestFiles, TestFilter, TestResult};

use crate::shipped::{SHIPPED, load, root};

fn packs() -> Vec<String> {
    let packs = motherlode::find_packs(root()).unwrap();
    assert!(!packs.is_empty(), "there are no packs below {}", root().display());
    packs
}

/// All rule tests of a pack, run once for this module.
fn results(id: &str) -> &'static [TestResult] {
    static RESULTS: LazyLock<BTreeMap<String, Vec<TestResult>>> = LazyLock::new(|| {
        let run = |id: String| {
            let game = load(root(), &id);
            let results = TestFiles::read(root(), &id).unwrap().run(&game, TestFilter::All);
            (id, results)
        };
        packs().into_iter().map(run).collect()
    });
    &RESULTS[id]
}

#[test]
fn every_rule_test_of_every_pack_passes() {
    let mut failures = Vec::new();
    for id in packs() {
        let results = results(&id);
        if results.is_empty() {
            failures.push(format!("{id} has no rule tests: there is nothing in tests/{id}/"));
        }
        for TestResult { name, message, line, file, .. } in results.iter().filter(|result| !result.passed) {
            let file = file.strip_prefix(&format!("{}/", root().display())).unwrap_or(file);
            failures.push(format!("{file}:{line}: {name}\n    {}", message.replace('\n', "\n    ")));
        }
    }
    assert!(failures.is_empty(), "{} rule tests failed\n\n{}\n", failures.len(), failures.join("\n\n"));
}

/// Adds 1 to every number with one of these names: `cost = 3`.
fn raised(text: &str, names: &[&str]) -> String {
    let raise = |line: &str| {
        let mut out = String::new();
        let mut rest = line;
        while let Some((before, after)) = rest.split_once(" = ") {
            let name = before.rsplit(|c: char| c != '_' && !c.is_ascii_alphanumeric()).next();
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let number = after[..digits].parse::<i32>().ok().filter(|_| name.is_some_and(|name| names.contains(&name)));
            out += &format!("{before} = {}", number.map(|n| (n + 1).to_string()).unwrap_or_default());
            rest = if number.is_some() { &after[digits..] } else { after };
        }
        out + rest + "\n"
    };
    text.lines().map(raise).collect()
}

/// Numbers of a game that no numbered rule states, by file.
type Numbers = &'static [(&'static str, &'static [&'static str])];

const BALANCE: [(&str, Numbers); 3] = [
    (
        "imperial_miners",
        &[
            ("mine_level_1", &["most", "vp"]),
            ("mine_level_2", &["times", "vp"]),
            ("mine_level_3", &["most", "second_price"]),
            ("mine_level_4", &["score"]),
            ("events", &["most", "times", "vp"]),
            ("boards", &["most"]),
        ],
    ),
    ("krysis", &[("fighters", &["combat", "speed"]), ("transporters", &["load", "speed"])]),
    ("miners_lagoon", &[("equipment", &["cost"]), ("objectives", &["per"])]),
];

/// The files of a folder and of the folders in it.
fn files_under(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files_under(&path) } else { vec![path] }).collect()
}

/// A game with each of these numbers raised by 1.
fn rebalanced(id: &str, numbers: Numbers) -> Game {
    let mut texts = Vec::new();
    for folder in [format!("content/{id}"), format!("scripts/{id}")] {
        for path in files_under(&root().join(&folder)) {
            let name = path.file_name().unwrap().to_str().unwrap();
            let text = fs::read_to_string(&path).unwrap();
            let raises = numbers.iter().find(|(file, _)| format!("{file}.toml") == name);
            let shown = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
            texts.push((shown, raises.map_or(text.clone(), |(_, names)| raised(&text, names))));
        }
    }
    Game::load(&Pack::from_files(id, texts)).unwrap_or_else(|faults| panic!("{faults}"))
}

/// Rule tests read costs and gains of cards from the content, so a balance edit breaks none.
#[test]
fn a_balance_edit_breaks_no_rule_test() {
    for (id, numbers) in BALANCE {
        let results = TestFiles::read(root(), id).unwrap().run(&rebalanced(id, numbers), TestFilter::All);
        let failed: Vec<&TestResult> = results.iter().filter(|result| !result.passed).collect();
        assert!(failed.is_empty(), "{id} with 1 more of {numbers:?}: {failed:#?}");
    }
    assert_eq!(raised("n = 1\nnn = 3\na = { n = 19 }", &["n"]), "n = 2\nnn = 3\na = { n = 20 }\n");
}

/// Whether a rule needs a test that names it. Rulings do not: the rules that apply them have tests.
fn wants_a_test(number: &str) -> bool {
    !number.starts_with('Q')
}

/// The words of a rule test's name. Numbers are whole words.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(|word| !word.is_empty())
}

/// Whether a Rust name contains a rule number: `p_42a_...` has `P-42a`, `t_p1` has `T-P1`.
fn carries(name: &str, number: &str) -> bool {
    let number = number.to_lowercase().replace('-', "_");
    format!("_{name}_").contains(&format!("_{number}_"))
}

/// Names of all test functions in the top-level files of `tests/`.
fn rust_tests() -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("tests")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let mut test = false;
        for line in text.lines().map(str::trim) {
            if line == "#[test]" {
                test = true;
            } else if let Some(rest) = line.strip_prefix("fn ") {
                if test {
                    names.extend(rest.split('(').next().map(str::to_owned));
                }
                test = false;
            }
        }
    }
    names
}

#[test]
fn every_numbered_rule_has_a_test() {
    let rust = rust_tests();
    assert!(rust.iter().any(|name| name == "every_numbered_rule_has_a_test"), "{rust:?}");
    let mut uncovered = BTreeMap::new();
    for id in packs() {
        let game = load(root(), &id);
        let rules = &game.declarations().rules;
        assert!(!rules.is_empty(), "{id} has no numbered rules in content/{id}/rules.md");
        let results = results(&id);
        let named: BTreeSet<&str> = results.iter().flat_map(|result| words(&result.name)).collect();
        let open: Vec<&str> = rules
            .iter()
            .map(|rule| rule.number.as_str())
            .filter(|number| wants_a_test(number) && !named.contains(number))
            .filter(|number| !rust.iter().any(|name| carries(name, number)))
            .collect();
        if !open.is_empty() {
            uncovered.insert(id, open.join(" "));
        }
    }
    assert!(uncovered.is_empty(), "no test names these rules: {uncovered:#?}");
}

/// An unknown rule number is a typing mistake, and leaves the intended rule without a test.
#[test]
fn every_rule_number_in_a_test_name_exists() {
    let mut unknown = BTreeSet::new();
    for id in packs() {
        let game = load(root(), &id);
        let numbers: BTreeSet<&str> = game.declarations().rules.iter().map(|rule| rule.number.as_str()).collect();
        let letters = |number: &str| number.trim_end_matches(|c: char| !c.is_ascii_uppercase() && c != '-').to_owned();
        let kinds: BTreeSet<String> = numbers.iter().map(|number| letters(number)).collect();
        for result in results(&id) {
            for word in words(&result.name).filter(|word| word.chars().any(|c| c.is_ascii_digit())) {
                if kinds.contains(&letters(word)) && !numbers.contains(word) {
                    unknown.insert(format!("{id}: {word} in `{}`", result.name));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "these are no rules: {unknown:#?}");
}

#[test]
fn numbers_are_whole_words() {
    let named: Vec<&str> = words("P-41, T-P1: the defender (P-42a) keeps one; not P-4").collect();
    assert_eq!(named, ["P-41", "T-P1", "the", "defender", "P-42a", "keeps", "one", "not", "P-4"]);
    assert!(carries("p_42a_p_5_ties", "P-42a") && carries("p_42a_p_5_ties", "P-5") && carries("t_p1", "T-P1"));
    assert!(!carries("p_42a_ties", "P-42") && !carries("p_42_ties", "P-4") && !carries("t_p1", "P-1"));
}

/// The engine is independent of the games: none of its Rust files names a present or planned game.
#[test]
fn the_engines_rust_files_name_no_game() {
    fn visit(folder: &std::path::Path, names: &[String], found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                visit(&path, names, found);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).unwrap().to_lowercase();
                let named = names.iter().filter(|name| text.contains(name.as_str()));
                found.extend(named.map(|name| format!("{} names {name}", path.display())));
            }
        }
    }
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let names = SHIPPED.map(str::to_owned);
    let mut found = Vec::new();
    visit(&root.join("engine"), &names, &mut found);
    assert!(found.is_empty(), "{found:#?}");
}

/// Only the content crate names `toml`. Only the script module, the rule test runner and the script check name `mlua`.
/// Only two modules contain `unsafe`.
#[test]
fn restricted_names_stay_in_their_modules() {
    fn visit(folder: &std::path::Path, look: &mut dyn FnMut(&std::path::Path, &str)) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                visit(&path, look);
            } else if path.extension().is_some_and(|e| e == "rs") {
                look(&path, &std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    let engine = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("engine");
    let mut found = Vec::new();
    visit(&engine, &mut |path, text| {
        let shown = path.strip_prefix(&engine).unwrap().display().to_string().replace('\\', "/");
        let code: Vec<&str> = text.lines().filter(|l| !l.trim_start().starts_with("//")).collect();
        let names = |what: &str| code.iter().any(|l| l.contains(what));
        for (what, rooms) in [
            ("toml::", &["content/src/", "check/src/references/"][..]),
            (
                "mlua::",
                &["rules/src/script/luau/", "rules/src/script/bytecode.rs", "play/src/rule_test/", "check/src/"][..],
            ),
            ("unsafe {", &["rules/src/script/luau/raw/", "rules/src/script/native/raw/"][..]),
        ] {
            if names(what) && !rooms.iter().any(|room| shown.starts_with(room)) {
                found.push(format!("{shown} names `{what}`"));
            }
        }
    });
    assert!(found.is_empty(), "{found:#?}");
}
