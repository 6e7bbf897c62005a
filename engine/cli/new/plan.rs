//! What `lode new` is going to write. Nothing is written unless the result passes the check.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use motherlode::tools::hidden;
use motherlode::{Diagnostics, Game, Mod, Pack};
use motherlode_check::check;
use motherlode_files::{Draft, read_regular};

use super::scripts;
use crate::fault::{Fault, remedy};
use crate::paint;
use crate::project::Project;

/// Largest file that is added to, in bytes: content is smaller.
const LARGEST: u64 = 1 << 20;

/// Files to create or add to.
pub struct Plan {
    /// The folder they are written to.
    root: PathBuf,
    of: Of,
    edits: Vec<Edit>,
}

/// Whose files they are.
enum Of {
    /// Those of a game.
    Game(Pack),
    /// Those of a mod over a game.
    Mod {
        project: Project,
        game: String,
        /// The files it has, with paths as in its folder.
        files: Vec<(String, String)>,
    },
}

struct Edit {
    /// Path below the root, always with `/`.
    path: String,
    /// The text of the file; `None` if there is no such file.
    before: Option<String>,
    after: String,
    /// What is new in it.
    added: String,
}

impl Plan {
    /// An empty plan for this pack.
    pub fn new(root: &Path, pack: Pack) -> Self {
        Self { root: root.to_path_buf(), of: Of::Game(pack), edits: Vec::new() }
    }

    /// An empty plan for the last mod of a project, which was read from this folder.
    pub fn of_mod(folder: &Path, mut project: Project, game: &str) -> Self {
        let edited = project.mods.pop();
        let files = edited.iter().flat_map(|one| {
            let inner = |path: &str| path[one.id().len() + 1..].to_owned();
            one.files().chain(one.tests()).map(move |file| (inner(&file.path), file.text.clone()))
        });
        let of = Of::Mod { files: files.collect(), game: game.to_owned(), project };
        Self { root: folder.to_path_buf(), of, edits: Vec::new() }
    }

    /// An empty plan for a mod that does not exist yet.
    pub fn of_new_mod(folder: &Path, project: Project, game: &str) -> Self {
        let of = Of::Mod { project, game: game.to_owned(), files: Vec::new() };
        Self { root: folder.to_path_buf(), of, edits: Vec::new() }
    }

    /// An empty plan for a pack that does not exist yet.
    pub fn of_new_game(root: &Path, id: &str) -> Self {
        Self::new(root, Pack::from_files(id, Vec::<(String, String)>::new()))
    }

    /// Adds a new file.
    pub fn create(&mut self, path: String, text: String) -> Result<(), Fault> {
        if self.root.join(&path).exists() {
            return Err(Fault::usage(format!("`{}` already exists and is not overwritten", self.shown(&path))));
        }
        self.edits.push(Edit { path, before: None, after: text.clone(), added: text });
        Ok(())
    }

    /// Adds a block to the end of a TOML file, or a new file with the block.
    pub fn append(&mut self, path: String, block: &str) -> Result<(), Fault> {
        let Some(before) = self.read(&path)? else { return self.create(path, block.to_owned()) };
        let added = as_lines_of(&before, block);
        let gap = if before.trim().is_empty() || before.ends_with("\n\n") { "" } else { "\n" };
        let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
        let after = format!("{before}{}{added}", as_lines_of(&before, &format!("{end}{gap}")));
        self.edits.push(Edit { path, before: Some(before), after, added });
        Ok(())
    }

    /// Adds fields to the table that a script returns, or a new script with them.
    pub fn add_fields(&mut self, path: String, fields: &str) -> Result<(), Fault> {
        let Some(before) = self.read(&path)? else { return self.create(path, format!("return {{\n{fields}}}\n")) };
        let added = as_lines_of(&before, fields);
        let Some(after) = scripts::with_fields(&before, &added) else {
            return Err(Fault::failed(format!(
                "`{}` does not end with the table it returns; add this to that table by hand:\n{fields}",
                self.shown(&path)
            )));
        };
        self.edits.push(Edit { path, before: Some(before), after, added });
        Ok(())
    }

