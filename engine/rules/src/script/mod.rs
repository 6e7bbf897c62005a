//! Scripts: the seam to the flow, the work that scripts call, and the machine that runs them.
//!
//! Direction: machine <- kernels <- luau

mod kernels;
pub mod luau;
pub mod machine;
