//! The Luau host: sandbox, budgets, header, kernels, hooks. The only room that names `mlua`.

mod budget;
mod counting;
pub mod header;
mod hooks;
pub mod host;
pub mod kernel;
mod layers;
mod load;
mod loader;
mod message;
mod parts;
pub mod raw;
mod sandbox;
mod specialise;
mod tables;

pub use header::{ACCESSORS, Accessor, PLACES, words};
pub use hooks::{GAME_HOOKS, PHASE_HOOKS};
pub use host::{Host, Limits, ScriptFault};
pub use layers::{Contribution, ContributionKind, Contributions, FunctionPlace};
pub use loader::{MAX_FAULTS, is_metamethod};
pub use message::place_of;
pub use parts::Parts;
pub use sandbox::Mode;
