//! Reads files from untrusted sources and writes files whole or not at all.
//!
//! Direction: reason, regular <- draft
#![forbid(unsafe_code)]

mod draft;
mod reason;
mod regular;

pub use draft::Draft;
pub use reason::reason;
pub use regular::{open_regular, read_regular};
