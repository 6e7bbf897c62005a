//! The files that `lode new` will write. Writes nothing unless the resulting game passes the check.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use motherlode::tools::hidden;
use motherlode::{Diagnostics, Game, Mod, Pack};
use motherlode_check::check;
use motherlode_files::{Draft, read_regular, reason};

use super::scripts;
use crate::fault::{Fault, remedy};
use crate::paint;
use crate::project::Project;

/// Largest file that can be extended, in bytes; content files are smaller.
const LARGEST: u64 = 1 << 20;

/// Files to create or add to.
pub struct Plan {
    /// The folder to write to.
    root: PathBuf,
    target: Target,
    edits: Vec<Edit>,
}

/// The owner of the files.
enum Target {
    /// A game.
    Game(Pack),
    /// A mod over a game.
    Mod {
        project: Project,
        game: String,
        /// The existing files, with paths in the mod's folder.
        files: Vec<(String, String)>,
    },
}

/// A change to one file.
struct Edit {
    /// Path below the root, always with `/`.
    path: String,
    /// The old text; `None` for a new file.
    before: Option<String>,
    after: String,
    /// The added text.
    added: String,
}

impl Plan {
    /// An empty plan for a game.
    pub fn new(root: &Path, pack: Pack) -> Self {
        Self { root: root.to_path_buf(), target: Target::Game(pack), edits: Vec::new() }
    }

    /// An empty plan for the last mod of a project; `folder` is the mod's folder.
    pub fn of_mod(folder: &Path, mut project: Project, game: &str) -> Self {
        let edited = project.mods.pop();
        let files = edited.iter().flat_map(|one| {
            let inner = |path: &str| path[one.id().len() + 1..].to_owned();
            one.files().chain(one.tests()).map(move |file| (inner(&file.path), file.text.clone()))
        });
        let target = Target::Mod { files: files.collect(), game: game.to_owned(), project };
        Self { root: folder.to_path_buf(), target, edits: Vec::new() }
    }

    /// An empty plan for a new mod.
    pub fn of_new_mod(folder: &Path, project: Project, game: &str) -> Self {
        let target = Target::Mod { project, game: game.to_owned(), files: Vec::new() };
        Self { root: folder.to_path_buf(), target, edits: Vec::new() }
    }

    /// An empty plan for a new game.
    pub fn of_new_game(root: &Path, id: &str) -> Self {
        Self::new(root, Pack::from_files(id, Vec::<(String, String)>::new()))
    }

    /// Adds a new file.
    pub fn create(&mut self, path: String, text: String) -> Result<(), Fault> {
        if self.root.join(&path).exists() {
            return Err(Fault::usage(format!(
                "`{}` already exists: choose another name, or delete it",
                self.shown(&path)
            )));
        }
        self.edits.push(Edit { path, before: None, after: text.clone(), added: text });
        Ok(())
    }

    /// Adds a block to the end of a TOML file, which may be new.
    pub fn append(&mut self, path: String, block: &str) -> Result<(), Fault> {
        let Some(before) = self.read(&path)? else { return self.create(path, block.to_owned()) };
        let added = with_line_endings_of(&before, block);
        let gap = if before.trim().is_empty() || before.ends_with("\n\n") { "" } else { "\n" };
        let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
        let after = format!("{before}{}{added}", with_line_endings_of(&before, &format!("{end}{gap}")));
        self.edits.push(Edit { path, before: Some(before), after, added });
        Ok(())
    }

    /// Adds fields to the table that a script returns; the script may be new.
    pub fn add_fields(&mut self, path: String, fields: &str) -> Result<(), Fault> {
        let Some(before) = self.read(&path)? else { return self.create(path, format!("return {{\n{fields}}}\n")) };
        let added = with_line_endings_of(&before, fields);
        let Some(after) = scripts::with_fields(&before, &added) else {
            return Err(Fault::failed(format!(
                "`{}` does not end with the table it returns: add these fields by hand:\n{fields}",
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
            Err(error) => Err(Fault::failed(format!("cannot read `{}`: {}", self.shown(path), reason(&error)))),
        }
    }

    /// A path for messages, relative to the project.
    fn shown(&self, path: &str) -> String {
        match &self.target {
            Target::Game(_) => path.to_owned(),
            Target::Mod { project, .. } => {
                let path = self.root.join(path);
                hidden::path(path.strip_prefix(project.base()).unwrap_or(&path))
            }
        }
    }

    /// Checks the resulting game and returns it.
    pub fn check(&self) -> Result<Game, Fault> {
        let (game, loaded) = match &self.target {
            Target::Game(pack) => {
                let files = pack.files.iter().map(|file| (&file.path, &file.text));
                let files = self.edited(files).filter(|(path, _)| !path.starts_with("tests/"));
                (&pack.id, check(&Pack::from_files(&pack.id, files)))
            }
            Target::Mod { project, game, files } => {
                let edited = Mod::from_files(self.edited(files.iter().map(|(path, text)| (path, text))));
                let over = |one| project.pack_with(game, [project.mods_of(game), vec![one]].concat());
                (game, edited.and_then(over).and_then(|pack| check(&pack)))
            }
        };
        let wrong = |diagnostics: Diagnostics| Fault::Content { game: game.clone(), diagnostics };
        loaded.map(|checked| checked.game).map_err(wrong)
    }

    /// Applies the edits to these files and adds the new ones.
    fn edited<'p>(
        &'p self,
        files: impl Iterator<Item = (&'p String, &'p String)>,
    ) -> impl Iterator<Item = (String, String)> {
        let kept = files.filter(|(path, _)| !self.edits.iter().any(|edit| edit.path == **path));
        let edited = self.edits.iter().map(|edit| (&edit.path, &edit.after));
        kept.chain(edited).map(|(path, text)| (path.clone(), text.clone()))
    }

    /// Prints the planned changes.
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

    /// Writes each file whole. Fails at a file that has changed since the plan was made.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), Fault> {
        for edit in &self.edits {
            let path = self.root.join(&edit.path);
            let shown = self.shown(&edit.path);
            let wrong = |error: std::io::Error| {
                Fault::failed(format!("cannot write `{shown}`: {}{}", reason(&error), remedy(&error)))
            };
            let folder = path.parent().unwrap_or(&self.root);
            fs::create_dir_all(folder).map_err(wrong)?;
            if self.read(&edit.path)? != edit.before {
                return Err(Fault::failed(format!("`{shown}` has changed meanwhile: run the command again")));
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

/// A text with the line endings of another.
fn with_line_endings_of(other: &str, text: &str) -> String {
    if other.contains("\r\n") { text.replace('\n', "\r\n") } else { text.to_owned() }
}
