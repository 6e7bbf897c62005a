//! Finds the games, in a project's folder or built into the program, and the mods over them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};

use motherlode::tools::{hidden, nearest};
use motherlode::{Diagnostics, Game, Mod, Pack, SourceFile};
use motherlode_check::{CheckedGame, check};
use motherlode_files::reason;
use motherlode_play::rule_test::TestFiles;

use crate::builtin;
use crate::fault::Fault;

/// The arguments of every subcommand: the folder of the games and the active mods.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct GlobalArgs {
    /// Folder with content/ and scripts/ [default: nearest one above the current folder, else the built-in games]
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Load a mod: a folder with mod.toml, or a zip of one; may be repeated
    #[arg(long = "mod", global = true, value_name = "DIR|ZIP")]
    pub mods: Vec<PathBuf>,
    /// Run the scripts in the interpreter only, without machine code; slower, with the same results
    #[arg(long, global = true)]
    pub no_native: bool,
}

impl GlobalArgs {
    /// The arguments as command-line flags: ` --root DIR --mod DIR`.
    pub fn as_flags(&self) -> String {
        let root = self.root.iter().map(|root| ("root", root));
        let all = root.chain(self.mods.iter().map(|one| ("mod", one)));
        let native = self.no_native.then(|| " --no-native".to_owned());
        all.map(|(name, path)| format!(" --{name} {}", hidden::path(path))).chain(native).collect()
    }
}

/// The games and the mods over them.
#[derive(Debug, Clone)]
pub struct Project {
    games: Games,
    /// The mods in the order of `--mod`.
    pub mods: Vec<Mod>,
    /// Whether the interpreter runs all scripts.
    no_native: bool,
}

/// The place of a project's games.
#[derive(Debug, Clone)]
enum Games {
    /// Below `content/` and `scripts/` of this folder.
    Folder(PathBuf),
    /// Inside the program.
    BuiltIn,
}

impl Project {
    /// Opens the folder given with `--root`; else the nearest project from the current folder upwards; else the built-in games.
    pub fn find(global: &GlobalArgs) -> Result<Self, Fault> {
        if let Some(root) = &global.root {
            return Self::at(root, global);
        }
        let here = current_folder();
        let found = here.ancestors().find(|folder| is_project(folder));
        let games = found.map_or(Games::BuiltIn, |folder| Games::Folder(folder.to_path_buf()));
        Ok(Self { games, mods: open_mods(&global.mods)?, no_native: global.no_native })
    }

    /// Reads the mods of the project again.
    ///
    /// # Errors
    /// A mod cannot be read, or is for another game.
    pub fn reopen(&self, global: &GlobalArgs, id: &str) -> Result<Self, Fault> {
        let project = self.with_mods(open_mods(&global.mods)?);
        project.refuse_mods_of_others(id)?;
        Ok(project)
    }

    /// The same games with other mods.
    pub fn with_mods(&self, mods: Vec<Mod>) -> Self {
        Self { mods, ..self.clone() }
    }

    /// Opens the project in this folder.
    fn at(root: &Path, global: &GlobalArgs) -> Result<Self, Fault> {
        let shown = hidden::path(root);
        if !root.is_dir() {
            return Err(Fault::usage(not_a_folder(root)));
        }
        if !root.join("content").is_dir() {
            return Err(Fault::usage(format!(
                "`{shown}` has no folder content/: give a folder with content/ and scripts/"
            )));
        }
        Self::of_folder(root, global)
    }

    fn of_folder(root: &Path, global: &GlobalArgs) -> Result<Self, Fault> {
        let games = Games::Folder(root.to_path_buf());
        Ok(Self { games, mods: open_mods(&global.mods)?, no_native: global.no_native })
    }

    /// The project's folder, for a subcommand that reads or writes other files than games.
    ///
    /// # Errors
    /// The games are the built-in ones.
    pub fn folder(&self, subcommand: &str) -> Result<&Path, Fault> {
        match &self.games {
            Games::Folder(root) => Ok(root),
            Games::BuiltIn => Err(Fault::usage(format!(
                "`lode {subcommand}` needs a project, but {}\nname one with --root DIR, write the built-in games to a folder with \
                 `lode games --export DIR`, or begin your own with `lode new game ID`",
                no_project()
            ))),
        }
    }

    /// The folder to which shown paths are relative: the project's folder, or the current one.
    pub fn base(&self) -> &Path {
        match &self.games {
            Games::Folder(root) => root,
            Games::BuiltIn => Path::new(""),
        }
    }

