//! The command `lode`, run as a stranger would run it.

/// What there is and what is wrong with it: `games`, `check`, `rules`, `test`.
#[path = "cli/content.rs"]
mod content;
/// Matches in the terminal: `play`, `replay`.
#[path = "cli/play.rs"]
mod play;
/// Running the program.
#[path = "cli/program.rs"]
mod program;
/// `sim` and the files it writes.
#[path = "cli/sim.rs"]
mod sim;
/// Sessions of the line protocol.
#[path = "cli/stdio.rs"]
mod stdio;
/// Exit codes and messages of wrong usage.
#[path = "cli/usage.rs"]
mod usage;
