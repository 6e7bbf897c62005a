//! Automatic play: bots, simulations of many games, statistics, training of learned values, and the rule-test runner.
//!
//! Two promises hold throughout the crate:
//!
//! - **Results depend only on the pack, the setup, the seed and the bots.** Game `i` of a simulation has its own
//!   seed, mixed from the simulation's seed and `i`. The bots are reseeded from it before the game. Neither the
//!   thread nor the games it played before matter: the rows are byte-for-byte the same with one thread and with many.
//!   Only [`Speed`] is measured, and it is kept apart from the results.
//! - **Bots do not cheat.** A bot uses only what its seat knows: see [`Bot`].
//!
//! [`rule_test`] runs the tests written in Luau beside the content. [`coverage`] lists what those tests never
//! exercised.
//!
//! ```
//! use motherlode::{Game, Pack};
//! use motherlode_play::Simulation;
//!
//! let pack = Pack::from_files("coin", [
//!     ("content/coin/game.toml", r#"
//!         name = "Heads or tails"
//!         version = "1.0.0"
//!         players = { min = 1, max = 1 }
//!         rounds = 1
//!         seats = [{ name = "Ann" }]
//!         counters.right = { per = "player", max = 1 }
//!         outcome = { score = "right" }
//!     "#),
//!     ("content/coin/phases.toml", r#"
//!         [guessing]
//!         turns = "once"
//!         prompt = "side"
//!     "#),
//!     ("content/coin/prompts.toml", r#"
//!         [side]
//!         text = "Heads or tails?"
//!         labels = { heads = "Heads", tails = "Tails" }
//!     "#),
//!     ("scripts/coin/phases.luau", r#"
//!         return {
//!             guessing = {
//!                 offer = function(player)
//!                     choice("heads")
//!                     choice("tails")
//!                 end,
//!                 act = function(player, side)
//!                     local side_up = if random(2) == 1 then "heads" else "tails"
//!                     if side == side_up then
//!                         set(player, "right", 1)
//!                     end
//!                 end,
//!             },
//!         }
//!     "#),
//! ]);
//! let game = Game::load(&pack)?;
//! let simulation = Simulation { games: 1_000, bots: vec!["random".into()], ..Simulation::new(&game, game.setup(None, &[], 7)?) };
//! let report = simulation.run(|progress| eprintln!("{} of {} games", progress.done, progress.games))?;
//! assert_eq!(report.finished, 1_000);
//! assert!((0.45..0.55).contains(&report.seats[0].scores.mean), "half of all guesses are right");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Direction: observation, onnx, reward, seeds <- names_hash <- value <- bots <- simulation <- beginning, environment, learning, rule_test
#![forbid(unsafe_code)]

mod beginning;
mod bots;
mod environment;
mod learning;
mod names_hash;
mod observation;
mod onnx;
mod reward;
pub mod rule_test;
mod seeds;
mod simulation;
mod value;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use beginning::{BeginningFault, Beginnings, play_beginnings};
pub use bots::bot::Bot;
pub use bots::estimate::{Estimate, estimate};
pub use bots::first::First;
pub use bots::form::BotForm;
pub use bots::guest::GuestBot;
pub use bots::learned::LearnedBot;
pub use bots::limits::Limits;
pub use bots::pattern::{Pattern, PatternError, View};
pub use bots::playout::{DECISION_LIMIT, MOST_ENDLESS};
pub use bots::random::Random;
pub use bots::reuse::scratch_match;
pub use bots::rollout::Rollout;
pub use bots::rollout_cost::RolloutCost;
pub use bots::search::Search;
pub use bots::spec::{BotError, BotSpec, PlainBotSpec, ValueSource, bot, bot_forms};
pub use environment::desk::with_match;
pub use environment::utility::{Utility, UtilitySum};
pub use environment::vector::{PlaceRecord, StepArrays, Vector, VectorError, VectorOptions, with_bot};
pub use environment::{ActionError, Environment};
pub use learning::batch::{LocalPlayers, TrainingBatch, TrainingPiece, TrainingPlayers};
pub use learning::targets::Targets;
pub use learning::training::{Iteration, Training, TrainingError, TrainingProgress, TrainingResult, TrainingStage};
pub use observation::ObservationSpace;
pub use observation::part::Part;
pub use reward::{first_place, reward, utility, utility_in_points, utility_now};
pub use rule_test::coverage;
pub use seeds::mix;
pub use simulation::decisions::DecisionRow;
pub use simulation::digest::{GameDigest, Repetition};
pub use simulation::experiment::Experiment;
pub use simulation::failures::Failures;
pub use simulation::queue::{Work, threads};
pub use simulation::report::{
    AbortReport, EndingReport, LeadReport, PlacesReport, Report, SeatReport, Speed, WonReport,
};
pub use simulation::rows::{GameColumns, GameRow};
pub use simulation::sheet::{Cell, Column, Kind, Sheet, SheetFormat};
pub use simulation::statistics::{Interval, Sample, Summary};
pub use simulation::table::{Table, Watch, play_out};
pub use simulation::tally::{AnswerReport, PromptReport};
pub use simulation::{GamePiece, Progress, Simulation, SimulationError};
pub use value::loaded::Value;
pub use value::{Horizon, Origin, ValueError};
