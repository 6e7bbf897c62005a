//! Loads the measured games and plays them at random.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use motherlode::{Game, Match, Pack, Setup};
use motherlode_fixtures::pack;

use crate::subject::{Subject, sure};
use crate::twins::SplitMix64;

/// Seed of the random choices, for engine and twin.
pub const CHANCE: u64 = 7;

/// Folder of the shipped games.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Folder of the games that exist only for measurements.
pub fn own_root() -> PathBuf {
    root().join("benches/packs")
}

/// Loads a game from a folder, without the check.
pub fn load(root: &Path, id: &str) -> Game {
    sure(Pack::open(root, id).and_then(|pack| Game::load(&pack)))
}

/// Loads a game from a folder with the check, as `lode` does.
pub fn checked(root: &Path, id: &str) -> Game {
    sure(Pack::open(root, id).and_then(|pack| motherlode_check::check(&pack))).game
}

/// Returns a shipped game, which is loaded once.
pub fn shipped(id: &str) -> Game {
    static GAMES: OnceLock<Vec<(String, Game)>> = OnceLock::new();
    let games = GAMES.get_or_init(|| {
        let ids = sure(motherlode::find_packs(root()));
        ids.into_iter().map(|id| (id.clone(), load(root(), &id))).collect()
    });
    let found = games.iter().find(|(name, _)| name == id);
    found.unwrap_or_else(|| panic!("unknown game `{id}`")).1.clone()
}

/// Ids of the shipped games.
pub fn shipped_ids() -> Vec<String> {
    sure(motherlode::find_packs(root()))
}

/// Loads a game from texts: `game`, `phases` and `prompts` in TOML, the hooks of the phases in Luau.
pub fn from_texts(id: &str, game: &str, phases: &str, prompts: &str, hooks: &str) -> Game {
    let content = [("game", game), ("phases", phases), ("prompts", prompts)];
    sure(Game::load(&pack(id, &content, &[("phases", hooks)])))
}

/// Setup of a game with seed 0.
pub fn setup(game: &Game, players: u8, options: &[(String, String)]) -> Setup {
    sure(game.setup(Some(players), options, 0))
}

/// Starts a match that does not record its answers.
pub fn begin(game: &Game, setup: &Setup) -> Match {
    let mut m = sure(Match::new(game, setup));
    m.set_recording(false);
    m
}

/// Random playouts of the engine, which restart the same match.
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
