//! The signature of kernels, and their arguments.

use crate::script::kernels::context::Context;
use crate::script::machine::NIL;
use crate::state::PositionMut;
use crate::state::layout::word;
use crate::text::TextArg;

/// A function that scripts call through the header (`std/accessors.luau`), which resolves names into numbers first.
#[derive(Debug, Clone, Copy)]
pub struct Kernel {
    /// Its name in the header.
    pub name: &'static str,
    /// Its implementation, given the context, the state, the choice buffer (the number of choices, then the choices)
    /// and the arguments. A missing argument is [`NIL`].
    pub run: fn(&mut Context, &mut PositionMut<'_>, &mut [i32], &[i32]) -> KernelResult,
    /// Its arguments.
    pub args: &'static [Arg],
}

/// The source of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arg {
    /// Given by the script: a number, never a numeric text.
    FromScript,
    /// Looked up by the header in its own tables, which contain only numbers.
    FromHeader,
}

/// The result of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Nothing.
    Nothing,
    /// A number.
    Number(i32),
    /// The list in [`Traces::list`](crate::script::machine::Traces::list).
    List,
}

/// The result of a kernel, or an error message about its arguments.
pub type KernelResult = Result<Answer, String>;

/// A kernel that takes texts.
pub type TextKernel = fn(&mut Context, &mut PositionMut<'_>, &[TextArg]) -> Result<(), String>;

pub fn token(position: &PositionMut<'_>, n: i32) -> Result<i32, String> {
    if n >= 1 && n as usize <= position.layout.tokens.len() { Ok(n) } else { Err(format!("no token {}", shown(n))) }
}

pub fn player(position: &PositionMut<'_>, n: i32) -> Result<i32, String> {
    if (1..=position.words[word::PLAYERS]).contains(&n) { Ok(n) } else { Err(format!("no player {}", shown(n))) }
}

pub fn pile(position: &PositionMut<'_>, n: i32) -> Result<usize, String> {
    let pile = usize::try_from(n).ok().filter(|&n| n < position.layout.piles.len()).ok_or("no such zone")?;
    // Games have zones for more players than a match may have.
    let holder = position.layout.piles[pile].holder;
    if holder > position.words[word::PLAYERS] { Err(format!("no player {holder} in this match")) } else { Ok(pile) }
}

pub fn value(n: i32) -> Result<(), String> {
    if n == NIL { Err("expected a value of cells, not nil".into()) } else { Ok(()) }
}

pub fn shown(n: i32) -> String {
    if n == NIL { "nil".into() } else { n.to_string() }
}

/// The price of touching every token, in steps. A move between hidden places may change the exchange class of all
/// similar tokens.
pub fn all_tokens(position: &PositionMut<'_>) -> i64 {
    position.layout.tokens.len() as i64
}
