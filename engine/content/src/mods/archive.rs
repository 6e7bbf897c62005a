//! Mods as zip archives: only in programs built with the feature `zip`.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use zip::ZipArchive;

use super::files::{DEEPEST, MOST_BYTES, Tree, is_read};
use crate::pack::MAX_TEXT;

/// Longest path within an archive.
const LONGEST_PATH: usize = 300;

impl Tree {
    /// Reads a zip archive.
    pub(super) fn zip(&mut self, path: &Path) -> Result<(), zip::result::ZipError> {
        let file = fs::File::open(path)?;
        if file.metadata()?.len() > MOST_BYTES {
            self.fault("too-large", format!("a zip of a mod has at most {} MiB", MOST_BYTES >> 20), "");
            return Ok(());
        }
        let mut zip = ZipArchive::new(io::BufReader::new(file))?;
        for index in 0..zip.len() {
            if !self.has_room() {
                break;
            }
            let entry = zip.by_index(index)?;
            let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
            if entry.is_symlink() || !is_inside(&name) {
                self.outside(&name);
            } else if entry.is_dir() || name.split('/').any(|part| part.starts_with('.')) {
                // Folders come into being with their files; hidden files are no part of a mod.
            } else if !is_read(&name) {
                self.add(name, Vec::new());
            } else {
                let mut bytes = Vec::new();
                // What a zip says of its sizes need not be true.
                entry.take(MAX_TEXT + 1).read_to_end(&mut bytes)?;
                if bytes.len() as u64 > MAX_TEXT {
                    self.too_large(&name);
                } else {
                    self.add(name, bytes);
                }
            }
        }
        Ok(())
    }

    /// A zip often holds one folder with everything in it.
    pub(super) fn enter_only_folder(&mut self) {
        if self.files.iter().any(|(path, _)| path == "mod.toml") {
            return;
        }
        let Some((folder, _)) = self.files.first().and_then(|(path, _)| path.split_once('/')) else { return };
        let prefix = format!("{folder}/");
        if self.files.iter().all(|(path, _)| path.starts_with(&prefix)) {
            for (path, _) in &mut self.files {
                path.drain(..prefix.len());
            }
        }
    }
}

/// Whether a path in a zip stays within the mod on every system.
fn is_inside(path: &str) -> bool {
    let parts = path.strip_suffix('/').unwrap_or(path);
    path.len() <= LONGEST_PATH
        && !path.contains(['\\', ':', '\0'])
        && parts.split('/').count() <= DEEPEST
        && parts.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_a_zip_stay_inside() {
        for path in ["mod.toml", "content/demo/cards.toml", "a/", "..a/b..toml"] {
            assert!(is_inside(path), "{path}");
        }
        for path in ["", "/etc/x.toml", "../x.toml", "a/../x.toml", "a//b", "./a", "c:/x", "a\\..\\b", "a/b/../../../c"]
        {
            assert!(!is_inside(path), "{path}");
        }
        assert!(!is_inside(&"a/".repeat(20)) && !is_inside(&"a".repeat(400)));
    }
}
