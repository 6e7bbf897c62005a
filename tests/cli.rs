//! The command `lode`, run as a user runs it.

/// Plans and expectations: `exploit`, `test --balance`.
mod balance;
/// A copy of the program far away from its sources.
mod builtin;
/// Spreadsheets: `cards`.
mod cards;
/// Chance over the line protocol.
mod chance;
/// Lists and checks of content: `games`, `check`, `rules`, `test`.
mod content;
/// Simultaneous questions, team results and shared results.
mod deciding;
/// Designer tools: `show`, `new`, `schema`.
pub mod design;
/// Goals, fractions of points, cooperative games with a score alone.
mod goals;
/// Experiments: `arena`, `compare`, `effects`, `report`.
mod lab;
/// Mistakes in a new game: `check`, `test`, `play`, `cards import`.
mod mistakes;
/// Mods over the games.
mod mods;
/// Matches in the terminal: `play`, `replay`.
mod play;
/// Cards, boards and rules on paper: `print`.
mod print;
/// Helpers that run the program.
pub mod program;
/// Recorded runs that are split into shards and merged: `--shard`, `merge`.
mod shards;
/// `sim` and the files it writes.
mod sim;
/// Sessions of the line protocol.
mod stdio;
/// `train`, and bots that play by trained values.
mod train;
/// Exit codes and messages for wrong usage.
mod usage;
/// `watch`, stepped by hand.
mod watch;
