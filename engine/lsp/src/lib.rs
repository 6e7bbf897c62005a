//! Language server: what `lode check` knows, while an author types.
//!
//! [`serve`] talks to one editor over the language server protocol. It checks the game of each open file with the unsaved texts of the
//! editor in place of the files. Messages, names and schemas are those of the check; this crate only finds places and converts them.
//! [`editors`] holds the settings of editors.
//!
//! Direction: cursor, editors, path, place <- shape <- workspace <- complete, diagnose, navigate <- hover <- server <- stream
#![forbid(unsafe_code)]

mod complete;
mod cursor;
mod diagnose;
pub mod editors;
mod hover;
mod navigate;
mod path;
mod place;
mod server;
mod shape;
mod stream;
mod workspace;

pub use server::serve;
pub use stream::serve_stdio;
