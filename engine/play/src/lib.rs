//! Automatic play: bots, simulations of many games, their statistics, and the runner of rule tests.
//!
//! Two promises hold for everything here:
//!
//! - **Results depend only on the pack, the setup, the seed and the bots.** Game number `i` of a simulation has a seed of its
//!   own, mixed from the simulation's seed and `i`, from which the bots are seeded again before the game. So it does not matter which
//!   thread plays a game or what that thread has played before: the rows are the same, byte for byte, with one thread and with
//!   many. (Only [`Speed`] is measured; it is kept apart from the results.)
//! - **Bots do not cheat.** A bot knows what its seat knows, see [`Bot`].
//!
//! [`rule_test`] runs the tests that are written in the language of the content, and [`coverage`] lists what they never exercised.
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
//!                     local fallen = if random(2) == 1 then "heads" else "tails"
//!                     if side == fallen then
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
//! Direction: bot, features, halving, pattern, queue, reuse, reward, seeds, sheet, statistics, targets <- habits, limits, plan,
//! playout, rule_test, trees, value <- rows <- estimate, evaluator, failures, fit, rollout, table <- coverage, decisions, descent, look, tally <- learned <-
//! search <- training <- report, spec <- rollout_cost <- experiment <- simulation
#![forbid(unsafe_code)]

mod bot;
pub mod coverage;
mod decisions;
mod descent;
mod estimate;
mod evaluator;
mod experiment;
mod failures;
mod features;
mod fit;
mod habits;
mod halving;
mod learned;
mod limits;
mod look;
mod pattern;
mod plan;
mod playout;
mod queue;
mod report;
mod reuse;
mod reward;
mod rollout;
mod rollout_cost;
mod rows;
pub mod rule_test;
mod search;
mod seeds;
mod sheet;
mod simulation;
mod spec;
mod statistics;
mod table;
mod tally;
mod targets;
mod training;
mod trees;
mod value;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use bot::{Bot, First, Random};
pub use decisions::DecisionRow;
pub use estimate::{Estimate, estimate};
pub use experiment::Experiment;
pub use failures::Failures;
pub use learned::{Learned, Value};
pub use limits::Limits;
pub use pattern::{Pattern, PatternError, View};
pub use playout::{DECISION_LIMIT, MOST_ENDLESS};
pub use queue::{Work, threads};
pub use report::{Aborted, Ending, Report, SeatReport, Speed, WonReport};
pub use reuse::own_match;
pub use reward::reward;
pub use rollout::Rollout;
pub use rollout_cost::RolloutCost;
pub use rows::{GameColumns, GameRow};
pub use search::Search;
pub use seeds::mix;
pub use sheet::{Cell, Column, Kind, Sheet, SheetFormat};
pub use simulation::{GamePiece, Progress, Simulation, SimulationError};
pub use spec::{BOTS, BotError, Spec, bot};
pub use statistics::{Interval, Sample, Summary};
pub use table::{Table, Watch, play_out};
pub use tally::{AnswerReport, PromptReport};
pub use targets::Targets;
pub use training::{Iteration, Trained, Training, TrainingError, TrainingProgress};
pub use value::{Horizon, Origin, ValueError};
