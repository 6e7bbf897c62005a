//! The games that are measured, and random play of them.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use motherlode::{Game, Match, Pack, Setup};

use crate::subject::{Subject, sure};
use crate::twins::SplitMix64;

/// Seed of the random choices, the same on both sides.
pub const CHANCE: u64 = 7;

/// The folder with the shipped games.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder with the games that exist only for measurements.
pub fn own_root() -> PathBuf {
    root().join("benches/packs")
}

/// A game from a folder.
pub fn load(root: &Path, id: &str) -> Game {
    sure(Pack::open(root, id).and_then(|pack| Game::load(&pack)))
}

/// A game from a folder, loaded as the command loads it: with the check.
pub fn checked(root: &Path, id: &str) -> Game {
    sure(Pack::open(root, id).and_then(|pack| motherlode_check::check(&pack))).game
}

/// A shipped game, loaded once.
pub fn shipped(id: &str) -> Game {
    static GAMES: OnceLock<Vec<(String, Game)>> = OnceLock::new();
    let games = GAMES.get_or_init(|| {
        let ids = sure(motherlode::find_packs(root()));
        ids.into_iter().map(|id| (id.clone(), load(root(), &id))).collect()
    });
    let found = games.iter().find(|(name, _)| name == id);
    found.unwrap_or_else(|| panic!("there is no game `{id}`")).1.clone()
}

/// Ids of the shipped games.
pub fn shipped_ids() -> Vec<String> {
    sure(motherlode::find_packs(root()))
}

/// A game from texts: `game`, `phases` and `prompts` in TOML and the hooks of the phases in Luau.
pub fn from_texts(id: &str, game: &str, phases: &str, prompts: &str, hooks: &str) -> Game {
    let files = [
        (format!("content/{id}/game.toml"), game.to_owned()),
        (format!("content/{id}/phases.toml"), phases.to_owned()),
        (format!("content/{id}/prompts.toml"), prompts.to_owned()),
        (format!("scripts/{id}/phases.luau"), hooks.to_owned()),
    ];
    sure(Game::load(&Pack::from_files(id, files)))
}

/// The setup of a game with seed 0.
pub fn setup(game: &Game, players: u8, options: &[(String, String)]) -> Setup {
    sure(game.setup(Some(players), options, 0))
}

/// A match that does not record its answers.
pub fn begin(game: &Game, setup: &Setup) -> Match {
    let mut m = sure(Match::new(game, setup));
    m.set_recording(false);
    m
}

/// Random games of the engine, one after the other in the same match.
pub fn playouts(name: impl Into<String>, game: &Game, setup: &Setup) -> Subject {
    let (mut m, mut setup) = (begin(game, setup), setup.clone());
    let mut chance = SplitMix64::new(CHANCE);
    let mut seed = 0;
    Subject::new(name, move |games| {
        let mut decisions = 0;
        for _ in 0..games {
            setup.seed = seed;
            seed += 1;
            sure(m.restart(&setup));
            while !m.is_over() {
                let index = chance.below(m.choices().len());
                sure(m.answer(index));
                decisions += 1;
            }
        }
        decisions
    })
}
