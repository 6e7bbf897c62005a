//! The runner of rule tests: `lode test`.
//!
//! A rule test is a small Luau function that sets up a position by name, answers decisions, and asserts the result.
//! `engine/docs/src/language/tests.md` explains the language; `engine/docs/src/reference.md` lists its methods. A rule
//! test must prove something:
//!
//! - A test fails if it asserts nothing, or if it ends with an open decision without calling `t.left()`.
//! - A name that occurs twice in a file is a failure, because Luau would silently run only one of the two tests.
//! - A failure names its line and shows the position: the pending decisions, their choices and the last answers.
//!
//! A test file is untrusted like every script. Its sandbox has no access to the system, and limits steps, calls of
//! `t` and memory, so a test cannot hang the runner. Files are independent: the tests of one file share only its
//! local variables, and `lib.luau` is loaded anew for each file.
//!
//! Names beyond those of the documentation: `mine#2` is the second of several tokens, `mine@2` a token of player 2's
//! own set, `c4@2` a cell of player 2's own grid.
//!
//! Direction: coverage, order, result, suggest <- values <- names <- case <- definitions, events, places, position <- steps <- checks <- methods <-
//! host, numbers <- files

mod case;
mod checks;
pub mod coverage;
mod definitions;
mod events;
mod files;
mod host;
mod methods;
mod names;
mod numbers;
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
pub use self::host::GLOBALS;
pub use self::methods::all as methods;
pub use self::position::{PositionTest, position};
pub use self::result::TestResult;
