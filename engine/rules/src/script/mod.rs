//! The Luau host: sandbox, budgets, header, kernels, hooks. The only room that names `mlua`.
//!
//! Direction: bytecode <- budget, chance, contribution, counting, fixed, guard, hook, message, stretch, tables, together, verb_place, words <-
//! choices, meter, parts <- choosable, facts <- context <- kernel, specialise <- header, raw <- sandbox <- guest, loader <- layers <-
//! hooks <- definitions, verbs <- program <- host <- explain

mod budget;
mod bytecode;
pub mod chance;
pub mod choices;
mod choosable;
pub mod context;
mod contribution;
mod counting;
mod definitions;
mod explain;
mod facts;
pub mod fixed;
pub mod guard;
pub mod guest;
pub mod header;
pub mod hook;
mod hooks;
pub mod host;
pub mod kernel;
mod layers;
mod loader;
mod message;
mod meter;
mod parts;
mod program;
pub mod raw;
mod sandbox;
mod specialise;
mod stretch;
mod tables;
pub mod together;
mod verb_place;
mod verbs;
mod words;

pub use contribution::{Contribution, ContributionKind, Contributions, FunctionPlace};
pub use explain::ScriptFault;
pub use fixed::Fixed;
pub use header::{ACCESSORS, Accessor, PLACES};
pub use hook::{GAME_HOOKS, LOOKING_HOOKS, PHASE_HOOKS};
pub use host::{Host, Limits};
pub use loader::MAX_FAULTS;
pub use message::place_of;
pub use parts::Parts;
pub use sandbox::Mode;
pub use verb_place::VerbPlace;
pub use verbs::VERB_PARTS;
pub use words::{is_underscores, words};
