//! Names: their spelling, and the names declared by a pack.

use std::cell::RefCell;
use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};

use super::declare::{Aim, Family, Filter, Formula};
use super::document::{Key, Referent, Table};
use super::product::Product;
use super::source::LIB;

pub(crate) const OPTION: Referent = Referent { word: "option", code: "unknown-option" };
pub(crate) const COUNTER: Referent = Referent { word: "counter", code: "unknown-counter" };
pub(crate) const ZONE: Referent = Referent { word: "zone", code: "unknown-zone" };
pub(crate) const GRID: Referent = Referent { word: "grid", code: "unknown-grid" };
pub(crate) const KIND: Referent = Referent { word: "kind", code: "unknown-kind" };
pub(crate) const ATTRIBUTE: Referent = Referent { word: "attribute", code: "unknown-attribute" };
pub(crate) const PROMPT: Referent = Referent { word: "prompt", code: "unknown-prompt" };
pub(crate) const TEXT: Referent = Referent { word: "text", code: "unknown-text" };
pub(crate) const PHASE: Referent = Referent { word: "phase", code: "unknown-phase" };
pub(crate) const VERB: Referent = Referent { word: "verb", code: "unknown-verb" };
pub(crate) const HOOK: Referent = Referent { word: "hook", code: "unknown-hook" };
pub(crate) const EVENT: Referent = Referent { word: "event", code: "unknown-event" };
pub(crate) const ID: Referent = Referent { word: "definition", code: "unknown-id" };

/// Stems of TOML files that are not kinds.
pub(crate) const STEMS: [&str; 7] = ["game", "look", "phases", "prompts", "reactions", "texts", "verbs"];

/// Words with a meaning where names of kinds and grids are allowed.
const WORDS: [&str; 10] =
    ["player", "number", "token", "integer", "boolean", "text", "list", "amounts", "counter", "zone"];

/// Keywords of Luau, which cannot be keys of a script's table.
const KEYWORDS: [&str; 21] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not", "or",
    "repeat", "return", "then", "true", "until", "while",
];

/// Folders of the engine.
const FOLDERS: [&str; 5] = ["content", "scripts", "tests", "engine", "mods"];

/// Device names on Windows, reserved with any extension.
const DEVICES: [&str; 4] = ["aux", "con", "nul", "prn"];

/// A use of a name; each has its own reserved names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameUse {
    /// A definition, phase, verb, counter, zone and most others.
    Plain,
    /// A kind or a grid, whose names are also types.
    Type,
    /// A game or a mod, whose names are also folders.
    Folder,
}

/// Why a name is reserved, as the end of a sentence; `None` if the name is free.
#[must_use]
pub fn reserved(name: &str, used_as: NameUse) -> Option<String> {
    let by_engine = |what: &str| Some(format!("is reserved by the engine for {what}"));
    match used_as {
        _ if KEYWORDS.contains(&name) => Some("is a keyword of Luau".to_owned()),
        NameUse::Type if STEMS.contains(&name) => by_engine(&format!("the file `{name}.toml`")),
        NameUse::Type if name == LIB => by_engine("the script `lib.luau`"),
        NameUse::Type if WORDS.contains(&name) => by_engine("a type of values"),
        NameUse::Folder if FOLDERS.contains(&name) => by_engine("a folder"),
        _ => None,
    }
}

/// Whether Windows refuses a file or folder of this name.
#[must_use]
pub fn is_device(name: &str) -> bool {
    let port = name.strip_prefix("com").or_else(|| name.strip_prefix("lpt"));
    DEVICES.contains(&name) || port.is_some_and(|number| matches!(number.as_bytes(), [b'0'..=b'9']))
}

/// All names declared by a pack, in file order. The index here is the index in the declarations.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) options: IndexSet<String>,
    pub(crate) counters: IndexSet<String>,
    pub(crate) zones: IndexSet<String>,
    /// Families of counters; their members are in `counters`.
    pub(crate) counter_families: IndexMap<String, Family>,
    /// Families of zones; their members are in `zones`.
    pub(crate) zone_families: IndexMap<String, Family>,
    pub(crate) grids: IndexSet<String>,
    pub(crate) kinds: IndexSet<String>,
    pub(crate) prompts: IndexSet<String>,
    pub(crate) verbs: IndexSet<String>,
    pub(crate) events: IndexSet<String>,
    pub(crate) phases: IndexSet<String>,
    /// Declared filters of tokens, filled after the events have been read.
    pub(crate) filters: IndexMap<String, Filter>,
    /// Options that formulas read so far.
    pub(crate) read_options: RefCell<IndexSet<usize>>,
    /// Formulas in the arguments of verbs so far.
    pub(crate) formulas: RefCell<Vec<Formula>>,
    /// Targets of definitions and listeners so far.
    pub(crate) aims: RefCell<Vec<Aim>>,
    /// Attributes that filters and formulas read so far; see `Declarations::read_attributes`.
    pub(crate) read_attributes: RefCell<IndexMap<String, Vec<String>>>,
    /// Those that modifiers change.
    pub(crate) modified: RefCell<BTreeSet<usize>>,
    /// Ids of the definitions of each kind, those of its product first.
    pub(crate) ids: Vec<IndexSet<String>>,
    /// The products of each kind.
    pub(crate) products: Vec<Product>,
    /// Displayed paths of images, by name.
    pub(crate) images: IndexMap<String, String>,
    /// Player counters, filled after the counters have been read.
    pub(crate) player_counters: Vec<String>,
}

