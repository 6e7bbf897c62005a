//! Games whose files are in a program, for use without a project.

use std::collections::BTreeSet;

use crate::pack::Pack;

/// The files of games: path in a project, such as `content/checkers/game.toml`, and text.
#[derive(Debug, Clone, Copy)]
pub struct Bundle(pub &'static [(&'static str, &'static str)]);

impl Bundle {
    /// Ids of the games, sorted.
    #[must_use]
    pub fn ids(self) -> Vec<String> {
        let id = |path: &str| Some(path.strip_prefix("content/")?.strip_suffix("/game.toml")?.to_owned());
        let ids: BTreeSet<String> = self.0.iter().filter_map(|(path, _)| id(path)).collect();
        ids.into_iter().collect()
    }

    /// A game. It has the paths and texts, and so the fingerprint, of the same game on disk.
    #[must_use]
    pub fn pack(self, id: &str) -> Option<Pack> {
        self.ids().iter().any(|known| known == id).then(|| {
            let of_game = |path: &str| {
                let name = ["content", "scripts"]
                    .iter()
                    .find_map(|room| path.strip_prefix(room)?.strip_prefix('/')?.strip_prefix(id)?.strip_prefix('/'));
                name.is_some_and(|name| name == "rules.md" || !name.ends_with(".md"))
            };
            let files = self.0.iter().filter(|(path, _)| of_game(path));
            Pack::from_files(id, files.map(|(path, text)| ((*path).to_owned(), (*text).to_owned())))
        })
    }
}
