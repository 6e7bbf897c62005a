//! Learning a value by self-play.
//!
//! Direction: fit, targets <- training <- player <- course

mod course;
mod fit;
mod player;
pub(crate) mod targets;
pub(crate) mod training;
