//! The files of a mod, before they are parsed.

use crate::diagnostic::Diagnostic;
use crate::image::is_image;
use crate::limits::{MAX_IMAGE, MAX_MOD_BYTES, MAX_MOD_FILES, MAX_TEXT};

/// The files of one mod.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Name of the folder or the zip, for messages.
    name: String,
    /// Paths with `/` and their bytes, sorted by path. Files that the engine does not read have no bytes.
    pub(super) files: Vec<(String, Vec<u8>)>,
    pub(super) faults: Vec<Diagnostic>,
    /// Faults of files that cannot be read, with their paths. Such a file is listed in `files`, without bytes.
    pub(super) unread: Vec<Diagnostic>,
    bytes: u64,
}

impl Tree {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    pub(super) fn fault(&mut self, code: &'static str, message: String, help: &str) {
        let mut fault = Diagnostic::of_file(code, self.name.clone(), message);
        fault.help = (!help.is_empty()).then(|| help.to_owned());
        self.faults.push(fault);
    }

    /// Reports a path that leads out of the mod.
    pub(super) fn outside(&mut self, path: &str) {
        let help = "links and paths that lead out of a mod are not followed";
        self.fault("outside", format!("`{path}` leads out of the mod"), help);
    }

    pub(super) fn too_large(&mut self, path: String) {
        let limit = size_limit(&path).unwrap_or_default();
        self.add_unread(path, "too-large", format!("the file is larger than {} KiB", limit >> 10));
    }

    pub(super) fn add_unread(&mut self, path: String, code: &'static str, message: String) {
        self.unread.push(Diagnostic::of_file(code, &path, message));
        self.add(path, Vec::new());
    }

    /// Whether there is room for another file; reports it once if not.
    pub(super) fn has_room(&mut self) -> bool {
        let full = self.files.len() >= MAX_MOD_FILES || self.bytes > MAX_MOD_BYTES;
        if full && !self.faults.iter().any(|fault| fault.code == "too-large") {
            let message = format!("the mod has more than {MAX_MOD_FILES} files or {} MiB", MAX_MOD_BYTES >> 20);
            self.fault("too-large", message, "");
        }
        !full
    }

    pub(super) fn add(&mut self, path: String, bytes: Vec<u8>) {
        self.bytes += bytes.len() as u64;
        self.files.push((path, bytes));
    }
}

/// Maximum size of a file with this name, in bytes; `None`: the engine never reads it.
pub(super) fn size_limit(path: &str) -> Option<u64> {
    match path.rsplit_once('.')? {
        (_, "toml" | "luau" | "md") => Some(MAX_TEXT),
        _ => is_image(path).then_some(MAX_IMAGE),
    }
}
