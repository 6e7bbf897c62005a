//! The state of a match: one flat block of 32-bit words, its layout, and everything derived from it.
//!
//! This module knows neither TOML nor Luau. A [`Layout`] is computed once from the declarations. A [`Position`] is a
//! block of words with its layout, and the only type that reads or writes the words. A fork copies them; equality and
//! hash compare them.
//!
//! Hidden information: `sight.rs` computes what a seat sees; `exchange.rs` tracks which tokens nobody can tell apart,
//! and `mixing.rs` whose places within a pile nobody knows;
//! `watched.rs` adds these classes to the observation; `redeal.rs` exchanges tokens within their classes and deals
//! hidden counters; `statements.rs` holds what players were told about tokens; `scatter.rs` shares tokens out among piles that a seat cannot count.
//!
//! Events: `reactions.rs` holds tables for listeners and modifiers, with an index of who has them (`bearers.rs`)
//! and compiled filters (`filters.rs`); `hearing.rs` finds the listeners of an event, and `modifiers.rs` computes current
//! values of attributes, `current.rs` shows them; `targets.rs` lists the targets of a filter.
//!
//! Direction: bearers, fitting, key, modifier_reads, words <- by_name, filters <- reactions <- layout <- position <- hearing, statements,
//! stream <- exchange, modifiers, sight, targets <- current, lists, mixing, watched <- compare <- diff, observe, split <-
//! scatter <- redeal

pub mod bearers;
pub mod by_name;
pub mod compare;
pub mod current;
pub mod diff;
pub mod exchange;
pub mod filters;
pub mod fitting;
#[cfg(test)]
pub mod fixture;
pub mod hearing;
pub mod key;
pub mod layout;
pub mod lists;
pub mod mixing;
mod modifier_reads;
pub mod modifiers;
pub mod observe;
pub mod position;
pub mod reactions;
pub mod redeal;
pub mod scatter;
pub mod sight;
pub mod split;
pub mod statements;
pub mod stream;
pub mod targets;
pub mod watched;
pub mod words;

pub use layout::Layout;
pub use position::{Position, PositionMut};
