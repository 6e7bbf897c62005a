//! What `lode new` is going to write: nothing is written before the whole of it passes the check.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use motherlode::{Game, Pack};
use tempfile::NamedTempFile;

use super::{check_id, scripts};
use crate::fault::Fault;
use crate::paint;

/// Files to be made or added to.
pub struct Plan {
    root: PathBuf,
    pack: Pack,
    edits: Vec<Edit>,
}

struct Edit {
    /// Path below the root, always with `/`.
    path: String,
    /// The text that is there; `None`: there is no such file.
    before: Option<String>,
    after: String,
    /// What is new in it.
    added: String,
}

impl Plan {
    /// Nothing yet, for this pack.
    pub fn new(root: &Path, pack: Pack) -> Self {
        Self { root: root.to_path_buf(), pack, edits: Vec::new() }
    }

    /// Nothing yet, for a pack that is not there.
    pub fn of_new_game(root: &Path, id: &str) -> Result<Self, Fault> {
        check_id(id)?;
        Ok(Self::new(root, Pack::from_files(id, [])))
    }

    /// Makes a file.
    pub fn create(&mut self, path: String, text: String) -> Result<(), Fault> {
        if self.root.join(&path).exists() {
            return Err(Fault::usage(format!("`{path}` exists; nothing is written over it")));
        }
        self.edits.push(Edit { path, before: None, after: text.clone(), added: text });
        Ok(())
    }

    /// Adds a block to the end of a TOML file, or makes the file of it.
    pub fn append(&mut self, path: String, block: &str) -> Result<(), Fault> {
        let Some(before) = self.read(&path)? else { return self.create(path, block.to_owned()) };
        let added = as_lines_of(&before, block);
        let gap = if before.trim().is_empty() || before.ends_with("\n\n") { "" } else { "\n" };
        let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
        let after = format!("{before}{}{added}", as_lines_of(&before, &format!("{end}{gap}")));
        self.edits.push(Edit { path, before: Some(before), after, added });
        Ok(())
    }

    /// Adds fields to the table that a script returns, or makes the script of them.
    pub fn add_fields(&mut self, path: String, fields: &str) -> Result<(), Fault> {
        let Some(before) = self.read(&path)? else { return self.create(path, format!("return {{\n{fields}}}\n")) };
        let added = as_lines_of(&before, fields);
        let Some(after) = scripts::with_fields(&before, &added) else {
            return Err(Fault::failed(format!(
                "`{path}` does not end with the table it returns; put this into that table by hand:\n{fields}"
            )));
        };
        self.edits.push(Edit { path, before: Some(before), after, added });
        Ok(())
    }

    fn read(&self, path: &str) -> Result<Option<String>, Fault> {
        match fs::read_to_string(self.root.join(path)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Fault::failed(format!("`{path}` cannot be read: {error}"))),
        }
    }

    /// Loads the pack as it would be.
    pub fn check(&self) -> Result<(), Fault> {
        let edited = self.edits.iter().filter(|edit| !edit.path.starts_with("tests/"));
        let edited: Vec<(String, String)> = edited.map(|edit| (edit.path.clone(), edit.after.clone())).collect();
        let kept = self.pack.files.iter().filter(|file| !edited.iter().any(|(path, _)| *path == file.path));
        let kept: Vec<(String, String)> = kept.map(|file| (file.path.clone(), file.text.clone())).collect();
        let id = &self.pack.id;
        let loaded = Game::load(&Pack::from_files(id, kept.into_iter().chain(edited)));
        loaded.map(drop).map_err(|diagnostics| Fault::Content { game: id.clone(), diagnostics })
    }

    /// Prints what would be written.
    pub fn show(&self, out: &mut dyn Write) -> Result<(), Fault> {
        let (strong, green) = (paint::strong(), paint::style("bright_green"));
        for edit in &self.edits {
            let word = if edit.before.is_some() { "would be added to" } else { "would be made:" };
            writeln!(out, "{word} {strong}{}{strong:#}", edit.path)?;
            for line in edit.added.lines() {
                writeln!(out, "{green}+ {line}{green:#}")?;
            }
        }
        Ok(())
    }

    /// Writes everything; no file is seen half written, and none is overwritten that changed in the meantime.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), Fault> {
        for edit in &self.edits {
            let path = self.root.join(&edit.path);
            let wrong = |error: std::io::Error| Fault::failed(format!("`{}` cannot be written: {error}", edit.path));
            let folder = path.parent().unwrap_or(&self.root);
            fs::create_dir_all(folder).map_err(wrong)?;
            if self.read(&edit.path)? != edit.before {
                return Err(Fault::failed(format!("`{}` has just been changed; try again", edit.path)));
            }
            let mut file = NamedTempFile::new_in(folder).map_err(wrong)?;
            file.write_all(edit.after.as_bytes()).map_err(wrong)?;
            let permissions = fs::metadata(&path).map(|meta| meta.permissions());
            let kept = match permissions {
                Ok(permissions) => {
                    file.as_file().set_permissions(permissions).map_err(wrong)?;
                    file.persist(&path)
                }
                Err(_) => {
                    open_to_all(&file).map_err(wrong)?;
                    file.persist_noclobber(&path)
                }
            };
            kept.map_err(|error| wrong(error.error))?;
            let lines = paint::plural(edit.added.lines().count(), "line");
            let word = if edit.before.is_some() { "added to" } else { "made" };
            writeln!(out, "{word} {} ({lines})", edit.path)?;
        }
        Ok(())
    }
}

/// A temporary file is its owner's alone; content is for everybody to read.
#[cfg(unix)]
fn open_to_all(file: &NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn open_to_all(_: &NamedTempFile) -> std::io::Result<()> {
    Ok(())
}

/// The text with the line ends of another.
fn as_lines_of(other: &str, text: &str) -> String {
    if other.contains("\r\n") { text.replace('\n', "\r\n") } else { text.to_owned() }
}
