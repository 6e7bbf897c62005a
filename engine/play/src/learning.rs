//! Learning a value by self-play.
//!
//! Direction: fit, targets <- training

mod fit;
pub(crate) mod targets;
pub(crate) mod training;
