//! Training of values by self-play.
//!
//! Direction: fit, targets <- training <- player <- run

mod fit;
mod player;
mod run;
pub(crate) mod targets;
pub(crate) mod training;
