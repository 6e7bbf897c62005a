//! Writes files whole or not at all: a reader finds either the old file or the new one, even after a crash.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::regular::open_regular;

/// A file before it gets its name. Its text goes to `.<name>.part` in the same folder. If a killed program leaves that file behind, the
/// next draft of the same file overwrites it.
#[derive(Debug)]
pub struct Draft {
    file: File,
    part: PathBuf,
    target: PathBuf,
    kept: bool,
}

impl Draft {
    /// Begins a file. If the path is a link, writes its target; an existing file keeps its permissions.
    ///
    /// # Errors
    /// The path is not a regular file, another program is writing it, or it is not writable.
    pub fn begin(path: &Path) -> io::Result<Self> {
        let (target, permissions) = target_of(path)?;
        let (file, part) = loop {
            let part = part_of(&target)?;
            let file = open_regular(&part, File::options().write(true).create(true).truncate(false))?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => {
                    return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another program is writing it"));
                }
                // Some file systems have no locks.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // The previous holder of the lock may have renamed this file; then it is not the draft any more.
            if is_at(&file, &part)? {
                break (file, part);
            }
        };
        let draft = Self { file, part, target, kept: false };
        draft.file.set_len(0)?;
        if let Some(meta) = permissions {
            draft.file.set_permissions(meta.permissions())?;
        }
        Ok(draft)
    }

    /// Checks the names for [`begin`](Self::begin) without writing; returns the folder of the file.
    ///
    /// # Errors
    /// A name is too long, or is not a regular file.
    pub fn check(path: &Path) -> io::Result<PathBuf> {
        let (target, _) = target_of(path)?;
        part_of(&target)?;
        Ok(folder_of(&target).to_path_buf())
    }

    /// Gives the file its name; `overwrite` replaces an existing file.
    ///
    /// # Errors
    /// The file exists and `overwrite` is not set, or the system reports an error.
    pub fn keep(mut self, overwrite: bool) -> io::Result<()> {
        self.file.sync_all()?;
        if overwrite {
            fs::rename(&self.part, &self.target)?;
        } else {
            // Unlike renaming, this fails if another program has created the file meanwhile.
            fs::hard_link(&self.part, &self.target)?;
            fs::remove_file(&self.part)?;
        }
        self.kept = true;
        // Sync the folder so that the name survives a crash. Not every system can; the file is whole either way.
        if let Ok(folder) = File::open(folder_of(&self.target)) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.kept {
            // Ignore errors: the next draft overwrites this one.
            let _ = fs::remove_file(&self.part);
        }
    }
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message.to_owned())
}

/// The file at a path, after following links, with its metadata if it exists.
fn target_of(path: &Path) -> io::Result<(PathBuf, Option<fs::Metadata>)> {
    let is_absent = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(error) if is_absent(&error) && fs::symlink_metadata(path).is_err() => path.to_path_buf(),
        Err(error) => return Err(error),
    };
    let meta = fs::metadata(&target).ok();
    if meta.as_ref().is_some_and(|meta| !meta.is_file()) {
        return Err(invalid("it is not a regular file"));
    }
    Ok((target, meta))
}

/// The name of the draft of a file.
fn part_of(target: &Path) -> io::Result<PathBuf> {
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(target.file_name().ok_or_else(|| invalid("it is not the name of a file"))?);
    hidden.push(".part");
    let part = target.with_file_name(hidden);
    match fs::symlink_metadata(&part) {
        Ok(meta) if !meta.is_file() => Err(invalid("the name of its draft, ending in .part, is not a regular file")),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(part),
    }
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether an open file is the file at this path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let open = file.metadata()?;
    Ok(fs::metadata(path).is_ok_and(|named| (named.dev(), named.ino()) == (open.dev(), open.ino())))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    Ok(path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str, overwrite: bool) -> io::Result<()> {
        let mut draft = Draft::begin(path)?;
        draft.write_all(text.as_bytes())?;
        draft.keep(overwrite)
    }

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_the_old_one_or_the_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("save.json");
        write(&path, "one", false).unwrap();
        assert_eq!(write(&path, "two", false).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        let mut draft = Draft::begin(&path).unwrap();
        draft.write_all(b"half").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        let busy = Draft::begin(&path).unwrap_err();
        assert_eq!(busy.kind(), io::ErrorKind::ResourceBusy);
        drop(draft);
        assert_eq!(names(folder.path()), ["save.json"], "no draft remains");
        // The leftover of a killed program is longer than the new text.
        fs::write(folder.path().join(".save.json.part"), "left behind").unwrap();
        write(&path, "three", true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "three");
        assert_eq!(names(folder.path()), ["save.json"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("real"), "old").unwrap();
        fs::set_permissions(at("real"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real", at("link")).unwrap();
        write(&at("link"), "new", true).unwrap();
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(at("real")).unwrap(), "new");
        assert_eq!(fs::metadata(at("real")).unwrap().permissions().mode() & 0o777, 0o640);
        symlink("nowhere", at("dangling")).unwrap();
        assert!(write(&at("dangling"), "x", true).is_err());
        assert!(write(folder.path(), "x", true).is_err());
        // A link under the name of the draft is not followed.
        symlink("real", at(".other.part")).unwrap();
        assert!(write(&at("other"), "x", true).is_err());
        assert_eq!(fs::read_to_string(at("real")).unwrap(), "new");
        write(&at("fresh"), "x", true).unwrap();
        assert_ne!(fs::metadata(at("fresh")).unwrap().permissions().mode() & 0o777, 0o600, "permissions of a new file");
    }
}
