//! The only unsafe module: raw calls between Rust and one Luau VM, and the state block that they share.
//!
//! mlua builds and loads everything. Only calls that happen at every decision are raw, because a protected call
//! through mlua costs as much as the hook itself. The unsafe blocks below are sound for these reasons:
//!
//! - **The VM outlives its pointers.** `Vm` owns the `Lua`; `main`, the coroutines, the buffers and every function
//!   are anchored in its registry until `Vm` is dropped. Luau's collector never moves objects, so the buffers'
//!   addresses stay valid.
//! - **One thread, one borrow.** `Vm` is `!Send` (raw pointers). Rust slices of the buffers borrow the `Vm`; every
//!   entry into Luau takes `&mut self`, so no such slice lives while a script runs. A kernel gets its slices from
//!   `Shared` for the duration of the call, while the calling script is suspended, and kernels never enter Luau.
//! - **Errors cross no destructor.** An entry function finishes all Rust work in an inner function, leaves a message
//!   on the Lua stack, and only then raises. Kernel panics are caught before they reach Luau frames. Luau's errors
//!   are C++ exceptions, not jumps: if memory runs out while a message is copied, the values that the inner function
//!   still owns are dropped.
//!
//! Direction: shared <- entries <- metering <- vm <- own_functions <- running <- compiled <- self
#![allow(unsafe_code)]

mod compiled;
mod entries;
mod metering;
mod own_functions;
mod running;
mod shared;
mod vm;

pub use compiled::coroutine_of;
pub(super) use metering::{count_steps, metered};
pub use own_functions::OWN_FUNCTIONS;
pub use running::FaultLines;
pub use shared::FunctionRef;
pub use vm::Vm;
