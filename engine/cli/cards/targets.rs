//! The files of cards that are written.

use std::io::Write;
use std::path::{Path, PathBuf};

use motherlode::Pack;
use motherlode::tools::hidden;
use motherlode_files::Draft;

use crate::fault::Fault;

/// The folder of the layer whose cards are written.
pub struct Targets {
    /// The beginning of the displayed paths of its files.
    begin: String,
    folder: PathBuf,
}

impl Targets {
    /// Finds the folder of a layer: `project` for the game itself, else the folder of the mod.
    pub fn find(project: Result<&Path, Fault>, mods: &[PathBuf], pack: &Pack, layer: usize) -> Result<Self, Fault> {
        let Some(one) = layer.checked_sub(1).and_then(|index| pack.mods().get(index)) else {
            return Ok(Self { begin: String::new(), folder: project?.to_path_buf() });
        };
        let path = mods.iter().find(|path| hidden::path(path) == one.origin());
        match path.filter(|path| path.is_dir()) {
            Some(path) => Ok(Self { begin: format!("{}/", one.id()), folder: path.clone() }),
            None => {
                let message =
                    format!("`{}` is a zip, which cannot be changed: unpack it, and name its folder", one.origin());
                Err(Fault::usage(message))
            }
        }
    }

    /// The file with a displayed path.
    pub fn path(&self, shown: &str) -> Option<PathBuf> {
        Some(self.folder.join(shown.strip_prefix(self.begin.as_str())?))
    }

    /// Writes files by displayed path, all of them or none.
    pub fn write<'t>(&self, texts: impl Iterator<Item = (&'t str, &'t str)>, out: &mut dyn Write) -> Result<(), Fault> {
        let mut drafts = Vec::new();
        for (shown, text) in texts {
            let Some(path) = self.path(shown) else { continue };
            let failed = |error: std::io::Error| Fault::unwritten(&path, &error);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).map_err(failed)?;
            }
            let mut draft = Draft::begin(&path).map_err(failed)?;
            draft.write_all(text.as_bytes()).map_err(failed)?;
            drafts.push((draft, path));
        }
        for (draft, path) in drafts {
            draft.keep(true).map_err(|error| Fault::unwritten(&path, &error))?;
            writeln!(out, "wrote {}", hidden::path(&path))?;
        }
        Ok(())
    }
}
