//! The games built into the program, for use outside a project.

use std::fs;
use std::path::Path;

use motherlode::tools::hidden;
use motherlode_content::Bundle;

use crate::fault::Fault;

/// The built-in games.
pub static GAMES: Bundle = Bundle(&include!(concat!(env!("OUT_DIR"), "/games.rs")));

/// The folders of the exported games.
const ROOMS: [&str; 3] = ["content", "scripts", "tests"];

/// Writes all built-in games with their rule tests to a folder, which may be new; returns the number of files.
pub fn export(folder: &Path) -> Result<usize, Fault> {
    for room in ROOMS {
        let room = folder.join(room);
        if room.exists() {
            return Err(Fault::usage(format!("`{}` exists: name a folder without it", hidden::path(&room))));
        }
    }
    for (path, text) in GAMES.0 {
        let path = folder.join(path);
        let made = fs::create_dir_all(path.parent().unwrap_or(folder)).and_then(|()| fs::write(&path, text));
        if let Err(error) = made {
            // Remove the incomplete games; no folder existed before.
            let _ = ROOMS.map(|room| fs::remove_dir_all(folder.join(room)));
            return Err(Fault::unwritten(&path, &error));
        }
    }
    Ok(GAMES.0.len())
}
