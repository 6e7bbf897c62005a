//! The games of the open files, with the unsaved texts of the editor.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use motherlode::Pack;
use motherlode::declare::Declarations;
use motherlode_check::references::{Reference, references};
use motherlode_check::schema::{mod_schema, patch_schema, schemas};
use motherlode_content::source::SourceFile;
use motherlode_content::{Diagnostics, Mod};
use motherlode_files::read_regular;
use serde_json::Value as Json;

/// Folders of a game or a mod.
const ROOMS: [&str; 3] = ["content", "scripts", "tests"];

/// Largest rule test that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// A game, perhaps with a mod over it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Unit {
    /// Folder with `content/` and `scripts/` of the game.
    root: PathBuf,
    /// Id of the game.
    pub game: String,
    /// Folder of the mod.
    mod_folder: Option<PathBuf>,
}

/// A file with its game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilePlace {
    pub unit: Unit,
    /// Displayed path, as in diagnostics.
    pub shown: String,
}

/// A game as it is with the unsaved texts.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub pack: Pack,
    pub declarations: Declarations,
    /// Rule tests, by displayed path.
    pub tests: Vec<SourceFile>,
    named: OnceCell<Vec<Reference>>,
}

impl Snapshot {
    /// The schema of a file, by its displayed path.
    pub fn schema(&self, shown: &str) -> Option<Json> {
        if shown.ends_with("/mod.toml") {
            return Some(mod_schema());
        }
        let stem = self.pack.stem_of(shown)?;
        let (_, schema) = schemas(&self.declarations).into_iter().find(|(of, _)| of == stem)?;
        Some(if shown.starts_with("content/") { schema } else { patch_schema(schema) })
    }

    /// Every place that names something, found when first asked for.
    pub fn references(&self) -> &[Reference] {
        self.named.get_or_init(|| references(&self.pack, &self.declarations, &self.tests))
    }

    /// The text of a file, by displayed path.
    pub fn text(&self, shown: &str) -> Option<&str> {
        let of_mods = self.pack.mods().iter().flat_map(Mod::files);
        let all = self.pack.files.iter().chain(of_mods).chain(&self.tests);
        all.into_iter().find(|file| file.path == shown).map(|file| file.text.as_str())
    }
}

/// The open files of the editor.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// Unsaved texts by real path.
    open: BTreeMap<PathBuf, String>,
    /// Folders of the workspace, to find the game of a mod elsewhere.
    folders: Vec<PathBuf>,
}

impl Workspace {
    pub fn set(&mut self, path: PathBuf, text: String) {
        self.open.insert(path, text);
    }

    pub fn close(&mut self, path: &Path) {
        self.open.remove(path);
    }

