//! The games built into the program, for use outside a project.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use motherlode::Pack;
use motherlode::tools::hidden;

use crate::fault::Fault;

/// Path in a project, such as `content/checkers/game.toml`, and text of every file.
static FILES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/games.rs"));

/// Ids of the built-in games, sorted.
pub fn ids() -> Vec<String> {
    let id = |path: &str| Some(path.strip_prefix("content/")?.strip_suffix("/game.toml")?.to_owned());
    let ids: BTreeSet<String> = FILES.iter().filter_map(|(path, _)| id(path)).collect();
    ids.into_iter().collect()
}

/// A built-in game. It has the paths and texts, and so the fingerprint, of the same game on disk.
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

/// Writes all built-in games to a folder, which may be new; returns the number of files.
pub fn export(folder: &Path) -> Result<usize, Fault> {
    for room in ["content", "scripts"] {
        let room = folder.join(room);
        if room.exists() {
            return Err(Fault::usage(format!("`{}` exists: name a folder without it", hidden::path(&room))));
        }
    }
    for (path, text) in FILES {
        let path = folder.join(path);
        let made = fs::create_dir_all(path.parent().unwrap_or(folder)).and_then(|()| fs::write(&path, text));
        if let Err(error) = made {
            // Remove the incomplete games; neither folder existed before.
            let _ = ["content", "scripts"].map(|room| fs::remove_dir_all(folder.join(room)));
            return Err(Fault::unwritten(&path, &error));
        }
    }
    Ok(FILES.len())
}
