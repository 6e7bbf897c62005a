//! The machine that runs Luau: sandbox, loader, header, hooks. The only module that uses `mlua`.
//!
//! # Speed
//!
//! - Raw calls from Rust into the VM, with the functions ready on its stack (`raw/`); plain calls for hooks that do
//!   not ask.
//! - Accessors are inserted before each script, where Luau can inline them (`header.rs`).
//! - Tables by holder are arrays without metatables (`tables.rs`); loops are kernels in Rust.
//! - Bytecode is compiled once for each game (`parts.rs`), and to machine code for long runs (`compiled.rs`).
//!
//! Direction: absent, aims <- reactions <- contribution, counting, message, stretch, tables, words <- meter, parts <- facts <- header,
//! raw <- capture, sandbox <- guest, loader <- layers, refusals <- choices, hooks <- events, verbs <- definitions <- program <- compiled <- host <- explain

mod absent;
mod aims;

mod capture;
mod choices;
mod compiled;
mod contribution;
mod counting;
mod definitions;
mod events;
mod explain;
mod facts;
pub mod guest;
pub mod header;
mod hooks;
pub mod host;
mod layers;
mod loader;
mod message;
mod meter;
mod parts;
mod program;
pub mod raw;
mod reactions;
mod refusals;
mod sandbox;
mod stretch;
mod tables;
mod verbs;
mod words;

pub use absent::{absent_in, replacement};
pub use choices::FINISH;
pub use contribution::{Contribution, ContributionKind, Contributions, FunctionPlace};
pub use events::EVENT_HOOKS;
pub use header::{ACCESSORS, Accessor, PLACES};
pub use host::Host;
pub use loader::MAX_FAULTS;
pub use message::place_of;
pub use parts::Parts;
pub use sandbox::Mode;
pub use verbs::VERB_PARTS;
pub use words::{is_underscores, words};
