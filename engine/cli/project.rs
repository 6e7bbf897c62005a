//! Where the games are: the project's folder, the ids in it, and a game by id or by path.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use motherlode::{Diagnostics, Game, Mod, Pack};
use motherlode_check::{Checked, check};
use motherlode_play::rule_test::Sources;

use crate::fault::Fault;

/// Where the games are, and which mods are active; the same in every subcommand.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Place {
    /// Folder with content/ and scripts/
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Put a mod over its game: a folder with mod.toml, or a zip of one; may be given several times
    #[arg(long = "mod", global = true, value_name = "DIR|ZIP")]
    pub mods: Vec<PathBuf>,
}

/// A folder with `content/` and `scripts/`, and the mods over it.
#[derive(Debug, Clone)]
pub struct Project {
    /// The folder.
    pub root: PathBuf,
    /// The mods, as they were given.
    pub mods: Vec<Mod>,
}

impl Project {
    /// The folder given, else the current one or the nearest above it, else the one the program was built from.
    pub fn find(place: &Place) -> Result<Self, Fault> {
        if let Some(root) = &place.root {
            return Self::at(root, place);
        }
        let here = std::env::current_dir().unwrap_or_default();
        let built = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = here.ancestors().chain([built]).find(|folder| is_project(folder)).ok_or_else(|| {
            Fault::usage("there is no folder with content/ and scripts/ here or above; give one with --root DIR")
        })?;
        Ok(Self { root: root.to_path_buf(), mods: open_mods(&place.mods)? })
    }

    /// The same project, its mods as they are now; all of them must be for this game.
    pub fn again(&self, place: &Place, id: &str) -> Result<Self, Fault> {
        let project = Self { root: self.root.clone(), mods: open_mods(&place.mods)? };
        project.refuse_others(id)?;
        Ok(project)
    }

    /// The project in this folder and no other.
    fn at(root: &Path, place: &Place) -> Result<Self, Fault> {
        let shown = root.display();
        if !root.is_dir() {
            return Err(Fault::usage(format!("`{shown}` is not a folder")));
        }
        if !root.join("content").is_dir() {
            return Err(Fault::usage(format!("`{shown}` has no folder content/")));
        }
        Ok(Self { root: root.to_path_buf(), mods: open_mods(&place.mods)? })
    }

    /// Ids of all games, also of those that mods bring, sorted.
    pub fn ids(&self) -> Result<Vec<String>, Fault> {
        let mut ids = motherlode::find_packs(&self.root).map_err(|error| Fault::failed(error.to_string()))?;
        ids.extend(self.mods.iter().filter(|one| one.brings_game()).map(|one| one.game().to_string()));
        ids.sort();
        ids.dedup();
        Ok(ids)
    }

    /// The mods that are for a game.
    pub fn mods_of(&self, id: &str) -> Vec<Mod> {
        self.mods.iter().filter(|one| one.game() == id).cloned().collect()
    }

    /// The games meant by an id, by a path to `content/<id>` or by a path to a project. If nothing is named, the games of the mods, or all
    /// games if there are no mods.
    pub fn several(place: &Place, what: Option<&str>) -> Result<(Self, Vec<String>), Fault> {
        let project = match what {
            None => Self::find(place)?,
            Some(what) if Path::new(what).join("content").is_dir() => Self::at(Path::new(what), place)?,
            Some(what) => {
                let (project, id) = Self::locate(place, what)?;
                return Ok((project, vec![id]));
            }
        };
        if !project.mods.is_empty() {
            let ids: BTreeSet<String> = project.mods.iter().map(|one| one.game().to_string()).collect();
            return Ok((project, ids.into_iter().collect()));
        }
        match project.ids()? {
            ids if ids.is_empty() => {
                Err(Fault::usage(format!("there is no game in `{}`", project.root.join("content").display())))
            }
            ids => Ok((project, ids)),
        }
    }

    /// The game meant by an id, by a path to `content/<id>`, or by a path to a project with a single game.
    pub fn locate(place: &Place, name: &str) -> Result<(Self, String), Fault> {
        let (project, id) = Self::locate_any(place, name)?;
        project.refuse_others(&id)?;
        Ok((project, id))
    }

    /// Refuses mods of other games.
    fn refuse_others(&self, id: &str) -> Result<(), Fault> {
        match self.mods.iter().find(|one| one.game() != id) {
            Some(other) => {
                let (of, game) = (other.id(), other.game());
                Err(Fault::usage(format!("mod `{of}` is for `{game}`, not for `{id}`")))
            }
            None => Ok(()),
        }
    }

    fn locate_any(place: &Place, name: &str) -> Result<(Self, String), Fault> {
        let here = Self::find(place);
        if let Ok(project) = &here
            && project.ids()?.iter().any(|id| id == name)
        {
            return Ok((project.clone(), name.to_string()));
        }
        // Faults of the mods come first: a game of one of them may be meant.
        if let Err(fault @ Fault::Content { .. }) = here {
            return Err(fault);
        }
        let path = Path::new(name);
        if path.is_dir() {
            return Self::of_folder(path, place);
        }
        if name.contains(['/', '\\']) {
            return Err(Fault::usage(format!("there is no folder `{name}`")));
        }
        let project = here?;
        Err(Fault::usage(project.unknown(name)?))
    }

