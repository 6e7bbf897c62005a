//! The files of cards that are written.

use std::fs;
use std::io::{ErrorKind, Write};
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

    /// Writes files by displayed path. If one cannot be written, restores those before it.
    pub fn write<'t>(&self, texts: impl Iterator<Item = (&'t str, &'t str)>, out: &mut dyn Write) -> Result<(), Fault> {
        let mut drafts = Vec::new();
        for (shown, text) in texts {
            let Some(path) = self.path(shown) else { continue };
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(|error| Fault::unwritten(&path, &error))?;
            }
            drafts.push((draft(&path, text.as_bytes())?, old(&path)?, path));
        }
        let mut written: Vec<(Option<Vec<u8>>, PathBuf)> = Vec::new();
        for (draft, old, path) in drafts {
            if let Err(error) = draft.keep(true) {
                return Err(restored(written, Fault::unwritten(&path, &error)));
            }
            written.push((old, path));
        }
        for (_, path) in &written {
            writeln!(out, "wrote {}", hidden::path(path))?;
        }
        Ok(())
    }
}

/// A text beside its file.
fn draft(path: &Path, text: &[u8]) -> Result<Draft, Fault> {
    let write = || {
        let mut draft = Draft::begin(path)?;
        draft.write_all(text)?;
        Ok(draft)
    };
    write().map_err(|error| Fault::unwritten(path, &error))
}

/// The present text of a file; `None`: there is no file.
fn old(path: &Path) -> Result<Option<Vec<u8>>, Fault> {
    match fs::read(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Fault::unwritten(path, &error)),
    }
}

/// Restores written files, the last one first. Adds the files that stay changed to the fault.
fn restored(written: Vec<(Option<Vec<u8>>, PathBuf)>, fault: Fault) -> Fault {
    let mut changed = Vec::new();
    for (old, path) in written.into_iter().rev() {
        let is_restored = match old {
            Some(old) => draft(&path, &old).is_ok_and(|draft| draft.keep(true).is_ok()),
            None => fs::remove_file(&path).is_ok(),
        };
        if !is_restored {
            changed.push(hidden::path(&path));
        }
    }
    let reason = fault.reason().unwrap_or_default();
    let rest =
        if changed.is_empty() { "no file changed".to_owned() } else { format!("changed: {}", changed.join(", ")) };
    Fault::failed(format!("{reason}; {rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn if_one_file_cannot_be_written_all_stay_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a.toml"), "old a").unwrap();
        fs::write(at("c.toml"), "old c").unwrap();
        let targets = Targets { begin: String::new(), folder: folder.path().to_path_buf() };
        // After the drafts are written, the last one vanishes, so that it cannot get its name.
        let vanish = || {
            fs::remove_file(at(".c.toml.part")).unwrap();
            None
        };
        let texts = [("a.toml", "new a"), ("b.toml", "new b"), ("c.toml", "new c")];
        let fault = targets.write(texts.into_iter().chain(std::iter::from_fn(vanish)), &mut Vec::new()).unwrap_err();
        let reason = fault.reason().unwrap();
        assert!(reason.contains("c.toml") && reason.ends_with("no file changed"), "{reason}");
        assert_eq!(fs::read_to_string(at("a.toml")).unwrap(), "old a");
        assert_eq!(fs::read_to_string(at("c.toml")).unwrap(), "old c");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "neither the new file nor a draft remains");
        targets.write(texts.into_iter(), &mut Vec::new()).unwrap();
        assert_eq!(fs::read_to_string(at("b.toml")).unwrap(), "new b");
    }
}
