//! What a change touches: the ids of the definitions, phases and other things in the changed text, and the tests that name one of
//! them.

use std::collections::{BTreeMap, BTreeSet};

use motherlode::{Game, SourceFile};

/// Most names that are listed.
const MOST_NAMES: usize = 6;

/// What a change touches.
#[derive(Debug, Default)]
pub struct Touched {
    /// Something without a name changed, or something that anything may depend on.
    everything: bool,
    /// Test files.
    files: BTreeSet<String>,
    /// Ids.
    names: BTreeSet<String>,
}

impl Touched {
    /// Everything.
    pub fn everything() -> Self {
        Self { everything: true, ..Self::default() }
    }

    /// Whether all tests of a file are touched.
    pub fn has_file(&self, path: &str) -> bool {
        self.everything || self.files.contains(path)
    }

    /// Whether a text names anything touched.
    pub fn has_words(&self, text: &str) -> bool {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        text.split(|c| !is_word(c)).any(|word| self.names.contains(word))
    }

    /// Ids of what is touched; none: that may be anything.
    pub fn names(&self) -> &BTreeSet<String> {
        static ANY: BTreeSet<String> = BTreeSet::new();
        if self.everything || !self.files.is_empty() { &ANY } else { &self.names }
    }

    /// Which tests these are, after the word "tests".
    pub fn words(&self) -> String {
        if self.everything || self.names.is_empty() {
            return String::new();
        }
        let shown: Vec<&str> = self.names.iter().take(MOST_NAMES).map(String::as_str).collect();
        let more = self.names.len() - shown.len();
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!(" of {}{rest}", shown.join(", "))
    }
}

/// Whether a file holds rule tests: `tests/checkers/moves.luau`, or the same below the id of a mod.
pub fn is_test(path: &str) -> bool {
    path.starts_with("tests/") || path.split('/').nth(1) == Some("tests")
}

/// Paths of the files that differ.
pub fn paths(before: &[SourceFile], now: &[SourceFile]) -> Vec<String> {
    let old: BTreeMap<&str, &str> = before.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    let new: BTreeMap<&str, &str> = now.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    let all: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    all.into_iter().filter(|path| old.get(path) != new.get(path)).map(str::to_owned).collect()
}

/// What differs between two states of a game.
pub fn touched(before: (&Game, &[SourceFile]), now: (&Game, &[SourceFile])) -> Touched {
    let mut touched = Touched::default();
    let text = |files: &[SourceFile], path: &str| -> String {
        files.iter().find(|file| file.path == path).map(|file| file.text.clone()).unwrap_or_default()
    };
    for path in paths(before.1, now.1) {
        let (old, new) = (text(before.1, &path), text(now.1, &path));
        if is_test(&path) && path.ends_with("/lib.luau") {
            touched.everything = true;
        } else if is_test(&path) {
            touched.files.insert(path);
        } else if path.ends_with(".md") {
            // Text for people does not change a match.
        } else if path.ends_with("/mod.toml") {
            touched.everything = true;
        } else if path.ends_with(".toml") {
            content(path.ends_with("/game.toml"), &old, &new, &mut touched);
        } else {
            for (game, text, other) in [(before.0, &old, &new), (now.0, &new, &old)] {
                script(game, &path, text, other, &mut touched);
            }
        }
    }
    // A test that names a card also tests the card's verbs.
    for definition in &now.0.declarations().definitions {
        if definition.verbs.values().flatten().any(|call| touched.names.contains(&call.verb)) {
            touched.names.insert(definition.id.clone());
        }
    }
    touched
}

/// The tables of a TOML file that differ.
fn content(is_game: bool, old: &str, new: &str, touched: &mut Touched) {
    let (old, new) = (sections(old), sections(new));
    let all: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for header in all.into_iter().filter(|header| old.get(*header) != new.get(*header)) {
        let mut parts = header.split('.').map(|part| part.trim_matches(['"', '\'', ' ']));
        // In game.toml the name comes second: `counters.gold`.
        let name = if is_game { parts.nth(1) } else { parts.next() };
        match name.filter(|name| !name.is_empty()) {
            Some(name) => drop(touched.names.insert(name.to_owned())),
            None => touched.everything = true,
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
            // A key of the whole file is a name of its own in files such as texts.toml.
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

/// The functions in the lines where two scripts differ.
fn script(game: &Game, path: &str, text: &str, other: &str, touched: &mut Touched) {
    let (lines, others): (Vec<&str>, Vec<&str>) = (text.lines().collect(), other.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let first = lines.iter().zip(&others).take_while(same).count();
    let most = lines.len().min(others.len()) - first;
    let last = lines.len() - lines.iter().rev().zip(others.iter().rev()).take_while(same).count().min(most);
    let functions: Vec<_> = game.functions().iter().filter(|function| function.file == path).collect();
    let starts: Vec<usize> = functions.iter().map(|function| function.line as usize).collect();
    // From 1, both ends included; if lines were only removed, the line before them.
    let (from, to) = (first + 1, last.max(first + 1));
    let inside = |at: usize| {
        let end = starts.get(at + 1).map_or(usize::MAX, |next| next.saturating_sub(1));
        starts[at] <= to && end >= from
    };
    let hit: Vec<usize> = (0..functions.len()).filter(|at| inside(*at)).collect();
    let outside = starts.first().is_none_or(|start| from < *start);
    if outside || path.ends_with("/lib.luau") || path.ends_with("/game.luau") {
        touched.everything = true;
        return;
    }
    for function in hit.into_iter().map(|at| functions[at]) {
        touched.names.insert(if function.of.is_empty() { function.name.clone() } else { function.of.clone() });
    }
}
