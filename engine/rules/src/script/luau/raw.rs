//! The one unsafe module: raw calls between Rust and one Luau VM, and the state block they share.
//!
//! mlua builds and loads everything; only what runs at every decision is raw, because a protected call through mlua costs as much as
//! the hook it calls. The blocks below are sound for these reasons:
//!
//! - **The VM outlives its pointers.** `Vm` owns the `Lua`; `main`, the coroutines, the buffers and every function are anchored
//!   in its registry until `Vm` is dropped. Luau's collector never moves objects, so the buffers' addresses hold.
//! - **One thread, one borrow.** `Vm` is `!Send` (raw pointers). Rust slices of the buffers borrow the `Vm`; every entry into
//!   Luau takes `&mut self`, so no such slice lives while a script runs. A kernel gets its slices from `Shared` for the length
//!   of the call, during which the calling script is suspended, and kernels never enter Luau.
//! - **Errors cross no destructor.** An entry function finishes all Rust work in an inner function, leaves a message on the Lua
//!   stack, and only then raises. Panics of kernels are caught before they reach Luau frames. Errors of Luau are C++ exceptions, not
//!   jumps: where memory runs out while a message is copied, what the inner function still owns is dropped.
//!
//! Direction: inlining, shared <- entries <- metering <- vm <- running <- self
#![allow(unsafe_code)]

mod entries;
mod inlining;
mod metering;
mod running;
mod shared;
mod vm;

pub use inlining::inline_more;
pub(super) use metering::{count_steps, metered};
pub use running::FaultLines;
pub use shared::FunctionRef;
pub use vm::Vm;
