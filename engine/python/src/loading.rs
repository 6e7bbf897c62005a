//! Loads games: shipped ones by name, others from a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use motherlode::tools::nearest;
use motherlode::{Game as Rules, Mod, Pack, SourceFile, find_packs};
use motherlode_content::Bundle;
use motherlode_play::rule_test::read_beside;
use motherlode_play::{Environment, mix};
use pyo3::exceptions::{PyFileNotFoundError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyMapping, PyString};

use crate::content::{BALANCE, Content};
use crate::error::{ContentError, Fault};
use crate::game::{Game, Source};
use crate::number;

/// The games inside the package.
static GAMES: Bundle = Bundle(&include!(concat!(env!("OUT_DIR"), "/games.rs")));

/// The ids of the games inside the package, sorted.
#[pyfunction]
pub fn games() -> Vec<String> {
    GAMES.ids()
}

/// The seed of a match of a vector: match `number` of environment `environment`, both from 0.
#[pyfunction]
#[pyo3(signature = (seed, environment, number = 0))]
pub fn episode_seed(
    #[pyo3(from_py_with = number::seed)] seed: u64,
    #[pyo3(from_py_with = number::environment)] environment: u64,
    #[pyo3(from_py_with = number::episode)] number: u64,
) -> u64 {
    mix(mix(seed, environment), number)
}

/// Load a game: a shipped one by its id, or the folder `content/<id>` of a project, or a project with one game.
///
/// `players` and `options` are those of every match, by default those of the game. `mods` are folders with mod.toml, or
/// zip files of them, in load order. Without `machine_code`, scripts are interpreted: slower, with the same results.
///
/// Raises `ContentError` with all faults of the content, `FileNotFoundError` for an unknown game or mod, and
/// `ValueError` for a number of players or an option that the game does not accept, or for a game with a prompt that
/// accepts any number.
#[pyfunction]
#[pyo3(signature = (game, *, players = None, options = None, mods = Vec::new(), machine_code = true))]
pub fn load(
    py: Python<'_>,
    game: PathBuf,
    #[pyo3(from_py_with = number::players)] players: Option<u8>,
    #[pyo3(from_py_with = options_of)] options: Option<Options<'_>>,
    #[pyo3(from_py_with = mods_of)] mods: Vec<PathBuf>,
    #[pyo3(from_py_with = number::machine_code)] machine_code: bool,
) -> PyResult<Game> {
    let given = texts(options.unwrap_or_default())?;
    let source = (game.clone(), mods.clone());
    py.detach(|| load_as(&game, &mods, (players, &given), source, machine_code))
}

/// Load a game from copies of its files; `source` is where these come from. For pickle.
#[pyfunction]
pub fn load_copy(
    py: Python<'_>,
    game: PathBuf,
    mods: Vec<PathBuf>,
    players: u8,
    options: BTreeMap<String, Bound<'_, PyAny>>,
    source: Source,
) -> PyResult<Game> {
    let given = texts(options)?;
    py.detach(|| load_as(&game, &mods, (Some(players), &given), source, true))
}

fn load_as(
    game: &Path,
    mods: &[PathBuf],
    (players, options): (Option<u8>, &[(String, String)]),
    source: Source,
    machine_code: bool,
) -> PyResult<Game> {
    let (pack, content) = open(game, mods)?;
    let rules = Rules::load(&pack).map_err(|faults| ContentError::new_err(faults.to_string()))?;
    let rules = if machine_code { rules } else { rules.interpreted() };
    let setup = rules.setup(players, options, 0).map_err(Fault::from)?;
    let environment = Environment::new(&rules, setup).map_err(PyValueError::new_err)?;
    Ok(Game::new(Arc::new(environment), Arc::new(content), source))
}

/// Values of options by name.
type Options<'py> = BTreeMap<String, Bound<'py, PyAny>>;

/// The options of a game: any mapping, or none.
fn options_of<'py>(given: &Bound<'py, PyAny>) -> PyResult<Option<Options<'py>>> {
    if given.is_none() {
        return Ok(None);
    }
    let wrong = || PyTypeError::new_err(format!("`options` takes values by name, not {}", number::shown(given)));
    let items = given.cast::<PyMapping>().map_err(|_| wrong())?.items()?;
    let named = items.extract::<Vec<(String, Bound<'py, PyAny>)>>().map_err(|_| wrong())?;
    Ok(Some(named.into_iter().collect()))
}

