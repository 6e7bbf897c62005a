//! The Luau host: sandbox, budgets, header, kernels, hooks. The only room that names `mlua`.
//!
//! Direction: budget, chance, contribution, counting, guard, message, parts, tables, words <- choices <- kernel, specialise <- header, raw
//! <- sandbox <- loader <- layers <- hooks <- program <- host

mod budget;
pub mod chance;
pub mod choices;
mod contribution;
mod counting;
pub mod guard;
pub mod header;
mod hooks;
pub mod host;
pub mod kernel;
mod layers;
mod loader;
mod message;
mod parts;
mod program;
pub mod raw;
mod sandbox;
mod specialise;
mod tables;
mod words;

pub use chance::Fixed;
pub use contribution::{Contribution, ContributionKind, Contributions, FunctionPlace};
pub use header::{ACCESSORS, Accessor, PLACES};
pub use hooks::{GAME_HOOKS, LOOKING_HOOKS, PHASE_HOOKS};
pub use host::{Host, Limits, ScriptFault};
pub use loader::MAX_FAULTS;
pub use message::place_of;
pub use parts::Parts;
pub use sandbox::Mode;
pub use words::{is_underscores, words};