    /// No open files.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self { open: BTreeMap::new(), folders }
    }

    /// The games of all open files.
    pub fn units(&self) -> Vec<Unit> {
        let mut all: Vec<Unit> = self.open.keys().filter_map(|path| Some(self.place(path)?.unit)).collect();
        all.sort();
        all.dedup();
        all
    }

    /// The game of a file; `None`: it belongs to no game.
    pub fn place(&self, path: &Path) -> Option<FilePlace> {
        for folder in path.ancestors().skip(1) {
            let inner: Vec<String> =
                path.strip_prefix(folder).ok()?.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            let is_mod = folder.join("mod.toml").is_file();
            let is_room = inner.len() > 2 && ROOMS.contains(&inner[0].as_str());
            if !(is_room || is_mod && inner == ["mod.toml"]) {
                continue;
            }
            if is_mod {
                let one = Mod::open(folder).ok()?;
                // A mod that brings a whole game lies over nothing.
                let alone = || folder.parent().filter(|_| one.brings_game()).map(Path::to_path_buf);
                let root = self.root_of(folder, one.game()).or_else(alone)?;
                let unit = Unit { root, game: one.game().to_owned(), mod_folder: Some(folder.to_path_buf()) };
                return Some(FilePlace { unit, shown: format!("{}/{}", one.id(), inner.join("/")) });
            }
            let game = &inner[1];
            if folder.join("content").join(game).is_dir() {
                let unit = Unit { root: folder.to_path_buf(), game: game.clone(), mod_folder: None };
                return Some(FilePlace { unit, shown: inner.join("/") });
            }
        }
        None
    }

    /// The folder with the game of a mod: the nearest one above it, or a folder of the workspace.
    fn root_of(&self, folder: &Path, game: &str) -> Option<PathBuf> {
        // Another mod may change game.toml, too.
        let has_game = |root: &&Path| {
            root.join("content").join(game).join("game.toml").is_file() && !root.join("mod.toml").is_file()
        };
        let above = folder.ancestors().find(has_game);
        let open = || self.folders.iter().map(PathBuf::as_path).find(has_game);
        above.or_else(open).map(Path::to_path_buf)
    }

    /// The real path of a displayed one.
    pub fn real(&self, unit: &Unit, shown: &str) -> PathBuf {
        if let Some((folder, (_, inner))) = unit.mod_folder.as_ref().zip(shown.split_once('/'))
            && !ROOMS.iter().any(|room| shown.starts_with(&format!("{room}/")))
        {
            return folder.join(inner);
        }
        unit.root.join(shown)
    }

    /// The text of a file: unsaved, or from the disk.
    pub fn text(&self, path: &Path) -> Option<String> {
        self.open.get(path).cloned().or_else(|| fs::read_to_string(path).ok())
    }

    /// Reads a game with the unsaved texts.
    ///
    /// # Errors
    /// The game or its mod cannot be opened.
    pub fn snapshot(&self, unit: &Unit) -> Result<Snapshot, Diagnostics> {
        let (pack, tests) = self.files(unit)?;
        let (declarations, _) = motherlode_content::read(&pack);
        Ok(Snapshot { pack, declarations, tests, named: OnceCell::new() })
    }

    /// The files of a game and its rule tests, with the unsaved texts.
    ///
    /// # Errors
    /// The game or its mod cannot be opened.
    pub fn files(&self, unit: &Unit) -> Result<(Pack, Vec<SourceFile>), Diagnostics> {
        let mods = self.mods(unit)?;
        let mut tests = read_tests(&unit.root, &unit.game);
        tests.extend(mods.iter().flat_map(|one| one.tests()).cloned());
        let mut pack = Pack::with_mods(&unit.root, &unit.game, mods)?;
        for (path, text) in &self.open {
            let Some(place) = self.place(path).filter(|place| self.belongs(place, unit)) else { continue };
            let test = tests.iter_mut().find(|test| test.path == place.shown);
            if let Some(test) = test {
                test.text.clone_from(text);
            } else if pack.stem_of(&place.shown).is_some()
                || place.shown.ends_with(".luau") && !place.shown.contains("tests/")
            {
                pack.set_text(&place.shown, text.clone());
            }
        }
        Ok((pack, tests))
    }

    /// Whether a file is one of a unit: of its mod, or of the game below the mod.
    fn belongs(&self, place: &FilePlace, unit: &Unit) -> bool {
        place.unit == *unit
            || place.unit.mod_folder.is_none() && (&place.unit.root, &place.unit.game) == (&unit.root, &unit.game)
    }

    /// The mod of a unit, with those that it requires, which lie beside it.
    fn mods(&self, unit: &Unit) -> Result<Vec<Mod>, Diagnostics> {
        let Some(folder) = &unit.mod_folder else { return Ok(Vec::new()) };
        let mut mods = vec![Mod::open(folder)?];
        let beside = folder.parent().and_then(|parent| fs::read_dir(parent).ok()).into_iter().flatten();
        let mut others: Vec<PathBuf> = beside.filter_map(|entry| Some(entry.ok()?.path())).collect();
        others.sort();
        for other in others.iter().filter(|other| *other != folder && other.join("mod.toml").is_file()) {
            let Ok(other) = Mod::open(other) else { continue };
            let needed = mods.iter().any(|one| one.requires().any(|id| id == other.id()));
            if needed && other.game() == unit.game {
                mods.push(other);
            }
        }
        Ok(mods)
    }
}

fn read_tests(root: &Path, game: &str) -> Vec<SourceFile> {
    let folder = root.join("tests").join(game);
    let entries = fs::read_dir(&folder).into_iter().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    let read = |name: String| {
        let bytes = read_regular(&folder.join(&name), LARGEST).ok()?;
        Some(SourceFile { path: format!("tests/{game}/{name}"), text: String::from_utf8(bytes).ok()? })
    };
    names.into_iter().filter(|name| name.ends_with(".luau")).filter_map(read).collect()
}
