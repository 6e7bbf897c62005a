//! Scripts: the seam to the flow, the work that scripts call, and the machine that runs them.
//!
//! Direction: machine <- kernels <- luau

mod kernels;
pub mod luau;
pub mod machine;

/// The machine of a match. It is of one type, so that reading a word costs no call; the tests bring a second machine.
#[cfg(not(test))]
pub type Driver = luau::Host;
/// The machine of a match in the tests of this crate: any.
#[cfg(test)]
pub type Driver = Box<dyn machine::Machine>;

/// The machine that runs the scripts of a game.
#[cfg(not(test))]
pub fn driver(host: luau::Host) -> Driver {
    host
}
#[cfg(test)]
pub fn driver(host: luau::Host) -> Driver {
    Box::new(host)
}
