//! Files on a disk: opened as if they came from anybody, written whole or not at all.
//!
//! Direction: regular <- draft
#![forbid(unsafe_code)]

mod draft;
mod regular;

pub use draft::Draft;
pub use regular::{open_regular, read_regular};
