//! Training of values by self-play.
//!
//! `run` repeats three steps: play games, fit a new value, and let it play against the best value so far. The better
//! value plays the next games; in the last iterations, searches can play them. Finally, searches that end their
//! playouts at a later turn play against searches that go on to the end of the game, and the value file records the
//! better horizon. Each game has its own seed and results are joined in order, so the file does not depend on the
//! number of threads.
//!
//! A value learns only from positions that bots evaluate: between turns, between simultaneous phases, and in hooks that
//! ask another seat. A file may hold several values for different numbers of players (`lode train --apart`). Training
//! under limits (`--never`, `--always`) shows whether a game can be won without a choice: with a value that expects the
//! choice, a bot plays badly without it.
//!
//! Direction: fit, targets <- training <- player <- batch <- run

pub(crate) mod batch;
mod fit;
mod player;
mod run;
pub(crate) mod targets;
pub(crate) mod training;
