//! The games built into the program, for folders without any.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use motherlode::Pack;
use motherlode::tools::hidden;

use crate::fault::Fault;

/// Path and text of every file, as they lie in a project: `content/checkers/game.toml`.
static FILES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/games.rs"));

/// Ids of the built-in games, sorted.
pub fn ids() -> Vec<String> {
    let id = |path: &str| Some(path.strip_prefix("content/")?.strip_suffix("/game.toml")?.to_owned());
    let ids: BTreeSet<String> = FILES.iter().filter_map(|(path, _)| id(path)).collect();
    ids.into_iter().collect()
}

/// The built-in game of this id. Its paths and texts, and so its fingerprint, are those of the same game on disk.
pub fn pack(id: &str) -> Option<Pack> {
    ids().iter().any(|known| known == id).then(|| {
        let of_game = |path: &str| {
            let name = ["content", "scripts"]
                .iter()
                .find_map(|room| path.strip_prefix(room)?.strip_prefix('/')?.strip_prefix(id)?.strip_prefix('/'));
            name.is_some_and(|name| name == "rules.md" || !name.ends_with(".md"))
        };
        let files = FILES.iter().filter(|(path, _)| of_game(path));
        Pack::from_files(id, files.map(|(path, text)| ((*path).to_owned(), (*text).to_owned())))
    })
}

/// Writes all built-in games to a folder, which is created if there is none; returns the number of files.
pub fn export(folder: &Path) -> Result<usize, Fault> {
    for room in ["content", "scripts"] {
        let room = folder.join(room);
        if room.exists() {
            return Err(Fault::usage(format!("`{}` exists; nothing is overwritten", hidden::path(&room))));
        }
    }
    for (path, text) in FILES {
        let path = folder.join(path);
        let made = fs::create_dir_all(path.parent().unwrap_or(folder)).and_then(|()| fs::write(&path, text));
        if let Err(error) = made {
            // Neither folder was there before, and half a game is none.
            let _ = ["content", "scripts"].map(|room| fs::remove_dir_all(folder.join(room)));
            return Err(Fault::unwritten(&path, &error));
        }
    }
    Ok(FILES.len())
}
