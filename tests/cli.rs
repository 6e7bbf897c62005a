//! The command `lode`, run as a stranger would run it.

/// Plans and expectations: `exploit`, `test --balance`.
mod balance;
/// A copy of the program far from its sources.
mod builtin;
/// What there is and what is wrong with it: `games`, `check`, `rules`, `test`.
mod content;
/// Several players asked at once, and results of teams and of all together.
mod deciding;
/// Tools of designers: `show`, `new`, `schema`.
pub mod design;
/// Experiments: `arena`, `compare`, `effects`, `report`.
mod lab;
/// The same with mods over the games.
mod mods;
/// Matches in the terminal: `play`, `replay`.
mod play;
/// Running the program.
pub mod program;
/// Runs that are kept in a folder, played in shares and put together: `--shard`, `merge`.
mod shards;
/// `sim` and the files it writes.
mod sim;
/// Sessions of the line protocol.
mod stdio;
/// `train`, and the bots that play by what it writes.
mod train;
/// Exit codes and messages of wrong usage.
mod usage;
/// `watch`, led by hand.
mod watch;
