//! Where the games are: the project's folder, the ids in it, and a game by id or by path.

use std::path::{Path, PathBuf};

use motherlode::{Game, Pack};

use crate::fault::Fault;

/// A folder with `content/` and `scripts/`.
#[derive(Debug, Clone)]
pub struct Project {
    /// The folder.
    pub root: PathBuf,
}

impl Project {
    /// The folder given, else the current one or the nearest above it, else the one the program was built from.
    pub fn find(root: Option<&Path>) -> Result<Self, Fault> {
        if let Some(root) = root {
            return Self::at(root);
        }
        let here = std::env::current_dir().unwrap_or_default();
        let built = Path::new(env!("CARGO_MANIFEST_DIR"));
        here.ancestors()
            .chain([built])
            .find(|folder| folder.join("content").is_dir() && folder.join("scripts").is_dir())
            .map(|folder| Self { root: folder.to_path_buf() })
            .ok_or_else(|| {
                Fault::usage("there is no folder with content/ and scripts/ here or above; give one with --root DIR")
            })
    }

    /// The project in this folder and no other.
    pub fn at(root: &Path) -> Result<Self, Fault> {
        let shown = root.display();
        if !root.is_dir() {
            return Err(Fault::usage(format!("`{shown}` is not a folder")));
        }
        if !root.join("content").is_dir() {
            return Err(Fault::usage(format!("`{shown}` has no folder content/")));
        }
        Ok(Self { root: root.to_path_buf() })
    }

    /// Ids of all games, sorted.
    pub fn ids(&self) -> Result<Vec<String>, Fault> {
        motherlode::find_packs(&self.root).map_err(|error| Fault::failed(error.to_string()))
    }

    /// The games meant by an id, by a path to `content/<id>` or by a path to a project; all games if nothing is named.
    pub fn several(root: Option<&Path>, what: Option<&str>) -> Result<(Self, Vec<String>), Fault> {
        let project = match what {
            None => Self::find(root)?,
            Some(what) if Path::new(what).join("content").is_dir() => Self::at(Path::new(what))?,
            Some(what) => {
                let (project, id) = Self::locate(root, what)?;
                return Ok((project, vec![id]));
            }
        };
        match project.ids()? {
            ids if ids.is_empty() => {
                Err(Fault::usage(format!("there is no game in `{}`", project.root.join("content").display())))
            }
            ids => Ok((project, ids)),
        }
    }

    /// The game meant by an id, by a path to `content/<id>`, or by a path to a project with a single game.
    pub fn locate(root: Option<&Path>, name: &str) -> Result<(Self, String), Fault> {
        let here = Self::find(root);
        if let Ok(project) = &here
            && project.ids()?.iter().any(|id| id == name)
        {
            return Ok((project.clone(), name.to_string()));
        }
        let path = Path::new(name);
        if path.is_dir() {
            return Self::of_folder(path);
        }
        if name.contains(['/', '\\']) {
            return Err(Fault::usage(format!("there is no folder `{name}`")));
        }
        let project = here?;
        Err(Fault::usage(project.unknown(name)?))
    }

    fn of_folder(path: &Path) -> Result<(Self, String), Fault> {
        let shown = path.display();
        let full = path.canonicalize().map_err(|error| Fault::usage(format!("`{shown}` cannot be opened: {error}")))?;
        if full.join("content").is_dir() {
            let project = Self { root: full.clone() };
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
                Ok((Self { root: root.to_path_buf() }, id.to_string()))
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

    /// Loads a game.
    pub fn load(&self, id: &str) -> Result<Game, Fault> {
        Pack::open(&self.root, id)
            .and_then(|pack| Game::load(&pack))
            .map_err(|diagnostics| Fault::Content { game: id.to_string(), diagnostics })
    }
}

/// Finds and loads a game.
pub fn game(root: Option<&Path>, name: &str) -> Result<Game, Fault> {
    let (project, id) = Project::locate(root, name)?;
    project.load(&id)
}

/// The name most like a wrong one, if any is like it.
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let names: Vec<&str> = names.into_iter().collect();
    motherlode::nearest(wrong, names)
}
