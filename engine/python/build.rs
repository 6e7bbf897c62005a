//! Copies the shipped games into the package, as into the command.

use std::{env, io};

#[path = "../cli/build.rs"]
mod games;

fn main() -> io::Result<()> {
    // The paths of that script begin at the root of the workspace.
    env::set_current_dir("../..")?;
    games::main()
}
