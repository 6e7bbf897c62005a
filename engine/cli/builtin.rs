//! The games built into the program, for folders without any.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use include_dir::{Dir, include_dir};
use motherlode::Pack;

use crate::fault::Fault;

static CONTENT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/content");
static SCRIPTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/scripts");

/// Ids of the built-in games, sorted.
pub fn ids() -> Vec<String> {
    let games = CONTENT.dirs().filter(|folder| folder.get_file(folder.path().join("game.toml")).is_some());
    let mut ids: Vec<String> = games.map(|folder| shown(folder.path())).collect();
    ids.sort();
    ids
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
        Pack::from_files(id, files().into_iter().filter(|(path, _)| of_game(path)))
    })
}

/// Writes all built-in games to a folder, which is created if there is none; returns the number of files.
pub fn export(folder: &Path) -> Result<usize, Fault> {
    for room in ["content", "scripts"] {
        let room = folder.join(room);
        if room.exists() {
            return Err(Fault::usage(format!("`{}` exists; nothing is overwritten", room.display())));
        }
    }
    let files = files();
    for (path, text) in &files {
        let path = folder.join(path);
        let failed = |error| Fault::failed(format!("cannot write `{}`: {error}", path.display()));
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
        fs::write(&path, text).map_err(failed)?;
    }
    Ok(files.len())
}

/// All files by path, as they lie in a project: `content/checkers/game.toml`.
fn files() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (room, folder) in [("content", &CONTENT), ("scripts", &SCRIPTS)] {
        let mut folders = vec![folder];
        while let Some(folder) = folders.pop() {
            folders.extend(folder.dirs());
            // Other files that were there when the program was built, such as an editor's backups, are left out.
            let is_content = |path: &Path| {
                path.extension().is_some_and(|ending| ["toml", "luau", "md"].iter().any(|known| ending == *known))
            };
            let texts = folder.files().filter(|file| is_content(file.path()));
            let texts = texts.filter_map(|file| Some((shown(file.path()), file.contents_utf8()?)));
            found.extend(texts.map(|(path, text)| (format!("{room}/{path}"), text.to_owned())));
        }
    }
    found
}

fn shown(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}
