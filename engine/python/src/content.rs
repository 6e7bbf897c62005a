//! The files that a game was loaded from. Whatever happens to the folder later, the game travels as it is.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use motherlode::{Diagnostics, Game, Mod, Pack, SourceFile};
use motherlode_lab::Balance;
use pyo3::PyResult;
use pyo3::exceptions::PyValueError;

use crate::error::ContentError;

/// Files by path, as in the folder of a project or of a mod.
pub type Files = BTreeMap<String, Vec<u8>>;

/// The file with plans and the best bot.
pub const BALANCE: &str = "balance.toml";

/// The files of a game and its mods, as they were loaded.
#[derive(Debug)]
pub struct Content {
    /// Files of the game, with paths in its project; empty for a game of the package.
    pub files: Files,
    /// Files of each mod, in load order.
    pub mods: Vec<Files>,
    /// Plans and best bots: the file of the game, then those of mods.
    balance_files: Vec<SourceFile>,
    balance: OnceLock<Result<Balance, String>>,
}

impl Content {
    /// The files of a pack. `balance` is the file of the game itself.
    pub fn new(pack: &Pack, is_shipped: bool, balance: Option<SourceFile>) -> Self {
        let mut files = Files::new();
        if !is_shipped {
            let texts = pack.files.iter().chain(&balance);
            files.extend(texts.map(|file| (file.path.clone(), file.text.clone().into_bytes())));
            let learned = pack.learned.iter();
            files.extend(learned.map(|text| (format!("content/{}/learned.value", pack.id), text.clone().into_bytes())));
            files.extend(pack.images.iter().map(|image| (image.path.clone(), Vec::new())));
        }
        let end = format!("/tests/{}/{BALANCE}", pack.id);
        let is_balance = |file: &&SourceFile| file.path.ends_with(&end);
        let of_mods = pack.mods().iter().flat_map(|one| one.tests().iter().filter(is_balance));
        let balance_files = balance.iter().chain(of_mods).cloned().collect();
        let mods = pack.mods().iter().map(|one| files_of_mod(pack, one)).collect();
        Self { files, mods, balance_files, balance: OnceLock::new() }
    }

    /// The plans and the best bot of the game.
    pub fn balance(&self, game: &Game) -> PyResult<&Balance> {
        let read = || {
            Balance::read(game, &self.balance_files).map_err(|list| {
                let sources = Arc::new(self.balance_files.clone());
                Diagnostics { list, sources }.to_string()
            })
        };
        self.balance.get_or_init(read).as_ref().map_err(|faults| ContentError::new_err(faults.clone()))
    }

    /// A bot with the names of plans replaced by their specs: `plan:raiders`.
    pub fn bot(&self, game: &Game, bot: &str) -> PyResult<String> {
        if !bot.contains("plan:") {
            return Ok(bot.to_owned());
        }
        let balance = self.balance(game)?;
        let spec = balance.spec(bot);
        match balance.suggest_plan(bot) {
            Some((word, near)) if motherlode_play::bot(&spec, game, 0).is_err() => {
                let message = format!("there is no plan `{word}`; did you mean `plan:{near}`?");
                Err(PyValueError::new_err(message))
            }
            _ => Ok(spec),
        }
    }
}

/// The files of a mod. No match reads images, but content names them, so that the files must exist.
fn files_of_mod(pack: &Pack, one: &Mod) -> Files {
    let inner = |path: &str| Some(path.strip_prefix(one.id())?.strip_prefix('/')?.to_owned());
    let texts = one.files().chain(one.tests().iter().filter(|file| file.path.ends_with(BALANCE)));
    let texts = texts.filter_map(|file| Some((inner(&file.path)?, file.text.clone().into_bytes())));
    texts.chain(pack.images().filter_map(|image| Some((inner(&image.path)?, Vec::new())))).collect()
}
