//! Reads files from untrusted sources and writes files whole or not at all.
//!
//! Direction: regular <- draft
#![forbid(unsafe_code)]

mod draft;
mod regular;

pub use draft::Draft;
pub use regular::{open_regular, read_regular};