/// The paths of mods.
fn mods_of(given: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    let paths = if given.is_instance_of::<PyString>() { None } else { given.extract().ok() };
    paths.ok_or_else(|| PyTypeError::new_err(format!("`mods` takes a list of paths, not {}", number::shown(given))))
}

/// Values of options as texts.
fn texts(options: BTreeMap<String, Bound<'_, PyAny>>) -> PyResult<Vec<(String, String)>> {
    let text = |(name, value): (String, Bound<'_, PyAny>)| {
        let text = match value.cast::<PyBool>() {
            Ok(flag) => flag.is_true().to_string(),
            Err(_) => value.str()?.to_string(),
        };
        Ok((name, text))
    };
    options.into_iter().map(text).collect()
}

/// Opens a game with mods.
fn open(game: &Path, mods: &[PathBuf]) -> PyResult<(Pack, Content)> {
    let mods = mods.iter().map(|path| open_mod(path)).collect::<PyResult<Vec<Mod>>>()?;
    let name = game.to_str().unwrap_or_default();
    let is_added = mods.iter().any(|one| one.game() == name && one.brings_game());
    let (root, id) = if GAMES.pack(name).is_some() || is_added {
        (None, name.to_owned())
    } else if game.is_dir() {
        let (root, id) = locate(game)?;
        (Some(root), id)
    } else {
        return Err(PyFileNotFoundError::new_err(unknown(game)));
    };
    if let Some(other) = mods.iter().find(|one| one.game() != id) {
        let message = format!("mod `{}` is for `{}`, not for `{id}`: leave the mod out", other.id(), other.game());
        return Err(PyValueError::new_err(message));
    }
    let shown = format!("tests/{id}/{BALANCE}");
    let (pack, balance) = match &root {
        Some(root) => (Pack::with_mods(root, &id, mods), read_beside(&root.join(&shown), &shown)?),
        None => {
            let balance = GAMES.0.iter().find(|(path, _)| *path == shown);
            let balance = balance.map(|(path, text)| SourceFile { path: (*path).into(), text: (*text).into() });
            (Pack::layered(&id, GAMES.pack(&id), mods, || GAMES.ids()), balance)
        }
    };
    let pack = pack.map_err(|faults| ContentError::new_err(faults.to_string()))?;
    let content = Content::new(&pack, root.is_none(), balance);
    Ok((pack, content))
}

fn open_mod(path: &Path) -> PyResult<Mod> {
    if !path.exists() {
        let message = format!("there is no mod `{}`: name a folder with mod.toml, or a zip of one", path.display());
        return Err(PyFileNotFoundError::new_err(message));
    }
    Mod::open(path).map_err(|faults| ContentError::new_err(faults.to_string()))
}

/// The project's folder and the id of a game's folder, or of the only game of a project.
fn locate(folder: &Path) -> PyResult<(PathBuf, String)> {
    let shown = folder.display();
    let full = folder.canonicalize()?;
    if full.join("content").is_dir() {
        let ids = find_packs(&full).map_err(|error| PyValueError::new_err(error.to_string()))?;
        return match ids.as_slice() {
            [id] => Ok((full, id.clone())),
            [] => Err(PyFileNotFoundError::new_err(format!("there is no game in `{shown}/content`"))),
            _ => {
                let message = format!("`{shown}` has several games: name the folder of one of {}", ids.join(", "));
                Err(PyValueError::new_err(message))
            }
        };
    }
    let id = full.file_name().and_then(|name| name.to_str());
    let content = full.parent().filter(|parent| parent.file_name().is_some_and(|name| name == "content"));
    match (id, content.and_then(Path::parent)) {
        (Some(id), Some(root)) if full.join("game.toml").is_file() => Ok((root.to_path_buf(), id.to_owned())),
        _ => Err(PyFileNotFoundError::new_err(format!(
            "`{shown}` is neither a game's folder in content/ nor a folder with content/: name such a folder"
        ))),
    }
}

fn unknown(game: &Path) -> String {
    let (name, ids) = (game.display().to_string(), GAMES.ids());
    if game.is_file() {
        return format!("`{name}` is a file: name its folder");
    }
    let near = nearest(&name, ids.iter().map(String::as_str).collect::<Vec<_>>());
    match near {
        Some(near) => format!("there is no game `{name}`; did you mean `{near}`?"),
        None => format!("there is no game or folder `{name}`: the games of the package are {}", ids.join(", ")),
    }
}