/// Whether this is `snake_case`: a lower-case letter, then lower-case letters, digits and underscores.
#[must_use]
pub fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Reports a key that is not a valid name.
pub(crate) fn check_name(key: &Key<'_>, noun: &str) {
    check_name_as(key, noun, NameUse::Plain);
}

/// Reports a key that is not a valid name for this use.
pub(crate) fn check_name_as(key: &Key<'_>, noun: &str, used_as: NameUse) {
    let name = key.text;
    if !is_name(name) {
        if name.starts_with("__") {
            key.fault(
                "reserved-name",
                format!("the name of {noun} `{name}` begins with `__`, which is reserved"),
                None,
            );
        } else {
            bad_name(key, noun);
        }
    } else if let Some(why) = reserved(name, used_as) {
        let message = format!("the name of {noun} `{name}` {why}");
        key.fault("reserved-name", message, Some("choose another name".to_owned()));
    }
}

/// Reports a key that is not a valid name for a value or a choice: it may begin with a digit or be a keyword.
pub(crate) fn check_value_name(key: &Key<'_>, noun: &str) {
    let name = key.text;
    if name.starts_with("__") {
        key.fault("reserved-name", format!("the name of {noun} `{name}` begins with `__`, which is reserved"), None);
    } else if !is_name(name) && !is_name(&format!("n{name}")) || name.is_empty() {
        bad_name(key, noun);
    }
}

/// The names listed under a key. Reports invalid names, duplicates and an empty list.
pub(crate) fn names_under(table: &Table<'_>, key: &str, noun: &str) -> Vec<String> {
    let Some(node) = table.get(key) else { return Vec::new() };
    let Some(elements) = node.list(false) else { return Vec::new() };
    if elements.is_empty() {
        node.fault("empty", format!("{} is empty", node.what), None);
    }
    let mut names = IndexSet::new();
    for element in &elements {
        let Some(name) = element.text() else { continue };
        check_value_name(&Key { doc: element.doc, text: name, span: element.span }, noun);
        if !names.insert(name.to_owned()) {
            element.fault("duplicate", format!("`{name}` is listed twice in {}", element.what), None);
        }
    }
    names.into_iter().collect()
}

fn bad_name(key: &Key<'_>, noun: &str) {
    let help = snake_case(key.text).map(|name| format!("write `{name}`"));
    key.fault("bad-name", format!("the name of {noun} `{}` is not in snake_case", key.text), help);
}

/// The text in snake_case, if that gives a valid name.
fn snake_case(text: &str) -> Option<String> {
    let mut name = String::new();
    let mut after_small = false;
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            if c.is_ascii_uppercase() && after_small {
                name.push('_');
            }
            name.push(c.to_ascii_lowercase());
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
        after_small = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    let name = name.trim_end_matches('_');
    is_name(name).then(|| name.to_owned())
}

/// The label of a name: `Mine level 2` for `mine_level_2`.
pub(crate) fn label_of(name: &str) -> String {
    let mut label = name.replace('_', " ");
    if let Some(first) = label.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    label
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_snake_case() {
        for name in ["a", "gold", "mine_level_2", "a__b", "x_"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "A", "2a", "_a", "a-b", "a b", "ä", "a.b"] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn reserved_names_depend_on_their_use() {
        let free =
            |name: &str| [NameUse::Plain, NameUse::Type, NameUse::Folder].map(|used| reserved(name, used).is_none());
        assert_eq!(free("gold"), [true, true, true]);
        assert_eq!(free("end"), [false, false, false]);
        for name in STEMS.iter().chain(&WORDS).chain([&LIB]) {
            assert_eq!(free(name), [true, false, true], "{name}");
        }
        for name in FOLDERS {
            assert_eq!(free(name), [true, true, false], "{name}");
        }
    }

    #[test]
    fn devices_of_windows_are_known() {
        for name in ["con", "nul", "aux", "prn", "com1", "lpt9", "com0"] {
            assert!(is_device(name), "{name}");
        }
        for name in ["cone", "com", "com10", "comb", "lpt", "null"] {
            assert!(!is_device(name), "{name}");
        }
    }

    #[test]
    fn the_right_spelling_is_offered() {
        assert_eq!(snake_case("RockCutter").as_deref(), Some("rock_cutter"));
        assert_eq!(snake_case("Rock Cutter!").as_deref(), Some("rock_cutter"));
        assert_eq!(snake_case("rock-cutter").as_deref(), Some("rock_cutter"));
        assert_eq!(snake_case("HP").as_deref(), Some("hp"));
        assert_eq!(snake_case("2nd"), None);
        assert_eq!(snake_case("ä"), None);
    }

    #[test]
    fn labels_come_from_names() {
        assert_eq!(label_of("mine_level_2"), "Mine level 2");
        assert_eq!(label_of(""), "");
        assert_eq!(label_of("ä"), "ä");
    }
}
