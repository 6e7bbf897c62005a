//! The state of a match: one flat block of 32-bit words, its layout, and what is derived from it.
//!
//! This room knows neither TOML nor Luau. A [`Layout`] is computed once from the declarations; a [`View`] gives names to the words
//! of a block. A fork copies the words, and equality and hash compare them.

pub mod diff;
#[cfg(test)]
mod fixture;
pub mod layout;
pub mod observe;
pub mod redeal;
pub mod sight;
pub mod view;

pub use layout::{Layout, TokenInfo};
pub use view::View;
