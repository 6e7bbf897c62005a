//! Reads mods in folders. Never reads outside the folder.

use std::fs;
use std::io;
use std::path::Path;

use super::tree::{Tree, size_limit};
use crate::hidden;
use crate::limits::MAX_MOD_DEPTH;
use motherlode_files::{read_regular, reason};

/// Reads everything below a folder. Reports faulty files and continues.
pub(super) fn read(path: &Path, tree: &mut Tree) -> io::Result<()> {
    let home = path.canonicalize()?;
    read_folder(&home, &home, "", 0, tree)
}

fn read_folder(home: &Path, folder: &Path, prefix: &str, depth: usize, tree: &mut Tree) -> io::Result<()> {
    let mut entries: Vec<fs::DirEntry> = fs::read_dir(folder)?.collect::<io::Result<_>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = hidden::path(entry.file_name());
        if name.starts_with('.') {
            continue;
        }
        if !tree.has_room() {
            return Ok(());
        }
        let (path, shown, kind) = (entry.path(), format!("{prefix}{name}"), entry.file_type()?);
        if kind.is_symlink() {
            match path.canonicalize() {
                Ok(real) if real.starts_with(home) && real.is_file() => read_file(&real, shown, tree),
                _ => tree.outside(&shown),
            }
        } else if kind.is_dir() && depth < MAX_MOD_DEPTH {
            read_folder(home, &path, &format!("{shown}/"), depth + 1, tree)?;
        } else if kind.is_file() {
            read_file(&path, shown, tree);
        } else if !kind.is_dir() {
            tree.add_unread(shown, "not-a-file", "this is not a regular file".to_owned());
        }
    }
    Ok(())
}

fn read_file(path: &Path, shown: String, tree: &mut Tree) {
    let Some(limit) = size_limit(&shown) else { return tree.add(shown, Vec::new()) };
    match read_regular(path, limit) {
        Ok(bytes) => tree.add(shown, bytes),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => tree.too_large(shown),
        Err(error) => tree.add_unread(shown, "unreadable", reason(&error)),
    }
}
