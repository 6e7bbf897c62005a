//! Reads files from untrusted sources and writes files whole or not at all.
//!
//! Direction: reason, regular <- draft, image
#![forbid(unsafe_code)]

mod draft;
#[cfg(feature = "image")]
mod image;
mod reason;
mod regular;

pub use draft::Draft;
#[cfg(feature = "image")]
pub use image::{Image, Images, MAX_SIDE};
pub use reason::reason;
pub use regular::{open_regular, read_regular};