    /// Sorted ids of all games, including games that mods add.
    pub fn ids(&self) -> Result<Vec<String>, Fault> {
        let mut ids = match &self.games {
            Games::Folder(root) => motherlode::find_packs(root).map_err(|error| Fault::failed(error.to_string()))?,
            Games::BuiltIn => builtin::GAMES.ids(),
        };
        ids.extend(self.mods.iter().filter(|one| one.brings_game()).map(|one| one.game().to_string()));
        ids.sort();
        ids.dedup();
        Ok(ids)
    }

    /// Folders of `scripts/` or `tests/` whose names are no game but nearly `id`.
    pub fn misspelt_folders(&self, parent: &str, id: &str) -> Vec<String> {
        let Games::Folder(root) = &self.games else { return Vec::new() };
        let ids = self.ids().unwrap_or_default();
        let entries = std::fs::read_dir(root.join(parent)).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let names = folders.filter_map(|entry| entry.file_name().into_string().ok());
        let is_near = |name: &String| {
            !ids.contains(name) && nearest(name, ids.iter().map(String::as_str)).is_some_and(|near| near == id)
        };
        let mut found: Vec<String> = names.filter(is_near).collect();
        found.sort();
        found
    }

    /// The mods for a game.
    pub fn mods_of(&self, id: &str) -> Vec<Mod> {
        self.mods.iter().filter(|one| one.game() == id).cloned().collect()
    }

    /// Finds games by an id, a path to `content/<id>`, or a path to a project. Without a name: the games of the mods, or all games if
    /// there are no mods.
    pub fn locate_many(global: &GlobalArgs, name: Option<&str>) -> Result<(Self, Vec<String>), Fault> {
        let project = match name {
            None => Self::find(global)?,
            Some(name) if Path::new(name).join("content").is_dir() && !Self::is_of_root(global, name)? => {
                Self::at(Path::new(name), global)?
            }
            Some(name) => {
                let (project, id) = Self::locate(global, name)?;
                return Ok((project, vec![id]));
            }
        };
        if !project.mods.is_empty() {
            let ids: BTreeSet<String> = project.mods.iter().map(|one| one.game().to_string()).collect();
            return Ok((project, ids.into_iter().collect()));
        }
        match project.ids()? {
            ids if ids.is_empty() => Err(Fault::usage(no_games(project.base()))),
            ids => Ok((project, ids)),
        }
    }

    /// Whether the folder given with `--root` has a game with this id.
    fn is_of_root(global: &GlobalArgs, id: &str) -> Result<bool, Fault> {
        Ok(global.root.is_some() && Self::find(global)?.ids()?.iter().any(|known| known == id))
    }

    /// Finds a game by an id, a path to `content/<id>`, or a path to a project with a single game.
    pub fn locate(global: &GlobalArgs, name: &str) -> Result<(Self, String), Fault> {
        let (project, id) = Self::locate_any(global, name)?;
        project.refuse_mods_of_others(&id)?;
        Ok((project, id))
    }

    fn refuse_mods_of_others(&self, id: &str) -> Result<(), Fault> {
        match self.mods.iter().find(|one| one.game() != id) {
            Some(other) => {
                let (of, game) = (other.id(), other.game());
                Err(Fault::usage(format!(
                    "mod `{of}` is for `{game}`, not for `{id}`: leave the mod out, or name `{game}`"
                )))
            }
            None => Ok(()),
        }
    }

    fn locate_any(global: &GlobalArgs, name: &str) -> Result<(Self, String), Fault> {
        // Report faults of the mods first, because a mod may add the game.
        let here = Self::find(global)?;
        if here.ids()?.iter().any(|id| id == name) {
            return Ok((here, name.to_string()));
        }
        let path = Path::new(name);
        if path.is_dir() {
            return Self::of_path(path, global);
        }
        if name.contains(['/', '\\']) {
            return Err(Fault::usage(format!("there is no folder `{name}`")));
        }
        Err(Fault::usage(here.unknown(name)?))
    }