    fn of_folder(path: &Path, place: &Place) -> Result<(Self, String), Fault> {
        let shown = path.display();
        let full = path.canonicalize().map_err(|error| Fault::usage(format!("`{shown}` cannot be opened: {error}")))?;
        if full.join("content").is_dir() {
            let project = Self { root: full.clone(), mods: open_mods(&place.mods)? };
            let ids = project.ids()?;
            return match ids.as_slice() {
                [id] => Ok((project, id.clone())),
                [] => Err(Fault::usage(format!("there is no game in `{shown}/content`"))),
                _ => Err(Fault::usage(format!(
                    "`{shown}` has several games ({}): name one with --root {shown}",
                    ids.join(", ")
                ))),
            };
        }
        let id = full.file_name().and_then(|name| name.to_str());
        let content = full.parent().filter(|parent| parent.file_name().is_some_and(|name| name == "content"));
        match (id, content.and_then(Path::parent)) {
            (Some(id), Some(root)) if full.join("game.toml").is_file() => {
                Ok((Self { root: root.to_path_buf(), mods: open_mods(&place.mods)? }, id.to_string()))
            }
            (Some(_), Some(_)) => Err(Fault::usage(format!("`{shown}` has no game.toml"))),
            _ => Err(Fault::usage(format!(
                "`{shown}` is neither a game's folder below content/ nor a folder with content/"
            ))),
        }
    }

    /// The sentence about a game that does not exist.
    fn unknown(&self, name: &str) -> Result<String, Fault> {
        let ids = self.ids()?;
        let hint = match nearest(name, ids.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None if ids.is_empty() => format!("`{}` has no games", self.root.join("content").display()),
            None => format!("there are {}", ids.join(", ")),
        };
        Ok(format!("there is no game `{name}`; {hint}"))
    }

    /// Loads a game that may not exist.
    pub fn load_named(&self, id: &str) -> Result<Game, Fault> {
        if self.ids()?.iter().any(|known| known == id) { self.load(id) } else { Err(Fault::usage(self.unknown(id)?)) }
    }

    /// Opens a game with the mods that are for it.
    pub fn pack(&self, id: &str) -> Result<Pack, Fault> {
        Pack::with_mods(&self.root, id, self.mods_of(id))
            .map_err(|diagnostics| Fault::Content { game: id.to_string(), diagnostics })
    }

    /// The rule tests of the mods over a game; without mods, or if all are wanted, those of the game itself.
    pub fn tests(&self, id: &str, all: bool) -> Result<Vec<Sources>, Fault> {
        let mods = self.mods_of(id);
        let own = if all || mods.is_empty() { Some(Sources::read(&self.root, id)?) } else { None };
        let of_mods = mods.iter().map(|one| Sources::of(one.tests().to_vec()));
        Ok(own.into_iter().chain(of_mods).collect())
    }

    /// Loads a game with the mods that are for it.
    pub fn load(&self, id: &str) -> Result<Game, Fault> {
        self.check(id).map(|checked| checked.game)
    }

    /// The same, with what its author should know.
    pub fn check(&self, id: &str) -> Result<Checked, Fault> {
        check(&self.pack(id)?).map_err(|diagnostics| Fault::Content { game: id.to_string(), diagnostics })
    }
}

/// Whether a folder is one of games. Many a folder has a `content/` of something else; one of games has scripts beside it, or a game in it.
fn is_project(folder: &Path) -> bool {
    folder.join("content").is_dir()
        && (folder.join("scripts").is_dir() || motherlode::find_packs(folder).is_ok_and(|ids| !ids.is_empty()))
}

/// Finds and loads a game.
pub fn game(place: &Place, name: &str) -> Result<Game, Fault> {
    let (project, id) = Project::locate(place, name)?;
    project.load(&id)
}

/// Reads the mods; all that cannot be read are told at once.
fn open_mods(paths: &[PathBuf]) -> Result<Vec<Mod>, Fault> {
    let mut mods = Vec::new();
    let (mut list, mut sources, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        match Mod::open(path) {
            Ok(one) => mods.push(one),
            Err(faults) => {
                list.extend(faults.list);
                sources.extend(faults.sources.iter().cloned());
                wrong.push(path.display().to_string());
            }
        }
    }
    if list.is_empty() {
        return Ok(mods);
    }
    let diagnostics = Diagnostics { list, sources: Arc::new(sources) };
    Err(Fault::Content { game: wrong.join(", "), diagnostics })
}

/// The name most like a wrong one, if any is like it.
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let names: Vec<&str> = names.into_iter().collect();
    motherlode::tools::nearest(wrong, names)
}
