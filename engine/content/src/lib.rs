//! Reads packs: files become [declarations](declare::Declarations), or diagnostics.
//!
//! ```
//! use motherlode_content::{Pack, read};
//!
//! let (_, diagnostics) = read(&Pack::from_files("nim", [("content/nim/game.toml", "name = 'Nim'")]));
//! assert!(diagnostics.has_errors());
//! ```
//!
//! A pack is read in two passes: first all declared names, then the declarations. So each reference becomes an index,
//! whatever the order of the files. Reading continues after a fault: a harmless declaration of the same name replaces
//! a faulty one, so that one mistake yields one diagnostic and all mistakes are reported at once.
//!
//! The name of each file is the noun of the section that it reads. A file may use those before it:
//!
//! Direction: fraction, source <- declare, fingerprint, hidden, limits, mend, placeholder, sort <- diagnostic, geometry, sentence, words <- keys,
//! text_file <- document <- colour, image, rules, like, product <- names <- compose, lists, mods, option, tells, text <- balance, condition_text, family,
//! only, pack, prompt, setting <- complete, reaction_text, value <- counter, formula <- verb <- ask, files, filter, outcome, zone <- aim, bundle, event, look,
//! grid, pick <- hook, listener <- merge,
//! modifier, phase <- kind <- game <- reader, sheet

pub mod declare;

pub mod aim;
mod ask;
pub mod balance;
mod bundle;
mod colour;
mod complete;
pub mod compose;
pub mod condition_text;
mod counter;
pub mod diagnostic;
pub mod document;
mod event;
mod family;
pub mod files;
mod filter;
mod fingerprint;
mod formula;
pub mod fraction;
mod game;
pub mod geometry;
mod grid;
pub mod hidden;
mod hook;
mod image;
pub mod keys;
mod kind;
mod like;
mod limits;
mod listener;
pub mod lists;
mod look;
mod mend;
pub mod merge;
mod modifier;
pub mod mods;
mod names;
mod only;
mod option;
mod outcome;
pub mod pack;
mod phase;
mod pick;
pub mod placeholder;
mod product;
mod prompt;
pub mod reaction_text;
mod reader;
mod rules;
pub mod sentence;
pub mod setting;
#[cfg(feature = "edit")]
pub mod sheet;
pub mod sort;
pub mod source;
mod tells;
pub mod text;
mod text_file;
mod value;
pub mod verb;
mod words;
mod zone;

#[cfg(test)]
mod tests;

pub use self::bundle::Bundle;
pub use self::diagnostic::{Diagnostic, Diagnostics, Related, Severity, nearest, suggestion};
pub use self::geometry::Geometry;
pub use self::image::ImageFile;
pub use self::limits::{MAX_SCRIPT, MAX_TEXT};
pub use self::mods::{Mod, ModId};
pub use self::names::{NameUse, is_device, is_name, reserved};
pub use self::pack::{Error, Pack, find_packs};
pub use self::reader::read;
pub use self::rules::{list_item, numbered, rule_prefix};
pub use self::sort::NameKind;
pub use self::source::SourceFile;
