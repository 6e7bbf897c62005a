//! The files of a mod, from its folder or from a zip of it. Nothing outside is ever read.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use zip::ZipArchive;

use crate::content::diagnostic::Diagnostic;
use crate::content::pack::{MAX_TEXT, read_capped};

/// Most files and folders of a mod.
const MOST_FILES: usize = 2000;
/// Most folders within one another.
const DEEPEST: usize = 8;
/// Largest zip, and most bytes that all files of a mod have together.
const MOST_BYTES: u64 = 64 << 20;
/// Longest path within a mod.
const LONGEST_PATH: usize = 300;

/// What was found in a mod.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Name of the folder or the zip, for messages.
    name: String,
    /// Paths with `/` and bytes, sorted by path; a file that cannot be one of a mod is there without bytes.
    pub(super) files: Vec<(String, Vec<u8>)>,
    pub(super) faults: Vec<Diagnostic>,
    bytes: u64,
}

impl Tree {
    /// Reads a folder or a zip.
    pub(super) fn read(path: &Path, name: &str) -> Result<Self, Diagnostic> {
        let mut tree = Self { name: name.to_owned(), ..Self::default() };
        let unreadable = |error: String| Diagnostic::of_file("unreadable", name, error);
        if path.is_dir() {
            let home = path.canonicalize().map_err(|error| unreadable(error.to_string()))?;
            tree.folder(&home, &home, "", 0).map_err(|error| unreadable(error.to_string()))?;
        } else {
            let help = "a mod is a folder with mod.toml, or a zip of one";
            tree.zip(path).map_err(|error| unreadable(error.to_string()).with_help(help))?;
            tree.enter_only_folder();
        }
        tree.files.sort();
        Ok(tree)
    }

    fn fault(&mut self, code: &'static str, message: String, help: &str) {
        let mut fault = Diagnostic::of_file(code, self.name.clone(), message);
        fault.help = (!help.is_empty()).then(|| help.to_owned());
        self.faults.push(fault);
    }

    fn outside(&mut self, path: &str) {
        let help = "a mod's files lie within it; links and paths that lead out are not followed";
        self.fault("outside", format!("`{path}` leads out of the mod"), help);
    }

    /// Whether there is room for one file more; says so once if there is not.
    fn has_room(&mut self) -> bool {
        let full = self.files.len() >= MOST_FILES || self.bytes > MOST_BYTES;
        if full && !self.faults.iter().any(|fault| fault.code == "too-large") {
            let message = format!("a mod has at most {MOST_FILES} files and {} MiB", MOST_BYTES >> 20);
            self.fault("too-large", message, "");
        }
        !full
    }

    fn add(&mut self, path: String, bytes: Vec<u8>) {
        self.bytes += bytes.len() as u64;
        self.files.push((path, bytes));
    }

    fn folder(&mut self, home: &Path, folder: &Path, prefix: &str, depth: usize) -> io::Result<()> {
        let mut entries: Vec<fs::DirEntry> = fs::read_dir(folder)?.collect::<io::Result<_>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') {
                continue;
            }
            if !self.has_room() {
                return Ok(());
            }
            let (path, shown, kind) = (entry.path(), format!("{prefix}{name}"), entry.file_type()?);
            if kind.is_symlink() {
                match path.canonicalize() {
                    Ok(real) if real.starts_with(home) && real.is_file() => self.file(&real, shown),
                    _ => self.outside(&shown),
                }
            } else if kind.is_dir() && depth < DEEPEST {
                self.folder(home, &path, &format!("{shown}/"), depth + 1)?;
            } else if kind.is_file() {
                self.file(&path, shown);
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, shown: String) {
        if !is_read(&shown) {
            return self.add(shown, Vec::new());
        }
        match read_capped(path, MAX_TEXT) {
            Ok(Some(bytes)) => self.add(shown, bytes),
            Ok(None) => self.too_large(&shown),
            Err(error) => self.fault("unreadable", format!("`{shown}`: {error}"), ""),
        }
    }

    fn too_large(&mut self, path: &str) {
        self.fault("too-large", format!("`{path}` is larger than {} KiB", MAX_TEXT >> 10), "");
    }

    fn zip(&mut self, path: &Path) -> Result<(), zip::result::ZipError> {
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
    fn enter_only_folder(&mut self) {
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

/// Whether a file of this name can be one that the engine reads.
fn is_read(path: &str) -> bool {
    matches!(path.rsplit_once('.'), Some((_, "toml" | "luau" | "md")))
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
