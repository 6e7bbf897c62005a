//! Reading packs: files become [declarations](declare::Declarations), or diagnostics.
//!
//! A pack is read in two passes: first the names of everything it declares, then the declarations themselves, so that
//! each reference becomes an index, whatever the order of the files. A fault never ends the reading. What is faulty is
//! replaced by something harmless of the same name, so that one mistake is one diagnostic and all mistakes come at once.

pub mod declare;

mod ask;
mod colour;
mod counter;
pub mod diagnostic;
pub mod document;
pub mod files;
mod fingerprint;
mod game;
pub mod geometry;
mod grid;
pub mod keys;
mod kind;
mod limits;
pub mod merge;
pub mod mods;
mod names;
mod only;
mod option;
pub mod pack;
mod phase;
pub mod placeholder;
mod prompt;
mod read;
mod rules;
pub mod sort;
pub mod source;
pub mod text;
mod text_file;
mod value;
pub mod verb;
mod words;
mod zone;

#[cfg(test)]
mod tests;

pub use self::diagnostic::{Diagnostic, Diagnostics, Severity, nearest, suggestion};
pub use self::geometry::Geometry;
pub use self::limits::{MAX_SCRIPT, MAX_TEXT};
pub use self::mods::{Mod, ModId};
pub use self::pack::{Error, Pack, find_packs};
pub use self::read::read;
pub use self::sort::Sort;
pub use self::source::SourceFile;
