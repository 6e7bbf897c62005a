//! The Luau host: sandbox, budgets, header, kernels, hooks. The only room that names `mlua`.

mod budget;
mod counting;
pub mod header;
pub mod host;
pub mod kernel;
mod layers;
pub mod lint;
mod load;
mod parts;
pub mod raw;
mod specialise;
mod tables;
pub mod types;

pub use host::{Host, Limits, ScriptFault};
pub use layers::{FunctionPlace, Hand, Hands, How};
pub use load::{GAME_HOOKS, Mode, PHASE_HOOKS, PhaseHooks};
pub use parts::Parts;
