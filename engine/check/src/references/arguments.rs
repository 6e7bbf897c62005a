//! The arguments of verbs. Verbs that are `like` each other share their arguments, so such an argument is one symbol.

use std::collections::BTreeMap;

use motherlode_content::declare::Declarations;
use motherlode_content::pack::Pack;
use motherlode_content::source::SourceFile;
use toml::de::DeTable;

use super::Symbol;
use crate::schema::ARGUMENT;

/// Sort of an argument that is read for several verbs with different arguments of that name.
pub const SHARED: &str = ARGUMENT;

/// The arguments of a game's verbs.
pub(super) struct Arguments<'d> {
    d: &'d Declarations,
    /// Verbs with the verb that each is `like`.
    like: BTreeMap<String, String>,
}

impl<'d> Arguments<'d> {
    /// Reads which verbs are alike. Files of higher layers come later.
    pub fn read<'p>(pack: &Pack, d: &'d Declarations, files: impl Iterator<Item = &'p SourceFile>) -> Self {
        let mut like = BTreeMap::new();
        for file in files.filter(|file| pack.stem_of(&file.path) == Some("verbs")) {
            for (verb, table) in DeTable::parse_recoverable(&file.text).0.get_ref() {
                let of = table.get_ref().as_table().and_then(|table| table.get("like"));
                if let Some(of) = of.and_then(|of| of.get_ref().as_str()) {
                    like.insert(verb.get_ref().to_string(), of.to_owned());
                }
            }
        }
        Self { d, like }
    }

    /// The symbol of an argument; `None`: the verb does not have it.
    pub fn symbol(&self, verb: &str, name: &str) -> Option<Symbol> {
        let has = |verb: &str| self.d.verbs.get(verb).is_some_and(|verb| verb.args.contains_key(name));
        let mut root = verb;
        // A chain is never longer than the list of verbs.
        for _ in self.d.verbs.keys().filter(|_| has(verb)) {
            match self.like.get(root).filter(|like| has(like)) {
                Some(like) => root = like,
                None => return Some(Symbol::new(format!("{SHARED}:{root}"), name)),
            }
        }
        None
    }
}
