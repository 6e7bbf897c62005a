//! Reads mods as zip archives, if built with the feature `zip`.

use std::fs;
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::path::Path;

use zip::ZipArchive;
use zip::result::{ZipError, ZipResult};

use super::tree::{Tree, size_limit};
use crate::hidden;
use crate::limits::{MAX_MOD_BYTES, MAX_MOD_DEPTH};
use motherlode_files::{open_regular, reason};

/// Maximum length of a path within an archive.
const MAX_PATH: usize = 300;

/// Reads all files of a zip. Reports faulty entries and continues.
pub(super) fn read(path: &Path, tree: &mut Tree) -> ZipResult<()> {
    let file = open_regular(path, fs::File::options().read(true))?;
    if file.metadata()?.len() > MAX_MOD_BYTES {
        tree.fault("too-large", format!("the zip is larger than {} MiB", MAX_MOD_BYTES >> 20), "");
        return Ok(());
    }
    let mut zip = ZipArchive::new(io::BufReader::new(&file))?;
    if zip.len() < listed(&file, zip.central_directory_start())? {
        tree.fault("duplicate-file", "the zip holds several files of one name".to_owned(), "pack the mod again");
        return Ok(());
    }
    for index in 0..zip.len() {
        if !tree.has_room() {
            break;
        }
        let entry = zip.by_index(index)?;
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        if entry.is_symlink() || !is_inside(&name) {
            tree.outside(&hidden::name(&name));
        } else if !is_plain(&name) {
            let message = format!("the name `{}` is not allowed in a mod", hidden::name(&name));
            let help = format!(
                "use names of visible characters with `/` between them, of at most {MAX_PATH} bytes and {MAX_MOD_DEPTH} folders"
            );
            tree.fault("bad-name", message, &help);
        } else if entry.is_dir() || name.split('/').any(|part| part.starts_with('.')) {
            // Folders follow from their files; hidden files do not belong to a mod.
        } else if let Some(limit) = size_limit(&name) {
            let mut bytes = Vec::new();
            // The sizes stated in a zip may be false.
            entry.take(limit + 1).read_to_end(&mut bytes)?;
            if bytes.len() as u64 > limit {
                tree.too_large(name);
            } else {
                tree.add(name, bytes);
            }
        } else {
            tree.add(name, Vec::new());
        }
    }
    enter_only_folder(tree);
    Ok(())
}

/// Why a zip cannot be read.
pub(super) fn explain(error: &ZipError) -> String {
    match error {
        ZipError::Io(error) if error.raw_os_error().is_some() => reason(error),
        ZipError::UnsupportedArchive(_) => "the zip is encrypted, or packed by an unknown method".to_owned(),
        _ => "this is not a zip, or it is damaged".to_owned(),
    }
}

/// Number of files listed in a zip's directory from this offset. Of several files with one name, `ZipArchive` keeps
/// only the last, and other programs keep the first, so the played file would differ from the inspected one.
fn listed(file: &fs::File, directory: u64) -> io::Result<usize> {
    const ENTRY: [u8; 4] = *b"PK\x01\x02";
    let mut file = io::BufReader::new(file);
    file.seek(SeekFrom::Start(directory))?;
    let mut count = 0;
    while file.fill_buf()?.len() >= ENTRY.len() {
        let mut entry = [0; 46];
        if file.read_exact(&mut entry).is_err() || entry[..4] != ENTRY {
            break;
        }
        // Name, extra field and comment follow.
        let length = |at: usize| u64::from(u16::from_le_bytes([entry[at], entry[at + 1]]));
        let rest = length(28) + length(30) + length(32);
        if io::copy(&mut (&mut file).take(rest), &mut io::sink())? < rest {
            break;
        }
        count += 1;
    }
    Ok(count)
}

/// Removes the first folder from all paths if it contains everything, as it often does in a zip.
fn enter_only_folder(tree: &mut Tree) {
    let Tree { files, unread, .. } = tree;
    if files.iter().any(|(path, _)| path == "mod.toml") {
        return;
    }
    let Some((folder, _)) = files.first().and_then(|(path, _)| path.split_once('/')) else { return };
    let prefix = format!("{folder}/");
    if files.iter().all(|(path, _)| path.starts_with(&prefix)) {
        let paths = files.iter_mut().map(|(path, _)| path).chain(unread.iter_mut().map(|fault| &mut fault.file));
        for path in paths {
            path.drain(..prefix.len());
        }
    }
}

/// Whether a path in a zip stays within the mod on every operating system.
fn is_inside(path: &str) -> bool {
    let parts = path.strip_suffix('/').unwrap_or(path);
    !path.contains(':') && parts.split(['/', '\\']).all(|part| !matches!(part, "" | "." | ".."))
}

/// Whether a path inside is short, visible, and the same on all systems.
fn is_plain(path: &str) -> bool {
    let parts = path.strip_suffix('/').unwrap_or(path);
    path.len() <= MAX_PATH
        && hidden::name(path) == path
        && !path.contains(['\\', '\0'])
        && parts.split('/').count() <= MAX_MOD_DEPTH
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
        for path in ["a\u{1b}/x", "a\\b.toml", &"a/".repeat(20), &"a".repeat(400)] {
            assert!(is_inside(path) && !is_plain(path), "{path}");
        }
    }
}
