//! Finds where names are declared and used, in TOML, in scripts and in rule tests: for editors.
//!
//! A name has a sort, because an attribute and a counter may have one name. TOML is read along its schema, which knows the sort of each
//! value. Scripts are read as for the lints. Other texts, and rule tests, use a name only if it has one sort.
//!
//! Direction: self <- arguments <- content, scripts

mod arguments;
mod content;
mod scripts;

use std::collections::{BTreeMap, BTreeSet};

use motherlode_content::declare::Declarations;
use motherlode_content::pack::Pack;
use motherlode_content::source::SourceFile;

pub use self::arguments::SHARED;

use self::arguments::Arguments;
use crate::schema::sort_of_kind;

/// A declared name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symbol {
    /// Its sort: `counter`, `verb`; for a definition, with its kind: `id:cards`; for an argument, with the verb that declares it:
    /// `argument:gain`.
    pub sort: String,
    /// The name.
    pub name: String,
}

impl Symbol {
    fn new(sort: impl Into<String>, name: &str) -> Self {
        Self { sort: sort.into(), name: name.to_owned() }
    }
}

/// A place that names a symbol.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// Displayed path of the file.
    pub file: String,
    /// Byte range of the name, without quotes.
    pub span: (usize, usize),
    /// The symbol.
    pub symbol: Symbol,
    /// Whether this place declares it.
    pub declares: bool,
}

/// All references of a pack and of its rule tests, sorted by file and place.
#[must_use]
pub fn references(pack: &Pack, d: &Declarations, tests: &[SourceFile]) -> Vec<Reference> {
    let mut found = BTreeSet::new();
    let files = || pack.files.iter().chain(pack.mods().iter().flat_map(motherlode_content::mods::Mod::files));
    let arguments = Arguments::read(pack, d, files());
    content::read(pack, (d, &arguments), files(), &mut found);
    let symbols = symbols(d);
    let mut by_name: BTreeMap<&str, Vec<&Symbol>> = BTreeMap::new();
    for symbol in &symbols {
        by_name.entry(symbol.name.as_str()).or_default().push(symbol);
    }
    let unique: BTreeMap<&str, &Symbol> = by_name
        .into_iter()
        .filter_map(|(name, of)| if let [only] = of[..] { Some((name, only)) } else { None })
        .collect();
    scripts::read(pack, (d, &arguments), &unique, &mut found);
    for test in tests.iter().filter(|test| test.path.ends_with(".luau")) {
        scripts::read_test(test, &unique, &mut found);
    }
    found.into_iter().collect()
}

/// All declared names with their sorts.
#[must_use]
pub fn symbols(d: &Declarations) -> BTreeSet<Symbol> {
    let mut all = BTreeSet::new();
    let mut add = |sort: &str, names: Vec<&String>| all.extend(names.into_iter().map(|name| Symbol::new(sort, name)));
    add("counter", d.counters.keys().collect());
    add("zone", d.zones.keys().collect());
    add("family", d.counter_families.keys().chain(d.zone_families.keys()).collect());
    add("grid", d.grids.keys().collect());
    add("kind", d.kinds.keys().collect());
    add("option", d.options.keys().collect());
    add("prompt", d.prompts.keys().collect());
    add("text", d.texts.keys().collect());
    add("phase", d.phases.keys().collect());
    add("verb", d.verbs.iter().filter(|(_, verb)| !verb.standard).map(|(name, _)| name).collect());
    add("event", d.events.iter().filter(|(_, event)| !event.standard).map(|(name, _)| name).collect());
    add("filter", d.filters.keys().collect());
    add("label", d.prompts.values().flat_map(|prompt| prompt.labels.keys()).collect());
    for kind in d.kinds.values() {
        add("attribute", kind.attributes.keys().collect());
        add("hook", kind.hooks.keys().filter(|hook| kind.list_of(hook).is_none()).chain(kind.lists.keys()).collect());
    }
    for definition in &d.definitions {
        add(&sort_of_kind(d, definition.kind), vec![&definition.id]);
    }
    all
}
