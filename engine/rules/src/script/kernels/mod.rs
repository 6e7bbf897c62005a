//! Kernels: accessors implemented in Rust, because they are rare, intricate or loop.
//!
//! Direction: context <- kernel <- cells, chance, course, faults, host <- choices, log, tokens

mod cells;
mod chance;
mod choices;
pub mod context;
mod course;
mod faults;
mod host;
mod kernel;
mod log;
mod tokens;

use self::kernel::{
    Arg::{Given, LookedUp},
    KernelResult, TextKernel,
};
use crate::script::kernels::context::Context;
use crate::state::PositionMut;

pub use kernel::{Answer, Arg, Kernel};

/// All kernels.
pub const KERNELS: &[Kernel] = &[
    kernel("__random", chance::random, &[Given, LookedUp]),
    kernel("__shuffle", chance::shuffle, &[LookedUp]),
    kernel("__move", tokens::move_over, &[Given, LookedUp]),
    kernel("__move_under", tokens::move_under, &[Given, LookedUp]),
    kernel("__draw", tokens::draw, &[LookedUp, LookedUp]),
    kernel("__can_draw", tokens::can_draw, &[LookedUp, LookedUp]),
    kernel("__cards", tokens::cards, &[LookedUp]),
    kernel("__pile_of", tokens::pile_of, &[Given]),
    kernel("__seen", tokens::seen, &[Given]),
    kernel("__set_seen", tokens::set_seen, &[Given, Given, LookedUp]),
    kernel("__eliminate", course::eliminate, &[Given]),
    kernel("__pass", course::pass, &[Given]),
    kernel("__flag", course::raise_flag, &[LookedUp, LookedUp]),
    kernel("__longest", cells::longest, &[LookedUp, Given]),
    kernel("__ray", cells::ray, &[LookedUp, Given, LookedUp]),
    kernel("__staying", host::staying, &[LookedUp]),
    kernel("__around", cells::around, &[LookedUp, Given, LookedUp]),
    kernel("__count_cells", cells::count_cells, &[LookedUp, Given, Given]),
    kernel("__choice_cells", choices::choice_cells, &[LookedUp, Given, Given]),
    kernel("__choice_zone", choices::choice_zone, &[LookedUp]),
    kernel("__choice_numbers", choices::choice_numbers, &[Given, Given]),
    kernel("__nobody", choices::nobody, &[]),
    kernel("__also", choices::also, &[Given, LookedUp]),
    kernel("__may_write", host::may_write, &[Given]),
    kernel("__caught", host::caught, &[]),
    kernel("__exhausted", host::exhausted, &[]),
];

/// All kernels that take texts, by their names in the header.
pub const TEXT_KERNELS: &[(&str, TextKernel)] = &[
    ("__unknown", faults::unknown),
    ("__bad_value", faults::bad_value),
    ("__bad_choice", faults::bad_choice),
    ("__log", log::log),
    ("__log_to", log::log_to),
];

const fn kernel(
    name: &'static str,
    run: fn(&mut Context, &mut PositionMut<'_>, &mut [i32], &[i32]) -> KernelResult,
    args: &'static [Arg],
) -> Kernel {
    Kernel { name, run, args }
}
