//! The compiler from scripts to machine code. Luau is the reference: machine code that meets anything unusual ends, and
//! Luau runs the hook again from its start.
//!
//! 1. `luau/capture.rs` reads the values of a loaded game out of a VM: [`known`]. Nothing can change them, so a field of a
//!    table, an upvalue or a library function is a constant.
//! 2. [`decode`] turns an instruction of Luau's bytecode into an [`Op`](decode::Op).
//! 3. [`infer`] follows a function for arguments of some types, along the paths that they allow: the possible values of
//!    each register ([`ty`]) at each place. A function has an [`Instance`](infer::Instance) for each set of argument types.
//! 4. [`emit`] writes the machine code of an instance with Cranelift: `emit/ops.rs` has the operators. [`data`] holds known
//!    tables as arrays that the code reads.
//! 5. [`program`] compiles the hooks of a game, and keeps the code.
//!
//! A step of the budget is charged where Luau charges it, because both follow the same bytecode. So a hook takes the same
//! steps in both.
//!
//! Direction: known <- ty <- decode, lookup <- library, live, numbers <- raw <- data <- infer <- emit <- program

pub mod data;
pub mod decode;
pub mod emit;
pub mod infer;
pub mod known;
pub mod library;
pub mod live;
pub mod lookup;
pub mod numbers;
pub mod program;
pub mod raw;
pub mod ty;