    /// Finds the game in a folder such as `content/checkers`, or the only game of a project's folder.
    fn of_path(path: &Path, global: &GlobalArgs) -> Result<(Self, String), Fault> {
        let shown = hidden::path(path);
        let full =
            path.canonicalize().map_err(|error| Fault::usage(format!("cannot open `{shown}`: {}", reason(&error))))?;
        if full.join("content").is_dir() {
            let project = Self::of_folder(&full, global)?;
            let ids = project.ids()?;
            return match ids.as_slice() {
                [id] => Ok((project, id.clone())),
                [] => Err(Fault::usage(no_games(path))),
                _ => Err(Fault::usage(format!(
                    "`{shown}` has several games: name one of {} and give --root {shown}",
                    ids.join(", ")
                ))),
            };
        }
        let id = full.file_name().and_then(|name| name.to_str());
        let content = full.parent().filter(|parent| parent.file_name().is_some_and(|name| name == "content"));
        match (id, content.and_then(Path::parent)) {
            (Some(id), Some(root)) if full.join("game.toml").symlink_metadata().is_ok() => {
                Ok((Self::of_folder(root, global)?, id.to_string()))
            }
            (Some(_), Some(_)) => Err(Fault::usage(no_game_file(path))),
            _ => Err(Fault::usage(format!(
                "`{shown}` is neither a game's folder in content/ nor a folder with content/: give the id of a game, or such a folder"
            ))),
        }
    }

    /// The error message for an unknown game.
    fn unknown(&self, name: &str) -> Result<String, Fault> {
        let ids = self.ids()?;
        if let Games::Folder(root) = &self.games
            && let folder = root.join("content").join(name)
            && has_toml(&folder)
        {
            return Ok(no_game_file(&folder));
        }
        let hint = match (nearest(name, ids.iter().map(String::as_str)), &self.games) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, Games::BuiltIn) => format!("{}, and the built-in games are {}", no_project(), ids.join(", ")),
            (None, Games::Folder(root)) if ids.is_empty() => no_games(root),
            (None, Games::Folder(_)) => format!("the games are {}", ids.join(", ")),
        };
        Ok(format!("there is no game `{name}`; {hint}"))
    }

    /// Loads a game; fails with a hint if it does not exist.
    pub fn load_named(&self, id: &str) -> Result<Game, Fault> {
        self.check_named(id).map(|checked| checked.game)
    }

    /// As [`Self::check`]; fails with a hint if the game does not exist.
    pub fn check_named(&self, id: &str) -> Result<CheckedGame, Fault> {
        if self.ids()?.iter().any(|known| known == id) { self.check(id) } else { Err(Fault::usage(self.unknown(id)?)) }
    }

    /// Opens a game with the mods for it.
    pub fn pack(&self, id: &str) -> Result<Pack, Fault> {
        self.pack_with(id, self.mods_of(id)).map_err(|diagnostics| Fault::Content { game: id.to_string(), diagnostics })
    }

    /// Opens a game with these mods. Prints a note, once, if the game is a built-in one.
    pub fn pack_with(&self, id: &str, mods: Vec<Mod>) -> Result<Pack, Diagnostics> {
        match &self.games {
            Games::Folder(root) => Pack::with_mods(root, id, mods),
            Games::BuiltIn => {
                static NOTE: Once = Once::new();
                NOTE.call_once(|| {
                    eprintln!(
                        "note: {}; using the built-in games; begin your own with `lode new game ID`",
                        no_project()
                    );
                });
                Pack::layered(id, builtin::GAMES.pack(id), mods, || builtin::GAMES.ids())
            }
        }
    }

    /// The rule tests of the mods over a game; if there are no mods or `all` is set, also those of the game.
    pub fn tests(&self, id: &str, all: bool) -> Result<Vec<TestFiles>, Fault> {
        let mods = self.mods_of(id);
        let unread = |error| Fault::failed(format!("cannot read `tests/{id}`: {}", reason(&error)));
        let read = |root| TestFiles::read(root, id).map_err(unread);
        let own = if all || mods.is_empty() { Some(read(self.folder("test")?)?) } else { None };
        // Tests of a mod see the helper file of the game, unless the mod has one.
        let game = match &own {
            Some(own) => own.clone(),
            None => self.folder("test").ok().and_then(|root| read(root).ok()).unwrap_or_default(),
        };
        let of_mods = mods.iter().map(|one| TestFiles::of(one.tests().to_vec()).with_lib_of(&game));
        Ok(own.into_iter().chain(of_mods).collect())
    }

    /// The files of this name beside the rule tests of the mods over a game; if there are no mods or `all` is set, also the game's.
    pub fn files_beside_tests(&self, id: &str, name: &str, all: bool) -> Result<Vec<SourceFile>, Fault> {
        let mods = self.mods_of(id);
        let mut found = Vec::new();
        if let (Games::Folder(root), true) = (&self.games, all || mods.is_empty()) {
            let shown = format!("tests/{id}/{name}");
            found.extend(motherlode_play::rule_test::read_beside(&root.join(&shown), &shown)?);
        }
        let end = format!("/tests/{id}/{name}");
        found.extend(mods.iter().flat_map(|one| one.tests()).filter(|file| file.path.ends_with(&end)).cloned());
        Ok(found)
    }

    /// Loads a game with the mods for it.
    pub fn load(&self, id: &str) -> Result<Game, Fault> {
        self.check(id).map(|checked| checked.game)
    }

    /// Loads a game with the mods for it, with warnings of likely mistakes.
    pub fn check(&self, id: &str) -> Result<CheckedGame, Fault> {
        self.open(id).map(|(_, checked)| checked)
    }

    /// Opens and loads a game with the mods for it.
    pub fn open(&self, id: &str) -> Result<(Pack, CheckedGame), Fault> {
        let pack = self.pack(id)?;
        match check(&pack) {
            Ok(checked) if self.no_native => {
                let game = checked.game.interpreted();
                Ok((pack, CheckedGame { game, ..checked }))
            }
            Ok(checked) => Ok((pack, checked)),
            Err(diagnostics) => Err(Fault::Content { game: id.to_string(), diagnostics }),
        }
    }
}

