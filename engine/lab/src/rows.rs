//! The games of blocks as rows of a table.

use motherlode_play::{Cell, Column, GameColumns, Kind};

use crate::series::{Series, Sitting};

/// What the versions of a game are called, where there are two.
const VERSIONS: [&str; 2] = ["base", "changed"];

/// The columns: `block, seating`, `version` where there are two of them, those of a game, and `bot_1 ...`, with seatings and seats
/// from 1.
#[must_use]
pub fn columns(series: &Series) -> Vec<Column> {
    let (game, setup) = &series.game;
    let place = ["block", "seating"].map(|name| Column::new(name, Kind::Number));
    let version = series.other.is_some().then(|| Column::new("version", Kind::Text));
    // A game has a block and a seating in place of an index.
    let of_game = GameColumns::of(game, setup.players).columns().into_iter().skip(1);
    let bots = Column::seats("bot", Kind::Text, setup.players);
    place.into_iter().chain(version).chain(of_game).chain(bots).collect()
}

/// What the games of a block have in them, version by version.
pub fn rows<'g>(
    series: &Series,
    block: u64,
    games: impl Iterator<Item = (usize, usize, &'g Sitting)>,
) -> Vec<Vec<Cell>> {
    let (game, setup) = &series.game;
    let of_game = GameColumns::of(game, setup.players);
    let number = |number: u64| Cell::Number(i64::try_from(number).unwrap_or(i64::MAX));
    games
        .map(|(version, turn, sitting)| {
            let version = series.other.is_some().then(|| Cell::from(VERSIONS.get(version).copied()));
            let bots = sitting.bots.iter().map(|bot| Cell::from(series.bots.get(*bot).map(String::as_str)));
            let place = [number(block), number(turn as u64 + 1)].into_iter().chain(version);
            place.chain(of_game.values(&sitting.row).into_iter().skip(1)).chain(bots).collect()
        })
        .collect()
}
