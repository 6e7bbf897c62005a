//! The file that a subcommand is asked to write.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use motherlode::tools::Draft;

use crate::fault::Fault;

/// A file that will be written whole or not at all. What would keep it from being written is found before the first game, not after
/// the last.
pub struct Output {
    name: PathBuf,
    force: bool,
}

impl Output {
    /// Refuses a name that is taken (unless `force` overwrites it), and a folder that is missing or cannot be written to.
    pub fn new(name: &Path, force: bool) -> Result<Self, Fault> {
        let output = Self { name: name.to_path_buf(), force };
        if name.exists() && !force {
            return Err(Fault::usage(format!("`{}` exists; --force overwrites it", name.display())));
        }
        let folder = output.folder();
        if !folder.is_dir() {
            let folder = folder.display();
            return Err(Fault::usage(format!("cannot write `{}`: there is no folder `{folder}`", name.display())));
        }
        output.nameless()?;
        Ok(output)
    }

    fn folder(&self) -> &Path {
        self.name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// A file without a name in the same folder, for what is written little by little: nothing is left of it if the program is killed.
    pub fn nameless(&self) -> Result<std::fs::File, Fault> {
        tempfile::tempfile_in(self.folder())
            .map_err(|error| Fault::usage(format!("cannot write `{}`: {error}", self.name.display())))
    }

    /// Writes it, and gives it its name.
    pub fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Fault> {
        let keep = || {
            let mut file = Draft::begin(&self.name)?;
            write(&mut file)?;
            // Another program may have created the file in the meantime.
            file.keep(self.force)
        };
        keep().map_err(|error| self.failed(&error))
    }

    /// It cannot be written.
    pub fn failed(&self, error: &io::Error) -> Fault {
        Fault::failed(format!("cannot write `{}`: {error}", self.name.display()))
    }
}
