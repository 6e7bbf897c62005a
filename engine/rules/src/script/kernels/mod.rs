//! Kernels: accessors implemented in Rust, because they are rare, intricate or loop.
//!
//! Direction: context <- kernel <- cells, chance, course, events, faults, host <- choices, log, refusals, told, tokens

mod cells;
mod chance;
mod choices;
pub mod context;
mod course;
mod events;
mod faults;
mod host;
mod kernel;
mod log;
mod refusals;
mod tokens;
mod told;

use self::kernel::{
    Arg::{FromHeader, FromScript},
    KernelResult, TextKernel,
};
use crate::script::kernels::context::Context;
use crate::state::PositionMut;

pub use kernel::{Answer, Arg, Kernel};

/// All kernels.
pub const KERNELS: &[Kernel] = &[
    kernel("__random", chance::random, &[FromScript, FromHeader]),
    kernel("__random_hidden", chance::random_hidden, &[FromScript, FromHeader, FromScript]),
    kernel("__shuffle", chance::shuffle, &[FromHeader]),
    kernel("__move", tokens::move_over, &[FromScript, FromHeader]),
    kernel("__move_under", tokens::move_under, &[FromScript, FromHeader, FromScript]),
    kernel("__draw", tokens::draw, &[FromHeader, FromHeader]),
    kernel("__can_draw", tokens::can_draw, &[FromHeader, FromHeader]),
    kernel("__cards", tokens::cards, &[FromHeader]),
    kernel("__pile_of", tokens::pile_of, &[FromScript]),
    kernel("__seen", tokens::seen, &[FromScript]),
    kernel("__set_seen", tokens::set_seen, &[FromScript, FromScript, FromHeader]),
    kernel("__eliminate", course::eliminate, &[FromScript]),
    kernel("__pass", course::pass, &[FromScript]),
    kernel("__flag", course::raise_flag, &[FromHeader, FromHeader]),
    kernel("__longest", cells::longest, &[FromHeader, FromScript]),
    kernel("__ray", cells::ray, &[FromHeader, FromScript, FromHeader]),
    kernel("__around", cells::around, &[FromHeader, FromScript, FromHeader]),
    kernel("__count_cells", cells::count_cells, &[FromHeader, FromScript, FromScript]),
    kernel("__choice_cells", choices::choice_cells, &[FromHeader, FromScript, FromScript]),
    kernel("__choice_zone", choices::choice_zone, &[FromHeader]),
    kernel("__choice_numbers", choices::choice_numbers, &[FromScript, FromScript]),
    kernel("__nobody", choices::nobody, &[]),
    kernel("__also", choices::also, &[FromScript, FromHeader]),
    kernel(
        "__hear",
        events::hear,
        &[FromHeader, FromHeader, FromScript, FromScript, FromScript, FromScript, FromScript, FromScript],
    ),
    kernel(
        "__arguments",
        events::arguments,
        &[FromHeader, FromHeader, FromHeader, FromScript, FromScript, FromScript, FromScript, FromScript, FromScript],
    ),
    kernel(
        "__formula",
        events::formula,
        &[
            FromHeader, FromHeader, FromHeader, FromScript, FromScript, FromScript, FromScript, FromScript, FromScript,
            FromScript, FromScript, FromScript, FromScript, FromScript,
        ],
    ),
    kernel("__tokens_where", events::tokens_where, &[FromHeader, FromScript, FromScript]),
    kernel("__targets", events::targets, &[FromHeader, FromScript, FromScript]),
    kernel("__passes", events::passes, &[FromScript, FromHeader, FromScript, FromScript]),
    kernel("__player_on_turn", events::player_on_turn, &[]),
    kernel("__reset", events::reset, &[FromHeader, FromHeader]),
    kernel("__refresh", events::refresh, &[]),
    kernel("__remove", tokens::remove, &[FromScript]),
    kernel("__may_write", host::may_write, &[FromScript]),
    kernel("__caught", host::caught, &[]),
    kernel("__exhausted", host::exhausted, &[]),
];

/// All kernels that take texts, by their names in the header.
pub const TEXT_KERNELS: &[(&str, TextKernel)] = &[
    ("__unknown", faults::unknown),
    ("__bad_value", faults::bad_value),
    ("__bad_argument", faults::bad_argument),
    ("__bad_choice", faults::bad_choice),
    ("__log", log::log),
    ("__log_to", log::log_to),
    ("__happened", told::happened),
    ("__acts", told::acts),
    ("__fizzles", told::fizzles),
    ("__refuse", refusals::refuse),
    ("__refuse_token", refusals::refuse_token),
];

const fn kernel(
    name: &'static str,
    run: fn(&mut Context, &mut PositionMut<'_>, &mut [i32], &[i32]) -> KernelResult,
    args: &'static [Arg],
) -> Kernel {
    Kernel { name, run, args }
}
