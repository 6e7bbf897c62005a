//! The header: the accessors a script uses, put in front of it on its first line.
//!
//! Luau inlines local functions of the same chunk and nothing else, so the accessors (`std/accessors.luau`) must stand in
//! every script that uses them. Only what the script names is put there: 200 locals are the limit.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use indexmap::IndexMap;

use crate::script::specialise::{NEEDS, Specialised, specialise};
use motherlode_content::declare::Declarations;

/// One accessor.
#[derive(Debug, Clone)]
pub struct Accessor {
    /// Its name.
    pub name: &'static str,
    /// Typed signature: `get(holder: Holder, counter: Counter): number`.
    pub signature: &'static str,
    /// What it does.
    pub text: &'static str,
    /// What it is about: `Counters`.
    pub group: &'static str,
    /// A word of [`PLACES`] if it may not be called everywhere, else empty.
    pub place: &'static str,
    /// Its Luau source, one line.
    pub code: &'static str,
}

/// Where an accessor may be called, by the word at the end of its line.
pub const PLACES: [(&str, &str); 6] = [
    (
        "writes",
        "where something may change: everywhere but in `applies`, `order`, `skip` and `offer`; in a sealed phase only what belongs \
         to the hook's own player",
    ),
    ("draws", "as `writes`, but not in a sealed phase, which draws no random numbers"),
    (
        "asks",
        "in `start`, `run`, `turn`, `act` and `finish` of a phase, in `setup` and `finish` of the game, and in what these call",
    ),
    ("lists", "in `offer`, or before `ask`"),
    ("calls", "wherever what the called function does is allowed"),
    ("mods", "in what a script of a mod returns, around a function"),
];

/// All accessors by name: the one list behind scripts, checks, editors and the reference. Headings begin with `--#`.
pub static ACCESSORS: LazyLock<IndexMap<&'static str, Accessor>> = LazyLock::new(|| {
    let mut lines = include_str!("std/accessors.luau").lines();
    let mut all = IndexMap::new();
    let mut group = "";
    while let Some(doc) = lines.next() {
        if let Some(heading) = doc.strip_prefix("--# ") {
            group = heading;
            continue;
        }
        let Some(code) = lines.next() else { break };
        let (signature, text) = doc.trim_start_matches("--- ").split_once(" -- ").unwrap_or((doc, ""));
        let name = signature.split(['(', ':']).next().unwrap_or(signature);
        let marked = text.strip_suffix(']').and_then(|text| text.rsplit_once(" ["));
        let (text, place) = marked.unwrap_or((text, ""));
        all.insert(name, Accessor { name, signature, text, group, place, code });
    }
    all
});

/// Where the header's own names come from.
const BUILTINS: [(&str, &str); 6] = [
    ("__readi32", "buffer.readi32"),
    ("__writei32", "buffer.writei32"),
    ("__btest", "bit32.btest"),
    ("__lshift", "bit32.lshift"),
    ("__type", "type"),
    ("__floor", "math.floor"),
];

/// Words (identifiers) of a source, in order; also those in comments and texts.
pub fn words(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    source.char_indices().filter_map(move |(at, c)| {
        let starts = is_word(c) && !source[..at].chars().next_back().is_some_and(is_word);
        starts.then(|| {
            let end = source[at..].find(|c| !is_word(c)).map_or(source.len(), |n| at + n);
            (at, &source[at..end])
        })
    })
}

/// The source with its header, on the same lines. With declarations, calls that name their counter are specialised, to so many functions
/// at most.
#[must_use]
pub fn with_header(source: &str, declared: Option<(&Declarations, usize)>) -> String {
    let (source, functions) = match declared {
        Some((d, most)) => {
            let Specialised { source, functions } = specialise(source, d, most);
            (source, functions)
        }
        None => (source.to_owned(), String::new()),
    };
    let used: BTreeSet<&str> = words(&source).map(|(_, word)| word).collect();
    let accessors: Vec<&Accessor> = ACCESSORS.values().filter(|a| used.contains(a.name)).collect();
    let needs = if functions.is_empty() { "" } else { NEEDS };
    let own: BTreeSet<&str> = accessors
        .iter()
        .map(|a| a.code)
        .chain([needs])
        .flat_map(words)
        .map(|(_, w)| w)
        .filter(|w| w.starts_with("__") && *w != "__T")
        .collect();
    // The engine's table is a global by a name that no script may write, not an argument that `...` would hand over.
    let mut out = String::from("local __T = __T ");
    for name in own {
        let from =
            BUILTINS.iter().find(|(n, _)| *n == name).map_or_else(|| format!("__T.{name}"), |(_, from)| (*from).into());
        out += &format!("local {name} = {from} ");
    }
    for accessor in accessors {
        out += accessor.code;
        out.push(' ');
    }
    out += &functions;
    // The header reads the state through `buffer`; scripts have none.
    out += "local buffer = nil ";
    out += &source;
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_accessor_has_a_signature_and_a_text() {
        assert!(ACCESSORS.len() > 50);
        for accessor in ACCESSORS.values() {
            assert!(!accessor.text.is_empty() && !accessor.group.is_empty(), "{}", accessor.name);
            assert!(
                accessor.place.is_empty() || PLACES.iter().any(|(word, _)| *word == accessor.place),
                "{}: {}",
                accessor.name,
                accessor.place
            );
            assert!(
                accessor.code.contains(&format!("local function {}(", accessor.name))
                    || accessor.code.starts_with(&format!("local {} =", accessor.name))
            );
        }
    }

    #[test]
    fn the_header_holds_what_is_named_and_keeps_the_lines() {
        let text = with_header("-- a script\nreturn { get(1, 'x') }\n", None);
        assert!(text.contains("local function get(") && !text.contains("local function set("));
        assert_eq!(text.lines().count(), 2);
    }
}
