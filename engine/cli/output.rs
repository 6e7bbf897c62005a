//! An output file of a subcommand.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use motherlode::tools::hidden;
use motherlode_files::{Draft, reason};

use crate::fault::{Fault, remedy};

/// A file that is written whole or not at all. Most errors appear when it is created, before the first game and not after the last.
pub struct Output {
    name: PathBuf,
    /// The folder of the file; if `name` is a link, the folder of its target.
    folder: PathBuf,
    force: bool,
}

impl Output {
    /// Checks that the file can be written.
    ///
    /// # Errors
    /// The name exists (unless `force` overwrites it) or is not a file name, or its folder is missing or not writable.
    pub fn new(name: &Path, force: bool) -> Result<Self, Fault> {
        let shown = hidden::path(name);
        // A dangling link counts as existing.
        if name.symlink_metadata().is_ok() && !name.is_file() {
            let what = if name.is_dir() { "a folder" } else { "not a regular file" };
            return Err(Fault::usage(format!("cannot write `{shown}`: it is {what}")));
        }
        if name.exists() && !force {
            return Err(Fault::usage(format!("`{shown}` exists: overwrite it with --force, or name another file")));
        }
        Self::anywhere(name, force)
    }

    /// Like [`new`](Self::new) for a file that never overwrites another, such as that of `--save`.
    pub fn fresh(name: &Path) -> Result<Self, Fault> {
        if name.symlink_metadata().is_ok() {
            return Err(Fault::usage(format!("`{}` exists: name a file that does not exist yet", hidden::path(name))));
        }
        Self::anywhere(name, false)
    }

    fn anywhere(name: &Path, force: bool) -> Result<Self, Fault> {
        let (shown, folder) = (hidden::path(name), folder_of(name));
        if name.file_name().is_none() || name.as_os_str().to_string_lossy().ends_with(std::path::is_separator) {
            return Err(Fault::usage(format!("cannot write `{shown}`: it is not the name of a file")));
        }
        if !folder.is_dir() {
            let folder = hidden::path(folder);
            return Err(Fault::usage(format!("cannot write `{shown}`: there is no folder `{folder}`")));
        }
        let folder = Draft::check(name).map_err(|error| unwritable(name, &error))?;
        let output = Self { name: name.to_path_buf(), folder, force };
        output.unnamed()?;
        Ok(output)
    }

    /// Whether another path names the same file.
    pub fn is_same_file(&self, other: &Path) -> bool {
        let place = |path: &Path| {
            let folder = folder_of(path);
            (folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf()), path.file_name().map(ToOwned::to_owned))
        };
        place(&self.name) == place(other)
    }

    /// An unnamed file in the same folder, for output that is written piece by piece: a killed program leaves nothing behind.
    pub fn unnamed(&self) -> Result<std::fs::File, Fault> {
        tempfile::tempfile_in(&self.folder).map_err(|error| unwritable(&self.name, &error))
    }

    /// Writes the file and gives it its name.
    pub fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Fault> {
        let keep = || {
            let mut file = Draft::begin(&self.name)?;
            write(&mut file)?;
            // Another program may have created the file meanwhile.
            file.keep(self.force)
        };
        keep().map_err(|error| self.failed(&error))
    }

    /// Writes a text that took long to make. If that fails, saves it in the folder for temporary files.
    pub fn write_text(self, text: &str) -> Result<(), Fault> {
        let name = self.name.clone();
        let Err(fault) = self.write(|file| file.write_all(text.as_bytes())) else { return Ok(()) };
        let ending = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let kept =
            tempfile::Builder::new().prefix("lode-").suffix(&format!("-{ending}")).tempfile().and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                Ok(file.keep()?.1)
            });
        match (kept, fault.reason()) {
            (Ok(kept), Some(reason)) => {
                Err(Fault::failed(format!("{reason}; the result is in `{}` instead", hidden::path(&kept))))
            }
            _ => Err(fault),
        }
    }

    /// The error of a failed write.
    pub fn failed(&self, error: &io::Error) -> Fault {
        Fault::unwritten(&self.name, error)
    }
}

fn unwritable(name: &Path, error: &io::Error) -> Fault {
    Fault::usage(format!("cannot write `{}`: {}{}", hidden::path(name), reason(error), remedy(error)))
}

fn folder_of(name: &Path) -> &Path {
    name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_cannot_be_written_is_saved_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("place");
        std::fs::create_dir(&place).unwrap();
        let output = || Output::new(&place.join("v.value"), false).unwrap();
        output().write_text("first").unwrap();
        std::fs::remove_file(place.join("v.value")).unwrap();
        let late = output();
        std::fs::remove_dir(&place).unwrap();
        let told = late.write_text("second").unwrap_err().reason().unwrap();
        let kept = told.split('`').nth(3).unwrap();
        assert!(told.contains("v.value`: ") && kept.ends_with("-v.value"), "{told}");
        assert_eq!(std::fs::read_to_string(kept).unwrap(), "second");
        std::fs::remove_file(kept).unwrap();
    }
}
