//! Noughts and crosses, the game of the examples: four small files, compiled into the program.
//!
//! `Pack::open(root, id)` opens a game in folders.

use motherlode::{Game, Pack};

/// Loads the game.
pub fn game() -> Game {
    let pack = Pack::from_files(
        "noughts",
        [
            ("content/noughts/game.toml", include_str!("game.toml")),
            ("content/noughts/phases.toml", include_str!("phases.toml")),
            ("content/noughts/prompts.toml", include_str!("prompts.toml")),
            ("scripts/noughts/phases.luau", include_str!("phases.luau")),
        ],
    );
    Game::load(&pack).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}
