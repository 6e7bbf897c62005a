//! The runner of rule tests: `lode test`.
//!
//! A rule test is a small Luau function that sets up a position by name, answers decisions, and asserts what must hold afterwards;
//! `engine/docs/src/language/tests.md` explains the language, `engine/docs/src/reference.md` lists its methods. A rule test proves
//! something or fails:
//!
//! - a test that asserts nothing fails, and so does one that ends with an open decision without calling `t.left()`;
//! - a name that occurs twice in a file fails, because Luau would silently run only one of the two;
//! - a failure names its line and shows the position: who is asked what, the choices offered, and the last answers.
//!
//! A test file is untrusted like every script: it runs in a sandbox of its own, which has no access to the system, and limited steps,
//! calls of `t` and memory. It cannot hang the runner. Files are independent; the tests of one file share only the file's local
//! variables. What `lib.luau` returns is loaded anew for each file.
//!
//! Beyond the language of the README: `mine#2` is the second of several tokens, `mine@2` one of player 2's own set, `c4@2` a cell of
//! player 2's own grid.
//!
//! Direction: coverage, order, result, suggest <- values <- names <- case <- definitions, places, position <- steps <- checks <- methods <-
//! host <- files

mod case;
mod checks;
pub mod coverage;
mod definitions;
mod files;
mod host;
mod methods;
mod names;
mod order;
mod places;
mod position;
mod result;
mod steps;
mod suggest;
mod values;

#[cfg(test)]
mod tests;

pub use self::files::{TestFiles, TestFilter, read_beside};
pub use self::methods::all as methods;
pub use self::position::{Written, position};
pub use self::result::TestResult;
