//! Load test of a table server: answers a second, and the delay until an answer is saved and shown.
//!
//! `cargo bench --bench tables` starts `lode table` with many matches on disk, opens sockets to some of them, and
//! answers at random at a fixed rate, whether or not the server keeps up (an open loop: a late answer counts as delay).
//! Then the bench does the same to boardgame.io, with matches of the same size; this part needs node and npm.
//!
//! Arguments follow `--`, for example
//! `rates=1000,2000 seconds=20 held=10000 active=1000 sockets=4000 game=photon folder=/var/tmp`.
//! `program=PATH` measures another build, and `beside=nothing` leaves boardgame.io out.
//! Choose a `folder` on a real disk: in a memory file system, a sync costs nothing.

#[path = "tables/boardgame_io.rs"]
mod boardgame_io;
#[path = "tables/browser.rs"]
mod browser;
#[path = "tables/figures.rs"]
mod figures;
#[path = "tables/load.rs"]
mod load;
#[path = "tables/seat.rs"]
mod seat;
#[path = "tables/server.rs"]
mod server;

use std::io;
use std::process::ExitCode;

use figures::Figures;
use load::Load;
use server::Server;

fn main() -> ExitCode {
    let load = match Load::from_arguments(std::env::args().skip(1)) {
        Ok(load) => load,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    match run(&load) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(load: &Load) -> io::Result<()> {
    let folder = tempfile::tempdir_in(&load.folder)?;
    let own = measure(load, &Server::lode(load, folder.path())?)?;
    if !load.beside {
        return Ok(());
    }
    match boardgame_io::start(load, folder.path())? {
        Some(server) => {
            let other = measure(load, &server)?;
            figures::compare(&own, &other);
        }
        None => eprintln!("\nboardgame.io is not measured: install node and npm (on Debian: apt-get install npm)"),
    }
    Ok(())
}

/// Puts a server under the load, and prints and returns the figures.
fn measure(load: &Load, server: &Server) -> io::Result<Vec<Figures>> {
    let (open, memory) = (server.opened.as_secs_f64(), server.memory() >> 20);
    println!("\n{}: {} matches held in {memory} MiB, open after {open:.1} s", server.name, server.matches.len());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let figures = tokio::task::LocalSet::new().block_on(&runtime, browser::drive(load, server))?;
    println!("memory of the server: {} MiB", server.memory() >> 20);
    Ok(figures)
}
