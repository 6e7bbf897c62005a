//! The state of a match: one flat block of 32-bit words, its layout, and what is derived from it.
//!
//! This room knows neither TOML nor Luau. A [`Layout`] is computed once from the declarations; a [`View`] is the block
//! seen through its layout. Fork is a copy, equality and hash are over the words.

pub mod diff;
#[cfg(test)]
mod fixture;
pub mod layout;
pub mod observe;
pub mod redeal;
pub mod sight;
pub mod view;

pub use layout::Layout;
pub use view::View;
