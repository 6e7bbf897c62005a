//! The files of a mod, from its folder or from a zip of it. Nothing outside is ever read.

use std::fs;
use std::io;
use std::path::Path;

use crate::diagnostic::Diagnostic;
use crate::pack::{MAX_TEXT, read_capped};

/// Most files and folders of a mod.
const MOST_FILES: usize = 2000;
/// Most folders within one another.
pub(super) const DEEPEST: usize = 8;
/// Largest zip, and most bytes that all files of a mod have together.
pub(super) const MOST_BYTES: u64 = 64 << 20;
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
            tree.archive(path)
                .map_err(|error| unreadable(error).with_help("a mod is a folder with mod.toml, or a zip of one"))?;
        }
        tree.files.sort();
        Ok(tree)
    }

    pub(super) fn fault(&mut self, code: &'static str, message: String, help: &str) {
        let mut fault = Diagnostic::of_file(code, self.name.clone(), message);
        fault.help = (!help.is_empty()).then(|| help.to_owned());
        self.faults.push(fault);
    }

    pub(super) fn outside(&mut self, path: &str) {
        let help = "a mod's files lie within it; links and paths that lead out are not followed";
        self.fault("outside", format!("`{path}` leads out of the mod"), help);
    }

    /// Whether there is room for one file more; says so once if there is not.
    pub(super) fn has_room(&mut self) -> bool {
        let full = self.files.len() >= MOST_FILES || self.bytes > MOST_BYTES;
        if full && !self.faults.iter().any(|fault| fault.code == "too-large") {
            let message = format!("a mod has at most {MOST_FILES} files and {} MiB", MOST_BYTES >> 20);
            self.fault("too-large", message, "");
        }
        !full
    }

    pub(super) fn add(&mut self, path: String, bytes: Vec<u8>) {
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

    pub(super) fn too_large(&mut self, path: &str) {
        self.fault("too-large", format!("`{path}` is larger than {} KiB", MAX_TEXT >> 10), "");
    }

    #[cfg(feature = "zip")]
    fn archive(&mut self, path: &Path) -> Result<(), String> {
        self.zip(path).map_err(|error| error.to_string())?;
        self.enter_only_folder();
        Ok(())
    }

    #[cfg(not(feature = "zip"))]
    #[expect(clippy::unused_self, reason = "as its twin that reads archives")]
    fn archive(&mut self, _: &Path) -> Result<(), String> {
        Err("this program reads mods from folders only: it was built without zip".to_owned())
    }
}

/// Whether a file of this name can be one that the engine reads.
pub(super) fn is_read(path: &str) -> bool {
    matches!(path.rsplit_once('.'), Some((_, "toml" | "luau" | "md")))
}