/// Whether a folder holds games. A folder `content/` alone proves nothing: the folder also needs `scripts/`, or a game in `content/`.
/// A mod's folder looks the same but is no project.
fn is_project(folder: &Path) -> bool {
    folder.join("content").is_dir()
        && !folder.join("mod.toml").is_file()
        && (folder.join("scripts").is_dir() || motherlode::find_packs(folder).is_ok_and(|ids| !ids.is_empty()))
}

fn current_folder() -> PathBuf {
    std::env::current_dir().unwrap_or_default()
}

/// The part of a message that says where no project was found.
fn no_project() -> String {
    format!("there is no folder with content/ and scripts/ at `{}` or above it", hidden::path(current_folder()))
}

/// The message for a project without games.
pub fn no_games(root: &Path) -> String {
    let content = root.join("content");
    let folders = std::fs::read_dir(&content).into_iter().flatten().flatten();
    let mut unfinished: Vec<PathBuf> = folders.map(|entry| entry.path()).filter(|path| has_toml(path)).collect();
    unfinished.sort();
    match unfinished.first() {
        Some(folder) => no_game_file(folder),
        None => format!("there are no games in `{}`: make one with `lode new game ID`", hidden::path(content)),
    }
}

/// The message for a folder of a game without `game.toml`.
fn no_game_file(folder: &Path) -> String {
    format!("`{}` has no game.toml: every game needs this file", hidden::path(folder))
}

/// Whether a folder has a TOML file.
fn has_toml(folder: &Path) -> bool {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.map(|entry| entry.path()).any(|path| path.extension().is_some_and(|extension| extension == "toml"))
}

/// The folder for a new game: the one given with `--root`; else the nearest project; else the current folder, which becomes a project.
pub fn folder_for_new_game(global: &GlobalArgs) -> Result<PathBuf, Fault> {
    if let Some(root) = &global.root {
        let is_folder = root.is_dir();
        return is_folder.then(|| root.clone()).ok_or_else(|| Fault::usage(not_a_folder(root)));
    }
    let here = current_folder();
    match here.ancestors().find(|folder| is_project(folder)) {
        Some(folder) => Ok(folder.to_path_buf()),
        None if here.join("mod.toml").is_file() => {
            Err(Fault::usage(format!("`{}` is a mod: make the game in another folder", hidden::path(here))))
        }
        None => Ok(here),
    }
}

fn not_a_folder(path: &Path) -> String {
    format!("`{}` is not a folder", hidden::path(path))
}

/// Finds and loads a game.
pub fn game(global: &GlobalArgs, name: &str) -> Result<Game, Fault> {
    let (project, id) = Project::locate(global, name)?;
    project.load(&id)
}

/// Reads the mods; the error has the faults of all mods that cannot be read.
fn open_mods(paths: &[PathBuf]) -> Result<Vec<Mod>, Fault> {
    let mut mods = Vec::new();
    let (mut list, mut sources, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(path) = paths.iter().find(|path| !path.exists()) {
        let shown = hidden::path(path);
        return Err(Fault::usage(format!("there is no mod `{shown}`: name a folder with mod.toml, or a zip of one")));
    }
    for path in paths {
        match Mod::open(path) {
            Ok(one) => mods.push(one),
            Err(faults) => {
                list.extend(faults.list);
                sources.extend(faults.sources.iter().cloned());
                wrong.push(hidden::path(path));
            }
        }
    }
    if list.is_empty() {
        return Ok(mods);
    }
    let diagnostics = Diagnostics { list, sources: Arc::new(sources) };
    Err(Fault::Content { game: wrong.join(", "), diagnostics })
}
