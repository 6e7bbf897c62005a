//! Play by program: bots, simulations by the million, their statistics, and the runner of rule tests.
//!
//! The rules crate answers what may happen in a match; this crate decides what does happen, often, and counts.
//! Two promises hold for everything here:
//!
//! - **Results depend on nothing but the pack, the setup, the seed and the bots.** Game number `i` of a simulation has
//!   a seed of its own, mixed from the simulation's seed and `i`, and the bots are seeded again from it before each game. So
//!   it does not matter which thread plays a game or what that thread has played before: the rows are equal to the byte at
//!   one thread and at many. (Only [`Speed`] is measured; it stands apart from the results.)
//! - **Bots do not cheat.** What a bot may know is what its seat may know, see [`Bot`].
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use motherlode::{Game, Pack};
//! use motherlode_play::Simulation;
//!
//! let game = Game::load(&Pack::open(std::path::Path::new("."), "some_game")?)?;
//! let setup = game.setup(Some(3), &[], 7)?;
//! let simulation = Simulation { games: 1_000, threads: 2, ..Simulation::new(&game, setup) };
//! let report = simulation.run(|_| {})?;
//! println!("{}", serde_json::to_string_pretty(&report)?);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod bot;
pub mod coverage;
mod report;
mod rollout;
mod rows;
pub mod rule_test;
mod seeds;
mod simulation;
pub mod statistics;
mod tally;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use bot::{BOTS, Bot, BotError, First, Random, bot};
pub use report::{Aborted, Report, SeatReport, Speed};
pub use rollout::{DECISION_LIMIT, Rollout};
pub use rows::{CsvRows, GameRow};
pub use seeds::mix;
pub use simulation::{Progress, Simulation, SimulationError};
pub use tally::{AnswerReport, PromptReport};
