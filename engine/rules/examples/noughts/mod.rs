//! Noughts and crosses, the game that the examples play: four small files, put into the program as text.
//!
//! A game in folders is opened with `Pack::open(root, id)` instead.

use motherlode::{Game, Pack};

/// The game, ready to be played.
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
