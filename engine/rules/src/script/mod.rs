//! Scripts: the interface to the flow, the kernels that scripts call, the compiler to machine code, and the machine that
//! runs Luau.
//!
//! Direction: bytecode, machine <- kernels <- native <- luau

pub mod bytecode;
mod kernels;
pub mod luau;
pub mod machine;
pub mod native;

/// The machine of a match. A concrete type, so that reading a word needs no virtual call; tests use any machine.
#[cfg(not(test))]
pub type Driver = luau::Host;
/// The machine of a match in the tests of this crate: any implementation.
#[cfg(test)]
pub type Driver = Box<dyn machine::Machine>;

/// Wraps the Luau host as the machine of a match.
#[cfg(not(test))]
pub fn driver(host: luau::Host) -> Driver {
    host
}
#[cfg(test)]
pub fn driver(host: luau::Host) -> Driver {
    Box::new(host)
}
