//! Games of blocks as rows of a CSV or Parquet table.

use motherlode_play::{Cell, Column, GameColumns, Kind};

use crate::series::{SeatedGame, Series};

/// The name of a version of a game: `base`, `changed`, or `changed_2` if there are several.
fn version_name(version: usize) -> String {
    match version {
        0 => "base".to_owned(),
        1 => "changed".to_owned(),
        later => format!("changed_{later}"),
    }
}

/// The columns `block`, `seating`, `version` (only with several versions), those of a game, and `bot_1 ...`.
/// Seatings and seats count from 1.
#[must_use]
pub fn columns(series: &Series) -> Vec<Column> {
    let (game, setup) = &series.game;
    let place = ["block", "seating"].map(|name| Column::new(name, Kind::Number));
    let version = (!series.others.is_empty()).then(|| Column::new("version", Kind::Text));
    // Block and seating replace the index of a game.
    let of_game = GameColumns::of(game, setup.players).columns().into_iter().skip(1);
    let bots = Column::seats("bot", Kind::Text, setup.players);
    place.into_iter().chain(version).chain(of_game).chain(bots).collect()
}

/// Returns one row for each game of a block. `games` yields version, seating and game.
pub fn rows<'g>(
    series: &Series,
    block: u64,
    games: impl Iterator<Item = (usize, usize, &'g SeatedGame)>,
) -> Vec<Vec<Cell>> {
    let (game, setup) = &series.game;
    let of_game = GameColumns::of(game, setup.players);
    let number = |number: u64| Cell::Number(i64::try_from(number).unwrap_or(i64::MAX));
    games
        .map(|(version, turn, seated_game)| {
            let version = (!series.others.is_empty()).then(|| Cell::from(Some(version_name(version).as_str())));
            let bots = seated_game.bots.iter().map(|bot| Cell::from(series.bots.get(*bot).map(String::as_str)));
            let place = [number(block), number(turn as u64 + 1)].into_iter().chain(version);
            place.chain(of_game.values(&seated_game.row).into_iter().skip(1)).chain(bots).collect()
        })
        .collect()
}
