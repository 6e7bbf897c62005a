//! Keys that nothing reads.

use indexmap::IndexSet;

use super::Table;
use crate::diagnostic::suggestion;
use crate::keys::{self, TableSpec};

impl Table<'_> {
    /// Reports all keys that were not requested, in a table whose keys the engine defines.
    pub(crate) fn finish(self, spec: fn() -> TableSpec) {
        if cfg!(debug_assertions) {
            let spec = spec();
            for asked in self.asked.borrow().iter() {
                debug_assert!(spec.keys.iter().any(|key| key.name == asked), "`{asked}` is not a key of {}", spec.name);
                #[cfg(test)]
                super::ASKED.with_borrow_mut(|all| all.insert((spec.name, asked.clone())));
            }
        }
        let is_of_game = std::ptr::fn_addr_eq(spec, keys::game as fn() -> TableSpec);
        let is_below = !is_of_game && self.doc.path().ends_with("/game.toml");
        self.report_unknown(|key| key_of_game(key).filter(|_| is_below));
    }

    /// Reports all keys that were not requested, in a table whose keys the game declares.
    pub(crate) fn finish_names(self) {
        self.report_unknown(|_| None);
    }

    /// Reports all keys that were not requested. `elsewhere`: the help for a key of another table.
    fn report_unknown(&self, elsewhere: impl Fn(&str) -> Option<String>) {
        let asked = self.asked.borrow();
        let known: IndexSet<&str> = asked.iter().map(String::as_str).collect();
        for (key, _) in self.entries() {
            if !known.contains(key.text) {
                let of_mod = || (key.text == "remove").then(|| "a mod removes things in its mod.toml".to_owned());
                let help = elsewhere(key.text).or_else(of_mod).or_else(|| suggestion(key.text, known.iter().copied()));
                key.fault("unknown-key", format!("unknown key `{}` in {}", key.text, self.what), help);
            }
        }
    }
}

/// The help for a key of the game below the header of another table.
fn key_of_game(key: &str) -> Option<String> {
    let is_key = keys::game().keys.iter().any(|known| known.name == key);
    is_key.then(|| format!("`{key}` is a key of the game: write it above the first `[table]`"))
}
