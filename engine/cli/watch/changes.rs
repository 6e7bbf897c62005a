//! Finds the ids that a change of the files affects, and so the tests that name one of them.

use std::collections::{BTreeMap, BTreeSet};

use motherlode::{Game, SourceFile};
use motherlode_content::source::script_stem;

/// Maximum names that are listed.
const MAX_NAMES: usize = 6;

/// The test files and ids that a change affects.
#[derive(Debug, Default)]
pub struct Change {
    /// Whether anything may be affected: the change has no id, or everything may depend on it.
    everything: bool,
    /// Changed test files.
    files: BTreeSet<String>,
    /// Ids of changed definitions, phases and the like.
    names: BTreeSet<String>,
}

impl Change {
    /// A change that may affect anything.
    pub fn everything() -> Self {
        Self { everything: true, ..Self::default() }
    }

    /// Whether the change affects all tests of a file.
    pub fn has_file(&self, path: &str) -> bool {
        self.everything || self.files.contains(path)
    }

    /// Whether a text names an affected id.
    pub fn is_named_in(&self, text: &str) -> bool {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        text.split(|c| !is_word(c)).any(|word| self.names.contains(word))
    }

    /// Affected ids; empty if anything may be affected.
    pub fn names(&self) -> &BTreeSet<String> {
        static ANY: BTreeSet<String> = BTreeSet::new();
        if self.everything || !self.files.is_empty() { &ANY } else { &self.names }
    }

    /// Text for the word "tests": `` that use `gold`, `lake` ``.
    pub fn describe(&self) -> String {
        if self.everything || self.names.is_empty() {
            return String::new();
        }
        let shown: Vec<String> = self.names.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect();
        let more = self.names.len() - shown.len();
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!(" that use {}{rest}", shown.join(", "))
    }
}

/// Whether a file holds rule tests: `tests/checkers/moves.luau`, or the same below the id of a mod.
pub fn is_test(path: &str) -> bool {
    path.starts_with("tests/") || path.split('/').nth(1) == Some("tests")
}

/// Paths of the files that differ between two versions.
pub fn paths(before: &[SourceFile], now: &[SourceFile]) -> Vec<String> {
    let old: BTreeMap<&str, &str> = before.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    let new: BTreeMap<&str, &str> = now.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    let all: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    all.into_iter().filter(|path| old.get(path) != new.get(path)).map(str::to_owned).collect()
}

/// The difference between two versions of a game.
pub fn change(before: (&Game, &[SourceFile]), now: (&Game, &[SourceFile])) -> Change {
    let mut change = Change::default();
    let text = |files: &[SourceFile], path: &str| -> String {
        files.iter().find(|file| file.path == path).map(|file| file.text.clone()).unwrap_or_default()
    };
    for path in paths(before.1, now.1) {
        let (old, new) = (text(before.1, &path), text(now.1, &path));
        if is_test(&path) && path.ends_with("/lib.luau") {
            change.everything = true;
        } else if is_test(&path) {
            change.files.insert(path);
        } else if path.ends_with(".md") {
            // Text for people does not affect a match.
        } else if path.ends_with("/mod.toml") {
            change.everything = true;
        } else if path.ends_with(".toml") {
            content(path.ends_with("/game.toml"), &old, &new, &mut change);
        } else {
            for (game, text, other) in [(before.0, &old, &new), (now.0, &new, &old)] {
                script(game, &path, text, other, &mut change);
            }
        }
    }
    // A test that names a card also tests the verbs of that card.
    for definition in &now.0.declarations().definitions {
        if definition.verbs.values().flatten().any(|call| change.names.contains(&call.verb)) {
            change.names.insert(definition.id.clone());
        }
    }
    change
}

/// Adds the TOML tables that differ.
fn content(is_game: bool, old: &str, new: &str, change: &mut Change) {
    let (old, new) = (sections(old), sections(new));
    let all: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for header in all.into_iter().filter(|header| old.get(*header) != new.get(*header)) {
        let mut parts = header.split('.').map(|part| part.trim_matches(['"', '\'', ' ']));
        // In game.toml the name comes second: `counters.gold`.
        let name = if is_game { parts.nth(1) } else { parts.next() };
        match name.filter(|name| !name.is_empty()) {
            Some(name) => drop(change.names.insert(name.to_owned())),
            None => change.everything = true,
        }
    }
}

/// The text of each table by its header, without comments and blank lines.
fn sections(text: &str) -> BTreeMap<String, String> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut header = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(name, _)| name)
            && !name.contains([',', '"', '{', '='])
        {
            header = name.trim_matches('[').to_owned();
        } else {
            // In files such as texts.toml, a top-level key is an id.
            let key = line.split_once('=').map(|(key, _)| key.trim()).filter(|_| header.is_empty());
            let entry = found.entry(key.map_or_else(|| header.clone(), str::to_owned)).or_default();
            entry.push_str(line);
            entry.push('\n');
            continue;
        }
        found.entry(header.clone()).or_default();
    }
    found
}

/// Adds the functions in the lines where two scripts differ.
fn script(game: &Game, path: &str, text: &str, other: &str, change: &mut Change) {
    let (lines, others): (Vec<&str>, Vec<&str>) = (text.lines().collect(), other.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let first = lines.iter().zip(&others).take_while(same).count();
    let most = lines.len().min(others.len()) - first;
    let last = lines.len() - lines.iter().rev().zip(others.iter().rev()).take_while(same).count().min(most);
    let functions: Vec<_> = game.functions().iter().filter(|function| function.file == path).collect();
    let starts: Vec<usize> = functions.iter().map(|function| function.line as usize).collect();
    // Line numbers from 1, inclusive; if lines were only removed, the line before them.
    let (from, to) = (first + 1, last.max(first + 1));
    let inside = |at: usize| {
        let end = starts.get(at + 1).map_or(usize::MAX, |next| next.saturating_sub(1));
        starts[at] <= to && end >= from
    };
    let hit: Vec<usize> = (0..functions.len()).filter(|at| inside(*at)).collect();
    let outside = starts.first().is_none_or(|start| from < *start);
    if outside || matches!(script_stem(path), "lib" | "game") {
        change.everything = true;
        return;
    }
    for function in hit.into_iter().map(|at| functions[at]) {
        change.names.insert(if function.of.is_empty() { function.name.clone() } else { function.of.clone() });
    }
}