    fn read(&self, path: &str) -> Result<Option<String>, Fault> {
        let read = read_regular(&self.root.join(path), LARGEST);
        match read.and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Fault::failed(format!("cannot read `{}`: {error}", self.shown(path)))),
        }
    }

    /// A path as shown to people: relative to the project.
    fn shown(&self, path: &str) -> String {
        match &self.of {
            Of::Game(_) => path.to_owned(),
            Of::Mod { project, .. } => {
                let path = self.root.join(path);
                hidden::path(path.strip_prefix(project.base()).unwrap_or(&path))
            }
        }
    }

    /// Checks the game as it would be, and returns it.
    pub fn check(&self) -> Result<Game, Fault> {
        let (game, loaded) = match &self.of {
            Of::Game(pack) => {
                let files = pack.files.iter().map(|file| (&file.path, &file.text));
                let files = self.edited(files).filter(|(path, _)| !path.starts_with("tests/"));
                (&pack.id, check(&Pack::from_files(&pack.id, files)))
            }
            Of::Mod { project, game, files } => {
                let edited = Mod::from_files(self.edited(files.iter().map(|(path, text)| (path, text))));
                let over = |one| project.pack_with(game, [project.mods_of(game), vec![one]].concat());
                (game, edited.and_then(over).and_then(|pack| check(&pack)))
            }
        };
        let wrong = |diagnostics: Diagnostics| Fault::Content { game: game.clone(), diagnostics };
        loaded.map(|checked| checked.game).map_err(wrong)
    }

    /// These files with the edits, and the new files.
    fn edited<'p>(
        &'p self,
        files: impl Iterator<Item = (&'p String, &'p String)>,
    ) -> impl Iterator<Item = (String, String)> {
        let kept = files.filter(|(path, _)| !self.edits.iter().any(|edit| edit.path == **path));
        let edited = self.edits.iter().map(|edit| (&edit.path, &edit.after));
        kept.chain(edited).map(|(path, text)| (path.clone(), text.clone()))
    }

    /// Prints what would be written.
    pub fn show(&self, out: &mut dyn Write) -> Result<(), Fault> {
        let (strong, green) = (paint::strong(), paint::style("bright_green"));
        for edit in &self.edits {
            let word = if edit.before.is_some() { "would add to" } else { "would create" };
            writeln!(out, "{word} {strong}{}{strong:#}", self.shown(&edit.path))?;
            for line in edit.added.lines() {
                writeln!(out, "{green}+ {line}{green:#}")?;
            }
        }
        Ok(())
    }

    /// Writes everything. No file is ever half written, and none that has changed in the meantime is overwritten.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), Fault> {
        for edit in &self.edits {
            let path = self.root.join(&edit.path);
            let shown = self.shown(&edit.path);
            let wrong =
                |error: std::io::Error| Fault::failed(format!("cannot write `{shown}`: {error}{}", remedy(&error)));
            let folder = path.parent().unwrap_or(&self.root);
            fs::create_dir_all(folder).map_err(wrong)?;
            if self.read(&edit.path)? != edit.before {
                return Err(Fault::failed(format!("`{shown}` has changed in the meantime; try again")));
            }
            let mut file = Draft::begin(&path).map_err(wrong)?;
            file.write_all(edit.after.as_bytes()).map_err(wrong)?;
            file.keep(edit.before.is_some()).map_err(wrong)?;
            let lines = paint::plural(edit.added.lines().count(), "line");
            let word = if edit.before.is_some() { "added to" } else { "created" };
            writeln!(out, "{word} {shown} ({lines})")?;
        }
        Ok(())
    }
}

/// The text with the line endings of another.
fn as_lines_of(other: &str, text: &str) -> String {
    if other.contains("\r\n") { text.replace('\n', "\r\n") } else { text.to_owned() }
}
