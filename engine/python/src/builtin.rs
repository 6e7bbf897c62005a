//! The games inside the package.

use std::collections::BTreeSet;

use motherlode::Pack;

/// Path in a project, such as `content/checkers/game.toml`, and text of every file.
static FILES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/games.rs"));

/// Ids of the games, sorted.
pub fn ids() -> Vec<String> {
    let id = |path: &str| Some(path.strip_prefix("content/")?.strip_suffix("/game.toml")?.to_owned());
    let ids: BTreeSet<String> = FILES.iter().filter_map(|(path, _)| id(path)).collect();
    ids.into_iter().collect()
}

/// A game, with the paths and texts, and so the fingerprint, of the same game on disk.
pub fn pack(id: &str) -> Option<Pack> {
    ids().iter().any(|known| known == id).then(|| {
        let of_game = |path: &str| {
            let rooms = ["content", "scripts"].iter();
            let name = rooms
                .filter_map(|room| path.strip_prefix(room)?.strip_prefix('/')?.strip_prefix(id)?.strip_prefix('/'))
                .next();
            name.is_some_and(|name| name == "rules.md" || !name.ends_with(".md"))
        };
        let files = FILES.iter().filter(|(path, _)| of_game(path));
        Pack::from_files(id, files.map(|(path, text)| ((*path).to_owned(), (*text).to_owned())))
    })
}
